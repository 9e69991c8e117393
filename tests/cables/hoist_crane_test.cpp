// Hoist cables that lift: falls, reeling, pendulums, damping, friction, the published forms, errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cables/hoist_scenes.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

/// A hook block of `mass` under k falls from a beam at height 0, the cable's first end a winch beside it.
Description tackle(int falls, double mass, double cableMass, double dt) {
  Description d = heavy(dt, 9.81);
  BodySettings hook = rigid(mass, Vec3::Constant(mass), Vec3(0, 0, -6));
  hook.angularDrag = 0.0;
  d.bodies.emplace_back("hook", hook);
  d.joints.emplace_back("guide", joint(JointType::slider, "world", "hook", Vec3(0, 0, -6), Vec3::UnitZ()));
  CableSettings c = hoist(cableMass, 1e7, 10);
  c.material.damping = 0.02;
  c.waveDamping = 2.0;
  const double pitch = 2e-3;
  c.route.push_back(hoistEnd("world", Vec3(-3, 0, 0)));
  const auto top = [&](int i) { return hoistPoint("world", Vec3(pitch * i, 0, 0)); };
  for (int i = 0; i < falls; ++i) {
    if (i % 2 == 0) c.route.push_back(top(i));
    const bool last = i + 1 == falls;
    const LinkSettings low = hoistPoint("hook", Vec3(pitch * i, 0, 0));
    if (i % 2 == 0) c.route.push_back(last ? hoistEnd("hook", low.point) : low);
    if (i % 2 == 1 && last) c.route.push_back(hoistEnd("world", Vec3(pitch * i, 0, 0)));
  }
  d.cables.emplace_back("c", c);
  return d;
}

TEST(HoistCrane, tension_of_a_k_fall_block_is_the_weight_over_k) {
  for (const int falls : {1, 2, 3, 4, 6, 8}) {
    World w = make(tackle(falls, 500.0, 0.0, 0.005));
    run(w, 4.0);
    EXPECT_NEAR(measure(w, "cables.c.spans.0.tension") * falls / (500 * 9.81), 1.0, 1e-3) << falls;
  }
  // With mass the model's one tension is the mean of a fall's: half of the fall's own weight more.
  World w = make(tackle(4, 500.0, 0.2, 0.005));
  run(w, 6.0);
  const double hang = -measure(w, "bodies.hook.position.z");
  EXPECT_NEAR(measure(w, "cables.c.spans.1.tension") / ((500 * 9.81 / 4 + 0.5 * 0.2 * 9.81 * hang)), 1.0, 1e-3);
}

TEST(HoistCrane, both_solvers_find_the_same_tension) {
  // Twelve hooks on one cable: a row that names twelve bodies.
  double tension[2];
  for (const bool sweep : {false, true}) {
    Description d = heavy(0.002, 9.81);
    d.settings.solver = sweep ? SolverChoice::sweep : SolverChoice::direct;
    if (sweep) d.settings.iterations = 20;
    CableSettings c = hoist(0.0, 1e6, 10);
    c.material.damping = 0.1;
    c.route.push_back(hoistEnd("world"));
    for (int i = 0; i < 12; ++i) {
      const std::string name = "hook" + std::to_string(i);
      ParticleSettings p;
      p.mass = 20.0;
      p.position = Vec3(2.0 * i + 1, 0, -3);
      p.drag = 60.0;
      d.particles.emplace_back(name, p);
      c.route.push_back(hoistPoint(name));
      c.route.push_back(i == 11 ? hoistEnd("world", Vec3(24, 0, 0)) : hoistPoint("world", Vec3(2.0 * (i + 1), 0, 0)));
    }
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 4.0);
    tension[sweep ? 1 : 0] = measure(w, "cables.c.spans.3.tension");
  }
  // Two falls each, inclined 1 in 3: T = W/(2 cos).
  EXPECT_NEAR(tension[0], 20 * 9.81 / (2 * 3 / std::sqrt(10.0)), 0.5);
  EXPECT_NEAR(tension[1], tension[0], 0.01 * tension[0]);
}

