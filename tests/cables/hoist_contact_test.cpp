// A hoist cable that meets bodies: nodes that come and go, no tunnelling, length kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cables/hoist_scenes.h"
#include "reeve/cables/hoist/hanging_span.h"
#include "support/peak.h"
#include "support/soak.h"

namespace reeve::test {
namespace {

/// A hook on 8 m of cable, and a boom that comes from the side at half height, reaches 1 m past the cable and goes
/// back.
Description boomInto(double speed, double cableMass, double friction, double dt) {
  Description d = heavy(dt, 9.81);
  BodySettings hook = rigid(300.0, Vec3::Constant(30), Vec3(0, 0, -8));
  d.bodies.emplace_back("hook", hook);
  BodySettings boom;
  boom.motion = BodyMotion::kinematic;
  boom.position = Vec3(-2, 0, -4);
  ShapeSettings bar;
  bar.type = ShapeType::capsule;
  bar.radius = 0.05;
  bar.length = 2.0;
  bar.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));
  boom.shapes.push_back(bar);
  boom.prescribed.emplace();
  boom.prescribed->along = Vec3::UnitX();
  const double there = 3.0 / speed;
  boom.prescribed->travel.table = {Vec2(0.2, 0), Vec2(0.2 + there, 3.0), Vec2(0.7 + there, 3.0),
                                   Vec2(0.7 + 2 * there, 0)};
  d.bodies.emplace_back("boom", boom);
  CableSettings c = hoist(cableMass, 2e5, 20);
  c.material.damping = 0.01;
  c.material.friction = friction;
  c.waveDamping = 0.5;
  c.tension = 300.0 * 9.81;
  c.candidates = {"boom"};
  c.route = {hoistEnd("world"), hoistEnd("hook")};
  d.cables.emplace_back("c", c);
  return d;
}

TEST(HoistContact, a_boom_bends_the_cable_and_lets_it_go_again) {
  for (const double mass : {0.0, 0.5})
    for (const double friction : {0.0, 0.3})
      for (const double speed : {1.0, 20.0}) {
        World w = make(boomInto(speed, mass, friction, 1.0 / 240));
        const double total = measure(w, "cables.c.length");
        double worst = 0.0, through = -10.0;
        int came = 0, went = 0;
        const double end = 1.5 + 6.0 / speed;
        while (w.time() < end) {
          ASSERT_TRUE(w.step().good);
          worst = peak(worst, std::fabs(measure(w, "cables.c.length") - total));
          for (const Event& e : w.takeEvents()) {
            came += e.what.find("contact") != std::string::npos;
            went += e.what.find("leaves") != std::string::npos;
          }
          const Observation o = w.observe();
          const double boom = o.bodies[1].second.position.x();
          // Where the boom has passed the cable's first place the cable must be on its far side.
          if (boom > 0.999 && came > went) {
            double x = -10.0;
            for (const Vec3& p : o.cables[0].second.polyline)
              if (std::fabs(p.z() + 4.0) < 0.3) x = std::max(x, p.x());
            through = std::max(through, boom - x);
          }
        }
        EXPECT_GE(came, 1) << mass << " " << friction << " " << speed;
        EXPECT_EQ(came, went) << mass << " " << friction << " " << speed;
        EXPECT_LT(worst, 1e-9) << mass << " " << friction << " " << speed;
        EXPECT_LT(through, 0.0) << "cable behind the boom";
        EXPECT_EQ(measure(w, "health.unconverged"), 0.0) << mass << " " << friction << " " << speed;
      }
}

TEST(HoistContact, nothing_is_passed_through_at_twenty_metres_a_second) {
  // A rod of 1 cm, 20 m/s, 1/60 s: 33 cm a step. Straight through the cable's place without a stop.
  Description d = boomInto(20.0, 0.2, 0.0, 1.0 / 60);
  d.bodies[1].second.shapes[0].radius = 0.005;
  d.bodies[1].second.prescribed->travel.table = {Vec2(0.1, 0), Vec2(0.3, 4.0)};
  World w = make(d);
  run(w, 0.3);
  const Observation o = w.observe();
  double x = -10.0;
  for (const Vec3& p : o.cables[0].second.polyline) x = std::max(x, p.x());
  EXPECT_GT(x, o.bodies[1].second.position.x());
  EXPECT_EQ(o.cables[0].second.links.size(), 3u);
}

