// The elementary functions over arguments as the core uses them.
#include "reeve/math/scalar.h"

#include <benchmark/benchmark.h>

#include <array>

namespace {

namespace math = reeve::math;

std::array<double, 1024> spread(double from, double to) {
  std::array<double, 1024> values;
  double phase = 0.5;
  for (double& x : values) {
    phase += 0.6180339887498949;  // golden ratio: even, without pattern
    if (phase >= 1) phase -= 1;
    x = from + (to - from) * phase;
  }
  return values;
}

template <class Function>
void timeOver(benchmark::State& state, Function function, double from, double to) {
  const auto values = spread(from, to);
  double sum = 0;
  for (auto _ : state)
    for (const double x : values) sum += function(x);
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
}

BENCHMARK_CAPTURE(timeOver, sin, math::sin, -10, 10);
BENCHMARK_CAPTURE(timeOver, cos, math::cos, -10, 10);
BENCHMARK_CAPTURE(timeOver, atan, math::atan, -3, 3);
BENCHMARK_CAPTURE(timeOver, exp, math::exp, -10, 10);
BENCHMARK_CAPTURE(timeOver, log, math::log, 0.01, 10);
BENCHMARK_CAPTURE(
    timeOver, atan2, [](double y) { return math::atan2(y, 0.7); }, -3, 3);
BENCHMARK_CAPTURE(
    timeOver, pow, [](double x) { return math::pow(x, 2.3); }, 0.01, 10);
BENCHMARK_CAPTURE(
    timeOver, hypot, [](double x) { return math::hypot(x, 0.7); }, -3, 3);

}  // namespace
