// Particle cables against closed forms: pendulum, catenary, free motion.
#include "particles_scenes.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/scalar.h"
#include "trials/spinning_cable.h"

namespace reeve::test {
namespace {

TEST(ParticleMotion, CatenarySagOfHundredParticlesIsTheClosedForm) {
  Description d = heavy(1.0 / 240, 9.81);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(2, 0, 0), 99);
  c.length = 2.5;
  c.particles.curve = CurveType::polyline;
  c.shape = {Vec3(1.0, 0, -0.75)};  // a V of the right length: not the answer
  c.particles.direct = true;
  c.particles.iterations = 4;
  c.particles.drag = 40.0;  // thick air: only to come to rest
  c.particles.skinDrag = 10.0;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, 20.0);
  const HangingCurve exact = hangingCurve(Vec3(0, 0, 0), Vec3(2, 0, 0), 2.5, Vec3(0, 0, -9.81));
  const ParticleCable& rope = particleCable(w);
  double lowest = 0.0;
  for (int i = 0; i < rope.count(); ++i) lowest = std::min(lowest, rope.position(w.state(), i).z());
  std::printf("sag %.6f, closed form %.6f, worst stretch %.2e\n", -lowest, exact.dip(), worstStretch(w));
  EXPECT_NEAR(-lowest / exact.dip(), 1.0, 0.01);
  // End tension: horizontal part weight per metre times c, vertical half the weight.
  const Vec3 pull(measure(w, "cables.rope.links.0.force.x"), 0, measure(w, "cables.rope.links.0.force.z"));
  EXPECT_NEAR(pull.x(), 0.1 * 9.81 * exact.parameter, 0.01 * pull.norm());
  EXPECT_NEAR(pull.z(), -0.5 * 0.1 * 9.81 * 2.5, 0.01 * pull.norm());
}

TEST(ParticleMotion, FreeCableKeepsItsLinearMomentumToRounding) {
  for (const ParticleWay way :
       {ParticleWay::springs, ParticleWay::stiff, ParticleWay::jakobsen, ParticleWay::pbd, ParticleWay::xpbd}) {
    Description d = still(1e-3);
    d.settings.gravity = Vec3::Zero();
    CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(1, 0, 0), 30, true, true);
    c.particles.way = way;
    c.particles.velocity = Vec3(0.1, -0.2, 0.3);
    if (way == ParticleWay::springs) c.particles.spring = 1000.0;
    c.shape = {Vec3(0.3, 0.2, 0.1), Vec3(0.6, -0.2, 0)};
    c.particles.doubles = DoubleRest::straight;  // something to move it
    if (way == ParticleWay::xpbd) c.compliance = 1e-4, c.particles.doubleCompliance = 1e-3;
    d.cables.emplace_back("rope", c);
    World w = make(d);
    const ParticleCable& rope = particleCable(w);
    const Vec3 before = rope.linearMomentum(w.state());
    double most = 0.0;
    Vec3 worst = Vec3::Zero();
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(w.step().good);
      worst = worst.cwiseMax((rope.linearMomentum(w.state()) - before).cwiseAbs());
      double moved = 0.0;
      for (int k = 0; k < rope.count(); ++k) moved += rope.massOf(k) * rope.velocity(w.state(), k).norm();
      most = std::max(most, moved);
    }
    std::printf("way %d: momentum %.1e of %.2e\n", static_cast<int>(way), worst.norm(), most);
    EXPECT_LT(worst.norm(), 1e-12) << static_cast<int>(way);
    EXPECT_GT(most, 1e-3);
    EXPECT_GT(before.norm(), 1e-3);
  }
}

