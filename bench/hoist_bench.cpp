// Hoist cables: time a step against spans × subdivisions (section 5.3 of the paper: 10 to 100 nodes and subdivisions,
// 0.02 ms to 1.3 ms), both wave schemes.
#include "worlds.h"

namespace {

using namespace reeve;

/// A cable over `spans` spans between fixed points, with a load on the last, shaken a little by its own weight.
Description zigzag(int spans, int pieces, WaveScheme scheme) {
  Description d;
  d.settings.dt = 1e-3;
  ParticleSettings load;
  load.mass = 1000.0;
  load.position = Vec3(2.0 * (spans - 1), 0, -2);
  d.particles.emplace_back("load", load);
  CableSettings c;
  c.model = CableModel::hoist;
  c.waveScheme = scheme;
  c.subdivisions = pieces;
  c.material.mass = 1.0;
  c.material.axial = 1e7;
  c.material.damping = 0.01;
  c.waveDamping = 1.0;
  // The published scheme runs free, not suspended, up to its limit.
  const double limit = 0.5 * 4.0 / (pieces * pieces * 1e-6);
  c.tension = 9810.0;
  if (scheme == WaveScheme::explicitly && limit < 1.2 * 9810.0)
    d.settings.dt = 1e-3 * 0.8 * std::sqrt(limit / (1.2 * 9810.0));
  for (int i = 0; i < spans; ++i) {
    LinkSettings l;
    l.type = i == 0 ? LinkType::attach : LinkType::pinhole;
    l.friction = 0.0;
    l.point = Vec3(2.0 * i, 0, 0);
    c.route.push_back(l);
  }
  LinkSettings end;
  end.on = "load";
  c.route.push_back(end);
  d.cables.emplace_back("cable", c);
  return d;
}

void hoistStep(benchmark::State& state, WaveScheme scheme) {
  const int spans = static_cast<int>(state.range(0)), pieces = static_cast<int>(state.range(1));
  bench::stepping(state, bench::make(zigzag(spans, pieces, scheme)), 20);
  state.SetComplexityN(spans * pieces);
}
void hoistExplicit(benchmark::State& state) { hoistStep(state, WaveScheme::explicitly); }
void hoistImplicit(benchmark::State& state) { hoistStep(state, WaveScheme::implicitly); }
BENCHMARK(hoistExplicit)
    ->Args({10, 10})
    ->Args({32, 32})
    ->Args({100, 100})
    ->Args({316, 316})
    ->Args({1000, 1000})
    ->Unit(benchmark::kMicrosecond)
    ->Complexity();
BENCHMARK(hoistImplicit)
    ->Args({10, 10})
    ->Args({32, 32})
    ->Args({100, 100})
    ->Args({316, 316})
    ->Args({1000, 1000})
    ->Unit(benchmark::kMicrosecond)
    ->Complexity();

}  // namespace
