// Hoist cables on wheels that they turn, closed, in frames that move, and wherever the origin is.
#include "cables/hoist_scenes.h"

namespace reeve::test {
namespace {

constexpr double earth = 9.81;

TEST(HoistWheels, aCableThatHoldsTurnsTheWheelAndFeelsItsInertia) {
  for (const double mass : {0.0, 0.02}) {
    Description d = heavy(1.0 / 500, earth);
    const double r = 0.2, inertia = 0.3;
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), r, inertia));
    d.bodies.emplace_back("a", rigid(4.0, Vec3::Constant(0.1), Vec3(-r, 0, -3)));
    d.bodies.emplace_back("b", rigid(6.0, Vec3::Constant(0.1), Vec3(r, 0, -3)));
    CableSettings c = hoist(mass, 1e6);
    c.material.damping = 0.01;
    c.route = {hoistEnd("a"), rollOver("wheel", 1), hoistEnd("b")};
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 0.8);
    const double rope = mass * (6.0 + M_PI * r), a = 2.0 * earth / (10.0 + inertia / (r * r) + rope);
    EXPECT_NEAR((-3 - measure(w, "bodies.b.position.z")) / (0.5 * a * 0.64), 1.0, 4e-3) << mass;
    EXPECT_NEAR(measure(w, "rotors.wheel.angle") * r / (0.5 * a * 0.64), 1.0, 4e-3) << mass;
    EXPECT_EQ(w.observe().cables[0].second.links[1].mode, "rolling");
  }
}

TEST(HoistWheels, aClosedCableIsABelt) {
  // 5 N m turn the small wheel, a brake of 7.4 N m the large one: T₁ − T₂ = 5/r₁ when they go evenly.
  Description d = still(1.0 / 240);
  const double r1 = 0.1, r2 = 0.37;
  d.rotors.emplace_back("small", wheelAt(Vec3(-1, 0, 0), r1, 0.01));
  d.rotors.emplace_back("large", wheelAt(Vec3(1, 0, 0.2), r2, 0.2));
  addMotor(d, "small", DriveType::velocity, ramp({{0, 0}, {1, 30}, {100, 30}}));
  d.rotors.back().second.damping = 0.5;
  CableSettings c = hoist(0.0, 1e5);
  c.route = {rollOver("small", 1, 0.0), rollOver("large", 1)};
  c.closed = true;
  c.tension = 300.0;
  {
    Description free = d;
    CableSettings c = hoist(0.1, 1e5);
    c.route = {rollOver("small", 1, 0.0), rollOver("large", 1, 0.0)};
    c.closed = true;
    free.cables.emplace_back("belt", c);
    const auto refused = World::build(free);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().path, "/cables/belt/closed");
  }
  for (LinkSettings& l : c.route) l.friction = unbounded;
  d.cables.emplace_back("belt", c);
  World w = make(d);
  const double length = measure(w, "cables.belt.length");
  run(w, 10.0);
  const double angle = measure(w, "rotors.small.angle");
  EXPECT_GT(angle, 200.0);
  EXPECT_NEAR(measure(w, "rotors.large.angle") / angle / (r1 / r2), 1.0, 1e-3);
  const Observation o = w.observe();
  const CableObservation& belt = o.cables[0].second;
  ASSERT_EQ(belt.links.size(), 2u);
  ASSERT_EQ(belt.spans.size(), 2u);
  EXPECT_EQ(belt.spans[1].to, "small");
  EXPECT_NEAR(belt.length, length, 1e-9);
  const double brake = 0.5 * measure(w, "rotors.large.rate");
  EXPECT_NEAR(std::fabs(belt.spans[0].tension - belt.spans[1].tension), brake / r2, 0.01 * brake / r2);
  EXPECT_NEAR(0.5 * (belt.spans[0].tension + belt.spans[1].tension), 300.0, 3.0);
}