/// By how much the total momentum of a body and the rope it drags changes in 2 s.
double exchangeError(SolverChoice solver, ParticleWay way, bool direct) {
  Description d = still(1.0 / 240);
  d.settings.solver = solver;
  BodySettings block = rigid(0.2, Vec3(1e-4, 2e-4, 3e-4), Vec3(1, 0, 0));
  block.velocity = Vec3(0.5, 2.0, -1.0);
  d.bodies.emplace_back("block", block);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0, 0, 0), 20, true, false);
  c.route[1] = held("block", Vec3(-0.02, 0.01, 0));
  c.particles.way = way;
  if (way == ParticleWay::springs) c.particles.spring = 200.0;
  c.particles.velocity = -block.velocity;  // the rope starts at rest
  c.particles.direct = direct;
  c.particles.substeps = 4;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const ParticleCable& rope = particleCable(w);
  const auto total = [&] {
    const State& s = w.state();
    const Block& b = w.model().blocks[static_cast<std::size_t>(w.model().bodies[1].block)];
    Vec3 p;
    for (int k = 0; k < 3; ++k) {
      const std::size_t i = static_cast<std::size_t>(b.v + k);
      p[k] = s.p[i];
    }
    return Vec3(p + rope.linearMomentum(s));
  };
  const Vec3 before = total();
  double worst = 0.0;
  for (int i = 0; i < 480; ++i) {
    if (!w.step().good) return 1e9;
    worst = std::max(worst, (total() - before).norm());
  }
  if (way != ParticleWay::stiff) {
    EXPECT_GT((measure(w, "bodies.block.velocity.y") - 2.0) * -1.0, 0.1) << "the rope must be felt";
  }
  return worst;
}

TEST(ParticleMotion, WhatABodyLosesItsRopeGets) {
  for (const ParticleWay way :
       {ParticleWay::springs, ParticleWay::stiff, ParticleWay::jakobsen, ParticleWay::pbd, ParticleWay::xpbd}) {
    const double sweep = exchangeError(SolverChoice::sweep, way, false);
    const double direct = exchangeError(SolverChoice::direct, way, false);
    std::printf("way %d: momentum lost %.1e (sweep), %.1e (direct) of 0.6\n", static_cast<int>(way), sweep, direct);
    EXPECT_LT(sweep, 1e-12);
    EXPECT_LT(direct, 1e-12);
  }
  EXPECT_LT(exchangeError(SolverChoice::sweep, ParticleWay::xpbd, true), 1e-12);
}

TEST(ParticleMotion, PendulumOfHundredParticlesHasItsPeriod) {
  Description d = heavy(1.0 / 240, 9.81);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(math::sin(0.2), 0, -math::cos(0.2)), 99, false, true);
  c.particles.masses.assign(100, 1e-4);
  c.particles.masses.back() = 1.0;
  c.particles.direct = true;
  c.particles.iterations = 3;
  // The direct solve takes the stiffness of taut segments against sideways motion, 4T/(m l), explicitly.
  c.particles.substeps = 20;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const ParticleCable& rope = particleCable(w);
  std::vector<double> crossings;
  double last = 1.0;
  while (crossings.size() < 11) {
    ASSERT_TRUE(w.step().good);
    const double x = rope.position(w.state(), 99).x();
    if ((x > 0.0) != (last > 0.0)) crossings.push_back(w.time() - d.settings.dt * x / (x - last));
    last = x;
    ASSERT_LT(w.time(), 30.0);
  }
  const double period = (crossings[10] - crossings[0]) / 5.0;
  // 2π√(L/g)(1 + θ²/16 + 11θ⁴/3072), and the rope's 9.9 g shift the bob's period by less than 0.2 %.
  const double exact = 2.0 * math::pi * std::sqrt(1.0 / 9.81) * (1.0 + 0.04 / 16.0);
  std::printf("period %.5f s, closed form %.5f s (%.3f %%), worst stretch %.1e\n", period, exact,
              100.0 * (period / exact - 1.0), worstStretch(w));
  EXPECT_NEAR(period / exact, 1.0, 0.01);
  EXPECT_LT(worstStretch(w), 1e-6);
}

