// Bodies that joints hold, far lighter than what hangs on them by a particle cable; bodies that carry heavy ends.
#include "particles_scenes.h"
#include "reeve/math/scalar.h"

namespace reeve::test {
namespace {

/// A rope of 20 segments with a load at its end, straight down from `on`.
CableSettings loaded(std::string on, Vec3 point, Vec3 from, double length, double load) {
  CableSettings c = particleRope(from, from - Vec3(0, 0, length), 20, false, true);
  c.route[0] = held(std::move(on), point);
  c.particles.masses.assign(21, 1e-3);
  c.particles.masses.back() = load;
  c.particles.direct = true;
  c.particles.iterations = 3;
  return c;
}

TEST(ParticleRestraint, ALoadHangsStillOnAHookAThousandTimesLighter) {
  for (const SolverChoice solver : {SolverChoice::sweep, SolverChoice::direct})
    for (const JointType type : {JointType::ball, JointType::fixed, JointType::hinge}) {
      Description d = heavy(1.0 / 240, 9.81);
      d.settings.solver = solver;
      d.bodies.emplace_back("hook", rigid(5e-3, Vec3::Constant(1e-6), Vec3(0, 0, 1)));
      d.joints.emplace_back("nail", joint(type, "world", "hook", Vec3(0, 0, 1)));
      d.cables.emplace_back("rope", loaded("hook", Vec3::Zero(), Vec3(0, 0, 1), 1.0, 5.0));
      World w = make(d);
      const double weight = 9.81 * 5.02;
      double least = 1e9, most = 0.0;
      for (int k = 0; k < 480; ++k) {
        ASSERT_TRUE(w.step().good);
        const double force = -measure(w, "cables.rope.links.0.force.z");
        if (k >= 4) least = std::min(least, force), most = std::max(most, force);
      }
      EXPECT_NEAR(least, weight, 1e-6 * weight);
      EXPECT_NEAR(most, weight, 1e-6 * weight);
      // The load gave way by nothing: it used to hang on a spring of m/h², 17 cm for this hook.
      EXPECT_NEAR(particleCable(w).position(w.state(), 20).z(), 0.0, 1e-6);
    }
}

TEST(ParticleRestraint, ALightHingedArmAndItsRopeSwingAsOnePendulum) {
  // Without mass of their own arm (0.4 m) and rope (0.6 m) stay in line: 2π √(1/g), with the amplitude's 1 + a²/16.
  const double amplitude = 0.1;
  for (const SolverChoice solver : {SolverChoice::sweep, SolverChoice::direct}) {
    Description d = heavy(1.0 / 960, 9.81);
    d.settings.solver = solver;
    const Vec3 along(math::sin(amplitude), 0, -math::cos(amplitude));
    BodySettings arm = rigid(2e-3, Vec3::Constant(3e-5), 0.2 * along);
    d.bodies.emplace_back("arm", arm);
    d.joints.emplace_back("pin", joint(JointType::hinge, "world", "arm", Vec3::Zero()));
    CableSettings c = loaded("arm", 0.2 * along, Vec3::Zero(), 0.6, 2.0);
    c.route[1].point = along;
    c.particles.masses.assign(21, 1e-4);
    c.particles.masses.back() = 2.0;
    d.cables.emplace_back("rope", c);
    World w = make(d);
    std::vector<double> crossings;
    double last = 1.0;
    while (crossings.size() < 5 && w.time() < 6.0) {
      ASSERT_TRUE(w.step().good);
      const double x = particleCable(w).position(w.state(), 20).x();
      if ((x > 0.0) != (last > 0.0)) crossings.push_back(w.time() - d.settings.dt * x / (x - last));
      last = x;
    }
    ASSERT_EQ(crossings.size(), 5u);
    const double period = 0.5 * (crossings[4] - crossings[0]);
    const double exact = 2.0 * math::pi * std::sqrt(1.0 / 9.81) * (1.0 + amplitude * amplitude / 16.0);
    std::printf("period %.5f s, closed form %.5f s\n", period, exact);
    EXPECT_NEAR(period / exact, 1.0, 0.01);
  }
}

TEST(ParticleRestraint, ALightArmThrownAboutByItsLoadGainsNoEnergy) {
  for (const SolverChoice solver : {SolverChoice::sweep, SolverChoice::direct}) {
    Description d = heavy(1.0 / 240, 9.81);
    d.settings.solver = solver;
    d.bodies.emplace_back("arm", rigid(5e-3, Vec3::Constant(1e-4), Vec3(0.25, 0, 0)));
    d.joints.emplace_back("pin", joint(JointType::hinge, "world", "arm", Vec3::Zero()));
    d.cables.emplace_back("rope", loaded("arm", Vec3(0.25, 0, 0), Vec3(0.5, 0, 0), 0.5, 2.0));
    World w = make(d);
    const double start = measure(w, "energy.total");
    double most = -1e9;
    for (int k = 0; k < 480; ++k) {
      ASSERT_TRUE(w.step().good);
      most = std::max(most, measure(w, "energy.total"));
    }
    EXPECT_LT(most, start + 0.01);
    EXPECT_LT(measure(w, "energy.total"), start - 0.1) << "it falls, swings and loses some";
  }
}

TEST(ParticleRestraint, ALightPlugHeldOffItsCentreCarriesAHeavyEndAndMomentumIsKept) {
  for (const SolverChoice solver : {SolverChoice::sweep, SolverChoice::direct}) {
    Description d = still(1.0 / 240);
    d.settings.solver = solver;
    BodySettings plug = rigid(1e-3, Vec3::Constant(1e-7));
    plug.velocity = Vec3(0, 1, 0);
    d.bodies.emplace_back("plug", plug);
    CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0.5, 0, 0), 10, false, true);
    c.route[0] = held("plug", Vec3(0.01, 0.02, 0));
    c.particles.masses.assign(11, 0.05);  // fifty times the plug's
    c.particles.velocity = Vec3(0, 0.3, 0.2);
    c.particles.iterations = 30;
    d.cables.emplace_back("rope", c);
    World w = make(d);
    const auto total = [&] {
      const Vec3 v(measure(w, "bodies.plug.velocity.x"), measure(w, "bodies.plug.velocity.y"),
                   measure(w, "bodies.plug.velocity.z"));
      return Vec3(1e-3 * v + particleCable(w).linearMomentum(w.state()));
    };
    const Vec3 before = total();
    const double start = measure(w, "energy.total");
    for (int k = 0; k < 480; ++k) {
      ASSERT_TRUE(w.step().good);
      ASSERT_LT(measure(w, "energy.total"), 1.005 * start);  // first order, and a plug that is set spinning at once
    }
    EXPECT_LT((total() - before).norm(), 1e-12);
  }
}

TEST(ParticleRestraint, AMotorThatTurnsAnArmIsKnownToItsRope) {
  // An exact motor turns a light arm at 1 rad/s whatever hangs on it.
  Description d = heavy(1.0 / 240, 9.81);
  d.bodies.emplace_back("arm", rigid(5e-3, Vec3::Constant(1e-4), Vec3(0.25, 0, 0)));
  d.joints.emplace_back("pin", joint(JointType::hinge, "world", "arm", Vec3::Zero(), Vec3::UnitY()));
  MotorSettings motor;
  motor.on = "pin";
  motor.target.offset = 1.0;
  d.motors.emplace_back("drive", motor);
  d.cables.emplace_back("rope", loaded("arm", Vec3(0.25, 0, 0), Vec3(0.5, 0, 0), 0.5, 2.0));
  World w = make(d);
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "bodies.arm.angular_velocity.y"), 1.0, 1e-6);
  EXPECT_LT(worstStretch(w), 1e-3);
}

}  // namespace
}  // namespace reeve::test
