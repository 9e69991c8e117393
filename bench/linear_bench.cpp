// Cost of the direct solver per shape and size: analysis, factorisation, and solution with its refinement.
#include <benchmark/benchmark.h>

#include "../tests/linear/systems.h"

namespace {

using namespace reeve;
using systems::Builder;

void report(benchmark::State& state, const systems::System& s, const BlockFactor& f) {
  const double rows = static_cast<double>(s.b.size());
  state.counters["ns/row"] =
      benchmark::Counter(rows * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["nnz/row"] = static_cast<double>(f.nonzeros()) / rows;
  state.counters["error"] = f.backwardError();
  state.counters["refine"] = f.refinements();
}

void factorAndSolve(benchmark::State& state, Builder builder, bool symmetric) {
  const systems::System s = builder.build(symmetric);
  BlockFactor f;
  f.analyze(s.a, s.kinds);
  std::vector<double> x(s.b.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(f.factor(s.a, symmetric));
    f.solve(s.a, s.b, x);
    benchmark::DoNotOptimize(x.data());
  }
  report(state, s, f);
}

void analyze(benchmark::State& state, Builder builder) {
  const systems::System s = builder.build(true);
  BlockFactor f;
  for (auto _ : state) f.analyze(s.a, s.kinds);
  report(state, s, f);
}

int size(const benchmark::State& state) { return static_cast<int>(state.range(0)); }

void chainFactorSolve(benchmark::State& s) { factorAndSolve(s, systems::chain(size(s), 1), true); }
void chainUnsymmetricFactorSolve(benchmark::State& s) { factorAndSolve(s, systems::chain(size(s), 1), false); }
void cableFactorSolve(benchmark::State& s) { factorAndSolve(s, systems::cable(size(s), 1), true); }
void cableUnsymmetricFactorSolve(benchmark::State& s) { factorAndSolve(s, systems::cable(size(s), 1), false); }
void slippingCableFactorSolve(benchmark::State& s) {
  factorAndSolve(s, systems::slippingCable(size(s), 1, 1e-9), false);
}
void treeFactorSolve(benchmark::State& s) { factorAndSolve(s, systems::tree(size(s), 1), true); }
void clothFactorSolve(benchmark::State& s) { factorAndSolve(s, systems::grid(size(s), size(s), 1), true); }
void pileFactorSolve(benchmark::State& s) { factorAndSolve(s, systems::pile(size(s), 15 * size(s) / 2, 1), true); }
void chainAnalyze(benchmark::State& s) { analyze(s, systems::chain(size(s), 1)); }
void cableAnalyze(benchmark::State& s) { analyze(s, systems::cable(size(s), 1)); }
void pileAnalyze(benchmark::State& s) { analyze(s, systems::pile(size(s), 15 * size(s) / 2, 1)); }

BENCHMARK(chainFactorSolve)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
BENCHMARK(chainUnsymmetricFactorSolve)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(cableFactorSolve)->Arg(64)->Arg(1024)->Arg(4096)->Arg(16384)->Arg(100000)->Unit(benchmark::kMicrosecond);
BENCHMARK(cableUnsymmetricFactorSolve)->Arg(4096)->Unit(benchmark::kMicrosecond);
BENCHMARK(slippingCableFactorSolve)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(treeFactorSolve)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(clothFactorSolve)->Arg(20)->Arg(45)->Unit(benchmark::kMicrosecond);
BENCHMARK(pileFactorSolve)->Arg(5)->Arg(40)->Arg(400)->Unit(benchmark::kMicrosecond);
BENCHMARK(chainAnalyze)->Arg(15)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(cableAnalyze)->Arg(64)->Arg(4096)->Arg(100000)->Unit(benchmark::kMicrosecond);
BENCHMARK(pileAnalyze)->Arg(5)->Arg(40)->Unit(benchmark::kMicrosecond);

}  // namespace
