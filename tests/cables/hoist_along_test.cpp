// Hoist cables along their spans: heavy ropes fall, flow, fly and swing with all their mass.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cables/hoist_scenes.h"
#include "reeve/model/kinetics.h"
#include "reeve/world/build.h"
#include "support/gauge.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

Vec3 measure3(const World& w, const std::string& path) {
  return {measure(w, path + ".x"), measure(w, path + ".y"), measure(w, path + ".z")};
}

/// Two particles with a straight cable between them.
Description dumbbell(double mass, const Vec3& a, const Vec3& b, double density, double dt, double gravity) {
  Description d = heavy(dt, gravity);
  for (const bool second : {false, true}) {
    ParticleSettings p;
    p.mass = mass;
    p.position = second ? b : a;
    d.particles.emplace_back(second ? "b" : "a", p);
  }
  CableSettings c = hoist(density, 1e5);
  c.route = {hoistEnd("a"), hoistEnd("b")};
  d.cables.emplace_back("c", c);
  return d;
}

/// The same cable as one of joints with waves.
void wavedJoints(CableSettings& c) {
  c.model = CableModel::joints;
  c.waves = true;
}

TEST(HoistAlong, a_heavy_cable_falls_with_its_weights) {
  for (const bool joints : {false, true})
    for (const Vec3& end : {Vec3(0, 0, -10), Vec3(6, 0, -8), Vec3(0, 8, 6), Vec3(10, 0, 0)}) {
      Description d = dumbbell(1.0, Vec3::Zero(), end, 1.0, 0.001, g);
      if (joints) wavedJoints(d.cables[0].second);
      World w = make(d);
      run(w, 0.5);
      EXPECT_NEAR(measure(w, "particles.a.position.z"), -0.5 * g * 0.25, 2e-3) << end.transpose();
      EXPECT_NEAR(measure(w, "particles.b.position.z"), end.z() - 0.5 * g * 0.25, 2e-3) << end.transpose();
    }
}

TEST(HoistAlong, a_heavy_cable_flows_over_a_pulley_with_all_its_mass) {
  // Two weights of 10 kg on 9 and 11 m of 2 kg/m over a small wheel: x¨ = 2ρg x/M, M = 60 kg and πrρ on the wheel, x(0)
  // = 1 m.
  Description d = heavy(0.002, g);
  d.bodies.emplace_back("a", rigid(10.0, Vec3::Constant(0.15), Vec3(-0.1, 0, -9)));
  d.bodies.emplace_back("b", rigid(10.0, Vec3::Constant(0.15), Vec3(0.1, 0, -11)));
  CableSettings c = hoist(2.0, 1e7);
  c.material.damping = 0.005;
  c.route = {hoistEnd("a"), hoistWheel("world", Vec3::Zero(), 0.1, 1), hoistEnd("b")};
  d.cables.emplace_back("c", c);
  World w = make(d);
  const double start = measure(w, "energy.total");
  run(w, 1.0);
  const double rate = std::sqrt(2 * 2.0 * g / (60.0 + 0.1 * M_PI * 2.0)), wanted = std::cosh(rate) - 1.0;
  EXPECT_NEAR(-11 - measure(w, "bodies.b.position.z"), wanted, 0.002 * wanted);
  EXPECT_NEAR(measure(w, "energy.total"), start, 0.5);  // of 13 J that move
}

TEST(HoistAlong, a_heavy_cable_thrown_and_spinning_flies_straight) {
  // Its middle goes with the velocity it was thrown with, whatever its direction, and it keeps its spin and energy.
  Description d = dumbbell(1.0, Vec3(-2, 0, 0), Vec3(2, 0, 0), 1.0, 0.002, 0.0);
  const double spin = 2.0;
  const Vec3 thrown(3, 0, 1);
  for (auto& [name, p] : d.particles) p.velocity = thrown + Vec3(0, spin, 0).cross(p.position);
  d.cables[0].second.tension = 1.0 * spin * spin * 2;
  World w = make(d);
  const double start = measure(w, "energy.total");
  run(w, 3.0);
  const Vec3 a = measure3(w, "particles.a.position"), b = measure3(w, "particles.b.position");
  const Vec3 middle = 0.5 * (a + b);
  EXPECT_NEAR((middle - 3.0 * thrown).norm(), 0.0, 0.05);
  // Weights, flight and spin of the cable; its mass is at 21 nodes, which adds 2/M² to its spin.
  EXPECT_NEAR(start, 26.0 + 20.0 + 0.5 * 4.0 * 16 / 12.0 * spin * spin * (1.0 + 2.0 / 400), 0.01);
  EXPECT_NEAR(measure(w, "energy.total"), start, 0.01 * start);
  const double turned = std::atan2(-(b - a).z(), (b - a).x());
  EXPECT_NEAR(std::remainder(turned - spin * 3.0, 2 * std::numbers::pi), 0.0, 0.1);
}