TEST(HoistCrane, reeling_in_at_v_lifts_at_v_over_k) {
  for (const int falls : {1, 2, 4}) {
    Description d = tackle(falls, 500.0, 0.0, 0.005);
    d.cables[0].second.payout.table = {Vec2(0, 0), Vec2(1, -0.2), Vec2(5, -1.8)};
    World w = make(d);
    run(w, 3.0);
    const double z = measure(w, "bodies.hook.position.z");
    run(w, 2.0);
    EXPECT_NEAR((measure(w, "bodies.hook.position.z") - z) / 2.0, 0.4 / falls, 1e-3 * 0.4 / falls) << falls;
  }
}

TEST(HoistCrane, pulleys_with_radius_carry_the_same_tension_and_keep_the_length) {
  // Over a wheel on the beam and down to the hook: the wrapped quarter belongs to the cable.
  Description d = heavy(0.005, 9.81);
  d.bodies.emplace_back("hook", rigid(200.0, Vec3::Constant(20), Vec3(0.3, 0, -5)));
  d.joints.emplace_back("guide", joint(JointType::slider, "world", "hook", Vec3(0.3, 0, -5), Vec3::UnitZ()));
  CableSettings c = hoist(0.0, 1e6);
  c.material.damping = 0.05;
  c.route = {hoistEnd("world", Vec3(-4, 0, 0.3)), hoistWheel("world", Vec3(0, 0, 0), 0.3, 1), hoistEnd("hook")};
  d.cables.emplace_back("c", c);
  World w = make(d);
  const double start = measure(w, "cables.c.length");
  EXPECT_NEAR(start, 4 + 0.3 * std::numbers::pi / 2 + 5, 1e-9);
  EXPECT_NEAR(measure(w, "cables.c.links.1.wrap"), std::numbers::pi / 2, 1e-9);
  run(w, 5.0);
  EXPECT_NEAR(measure(w, "cables.c.spans.0.tension"), 200 * 9.81, 0.5);
  EXPECT_NEAR(measure(w, "cables.c.spans.1.tension"), 200 * 9.81, 0.5);
  EXPECT_NEAR(measure(w, "cables.c.length"), start, 1e-9);
}

TEST(HoistCrane, a_drum_on_a_rotor_reels) {
  // Stiff: reeled in it stretches less, 1.6e-5 m here.
  World w = make(underDrum("hook", 200.0, 5.0, 10.0, 1e8, {Vec2(0, 0), Vec2(1, 2.0)}));
  const double total = measure(w, "cables.c.length");
  run(w, 2.0);
  const double z = measure(w, "bodies.hook.position.z"), angle = measure(w, "rotors.drum.angle");
  run(w, 2.0);
  const double rise = measure(w, "bodies.hook.position.z") - z, turn = measure(w, "rotors.drum.angle") - angle;
  EXPECT_NEAR(std::fabs(rise), 0.2 * std::fabs(turn), 1e-4);
  EXPECT_GT(std::fabs(turn), 3.9);
  EXPECT_NEAR(measure(w, "cables.c.length"), total, 1e-9);
}

double period(double mu, double damping, int pieces) {
  const double l = 8.0, load = 100.0;
  Description d = heavy(0.01, 9.81);
  ParticleSettings p;
  p.mass = load;
  const double angle = 0.02;
  p.position = Vec3(l * std::sin(angle), 0, -l * std::cos(angle));
  d.particles.emplace_back("load", p);
  CableSettings c = hoist(mu * load / l, 1e8, pieces);
  c.waveDamping = damping;
  c.tension = (load + 0.5 * mu * load) * 9.81;
  c.route = {hoistEnd("world"), hoistEnd("load")};
  d.cables.emplace_back("c", c);
  World w = make(d);
  double first = 0.0, last = 0.0, before = p.position.x();
  int crossings = 0;
  while (w.time() < 30.0) {
    w.step();
    const double x = measure(w, "particles.load.position.x");
    if (before < 0.0 && x >= 0.0) {
      last = w.time() - 0.01 * x / (x - before);
      if (crossings++ == 0) first = last;
    }
    before = x;
  }
  return (last - first) / (crossings - 1);
}

