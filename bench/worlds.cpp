#include "worlds.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "reeve/scene/scene.h"
#include "reeve/threads/cpu_time.h"

namespace reeve::bench {

World make(Description description) {
  auto world = World::build(std::move(description));
  if (!world) {
    std::fprintf(stderr, "%s: %s\n", world.error().path.c_str(), world.error().reason.c_str());
    std::abort();
  }
  return std::move(*world);
}

std::optional<Description> shipped(const std::string& name, std::string& problem) {
  std::ifstream file(std::string(REEVE_SOURCE_DIR) + "/scenes/" + name + ".json");
  if (!file) {
    problem = "scenes/" + name + ".json is missing";
    return std::nullopt;
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto description = readScene(text, name);
  if (!description) {
    problem = problemText(name, description.error());
    return std::nullopt;
  }
  return std::move(*description);
}

double read(const World& world, const std::string& path) {
  const auto observable = world.resolve(path);
  return observable ? world.read(*observable) : 0.0;
}

void stepping(benchmark::State& state, World world, int warm, std::int64_t steps) {
  const std::string beginning = steps > 0 ? world.saveState() : "";
  for (int i = 0; i < warm && world.step().good; ++i) {
  }
  // Long steps are timed one by one too: on a busy machine the fastest says more than the mean.
  double start = threadSeconds(), best = 1e300;
  world.step();
  const bool singly = threadSeconds() - start > 1e-5;
  const auto iterations = *world.resolve("health.iterations"), error = *world.resolve("health.worst_error");
  double sum = 0.0, worst = 0.0;
  for (auto _ : state) {
    if (steps > 0 && world.steps() >= steps) {
      state.PauseTiming();
      if (!world.restoreState(beginning)) state.SkipWithError("its own state does not restore");
      state.ResumeTiming();
    }
    if (singly) start = threadSeconds();
    const bool good = world.step().good;
    if (singly) best = std::min(best, threadSeconds() - start);
    if (!good) {
      state.SkipWithError((world.verdict().culprit + " " + world.verdict().reason).c_str());
      break;
    }
    sum += world.read(iterations);
    worst = std::max(worst, world.read(error));
  }
  state.counters["iterations"] = sum / static_cast<double>(std::max<std::int64_t>(state.iterations(), 1));
  state.counters["error"] = worst;
  if (singly) state.counters["best"] = best;
  state.counters["per iteration"] = benchmark::Counter(sum, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["unconverged"] = read(world, "health.unconverged");
}

}  // namespace reeve::bench
