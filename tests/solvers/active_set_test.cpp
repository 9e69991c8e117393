// Which rows hold: at the edge, under no load, and where nothing is free to move.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

TEST(ActiveSet, AnElasticSpanBetweenMovedBodiesPullsByItsStretch) {
  // Nothing free hangs on it: the row is an equation for its tension alone.
  Description d = heavy(1.0 / 240);
  addMoved(d, "end", Vec3(2, 0, 0), Vec3(1, 0, 0), ramp({{0, 0}, {1, 0.01}}));
  CableSettings& rope = addCable(d, "rope", {attachTo("world"), attachTo("end")});
  rope.material.axial = 1e5;
  World w = make(d);
  for (int i = 0; i < 360; ++i) {
    ASSERT_TRUE(w.step().good);
    const double stretch = measure(w, "bodies.end.position.x") - 2.0;
    ASSERT_NEAR(measure(w, "cables.rope.spans.0.tension"), 1e5 * stretch / 2.0, 1e-6) << w.time();
  }
  EXPECT_EQ(measure(w, "health.unconverged"), 0);
}

TEST(ActiveSet, ATautRopeWithoutLoadLetsGoAtOnceWhenItsEndFallsAway) {
  // What is forgiven at the edge is rounding, not motion: a mass thrown at its post is not held back.
  for (const double dt : {1.0 / 60, 1.0 / 1000}) {
    Description d = still(dt);
    addMass(d, "mass", 1.0, Vec3(1, 0, 0));
    addCable(d, "rope", {attachTo("world"), attachTo("mass")});
    ForceSettings push;
    push.on = "mass";
    push.force = Vec3(-1e-3, 0, 0);  // towards the post: a thousandth of a newton
    d.forces.emplace_back("push", push);
    World w = make(d);
    run(w, 1.0);
    EXPECT_NEAR(measure(w, "particles.mass.position.x"), 1.0 - 0.5e-3, 1e-3 * dt) << dt;
    EXPECT_EQ(measure(w, "cables.rope.spans.0.tension"), 0.0);
  }
}

TEST(ActiveSet, ACableHeldOnAWheelHangsStillInOneIteration) {
  // Drum used up: the rope holds at a point of the wheel, which hangs below the axle like a pendulum.
  Description d = heavy(1.0 / 60);
  d.rotors.emplace_back("drum", wheelAt(Vec3(0, 0, 0), 0.3, 0.01));
  d.rotors[0].second.damping = 0.5;
  addMass(d, "load", 100.0, Vec3(0.3, 0, -1)).drag = 100.0;
  addCable(d, "rope", {woundOn("drum", 1, 0.05), attachTo("load")});
  World w = make(d);
  run(w, 60.0);
  double most = 0.0;
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(w.step().good);
    most = std::max(most, measure(w, "health.iterations"));
  }
  EXPECT_LE(most, 2.0);
  EXPECT_EQ(measure(w, "health.unconverged"), 0);
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension"), 1000.0, 1e-3);
}

}  // namespace
}  // namespace reeve::test