TEST(HoistAlong, a_whirled_cable_pulls_its_hub_with_its_own_flight) {
  // In a circle, 1 kg on 3 m of 1 kg/m: the hub holds m ω² L + ½ ρ ω² L².
  Description d = heavy(0.001, 0.0);
  ParticleSettings p;
  p.mass = 1.0;
  p.position = Vec3(3, 0, 0);
  const double omega = 4.0, hub = omega * omega * 3 + 0.5 * omega * omega * 9;
  p.velocity = Vec3(0, omega * 3, 0);
  d.particles.emplace_back("p", p);
  CableSettings c = hoist(1.0, 1e5);
  c.material.damping = 0.02;
  c.tension = hub - 0.25 * omega * omega * 9;
  c.waveDamping = 0.0;
  c.route = {hoistEnd("world"), hoistEnd("p")};
  d.cables.emplace_back("c", c);
  World w = make(d);
  run(w, 0.5);
  double sum = 0.0;
  for (int i = 0; i < 1000; ++i) {
    w.step();
    sum += measure3(w, "cables.c.links.0.force").norm();
  }
  EXPECT_NEAR(sum / 1000, hub, 0.02 * hub);
}

TEST(HoistAlong, spans_tell_the_tension_of_their_own_middle) {
  // 4 kg/m over a point: 10 m hang on the one side, 10 m lie level on the other.
  Description d = heavy(0.005, g);
  ParticleSettings p;
  p.mass = 50.0;
  p.position = Vec3(10, 0, -10);
  d.particles.emplace_back("load", p);
  CableSettings c = hoist(4.0, 1e7);
  c.material.damping = 0.05;
  c.waveDamping = 3.0;
  c.route = {hoistEnd("world"), hoistPoint("world", Vec3(10, 0, 0)), hoistEnd("load")};
  d.cables.emplace_back("c", c);
  World w = make(d);
  run(w, 6.0);
  const double hangs = -measure(w, "particles.load.position.z"), weight = 50 * g, rope = 4 * g * hangs;
  EXPECT_NEAR(measure(w, "cables.c.spans.1.tension") / (weight + 0.5 * rope), 1.0, 2e-3);
  // The level span is a catenary that pulls with weight + rope at its ends, half of its own weight upright.
  const double end = weight + rope, half = 0.5 * 4 * g * 10, level = std::sqrt(end * end - half * half);
  const double a = level / (4 * g), y = 5 / a, mean = level * (y + 0.5 * std::sinh(2 * y)) / (2 * std::sinh(y));
  EXPECT_NEAR(measure(w, "cables.c.spans.0.tension") / mean, 1.0, 2e-3);
  EXPECT_NEAR(measure(w, "cables.c.links.0.force.x"), level, 2e-3 * level);
  EXPECT_NEAR(measure3(w, "cables.c.links.0.force").norm(), end, 2e-3 * end);
}

TEST(HoistAlong, ropes_that_balance_over_a_point_stand_still) {
  // 110 kg on 5 m and 100 kg on 10 m of 2 kg/m weigh the same; 5 kg less on the one side fall by ½ g t² (5/235).
  for (const double heavier : {110.0, 105.0}) {
    Description d = heavy(0.005, g);
    for (const bool second : {false, true}) {
      ParticleSettings p;
      p.mass = second ? 100.0 : heavier;
      p.position = second ? Vec3(1e-9, 0, -10) : Vec3(-1e-9, 0, -5);
      d.particles.emplace_back(second ? "b" : "a", p);
    }
    CableSettings c = hoist(2.0, 1e7);
    c.material.damping = 0.02;
    c.waveDamping = 1.0;
    c.route = {hoistEnd("a"), hoistPoint("world"), hoistEnd("b")};
    c.tension = 1100.0;
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 1.0);
    // x¨ = g (5 + 2·2x)/M: what runs over pulls with it.
    const double mass = heavier + 100.0 + 30.0, rate = std::sqrt(4 * g / mass);
    const double wanted = heavier == 110.0 ? 0.0 : 5.0 / 4.0 * (std::cosh(rate) - 1.0);
    EXPECT_NEAR(-10 - measure(w, "particles.b.position.z"), wanted, 3e-3) << heavier;
  }
}

