// Splits, merges, catches, breaks: cable is never created or lost, and tension passes them without a jump.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

/// A rope held at the left, over a wheel at the right with a weight, and a post below or above the span.
Description stretched(Profile travel, bool declared, double friction, Vec3 from = Vec3(0, 0, 1), double radius = 0.2,
                      double dt = 1.0 / 240) {
  Description d = heavy(dt);
  BodySettings& post = addMoved(d, "post", from, Vec3(0, 0, -1), std::move(travel));
  post.shapes.push_back(cylinderAlongY(radius - 0.005, 1.0));
  post.collides = false;
  d.rotors.emplace_back("wheel", wheelAt(Vec3(3, 0, -0.3), 0.3, 0.01));
  ParticleSettings& load = addMass(d, "load", 10.0, Vec3(3.3, 0, -6));
  load.drag = 20.0;
  LinkSettings link = rollOn("post", Vec3::Zero(), radius, -1, friction);
  link.active = false;
  std::vector<LinkSettings> route{attachTo("world", Vec3(-3, 0, 0))};
  if (declared) route.push_back(link);
  route.push_back(rollOver("wheel", 1));
  route.push_back(attachTo("load"));
  CableSettings& c = addCable(d, "rope", route);
  c.material.axial = 1e5;
  c.material.friction = friction;
  c.tension = 100.0;
  if (!declared) c.candidates = {"post"};
  return d;
}

TEST(Split, APostPushedSlowlyIntoATautSpanAndWithdrawnLeavesTensionContinuous) {
  for (const bool declared : {true, false})
    for (const double friction : {0.0, 0.2, unbounded}) {
      if (!declared && friction == unbounded) continue;
      World w = make(stretched(ramp({{0, 0}, {4, 1.1}, {8, 0}}), declared, friction));
      const double length = measure(w, "cables.rope.length");
      double before = measure(w, "cables.rope.spans.0.tension"), jump = 0.0;
      int splits = 0, merges = 0;
      for (int i = 0; i < 240 * 9; ++i) {
        ASSERT_TRUE(w.step().good);
        bool event = false;
        for (const Event& e : w.takeEvents()) {
          const bool merge = e.what.find("merge") == 0;
          splits += e.what.find("split") == 0;
          merges += merge;
          // A cable that never slips keeps two tensions on the post until it leaves it: then they meet.
          event = event || !merge || friction < unbounded;
        }
        const double now = measure(w, "cables.rope.spans.0.tension");
        if (event) jump = std::max(jump, std::fabs(now - before) / before);
        before = now;
        ASSERT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-9);
      }
      EXPECT_GE(splits, 1) << declared << friction;
      EXPECT_EQ(merges, splits);
      EXPECT_LT(jump, 1e-3) << declared << friction;
    }
}

TEST(Split, APostSweptAcrossATautSpanIsCaughtAtAnySpeed) {
  for (const bool declared : {true, false})
    for (const double speed : {1.0, 10.0, 100.0})
      for (const double offset : {0.0, 0.13, 0.29}) {
        Profile travel;
        travel.rate = speed;
        Description d = stretched(travel, declared, 0.0, Vec3(0, 0, 1 + offset), 0.1);
        World w = make(d);
        const double until = (1.5 + offset) / speed;
        bool caught = false;
        for (int i = 0; i < until * 240 + 1; ++i) {
          ASSERT_TRUE(w.step().good);
          for (const Event& e : w.takeEvents()) caught = caught || e.what.find("split") == 0;
        }
        EXPECT_TRUE(caught) << declared << " " << speed << " " << offset;
        const double z = 1 + offset - speed * w.time();
        if (caught && z < -0.2) {
          EXPECT_GT(measure(w, "cables.rope.links.1.wrap"), 0.01) << declared << " " << speed;
          // The way round the post is longer than the straight line.
          EXPECT_GT(measure(w, "cables.rope.spans.0.length") + measure(w, "cables.rope.spans.1.length"), 5.9);
        }
      }
}

TEST(Split, RestLengthIsConstantOverAHundredThousandStepsOfSplitsAndMerges) {
  Profile travel;
  travel.offset = 0.9;
  travel.amplitude = 0.3;
  travel.frequency = 2.0;
  Description d = stretched(travel, false, 0.1, Vec3(0, 0, 1), 0.2, 1.0 / 240);
  World w = make(d);
  const double length = measure(w, "cables.rope.length");
  int events = 0;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_TRUE(w.step().good) << w.verdict().culprit << w.verdict().reason << i;
    if (i % 50 == 0) events += static_cast<int>(w.takeEvents().size());
  }
  EXPECT_GT(events, 1000);
  EXPECT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-9);
}