TEST(HoistWheels, aCableThrownFastMovesAsOneThrownSlowly) {
  const auto thrown = [](double speed) {
    Description d = still(1.0 / 240);
    for (const int e : {0, 1}) {
      BodySettings b = rigid(e == 0 ? 2.0 : 1.0, Vec3::Constant(0.008), Vec3(2.0 * e - 1.0, 0, 0));
      b.velocity = Vec3(0, 0, speed + (e == 0 ? 3.0 : -3.0));
      b.angularVelocity = Vec3(0, 3, 0);
      d.bodies.emplace_back(e == 0 ? "a" : "b", b);
    }
    CableSettings c = hoist(0.3, unbounded);
    c.route = {hoistEnd("a"), hoistEnd("b")};
    d.cables.emplace_back("c", c);
    World w = make(d);
    const double start = measure(w, "energy.total");
    run(w, 2.0);
    EXPECT_NEAR(measure(w, "energy.total") / start, 1.0, 2e-3) << speed;
    return Vec3(measure(w, "bodies.a.position.x"), 0.0, measure(w, "bodies.a.position.z") - 2.0 * speed);
  };
  // Rounding of 100 m grows along a motion that is not chaotic.
  EXPECT_LT((thrown(50.0) - thrown(0.0)).norm(), 1e-6);
}

TEST(HoistWheels, aCordIsStretchedByWhatItWeighsUnstretchedAndBouncesWithAThirdOfItsMass) {
  const auto cord = [](double length, double axial, double gravity, double dt) {
    Description d = heavy(dt, gravity);
    d.bodies.emplace_back("w", rigid(1.0, Vec3::Constant(0.004), Vec3(0, 0, -length)));
    CableSettings c = hoist(0.5, axial);
    c.route = {hoistEnd("world"), hoistEnd("w")};
    d.cables.emplace_back("c", c);
    return d;
  };
  Description d = cord(3.0, 200.0, earth, 1.0 / 120);
  d.bodies[0].second.drag = 1.0;
  d.cables[0].second.material.damping = 0.05;
  World rests = make(d);
  run(rests, 12.0);
  EXPECT_NEAR(-3 - measure(rests, "bodies.w.position.z"), (1.0 + 0.75) * earth * 3.0 / 200.0, 1e-3);
  // ω = √(EA/L/(M + m/3)): the first mode of the whole is 0.2 % lower.
  World swings = make(cord(2.0, 5000.0, 2.0, 1.0 / 4000));
  double last = -2.0, first = 0.0, crossings = 0.0, time = 0.0;
  const double middle = -2.0 - (1.0 + 0.5) * 2.0 * 2.0 / 5000.0;
  while (swings.time() < 1.0) {
    ASSERT_TRUE(swings.step().good);
    const double z = measure(swings, "bodies.w.position.z");
    if (last > middle && z <= middle) {
      time = swings.time();
      if (crossings == 0.0) first = time;
      crossings += 1.0;
    }
    last = z;
  }
  const double omega = 2 * M_PI * (crossings - 1.0) / (time - first), wanted = std::sqrt(2500.0 / (1.0 + 1.0 / 3.0));
  EXPECT_NEAR(omega / wanted, 1.0, 5e-3);
}

TEST(HoistWheels, energiesDoNotHangOnWhereTheOriginIs) {
  const auto lifted = [](double height) {
    Description d = heavy(1.0 / 240, earth);
    d.rotors.emplace_back("drum", wheelAt(Vec3(0, 0, height), 0.1, 0.05));
    d.rotors.emplace_back("wheel", wheelAt(Vec3(2, 0, height), 0.1, 0.05));
    d.bodies.emplace_back("load", rigid(10.0, Vec3::Constant(0.1), Vec3(2.1, 0, height - 8.0)));
    CableSettings c = hoist(0.4, 1e5);
    c.material.damping = 0.01;
    c.route = {woundOn("drum", 1, 3.0), rollOver("wheel", 1), hoistEnd("load")};
    d.cables.emplace_back("c", c);
    addMotor(d, "drum", DriveType::velocity, ramp({{0, 0}, {1, -5}, {4, -5}, {5, 0}, {9, 0}}));
    World w = make(d);
    const double start = measure(w, "energy.potential"), total = measure(w, "energy.total");
    run(w, 6.0);
    EXPECT_NEAR(measure(w, "energy.total") - total, measure(w, "motors.motor of drum.work"), 2.0) << height;
    return measure(w, "energy.potential") - start;
  };
  const double low = lifted(0.0);
  EXPECT_GT(low, 150.0);
  EXPECT_NEAR(lifted(100.0), low, 1e-3 * low);
}

}  // namespace
}  // namespace reeve::test