/// A round bar along y, moved along z by a table.
BodySettings barAt(Vec3 place, double radius, std::vector<Vec2> table) {
  BodySettings body;
  body.motion = BodyMotion::kinematic;
  body.position = place;
  ShapeSettings bar;
  bar.type = ShapeType::cylinder;
  bar.radius = radius;
  bar.length = 6.0;
  bar.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));
  body.shapes.push_back(bar);
  body.prescribed.emplace();
  body.prescribed->along = Vec3::UnitZ();
  body.prescribed->travel.table = std::move(table);
  body.prescribed->travel.smooth = true;
  return body;
}

TEST(HoistContact, sliding_over_a_body_obeys_the_capstan_law_both_ways) {
  // A bar is pushed up into a level run; behind a free pulley hangs the load. Reeled in and paid out, the tension at
  // the winch is the load's times e^{±μθ}.
  for (const double mass : {0.0, 0.2})
    for (const double friction : {0.1, 0.3}) {
      Description d = heavy(0.004, 9.81);
      d.bodies.emplace_back("bar", barAt(Vec3(0, 0, -0.5), 0.2, {Vec2(0.2, 0), Vec2(2, 1.5)}));
      BodySettings load = rigid(100.0, Vec3::Constant(5), Vec3(3, 0, -4));
      load.drag = 200.0;
      d.bodies.emplace_back("load", load);
      CableSettings c = hoist(mass, 1e6, 20);
      c.material.friction = friction;
      c.material.damping = 0.02;
      c.waveDamping = 2.0;
      c.tension = 981.0;
      c.candidates = {"bar"};
      c.payout.table = {Vec2(4, 0), Vec2(8, -0.4), Vec2(9, -0.4), Vec2(13, 0)};
      c.route = {hoistEnd("world", Vec3(-3, 0, 0)), hoistPoint("world", Vec3(3, 0, 0)), hoistEnd("load")};
      d.cables.emplace_back("c", c);
      World w = make(d);
      for (const bool in : {true, false}) {
        run(w, in ? 7.5 : 5.0);
        const auto cable = w.observe().cables[0].second;
        ASSERT_EQ(cable.spans.size(), 3u);
        const double wanted = std::exp((in ? 1.0 : -1.0) * friction * cable.links[1].wrap);
        EXPECT_GT(cable.links[1].wrap, 0.6);
        // A span tells the tension of its middle; at its ends it differs by the weight between: ρ g times the height.
        const auto atEnd = [&](const SpanObservation& span, double z) {
          return span.tension + mass * 9.81 * (z - 0.5 * (span.start.z() + span.end.z()));
        };
        const double before = atEnd(cable.spans[0], cable.spans[0].end.z()),
                     after = atEnd(cable.spans[1], cable.spans[1].start.z());
        EXPECT_NEAR(before / after / wanted, 1.0, mass > 0.0 ? 1e-4 : 1e-6) << friction << " " << in;
        EXPECT_NEAR(atEnd(cable.spans[2], cable.spans[2].start.z()), atEnd(cable.spans[1], cable.spans[1].end.z()),
                    mass > 0.0 ? 1e-3 * cable.spans[1].tension : 1e-9);
      }
      EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
    }
}

TEST(HoistContact, a_cable_slides_along_a_bar_until_friction_holds_it) {
  // Bent over a bar along y, one end is carried 1 m along it. Without friction the bend comes to lie half way, where
  // the path is shortest; with friction the pull along the bar ends at μ times the press.
  for (const double friction : {0.0, 0.1}) {
    Description d = heavy(0.004, 9.81);
    d.bodies.emplace_back("bar", barAt(Vec3(0, 0, -1), 0.1, {Vec2(0.1, 0), Vec2(1, 1.9)}));
    BodySettings hand;
    hand.motion = BodyMotion::kinematic;
    hand.position = Vec3(2, 0, 0);
    hand.prescribed.emplace();
    hand.prescribed->along = Vec3::UnitY();
    hand.prescribed->travel.table = {Vec2(2, 0), Vec2(6, 1)};
    d.bodies.emplace_back("hand", hand);
    CableSettings c = hoist(0.0, 2e4, 20);
    c.material.friction = friction;
    c.tension = 500.0;
    c.candidates = {"bar"};
    c.route = {hoistEnd("world", Vec3(-2, 0, 0)), hoistEnd("hand")};
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 8.0);
    const auto cable = w.observe().cables[0].second;
    ASSERT_EQ(cable.spans.size(), 2u);
    const Vec3 in = (cable.spans[0].end - cable.spans[0].start).normalized(),
               out = (cable.spans[1].end - cable.spans[1].start).normalized(), pull = out - in;
    if (friction == 0.0)
      EXPECT_NEAR(cable.spans[0].end.y(), 0.5, 0.01);
    else
      EXPECT_NEAR(std::fabs(pull.y()) / std::hypot(pull.x(), pull.z()), friction, 0.01);
  }
}