TEST(Catch, AFallingMassCaughtByASlackCableNeitherReboundsNorSpikes) {
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("wheel", wheelAt(Vec3(0, 0, 0), 0.2, 0.05));
  addMass(d, "falling", 1.0, Vec3(0.2, 0, -1));
  CableSettings& c =
      addCable(d, "rope", {attachTo("world", Vec3(-0.2, 0, -2)), rollOver("wheel", 1), attachTo("falling")});
  c.slacks = {0.0, 1.0};
  World w = make(d);
  double highest = -99.0, most = 0.0;
  bool taut = false;
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(w.step().good);
    if (!taut && measure(w, "cables.rope.spans.1.tension") > 0.0) taut = true;
    if (!taut) continue;
    highest = std::max(highest, measure(w, "particles.falling.velocity.z"));
    most = std::max(most, measure(w, "cables.rope.spans.1.tension"));
  }
  EXPECT_TRUE(taut);
  EXPECT_LT(highest, 1e-6);
  EXPECT_LT(most, 10.0 + 1e-3);  // at rest from the catch on: its weight, and no more
}

TEST(Break, TheSpanPartsBothEndsGoOnAndNoCableIsLost) {
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("drum", wheelAt(Vec3(0, 0, 0), 0.2, 0.5));
  d.rotors.emplace_back("sheave", wheelAt(Vec3(2, 0, 0), 0.2, 0.01));
  addMass(d, "load", 10.0, Vec3(2.2, 0, -1));
  addMotor(d, "drum", DriveType::velocity, ramp({{0, 0}, {0.5, 0}, {1, -4}}));
  CableSettings& c = addCable(d, "rope", {woundOn("drum", 1, 3.0), rollOver("sheave", 1), attachTo("load")});
  c.material.axial = 1e5;
  c.material.breaking = 105.0;
  c.tension = 100.0;
  World w = make(d);
  const double length = measure(w, "cables.rope.length");
  bool parted = false, ranOff = false;
  for (int i = 0; i < 240 * 3; ++i) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) {
      parted = parted || e.what.find("parts") == 0;
      ranOff = ranOff || e.what.find("runs off") == 0;
    }
    ASSERT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-12);
  }
  EXPECT_TRUE(parted);
  EXPECT_TRUE(ranOff);
  EXPECT_LT(measure(w, "particles.load.velocity.z"), -10.0);
}

std::string problemOf(Description d) {
  const auto world = World::build(std::move(d));
  return world ? "" : world.error().path + ": " + world.error().reason + "; " + world.error().remedy;
}

TEST(BadRoute, IsRefusedWithItsPlaceAndARemedy) {
  const auto scene = [](std::vector<LinkSettings> route) {
    Description d = heavy(1.0 / 240);
    addMass(d, "p", 1.0, Vec3(-3, 0, 0));
    addMass(d, "q", 1.0, Vec3(3, 0, 0));
    addMass(d, "inner", 1.0, Vec3(0.1, 0, 0));
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), 0.5, 0.1));
    d.rotors.emplace_back("close", wheelAt(Vec3(0.7, 0, 0), 0.5, 0.1));
    addFixed(d, "post");
    addCable(d, "rope", std::move(route));
    return d;
  };
  EXPECT_NE(problemOf(scene({attachTo("inner"), rollOver("wheel", 1), attachTo("q")})).find("no tangent"),
            std::string::npos);
  EXPECT_NE(
      problemOf(scene({attachTo("p"), rollOver("wheel", 1), rollOver("close", -1), attachTo("q")})).find("no tangent"),
      std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), rollOver("post", 1), attachTo("q")})).find("radius"), std::string::npos);
  EXPECT_NE(
      problemOf(scene({attachTo("p"), rollOver("wheel", 1), rollOver("wheel", -1), attachTo("q")})).find("same wheel"),
      std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), rollOver("nowhere", 1), attachTo("q")})).find("nowhere"),
            std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), rollOver("wheel", 1)})).find("cannot end"), std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), woundOn("wheel", 1, 1.0), attachTo("q")})).find("middle"),
            std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), rollOver("q", 1), attachTo("q")})).find("particle"), std::string::npos);
  Description closed = scene({attachTo("p"), rollOver("wheel", 1), attachTo("q")});
  closed.cables[0].second.closed = true;
  EXPECT_NE(problemOf(closed).find("closed"), std::string::npos);
  Description tight = scene({attachTo("p"), rollOver("wheel", 1), attachTo("q")});
  tight.cables[0].second.length = 1.0;
  EXPECT_NE(problemOf(tight).find("shorter"), std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), attachTo("p")})).find("move them apart"), std::string::npos);
}

TEST(BadRoute, AWheelThatSwallowsAnEndAtRunTimeIsAnEventNotANaN) {
  Description d = still(1.0 / 240);
  addMass(d, "p", 1.0, Vec3(-2, 0, 0.5)).velocity = Vec3(4, 0, -1.0);
  d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), 0.5, 0.1));
  addMass(d, "q", 1.0, Vec3(2, 0, 0.5));
  addCable(d, "rope", {attachTo("p"), rollOver("wheel", 1), attachTo("q")});
  World w = make(d);
  bool told = false;
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) told = told || e.what.find("no tangent") != std::string::npos;
    ASSERT_TRUE(std::isfinite(measure(w, "particles.q.position.x")));
  }
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace reeve::test
