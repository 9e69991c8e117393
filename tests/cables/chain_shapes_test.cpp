// Rest shapes, branches, loops and breaking.
#include "cables/chain_scenes.h"

namespace reeve::test {
namespace {

CableSettings wire(int segments) {
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = segments;
  c.collides = false;
  c.material.mass = 0.5;
  c.material.axial = 1e5;
  c.material.bending = 1.0;
  c.material.torsion = 0.8;
  c.material.damping = 0.05;
  return c;
}

TEST(ChainShape, APreformedCoilStaysAsItIsAndAStraightWireWoundToACoilDoesNot) {
  for (const bool preformed : {true, false}) {
    Description d = still(1.0 / 120);
    CableSettings c = wire(40);
    c.preformed = preformed;
    const auto helix = [](int i) { return Vec3(0.3 * std::cos(0.1 * i), 0.3 * std::sin(0.1 * i), 0.004 * i); };
    for (int i = 1; i < 120; ++i) c.shape.push_back(helix(i));
    c.route = {chainEnd("world", helix(0), EndHold::clamped), chainEnd("world", helix(120), EndHold::free)};
    d.cables.emplace_back("coil", c);
    World w = make(std::move(d));
    const auto before = cableOf(w).polyline;
    run(w, 1.0);
    const double moved = (cableOf(w).polyline.back() - before.back()).norm();
    if (preformed)
      EXPECT_LT(moved, 1e-9);
    else
      EXPECT_GT(moved, 0.3);
  }
}

TEST(ChainShape, RestTwistUnwindsAFreeEndByTwistedTimesLength) {
  Description d = still(1.0 / 120);
  d.bodies.emplace_back("tip", rigid(0.1, Vec3::Constant(1e-3), Vec3(1, 0, 0)));
  CableSettings c = wire(10);
  c.material.damping = 0.2;
  c.twisted = 9.0;  // more than a turn over its metre
  c.route = {chainEnd("world", Vec3::Zero(), EndHold::clamped), chainEnd("tip", Vec3::Zero(), EndHold::clamped)};
  d.cables.emplace_back("wire", c);
  World w = make(std::move(d));
  EXPECT_NEAR(measure(w, "cables.wire.links.1.wrap"), -9.0, 1e-9);
  run(w, 6.0);
  EXPECT_NEAR(measure(w, "cables.wire.links.1.wrap"), 0.0, 0.01);
}

TEST(ChainShape, ABranchSharesItsLoadAndALoopOnOneBodyHangs) {
  Description d = heavy(1.0 / 60);
  d.bodies.emplace_back("knot", rigid(0.1, Vec3::Constant(1e-3), Vec3(0, 0, -1)));
  d.bodies.emplace_back("load", rigid(20.0, Vec3::Constant(0.5), Vec3(0, 0, -2)));
  CableSettings left = wire(8), right = wire(8), down = wire(8), loop = wire(16);
  for (CableSettings* c : {&left, &right, &down}) c->material.bending = c->material.torsion = 0.01;
  left.route = {chainEnd("world", Vec3(-1, 0, 0)), chainEnd("knot")};
  right.route = {chainEnd("world", Vec3(1, 0, 0)), chainEnd("knot")};
  down.route = {chainEnd("knot"), chainEnd("load")};
  loop.shape = {Vec3(0.3, 0, -2.3), Vec3(0, 0, -2.6), Vec3(-0.3, 0, -2.3)};
  loop.route = {chainEnd("load"), chainEnd("load")};
  d.cables.emplace_back("left", left);
  d.cables.emplace_back("right", right);
  d.cables.emplace_back("down", down);
  d.cables.emplace_back("loop", loop);
  World w = make(std::move(d));
  run(w, 10.0);
  const double below = 10.0 * (20.0 + 0.1 + 0.5 * (1.0 + measure(w, "cables.loop.length")));  // under the knot
  const double arms = 10.0 * 0.5 * std::sqrt(2.0);  // half of both arms' weight
  EXPECT_NEAR(measure(w, "cables.left.links.1.force.z") + measure(w, "cables.right.links.1.force.z"), below,
              0.02 * below);
  EXPECT_NEAR(measure(w, "cables.left.links.0.force.z"), -0.5 * (below + 2 * arms), 0.05 * below);
}

TEST(ChainBreak, AChainLoadedBeyondItsStrengthPartsAndSaysSo) {
  Description d = heavy(1.0 / 60);
  d.bodies.emplace_back("load", rigid(20.0, Vec3::Constant(0.5), Vec3(0, 0, -2)));
  CableSettings c = wire(8);
  c.material.breaking = 150.0;
  c.route = {chainEnd("world"), chainEnd("load")};
  d.cables.emplace_back("wire", c);
  World w = make(std::move(d));
  run(w, 1.0);
  EXPECT_LT(measure(w, "bodies.load.position.z"), -4.0);
  const auto events = w.takeEvents();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front().what, "breaks");
}

}  // namespace
}  // namespace reeve::test