TEST(ParticleMotion, WithNothingSaidOfItsSolutionALineBearsTenThousandTimesItsOwnMass) {
  // 10 kg on 2 m of 1 g/m: conical, once round in 2π√(L cos θ / g).
  constexpr double length = 2.0, mass = 10.0;
  const double x = length * math::sin(0.7), z = -length * math::cos(0.7);
  const double rate = std::sqrt(9.81 / -z);
  Description d = heavy(1.0 / 480, 9.81);
  BodySettings bob = rigid(mass, Vec3(0.01, 0.01, 0.01), Vec3(x, 0, z));
  bob.velocity = Vec3(0, rate * x, 0);
  d.bodies.emplace_back("bob", bob);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0, 0, 0), 24);
  c.route[1].on = "bob";
  c.material.mass = 1e-3;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, 2.0 * math::pi / rate);
  EXPECT_NEAR(measure(w, "bodies.bob.position.x"), x, 0.02 * x);
  EXPECT_NEAR(measure(w, "bodies.bob.position.z"), z, 0.02 * length);
  EXPECT_NEAR(measure(w, "cables.rope.tension"), mass * 9.81 / math::cos(0.7), 2.0);
  EXPECT_LT(worstStretch(w), 1e-3);
}

TEST(ParticleMotion, AStartTensionIsThatOfEverySegment) {
  Description d = heavy(1.0 / 240, 0.0);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(2, 0, 0), 40);
  c.material.axial = 1e5;
  c.tension = 200.0;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  EXPECT_NEAR(measure(w, "cables.rope.length"), 2.0 / (1.0 + 200.0 / 1e5), 1e-9);
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "cables.rope.tension"), 200.0, 0.2);
}

TEST(ParticleMotion, VerletMeetsAParabolaExactlyAndEulerInFirstOrder) {
  double error[2];
  for (const Predictor predictor : {Predictor::euler, Predictor::verlet}) {
    Description d = heavy(0.01, 9.81);
    CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(1, 0, 0), 4, true, true);
    c.particles.predictor = predictor;
    c.particles.velocity = Vec3(1, 0, 3);
    d.cables.emplace_back("rope", c);
    World w = make(d);
    run(w, 1.0);
    const double exact = 3.0 - 0.5 * 9.81;
    error[static_cast<int>(predictor)] = particleCable(w).position(w.state(), 0).z() - exact;
  }
  EXPECT_NEAR(error[0], -0.5 * 9.81 * 0.01, 1e-9);  // g h t/2
  EXPECT_NEAR(error[1], 0.0, 1e-12);
}

TEST(ParticleMotion, AngularMomentumIsLostAsTheStepForetells) {
  for (const ParticleWay way : {ParticleWay::jakobsen, ParticleWay::pbd, ParticleWay::xpbd}) {
    double loss[3];
    int k = 0;
    for (const double dt : {4e-3, 2e-3, 1e-3}) {
      const auto spin = trials::measureSpin(way, dt);
      ASSERT_TRUE(spin) << spin.error().reason;
      std::printf("way %d, dt %g s: lost %.5f, foretold %.5f\n", static_cast<int>(way), dt, spin->lost, spin->foretold);
      EXPECT_NEAR(spin->lost, spin->foretold, 0.01 * spin->foretold) << dt;
      EXPECT_NEAR(spin->lost, 4.0 * dt, 0.2 * 4.0 * dt) << "h w^2 t";
      EXPECT_LT(spin->drift, 1e-12);
      loss[k++] = spin->lost;
    }
    EXPECT_NEAR(loss[0] / loss[1], 2.0, 0.05);
    EXPECT_NEAR(loss[1] / loss[2], 2.0, 0.05);
  }
  const auto springs = trials::measureSpin(ParticleWay::springs, 1e-3);
  ASSERT_TRUE(springs) << springs.error().reason;
  EXPECT_LT(std::fabs(springs->lost), 1e-12) << "explicit springs keep it";
}

}  // namespace
}  // namespace reeve::test
