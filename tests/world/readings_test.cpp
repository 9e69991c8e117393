// Arrays, rates, moment arms, forces before the first step; batches.
#include <cmath>
#include <fstream>

#include "reeve/model/state.h"
#include "reeve/world/batch.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

/// A load on a rope over a wheel to a second load: an Atwood machine, 3 kg and 1 kg, wheel of 0.1 m and 0.02 kg m².
Description atwoodScene() {
  Description d = heavy(1.0 / 480);
  d.bodies.emplace_back("heavy", rigid(3, Vec3(1, 1, 1), Vec3(-0.1, 0, -1)));
  d.bodies.emplace_back("light", rigid(1, Vec3(1, 1, 1), Vec3(0.1, 0, -2)));
  RotorSettings wheel;
  wheel.radius = 0.1;
  wheel.inertia = 0.02;
  wheel.friction = 1e-12;
  d.rotors.emplace_back("wheel", wheel);
  CableSettings c;
  c.route.resize(3);
  c.route[0].on = "heavy";
  c.route[1].type = LinkType::roll;
  c.route[1].on = "wheel";
  c.route[2].on = "light";
  d.cables.emplace_back("rope", c);
  MotorSettings m;
  m.on = "wheel";
  m.drive = DriveType::force;
  d.motors.emplace_back("drive", m);
  return d;
}
const double atwood = 10.0 * 2 / (4 + 0.02 / 0.01);  // m/s²

TEST(Readings, ForcesBeforeTheFirstStepAreThoseThatAct) {
  World w = make(atwoodScene());
  const std::uint64_t before = w.hash();
  EXPECT_NEAR(w.tensions()[0], 3 * (10 - atwood), 1e-9);
  EXPECT_NEAR(w.tensions()[1], 1 * (10 + atwood), 1e-9);
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension"), 3 * (10 - atwood), 1e-9);
  EXPECT_NEAR(cableOf(w).spans[1].tension, 1 * (10 + atwood), 1e-9);
  EXPECT_EQ(w.hash(), before) << "to look changes nothing";
  // A command tells at once: held by the motor the wheel's two sides differ by its torque over the radius.
  ASSERT_TRUE(w.command(*w.motor("drive"), 2.0));
  const double a = (20 + 2.0 / 0.1) / 6.0, b = (20 - 2.0 / 0.1) / 6.0;  // it helps or hinders
  EXPECT_LT(std::fmin(std::fabs(w.tensions()[0] - 3 * (10 - a)), std::fabs(w.tensions()[0] - 3 * (10 - b))), 1e-9);
}

TEST(Readings, ArraysAreViewsInAStableOrderWithNames) {
  World w = make(atwoodScene());
  const auto names = w.names(Reading::positions);
  const auto positions = w.positions();
  ASSERT_EQ(names.size(), positions.size());
  ASSERT_EQ(w.names(Reading::velocities).size(), w.velocities().size());
  const auto z = static_cast<std::size_t>(std::ranges::find(names, "bodies.heavy.center.z") - names.begin());
  run(w, 0.25);
  EXPECT_EQ(positions[z], measure(w, "bodies.heavy.position.z")) << "the view has followed";
  EXPECT_EQ(positions.data(), w.positions().data());
  EXPECT_EQ(w.names(Reading::tensions)[1], "cables.rope.spans.1");
  EXPECT_NEAR(w.lengths()[0] + w.lengths()[1], 3.0, 1e-9);
}

TEST(Readings, RatesOfLengthsAreThoseOfTheMotion) {
  World w = make(atwoodScene());
  run(w, 0.25);
  const double speed = atwood * 0.25;
  EXPECT_NEAR(w.lengthRates()[0], speed, 1e-7);
  EXPECT_NEAR(w.lengthRates()[1], -speed, 1e-7);
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.length_rate"), speed, 1e-7);
  EXPECT_NEAR(measure(w, "cables.rope.path_rate"), 0.0, 1e-9);
  // Against the difference of two steps where tangents slide over the wheel: both are of second order in the step.
  const auto mismatch = [](double dt) {
    Description d = atwoodScene();
    d.settings.dt = dt;
    World swing = make(d);
    EXPECT_TRUE(swing.push(*swing.body("light"), {.force = Vec3(15, 0, 0), .held = true}));
    run(swing, 0.25);
    const double before = swing.lengths()[1];
    swing.step();
    const double rate = swing.lengthRates()[1];
    swing.step();
    return std::fabs(rate - (swing.lengths()[1] - before) / (2 * dt));
  };
  EXPECT_LT(mismatch(1.0 / 480), 2e-4);
  EXPECT_LT(mismatch(1.0 / 1920), mismatch(1.0 / 480) / 8);
}

