// A cable goes on in another model while the world runs.
#include "support/scenes.h"

namespace reeve::test {
namespace {

/// A load on a rope that weighs, let go from the side.
Description swinging() {
  Description d = heavy(1.0 / 240, 9.81);
  BodySettings load = rigid(10.0, Vec3(0.1, 0.1, 0.1), Vec3(2.0, 0, -3.0));
  d.bodies.emplace_back("load", load);
  CableSettings rope;
  rope.route.resize(2);
  rope.route[1].on = "load";
  rope.material.mass = 0.1;  // of which joints carry the weight, and no momentum: 1.2 % of the energy
  rope.material.axial = 1e6;
  rope.weight = true;
  d.cables.emplace_back("rope", rope);
  return d;
}

double lengthOf(const World& w) { return cableOf(w).length; }

TEST(Convert, goesThroughAllModelsInMidSwing) {
  World w = make(swinging());
  run(w, 0.35);
  const CableHandle rope = w.cable("rope").value();
  for (const CableModel model : {CableModel::strand, CableModel::chain, CableModel::particles, CableModel::joints}) {
    const Observation before = w.observe();
    const double length = lengthOf(w);
    const auto done = w.convert(rope, model);
    ASSERT_TRUE(done) << done.error().path << ": " << done.error().reason;
    const Observation after = w.observe();
    SCOPED_TRACE(after.cables[0].second.model);
    EXPECT_NEAR(lengthOf(w), length, 1e-9);
    EXPECT_EQ(after.bodies[0].second.position, before.bodies[0].second.position);
    EXPECT_EQ(after.bodies[0].second.velocity, before.bodies[0].second.velocity);
    EXPECT_EQ(after.time, before.time);
    // Of what moves: where potential energy is counted from is arbitrary.
    const double moving = before.energy.kinetic, change = done->after - done->before;
    EXPECT_LT(std::fabs(change), 0.02 * moving);
    EXPECT_NEAR(after.energy.remains, before.energy.remains, 1e-9 * moving);
    run(w, 0.05);
  }
  EXPECT_EQ(cableOf(w).model, "joints");
}

TEST(Convert, LeavesViewsOfArraysReadable) {
  World w = make(swinging());
  run(w, 0.2);
  const CableHandle rope = w.cable("rope").value();
  const std::span<const double> before = w.positions(), tensions = w.tensions();
  const double first = before[0];
  ASSERT_TRUE(w.convert(rope, CableModel::chain));  // many more coordinates
  run(w, 0.05);
  EXPECT_EQ(before[0], first) << "old, and still there";
  EXPECT_TRUE(std::isfinite(tensions[0]));
  const std::span<const double> now = w.positions();
  ASSERT_TRUE(w.convert(rope, CableModel::joints));
  run(w, 0.05);
  EXPECT_EQ(now.data(), w.positions().data()) << "fewer: the view follows";
  w.reset();
  EXPECT_EQ(now.data(), w.positions().data());
  EXPECT_EQ(now[0], 2.0);
}

TEST(Convert, swingsOnAsItWouldHave) {
  World a = make(swinging()), b = make(swinging());
  run(a, 0.3);
  run(b, 0.3);
  ASSERT_TRUE(b.convert(b.cable("rope").value(), CableModel::chain));
  run(a, 0.5);
  run(b, 0.5);
  const Vec3 apart = a.observe().bodies[0].second.position - b.observe().bodies[0].second.position;
  EXPECT_LT(apart.norm(), 0.02);  // the rope's mass of 0.36 kg now swings too
}

TEST(Convert, savesAndRestores) {
  World a = make(swinging()), b = make(swinging());
  run(a, 0.2);
  ASSERT_TRUE(a.convert(a.cable("rope").value(), CableModel::chain));
  run(a, 0.1);
  ASSERT_TRUE(a.convert(a.cable("rope").value(), CableModel::strand));
  run(a, 0.1);
  const auto restored = b.restoreState(a.saveState());
  ASSERT_TRUE(restored) << restored.error().reason;
  EXPECT_EQ(a.hash(), b.hash());
  run(a, 0.1);
  run(b, 0.1);
  EXPECT_TRUE(sameBits(a.state(), b.state()));
  World c = a.clone();
  run(a, 0.05);
  run(c, 0.05);
  EXPECT_EQ(a.hash(), c.hash());
  a.reset();
  EXPECT_EQ(cableOf(a).model, "joints");
  EXPECT_EQ(a.time(), 0.0);
}

TEST(Convert, whatCannotBeIsRefusedAndChangesNothing) {
  World w = make(swinging());
  run(w, 0.1);
  ASSERT_TRUE(w.cut(w.cable("rope").value(), 0));
  run(w, 0.1);
  const std::uint64_t hash = w.hash();
  const auto done = w.convert(w.cable("rope").value(), CableModel::strand);
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().path.starts_with("/cables/rope")) << done.error().path;
  EXPECT_FALSE(done.error().reason.empty());
  EXPECT_FALSE(done.error().remedy.empty());
  EXPECT_EQ(w.hash(), hash);
  EXPECT_EQ(cableOf(w).model, "joints");
}

TEST(Convert, aCableWithoutMassIsALightOneWhereItNeedsMass) {
  Description d = swinging();
  d.cables[0].second.material.mass = 0.0;
  d.cables[0].second.weight = false;
  World w = make(d);
  run(w, 0.1);
  const auto done = w.convert(w.cable("rope").value(), CableModel::strand);
  ASSERT_TRUE(done) << done.error().path << ": " << done.error().reason;
  ASSERT_EQ(done->notes.size(), 1u);
  EXPECT_EQ(done->notes[0].path, "/cables/rope/material/mass");
  EXPECT_EQ(w.description().cables[0].second.material.mass, 1e-3 * 10.0);  // a thousandth of the load, per meter
  EXPECT_LT(std::fabs(done->after - done->before), 0.01 * 10.0 * 9.81 * 3.0);
  run(w, 0.1);
  EXPECT_TRUE(w.verdict().good);
}

TEST(Convert, anEventDoesItAtItsTime) {
  Description d = swinging();
  EventSettings event;
  event.name = "finer";
  event.at = 0.25;
  ActionSettings action;
  action.type = ActionType::convert;
  action.on = "cables.rope";
  action.model = CableModel::chain;
  event.actions.push_back(action);
  d.events.push_back(event);
  World w = make(d);
  run(w, 0.2);
  EXPECT_EQ(cableOf(w).model, "joints");
  run(w, 0.2);
  EXPECT_EQ(cableOf(w).model, "chain");
  const auto events = w.takeEvents();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].subject, "events.finer");
  EXPECT_EQ(events[0].what, "converts cables.rope");
  EXPECT_EQ(measure(w, "events.finer.count"), 1.0);
}

}  // namespace
}  // namespace reeve::test