TEST(HoistAlong, more_bodies_than_a_run_can_couple_still_weigh) {
  // Twenty hooks, each under two falls: at rest the cable between them carries its own weight.
  Description d = heavy(0.005, g);
  CableSettings c = hoist(0.5, 1e6, 6);
  c.material.damping = 0.1;
  c.waveDamping = 3.0;
  c.route.push_back(hoistEnd("world"));
  for (int i = 0; i < 20; ++i) {
    ParticleSettings p;
    p.mass = 20.0;
    p.position = Vec3(2.0 * i + 1, 0, -3);
    p.drag = 60.0;
    const std::string name = "hook" + std::to_string(i);
    d.particles.emplace_back(name, p);
    c.route.push_back(hoistPoint(name));
    c.route.push_back(i == 19 ? hoistEnd("world", Vec3(40, 0, 0)) : hoistPoint("world", Vec3(2.0 * i + 2, 0, 0)));
  }
  d.cables.emplace_back("c", c);
  World w = make(d);
  run(w, 4.0);
  const double low = -measure(w, "particles.hook7.position.z"), cosine = low / std::sqrt(1 + low * low);
  const double fall = 0.5 * g * std::sqrt(1 + low * low);  // N, of one fall
  EXPECT_NEAR(measure(w, "cables.c.spans.14.tension"), (20 * g + fall) / (2 * cosine), 0.01 * 20 * g);
}

TEST(HoistAlong, a_load_thrown_up_and_caught_by_a_damped_cable_gains_nothing) {
  // 10 kg thrown up beside the cable's end, slack most of the time: 65 MJ where the damping pulled before the cable was
  // taut, and where a slack cable was stepped to second order while it whips.
  for (const double mass : {0.0, 0.05, 0.3})
    for (const double damping : {0.005, 0.01, 0.1}) {
      Description d = heavy(0.004, g);
      ParticleSettings p;
      p.mass = 10.0;
      p.position = Vec3(1, 0, -2);
      p.velocity = Vec3(0, 0, 8);
      d.particles.emplace_back("w", p);
      CableSettings c = hoist(mass, 1e6);
      c.length = 2.4;
      c.material.damping = damping;
      c.route = {hoistEnd("world"), hoistEnd("w")};
      d.cables.emplace_back("c", c);
      World w = make(d);
      const double start = measure(w, "energy.kinetic") + measure(w, "energy.potential");
      double most = -1e9, early = 0.0;
      while (w.time() < 5.0) {
        ASSERT_TRUE(w.step().good);
        most = peak(most, measure(w, "energy.kinetic") + measure(w, "energy.potential"));
        const double apart = measure3(w, "particles.w.position").norm();
        if (apart < 2.3 && mass == 0.0) early = peak(early, measure(w, "cables.c.spans.0.tension"));
      }
      EXPECT_LT(most, start + 5.0) << mass << " kg/m, " << damping << " s";
      EXPECT_EQ(early, 0.0) << damping << " s: it pulls while it is slack";
    }
}

