// Worlds that programs drive: commands, pushes, brakes, releases, numbers that change, clones, states as values.
#include <chrono>
#include <cmath>

#include "reeve/cables/cable.h"
#include "reeve/model/state.h"
#include "support/allocations.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

/// A drum of 0.2 m winds a rope with a load of 100 kg; it has a brake, and a motor that stands.
Description winchScene(DriveType drive = DriveType::velocity) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("load", rigid(100, Vec3(4, 4, 4), Vec3(0.2, 0, 1)));
  RotorSettings drum;
  drum.position = Vec3(0, 0, 4);
  drum.radius = 0.2;
  drum.inertia = 0.4;
  drum.brake = 1e4;
  d.rotors.emplace_back("drum", drum);
  MotorSettings m;
  m.on = "drum";
  m.drive = drive;
  d.motors.emplace_back("winch", m);
  CableSettings c;
  c.route.resize(2);
  c.route[0].type = LinkType::spool;
  c.route[0].on = "drum";
  c.route[0].stored = 3.0;
  c.route[1].on = "load";
  d.cables.emplace_back("rope", c);
  return d;
}

Description ball(double dt, Vec3 position = Vec3::Zero()) {
  Description d = still(dt);
  d.bodies.emplace_back("ball", rigid(2, Vec3(0.1, 0.1, 0.1), position));
  return d;
}

void released(World& w) { ASSERT_TRUE(w.brake(*w.rotor("drum"), false)); }

TEST(Control, ACommandedMotorLiftsByWhatItWindsOn) {
  World w = make(winchScene());
  released(w);
  ASSERT_TRUE(w.command(*w.motor("winch"), -2.0));
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), 1.4, 1e-7);  // 2 rad of 0.2 m
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension"), 1000.0, 1e-5);
  ASSERT_TRUE(w.command(*w.motor("winch"), 0.0));
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), 1.4, 1e-6);
}

TEST(Control, AMotorWithAGainSlipsByLoadOverGain) {
  World w = make(winchScene());
  released(w);
  // A velocity servo: torque = gain (target − rate), here 200 N m against the weight at 0.2 m.
  ASSERT_TRUE(w.command(*w.motor("winch"), {.target = 0.0, .gain = 1000.0}));
  run(w, 3.0);
  EXPECT_NEAR(measure(w, "rotors.drum.rate"), 0.2, 1e-7);
  ASSERT_TRUE(w.command(*w.motor("winch"), {.target = 0.0, .limit = 100.0}));
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "motors.winch.force"), -100.0, 1e-9);
  ASSERT_TRUE(w.release(*w.motor("winch")));  // rigid again, and as strong as in the scene
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "rotors.drum.rate"), 0.0, 1e-9);
}

TEST(Control, ABrakeHoldsAndLetsGo) {
  World w = make(winchScene(DriveType::force));
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), 1.0, 1e-9);
  released(w);
  const double t = 0.5;
  run(w, t);
  const double a = 10.0 * 100 / (100 + 0.4 / (0.2 * 0.2));  // the drum's inertia at its radius
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), 1.0 - 0.5 * a * t * t, 1e-6);
  ASSERT_TRUE(w.brake(*w.rotor("drum"), true));
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "bodies.load.velocity.z"), 0.0, 1e-9);
}

TEST(Control, APushForOneStepGivesItsWholeImpulseInThatStep) {
  World w = make(ball(0.01));
  const auto b = *w.body("ball");
  run(w, 0.05);
  ASSERT_TRUE(w.push(b, {.force = Vec3(3, 0, 0), .torque = Vec3(0, 0, 0.2)}));
  w.step();
  EXPECT_NEAR(measure(w, "bodies.ball.velocity.x"), 3 * 0.01 / 2, 1e-15);
  EXPECT_NEAR(measure(w, "bodies.ball.angular_velocity.z"), 0.2 * 0.01 / 0.1, 1e-14);
  run(w, 0.1);
  EXPECT_NEAR(measure(w, "bodies.ball.velocity.x"), 3 * 0.01 / 2, 1e-14);
  // Two pushes of one step add up; at the first step of a world too.
  w.reset();
  ASSERT_TRUE(w.push(b, {.force = Vec3(3, 0, 0)}));
  ASSERT_TRUE(w.push(b, {.force = Vec3(1, 0, 0)}));
  w.step();
  EXPECT_NEAR(measure(w, "bodies.ball.velocity.x"), 4 * 0.01 / 2, 1e-15);
}

