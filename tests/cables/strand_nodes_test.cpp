// Strands with free nodes that meet bodies: what falls on them, what they fall on, and what is too heavy for them.
#include "cables/strand_meets.h"
#include "support/soak.h"

namespace reeve::test {
namespace {

ShapeSettings shapeOf(const std::string& what) {
  if (what == "ball") return sphere(0.1);
  return what == "rod" ? cylinderAlongY(0.1, 0.5) : box(Vec3(0.2, 0.2, 0.2));
}

Description dropped(const std::string& what, double load, int nodes, double dt) {
  return fallsOnStrand(shapeOf(what), Quat::Identity(), load, nodes, 0.3, dt);
}

/// A rope of a metre with a weight at each end falls on what does not move.
Description thrownOver(const ShapeSettings& shape, bool points, int nodes, double axial) {
  Description d = heavy(1.0 / 1000);
  BodySettings body;
  body.motion = BodyMotion::fixed;
  body.position = Vec3(0, 0, points ? 0.0 : -0.2);
  body.collides = !points;
  body.shapes.push_back(shape);
  d.bodies.emplace_back("body", body);
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0.0 ? "a" : "b";
    const double mass = side < 0.0 ? 1.0 : 1.2;
    if (points) {
      addMass(d, name, mass, Vec3(0.5 * side, 0, 0.3));
      continue;
    }
    BodySettings weight;
    weight.mass = mass;
    weight.position = Vec3(0.5 * side, 0, 0.3);
    weight.shapes.push_back(sphere(0.04));
    d.bodies.emplace_back(name, weight);
  }
  CableSettings& rope = addStrand(d, "rope", 0.1, {attachTo("a"), attachTo("b")});
  rope.candidates = {"body"};
  rope.nodes = nodes;
  rope.material.axial = axial;
  return d;
}

/// m: how deep the strand, drawn along its middle, is inside the body.
double insideOf(const World& world, const Observation& seen) {
  double deepest = 0.0;
  for (const Body& b : world.model().bodies) {
    if (b.name != "body") continue;
    Pose pose = b.start;
    for (const auto& [name, body] : seen.bodies)
      if (name == b.name) pose = {body.position, body.orientation};
    const auto& line = seen.cables[0].second.polyline;
    for (std::size_t k = 0; k + 1 < line.size(); ++k)
      if ((line[k + 1] - line[k]).norm() > 1e-6)
        deepest = std::max(deepest, -closest(line[k], line[k + 1], b.shapes[0], pose).gap);
  }
  return deepest;
}

/// Nothing is won, nothing goes through, lengths stay, and every step finds its solution.
void expectSound(const Description& d, double seconds, const std::string& how) {
  World world = make(d);
  const double length = measure(world, "cables.rope.length");
  double start = HUGE_VAL, high = -HUGE_VAL, low = HUGE_VAL, gained = 0.0, deepest = 0.0, lengthError = 0.0;
  while (world.time() < seconds && world.step().good) {
    const double e = measure(world, "energy.total"), p = measure(world, "energy.potential");
    if (start == HUGE_VAL) start = e;
    high = std::max(high, p);
    low = std::min(low, p);
    gained = std::max(gained, e - start);
    deepest = std::max(deepest, insideOf(world, world.observe()));
    lengthError = std::max(lengthError, std::fabs(measure(world, "cables.rope.length") - length));
  }
  std::printf("%s: gained %.2g of the turnover, %.2g mm inside\n", how.c_str(), gained / (high - low), 1e3 * deepest);
  EXPECT_TRUE(world.verdict().good) << how << ": " << world.verdict().reason;
  EXPECT_LT(gained, 1e-6 * (high - low)) << how;
  EXPECT_LT(deepest, 0.02) << how;
  EXPECT_EQ(measure(world, "health.unconverged"), 0.0) << how;
  EXPECT_LT(lengthError, 1e-10) << how;
  // What goes through falls for good; the lowest a body can hang is 0.6 m below the links, and in a second the heavier
  // of two weights goes down by less than that.
  for (const auto& [name, body] : world.observe().bodies) EXPECT_GT(body.position.z(), -0.8) << how << ", " << name;
}

/// All shapes with loads of 1 to 4 kg and 2 to 10 nodes, at 1/1000 and 1/4000 s, were run by hand (docs/strand.md);
/// here every load, every number of nodes and every shape meets each other at least once.
TEST(StrandNodes, WhatFallsOnThemIsCaughtWhateverTheLoad) {
  const std::string shapes[] = {"rod", "box", "ball"};
  const double loads[] = {1.0, 1.5, 2.0, 3.0};
  const int counts[] = {2, 3, 5, 8, 10};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 5; ++k) {
        if ((i + 2 * j + k) % (soaking() ? 4 : 8) != 0) continue;
        expectSound(dropped(shapes[i], loads[j], counts[k], 1.0 / 1000), 2.0,
                    shapes[i] + ", load " + std::to_string(loads[j]) + ", " + std::to_string(counts[k]) + " nodes");
      }
}