TEST(HoistContact, a_bar_pushed_into_a_sagging_span_takes_no_length_and_no_tension_away) {
  for (const double length : {10.3, 12.0}) {
    Description d = heavy(0.005, 9.81);
    d.bodies.emplace_back("bar", barAt(Vec3(5, 0, 1), 0.1, {Vec2(5, 0), Vec2(35, -6)}));
    CableSettings c = hoist(1.0, 1e6, 20);
    c.length = length;
    c.waveDamping = 3.0;
    c.candidates = {"bar"};
    c.route = {hoistEnd("world"), hoistEnd("world", Vec3(10, 0, 0))};
    d.cables.emplace_back("c", c);
    World w = make(d);
    double arc = 0.0, tension = 0.0;
    bool met = false;
    while (!met && w.time() < 35.0) {
      ASSERT_TRUE(w.step().good);
      const auto spans = w.observe().cables[0].second.spans;
      double now = 0.0;
      for (const auto& span : spans) now += span.length;
      for (const auto& link : cableOf(w).links) now += link.stored;
      met = spans.size() > 1;
      if (met) {
        // What it has of length is its rest length and its stretch, so the arcs cannot have changed by more.
        EXPECT_NEAR(now, arc, 1e-4) << length;
        // The bar stands in the middle; which half it is laid on first is a matter of rounding.
        EXPECT_NEAR(0.5 * (spans[0].tension + spans[1].tension), tension, 0.2 * tension) << length;
      }
      arc = now;
      tension = spans[0].tension;
    }
    EXPECT_TRUE(met);
  }
}

