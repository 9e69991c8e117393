// Chains of rigid segments: time a step against the number of segments (fig. 13 of Servin and Lacoursière), and per
// Newton iteration. A cable with bending and twist hangs with a load at its end and swings.
#include "worlds.h"

namespace {

using namespace reeve;

Description swingingChain(int segments) {
  Description d;
  d.settings.dt = 1.0 / 60;
  const double length = 0.1 * segments;
  BodySettings load;
  load.mass = 100.0;
  load.inertia = Vec3::Constant(4.0);
  load.position = Vec3(0, 0, -length);
  load.velocity = Vec3(1.0, 0.3, 0);
  d.bodies.emplace_back("load", load);
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = segments;
  c.collides = false;
  c.material.mass = 1.0;
  c.material.radius = 0.01;
  c.material.axial = 1e6;
  c.material.bending = 5.0;
  c.material.torsion = 4.0;
  LinkSettings top, bottom;
  bottom.on = "load";
  bottom.hold = EndHold::clamped;
  c.route = {top, bottom};
  d.cables.emplace_back("cable", c);
  return d;
}

void chainStep(benchmark::State& state) {
  const int segments = static_cast<int>(state.range(0));
  bench::stepping(state, bench::make(swingingChain(segments)), 20);
  state.SetComplexityN(segments);
}
BENCHMARK(chainStep)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond)->Complexity();

}  // namespace
