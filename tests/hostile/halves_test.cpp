// Two halves are the whole: what was found to differ after save and restore, saved at every step.
#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "reeve/model/state.h"
#include "reeve/scene/scene.h"
#include "support/halves.h"
#include "support/random_machine.h"
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

/// A flag that is raised before a step, and one that is raised in the middle of one.
TEST(Interrupt, EndsAStepOfAnyModelAndLeavesTheStateFromBefore) {
  for (const CableModel model :
       {CableModel::joints, CableModel::strand, CableModel::hoist, CableModel::chain, CableModel::particles})
    for (const unsigned number : {3u, 8u}) {
      const Description d = randomMachine({.model = model}, number);
      World w = make(d);
      std::atomic<bool> flag = false;
      w.interruptBy(&flag);
      for (int i = 0; i < 5; ++i) w.step();
      const std::uint64_t before = w.hash();
      flag = true;
      EXPECT_TRUE(w.step().good);
      EXPECT_EQ(w.hash(), before);
      EXPECT_EQ(w.steps(), 5);
      for (const int microseconds : {20, 100, 300}) {
        flag = false;
        const std::int64_t made = w.steps();
        std::thread other([&] {
          std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
          flag = true;
        });
        w.step();
        other.join();
        EXPECT_LE(w.steps() - made, 1);
      }
      flag = false;
      while (w.steps() < 12) w.step();
      World whole = make(d);
      for (int i = 0; i < 12; ++i) whole.step();
      EXPECT_EQ(w.hash(), whole.hash()) << static_cast<int>(model) << " " << number;
    }
}

}  // namespace
}  // namespace reeve::test
