// What a scene does by itself: events at a time or on a condition, saved and restored with the state.
#include "reeve/model/state.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

EventSettings eventAt(double time, ActionType type, std::string on, double to = 0.0) {
  EventSettings e;
  e.at = time;
  e.actions.push_back({type, std::move(on), to, {}});
  return e;
}

/// 2 kg that a joint holds in the air.
Description held(JointType type = JointType::fixed) {
  Description d = heavy(1e-3);
  d.bodies.emplace_back("load", rigid(2.0, Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 5)));
  d.joints.emplace_back("hook", joint(type, "world", "load", Vec3(0, 0, 5)));
  return d;
}

TEST(SceneEvents, AJointThatIsReleasedAtATimeLetsItsLoadFallFromThen) {
  Description d = held();
  d.events.push_back(eventAt(0.5, ActionType::release, "joints.hook"));
  d.events.back().name = "drop";
  World w = make(d);
  run(w, 1.5);
  EXPECT_NEAR(measure(w, "bodies.load.velocity.z"), -10.0, 1e-8);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), 0.0, 1e-4);
  EXPECT_EQ(measure(w, "events.drop.count"), 1.0);
  EXPECT_NEAR(measure(w, "events.drop.time"), 0.5, 1e-12);
  const auto events = w.takeEvents();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].subject, "events.drop");
  EXPECT_EQ(events[0].what, "releases joints.hook");
}

/// A wheel of 2 kg m² that 4 N m turn, with an open brake of 10 N m.
Description braked() {
  Description d = still(1e-3);
  RotorSettings r;
  r.inertia = 2.0;
  r.torque = 4.0;
  r.brake = 10.0;
  r.brakeOpen = true;
  d.rotors.emplace_back("wheel", r);
  EventSettings e;
  e.name = "too fast";
  e.when = "rotors.wheel.rate";
  e.above = 2.9995;  // between two steps
  e.actions.push_back({ActionType::brake, "rotors.wheel", 0.0, {}});
  d.events.push_back(e);
  return d;
}

TEST(SceneEvents, ABrakeClosesWhenAWheelIsTooFastAndStopsIt) {
  World w = make(braked());
  run(w, 1.4);
  EXPECT_NEAR(measure(w, "rotors.wheel.rate"), 2.8, 1e-9);
  run(w, 2.0);  // from 3 rad/s with −3 rad/s²
  EXPECT_NEAR(measure(w, "events.too fast.time"), 1.5, 1e-9);
  EXPECT_NEAR(measure(w, "rotors.wheel.rate"), 0.0, 1e-10);
  EXPECT_NEAR(measure(w, "rotors.wheel.angle"), 2.25 + 1.5, 2e-5);
}

TEST(SceneEvents, WhetherOneHasHappenedIsPartOfTheState) {
  World whole = make(braked());
  run(whole, 2.4);
  for (const double cut : {1.0, 1.502, 2.0}) {
    World first = make(braked()), second = make(braked());
    run(first, cut);
    ASSERT_TRUE(second.restoreState(first.saveState()));
    EXPECT_EQ(second.hash(), first.hash());
    run(second, 2.4 - cut);
    EXPECT_EQ(second.hash(), whole.hash()) << cut;
  }
  World clone = whole.clone();
  run(clone, 0.5);
  run(whole, 0.5);
  EXPECT_EQ(clone.hash(), whole.hash());
  whole.reset();
  EXPECT_EQ(measure(whole, "events.too fast.count"), 0.0);
}

TEST(SceneEvents, OneThatMayComeAgainSwitchesWheneverItsConditionBecomesTrue) {
  Description d = braked();
  d.events[0].once = false;
  EventSettings open;
  open.name = "slow";
  open.when = "rotors.wheel.rate";
  open.below = 1.0;
  open.after = "too fast";
  open.once = false;
  open.actions.push_back({ActionType::unbrake, "rotors.wheel", 0.0, {}});
  d.events.push_back(open);
  World w = make(d);
  run(w, 6.0);  // up to 3 in 1.5 s, then down in 2/3 s and up in 1 s
  EXPECT_EQ(measure(w, "events.too fast.count"), 3.0);
  EXPECT_EQ(measure(w, "events.slow.count"), 3.0);
}

