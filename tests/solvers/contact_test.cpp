// Contacts: round bodies roll as the closed form says, heaps settle, and light bodies bear heavy ones.
#include "support/scenes.h"

namespace reeve::test {
namespace {

ShapeSettings lyingCylinder(double radius, double length) {
  ShapeSettings s;
  s.type = ShapeType::cylinder;
  s.radius = radius;
  s.length = length;
  s.orientation = Quat(Eigen::AngleAxisd(0.5 * 3.14159265358979323846, Vec3::UnitX()));
  return s;
}

TEST(Rolling, ACylinderOfAnyProportionsGoesDownASlopeAtTwoThirdsOfGSine) {
  for (const double length : {0.01, 0.2, 2.0})
    for (const double dt : {1.0 / 240, 1.0 / 60}) {
      const double angle = 0.2;
      Description d = heavy(dt);
      d.settings.gravity = Vec3(10 * std::sin(angle), 0, -10 * std::cos(angle));
      d.bodies.emplace_back("ground", ground());
      BodySettings can;
      can.position = Vec3(0, 0, 0.1);
      can.shapes.push_back(lyingCylinder(0.1, length));
      d.bodies.emplace_back("can", can);
      World w = make(std::move(d));
      double lowest = 1.0;
      while (w.time() < 1.5) {
        w.step();
        lowest = std::min(lowest, measure(w, "bodies.can.position.z"));
      }
      const double speed = 10 * std::sin(angle) * w.time() * 2 / 3;
      EXPECT_NEAR(measure(w, "bodies.can.velocity.x") / speed, 1.0, 1e-3) << length << " " << dt;
      EXPECT_GT(lowest, 0.1 - 1e-6);
    }
}

TEST(Rolling, HalfARadianAStepLosesNothing) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("ground", ground());
  BodySettings wheel;
  wheel.position = Vec3(0, 0, 0.3);
  wheel.shapes.push_back(lyingCylinder(0.3, 0.1));
  wheel.velocity = Vec3(36, 0, 0);
  wheel.angularVelocity = Vec3(0, 120, 0);
  d.bodies.emplace_back("wheel", wheel);
  World w = make(std::move(d));
  const double before = measure(w, "energy.kinetic");
  run(w, 2.0);
  EXPECT_NEAR(measure(w, "energy.kinetic") / before, 1.0, 1e-6);
  EXPECT_NEAR(measure(w, "bodies.wheel.position.x"), 72.0, 1e-3);
  EXPECT_NEAR(measure(w, "bodies.wheel.position.z"), 0.3, 1e-6);
}

TEST(Heap, OfTwelveBoxesSettlesWithEveryStepConverged) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("ground", ground());
  for (int i = 0; i < 12; ++i) {
    BodySettings b;
    b.position = Vec3(0.15 * (i % 3) + 0.02 * (i % 5), 0.03 * (i % 4), 0.16 + 0.32 * i);
    b.shapes.push_back(box(Vec3(0.4, 0.3, 0.3)));
    d.bodies.emplace_back("box" + std::to_string(i), b);
  }
  World w = make(std::move(d));
  const double before = measure(w, "energy.total");
  run(w, 2.0);
  EXPECT_TRUE(w.verdict().good);
  EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
  EXPECT_LE(measure(w, "energy.total"), before);
  for (int i = 0; i < 12; ++i) EXPECT_GT(measure(w, "bodies.box" + std::to_string(i) + ".position.z"), 0.14);
}

TEST(Heap, OfTurnedBoxesComesToRestAndThenTakesOneLookAStep) {
  // Two turned faces overlap in eight corners; if four others were chosen in every step, it would stay astir for ever.
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("ground", ground());
  for (int i = 0; i < 8; ++i) {
    BodySettings b;
    b.position = Vec3(0.015 * (i % 3 - 1), 0.01 * (i % 2), 0.2 + 0.41 * i);
    b.orientation = Quat(Eigen::AngleAxisd(0.12 * i, Vec3::UnitZ()));
    b.shapes.push_back(box(Vec3(0.4, 0.4, 0.4)));
    d.bodies.emplace_back("box" + std::to_string(i), b);
  }
  World w = make(std::move(d));
  run(w, 1.5);
  for (int step = 0; step < 60; ++step) {
    w.step();
    const Observation o = w.observe();
    EXPECT_LE(o.health.iterations, 1) << step;
    for (const auto& [name, body] : o.bodies) EXPECT_LT(body.velocity.norm(), 1e-6) << name;
  }
  EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
}

TEST(Stack, ALightBoxBearsOneAMillionTimesAsHeavy) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("ground", ground());
  for (int i = 0; i < 2; ++i) {
    BodySettings b;
    b.mass = i == 0 ? 1e-3 : 1e3;
    b.position = Vec3(0, 0, 0.1 + 0.2 * i);
    b.shapes.push_back(box(Vec3(0.2, 0.2, 0.2)));
    d.bodies.emplace_back(i == 0 ? "light" : "heavy", b);
  }
  World w = make(std::move(d));
  run(w, 2.0);
  EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
  EXPECT_NEAR(measure(w, "bodies.light.position.z"), 0.1, 1e-6);
  EXPECT_NEAR(measure(w, "bodies.heavy.position.z"), 0.3, 1e-6);
}

}  // namespace
}  // namespace reeve::test
