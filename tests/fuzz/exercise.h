#pragma once
// What every world must bear, whatever scene it was built from: for the fuzzers. A failure ends the program.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "budget.h"
#include "reeve/model/model.h"
#include "reeve/record/judge.h"
#include "reeve/record/picture.h"
#include "reeve/record/summary.h"
#include "reeve/scene/scene.h"

namespace reeve::fuzz {

inline void require(bool holds, const char* what, const std::string& text = {}) {
  if (holds) return;
  std::fprintf(stderr, "%s\n%s\n", what, text.c_str());
  std::abort();
}

/// Cables count more: of segments, nodes and the like a scene may have millions.
inline std::size_t sizeOf(const Description& d) {
  std::size_t size = d.bodies.size() + d.rotors.size() + d.particles.size() + d.joints.size() + 4 * d.cables.size();
  for (const auto& [name, c] : d.cables)
    size += c.route.size() +
            static_cast<std::size_t>(std::clamp(c.nodes, 0, 1000000) + std::clamp(c.subdivisions, 0, 1000000) +
                                     (c.segments == 24 ? 0 : std::clamp(c.segments, 0, 1000000)));
  return size;
}

/// Scenes that are larger take too long for a fuzzer.
inline bool small(const Description& d) {
  return sizeOf(d) < 120 && d.settings.substeps <= 4 && d.settings.iterations <= 100 &&
         std::all_of(d.cables.begin(), d.cables.end(), [](const auto& c) {
           return c.second.particles.substeps <= 20 && c.second.particles.iterations <= 100;
         });
}

/// Scenes that must be refused before memory is taken.
inline bool hopeless(const Description& d) {
  return sizeOf(d) > 200000 && std::none_of(d.cables.begin(), d.cables.end(),
                                            [](const auto& c) { return c.second.model == CableModel::particles; });
}

/// s of an input; more of them show more than longer ones.
constexpr double unitSeconds = 0.5, buildSeconds = 1.0;

/// All that can be seen of a world.
struct Sight {
  std::vector<std::string> paths;
  std::vector<double> values;
  std::string picture, summary;
};

/// Every number there is can be read, and no good world has one that is NaN; `drawn`: drawn and written down too.
inline Sight sightOf(const World& world, bool drawn = true) {
  Sight sight;
  std::vector<Observable> all;
  sight.paths = world.paths();
  for (const std::string& path : sight.paths) {
    const auto found = world.resolve(path);
    require(found.has_value(), "a path that is not known", path);
    all.push_back(*found);
  }
  sight.values.resize(all.size());
  world.readAll(all, sight.values);
  Observation seen = world.observe();
  if (world.examine().good) {
    require(std::isfinite(seen.energy.total) || std::fabs(seen.energy.total) > 1e300, "energy is not a number");
    for (const auto& [name, cable] : seen.cables) require(!std::isnan(cable.length), "a length is not a number", name);
  }
  if (!drawn) return sight;
  sight.picture = record::drawPicture(world.description(), seen);
  require(!sight.picture.empty(), "no picture");
  seen.health.unconverged = 0;  // counted from the restored state on
  seen.health.converges = true;
  record::RunFacts facts;
  record::setUnits(facts, world.description());
  facts.verdict = world.examine();
  sight.summary = record::writeSummary(facts, seen);
  require(!sight.summary.empty(), "no summary");
  return sight;
}
inline void lookAtAll(const World& world) { sightOf(world); }

/// The same numbers to the last bit, the same picture, the same summary.
inline void requireSame(const Sight& a, const Sight& b, const Description& d) {
  require(a.paths == b.paths, "two halves have other observables than the whole");
  for (std::size_t i = 0; i < a.values.size(); ++i)
    if (a.paths[i] != "health.unconverged" && !(std::isnan(a.values[i]) && std::isnan(b.values[i])))
      require(std::bit_cast<std::uint64_t>(a.values[i]) == std::bit_cast<std::uint64_t>(b.values[i]),
              "an observable of two halves is not that of the whole", a.paths[i] + "\n" + writeScene(d));
  require(a.picture == b.picture, "the picture of two halves is not that of the whole", writeScene(d));
  require(a.summary == b.summary, "the summary of two halves is not that of the whole",
          a.summary + "\n" + b.summary + "\n" + writeScene(d));
}

/// Of step `from` on.
inline std::vector<std::string> eventsOf(World& world) {
  std::vector<std::string> words;
  for (const Event& e : world.takeEvents()) words.push_back(std::to_string(e.time) + e.subject + e.what);
  return words;
}

/// Steps, looks, and compares with itself restored on the way: hash, verdict, events, and all that can be seen.
inline void exercise(const Description& d, int steps, int half, bool drawn = true) {
  auto built = [&] {
    const Budget budget(buildSeconds);
    return World::build(d);
  }();
  if (!built) {
    require(!built.error().reason.empty(), "a problem without a reason");
    return;
  }
  World& world = *built;
  if (world.model().velocities > 400) steps = std::min(steps, 3);
  const Budget budget(unitSeconds);
  budget.watch(world);
  half = std::min(half, steps - 1);
  record::Judge judge(world.description(), world.observe());
  std::string saved;
  for (int i = 0; i < steps && world.verdict().good && !budget.over(); ++i) {
    if (i == half) saved = world.saveState(), world.takeEvents();
    world.step();
    if (i % 8 == 0) judge.look(world.observe());
  }
  const Sight whole = sightOf(world, drawn);
  if (saved.empty() || budget.over()) return;
  auto again = World::build(d);
  budget.watch(*again);
  const auto restored = again->restoreState(saved);
  require(restored.has_value(), "what was saved cannot be restored", restored ? "" : restored.error().reason);
  again->takeEvents();
  for (int i = half; i < steps && again->verdict().good && !budget.over(); ++i) again->step();
  if (budget.over()) return;
  require(again->hash() == world.hash() && again->verdict().good == world.verdict().good,
          "two halves are not the whole", writeScene(d));
  require(eventsOf(*again) == eventsOf(world), "two halves have other events than the whole", writeScene(d));
  requireSame(sightOf(*again, drawn), whole, d);
}

}  // namespace reeve::fuzz