TEST(StrandNodes, WhatFallsOnThemIsCaughtInSmallSteps) {
  for (const char* what : {"rod", "box", "ball"})
    expectSound(dropped(what, 1.0, 5, 1.0 / 4000), 1.0, std::string(what) + ", 1/4000 s");
}

TEST(StrandNodes, WithWeightsAtTheirEndsLieOverWhatTheyFallOn) {
  for (const int nodes : {0, 4}) {
    const std::string with = ", " + std::to_string(nodes) + " nodes";
    expectSound(thrownOver(box(Vec3(0.3, 0.4, 0.6)), false, nodes, unbounded), 1.0, "high box" + with);
    expectSound(thrownOver(box(Vec3(0.4, 0.4, 0.2)), false, nodes, unbounded), 1.0, "flat box" + with);
    expectSound(thrownOver(cylinderAlongY(0.15, 0.4), false, nodes, unbounded), 1.0, "post" + with);
  }
}

/// Points have no shape that collides: the strand keeps its own ends out.
TEST(StrandNodes, EndsInPointsKeepOutOfWhatTheySwingAgainst) {
  for (const int nodes : {0, 4}) {
    const std::string with = ", " + std::to_string(nodes) + " nodes";
    expectSound(thrownOver(box(Vec3(0.4, 0.4, 0.2)), true, nodes, unbounded), 1.0, "box" + with);
    expectSound(thrownOver(box(Vec3(0.3, 0.4, 0.6)), true, nodes, unbounded), 1.0, "high box" + with);
    expectSound(thrownOver(cylinderAlongY(0.2, 0.4), true, nodes, unbounded), 1.0, "post" + with);
  }
  expectSound(thrownOver(box(Vec3(0.4, 0.4, 0.2)), true, 0, 1e4), 1.0, "box, EA 1e4");
}

/// A round body that is put where the strand is between two steps has no side to come from: that is told, and the run
/// is not good. (The edges of a box are seen to come, however fast.)
TEST(StrandNodes, ThatFindThemselvesInsideABodySaySo) {
  for (const char* what : {"rod", "ball"}) {
    Description d = heavy(1.0 / 1000);
    addMoved(d, "body", Vec3(0, 0, 0.6), Vec3::UnitZ(),
             ramp({{0.0, 0.0}, {0.1, 0.0}, {0.101, -0.3}, {1.0, -0.3}}, false));
    d.bodies.back().second.shapes.push_back(shapeOf(what));
    addMass(d, "load", 4.0, Vec3(1, 0, -0.5));
    CableSettings& rope = addStrand(
        d, "rope", 0.05, {attachTo("world", Vec3(-1, 0, 0.3)), through("world", Vec3(1, 0, 0.3)), attachTo("load")});
    rope.candidates = {"body"};
    rope.nodes = 4;
    World world = make(d);
    while (world.time() < 0.2 && world.step().good) {
    }
    EXPECT_FALSE(world.verdict().good) << what;
    EXPECT_EQ(world.verdict().culprit, "cables.rope") << what;
    EXPECT_NE(world.verdict().reason.find("has gone into a body"), std::string::npos) << what;
    EXPECT_NEAR(world.verdict().time, 0.101, 1.5e-3) << what;
  }
}

/// Which nodes are in use, and in which order, is part of the state.
TEST(StrandNodes, SavedAndRestoredGoOnWithTheSameBits) {
  const Description d = dropped("rod", 1.5, 5, 1.0 / 1000);
  World whole = make(d), first = make(d), second = make(d);
  run(whole, 0.8);
  run(first, 0.5);
  ASSERT_TRUE(second.restoreState(first.saveState()));
  run(second, 0.3);
  EXPECT_EQ(second.hash(), whole.hash());
}

}  // namespace
}  // namespace reeve::test
