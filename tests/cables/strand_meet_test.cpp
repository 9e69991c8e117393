// Strands and the bodies they meet: nodes that appear, slide along edges, lie on round bodies, and vanish.
#include "cables/strand_scenes.h"
#include "reeve/geometry/collide.h"
#include "reeve/model/model.h"

namespace reeve::test {
namespace {

constexpr const char* came = "the strand comes to lie on a body after this link";
constexpr const char* left = "the strand leaves a body after this link";

ShapeSettings ball(double radius) {
  ShapeSettings s;
  s.type = ShapeType::sphere;
  s.radius = radius;
  return s;
}

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

/// How deep the strand's line is inside the beam, m: it is drawn along its middle, 3 mm away.
double depth(const World& world) {
  const Body& beam = world.model().bodies[1];
  double deepest = 0.0;
  const Observation seen = world.observe();
  const auto& line = seen.cables[0].second.polyline;
  for (std::size_t k = 0; k + 1 < line.size(); ++k)
    if ((line[k + 1] - line[k]).norm() > 1e-6)
      deepest = std::max(deepest, 0.003 - closest(line[k], line[k + 1], beam.shapes[0], beam.start).gap);
  return deepest;
}

TEST(StrandMeets, ABeamARodAndABallAndLeavesThemWithWhatItHad) {
  const std::pair<const char*, ShapeSettings> shapes[] = {
      {"beam", box(Vec3(0.1, 0.6, 0.1))}, {"rod", cylinderAlongY(0.05, 0.6)}, {"ball", ball(0.06)}};
  // A node that is freed swings with the strand, at 90 rad/s: only in small steps is the energy of the next one told to
  // 1e-6. A ball of half the size of a segment is too small for free nodes.
  for (const auto& [what, shape] : shapes)
    for (const int nodes : {0, 8}) {
      if (nodes > 0 && shape.type == ShapeType::sphere) continue;
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
        deepest = std::max(deepest, depth(world));
        EXPECT_NEAR(measure(world, "cables.rope.length"), length, 1e-10);
      }
      std::printf(
          "%s, %d nodes: came %d, left %d, energy at leaving %.2g, most gained in a step %.2g of the kinetic; "
          "%.2g mm inside\n",
          what, nodes, met, gone, atLeaving / kinetic, gained / kinetic, 1e3 * deepest);
      EXPECT_GE(met, 1) << what << nodes;
      EXPECT_EQ(met, gone) << what << nodes;
      EXPECT_LT(atLeaving, 1e-6 * kinetic) << what;
      EXPECT_LT(gained, (nodes == 0 ? 1e-6 : 1e-3) * kinetic) << what << nodes;
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

}  // namespace
}  // namespace reeve::test
