// Hoist cables: what cannot be or would do nothing is refused with place and remedy; drums end cleanly.
#include <gtest/gtest.h>

#include <cmath>

#include "cables/hoist_scenes.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

using Change = void (*)(CableSettings&);
struct Case {
  const char* place;
  Change change;
};

/// Where it is refused; empty if it is not.
std::string refusedAt(Description d, Change change, SolverChoice solver = SolverChoice::automatic) {
  change(d.cables[0].second);
  d.settings.solver = solver;
  const auto w = World::build(d);
  if (w) return "";
  EXPECT_FALSE(w.error().reason.empty());
  EXPECT_FALSE(w.error().remedy.empty());
  return w.error().path;
}

Description span() { return strung(10.0, 1.0, 1e6, 500.0, 20, 0.01, 9.81); }
Description waved(bool waves) {
  Description d = span();
  CableSettings& c = d.cables[0].second;
  c.model = CableModel::joints;
  c.waves = waves;
  c.tension.reset();
  return d;
}
const Change nothing = [](CableSettings&) {};

TEST(HoistInput, what_would_do_nothing_is_refused) {
  const Case cases[] = {
      {"/cables/c/material/breaking", [](CableSettings& c) { c.material.breaking = 50.0; }},
      {"/cables/c/material/drag", [](CableSettings& c) { c.material.drag = 1.0; }},
      {"/cables/c/material/bending", [](CableSettings& c) { c.material.bending = 1.0; }},
      {"/cables/c/material/torsion", [](CableSettings& c) { c.material.torsion = 1.0; }},
      {"/cables/c/material/young", [](CableSettings& c) { c.material.young = 1e9; }},
      {"/cables/c/waves", [](CableSettings& c) { c.waves = true; }},
      {"/cables/c/compression", [](CableSettings& c) { c.compression = 0.1; }},
      {"/cables/c/weight", [](CableSettings& c) { c.weight = true; }},
      {"/cables/c/winding", [](CableSettings& c) { c.winding = 1.0; }},
      {"/cables/c/nodes", [](CableSettings& c) { c.nodes = 3; }},
      {"/cables/c/segments", [](CableSettings& c) { c.segments = 10; }},
      {"/cables/c/collides", [](CableSettings& c) { c.collides = false; }},
      {"/cables/c/shape", [](CableSettings& c) { c.shape = {Vec3(1, 0, 0)}; }},
      {"/cables/c/lumped", [](CableSettings& c) { c.lumped = true; }},
      {"/cables/c/twisted", [](CableSettings& c) { c.twisted = 1.0; }},
      {"/cables/c/merges", [](CableSettings& c) { c.merges = 1; }},
      {"/cables/c/finest", [](CableSettings& c) { c.finest = 0.1; }},
      {"/cables/c/drum", [](CableSettings& c) { c.drum = 1.0; }},
      {"/cables/c/pluck_at", [](CableSettings& c) { c.pluckAt = 0.2; }},
      {"/cables/c/pluck_span", [](CableSettings& c) { c.pluckSpan = 1; }},
      {"/cables/c/pluck", [](CableSettings& c) { c.pluck = Vec3(0.1, 0, 0); }},
      {"/cables/c/payout", [](CableSettings& c) { c.payout.offset = -2.0; }},
      {"/cables/c/payout",
       [](CableSettings& c) {
         c.payout.table = {Vec2(0, 3), Vec2(2, 3)};
       }},
      {"/cables/c/material/axial", [](CableSettings& c) { c.compliance = 1e-5; }},
      {"/cables/c/material/friction",
       [](CableSettings& c) {
         c.pull = PullForm::force;
         c.waveScheme = WaveScheme::explicitly;
         c.material.friction = 0.5;
       }},
  };
  for (const Case& k : cases) EXPECT_EQ(refusedAt(span(), k.change), k.place);
  EXPECT_EQ(refusedAt(span(), nothing), "");
  const Case joints[] = {
      {"/cables/c/drum", [](CableSettings& c) { c.drum = 1.0; }},
      {"/cables/c/pull", [](CableSettings& c) { c.pull = PullForm::force; }},
      {"/cables/c/pluck", [](CableSettings& c) { c.pluck = Vec3(0, 0, 1); }},
  };
  for (const bool waves : {false, true}) {
    for (const Case& k : joints) EXPECT_EQ(refusedAt(waved(waves), k.change), k.place);
    EXPECT_EQ(refusedAt(waved(waves), nothing), "");
  }
  const auto pays = [](CableSettings& c) { c.payout.rate = 1.0; };
  EXPECT_EQ(refusedAt(waved(true), pays), "/cables/c/payout");
  EXPECT_EQ(refusedAt(waved(false), pays), "");
  EXPECT_EQ(refusedAt(waved(false), [](CableSettings& c) { c.waveDamping = 1.0; }), "/cables/c/wave_damping");
}

