#pragma once
// What every world must bear, whatever scene it was built from: for the fuzzers. A failure ends the program.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "reeve/model/model.h"
#include "reeve/record/judge.h"
#include "reeve/record/picture.h"
#include "reeve/record/summary.h"
#include "reeve/scene/scene.h"
#include "reeve/world/world.h"

namespace reeve::fuzz {

inline void require(bool holds, const char* what, const std::string& text = {}) {
  if (holds) return;
  std::fprintf(stderr, "%s\n%s\n", what, text.c_str());
  std::abort();
}

/// How long an input may be stepped for: what is over is left where it is, in the middle of a step too, so that no
/// input keeps the others waiting.
class Budget {
 public:
  explicit Budget(double seconds) {
    up().store(false);
    deadline().store(now() + static_cast<std::int64_t>(1e3 * seconds));
    static std::thread watcher = [] {
      std::thread thread([] {
        for (;; std::this_thread::sleep_for(std::chrono::milliseconds(20)))
          if (now() >= deadline().load()) up().store(true);
      });
      thread.detach();
      return thread;
    }();
  }
  bool over() const { return up().load(); }
  void watch(World& world) const { world.interruptBy(&up()); }

 private:
  /// ms of the processor: others may be at work too.
  static std::int64_t now() { return static_cast<std::int64_t>(std::clock()) * 1000 / CLOCKS_PER_SEC; }
  static std::atomic<bool>& up() {
    static std::atomic<bool> flag = false;
    return flag;
  }
  static std::atomic<std::int64_t>& deadline() {
    static std::atomic<std::int64_t> time = INT64_MAX;
    return time;
  }
};

/// Scenes that are larger take too long for a fuzzer.
inline bool small(const Description& d) {
  std::size_t size = d.bodies.size() + d.rotors.size() + d.particles.size() + d.joints.size() + 4 * d.cables.size();
  for (const auto& [name, c] : d.cables)
    size +=
        c.route.size() + static_cast<std::size_t>(std::clamp(c.nodes, 0, 1000) + std::clamp(c.subdivisions, 0, 1000) +
                                                  (c.segments == 24 ? 0 : std::clamp(c.segments, 0, 100000)));
  return size < 120 && d.settings.substeps <= 4 && d.settings.iterations <= 100 &&
         std::all_of(d.cables.begin(), d.cables.end(), [](const auto& c) {
           return c.second.particles.substeps <= 20 && c.second.particles.iterations <= 100;
         });
}

/// Of an input; more of them show more than longer ones.
constexpr double unitSeconds = 1.0;

/// Every number there is can be read, drawn and written down, and no good world has one that is NaN.
inline void lookAtAll(const World& world) {
  std::vector<Observable> all;
  for (const std::string& path : world.paths()) {
    const auto found = world.resolve(path);
    require(found.has_value(), "a path that is not known", path);
    all.push_back(*found);
  }
  std::vector<double> values(all.size());
  world.readAll(all, values);
  const Observation seen = world.observe();
  if (world.examine().good) {
    require(std::isfinite(seen.energy.total) || std::fabs(seen.energy.total) > 1e300, "energy is not a number");
    for (const auto& [name, cable] : seen.cables) require(!std::isnan(cable.length), "a length is not a number", name);
  }
  require(!record::drawPicture(world.description(), seen).empty(), "no picture");
  record::RunFacts facts;
  record::setUnits(facts, world.description());
  facts.verdict = world.examine();
  require(!record::writeSummary(facts, seen).empty(), "no summary");
}

/// Steps, looks, and compares with itself restored half way.
inline void exercise(const Description& d, int steps, int half) {
  auto built = World::build(d);
  if (!built) {
    require(!built.error().reason.empty(), "a problem without a reason");
    return;
  }
  World& world = *built;
  if (world.model().velocities > 400) steps = std::min(steps, 3);
  const Budget budget(unitSeconds);
  budget.watch(world);
  half = std::min(half, steps);
  record::Judge judge(world.description(), world.observe());
  std::string saved;
  for (int i = 0; i < steps && world.verdict().good && !budget.over(); ++i) {
    if (i == half) saved = world.saveState();
    world.step();
    if (i % 8 == 0) judge.look(world.observe());
  }
  lookAtAll(world);
  if (saved.empty() || budget.over()) return;
  auto again = World::build(d);
  budget.watch(*again);
  const auto restored = again->restoreState(saved);
  require(restored.has_value(), "what was saved cannot be restored", restored ? "" : restored.error().reason);
  for (int i = half; i < steps && again->verdict().good && !budget.over(); ++i) again->step();
  if (budget.over()) return;
  require(again->hash() == world.hash(), "two halves are not the whole", writeScene(d));
}

}  // namespace reeve::fuzz