TEST(Control, APushThatIsHeldActsUntilChangedAtItsPoint) {
  World w = make(ball(1e-3));
  const auto b = *w.body("ball");
  ASSERT_TRUE(w.push(b, {.force = Vec3(0, 4, 0), .at = Vec3(0.5, 0, 0), .held = true, .follows = true}));
  run(w, 0.1);
  EXPECT_NEAR(measure(w, "bodies.ball.angular_velocity.z"), 0.5 * 4 * 0.1 / 0.1, 1e-9);
  ASSERT_TRUE(w.push(b, {.held = true}));
  const double rate = measure(w, "bodies.ball.angular_velocity.z");
  run(w, 0.1);
  EXPECT_NEAR(measure(w, "bodies.ball.angular_velocity.z"), rate, 1e-9);
  EXPECT_TRUE(w.state().pushes.empty());
}

TEST(Control, ACableReeledAtARateLiftsAtThatRate) {
  for (const CableModel model : {CableModel::joints, CableModel::hoist}) {
    Description d = heavy(1.0 / 240);
    d.bodies.emplace_back("load", rigid(10, Vec3(1, 1, 1), Vec3(0, 0, -2)));
    CableSettings c;
    c.model = model;
    c.route.resize(2);
    c.route[1].on = "load";
    c.material.axial = 1e7;
    c.material.damping = 0.01;
    d.cables.emplace_back("rope", c);
    World w = make(d);
    run(w, 0.25);
    const double before = measure(w, "bodies.load.position.z");
    ASSERT_TRUE(w.reel(*w.cable("rope"), CableEnd::first, -0.4));
    run(w, 1.0);
    EXPECT_NEAR(measure(w, "bodies.load.position.z"), before + 0.4, 1e-4);  // EA gives by less
    EXPECT_NEAR(measure(w, "bodies.load.velocity.z"), 0.4, 1e-3);
    ASSERT_TRUE(w.reel(*w.cable("rope"), CableEnd::first, 0.0));
    run(w, 0.5);
    EXPECT_NEAR(measure(w, "cables.rope.length"), 2.0 - 0.4, 1e-6);
  }
}

TEST(Control, AReleasedJointAndARopeEndLetTheirLoadsFall) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("box", rigid(3, Vec3(1, 1, 1)));
  d.joints.emplace_back("grip", joint(JointType::fixed, "world", "box", Vec3::Zero()));
  d.bodies.emplace_back("load", rigid(3, Vec3(1, 1, 1), Vec3(1, 0, -1)));
  CableSettings c;
  c.route.resize(2);
  c.route[0].point = Vec3(1, 0, 0);
  c.route[1].on = "load";
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, 0.25);
  ASSERT_TRUE(w.release(*w.joint("grip")));
  ASSERT_TRUE(w.release(*w.cable("rope"), CableEnd::last));
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "bodies.box.position.z"), -0.5 * 10 * 0.25, 1e-9);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), -1 - 0.5 * 10 * 0.25, 1e-9);
  const auto far = w.hold(*w.joint("grip"));
  ASSERT_FALSE(far);
  EXPECT_NE(far.error().reason.find("1.25"), std::string::npos) << far.error().reason;
  ASSERT_TRUE(w.apply(Edit().pose(*w.body("box"), Pose{}).velocity(*w.body("box"), Vec3::Zero(), Vec3::Zero())));
  ASSERT_TRUE(w.hold(*w.joint("grip")));
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "bodies.box.position.z"), 0.0, 1e-9);
}

TEST(Control, NumbersChangeWithoutBuildingAgain) {
  World w = make(winchScene(DriveType::force));
  released(w);
  const auto mass = w.parameter("bodies.load.mass");
  ASSERT_TRUE(mass) << mass.error().reason;
  run(w, 0.25);
  const double v0 = measure(w, "bodies.load.velocity.z");
  ASSERT_TRUE(w.set(*mass, 10.0));
  EXPECT_EQ(w.get(*mass), 10.0);
  run(w, 0.25);
  const double a = 10.0 * 10 / (10 + 10.0);
  EXPECT_NEAR(measure(w, "bodies.load.velocity.z"), v0 - a * 0.25, 1e-9);
  // A world of that mass from the start does the same from there.
  w.reset();
  EXPECT_EQ(w.get(*mass), 100.0);
  ASSERT_TRUE(w.set(*mass, 10.0));
  released(w);
  Description d = winchScene(DriveType::force);
  d.bodies[0].second = rigid(10, Vec3(0.4, 0.4, 0.4), Vec3(0.2, 0, 1));
  World other = make(d);
  released(other);
  run(w, 0.5);
  run(other, 0.5);
  EXPECT_EQ(measure(w, "bodies.load.position.z"), measure(other, "bodies.load.position.z"));
}

