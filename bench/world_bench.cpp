// Steps of whole worlds: one free body, hinge chains of growing length, a pile.
#include "worlds.h"

namespace {

using namespace reeve;
using namespace reeve::bench;

Description direct(double dt) {
  Description d;
  d.settings.dt = dt;
  d.settings.solver = SolverChoice::direct;
  return d;
}

BodySettings block(Vec3 position) {
  BodySettings b;
  b.mass = 1.0;
  b.inertia = Vec3(0.01, 0.02, 0.03);
  b.position = position;
  return b;
}

/// It neither hits anything nor goes anywhere far: gravity is off, spin about no principal axis keeps Newton honest.
void freeBody(benchmark::State& state, Vec3 spin, bool shape, SolverChoice solver) {
  Description d = direct(1.0 / 240);
  d.settings.solver = solver;
  d.settings.gravity = Vec3::Zero();
  BodySettings b = block(Vec3::Zero());
  b.angularVelocity = spin;
  b.velocity = Vec3(1e-4, 0, 0);
  if (shape) {
    ShapeSettings& box = b.shapes.emplace_back();
    box.type = ShapeType::box;
    box.size = Vec3(0.1, 0.2, 0.3);
  }
  d.bodies.emplace_back("body", b);
  stepping(state, make(d));
}
BENCHMARK_CAPTURE(freeBody, gliding, Vec3::Zero(), false, SolverChoice::direct);
BENCHMARK_CAPTURE(freeBody, tumbling, Vec3(1, 2, 3), false, SolverChoice::direct);
BENCHMARK_CAPTURE(freeBody, tumblingBox, Vec3(1, 2, 3), true, SolverChoice::direct);
BENCHMARK_CAPTURE(freeBody, tumblingSweep, Vec3(1, 2, 3), false, SolverChoice::sweep);

/// A horizontal row of links, hung at both ends, that sags: smooth motion for as long as it is watched.
void hingeChain(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  Description d = direct(1.0 / 240);
  const double l = 0.5;
  for (int i = 0; i <= n; ++i) {
    const std::string name = "b" + std::to_string(i);
    JointSettings j;
    j.type = JointType::hinge;
    j.a = i == 0 ? "world" : "b" + std::to_string(i - 1);
    j.b = i == n ? "world" : name;
    j.anchor = Vec3(i * l, 0, i < n / 2 ? -i * 0.1 * l : -(n - i) * 0.1 * l);
    if (i < n) {
      const double down = i < n / 2 ? -(i + 0.5) * 0.1 * l : -(n - i - 0.5) * 0.1 * l;
      d.bodies.emplace_back(name, block(Vec3((i + 0.5) * l, 0, down)));
    }
    if (i < n) d.joints.emplace_back("j" + std::to_string(i), j);
  }
  stepping(state, make(d), 4);
}
BENCHMARK(hingeChain)->Arg(64)->Arg(256)->Arg(1000)->Arg(4096)->Unit(benchmark::kMicrosecond)->MinTime(1.0);

/// Boxes in columns that stand on the ground: four contacts a box.
void pile(benchmark::State& state, SolverChoice solver) {
  Description d = direct(1.0 / 240);
  d.settings.solver = solver;
  BodySettings ground;
  ground.motion = BodyMotion::fixed;
  ground.shapes.emplace_back().type = ShapeType::halfSpace;
  d.bodies.emplace_back("ground", ground);
  for (int i = 0; i < state.range(0); ++i) {
    BodySettings b;
    ShapeSettings& box = b.shapes.emplace_back();
    box.type = ShapeType::box;
    box.size = Vec3(0.2, 0.2, 0.2);
    const int column = i / 5, high = i % 5;
    b.position = Vec3(0.3 * (column % 10) + 0.01 * high, 0.3 * (column / 10), 0.1 + 0.2 * high);
    d.bodies.emplace_back("box" + std::to_string(i), b);
  }
  stepping(state, make(d), 60);
}
void pileDirect(benchmark::State& state) { pile(state, SolverChoice::direct); }
void pileSweep(benchmark::State& state) { pile(state, SolverChoice::sweep); }
BENCHMARK(pileDirect)->Arg(10)->Arg(50)->Arg(200)->Unit(benchmark::kMicrosecond);
BENCHMARK(pileSweep)->Arg(10)->Arg(50)->Arg(200)->Unit(benchmark::kMicrosecond);

}  // namespace