TEST(HoistInput, a_heavy_cable_that_cannot_stretch_needs_slack_between_links_that_never_move) {
  // It gave 1.4e14 N without a word.
  Description d = span();
  CableSettings& c = d.cables[0].second;
  c.tension.reset();
  c.material.axial = unbounded;
  const auto refused = World::build(d);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "/cables/c/material/axial");
  c.slack = 0.1;
  EXPECT_TRUE(World::build(d));
  c.slack = 0.0;
  c.material.mass = 0.0;
  EXPECT_TRUE(World::build(d));
}

TEST(HoistInput, solvers_that_cannot_take_waves_are_refused) {
  for (const SolverChoice solver : {SolverChoice::sweep, SolverChoice::blocks}) {
    EXPECT_EQ(refusedAt(span(), nothing, solver), "/settings/solver");
    EXPECT_EQ(refusedAt(waved(true), nothing, solver), "/settings/solver");
    EXPECT_EQ(refusedAt(waved(false), nothing, solver), "");
    EXPECT_EQ(refusedAt(
                  span(), [](CableSettings& c) { c.material.mass = 0.0; }, solver),
              "");
  }
}

TEST(HoistInput, candidates_that_could_never_be_met_are_refused) {
  const auto refused = [](const Vec3& bar, const std::string& end, bool shaped) {
    Description d = heavy(0.005, 9.81);
    BodySettings b;
    b.motion = BodyMotion::fixed;
    b.position = bar;
    ShapeSettings s;
    s.type = ShapeType::capsule;
    s.radius = 0.1;
    s.length = 2.0;
    s.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));
    if (shaped) b.shapes = {s};
    d.bodies.emplace_back("bar", b);
    CableSettings c = hoist(0.5, 1e6);
    c.candidates = {"bar"};
    c.route = {hoistEnd("world"), hoistEnd(end, end == "bar" ? Vec3::Zero() : Vec3(10, 0, 0))};
    d.cables.emplace_back("c", c);
    const auto w = World::build(d);
    return w ? "" : w.error().path + ": " + w.error().reason;
  };
  EXPECT_EQ(refused(Vec3(5, 0, -1), "world", true), "");
  EXPECT_EQ(refused(Vec3(5, 0, -0.09), "world", true), "");  // it touches, from a side
  EXPECT_EQ(refused(Vec3(5, 0, 0), "world", true),
            "/cables/c/candidates/0: the cable starts inside 'bar', which it could not meet any more");
  EXPECT_EQ(
      refused(Vec3(5, 0, -1), "bar", true),
      "/cables/c/candidates/0: 'bar' carries an end of every span, and a span does not meet the body that holds it");
  EXPECT_EQ(refused(Vec3(5, 0, -1), "world", false),
            "/cables/c/candidates/0: 'bar' has no shape that a cable could meet");
}