TEST(Readings, MomentArmsAreTheGradientOfTheLength) {
  // A tendon from the ground over nothing to a forearm on a hinge: the arm is that of the closed form.
  Description d = still(1.0 / 240);
  d.bodies.emplace_back("arm", rigid(1, Vec3(0.1, 0.1, 0.1), Vec3(0.5, 0, 0)));
  d.joints.emplace_back("elbow", joint(JointType::hinge, "world", "arm", Vec3::Zero()));
  CableSettings c;
  c.route.resize(2);
  c.route[0].point = Vec3(-0.3, 0, 0.4);
  c.route[1].on = "arm";
  c.route[1].point = Vec3(-0.2, 0, 0.05);
  d.cables.emplace_back("tendon", c);
  World w = make(d);
  const auto arm = w.momentArm(*w.cable("tendon"), *w.joint("elbow"));
  ASSERT_TRUE(arm);
  const auto length = [](double q) {  // the hinge turns about y: x' = x cos q + z sin q, z' = −x sin q + z cos q
    const double x = 0.3 * std::cos(q) + 0.05 * std::sin(q), z = -0.3 * std::sin(q) + 0.05 * std::cos(q);
    return std::hypot(x + 0.3, z - 0.4);
  };
  EXPECT_NEAR(*arm, (length(1e-6) - length(-1e-6)) / 2e-6, 1e-9);
}

