#pragma once
// Worlds for benchmarks: built or read, and stepped with their Newton iterations counted.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>
#include <string>

#include "reeve/world/world.h"

namespace reeve::bench {

/// Aborts with the problem: a benchmark scene that does not build is a mistake in the benchmark.
World make(Description description);

/// scenes/NAME.json; nothing if there is no such file or it does not read.
std::optional<Description> shipped(const std::string& name, std::string& problem);

double read(const World& world, const std::string& path);

/// Steps in the benchmark's loop after `warm` steps. Counts iterations; a step's time shared among them is
/// "per iteration"; "best" is the fastest step, s; "error" the worst of any rigid row after any step, m or rad.
/// With `steps` the world goes back to its start after that many, untimed: what comes after a scene's end nobody has
/// looked at.
void stepping(benchmark::State& state, World world, int warm = 16, std::int64_t steps = 0);

}  // namespace reeve::bench