TEST(HoistInput, a_cable_that_hangs_into_a_body_at_the_start_is_refused) {
  // 6 m between ends 4 m apart hang 2.01 m down.
  const auto refused = [](double top) {
    Description d = heavy(0.005, 9.81);
    BodySettings crate;
    crate.motion = BodyMotion::fixed;
    crate.position = Vec3(2, 0, top - 0.5);
    crate.shapes = {box(Vec3(1, 1.5, 1))};
    d.bodies.emplace_back("crate", crate);
    CableSettings c = hoist(0.8, 1e6);
    c.length = 6.0;
    c.candidates = {"crate"};
    c.route = {hoistEnd("world"), hoistEnd("world", Vec3(4, 0, 0))};
    d.cables.emplace_back("c", c);
    const auto w = World::build(d);
    return w ? "" : w.error().path + ": " + w.error().reason;
  };
  EXPECT_EQ(refused(-2.05), "");
  EXPECT_EQ(refused(-1.5), "/cables/c/candidates/0: the cable starts inside 'crate', which it could not meet any more");
}

TEST(HoistInput, a_drum_that_is_driven_on_past_its_end_winds_the_other_way) {
  World w = make(underDrum("load", 50.0, 3.0, 1.0, 1e6, {Vec2(0, 5), Vec2(3, 5), Vec2(3.01, -5), Vec2(6, -5)}));
  const double length = measure(w, "cables.c.length");
  int empty = 0, again = 0;
  double low = 0.0, drift = 0.0, stored = 1.0, most = 0.0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) {
      empty += e.what.find("the cable on it is used up") != std::string::npos;
      again += e.what.find("rolls again") != std::string::npos;
    }
    low = std::min(low, measure(w, "bodies.load.position.z"));
    drift = peak(drift, std::fabs(measure(w, "cables.c.length") - length));
    stored = std::min(stored, measure(w, "cables.c.stored"));
    if (w.time() > 2.0) most = std::max(most, measure(w, "cables.c.stored"));
  }
  // 1 m was on the drum of 0.2 m. From 1 s on the cable hangs at its end on the rim, a radius lower; then 2 m come on
  // from the other side, and by 5 s they are off again.
  EXPECT_EQ(empty, 2);
  EXPECT_EQ(again, 1);
  EXPECT_GE(stored, -1e-12);
  EXPECT_LT(drift, 1e-9);
  EXPECT_NEAR(low, -4.2, 0.02);
  EXPECT_NEAR(most, 2.0 - 0.2 * 3.14159265 / 2.0, 0.35);
  EXPECT_NEAR(measure(w, "cables.c.stored"), 0.0, 0.02);
}

TEST(HoistInput, a_winch_that_reels_in_too_far_stands_and_its_brake_gives_way) {
  // At 100 m/s half a metre a step is reeled in beyond the path: 1.2 MN, and 633 MN if nothing stopped it.
  for (const double speed : {2.0, 10.0, 100.0}) {
    Description d = heavy(0.005, 9.81);
    d.bodies.emplace_back("load", rigid(50.0, Vec3::Constant(1), Vec3(5, 0, -3)));
    CableSettings c = hoist(0.0, 1e6);
    c.material.damping = 0.02;
    c.payout.rate = -speed;
    c.route = {hoistEnd("world"), hoistPoint("world", Vec3(5, 0, 0)), hoistEnd("load")};
    d.cables.emplace_back("c", c);
    World w = make(d);
    int stops = 0;
    for (int i = 0; i < 800; ++i) {
      ASSERT_TRUE(w.step().good);
      for (const Event& e : w.takeEvents()) stops += e.what.find("winch has drawn the load up") != std::string::npos;
    }
    EXPECT_GE(stops, 1) << speed;
    EXPECT_LT(measure(w, "cables.c.spans.0.tension"), 2.5 * 50 * 9.81) << speed;
    EXPECT_LT(measure(w, "cables.c.length"), 5.2) << speed;  // of a path of 5.005 m
    EXPECT_NEAR(std::fabs(measure(w, "bodies.load.position.z")), 0.005, 0.002) << speed;
  }
}

