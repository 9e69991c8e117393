// Strands and the bodies they meet: nodes that appear, slide along edges, lie on round bodies, and vanish.
#include "cables/strand_meets.h"
#include "reeve/math/scalar.h"
#include "support/soak.h"

namespace reeve::test {
namespace {

constexpr const char* came = "the strand comes to lie on a body after this link";
constexpr const char* left = "the strand leaves a body after this link";

/// A bob swings on a strand of a metre, and the strand meets a body half way down.
Description interrupted(const ShapeSettings& shape, int nodes) {
  Description d = heavy(1.0 / 1000);
  BodySettings beam;
  beam.motion = BodyMotion::fixed;
  beam.position = Vec3(0.06, 0, -0.5);
  beam.collides = false;
  beam.shapes.push_back(shape);
  d.bodies.emplace_back("beam", beam);
  addMass(d, "bob", 0.5, Vec3(-0.8, 0, -0.6));
  CableSettings& rope = addStrand(d, "rope", 0.02, {attachTo("world"), attachTo("bob")});
  rope.candidates = {"beam"};
  rope.nodes = nodes;
  rope.material.radius = 0.003;
  rope.material.friction = 0.0;
  return d;
}

TEST(StrandMeets, ABeamARodAndABallAndLeavesThemWithWhatItHad) {
  const std::pair<const char*, ShapeSettings> shapes[] = {
      {"beam", box(Vec3(0.1, 0.6, 0.1))}, {"rod", cylinderAlongY(0.05, 0.6)}, {"ball", sphere(0.06)}};
  // A node that is freed swings with the strand, at 90 rad/s: only in small steps is the energy of the next one told to
  // 1e-6.
  for (const auto& [what, shape] : shapes)
    for (const int nodes : {0, 8}) {
      Description d = interrupted(shape, nodes);
      if (nodes == 0) d.settings.dt = 1.0 / 8000;
      World world = make(d);
      const double length = measure(world, "cables.rope.length");
      double last = measure(world, "energy.total"), kinetic = 0.0, gained = 0.0, atLeaving = 0.0, deepest = 0.0;
      int met = 0, gone = 0;
      while (world.time() < 2.0) {
        ASSERT_TRUE(world.step().good) << what << ": " << world.verdict().reason;
        bool leaves = false, strikes = false;
        for (const Event& e : world.takeEvents()) {
          met += e.what == came;
          gone += e.what == left;
          leaves = leaves || e.what == left;
          strikes = strikes || e.what == came;
        }
        const double energy = measure(world, "energy.total");
        kinetic = std::max(kinetic, measure(world, "energy.kinetic"));
        gained = std::max(gained, energy - last);
        if (leaves && !strikes && nodes == 0) atLeaving = std::max(atLeaving, std::fabs(energy - last));
        last = energy;
        deepest = std::max(deepest, depth(world, 0.003));
        EXPECT_NEAR(measure(world, "cables.rope.length"), length, 1e-10);
      }
      std::printf(
          "%s, %d nodes: came %d, left %d, energy at leaving %.2g, most gained in a step %.2g of the kinetic; "
          "%.2g mm inside\n",
          what, nodes, met, gone, atLeaving / kinetic, gained / kinetic, 1e3 * deepest);
      EXPECT_GE(met, 1) << what << nodes;
      EXPECT_EQ(met, gone) << what << nodes;
      constexpr double share = 1e-6;
      EXPECT_LT(atLeaving, share * kinetic) << what;
      EXPECT_LT(gained, (nodes == 0 ? share : 1e-3) * kinetic) << what << nodes;
      EXPECT_LT(deepest, nodes == 0 ? 1e-4 : 2e-3) << what << nodes;
      EXPECT_EQ(measure(world, "health.unconverged"), 0.0) << what << nodes;
    }
}

/// An edge that moves along itself takes nothing along: the node slides, and the strand stays where it is.
TEST(StrandMeets, AnEdgeAndSlidesAlongIt) {
  Description d = heavy(1.0 / 1000);
  Profile up;
  up.table = {{0.0, 0.0}, {0.5, 0.2}, {1.0, 0.2}};
  up.smooth = true;
  addMoved(d, "box", Vec3(0, 0.5, -0.15), Vec3::UnitZ(), up);
  d.bodies.back().second.shapes.push_back(box(Vec3(0.2, 3, 0.2)));
  addMass(d, "load", 1.0, Vec3(1, 1, -1));
  CableSettings& rope = addStrand(
      d, "rope", 0.02, {attachTo("world", Vec3(-1, 0, 0)), through("world", Vec3(1, 1, 0)), attachTo("load")});
  rope.candidates = {"box"};
  rope.material.radius = 1e-5;
  rope.material.friction = 0.0;
  rope.material.drag = 0.5;
  World world = make(d);
  run(world, 4.0);
  // Over two edges 0.2 m apart at a height of 0.15 m the shortest way is straight when unfolded.
  const double flat = 2.0 * std::hypot(0.9, 0.15) + 0.2;
  EXPECT_NEAR(measure(world, "particles.load.position.z"), -1.0 + std::hypot(flat, 1.0) - std::hypot(2.0, 1.0), 1e-3);
}

// Bodies that fall on a strand ---------------------------------------------------------------------------------------

ShapeSettings rodAlongY(double radius, double length, bool round) {
  ShapeSettings s = cylinderAlongY(radius, length);
  if (round) s.type = ShapeType::capsule;
  return s;
}

struct Fall {
  const char* what;
  ShapeSettings shape;
  Quat turn = Quat::Identity();
};

std::vector<Fall> fallers() {
  ShapeSettings can;  // stands on its flat end
  can.type = ShapeType::cylinder;
  can.radius = 0.1;
  can.length = 0.2;
  const double half = 10.0 * math::pi / 180.0;
  return {{"box", box(Vec3(0.2, 0.2, 0.2))},
          {"tilted box", box(Vec3(0.2, 0.2, 0.2)), Quat(std::cos(half), 0, std::sin(half), 0)},
          {"ball", sphere(0.1)},
          {"rod", rodAlongY(0.1, 0.5, false)},
          {"capsule", rodAlongY(0.1, 0.4, true)},
          {"can", can}};
}

Description fallingOn(const Fall& fall, double axial, int nodes, double friction, double load, double dt) {
  Description d = fallsOnStrand(fall.shape, fall.turn, load, nodes, friction, dt);
  d.cables[0].second.material.axial = axial;
  return d;
}

struct MetFall {
  bool good = true;
  double gained = 0.0, turnover = 0.0, lowest = HUGE_VAL, back = -HUGE_VAL, unconverged = 0.0, lengthError = 0.0;
};

MetFall runFall(const Description& d, double seconds) {
  MetFall c;
  World world = make(d);
  const double length = measure(world, "cables.rope.length");
  double start = HUGE_VAL, high = -HUGE_VAL, low = HUGE_VAL;
  while (world.time() < seconds && c.good) {
    c.good = world.step().good;
    // The first step tells what the strand is stretched by at the start.
    if (start == HUGE_VAL) start = measure(world, "energy.total");
    const double z = measure(world, "bodies.body.position.z"), p = measure(world, "energy.potential");
    high = std::max(high, p);
    low = std::min(low, p);
    c.gained = std::max(c.gained, measure(world, "energy.total") - start);
    if (z < c.lowest) c.lowest = z, c.back = z;
    c.back = std::max(c.back, z);
    c.lengthError = std::max(c.lengthError, std::fabs(measure(world, "cables.rope.length") - length));
  }
  c.turnover = high - low;
  c.unconverged = measure(world, "health.unconverged");
  return c;
}

void expectCaught(const Fall& fall, double axial, int nodes, double friction, double load, double dt,
                  double seconds = 2.0) {
  const MetFall c = runFall(fallingOn(fall, axial, nodes, friction, load, dt), seconds);
  std::printf(
      "%s, EA %g, %d nodes, friction %g, load %g, dt 1/%g: gained %.2g of the turnover, down to %.3f, up to %.3f\n",
      fall.what, axial, nodes, friction, load, 1.0 / dt, c.gained / c.turnover, c.lowest, c.back);
  const std::string how = std::string(fall.what) + ", EA " + std::to_string(axial) + ", nodes " +
                          std::to_string(nodes) + ", dt " + std::to_string(dt);
  EXPECT_TRUE(c.good) << how;
  EXPECT_LT(c.gained, 1e-3 * c.turnover) << how;
  EXPECT_GT(c.lowest, load < 2.0 ? -2.0 : -0.45) << how;
  EXPECT_GT(c.back, load < 2.0 ? -0.5 : 0.3) << how;
  EXPECT_EQ(c.unconverged, 0.0) << how;
  EXPECT_LT(c.lengthError, 1e-10) << how;
}

TEST(StrandMeets, WhatFallsOnItAndThrowsItUpAgain) {
  for (const Fall& fall : fallers())
    for (const double axial : {unbounded, 1e5})
      for (const double dt : {1.0 / 240, 1.0 / 1000}) expectCaught(fall, axial, 0, 0.0, 4.0, dt);
}

TEST(StrandMeets, WhatFallsOnItInSmallSteps) {
  int point = 0;
  for (const Fall& fall : fallers())
    for (const double axial : {unbounded, 1e5})
      if (walked(point++, 5)) expectCaught(fall, axial, 0, 0.0, 4.0, 1.0 / 4000);
}

/// Where it does not stretch, and until the body falls a second time: what a node that is put elsewhere does to the
/// energy of one that stretches is not its candidates' doing, and what falls on nodes that still swing may win some
/// (docs/strand.md).
TEST(StrandMeets, WhatFallsOnItWithFreeNodes) {
  int point = 0;
  for (const Fall& fall : fallers())
    for (const int nodes : {5, 8})
      if (walked(point++, 3)) expectCaught(fall, unbounded, nodes, 0.0, 4.0, 1.0 / 1000, 1.6);
}

/// It slips over the edges and round the rod against friction, slack and taut in turn.
TEST(StrandMeets, WhatFallsOnItWithFriction) {
  for (const Fall& fall : fallers()) {
    if (std::string(fall.what) == "can") continue;
    expectCaught(fall, 1e5, 0, 0.3, 4.0, 1.0 / 1000);
  }
}

/// A load that is too light is drawn up to the hole and stops there; the body bounces on what stretches.
TEST(StrandMeets, WhatIsTooHeavyForItsLoad) {
  for (const Fall& fall : fallers())
    for (const double axial : {unbounded, 1e5}) {
      const MetFall c = runFall(fallingOn(fall, axial, 0, 0.0, 1.0, 1.0 / 1000), 1.0);
      EXPECT_TRUE(c.good) << fall.what << axial;
      EXPECT_LT(c.gained, 1e-3 * c.turnover) << fall.what << axial;
      EXPECT_GT(c.lowest, -0.6) << fall.what << axial;
      EXPECT_EQ(c.unconverged, 0.0) << fall.what << axial;
    }
}

/// A rod or box that comes up under a strand draws material over itself, from the load's side to the other, so slowly
/// that nothing swings: T_other = T_load e^(mu turn).
TEST(StrandMeets, WhatItSlipsOverWithTheCapstanLaw) {
  const std::pair<const char*, ShapeSettings> shapes[] = {{"box", box(Vec3(0.2, 0.4, 0.2))},
                                                          {"rod", rodAlongY(0.1, 0.5, false)}};
  for (const auto& [what, shape] : shapes) {
    Description d = heavy(1.0 / 1000);
    addMoved(d, "body", Vec3(0, 0, -0.15), Vec3::UnitZ(), ramp({{0.0, 0.0}, {3.0, 0.45}}, false));
    d.bodies.back().second.shapes.push_back(shape);
    addMass(d, "load", 2.0, Vec3(1, 0, -1.5));
    CableSettings& rope = addStrand(
        d, "rope", 1e-3, {attachTo("world", Vec3(-1, 0, 0)), through("world", Vec3(1, 0, 0)), attachTo("load")});
    rope.candidates = {"body"};
    rope.material.friction = 0.3;
    rope.material.axial = 2e4;
    rope.material.damping = 0.01;
    World world = make(d);
    run(world, 2.5);
    const Observation seen = world.observe();
    const auto& c = seen.cables[0].second;
    const Vec3 first = (c.polyline[1] - c.polyline[0]).normalized();
    std::size_t hole = 0;
    for (std::size_t k = 0; k < c.polyline.size(); ++k)
      if ((c.polyline[k] - Vec3(1, 0, 0)).norm() < 1e-9) {
        hole = k;
        break;
      }
    const Vec3 last = (c.polyline[hole] - c.polyline[hole - 1]).normalized();
    const double turn = std::acos(first.dot(last)), ratio = c.tensions[0] / c.tensions[hole];
    std::printf("%s: turned by %.4f, tensions as 1 to %.5f, e^(mu turn) %.5f\n", what, turn, ratio,
                std::exp(0.3 * turn));
    EXPECT_GT(turn, 0.3) << what;
    EXPECT_NEAR(ratio, std::exp(0.3 * turn), 2e-3 * ratio) << what;
  }
}

/// What cannot be met is told at load.
TEST(StrandMeets, NothingThatItStartsInside) {
  Description d = fallingOn(fallers()[0], unbounded, 0, 0.0, 4.0, 1.0 / 1000);
  d.bodies[0].second.position.z() = 0.35;
  const auto inside = World::build(d);
  ASSERT_FALSE(inside.has_value());
  EXPECT_NE(inside.error().reason.find("starts inside 'body'"), std::string::npos) << inside.error().reason;
  d = fallingOn(fallers()[0], unbounded, 0, 0.0, 4.0, 1.0 / 1000);
  d.cables[0].second.route[0] = attachTo("body");
  const auto own = World::build(d);
  ASSERT_FALSE(own.has_value());
  EXPECT_NE(own.error().reason.find("it is fixed to"), std::string::npos) << own.error().reason;
  d.cables[0].second.route[0] = attachTo("body", Vec3(0, 0, -0.1));
  EXPECT_TRUE(World::build(d).has_value());
}

}  // namespace
}  // namespace reeve::test