TEST(SceneEvents, OneAfterAnotherWaitsForItsDelay) {
  Description d = held();
  d.events.push_back(eventAt(0.2, ActionType::set, "bodies.load.mass", 3.0));
  d.events.back().name = "fill";
  d.events.push_back(eventAt(0.0, ActionType::release, "joints.hook"));
  d.events.back().after = "fill";
  d.events.back().delay = 0.3;
  World w = make(d);
  run(w, 0.4);
  EXPECT_NEAR(measure(w, "joints.hook.force.z"), 30.0, 1e-9);  // it weighs more now
  run(w, 0.6);
  EXPECT_NEAR(measure(w, "bodies.load.velocity.z"), -5.0, 1e-8);
}

TEST(SceneEvents, AHookTakesHoldWithoutLosingMomentum) {
  for (const JointType type : {JointType::ball, JointType::fixed}) {
    Description d = still(1e-3);
    BodySettings a = rigid(1.0, Vec3(0.1, 0.1, 0.1)), b = rigid(3.0, Vec3(0.2, 0.2, 0.2), Vec3(1, 0, 0));
    a.velocity = Vec3(2, 0, 0);
    a.angularVelocity = Vec3(0, 0, 0.5);
    d.bodies.emplace_back("a", a);
    d.bodies.emplace_back("b", b);
    JointSettings j = joint(type, "a", "b", Vec3::Zero());
    j.anchorB = Vec3(1, 0, 0);
    j.active = false;
    d.joints.emplace_back("hook", j);
    EventSettings e;
    e.when = "joints.hook.error";
    e.below = 0.1;
    e.actions.push_back({ActionType::hook, "joints.hook", 0.0, {}});
    d.events.push_back(e);
    World w = make(d);
    EXPECT_NEAR(measure(w, "joints.hook.error"), 1.0, 1e-12);
    run(w, 0.45);
    EXPECT_NEAR(measure(w, "bodies.a.velocity.x"), 2.0, 1e-12);
    run(w, 0.5);
    const double va = measure(w, "bodies.a.velocity.x"), vb = measure(w, "bodies.b.velocity.x");
    EXPECT_NEAR(1.0 * va + 3.0 * vb, 2.0, 1e-9);
    EXPECT_NEAR(vb, 0.5, 0.02);  // 2 · 1 / 4, but for what turns
    EXPECT_LT(measure(w, "joints.hook.error"), 1e-9);
    EXPECT_NEAR(measure(w, "bodies.b.position.x") - measure(w, "bodies.a.position.x"), 0.1,
                0.01);  // where it was caught
    World again = make(d);
    ASSERT_TRUE(again.restoreState(w.saveState()));
    run(again, 0.1);
    run(w, 0.1);
    EXPECT_EQ(again.hash(), w.hash());
  }
}

TEST(SceneEvents, WhatCannotBeDoneIsReported) {
  Description d = held(JointType::ball);
  d.events.push_back(eventAt(0.1, ActionType::release, "joints.hook"));
  d.events.push_back(eventAt(0.5, ActionType::hold, "joints.hook"));
  World w = make(d);
  run(w, 0.6);
  const auto events = w.takeEvents();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[2].subject, "events.1");
  EXPECT_EQ(events[2].what.rfind("could not be done: joints.hook: its two sides are 0.8", 0), 0u) << events[2].what;
}

/// A drum of 0.2 m with a motor, from which 100 kg hang 3 m down.
Description hanging() {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("load", rigid(100, Vec3(4, 4, 4), Vec3(0.2, 0, 1)));
  RotorSettings drum;
  drum.position = Vec3(0, 0, 4);
  drum.radius = 0.2;
  drum.inertia = 0.4;
  d.rotors.emplace_back("drum", drum);
  MotorSettings m;
  m.on = "drum";
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

TEST(SceneEvents, AMotorIsSwitchedAndARopeIsCut) {
  Description d = hanging();
  d.events.push_back(eventAt(1.0, ActionType::drive, "motors.winch", -2.0));
  d.events.push_back(eventAt(2.0, ActionType::resume, "motors.winch"));
  d.events.push_back(eventAt(3.0, ActionType::cut, "cables.rope.spans.0"));
  World w = make(d);
  run(w, 2.5);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), 1.4, 1e-6);  // 2 rad of 0.2 m, then it stands
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension"), 1000.0, 1e-4);
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "bodies.load.velocity.z"), -5.0, 1e-6);
  EXPECT_EQ(measure(w, "cables.rope.spans.0.tension"), 0.0);
}

