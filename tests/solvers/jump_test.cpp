// Ropes that come taut, bodies that touch: no rebound, no spike, and restitution as asked.
#include "support/scenes.h"

namespace reeve::test {
namespace {

Description fallingMass(double slack, double restitution, double dt, SolverChoice solver = SolverChoice::direct) {
  Description d = heavy(dt);
  d.settings.solver = solver;
  ParticleSettings p;
  p.position = Vec3(0, 0, -1);
  d.particles.emplace_back("mass", p);
  JointSettings rope = joint(JointType::distance, "world", "mass", Vec3::Zero());
  rope.mode = DistanceMode::rope;
  rope.length = 1.0 + slack;
  rope.restitution = restitution;
  d.joints.emplace_back("rope", rope);
  return d;
}

TEST(Catch, DoesNotReboundByAMillionthOfTheImpactSpeedAndItsTensionDoesNotSpike) {
  for (const double dt : {1.0 / 60, 1.0 / 240, 1.0 / 1000})
    for (int offset = 0; offset < 7; ++offset) {
      const double slack = 0.5 + 0.5 * offset * dt;
      World w = make(fallingMass(slack, 0.0, dt));
      const double impactTime = std::sqrt(2 * slack / 10), impact = 10 * impactTime;
      double rebound = 0, spike = 0;
      while (w.time() < 1.5) {
        w.step();
        if (w.time() > impactTime + 0.5 * dt) {
          rebound = std::max(rebound, measure(w, "particles.mass.velocity.z"));
          spike = std::max(spike, std::fabs(measure(w, "joints.rope.force.z") - 10));
        }
      }
      EXPECT_LT(rebound, 1e-6 * impact) << "dt " << dt << " slack " << slack;
      EXPECT_LT(spike, 1e-6) << "dt " << dt << " slack " << slack;
    }
}

TEST(Catch, WithRestitutionReboundsAtItsShareOfTheImpactSpeed) {
  World w = make(fallingMass(0.5, 0.6, 1.0 / 1000));
  const double impact = 10 * std::sqrt(2 * 0.5 / 10);
  double rebound = 0;
  while (w.time() < 0.6) {
    w.step();
    rebound = std::max(rebound, measure(w, "particles.mass.velocity.z"));
  }
  EXPECT_NEAR(rebound / impact, 0.6, 0.01);
}

TEST(Catch, IsNothingToAPendulumFarAway) {
  const auto run = [](bool balls) {
    Description d = particleChain(5, 20.0, 1.0 / 60);
    if (balls) {
      d.bodies.emplace_back("ground", ground());
      d.bodies.back().second.position = Vec3(0, 0, -5);
      for (int i = 0; i < 3; ++i) {
        BodySettings ball;
        ball.position = Vec3(10, i, -4.5 + 0.2 * i);
        ball.restitution = 0.9;
        ball.shapes.push_back(sphere(0.1));
        d.bodies.emplace_back("ball" + std::to_string(i), ball);
      }
    }
    World w = make(std::move(d));
    std::vector<double> path;
    while (w.time() < 4.0) {
      w.step();
      for (const char* x : {"x", "z"}) path.push_back(measure(w, std::string("particles.p4.position.") + x));
    }
    path.push_back(measure(w, "particles.p2.velocity.x"));
    return path;
  };
  const std::vector<double> alone = run(false), beside = run(true);
  ASSERT_EQ(alone.size(), beside.size());
  for (std::size_t i = 0; i < alone.size(); ++i) ASSERT_NEAR(alone[i], beside[i], 1e-8) << i;
}

Description bouncing(double restitution, double dt, SolverChoice solver) {
  Description d = heavy(dt);
  d.settings.solver = solver;
  d.bodies.emplace_back("ground", ground());
  BodySettings ball;
  ball.position = Vec3(0, 0, 1.1);
  ball.restitution = restitution;
  ball.shapes.push_back(sphere(0.1));
  d.bodies.emplace_back("ball", ball);
  return d;
}

TEST(Restitution, OfAHalfReboundsToAQuarterOfTheHeightWithinFivePercent) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    World w = make(bouncing(0.5, 1.0 / 1000, solver));
    double height = 0;
    const double impact = std::sqrt(2 * 1.0 / 10);
    while (w.time() < impact + 0.4) {
      w.step();
      if (w.time() > impact + 0.01) height = std::max(height, measure(w, "bodies.ball.position.z") - 0.1);
    }
    EXPECT_NEAR(height / 0.25, 1.0, 0.05);
  }
}