TEST(HoistContact, a_cable_lies_on_a_bar_by_its_weight) {
  // 10.3 m over 10 m, let go straight; the bar under its middle holds it 0.3 m below its ends. Either half is a span of
  // 5.15 m between ends 5 m and 0.3 m apart; which tension that takes the catenary tells.
  Description d = heavy(0.005, 9.81);
  d.bodies.emplace_back("bar", barAt(Vec3(5, 0, -0.41), 0.1, {}));
  CableSettings c = hoist(1.0, 1e6, 20);
  c.length = 10.3;
  c.pluck = Vec3(0, 0, 1e-6);
  c.waveDamping = 3.0;
  c.material.friction = 0.0;
  c.candidates = {"bar"};
  c.route = {hoistEnd("world"), hoistEnd("world", Vec3(10, 0, 0))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  int events = 0;
  while (w.time() < 8.0) {
    ASSERT_TRUE(w.step().good);
    events += static_cast<int>(w.takeEvents().size());
  }
  const auto cable = w.observe().cables[0].second;
  ASSERT_EQ(cable.spans.size(), 2u);
  EXPECT_EQ(events, 1);
  const HangingSpan half = hangingSpan(5.0, -0.31, 0.5 * 10.3, 9.81 * 0.5 * 10.3);
  EXPECT_NEAR(cable.spans[0].tension / half.tension, 1.0, 0.03);
}

TEST(HoistContact, out_of_its_plane_and_with_friction_contact_makes_no_energy) {
  // A pendulum swung sideways while its cable wraps a peg: it may lose energy to friction, and gains none.
  for (const double mass : {0.0, 0.1})
    for (const double friction : {0.0, 0.3}) {
      Description d = heavy(0.004, 9.81);
      BodySettings load = rigid(10.0, Vec3::Constant(1), Vec3(4, 0, 0));
      load.velocity = Vec3(0, 0.5, 0);
      d.bodies.emplace_back("load", load);
      d.bodies.emplace_back("peg", barAt(Vec3(0, 0, -2), 0.05, {}));
      CableSettings c = hoist(mass, 1e5, 20);
      c.material.friction = friction;
      c.material.damping = 0.002;
      c.waveDamping = 0.1;
      c.candidates = {"peg"};
      c.route = {hoistEnd("world"), hoistEnd("load")};
      d.cables.emplace_back("c", c);
      World w = make(d);
      const double start = measure(w, "energy.total");
      // The least of a tenth of a second: where a slack cable is caught, the force of its damping counts as stretch for
      // a step.
      double most = -1e9, least = 1e9;
      int met = 0;
      while (w.time() < 10.0) {
        ASSERT_TRUE(w.step().good);
        least = std::min(least, measure(w, "energy.total"));
        if (w.steps() % 25 == 0) most = peak(most, least), least = 1e9;
        for (const Event& e : w.takeEvents()) met += e.what.starts_with("contact");
      }
      EXPECT_GT(met, 0);
      EXPECT_LT(most, start + 2.0) << mass << " " << friction;  // of 390 J that swing
    }
}

TEST(HoistContact, a_load_drawn_up_to_the_body_stops_there_with_the_winch) {
  // Over the edge of a table: reeled in until the load stands at the edge. The winch stops, nothing is torn.
  for (const double friction : {0.0, 0.2}) {
    Description d = heavy(0.004, 9.81);
    BodySettings table;
    table.motion = BodyMotion::fixed;
    table.position = Vec3(-1, 0, -0.6);
    table.shapes.push_back(box(Vec3(2, 4, 1)));
    d.bodies.emplace_back("table", table);
    BodySettings load = rigid(50.0, Vec3::Constant(2), Vec3(1.0, 0, 0.05));
    load.drag = 300.0;
    d.bodies.emplace_back("load", load);
    CableSettings c = hoist(0.0, 2e5, 20);
    c.material.friction = friction;
    c.material.damping = 0.02;
    c.candidates = {"table"};
    c.payout.table = {Vec2(8, 0), Vec2(14, -3.0), Vec2(16, -3.0), Vec2(20, -1.0)};
    c.route = {hoistEnd("world", Vec3(-3, 0, 0.2)), hoistEnd("load")};
    d.cables.emplace_back("c", c);
    World w = make(d);
    double most = 0.0;
    int stops = 0, runs = 0;
    while (w.time() < 19.0) {
      ASSERT_TRUE(w.step().good) << w.time();
      for (const auto& span : cableOf(w).spans)
        if (w.time() > 6.0) most = peak(most, span.tension);
      for (const Event& e : w.takeEvents()) {
        stops += e.what.find("the winch has drawn the load up") != std::string::npos;
        runs += e.what.find("runs again") != std::string::npos;
      }
    }
    EXPECT_EQ(stops, 1) << friction;
    EXPECT_EQ(runs, 1) << friction;
    EXPECT_LT(most, 3.0 * 50 * 9.81 * std::exp(friction * 1.6)) << friction;
    EXPECT_EQ(measure(w, "health.unconverged"), 0.0) << friction;
  }
}

TEST(HoistContact, a_dozen_bars_are_met_and_the_seventeenth_is_told_of) {
  for (const int bars : {12, 20}) {
    Description d = heavy(0.004, 0.0);
    CableSettings c = hoist(0.0, 1e5, 20);
    for (int k = 0; k < bars; ++k) {
      const double side = k % 2 == 0 ? 1.0 : -1.0;
      const std::string name = "bar" + std::to_string(k);
      d.bodies.emplace_back(name, barAt(Vec3(k + 1, 0, -0.3 * side), 0.05, {Vec2(0.1, 0), Vec2(1.1, 0.4 * side)}));
      c.candidates.push_back(name);
    }
    c.tension = 100.0;
    c.route = {hoistEnd("world"), hoistEnd("world", Vec3(bars + 1, 0, 0))};
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 1.3);
    int told = 0;
    for (const Event& e : w.takeEvents()) told += e.what.find("all its contacts are in use") != std::string::npos;
    EXPECT_EQ(w.observe().cables[0].second.spans.size(), bars == 12 ? 13u : 17u);
    EXPECT_EQ(told > 0, bars == 20);
  }
}

TEST(HoistContact, a_contact_does_not_change_how_much_a_cable_gives_way) {
  // With a compliance of its own a taut cable is touched by a bar: what a node adds to its spans adds nothing to it.
  for (const double friction : {0.0, 0.3}) {
    Description d = heavy(0.004, 9.81);
    d.bodies.emplace_back("bar", barAt(Vec3(0.3, 0, -0.3), 0.05, {Vec2(0, 0), Vec2(1, 0.6)}));
    CableSettings c = hoist(0.0, unbounded, 20);
    c.compliance = 1e-5;
    c.material.friction = friction;
    c.tension = 500.0;
    c.candidates = {"bar"};
    c.route = {hoistEnd("world", Vec3(-2, 0, 0)), hoistEnd("world", Vec3(2, 0, 0))};
    d.cables.emplace_back("c", c);
    World w = make(d);
    double before = 500.0;
    bool met = false;
    while (!met && w.time() < 1.0) {
      ASSERT_TRUE(w.step().good);
      const auto spans = w.observe().cables[0].second.spans;
      met = spans.size() > 1;
      for (const auto& span : spans) EXPECT_NEAR(span.tension, before, 0.01 * before) << friction;
      before = spans[0].tension;
    }
    EXPECT_TRUE(met);
  }
}

