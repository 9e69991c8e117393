// What floats free keeps its angular momentum, whatever acts inside: that which the step remembers to rounding, and by
// velocities as they are seen within Newton's tolerance, 1e-10 m in a step: some 1e-8 m/s.
#include "reeve/solvers/free_spin.h"

#include "reeve/model/element.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

struct Totals {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero(), seen = Vec3::Zero();  ///< about the centre of mass, remembered and by velocities
  double energy = 0.0;
};

Totals totals(const World& w) {
  Instant now;
  now.bind(w.model(), w.state());
  now.rewind();
  now.evaluate();
  Totals t;
  Vec3 centre = Vec3::Zero();
  double mass = 0.0;
  const auto remembered = [&](int i) {
    const double* p = &w.state().p[static_cast<std::size_t>(i)];
    return Vec3(p[0], p[1], p[2]);
  };
  const auto each = [&](auto&& visit) {
    for (std::size_t i = 0; i < w.model().blocks.size(); ++i)
      if (const Block& b = w.model().blocks[i]; b.free && (b.rotates || b.dof == 3)) visit(static_cast<int>(i), b);
  };
  each([&](int i, const Block& b) {
    mass += b.mass;
    centre += b.mass * now.position(i);
    t.linear += remembered(b.v);
  });
  centre /= mass;
  each([&](int i, const Block& b) {
    const Vec3 r = now.position(i) - centre;
    t.angular += r.cross(remembered(b.v));
    t.seen += b.mass * r.cross(now.velocity(i));
    if (!b.rotates) return;
    t.angular += remembered(b.v + 3);
    t.seen += worldInertia(now, i) * now.angularVelocity(i);
  });
  t.energy = measure(w, "energy.total");
  return t;
}

/// Boxes on ball joints, bent and spinning, thrown.
Description boxes(double dt, int n, double speed, double gravity) {
  Description d = heavy(dt, gravity);
  d.settings.solver = SolverChoice::direct;
  for (int i = 0; i < n; ++i) {
    BodySettings b = rigid(1.0 + 0.5 * i, Vec3(0.05, 0.08, 0.1), Vec3(0.5 * i, 0.1 * (i % 2), 0));
    b.velocity = speed * Vec3(0.2, 0.7 * i, i % 2 ? -0.5 : 0.4);
    b.angularVelocity = speed * Vec3(1.0, -0.5 * i, 1.4);
    d.bodies.emplace_back("b" + std::to_string(i), b);
    if (i == 0) continue;
    d.joints.emplace_back("j" + std::to_string(i), joint(JointType::ball, "b" + std::to_string(i - 1),
                                                         "b" + std::to_string(i), Vec3(0.5 * i - 0.25, 0.05, 0)));
  }
  return d;
}

TEST(FreeSpin, AFreeDoublePendulumOfBoxesKeepsItsAngularMomentumAndFallsAsAStone) {
  for (const double gravity : {0.0, 10.0})
    for (const int n : {2, 5}) {
      World w = make(boxes(1.0 / 120, n, 2.0, gravity));
      run(w, 10.0 / 120);
      const Totals before = totals(w);
      const double mass = before.linear.norm() > 0.0 ? n + 0.25 * n * (n - 1) : 0.0;
      double linear = 0.0, angular = 0.0, seen = 0.0, drift = 0.0, iterations = 0.0;
      for (int i = 0; i < 240; ++i) {
        ASSERT_TRUE(w.step().good);
        const Totals now = totals(w);
        const Vec3 fallen = mass * gravity * (i + 1) / 120.0 * Vec3(0, 0, -1);
        linear = std::max(linear, (now.linear - before.linear - fallen).norm() / before.linear.norm());
        angular = std::max(angular, (now.angular - before.angular).norm() / before.angular.norm());
        seen = std::max(seen, (now.seen - before.seen).norm() / before.angular.norm());
        drift = std::max(drift, std::fabs(now.energy - before.energy));
        iterations += w.observe().health.iterations / 240.0;
      }
      std::printf("%d boxes, g %g: linear %.1e, angular %.1e (seen %.1e), energy drifts by %.1e J, %.2f iterations\n",
                  n, gravity, linear, angular, seen, drift, iterations);
      EXPECT_LT(linear, 1e-12);
      EXPECT_LT(angular, 1e-10);
      EXPECT_LT(seen, 1e-7);
      // Without it 1.8e-4 J and 5.9e-3 J were lost.
      EXPECT_LT(drift, n == 2 ? 1e-4 : 3e-3);
    }
}