Description slope(double angle, double friction, SolverChoice solver) {
  Description d = heavy(1.0 / 240);
  d.settings.solver = solver;
  // Tilting gravity instead of the ground keeps the geometry exact.
  d.settings.gravity = Vec3(10 * std::sin(angle), 0, -10 * std::cos(angle));
  d.bodies.emplace_back("ground", ground());
  d.bodies.back().second.friction = friction;
  BodySettings block;
  block.friction = friction;
  block.position = Vec3(0, 0, 0.1);
  block.shapes.push_back(box(Vec3(0.6, 0.4, 0.2)));
  d.bodies.emplace_back("block", block);
  return d;
}

TEST(Slope, BlockSticksBelowAndSlidesAboveTheFrictionAngleWithinTwoPercent) {
  const double friction = 0.5;
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    World below = make(slope(std::atan(friction * 0.98), friction, solver));
    run(below, 2.0);
    EXPECT_LT(std::fabs(measure(below, "bodies.block.position.x")),
              solver == SolverChoice::sweep ? 1e-3 : 1e-6);  // creep by softness
    World above = make(slope(std::atan(friction * 1.02), friction, solver));
    run(above, 2.0);
    const double angle = std::atan(friction * 1.02);
    const double a = 10 * (std::sin(angle) - friction * std::cos(angle));
    EXPECT_NEAR(measure(above, "bodies.block.position.x") / (0.5 * a * 4.0), 1.0, 0.05);
  }
}

/// A mass that starts with a speed that stretches what holds it, and a damper that stops it in 60 µs, far within a
/// step.
Description stretching(bool cable, DistanceMode mode, double dt) {
  Description d = heavy(dt, 0.0);
  BodySettings m;
  m.position = Vec3(3, 0, 0);
  m.velocity = Vec3(0.5, 0, 0);
  m.mass = 1.0;
  m.inertia = Vec3(0.01, 0.01, 0.01);
  d.bodies.emplace_back("m", m);
  if (cable) {
    CableSettings c;
    c.route.resize(2);
    c.route[1].on = "m";
    c.material.axial = 1e6;
    c.material.damping = 0.05;
    d.cables.emplace_back("rope", c);
    return d;
  }
  JointSettings rope = joint(JointType::distance, "world", "m", Vec3::Zero());
  rope.anchorB = Vec3(3, 0, 0);
  rope.mode = mode;
  rope.compliance = 3e-6;
  rope.damping = 16666.7;
  d.joints.emplace_back("rope", rope);
  return d;
}

TEST(DampedStart, NeverGainsEnergyFromASpeedThatStretchesIt) {
  for (const double dt : {1.0 / 60, 1.0 / 240, 1.0 / 1000, 1.0 / 4000})
    for (const bool cable : {false, true}) {
      World w = make(stretching(cable, DistanceMode::rope, dt));
      while (w.time() < 0.2) {
        w.step();
        const double stretch = std::max(0.0, measure(w, "bodies.m.position.x") - 3.0);
        const double energy = measure(w, "energy.kinetic") + 0.5 * stretch * stretch / 3e-6;
        ASSERT_LT(energy, 0.125) << dt << " " << cable << " " << w.time();
      }
    }
}

TEST(DampedStart, StopsWithinTwoSteps) {
  for (const double dt : {1.0 / 240, 1.0 / 1000, 1.0 / 4000}) {
    World w = make(stretching(false, DistanceMode::both, dt));
    run(w, 2 * dt);
    EXPECT_LT(std::fabs(measure(w, "bodies.m.velocity.x")), 0.06 * 0.5) << dt;
  }
}

TEST(Stack, TenBoxesStandTenSecondsAndNoneCreepsAMillimetre) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("ground", ground());
  for (int i = 0; i < 10; ++i) {
    BodySettings crate;
    crate.position = Vec3(0, 0, 0.1 + 0.2 * i);
    crate.shapes.push_back(box(Vec3(0.2, 0.2, 0.2)));
    d.bodies.emplace_back("box" + std::to_string(i), crate);
  }
  World w = make(d);
  run(w, 10.0);
  for (int i = 0; i < 10; ++i) {
    const BodyObservation o = w.observe().bodies[static_cast<std::size_t>(i) + 1].second;
    EXPECT_LT((o.position - Vec3(0, 0, 0.1 + 0.2 * i)).norm(), 1e-3) << i;
    EXPECT_LT(o.velocity.norm(), 1e-3);
  }
}

}  // namespace
}  // namespace reeve::test
