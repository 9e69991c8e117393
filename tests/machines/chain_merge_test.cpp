// Adaptive resolution on a whole machine.
#include "machines/machines.h"

namespace reeve::test {
namespace {


TEST(ChainMerge, TheGantryIsTheSameWithFewerSegments) {
  World worlds[2] = {make(shipped("gantry")), [] {
                       Description d = shipped("gantry");
                       d.cables.back().second.merges = 3;
                       d.expect.clear();
                       return make(std::move(d));
                     }()};
  ASSERT_EQ(worlds[1].description().cables.back().first, "chain");
  double load = 0.0, hook = 0.0, pull = 0.0, used = 0.0, count = 0.0;
  while (worlds[0].time() < 14.0 && worlds[0].step().good && worlds[1].step().good) {
    const auto differs = [&](const char* path) {
      return std::fabs(measure(worlds[0], path) - measure(worlds[1], path));
    };
    used += static_cast<double>(cableOf(worlds[1], 2).spans.size()) - 1.0;
    count += 1.0;
    for (const char* path : {"bodies.load.position.x", "bodies.load.position.z"}) load = std::max(load, differs(path));
    hook = std::max(hook, differs("bodies.hook.position.z"));
    // Once the load has come down the hook sits on the slack chain and rocks, with a phase of its own.
    if (worlds[0].time() > 9.0) continue;
    hook = std::max(hook, differs("bodies.hook.position.x"));
    if (worlds[0].time() > 0.5 && worlds[0].time() < 8.5)
      pull = std::max(pull, differs("cables.chain.links.1.force.z"));
  }
  EXPECT_TRUE(worlds[0].verdict().good && worlds[1].verdict().good);
  std::printf("gantry: %.1f of 20 segments on average; load differs by %.4f m, hook by %.4f m, pull by %.1f N\n",
              used / count, load, hook, pull);
  EXPECT_LT(used / count, 15.0);
  EXPECT_LT(load, 0.02 * 3.0);
  EXPECT_LT(hook, 0.02 * 3.0);
  EXPECT_LT(pull, 0.02 * 3000.0);
}

// Segments that were awake and sleep now leave nothing behind that a restored world would not have: the load comes down
// at 8.7 s, where every jump solves for velocities anew.
TEST(ChainMerge, TheGantryGoesOnBitForBitFromASavedState) {
  Description d = shipped("gantry");
  d.cables.back().second.merges = 3;
  d.expect.clear();
  World w = make(d);
  for (const double pause : {3.0, 2.0, 3.8}) {
    run(w, pause);
    World other = make(d);
    const std::string saved = w.saveState();
    ASSERT_TRUE(other.restoreState(saved));
    World onward = make(d);
    ASSERT_TRUE(onward.restoreState(saved));
    run(onward, 0.5);  // and back into a world that has gone on
    ASSERT_TRUE(onward.restoreState(saved));
    World first = make(d);
    run(first, w.time());
    for (World* each : {&first, &other, &onward})
      while (each->time() < 10.0 && each->step().good) {
      }
    EXPECT_EQ(first.hash(), other.hash()) << "saved at " << w.time() << " s";
    EXPECT_EQ(first.hash(), onward.hash()) << "saved at " << w.time() << " s";
  }
}

}  // namespace
}  // namespace reeve::test
