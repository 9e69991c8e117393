// What programs call in every step: commands, pushes, clones; and many worlds on threads.
#include "reeve/model/state.h"
#include "reeve/threads/threads.h"
#include "reeve/world/batch.h"
#include "worlds.h"

namespace {

using namespace reeve;

Description shippedScene(const char* name) {
  std::string problem;
  auto d = reeve::bench::shipped(name, problem);
  if (!d) std::abort();
  return *d;
}

World shippedWorld(const char* name) { return reeve::bench::make(shippedScene(name)); }

/// Limit 50 ns.
void commandMotor(benchmark::State& state) {
  World w = shippedWorld("winch");
  const auto motor = w.motor(w.description().motors[0].first);
  double target = 0.0;
  for (auto _ : state) benchmark::DoNotOptimize(w.command(*motor, target += 1e-6));
}
BENCHMARK(commandMotor);

/// Limit 50 ns.
void pushBody(benchmark::State& state) {
  World w = shippedWorld("winch");
  const auto body = w.body("load");
  BodyPush push;
  push.held = true;
  for (auto _ : state) {
    push.force.x() += 1e-6;
    benchmark::DoNotOptimize(w.push(*body, push));
  }
}
BENCHMARK(pushBody);

/// Limit 0: it is a view.
void readPositions(benchmark::State& state) {
  World w = shippedWorld("winch");
  for (auto _ : state) benchmark::DoNotOptimize(w.positions().data());
}
BENCHMARK(readPositions);

/// Limit 2 µs.
void cloneCrane(benchmark::State& state) {
  World w = shippedWorld("crane");
  for (int i = 0; i < 10; ++i) w.step();
  for (auto _ : state) {
    World twin = w.clone();
    benchmark::DoNotOptimize(twin.time());
  }
}
BENCHMARK(cloneCrane);

/// The same by a state as a value, for planners that go back often.
void setStateOfCrane(benchmark::State& state) {
  World w = shippedWorld("crane");
  for (int i = 0; i < 10; ++i) w.step();
  const State kept = w.state();
  for (auto _ : state) benchmark::DoNotOptimize(w.setState(kept));
}
BENCHMARK(setStateOfCrane);

/// A thousand worlds of `pulley`, ten steps of all; two threads should be 1.9 times one. The CPU column is that of all
/// threads together: on a busy machine it tells whether two of them do more work than one.
void thousandPulleys(benchmark::State& state) {
  auto batch = Batch::build(shippedScene("pulley"), 1000);
  if (!batch) std::abort();
  Threads threads(static_cast<int>(state.range(0)));
  if (state.range(0) > 1) batch->runWith(&threads);
  (void)batch->step();
  for (auto _ : state) benchmark::DoNotOptimize(batch->step({}, 10));
}
BENCHMARK(thousandPulleys)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