TEST(Control, NumbersThatCannotChangeSayWhy) {
  World w = make(winchScene());
  for (const char* path : {"rotors.drum.radius", "bodies.load.position.x", "cables.rope.material.mass"}) {
    const auto p = w.parameter(path);
    ASSERT_FALSE(p) << path;
    EXPECT_NE(p.error().reason.find("cannot change while a world runs"), std::string::npos) << p.error().reason;
    EXPECT_FALSE(p.error().remedy.empty());
  }
  EXPECT_NE(w.parameter("bodies.lod.mass").error().reason.find("'lod'"), std::string::npos);
  EXPECT_FALSE(w.parameter("mass"));
  const auto mass = *w.parameter("bodies.load.mass");
  for (const double bad : {-1.0, 0.0, std::nan(""), unbounded}) EXPECT_FALSE(w.set(mass, bad));
}

TEST(Control, BadUseIsRefusedByName) {
  World w = make(winchScene()), other = make(ball(0.01));
  const auto motor = *w.motor("winch");
  EXPECT_NE(other.command(motor, 1.0).error().reason.find("another scene"), std::string::npos);
  EXPECT_NE(w.command(motor, std::nan("")).error().reason.find("not a number"), std::string::npos);
  EXPECT_NE(w.push(*w.body("load"), {.force = Vec3(0, unbounded, 0)}).error().path.find("force"), std::string::npos);
  EXPECT_FALSE(w.push(*other.body("ball"), {}));
  EXPECT_FALSE(w.command(motor, {.target = 0, .gain = -1.0}));
  EXPECT_NE(w.motor("wnich").error().remedy.find("winch"), std::string::npos);
  EXPECT_FALSE(w.reel(*w.cable("rope"), CableEnd::first, 1.0)) << "that end is on a drum";
  EXPECT_TRUE(w.state().overrides.empty() && w.state().pushes.empty());
  EXPECT_TRUE(make(winchScene()).command(motor, 1.0)) << "worlds of one description share handles";
}

TEST(Control, CommandsAreSavedRestoredAndHashed) {
  World w = make(winchScene()), second = make(winchScene());
  const auto command = [](World& x) {
    released(x);
    ASSERT_TRUE(x.command(*x.motor("winch"), -1.0));
    ASSERT_TRUE(x.push(*x.body("load"), {.force = Vec3(30, 0, 0), .held = true}));
    ASSERT_TRUE(x.set(*x.parameter("bodies.load.mass"), 80.0));
  };
  const std::uint64_t bare = w.hash();
  command(w);
  EXPECT_NE(w.hash(), bare);
  run(w, 0.25);
  ASSERT_TRUE(second.restoreState(w.saveState()));
  EXPECT_EQ(second.hash(), w.hash());
  World third = make(winchScene());
  ASSERT_TRUE(third.setState(w.state()));
  EXPECT_TRUE(sameBits(third.state(), w.state()));
  World fourth = w.clone();
  for (World* x : {&w, &second, &third, &fourth}) run(*x, 0.25);
  for (World* x : {&second, &third, &fourth}) EXPECT_EQ(x->hash(), w.hash());
  w.reset();
  EXPECT_EQ(w.hash(), bare);
  EXPECT_FALSE(w.setState(make(ball(0.01)).state()));
}

TEST(Control, AWorldAndItsClonesStepInTurnAsIfAlone) {
  World a = make(winchScene(DriveType::force)), alone = make(winchScene(DriveType::force));
  released(a);
  released(alone);
  World b = a.clone();
  ASSERT_TRUE(b.set(*b.parameter("bodies.load.mass"), 7.0));
  for (int i = 0; i < 120; ++i) {
    a.step();
    b.step();
    alone.step();
  }
  EXPECT_EQ(a.hash(), alone.hash());
  EXPECT_LT(measure(a, "bodies.load.position.z"), measure(b, "bodies.load.position.z") - 0.2);
}

/// A pendulum of two rods on hinges.
Description rods() {
  Description d = heavy(1.0 / 240);
  for (int i = 0; i < 2; ++i) {
    d.bodies.emplace_back("rod" + std::to_string(i), rigid(1, Vec3(0.01, 0.09, 0.09), Vec3(0.5 + i, 0, 0)));
    d.joints.emplace_back("h" + std::to_string(i),
                          joint(JointType::hinge, i ? "rod0" : "world", "rod" + std::to_string(i), Vec3(i, 0, 0)));
  }
  return d;
}

TEST(Control, AJointCoordinateCarriesWhatHangsOnIt) {
  World w = make(rods());
  ASSERT_TRUE(w.apply(Edit().coordinate(*w.joint("h0"), 3.14159265358979 / 2)));
  EXPECT_NEAR(measure(w, "bodies.rod1.position.z"), -1.5, 1e-9);
  EXPECT_NEAR(measure(w, "joints.h0.coordinate"), 3.14159265358979 / 2, 1e-12);
  EXPECT_NEAR(measure(w, "joints.h1.coordinate"), 0.0, 1e-12);
  ASSERT_TRUE(w.apply(Edit().coordinate(*w.joint("h1"), 7.0)));  // more than a turn is counted
  EXPECT_NEAR(measure(w, "joints.h1.coordinate"), 7.0, 1e-12);
  run(w, 0.5);
  EXPECT_LT(measure(w, "joints.h1.error"), 1e-9);
}

