// Two halves are the whole: what was found to differ after save and restore, saved at every step.
#include <fstream>
#include <sstream>

#include "reeve/model/state.h"
#include "reeve/scene/scene.h"
#include "support/halves.h"
#include "support/scenes.h"
#include "support/source_dir.h"

namespace reeve::test {
namespace {

Description foundScene(const std::string& name) {
  std::ifstream file(sourceDir() + "/tests/hostile/scenes/" + name + ".json");
  std::stringstream text;
  text << file.rdbuf();
  auto scene = readScene(text.str(), name);
  EXPECT_TRUE(scene) << name << ": " << (scene ? "" : scene.error().reason);
  return std::move(*scene);
}

TEST(Halves, OfScenesThatOnceDifferedAreTheSameBits) {
  // A strand over a driven wheel (249) mended its elimination order on the way, in every step.
  for (const char* name : {"restore_differs_249", "restore_differs_356", "restore_differs_446", "restore_differs_860",
                           "restore_differs_9970"}) {
    const Halves h = compareHalves(foundScene(name), 24, {1, 2, 3, 5, 10, 15, 20});
    EXPECT_TRUE(h.same()) << name << " from step " << h.differs << " " << h.problem;
  }
}

TEST(Halves, ATimeOfTenMillionStepsIsTheirNumberTimesTheStep) {
  Description d = heavy(0.1);
  d.particles.emplace_back("p", ParticleSettings{});
  World w = make(d);
  State late = w.state();
  late.steps = 10'000'000;
  late.time = 10'000'000 * 0.1;
  ASSERT_TRUE(w.setState(late));
  for (int i = 0; i < 10; ++i) w.step();
  EXPECT_EQ(w.time(), 10'000'010 * 0.1);  // summed it would be off by the rounding of each
}

TEST(Interrupt, EndsAStepAndLeavesTheStateFromBefore) {
  World w = make(foundScene("restore_differs_860"));
  std::atomic<bool> flag = false;
  w.interruptBy(&flag);
  for (int i = 0; i < 5; ++i) w.step();
  const std::uint64_t before = w.hash();
  flag = true;
  EXPECT_TRUE(w.step().good);
  EXPECT_EQ(w.hash(), before);
  EXPECT_EQ(w.steps(), 5);
  flag = false;
  w.step();
  EXPECT_EQ(w.steps(), 6);
  World other = make(foundScene("restore_differs_860"));
  for (int i = 0; i < 6; ++i) other.step();
  EXPECT_EQ(w.hash(), other.hash());
}

}  // namespace
}  // namespace reeve::test