TEST(HoistCrane, pendulum_period_follows_the_density_of_the_cable) {
  for (const double mu : {0.0, 0.1, 0.5, 1.0}) {
    const double wanted = 2 * std::numbers::pi * std::sqrt(8.0 / 9.81) * std::sqrt((1 + mu / 3) / (1 + mu / 2));
    EXPECT_NEAR(period(mu, 0.0, 20) / wanted, 1.0, 0.005) << mu;
    EXPECT_NEAR(period(mu, 0.05, 20) / wanted, 1.0, 0.005) << mu << ", damped";
  }
}

TEST(HoistCrane, capstan_friction_holds_and_slips_as_joints_does) {
  // Two weights over a fixed post, half a turn: they stay where the ratio is below e^{μπ} and slip beyond.
  for (const bool slips : {false, true}) {
    const double mu = 0.2, kappa = std::exp(mu * std::numbers::pi), ratio = slips ? 1.02 * kappa : 0.98 * kappa;
    Description d = heavy(0.002, 9.81);
    d.bodies.emplace_back("light", rigid(10.0, Vec3::Constant(1), Vec3(-0.1, 0, -3)));
    d.bodies.emplace_back("heavy", rigid(10.0 * ratio, Vec3::Constant(1), Vec3(0.1, 0, -3)));
    CableSettings c = hoist(0.0, 1e9);
    LinkSettings post = hoistWheel("world", Vec3::Zero(), 0.1, 1);
    post.friction = mu;
    c.route = {hoistEnd("light"), post, hoistEnd("heavy")};
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 2.0);
    const double fall = -3 - measure(w, "bodies.heavy.position.z");
    if (slips) {
      // a = g (m₂ − κ m₁)/(m₂ + κ m₁)
      const double a = 9.81 * (ratio - kappa) / (ratio + kappa);
      EXPECT_NEAR(fall, 0.5 * a * 4, 0.05 * 0.5 * a * 4);
    } else {
      EXPECT_LT(std::fabs(fall), 2e-3);
    }
    EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
  }
}

TEST(HoistCrane, the_published_force_agrees_with_the_row) {
  const auto height = [](PullForm pull, double dt) {
    Description d = tackle(2, 500.0, 0.0, dt);
    d.cables[0].second.pull = pull;
    d.cables[0].second.material.axial = 2e5;
    d.cables[0].second.material.damping = 0.05;
    World w = make(d);
    run(w, 3.0);
    return measure(w, "bodies.hook.position.z");
  };
  EXPECT_NEAR(height(PullForm::force, 0.001), height(PullForm::row, 0.001), 1e-3);
}

TEST(HoistCrane, explicit_waves_are_suspended_and_resumed_and_never_blow_up) {
  // The tension is raised by reeling in until √(T/ρ) h M/l passes √2/2, then lowered again.
  const double l = 20.0, rho = 1.0;
  Description d = strung(l, rho, 1e5, 500.0, 20, 0.02, 9.81);
  CableSettings& c = d.cables[0].second;
  c.waveScheme = WaveScheme::explicitly;
  c.waveDamping = 2.0;
  c.payout.table = {Vec2(4, 0), Vec2(8, -0.35), Vec2(12, -0.35), Vec2(16, 0)};
  World w = make(d);
  const double critical = 0.5 * rho * l * l / (20 * 20 * 0.02 * 0.02);
  double most = 0.0, atStop = 0.0, before = 0.0, jump = 0.0, sagBefore = 0.0;
  int stopped = 0, resumed = 0;
  for (int i = 0; i < 1200; ++i) {
    ASSERT_TRUE(w.step().good);
    const double tension = measure(w, "cables.c.spans.0.tension"), sag = measure(w, "cables.c.spans.0.sag");
    for (const Event& e : w.takeEvents()) {
      if (e.what.find("suspended") != std::string::npos && ++stopped == 1)
        atStop = before, jump = (before - tension) / before;
      if (e.what.find("resumed") != std::string::npos) ++resumed;
    }
    most = peak(most, sag);
    before = tension;
    sagBefore = sag;
  }
  // The drop of the tension lets the waves begin again at once, until the reel has taken that much in: more than once.
  EXPECT_GE(stopped, 1);
  EXPECT_EQ(resumed, stopped);
  EXPECT_NEAR(atStop / critical, 1.0, 0.05);
  // Setting u to zero takes EA (ρgl)²/(24 T³) of the tension at once.
  const double weight = rho * 9.81 * l;
  EXPECT_NEAR(jump, 1e5 * weight * weight / (24 * std::pow(atStop, 3)), 0.2 * jump);
  EXPECT_LT(most, 3.0);
  EXPECT_GT(sagBefore, 0.1);
}