TEST(FreeSpin, ATorqueFromOutsideChangesTheAngularMomentumByItsImpulse) {
  // In a plane, so that the torque stays where it is; on one of two boxes, while both fall.
  Description d = heavy(1.0 / 120);
  d.settings.solver = SolverChoice::direct;
  for (int i = 0; i < 2; ++i) {
    BodySettings b = rigid(1.0 + i, Vec3::Constant(0.1), Vec3(0.6 * i, 0.2 * i, 0));
    b.velocity = Vec3(0.3, 1.0 - 2.0 * i, 0);
    b.angularVelocity = Vec3(0, 0, 3.0 - 4.0 * i);
    d.bodies.emplace_back("b" + std::to_string(i), b);
  }
  d.joints.emplace_back("j", joint(JointType::ball, "b0", "b1", Vec3(0.3, 0.1, 0)));
  ForceSettings f;
  f.on = "b1";
  f.torque = Vec3(0, 0, 0.7);
  d.forces.emplace_back("f", f);
  World w = make(std::move(d));
  run(w, 10.0 / 120);
  const double before = totals(w).angular.z();
  run(w, 2.0);
  const double gained = totals(w).angular.z() - before;
  std::printf("torque of 0.7 N m for 2 s: %.12f N m s\n", gained);
  EXPECT_NEAR(gained, 1.4, 1e-10);
}

TEST(FreeSpin, IsOfSecondOrder) {
  const auto place = [](double dt) {
    World w = make(boxes(dt, 3, 1.0, 0.0));
    run(w, 1.0);
    return w.observe().bodies[2].second.position;
  };
  const Vec3 exact = place(1.0 / 3840);
  const double coarse = (place(1.0 / 120) - exact).norm(), fine = (place(1.0 / 240) - exact).norm();
  std::printf("off by %.2e m at 1/120 s, %.2e m at 1/240 s\n", coarse, fine);
  EXPECT_LT(fine, coarse / 3.4);
}

TEST(FreeSpin, ARopeThatComesTautBetweenFreeBodiesTakesNoAngularMomentum) {
  Description d = still(1.0 / 120);
  d.settings.solver = SolverChoice::direct;
  for (int i = 0; i < 2; ++i) {
    BodySettings b = rigid(1.0 + i, Vec3(0.1, 0.2, 0.3), Vec3(0.8 * i, 0, 0));
    b.velocity = Vec3(i == 0 ? -0.6 : 0.5, 1.0 - 2.0 * i, 0.3);
    b.angularVelocity = Vec3(0.4, 1.0, -0.5 * i);
    d.bodies.emplace_back("b" + std::to_string(i), b);
  }
  CableSettings rope;
  rope.route.resize(2);
  rope.route[0].on = "b0";
  rope.route[0].point = Vec3(0.1, 0.05, 0);
  rope.route[1].on = "b1";
  rope.route[1].point = Vec3(-0.1, 0, 0.05);
  rope.length = 1.0;
  d.cables.emplace_back("rope", rope);
  World w = make(std::move(d));
  run(w, 2.0 / 120);
  const Totals before = totals(w);
  double angular = 0.0, pull = 0.0;
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(w.step().good);
    angular = std::max(angular, (totals(w).angular - before.angular).norm() / before.angular.norm());
    pull = std::max(pull, measure(w, "cables.rope.spans.0.tension"));
  }
  std::printf("rope comes taut: angular momentum to %.1e, pulled by %.1f N\n", angular, pull);
  EXPECT_GT(pull, 0.1);
  EXPECT_LT(angular, 1e-10);
}

/// Whether something floats by the rows of a world as it is.
bool floats(const World& w) {
  Instant now;
  now.bind(w.model(), w.state());
  now.rewind();
  now.evaluate();
  RowSet rows;
  for (const auto& e : w.model().elements) e->rows(now, rows);
  FreeSpin spin;
  spin.find(w.model(), rows, w.state().mode, w.state().force, w.state());
  return spin.any();
}

TEST(FreeSpin, LeavesAloneWhatIsHeldAndWhatIsSingle) {
  EXPECT_TRUE(floats(make(boxes(1.0 / 120, 2, 1.0, 0.0))));
  EXPECT_FALSE(floats(make(rodChain(4, 1.0, 1.0 / 120))));    // from the world
  EXPECT_FALSE(floats(make(boxes(1.0 / 120, 1, 1.0, 0.0))));  // one body is exact by itself
  World fast = make(boxes(1.0 / 120, 2, 100.0, 0.0));         // a radian a step
  fast.step();
  EXPECT_FALSE(floats(fast));
}

}  // namespace
}  // namespace reeve::test
