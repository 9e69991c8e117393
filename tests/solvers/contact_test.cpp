// Contacts that converge: rolling at any turn per step, stacks of any ratio, heaps, bounces, bodies placed in each
// other.
#include "support/scenes.h"

namespace reeve::test {
namespace {

constexpr double right = 1.5707963267948966;

BodySettings& addFloor(Description& d, double tilt = 0.0) {
  BodySettings floor;
  floor.motion = BodyMotion::fixed;
  floor.orientation = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
  floor.shapes.emplace_back().type = ShapeType::halfSpace;
  return d.bodies.emplace_back("floor", floor).second;
}

/// A cylinder that lies along y.
BodySettings& addRoller(Description& d, double radius, double length, Vec3 position) {
  BodySettings b;
  b.position = position;
  b.mass = 1.0;
  ShapeSettings& s = b.shapes.emplace_back();
  s.type = ShapeType::cylinder;
  s.radius = radius;
  s.length = length;
  s.orientation = Quat(Eigen::AngleAxisd(right, Vec3::UnitX()));
  return d.bodies.emplace_back("roller", b).second;
}

BodySettings& addCrate(Description& d, const std::string& name, double edge, double mass, Vec3 position) {
  BodySettings b;
  b.position = position;
  b.mass = mass;
  ShapeSettings& s = b.shapes.emplace_back();
  s.type = ShapeType::box;
  s.size = Vec3::Constant(edge);
  return d.bodies.emplace_back(name, b).second;
}

TEST(Rolling, ACylinderOfAnyProportionsRunsDownASlopeWithTwoThirdsOfGSine) {
  const double tilt = 0.17453292519943295, dt = 1.0 / 240;
  for (const double length : {0.02, 0.2, 2.0}) {
    Description d = heavy(dt, 9.81);
    addFloor(d, tilt);
    addRoller(d, 0.1, length, 0.1 * Vec3(std::sin(tilt), 0, std::cos(tilt)));
    World w = make(d);
    run(w, 2.0);
    const double speed = std::hypot(measure(w, "bodies.roller.velocity.x"), measure(w, "bodies.roller.velocity.z"));
    EXPECT_NEAR(speed, 2.0 / 3.0 * 9.81 * std::sin(tilt) * 2.0, 0.01 * speed) << length;
    EXPECT_NEAR(measure(w, "energy.drift"), 0.0, 1e-6) << length;
    EXPECT_EQ(measure(w, "health.unconverged"), 0) << length;
  }
}

TEST(Rolling, AWheelThatTurnsHalfARadianAStepKeepsItsSpeedAndNeverSinks) {
  for (const double turn : {0.05, 0.2, 0.5}) {
    const double dt = 1.0 / 240, rate = turn / dt;
    Description d = heavy(dt, 9.81);
    addFloor(d);
    BodySettings& b = addRoller(d, 0.3, 0.3, Vec3(0, 0, 0.3));
    b.velocity = Vec3(0.3 * rate, 0, 0);
    b.angularVelocity = Vec3(0, rate, 0);
    World w = make(d);
    double lowest = 1.0;
    for (int i = 0; i < 480; ++i) {
      ASSERT_TRUE(w.step().good);
      lowest = std::min(lowest, measure(w, "bodies.roller.position.z"));
    }
    EXPECT_GT(lowest, 0.3 - 1e-8) << turn;
    EXPECT_NEAR(measure(w, "bodies.roller.velocity.x") / (0.3 * rate), 1.0, 1e-4) << turn;
  }
}

TEST(Rolling, ABoxStaysOnACylinderThatSpinsUnderItWithoutFriction) {
  Description d = heavy(1.0 / 60, 9.81);
  BodySettings& drum = addRoller(d, 0.3, 1.0, Vec3(0, 0, 1));
  drum.motion = BodyMotion::kinematic;
  drum.friction = 0.0;
  drum.prescribed.emplace();
  drum.prescribed->about = Vec3::UnitY();
  drum.prescribed->turn.rate = 20.0;
  BodySettings& crate = addCrate(d, "crate", 0.1, 1.0, Vec3(0, 0, 1.35));
  crate.friction = 0.0;
  d.joints.emplace_back("guide", joint(JointType::slider, "world", "crate", Vec3(0, 0, 1.35)));
  d.joints.back().second.axis = Vec3::UnitZ();
  World w = make(d);
  run(w, 3.0);
  EXPECT_NEAR(measure(w, "bodies.crate.position.z"), 1.35, 1e-8);
}

TEST(Bounce, WithRestitutionOneKeepsItsEnergyFor20Seconds) {
  for (const double dt : {1.0 / 60, 1.0 / 240}) {
    Description d = heavy(dt, 9.81);
    addFloor(d).restitution = 1.0;
    BodySettings ball;
    ball.position = Vec3(0, 0, 1);
    ball.restitution = 1.0;
    ball.shapes.emplace_back().radius = 0.1;
    d.bodies.emplace_back("ball", ball);
    World w = make(d);
    run(w, 20.0);
    EXPECT_NEAR(measure(w, "energy.total") / measure(w, "energy.start"), 1.0, 1e-6) << dt;
  }
}

TEST(Stack, AHeavyBoxOnALightOneStandsUpToARatioOfATrillion) {
  for (const double ratio : {1e3, 1e6, 1e9, 1e12}) {
    Description d = heavy(1.0 / 240, 9.81);
    addFloor(d);
    addCrate(d, "light", 1.0, 1.0, Vec3(0, 0, 0.5));
    addCrate(d, "heavy", 1.0, ratio, Vec3(0, 0, 1.5));
    World w = make(d);
    run(w, 1.0);
    EXPECT_NEAR(measure(w, "bodies.light.position.z"), 0.5, 1e-8) << ratio;
    EXPECT_NEAR(measure(w, "bodies.heavy.position.z"), 1.5, 1e-8) << ratio;
    EXPECT_EQ(measure(w, "health.unconverged"), 0) << ratio;
  }
}

TEST(Heap, TenBoxesDroppedOnEachOtherComeToRestAndEveryStepConverges) {
  Description d = heavy(1.0 / 240, 9.81);
  addFloor(d);
  for (int i = 0; i < 10; ++i)
    addCrate(d, "crate" + std::to_string(i), 0.2, 8.0, Vec3(0.02 * (i % 3), 0.015 * (i % 2), 0.11 + 0.22 * i));
  World w = make(d);
  run(w, 2.0);
  EXPECT_EQ(measure(w, "health.unconverged"), 0);
  EXPECT_LT(measure(w, "energy.kinetic"), 1e-6);
  EXPECT_LT(measure(w, "health.worst_error"), 1e-6);
}

TEST(Overlap, BallsPlacedInEachOtherPartSlowlyAndGainNoSpeed) {
  Description d = still(1.0 / 240);
  for (const char* name : {"a", "b"}) {
    BodySettings ball;
    ball.mass = 1.0;
    ball.position = Vec3(name[0] == 'a' ? 0.0 : 0.05, 0, 0);
    ball.shapes.emplace_back().radius = 0.1;
    d.bodies.emplace_back(name, ball);
  }
  World w = make(d);
  double most = 0.0;
  for (int i = 0; i < 480; ++i) {
    ASSERT_TRUE(w.step().good);
    most = std::max(most, measure(w, "energy.kinetic"));
  }
  EXPECT_NEAR(measure(w, "bodies.b.position.x") - measure(w, "bodies.a.position.x"), 0.2, 1e-4);
  EXPECT_LT(most, 1e-6);
}

}  // namespace
}  // namespace reeve::test
