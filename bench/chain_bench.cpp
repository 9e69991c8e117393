// Chains of rigid segments: time a step against the number of segments (fig. 13 of Servin and Lacoursière), and per
// Newton iteration. A cable with bending and twist hangs with a load at its end and swings.
#include "trials/chain_ratios.h"
#include "worlds.h"

namespace {

using namespace reeve;

void chainStep(benchmark::State& state) {
  const int segments = static_cast<int>(state.range(0));
  bench::stepping(state, bench::make(trials::swingingChain(segments, 100.0, SolverChoice::direct)), 20);
  state.SetComplexityN(segments);
}
BENCHMARK(chainStep)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond)->Complexity();

}  // namespace
