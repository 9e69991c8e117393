// The tackle that steps are timed with and other engines raced is the one of the shipped scene, for any size.
#include "trials/moving_tackle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "reeve/scene/scene.h"
#include "reeve/world/world.h"
#include "support/source_dir.h"

namespace reeve {
namespace {

World tackleWorld(Description d) {
  auto world = World::build(std::move(d));
  EXPECT_TRUE(world) << world.error().path << ": " << world.error().reason;
  return std::move(*world);
}

TEST(MovingTackle, SixteenSheavesAsAStrandAreTheShippedScene) {
  std::ifstream file(sourceDir() + "/scenes/compound-pulley.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto shipped = readScene(text, "compound-pulley");
  ASSERT_TRUE(shipped);
  World scene = tackleWorld(std::move(*shipped));
  World built = tackleWorld(trials::movingTackle({.sheaves = 16, .model = CableModel::strand}));
  for (int i = 0; i < 10; ++i) {
    scene.step();
    built.step();
  }
  for (const char* path : {"bodies.weight.position.z", "cables.rope.spans.3.tension", "energy.total"})
    EXPECT_NEAR(scene.read(*scene.resolve(path)), built.read(*built.resolve(path)), 1e-9) << path;
}

TEST(MovingTackle, TheWeightFallsAsTheClosedFormSaysForTwoToSixtyFourSheaves) {
  for (const int n : {2, 4, 16, 64}) {
    const trials::Tackle t{.sheaves = n, .extra = 0.1};
    World w = tackleWorld(trials::movingTackle(t));
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(w.step().good);
    const double exact = 0.5 * t.acceleration(true) * 0.25;
    // Uniform acceleration: a scheme of second order has it exactly, but for the rounding of n spans.
    EXPECT_NEAR(-t.drop - w.read(*w.resolve("bodies.weight.position.z")), exact, 1e-11 * exact) << n;
    EXPECT_EQ(w.read(*w.resolve("health.unconverged")), 0);
  }
}

}  // namespace
}  // namespace reeve
