// Drums, belts and hoists: what winding, turning and unwinding come to, under either solver.
#include "cables/solvers.h"

namespace reeve::test {
namespace {

class Gear : public BothSolvers {};
class Drum : public BothSolvers {};
class Belt : public BothSolvers {};
class DifferentialHoist : public BothSolvers {};
class YoYo : public BothSolvers {};
REEVE_BOTH_SOLVERS(Gear);
REEVE_BOTH_SOLVERS(Drum);
REEVE_BOTH_SOLVERS(Belt);
REEVE_BOTH_SOLVERS(DifferentialHoist);
REEVE_BOTH_SOLVERS(YoYo);

/// Figure 16: two masses on drums of one shaft, radii 1 to 4.
Description gear(double ratio) {
  Description d = heavy(1.0 / 240);
  BodySettings shaft = rigid(2.0, Vec3(0.5, 0.5, 0.5), Vec3(0, 0, 0));
  d.bodies.emplace_back("shaft", shaft);
  d.joints.emplace_back("axle", joint(JointType::hinge, "world", "shaft", Vec3::Zero()));
  const double r = 0.2, R = 0.8;
  addMass(d, "small", ratio, Vec3(-r, 0, -3));
  addMass(d, "large", 1.0, Vec3(R, 0.0, -3));
  LinkSettings a = woundOn("shaft", -1, 5.0), b = woundOn("shaft", 1, 5.0);
  a.radius = r;
  b.radius = R;
  a.axis = b.axis = Vec3::UnitY();
  addCable(d, "inner", {a, attachTo("small")});
  addCable(d, "outer", {b, attachTo("large")});
  return d;
}

TEST_P(Gear, RestsAtOneToFourAndTurnsTheRightWayBesideIt) {
  const auto at = [&](double ratio, double seconds) {
    World w = solved(gear(ratio));
    run(w, seconds);
    return std::pair{measure(w, "particles.small.position.z") + 3, measure(w, "particles.large.position.z") + 3};
  };
  const auto [small, large] = at(4.0, 10.0);
  EXPECT_LT(std::fabs(small), 1e-6);
  EXPECT_LT(std::fabs(large), 1e-6);
  // α = (m₂R − m₁r) g/(m₁r² + m₂R² + I). A path of n Euler steps is longer by 1/n.
  for (const double ratio : {3.96, 4.04}) {
    const double r = 0.2, R = 0.8, inertia = 0.5, alpha = (R - ratio * r) * 10 / (ratio * r * r + R * R + inertia);
    const auto [rise, sink] = at(ratio, 1.0);
    const double path = swept() ? 0.5 * (1.0 + 1.0 / 240) : 0.5;
    EXPECT_NEAR(rise / (path * alpha * r), 1.0, 1e-3) << ratio;
    EXPECT_NEAR(sink / (-path * alpha * R), 1.0, 1e-3) << ratio;
  }
}

TEST_P(Drum, AThousandRadiansASecondAtASixtiethWindTheRightLength) {
  Description d = still(1.0 / 60);
  d.rotors.emplace_back("drum", wheelAt(Vec3::Zero(), 0.1, 0.5));
  addMass(d, "load", 1.0, Vec3(5000, 0, 0.1));
  d.rotors.back().second.rate = -1000.0;
  addMotor(d, "drum", DriveType::velocity, constant(-1000.0));
  d.particles.back().second.velocity = Vec3(-100, 0, 0);
  addCable(d, "rope", {woundOn("drum", 1, 1.0), attachTo("load")});
  World w = solved(d);
  run(w, 10.0);
  EXPECT_NEAR(measure(w, "rotors.drum.angle"), -1e4, 1e-6);
  EXPECT_NEAR(measure(w, "cables.rope.links.0.stored"), 1.0 + 1e3, 1e-6);
  // The same with a body that turns as a whole.
  Description e = still(1.0 / 60);
  BodySettings drum;
  drum.motion = BodyMotion::kinematic;
  MotionSettings m;
  m.about = Vec3::UnitY();
  m.turn.rate = -1000.0;
  drum.prescribed = m;
  e.bodies.emplace_back("drum", drum);
  addMass(e, "load", 1.0, Vec3(5000, 0, 0.1));
  e.particles.back().second.velocity = Vec3(-100, 0, 0);
  LinkSettings spool = woundOn("drum", 1, 1.0);
  spool.radius = 0.1;
  spool.axis = Vec3::UnitY();
  addCable(e, "rope", {spool, attachTo("load")});
  World v = solved(e);
  run(v, 10.0);
  EXPECT_NEAR(measure(v, "cables.rope.links.0.stored"), 1.0 + 1e3, 1e-6);
}

TEST_P(Belt, AfterAThousandTurnsTheRatioIsThatOfTheRadii) {
  Description d = still(1.0 / 60);
  const double r1 = 0.1, r2 = 0.37;
  d.rotors.emplace_back("small", wheelAt(Vec3(-1, 0, 0), r1, 0.01));
  d.rotors.emplace_back("large", wheelAt(Vec3(1, 0, 0.2), r2, 0.2));
  addMotor(d, "small", DriveType::velocity, ramp({{0, 0}, {2, 300}}));
  d.rotors.back().second.damping = 0.01;
  CableSettings& belt = addCable(d, "belt", {rollOver("small", 1), rollOver("large", 1)});
  belt.closed = true;
  belt.material.axial = 1e5;
  belt.tension = 200.0;
  World w = solved(d);
  const double length = measure(w, "cables.belt.length");
  run(w, 23.0);
  const double turns = measure(w, "rotors.small.angle");
  EXPECT_GT(turns, 2 * M_PI * 1000);
  EXPECT_NEAR(measure(w, "rotors.large.angle") / turns / (r1 / r2), 1.0, 1e-6);
  EXPECT_NEAR(measure(w, "cables.belt.length") / length, 1.0, 1e-9);
}

TEST_P(DifferentialHoist, LoadOverPullIsTwoRadiiOverTheirDifference) {
  // One rope: wound on the small drum of the upper block, down round the sheave of the hook, up over the large one and
  // down to the hand. Turning the block by θ winds Rθ on one side and pays rθ out on the other: the hook moves by half
  // the difference.
  const double R = 0.3, r = 0.25, load = 120.0;
  Description d = heavy(1.0 / 240);
  BodySettings block = rigid(1.0, Vec3(0.05, 0.05, 0.05));
  d.bodies.emplace_back("upper", block);
  d.joints.emplace_back("axle", joint(JointType::hinge, "world", "upper", Vec3::Zero()));
  const double lower = 0.5 * (R + r);
  BodySettings hook = rigid(load, Vec3(1, 1, 1), Vec3(-0.5 * (R - r), 0, -3));
  d.bodies.emplace_back("hook", hook);
  d.rotors.emplace_back("sheave", wheelAt(Vec3::Zero(), lower, 0.01, "hook"));
  const double pull = load * 10 * (R - r) / (2 * R);
  addMass(d, "hand", pull / 10.0, Vec3(R, 0, -2));
  LinkSettings big = rollOn("upper", Vec3::Zero(), R, 1);
  LinkSettings small = woundOn("upper", 1, 5.0);
  small.radius = r;
  small.axis = Vec3::UnitY();
  addCable(d, "chain", {small, rollOver("sheave", 1), big, attachTo("hand")});
  World w = solved(d);
  run(w, 2.0);
  EXPECT_LT(std::fabs(measure(w, "bodies.hook.position.z") + 3), 1e-6);
  EXPECT_NEAR(tension(w, 2, "chain") * 2 * R / (R - r) / (load * 10), 1.0, 1e-5);
  EXPECT_NEAR(tension(w, 0, "chain") / (load * 5), 1.0, 1e-5);
}

TEST_P(YoYo, UnwindsHoldsWindsUpTheOtherSideAndKeepsItsLength) {
  const double r = 0.05, m = 0.5, inertia = 0.005;
  Description d = heavy(1.0 / 480);
  BodySettings toy = rigid(m, Vec3(inertia, inertia, inertia), Vec3(0, 0, -0.2));
  d.bodies.emplace_back("toy", toy);
  LinkSettings drum = woundOn("toy", -1, 1.0, LinkType::hybrid);
  drum.radius = r;
  drum.axis = Vec3::UnitY();
  addCable(d, "string", {attachTo("world", Vec3(-r, 0, 0)), drum});
  World w = solved(d);
  const double length = measure(w, "cables.string.length");
  const double a = 10 * m / (m + inertia / (r * r));
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "bodies.toy.velocity.z") / (-a * 0.5), 1.0, 1e-3);
  bool held = false, again = false;
  double worst = 0.0, lowest = 0.0, highest = -9.0, otherSide = 0.0;
  const double spin = measure(w, "bodies.toy.angular_velocity.y");
  for (int i = 0; i < 480 * 4; ++i) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) {
      held = held || e.what.find("holds") == 0;
      again = again || (held && e.what.find("rolls again") == 0);
    }
    worst = std::max(worst, std::fabs(measure(w, "cables.string.length") - length));
    const double z = measure(w, "bodies.toy.position.z");
    lowest = std::min(lowest, z);
    if (again) highest = std::max(highest, z);
    // Climbing while it spins on as it did on the way down: the string winds up on the other side of the drum.
    if (again && measure(w, "bodies.toy.velocity.z") > 0.1 && measure(w, "bodies.toy.angular_velocity.y") * spin > 0.0)
      otherSide = std::max(otherSide, measure(w, "cables.string.links.1.stored"));
  }
  EXPECT_TRUE(held);
  EXPECT_TRUE(again);
  EXPECT_LT(worst, 1e-12 * 480 * 4);
  EXPECT_NEAR(lowest, -1.2 - r, 0.01);
  EXPECT_GT(highest, -0.6);
  EXPECT_GT(otherSide, 0.5);
}

}  // namespace
}  // namespace reeve::test
