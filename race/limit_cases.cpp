// Machines of Reeve's beside the limit. Useful flops are counted from the formulas of what a step must compute once, a
// division or a root as one: one matrix and its factors where there are any, however often a solver iterates. What is
// computed again, looked up, or moved about is no useful flop: that is what the share shows.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "limit.h"
#include "reeve/threads/cpu_time.h"
#include "report.h"
#include "trials/moving_tackle.h"
#include "world_runner.h"

/// A function of its own, so that callgrind can count what happens in it and nothing else.
extern "C" __attribute__((noinline)) void reeveLimitSteps(reeve::World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step();
}

namespace reeve::race {
namespace {

struct Unit {
  const char *name, *unit;
  int units;
  Description (*scene)();
  double flops, bytes;
};

template <int sheaves>
Description tackleScene() {
  trials::Tackle t;
  t.sheaves = sheaves;
  t.extra = 0.1;
  return trials::movingTackle(t);
}

Description wavesScene() {
  Description d;
  d.settings.dt = 1e-3;
  ParticleSettings load;
  load.mass = 1000.0;
  load.position = Vec3(198, 0, -2);
  d.particles.emplace_back("load", load);
  CableSettings c;
  c.model = CableModel::hoist;
  c.subdivisions = 100;
  c.material.mass = 1.0;
  c.material.axial = 1e7;
  c.material.damping = 0.01;
  c.waveDamping = 1.0;
  c.tension = 9810.0;
  for (int i = 0; i < 100; ++i) {
    LinkSettings l;
    l.type = i == 0 ? LinkType::attach : LinkType::pinhole;
    l.friction = 0.0;
    l.point = Vec3(2.0 * i, 0, 0);
    c.route.push_back(l);
  }
  c.route.emplace_back().on = "load";
  d.cables.emplace_back("rope", c);
  return d;
}

constexpr int particleCount = 10000, sweeps = 10;

Description particlesScene() {
  Description d;
  d.settings.dt = 1.0 / 60;
  CableSettings rope;
  rope.model = CableModel::particles;
  rope.segments = particleCount;
  rope.material.mass = 0.1;
  rope.particles.touch = TouchMode::none;
  for (const double x : {0.0, 10.0}) {
    LinkSettings end;
    end.point = Vec3(x, 0, 0);
    if (x > 0.0) end.hold = EndHold::free;
    rope.route.push_back(end);
  }
  d.cables.emplace_back("rope", rope);
  return d;
}

Description chainScene() { return shippedScene("heavy-chain"); }

const std::vector<Unit>& units() {
  // Tackle, a sheave: its span's chord, length and tangent (3 + 6 + 12), two contact points (12), length rate of two
  //   ends (10), spin of the sheave with history (6), one row of a tridiagonal solve with a border (14): 63. State:
  //   spin, angle and history of the sheave, rest length and tension of the span, read and written: 6 numbers twice.
  // Chain, a link: rotation of inertia and of two anchors (81 + 36), gyroscopic and geometric terms
  //   (60 + 54), momentum and rows (60 + 24); factors of a 6 x 6 block and a 3 x 3 one with what couples them (91 + 216
  //   + 108 + 20 + 216 + 216), and a solve (150). State: pose, velocity, momentum and their history, 3 forces: 44
  //   twice.
  // Waves, a subdivision: two transverse numbers; new history (2 x 6), right side with curvature and damping (2 x 9),
  //   matrix and its factor (5), solve (2 x 5): 45. State: two numbers, two before, read; two written.
  // Particles, a particle: gravity, prediction and velocity (6 + 6 + 6); per projection: chord, square, root, share and
  //   two moves (3 + 5 + 1 + 4 + 12), ten times. State: position, position before, velocity, read and written.
  static const std::vector<Unit> all{
      {"tackle", "sheave", 64, tackleScene<64>, 63, 96},
      {"tackle", "sheave", 1024, tackleScene<1024>, 63, 96},
      {"chain", "link", 24, chainScene, 1332, 704},
      {"waves", "subdivision", 10000, wavesScene, 45, 48},
      {"particles", "particle", particleCount, particlesScene, 18 + sweeps * 25, 144},
  };
  return all;
}

constexpr int countedSteps = 20;  ///< after the first 20, timed and counted alike

World start(const Unit& unit) {
  auto world = World::build(unit.scene());
  if (!world) giveUp(world.error().path + ": " + world.error().reason);
  for (int i = 0; i < 20; ++i) world->step();  // what happens only at the start
  return std::move(*world);
}

std::string numberText(double value, const char* format = "%.3g") {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::vector<LimitCase> measureLimits(bool quick) {
  std::vector<LimitCase> cases;
  for (const Unit& unit : units()) {
    LimitCase c{.name = unit.name, .unit = unit.unit, .size = unit.units, .bytes = unit.bytes};
    double least = 1e300;
    for (int i = 0; i < (quick ? 3 : 20); ++i) {
      World world = start(unit);
      const double from = threadSeconds();
      reeveLimitSteps(world, countedSteps);
      least = std::min(least, (threadSeconds() - from) / countedSteps);
    }
    c.nanoseconds = 1e9 * least / unit.units;
    c.flops = unit.flops;
    cases.push_back(c);
  }
  return cases;
}

int runLimitCase(const std::string& name) {
  for (const Unit& unit : units())
    if (name == unit.name + std::string("-") + std::to_string(unit.units)) {
      World world = start(unit);
      reeveLimitSteps(world, countedSteps);
      std::printf("%d\n", unit.units * countedSteps);
      return 0;
    }
  std::fprintf(stderr, "reeve_race: no case \"%s\"; there are", name.c_str());
  for (const Unit& unit : units()) std::fprintf(stderr, " %s-%d", unit.name, unit.units);
  std::fprintf(stderr, "\n");
  return 2;
}

void print(const Machine& m, const std::vector<LimitCase>& cases) {
  std::printf(
      "multiply-add: %.2f Gflop/s in a chain, %.2f side by side, %.2f in pairs; %.2f G instructions/s; copy %.1f GB/s, "
      "triad %.1f GB/s\n\n",
      1e-9 * m.chained, 1e-9 * m.scalar, 1e-9 * m.packed, 1e-9 * m.instructions, 1e-9 * m.copied, 1e-9 * m.triad);
  std::printf("%-10s %6s %12s %10s %12s %12s %14s %14s\n", "machine", "n", "unit", "ns", "useful flops", "Gflop/s",
              "of scalar", "of bandwidth");
  for (const LimitCase& c : cases)
    std::printf("%-10s %6d %12s %10.1f %12.0f %12.3f %13.1f%% %13.1f%%\n", c.name.c_str(), c.size, c.unit.c_str(),
                c.nanoseconds, c.flops, c.flops / c.nanoseconds, 1e11 * c.flops / c.nanoseconds / m.scalar,
                1e11 * c.bytes / c.nanoseconds / m.copied);
}

std::string limitJson(const Machine& m, const std::vector<LimitCase>& cases) {
  std::string out = "{\n  " + machineJson() + ",\n  \"chained\": " + numberText(m.chained) +
                    ", \"scalar\": " + numberText(m.scalar) + ", \"packed\": " + numberText(m.packed) +
                    ", \"instructions\": " + numberText(m.instructions) + ", \"copied\": " + numberText(m.copied) +
                    ", \"triad\": " + numberText(m.triad) + ",\n  \"cases\": [";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const LimitCase& c = cases[i];
    out += std::string(i ? "," : "") + "\n    {\"name\": \"" + c.name + "\", \"n\": " + std::to_string(c.size) +
           ", \"unit\": \"" + c.unit + "\", \"nanoseconds\": " + numberText(c.nanoseconds) +
           ", \"flops\": " + numberText(c.flops, "%.4g") + ", \"bytes\": " + numberText(c.bytes) + "}";
  }
  return out + "\n  ]\n}\n";
}

}  // namespace reeve::race