TEST(HoistCrane, mass_that_cannot_be_and_cables_that_cannot_be_are_refused) {
  const auto refused = [](auto&& change) {
    Description d = strung(10.0, 1.0, unbounded, 0.0, 20, 0.01, 9.81);
    d.cables[0].second.tension.reset();
    change(d.cables[0].second);
    const auto w = World::build(d);
    if (w) return std::string("accepted");
    EXPECT_FALSE(w.error().remedy.empty());
    return w.error().path;
  };
  EXPECT_EQ(refused([](CableSettings& c) { c.material.mass = -1.0; }), "/cables/c/material/mass");
  EXPECT_EQ(refused([](CableSettings& c) { c.subdivisions = 0; }), "/cables/c/subdivisions");
  EXPECT_EQ(refused([](CableSettings& c) { c.length = 9.0; }), "/cables/c/length");
  EXPECT_EQ(refused([](CableSettings& c) { c.slack = -0.1; }), "/cables/c/slack");
  EXPECT_EQ(refused([](CableSettings& c) { c.tension = 5.0; }), "/cables/c/tension");
  EXPECT_EQ(refused([](CableSettings& c) { c.closed = true; }), "/cables/c/route/0/type");
  EXPECT_EQ(refused([](CableSettings& c) { c.pull = PullForm::force; }), "/cables/c/pull");
  EXPECT_EQ(refused([](CableSettings& c) { c.waveDamping = -1; }), "/cables/c/wave_damping");
  EXPECT_EQ(refused([](CableSettings& c) { c.route[1].type = LinkType::sheath; }), "/cables/c/route/1/type");
  EXPECT_EQ(refused([](CableSettings& c) { c.route.insert(c.route.begin() + 1, hoistEnd("world", Vec3(5, 0, 1))); }),
            "/cables/c/route/1/type");
  EXPECT_EQ(refused([](CableSettings& c) { c.pluck = Vec3(0, 0, 1), c.pluckSpan = 4; }), "/cables/c/pluck");
}

TEST(HoistCrane, payout_ends_where_the_drum_is_empty) {
  Description d = tackle(1, 100.0, 0.0, 0.005);
  d.cables[0].second.payout.rate = 1.0;
  d.cables[0].second.drum = 2.0;
  World w = make(d);
  const double start = measure(w, "cables.c.length");
  int stops = 0;
  for (int i = 0; i < 1000; ++i) {
    w.step();
    for (const Event& e : w.takeEvents()) stops += e.what.find("the drum is empty") != std::string::npos;
  }
  EXPECT_EQ(stops, 1);
  EXPECT_NEAR(measure(w, "cables.c.length"), start + 2.0, 1e-9);
  EXPECT_NEAR(measure(w, "bodies.hook.velocity.z"), 0.0, 1e-2);
}

TEST(HoistCrane, stepping_again_gives_the_same_bits) {
  const auto hash = [] {
    World w = make(tackle(4, 300.0, 0.5, 0.005));
    run(w, 1.0);
    return w.hash();
  };
  EXPECT_EQ(hash(), hash());
}

}  // namespace
}  // namespace reeve::test