TEST(SceneEvents, AWinchThatKeepsATensionNearsItExponentially) {
  // A spring of 2 kN/m holds the rope's end; the winch reels at gain (target − tension): T' = k r gain (target − T).
  Description d = still(1e-3);
  RotorSettings drum;
  drum.radius = 0.2;
  drum.inertia = 0.4;
  d.rotors.emplace_back("drum", drum);
  MotorSettings m;
  m.on = "drum";
  m.drive = DriveType::feedback;
  m.observe = "cables.rope.spans.0.tension";
  m.target.offset = 500.0;
  m.proportional = -0.005;  // positive spin pays out
  d.motors.emplace_back("winch", m);
  CableSettings c;
  c.route.resize(2);
  c.route[0].type = LinkType::spool;
  c.route[0].on = "drum";
  c.route[0].stored = 3.0;
  c.route[1].point = Vec3(0.2, 0, -5);
  c.compliance = 1.0 / 2000.0;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, 0.5);
  const double rate = 2000.0 * 0.2 * 0.005;
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension"), 500.0 * (1 - std::exp(-rate * 0.5)), 2.0);  // of 316 N
  run(w, 5.0);
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension"), 500.0, 0.05);
}

TEST(SceneEvents, AMistakeInOneNamesItsPlace) {
  const auto problem = [](const EventSettings& e) {
    Description d = held();
    d.events.push_back(e);
    const auto world = World::build(d);
    return world ? std::string() : world.error().path;
  };
  EXPECT_EQ(problem(eventAt(0, ActionType::release, "joints.hok")), "/events/0/do/0/on");
  EXPECT_EQ(problem(eventAt(0, ActionType::brake, "joints.hook")), "/events/0/do/0/on");
  EXPECT_EQ(problem(eventAt(0, ActionType::set, "bodies.load.mass", -1.0)), "/events/0/do/0/on");
  EXPECT_EQ(problem(eventAt(0, ActionType::cut, "cables.rope")), "/events/0/do/0/on");
  EventSettings e = eventAt(0, ActionType::release, "joints.hook");
  e.when = "bodies.load.height";
  e.above = 1;
  EXPECT_EQ(problem(e), "/events/0/when");
  EXPECT_EQ(problem(eventAt(0, ActionType::release, "joints.hook")), "");
}

/// A rope from a load of 10 kg up through a cleat at 2 m and down to a hand of 1 kg that a motor draws along z.
Description cleated() {
  Description d = heavy(1e-3);
  d.bodies.emplace_back("load", rigid(10, Vec3(1, 1, 1), Vec3(0, 0, 0)));
  d.bodies.emplace_back("hand", rigid(1, Vec3(1, 1, 1), Vec3(0.5, 0, 0)));
  d.joints.emplace_back("load-rail", joint(JointType::slider, "world", "load", Vec3(0, 0, 0), Vec3::UnitZ()));
  d.joints.emplace_back("hand-rail", joint(JointType::slider, "world", "hand", Vec3(0.5, 0, 0), Vec3::UnitZ()));
  ForceSettings f;
  f.on = "hand";
  f.force = Vec3(0, 0, -100);
  f.scale = Profile{};
  f.scale->table = {Vec2(0, 1), Vec2(0.5, 1), Vec2(0.6, 0)};
  d.forces.emplace_back("pull", f);
  CableSettings c;
  c.route.resize(3);
  c.route[0].on = "load";
  c.route[1].type = LinkType::pinhole;
  c.route[1].point = Vec3(0, 0, 2);
  c.route[1].friction = 0.0;
  c.route[1].cleat = Cleat::forward;
  c.route[2].on = "hand";
  d.cables.emplace_back("rope", c);
  return d;
}

TEST(SceneEvents, ACamCleatLetsTheRopeInAndHoldsItWhenTheHandLetsGo) {
  World w = make(cleated());
  run(w, 0.5);
  const double rate = measure(w, "bodies.load.velocity.z");
  EXPECT_GT(rate, 0.1);
  run(w, 4.5);
  const double high = measure(w, "bodies.load.position.z");
  EXPECT_GT(high, 0.1);
  EXPECT_NEAR(measure(w, "bodies.load.velocity.z"), 0.0, 1e-8);
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension"), 100.0, 1e-5);  // the load
  const double slope = measure(w, "cables.rope.spans.1.length") / (2.0 - measure(w, "bodies.hand.position.z"));
  EXPECT_NEAR(measure(w, "cables.rope.spans.1.tension"), 10.0 * slope, 1e-5);  // the hand's own weight, on its rail
  ASSERT_TRUE(w.set(*w.parameter("cables.rope.route.1.cleat"), 0.0));          // open: the load falls
  run(w, 0.2);
  EXPECT_LT(measure(w, "bodies.load.position.z"), high - 0.05);
}

}  // namespace
}  // namespace reeve::test