/// A cable of 10 m width, and a bar that rises under it at x to half a metre above its ends.
Description barUnder(double length, int subdivisions, double x, double radius, WaveScheme scheme) {
  const bool explicitly = scheme == WaveScheme::explicitly;
  Description d = heavy(explicitly ? 0.002 : 0.005, 9.81);
  const double start = explicitly ? 4.0 : 1.0;
  d.settings.seconds = start + 7.0;
  d.bodies.emplace_back("bar", barAt(Vec3(x, 0, -8), radius, {Vec2(start, 0), Vec2(start + 6.0, 8.5)}));
  d.bodies[0].second.prescribed->travel.smooth = false;
  CableSettings c = hoist(1.0, explicitly ? 1e5 : 1e6, subdivisions);
  c.length = length;
  c.waveDamping = 3.0;
  c.waveScheme = scheme;
  c.material.friction = 0.0;
  c.candidates = {"bar"};
  c.route = {hoistEnd("world"), hoistEnd("world", Vec3(10, 0, 0))};
  d.cables.emplace_back("c", c);
  return d;
}

/// How far the cable is below the bar at its place, at the end; negative above.
double below(const World& w, double x) {
  const Observation o = w.observe();
  double high = -100.0;
  const auto& line = o.cables[0].second.polyline;
  for (std::size_t k = 0; k + 1 < line.size(); ++k) {
    const double a = line[k].x() - x, b = line[k + 1].x() - x;
    if (a * b > 0.0 || a == b) continue;
    high = std::max(high, line[k].z() + a / (a - b) * (line[k + 1].z() - line[k].z()));
  }
  return o.bodies[0].second.position.z() - high;
}

TEST(HoistContact, a_bar_that_rises_under_a_slack_span_lifts_it_wherever_it_meets_it) {
  int point = 0;
  for (const double length : {11.0, 14.0, 16.0})
    for (const int subdivisions : {6, 20, 40})
      for (const double x : {5.0, 4.7, 3.0})
        for (const double radius : {0.05, 0.3}) {
          if (!walked(point++, 5)) continue;
          World w = make(barUnder(length, subdivisions, x, radius, WaveScheme::implicitly));
          run(w, 8.0);
          EXPECT_LT(below(w, x), 0.0) << length << " " << subdivisions << " " << x << " " << radius;
        }
}

/// 8 m that hang in a U of 1 m between fixed points, and a bar.
Description hangingU(const BodySettings& bar) {
  Description d = heavy(0.005, 9.81);
  d.bodies.emplace_back("bar", bar);
  CableSettings c = hoist(1.0, 1e6, 20);
  c.length = 8.0;
  c.waveDamping = 1.0;
  c.candidates = {"bar"};
  c.route = {hoistEnd("world"), hoistEnd("world", Vec3(1, 0, 0))};
  d.cables.emplace_back("c", c);
  return d;
}

TEST(HoistContact, a_bar_driven_sideways_through_a_hanging_bight_takes_both_legs_along) {
  BodySettings bar = barAt(Vec3(-2, 0, -2), 0.1, {Vec2(1, 0), Vec2(5, 4)});
  bar.prescribed->along = Vec3::UnitX();
  bar.prescribed->travel.smooth = false;
  World w = make(hangingU(bar));
  run(w, 6.0);
  const auto cable = w.observe().cables[0].second;
  int legs = 0;
  for (std::size_t k = 0; k + 1 < cable.polyline.size(); ++k) {
    const Vec3 &a = cable.polyline[k], &b = cable.polyline[k + 1];
    if ((a.z() + 2.1 > 0.0) == (b.z() + 2.1 > 0.0)) continue;  // just below the bar, which stands at x = 2
    EXPECT_GT(a.x() + (a.z() + 2.1) / (a.z() - b.z()) * (b.x() - a.x()), 2.0);
    ++legs;
  }
  EXPECT_GE(legs, 2);
  EXPECT_GE(cable.spans.size(), 3u);
}

TEST(HoistContact, a_hanging_bight_let_down_on_a_bar_lies_on_it) {
  Description d = hangingU(barAt(Vec3(0.5, 0, -4.5), 0.1, {}));
  d.cables[0].second.payout.table = {Vec2(1, 0), Vec2(5, 4)};
  World w = make(d);
  run(w, 6.0);
  EXPECT_LT(below(w, 0.5), 0.0);
}

TEST(HoistContact, explicit_waves_hold_what_comes_from_below_too) {
  for (const double length : {10.3, 11.0, 13.0}) {
    const Description d = barUnder(length, 20, 4.7, 0.1, WaveScheme::explicitly);
    World w = make(d);
    run(w, d.settings.seconds);
    EXPECT_LT(below(w, 4.7), 0.0) << length;
  }
}

}  // namespace
}  // namespace reeve::test
