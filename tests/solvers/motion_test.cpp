// Smooth motion against closed forms, with `direct`.
#include "support/scenes.h"

namespace reeve::test {
namespace {

TEST(Top, KeepsAngularMomentumToABillionthAndEnergyToATenThousandth) {
  Description d = still(1e-3);
  BodySettings b = rigid(1.0, Vec3(1, 2, 3));
  b.angularVelocity = Vec3(0.3, 6.0, 0.3);  // about the unstable middle axis
  d.bodies.emplace_back("top", b);
  World w = make(d);
  const Vec3 l0 = Vec3(1, 2, 3).cwiseProduct(b.angularVelocity);
  const double e0 = measure(w, "energy.kinetic");
  double worstL = 0, worstE = 0;
  for (int i = 0; i < 10000; ++i) {
    w.step();
    const BodyObservation o = w.observe().bodies[0].second;
    const Mat3 r = o.orientation.toRotationMatrix();
    const Vec3 l = r * Vec3(1, 2, 3).asDiagonal() * r.transpose() * o.angularVelocity;
    worstL = std::max(worstL, (l - l0).norm() / l0.norm());
    worstE = std::max(worstE, std::fabs(measure(w, "energy.kinetic") / e0 - 1));
  }
  std::printf("top: L %.1e E %.1e\n", worstL, worstE);
  EXPECT_LT(worstL, 1e-9);
  EXPECT_LT(worstE, 1e-4);
}

Description pendulum(double angle, double dt, int rods) {
  Description d = heavy(dt, 9.81);
  Vec3 tip = Vec3::Zero();
  for (int i = 0; i < rods; ++i) {
    BodySettings b = rigid(1.0, Vec3(0.01, 1.0 / 12, 1.0 / 12 + 0.01));
    b.orientation = Quat(rotationExp(Vec3(0, 1.5707963267948966 - angle, 0)));
    const Vec3 along = b.orientation * Vec3::UnitX();
    b.position = tip + 0.5 * along;
    d.joints.emplace_back("j" + std::to_string(i), joint(JointType::hinge, i ? "b" + std::to_string(i - 1) : "world",
                                                         "b" + std::to_string(i), tip));
    tip += along;
    d.bodies.emplace_back("b" + std::to_string(i), b);
  }
  return d;
}

TEST(Pendulum, SmallSwingPeriodIsWithinAThousandth) {
  World w = make(pendulum(0.02, 1.0 / 240, 1));
  // I about the pivot = 1/12 + 1/4, T = 2π √(I/(m g l/2))
  const double exact = 2 * M_PI * std::sqrt((1.0 / 12 + 0.25) / (9.81 * 0.5));
  const auto x = w.resolve("bodies.b0.position.x");
  double last = w.read(*x), lastTime = 0, first = -1, count = 0, end = 0;
  for (int i = 0; i < 240 * 20; ++i) {
    w.step();
    const double now = w.read(*x);
    if (last < 0 && now >= 0) {
      const double t = lastTime + (w.time() - lastTime) * (-last) / (now - last);
      if (first < 0)
        first = t;
      else {
        ++count;
        end = t;
      }
    }
    last = now;
    lastTime = w.time();
  }
  const double period = (end - first) / count;
  std::printf("period %.6f exact %.6f\n", period, exact);
  EXPECT_NEAR(period / exact, 1.0, 1e-3);
}

TEST(DoublePendulum, EnergyDriftsLessThanOnePercentOfMglInTenSeconds) {
  World w = make(pendulum(1.2, 1e-3, 2));
  const double start = measure(w, "energy.total");
  double worst = 0;
  for (int i = 0; i < 10000; ++i) {
    w.step();
    worst = std::max(worst, std::fabs(measure(w, "energy.total") - start));
  }
  std::printf("double pendulum drift %.2e of MgL\n", worst / (2 * 9.81 * 2));
  EXPECT_LT(worst / (2 * 9.81 * 2), 0.01);
}

TEST(DoublePendulum, HalvingTheStepQuartersTheError) {
  const auto tip = [](double dt) {
    World w = make(pendulum(0.6, dt, 2));
    run(w, 2.0);
    return Vec3(measure(w, "bodies.b1.position.x"), 0, measure(w, "bodies.b1.position.z"));
  };
  const Vec3 fine = tip(1.0 / 16000), a = tip(1.0 / 500), b = tip(1.0 / 1000);
  const double ratio = (a - fine).norm() / (b - fine).norm();
  std::printf("order ratio %.3f\n", ratio);
  EXPECT_GT(ratio, 3.5);
  EXPECT_LT(ratio, 4.5);
}

}  // namespace
}  // namespace reeve::test