TEST(Readings, DisplacementsAreWhatAnEditPutsThere) {
  World w = make(atwoodScene()), other = make(atwoodScene());
  const State before = w.state();
  const Pose turned{Vec3(0.1, 0.3, -2), Quat(rotationExp(Vec3(0.1, -0.2, 0.3)))};
  ASSERT_TRUE(w.apply(Edit().pose(*w.body("light"), turned), Fit::project));
  const auto moved = w.displacement(before);
  ASSERT_TRUE(moved);
  const auto names = w.names(Reading::velocities);
  ASSERT_EQ(moved->size(), names.size());
  const auto of = [&](const std::string& name) {
    return (*moved)[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
  };
  EXPECT_NEAR(of("bodies.light.angular_velocity.x"), 0.1, 1e-12);
  EXPECT_NEAR(of("bodies.light.angular_velocity.y"), -0.2, 1e-12);
  EXPECT_NEAR(of("bodies.light.velocity.y"), measure(w, "bodies.light.position.y"), 1e-12);
  EXPECT_GT(of("bodies.light.velocity.y"), 0.2);
  EXPECT_FALSE(w.displacement(make(still(0.01)).state()));
}

TEST(Readings, PowerOfAMotorIsForceTimesRate) {
  World w = make(atwoodScene());
  ASSERT_TRUE(w.command(*w.motor("drive"), 0.5));
  run(w, 0.25);
  EXPECT_NEAR(measure(w, "motors.drive.power"), 0.5 * measure(w, "rotors.wheel.rate"), 1e-9);
  EXPECT_NEAR(w.read(Reading::motorPowers)[0], measure(w, "motors.drive.power"), 0.0);
}

TEST(BatchOfWorlds, EqualsSingleWorldsBitForBit) {
  auto batch = Batch::build(atwoodScene(), 7);
  ASSERT_TRUE(batch);
  const double masses[] = {1, 1.5, 2, 2.5, 3, 3.5, 4};
  ASSERT_TRUE(batch->expand("bodies.light.mass", masses));
  const auto height = batch->bind("bodies.light.position.z");
  const auto command = batch->bind("commands");
  ASSERT_TRUE(height && command);
  command->at(3, 0) = 0.25;
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(batch->step().value());
  for (std::size_t i = 0; i < 7; ++i) {
    World single = make(atwoodScene());
    ASSERT_TRUE(single.set(*single.parameter("bodies.light.mass"), masses[i]));
    if (i == 3) {
      ASSERT_TRUE(single.command(*single.motor("drive"), 0.25));
    }
    for (int k = 0; k < 60; ++k) single.step();
    EXPECT_EQ((*batch)[i].hash(), single.hash()) << i;
    EXPECT_EQ(height->at(i, 0), measure(single, "bodies.light.position.z"));
  }
  const std::uint8_t mask[] = {1, 0, 0, 0, 0, 0, 0};
  ASSERT_TRUE(batch->reset(mask));
  EXPECT_EQ(height->at(0, 0), -2.0);
  EXPECT_NE(height->at(1, 0), -2.0);
  EXPECT_EQ((*batch)[1].get(*(*batch)[1].parameter("bodies.light.mass")), 1.5) << "expanded values stay";
}

TEST(BatchOfWorlds, ForwardShowsWhatWasSetWithoutAStep) {
  auto batch = Batch::build(atwoodScene(), 3);
  ASSERT_TRUE(batch);
  const auto height = batch->bind("bodies.light.position.z");
  ASSERT_TRUE(height);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE((*batch)[1].step().good);
  EXPECT_EQ(height->at(1, 0), -2.0);
  const std::uint8_t others[] = {1, 0, 1}, all[] = {1, 1, 1}, wrong[] = {1};
  ASSERT_TRUE(batch->forward(others));
  EXPECT_EQ(height->at(1, 0), -2.0);
  ASSERT_TRUE(batch->forward(all));
  EXPECT_EQ(height->at(1, 0), measure((*batch)[1], "bodies.light.position.z"));
  EXPECT_FALSE(batch->forward(wrong));
}

TEST(BatchOfWorlds, LinearisesEveryWorldAsItWouldAlone) {
  auto batch = Batch::build(atwoodScene(), 3);
  ASSERT_TRUE(batch);
  const double masses[] = {1, 2, 3};
  ASSERT_TRUE(batch->expand("bodies.light.mass", masses));
  const std::vector<std::string> in{"bodies.light.force.x"}, out{"bodies.light.position.x"};
  const auto systems = batch->linearise(in, out);
  ASSERT_TRUE(systems) << systems.error().reason;
  ASSERT_EQ(systems->size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ((*systems)[i].B.numbers, (*batch)[i].linearise(in, out)->B.numbers) << i;
  EXPECT_NE((*systems)[0].B.numbers, (*systems)[2].B.numbers);
  const std::vector<std::string> nobody{"bodies.nobody.force.z"};
  EXPECT_NE(batch->linearise(nobody, out).error().reason.find("of world 0"), std::string::npos);
}

TEST(BatchOfWorlds, ABuiltAndDroppedThousandLeavesNothing) {
#ifdef __has_feature
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer keeps what is freed for a while, and finds leaks itself";
#endif
#endif
  const auto resident = [] {
    std::ifstream file("/proc/self/statm");
    long size = 0, pages = 0;
    file >> size >> pages;
    return pages * 4;  // kB
  };
  const auto build = [](int count) {
    for (int i = 0; i < count; ++i) make(atwoodScene()).step();
  };
  build(300);
  const long before = resident();
  build(1500);
  EXPECT_LT(resident() - before, 1000);  // a world has some tens of kB
}

TEST(BatchOfWorlds, RefusesWrongShapesByName) {
  auto batch = Batch::build(atwoodScene(), 3);
  ASSERT_TRUE(batch);
  const double two[] = {1, 2}, bad[] = {1, -1, 1};
  EXPECT_NE(batch->expand("bodies.light.mass", two).error().reason.find("2 values for 3 worlds"), std::string::npos);
  EXPECT_NE(batch->expand("bodies.light.mass", bad).error().reason.find("value 1"), std::string::npos);
  const std::uint8_t mask[] = {1};
  EXPECT_FALSE(batch->step(mask));
  EXPECT_FALSE(batch->bind("nothing"));
  const auto commands = batch->bind("commands");
  ASSERT_TRUE(commands);
  commands->at(2, 0) = INFINITY;
  const auto infinite = batch->step();
  ASSERT_FALSE(infinite);
  EXPECT_NE(infinite.error().reason.find("'drive' in world 2"), std::string::npos) << infinite.error().reason;
  EXPECT_FALSE(Batch::build(atwoodScene(), 0));
}

}  // namespace
}  // namespace reeve::test
