// `blocks` says when its rounds have not sufficed.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

/// Boxes of 0.2 m, one on the other on the ground.
Description towerOf(int boxes, int rounds) {
  Description d = heavy(1.0 / 120);
  d.settings.solver = SolverChoice::blocks;
  d.settings.iterations = rounds;
  BodySettings& ground = addFixed(d, "ground");
  ground.shapes.emplace_back();
  ground.shapes.back().type = ShapeType::halfSpace;
  for (int i = 0; i < boxes; ++i) {
    BodySettings box;
    box.position = Vec3(0, 0, 0.1 + 0.2 * i);
    box.shapes.emplace_back();
    box.shapes.back().type = ShapeType::box;
    box.shapes.back().size = Vec3(0.2, 0.2, 0.2);
    d.bodies.emplace_back("box" + std::to_string(i), box);
  }
  return d;
}

TEST(Blocks, ATowerThatSinksIsNotConverged) {
  World w = make(towerOf(20, 3));
  for (int i = 0; i < 60; ++i) w.step();
  EXPECT_GT(measure(w, "health.unconverged"), 50);
}

TEST(Blocks, OneBoxAtRestIsConverged) {
  World w = make(towerOf(1, 20));
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(w.step().good);
  EXPECT_LE(measure(w, "health.unconverged"), 2);
  EXPECT_NEAR(measure(w, "bodies.box0.position.z"), 0.1, 1e-3);
}

TEST(Blocks, APendulumOfOneGroupIsConvergedInEveryStep) {
  Description d = heavy(1.0 / 240);
  d.settings.solver = SolverChoice::blocks;
  addMass(d, "mass", 1.0, Vec3(1, 0, 0));
  addCable(d, "rope", {attachTo("world"), attachTo("mass")});
  World w = make(d);
  for (int i = 0; i < 240; ++i) ASSERT_TRUE(w.step().good);
  EXPECT_EQ(measure(w, "health.unconverged"), 0);
}

}  // namespace
}  // namespace reeve::test