/// What a winch did that reels in far more than there is.
struct Drawn {
  double tension = 0.0, energy = 0.0;  ///< greatest
  double high = -1e9;                  ///< m, the hook
  double rises = 0.0;                  ///< m/s, until the winch stands
  int stands = 0;                      ///< times that it stood
};
Drawn reelIn(const Description& d) {
  Drawn out;
  World w = make(d);
  while (w.time() < d.settings.seconds) {
    EXPECT_TRUE(w.step().good);
    for (const auto& span : cableOf(w).spans) out.tension = peak(out.tension, span.tension);
    out.energy = peak(out.energy, measure(w, "energy.total"));
    out.high = peak(out.high, measure(w, "bodies.hook.position.z"));
    if (out.stands == 0) out.rises = peak(out.rises, measure(w, "bodies.hook.velocity.z"));
    for (const Event& e : w.takeEvents()) out.stands += e.what.find("the winch has drawn") != std::string::npos;
  }
  return out;
}

/// 500 kg in a bight of two falls, between points 0.4 m apart or between a pulley of 0.2 m and a point.
Description twoFalls(double speed, double mass, bool wheels) {
  Description d = heavy(0.005, 9.81);
  d.settings.seconds = 1.0 + 10.0 / speed;
  const double wide = wheels ? 0.8 : 0.4;
  d.bodies.emplace_back("hook", rigid(500.0, Vec3::Constant(50), Vec3(0.5 * wide, 0, -3)));
  CableSettings c = hoist(mass, 1e6);
  c.material.damping = 0.02;
  c.waveDamping = 1.0;
  c.payout.table = {Vec2(1, 0), Vec2(d.settings.seconds, -10)};
  c.route = {hoistEnd("world", Vec3(-3, 0, wheels ? 0.2 : 0.0)),
             wheels ? hoistWheel("world", Vec3::Zero(), 0.2, 1) : hoistPoint("world"),
             wheels ? hoistWheel("hook", Vec3::Zero(), 0.2, -1) : hoistPoint("hook"),
             hoistEnd("world", Vec3(wide, 0, 0))};
  d.cables.emplace_back("c", c);
  return d;
}

TEST(HoistInput, a_winch_that_draws_its_falls_straight_or_its_blocks_together_stands) {
  // Of 4.9 kN. A load on falls that rise by sin α is held with W / (2 sin α); nothing stood, it was 376 MN.
  for (const bool wheels : {false, true})
    for (const double mass : {0.0, 0.2, 1.0})
      for (const double speed : {0.5, 2.0}) {
        const Drawn drawn = reelIn(twoFalls(speed, mass, wheels));
        EXPECT_GE(drawn.stands, 1) << wheels << " " << mass << " " << speed;
        EXPECT_LT(drawn.tension, 50e3) << wheels << " " << mass << " " << speed;
        EXPECT_LT(drawn.energy, 10e3) << wheels << " " << mass << " " << speed;
        // Falls that rise by sin α lift at v / (2 sin α), which is beyond v for the last of the way; straight, a pulley
        // lies a radius above the points, and goes on as it is thrown.
        EXPECT_LT(drawn.rises, 1.5 * speed) << wheels << " " << mass << " " << speed;
        EXPECT_LT(drawn.high, (wheels ? 0.2 : 0.0) + drawn.rises * drawn.rises / (2 * 9.81) + 0.05)
            << wheels << " " << mass << " " << speed;
      }
}

TEST(HoistInput, a_tension_that_is_an_explicit_force_stops_too) {
  Description d = heavy(0.001, 9.81);
  d.settings.seconds = 1.8;
  d.bodies.emplace_back("hook", rigid(50.0, Vec3::Constant(0.75), Vec3(5, 0, -3)));
  CableSettings c = hoist(0.0, 1e5);
  c.pull = PullForm::force;
  c.material.damping = 0.01;
  c.payout.rate = -5.0;
  c.route = {hoistEnd("world"), hoistPoint("world", Vec3(5, 0, 0)), hoistEnd("hook")};
  d.cables.emplace_back("c", c);
  const Drawn drawn = reelIn(d);
  EXPECT_GE(drawn.stands, 1);
  EXPECT_LT(drawn.tension, 40e3);                 // 5 m/s on a spring of 12.5 kN/m and 50 kg: 4 kN
  EXPECT_LT(drawn.high, 5.0 * 5.0 / (2 * 9.81));  // hurled with the winch's speed, it may fly past the point
}

}  // namespace
}  // namespace reeve::test
