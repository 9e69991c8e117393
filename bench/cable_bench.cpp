// Cables of joints: cost a wheel, and the scenes of paper 000 beside its table 1.
#include <cmath>

#include "worlds.h"

namespace {

using namespace reeve;
using namespace reeve::bench;

LinkSettings attach(std::string on) {
  LinkSettings l;
  l.on = std::move(on);
  return l;
}

LinkSettings roll(std::string on, int side) {
  LinkSettings l;
  l.type = LinkType::roll;
  l.on = std::move(on);
  l.side = side;
  return l;
}

ParticleSettings weight(double mass, Vec3 position) {
  ParticleSettings p;
  p.mass = mass;
  p.position = position;
  return p;
}

/// A cable that goes over and under n wheels in a row (n odd), a weight at each end.
Description wheels(int n) {
  Description d;
  d.settings.dt = 1.0 / 240;
  d.settings.solver = SolverChoice::direct;
  const double r = 0.1, pitch = 0.5;
  CableSettings c;
  c.route.push_back(attach("left"));
  for (int i = 0; i < n; ++i) {
    RotorSettings wheel;
    wheel.position = Vec3(i * pitch, 0, 0);
    wheel.radius = r;
    wheel.inertia = 1e-5;
    const std::string name = "w" + std::to_string(i);
    d.rotors.emplace_back(name, wheel);
    c.route.push_back(roll(name, i % 2 == 0 ? 1 : -1));
  }
  c.route.push_back(attach("right"));
  // An odd number of wheels: it comes down on both sides. Almost in balance, so that it never arrives.
  d.particles.emplace_back("left", weight(1.0, Vec3(-r, 0, -10)));
  d.particles.emplace_back("right", weight(1.0 + 1e-6, Vec3((n - 1) * pitch + r, 0, -10)));
  d.cables.emplace_back("rope", c);
  return d;
}

void cableOverWheels(benchmark::State& state) {
  stepping(state, make(wheels(static_cast<int>(state.range(0)))), 4);
  state.counters["per wheel"] = benchmark::Counter(
      static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(cableOverWheels)->Arg(65)->Arg(513)->Arg(4097)->Arg(32769)->Arg(100001)->Unit(benchmark::kMicrosecond);

void cableOverWheelsSweep10(benchmark::State& state) {
  Description d = wheels(static_cast<int>(state.range(0)));
  d.settings.solver = SolverChoice::sweep;
  d.settings.iterations = 10;
  stepping(state, make(d), 4);
}
BENCHMARK(cableOverWheelsSweep10)->Arg(65)->Arg(513)->Arg(4097)->Unit(benchmark::kMicrosecond);

/// One frame of a shipped scene. `iterations` 0 is `direct`.
void frame(benchmark::State& state, const std::string& scene, int iterations, int substeps, double paperMilliseconds) {
  std::string problem;
  auto d = shipped(scene, problem);
  if (!d) return state.SkipWithError(problem.c_str());
  d->settings.dt = 1.0 / 60;
  d->settings.substeps = substeps;
  d->settings.iterations = iterations;
  d->settings.solver = iterations > 0 ? SolverChoice::sweep : SolverChoice::direct;
  auto world = World::build(std::move(*d));
  if (!world) return state.SkipWithError((world.error().path + ": " + world.error().reason).c_str());
  std::size_t joints = 0;
  for (const auto& [name, cable] : world->observe().cables) joints += cable.spans.size();
  const std::int64_t steps = std::llround(world->description().settings.seconds * 60);
  stepping(state, std::move(*world), 1, steps);
  state.counters["joints"] = static_cast<double>(joints);
  state.counters["paper_ms"] = paperMilliseconds;
}

struct PaperRow {
  const char* scene;
  int iterations, substeps;
  double milliseconds;
};
constexpr PaperRow paper[] = {
    {"segments", 100, 1, 0},  {"simple", 1, 1, 0.012}, {"simple", 10, 1, 0.036}, {"simple", 0, 1, 0.036},
    {"servin", 10, 1, 0.25},  {"servin", 0, 1, 0.25},  {"pulley", 15, 1, 0.3},   {"pulley", 0, 1, 0.3},
    {"hand", 20, 1, 1.7},     {"hand", 0, 1, 1.7},     {"gym", 20, 1, 2.5},      {"gym", 0, 1, 2.5},
    {"hilbert2", 10, 1, 1.8}, {"hilbert2", 0, 1, 1.8}, {"hilbert3", 10, 1, 60},  {"hilbert3", 100, 1, 60},
    {"hilbert3", 0, 1, 60},   {"bow", 10, 10, 25},     {"bow", 0, 10, 25}};

[[maybe_unused]] const bool registered = [] {
  for (const PaperRow& row : paper) {
    const std::string solver = row.iterations > 0 ? "sweep" + std::to_string(row.iterations) : "direct";
    benchmark::RegisterBenchmark(
        (std::string("frame/") + row.scene + "/" + solver).c_str(),
        [row](benchmark::State& state) { frame(state, row.scene, row.iterations, row.substeps, row.milliseconds); })
        ->Unit(benchmark::kMicrosecond);
  }
  return true;
}();

}  // namespace
