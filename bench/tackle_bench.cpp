// The machine people build most, a tackle whose blocks move, for any number of sheaves; `simple`, and the heavy chain
// of 24: the scenes that reeve_race runs beside other engines.
#include "trials/moving_tackle.h"
#include "worlds.h"

namespace {

using namespace reeve;
using namespace reeve::bench;

void tackle(benchmark::State& state, CableModel model) {
  trials::Tackle t;
  t.sheaves = static_cast<int>(state.range(0));
  t.model = model;
  t.extra = 0.1;
  stepping(state, make(trials::movingTackle(t)), 4, 50);  // half a second: it moves, and nothing arrives
  state.counters["per sheave"] = benchmark::Counter(
      static_cast<double>(t.sheaves), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
void tackleJoints(benchmark::State& state) { tackle(state, CableModel::joints); }
void tackleStrand(benchmark::State& state) { tackle(state, CableModel::strand); }
BENCHMARK(tackleJoints)->RangeMultiplier(8)->Range(2, 2)->Range(64, 32768)->Unit(benchmark::kMicrosecond);
BENCHMARK(tackleStrand)->RangeMultiplier(8)->Range(2, 2)->Range(64, 32768)->Unit(benchmark::kMicrosecond);

void scene(benchmark::State& state, const char* name, std::int64_t steps) {
  std::string problem;
  auto d = shipped(name, problem);
  if (!d) return state.SkipWithError(problem.c_str());
  stepping(state, make(std::move(*d)), 4, steps);
}
BENCHMARK_CAPTURE(scene, simple, "simple", 240)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(scene, heavyChain, "heavy-chain", 600)->Unit(benchmark::kMicrosecond);

}  // namespace