/// The damping patches against the change of the forces by the velocities; returns the largest of these.
double checkInertia(Description d) {
  auto built = build(std::move(d));
  EXPECT_TRUE(built) << built.error().reason;
  if (!built) return 0.0;
  const Model& model = (*built)->model;
  State state = (*built)->start;
  const Element& cable = *(*built)->cables[0];
  Instant now;
  now.bind(model, state);
  now.rewind();
  now.evaluate();
  Events events;
  cable.begin(now, {model.description.settings.dt, NoGauge{}, events}, state);
  now.bind(model, state);
  for (std::size_t i = 0; i < now.u.size(); ++i) now.u[i] = 1e-3 * std::sin(1.0 + 2.3 * static_cast<double>(i));
  now.place(0.01, 0.01);
  setVelocities(Scheme::bdf2(0.01), now);
  now.evaluate();
  RowSet rows;
  cable.rows(now, rows);
  const auto pulled = [&] {
    Forces f;
    f.force.assign(now.v.size(), 0.0);
    now.touch();
    now.evaluate();
    cable.forces(now, f);
    return f;
  };
  const Forces base = pulled();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<int>(now.v.size()), static_cast<int>(now.v.size()));
  for (const Patch& p : base.damping.patches) {
    const Block &a = model.blocks[static_cast<std::size_t>(p.a)], &b = model.blocks[static_cast<std::size_t>(p.b)];
    for (int r = 0; r < a.dof; ++r)
      for (int k = 0; k < b.dof; ++k) {
        matrix(a.v + r, b.v + k) += p.k(r, k);
        if (p.a != p.b) matrix(b.v + k, a.v + r) += p.k(r, k);
      }
  }
  double largest = 0.0;
  for (const Block& b : model.blocks)
    for (int k = 0; b.free && k < b.dof; ++k) {
      const std::size_t i = static_cast<std::size_t>(b.v + k);
      const double kept = now.v[i];
      now.v[i] = kept + 0.5;
      const Forces up = pulled();
      now.v[i] = kept - 0.5;
      const Forces down = pulled();
      now.v[i] = kept;
      for (const Block& a : model.blocks)  // what is not free has no equation, and no matrix
        for (int j = a.v; a.free && j < a.v + a.dof; ++j) {
          const double slope = down.force[static_cast<std::size_t>(j)] - up.force[static_cast<std::size_t>(j)];
          largest = std::max(largest, std::fabs(slope));  // linear in the velocities
          EXPECT_NEAR(matrix(j, b.v + k), slope, 1e-8 * (1.0 + std::fabs(slope))) << j << " by " << i;
        }
    }
  return largest;
}

TEST(HoistAlong, the_inertia_in_the_matrix_is_the_derivative_of_the_force) {
  Description d = heavy(0.01, g);
  d.bodies.emplace_back("a", rigid(3.0, Vec3(0.3, 0.4, 0.5), Vec3(0.2, 0.1, -4)));
  d.bodies.emplace_back("b", rigid(2.0, Vec3(0.2, 0.3, 0.2), Vec3(4, -0.3, -3)));
  RotorSettings drum;
  drum.radius = 0.2;
  drum.inertia = 0.5;
  d.rotors.emplace_back("drum", drum);
  CableSettings c = hoist(1.5, 1e5, 8);
  LinkSettings spool = hoistEnd("drum"), gripping = hoistWheel("world", Vec3(2, 0, 0.5), 0.15, 1);
  spool.type = LinkType::spool;
  spool.stored = 5.0;
  gripping.friction = 0.2;
  c.route = {spool,
             hoistWheel("a", Vec3(0.05, 0, 0.1), 0.1, -1),
             gripping,
             hoistPoint("b", Vec3(0.1, 0.2, 0.1)),
             hoistPoint("world", Vec3(6, 0, 1)),
             hoistEnd("a", Vec3(0.1, 0.3, 0))};
  c.tension = 200.0;
  d.cables.emplace_back("c", c);
  EXPECT_GT(checkInertia(std::move(d)), 100.0);
}

TEST(HoistAlong, the_inertia_of_waved_joints_is_the_derivative_of_the_force) {
  for (const double length : {0.0, 16.0}) {  // taut, and hanging from both bodies
    Description d = heavy(0.01, g);
    d.bodies.emplace_back("a", rigid(3.0, Vec3(0.3, 0.4, 0.5), Vec3(0.2, 0.1, -4)));
    d.bodies.emplace_back("b", rigid(2.0, Vec3(0.2, 0.3, 0.2), Vec3(4, -0.3, -3)));
    CableSettings c = hoist(1.5, 1e5, 8);
    wavedJoints(c);
    c.route = {hoistEnd("a", Vec3(0.1, 0.3, 0)), hoistEnd("b", Vec3(0.1, 0.2, 0.1))};
    if (length > 0.0)
      c.length = length;
    else
      c.tension = 200.0;
    d.cables.emplace_back("c", c);
    EXPECT_GT(checkInertia(std::move(d)), 100.0) << length;
  }
}

}  // namespace
}  // namespace reeve::test