TEST(Control, AStateThatViolatesJointsIsRefusedOrProjectedByChoice) {
  World w = make(rods());
  const Edit edit = Edit().pose(*w.body("rod1"), Pose{Vec3(1.5, 0, -0.1), Quat::Identity()});
  const std::uint64_t before = w.hash();
  const auto refused = w.apply(edit, Fit::refuse);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().reason.find("joints.h1"), std::string::npos) << refused.error().reason;
  EXPECT_NE(refused.error().reason.find("0.1"), std::string::npos);
  EXPECT_EQ(w.hash(), before);
  ASSERT_TRUE(w.apply(edit, Fit::project));
  EXPECT_LT(measure(w, "joints.h0.error"), 1e-11);
  EXPECT_LT(measure(w, "joints.h1.error"), 1e-11);
  EXPECT_LT(measure(w, "bodies.rod1.position.z"), -0.01);
  // Velocities go along: a rod that is thrown takes only what its hinges let it have.
  ASSERT_TRUE(w.apply(Edit().velocity(*w.body("rod0"), Vec3(1, 0, -1), Vec3::Zero()), Fit::project));
  const double rate = measure(w, "bodies.rod0.angular_velocity.y");
  EXPECT_GT(rate, 0.1);
  w.step();
  EXPECT_NEAR(measure(w, "bodies.rod0.angular_velocity.y"), rate, 0.1);
}

TEST(Control, ALoadSetLowerNeedsItsDrumToTurn) {
  World w = make(winchScene());
  const auto load = *w.body("load");
  const Pose lower{Vec3(0.2, 0, 0.5), Quat::Identity()};
  const auto refused = w.apply(Edit().pose(load, lower));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().reason.find("rope"), std::string::npos) << refused.error().reason;
  ASSERT_TRUE(w.apply(Edit().pose(load, lower).angle(*w.rotor("drum"), 2.5, 0.0)));
  EXPECT_NEAR(measure(w, "cables.rope.stored"), 2.5, 1e-9);
  EXPECT_NEAR(measure(w, "cables.rope.length"), 6.0, 1e-9);
  run(w, 0.25);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), 0.5, 1e-8);
  // Or the span is given another rest length.
  World v = make(winchScene());
  ASSERT_TRUE(v.apply(Edit().pose(load, lower).rest(*v.cable("rope"), 0, 3.5)));
  EXPECT_NEAR(measure(v, "cables.rope.spans.0.rest"), 3.5, 1e-9);
}

TEST(Control, ALoadOnAWavedCableIsPutElsewhereAndItsWavesGoAlong) {
  for (const CableModel model : {CableModel::hoist, CableModel::joints})
    for (const bool moving : {false, true}) {
      Description d = heavy(1.0 / 240);
      d.bodies.emplace_back("load", rigid(50, Vec3(5, 5, 5), Vec3(0, 0, -4)));
      CableSettings c;
      c.model = model;
      c.waves = model == CableModel::joints;
      c.route.resize(2);
      c.route[1].on = "load";
      c.material.mass = 0.1;
      c.material.axial = 1e6;
      c.material.damping = 0.01;
      d.cables.emplace_back("rope", c);
      World w = make(d);
      if (moving) run(w, 0.25);
      const auto load = *w.body("load");
      const Pose aside{Vec3(0.4, 0, -3.98), Quat::Identity()};
      ASSERT_TRUE(w.apply(Edit().pose(load, aside).velocity(load, Vec3::Zero(), Vec3::Zero()), Fit::project));
      const double x = measure(w, "bodies.load.position.x"), length = 4 * (1 + 500 / 1e6);
      EXPECT_NEAR(x, 0.4, 0.01);
      // Let go at x it swings as a pendulum: back through the middle after a quarter of its period.
      run(w, 0.25 * 2 * M_PI * std::sqrt(length / 10));
      EXPECT_NEAR(measure(w, "bodies.load.position.x"), 0.0, 0.01);
      EXPECT_NEAR(measure(w, "bodies.load.velocity.x"), -x * std::sqrt(10 / length), 0.02);
      EXPECT_NEAR(measure(w, "cables.rope.spans.0.length"), length, 2e-3);
    }
}

TEST(Control, AWarmControlledStepAllocatesNothing) {
  World w = make(winchScene());
  released(w);
  const auto motor = *w.motor("winch");
  const auto load = *w.body("load");
  const auto drive = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(w.command(motor, -0.5 + 0.001 * (i % 7)));
      ASSERT_TRUE(w.push(load, {.force = Vec3(i % 3, 0, 0)}));
      w.step();
    }
  };
  drive(50);
  const long before = allocations();
  drive(50);
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace reeve::test
