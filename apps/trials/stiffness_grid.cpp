#include "trials/stiffness_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "reeve/cables/particles/particle_cable.h"
#include "reeve/model/model.h"

namespace reeve::trials {
namespace {

constexpr double load = 0.05;                      // kg at the end of the hanging cable
constexpr double perMetre = 0.1;                   // kg/m of it
constexpr double swingEnds = 0.25, stillAt = 6.0;  // s
constexpr double crossed = 0.05, stayed = 0.02;    // of the length: beyond, and not beyond, the line it hangs from

const ParticleCable& cableOf(const World& world) {
  const ParticleCable* found = nullptr;
  for (const auto& e : world.model().elements)
    if (const auto* c = dynamic_cast<const ParticleCable*>(e.get())) found = c;
  return *found;
}

double lengthOf(const ParticleCable& cable) {
  double sum = 0.0;
  for (int i = 0; i + 1 < cable.count(); ++i) sum += cable.rest(i);
  return sum;
}

std::expected<void, Problem> runTo(World& world, double seconds, const auto& after) {
  const long long steps = std::llround(seconds / world.description().settings.dt);
  while (world.steps() < steps) {
    if (const Verdict& v = world.step(); !v.good)
      return std::unexpected(Problem{v.culprit, v.reason, "take a smaller step"});
    after();
  }
  return {};
}

/// The same cable straight down, without doubles, with a load at its end and thick air to come to rest in.
Description hanging(Description d, double length) {
  CableSettings& c = d.cables[0].second;
  c.shape.clear();
  c.route[1].point = Vec3(0, 0, -length);
  c.length = length;
  c.particles.doubles = DoubleRest::none;
  c.particles.doubleCompliance = 0.0;
  c.particles.masses.assign(static_cast<std::size_t>(c.segments) + 1, perMetre * length / c.segments);
  c.particles.masses.back() += load;
  c.particles.drag = 10.0;
  c.material.damping = c.particles.way == ParticleWay::xpbd ? 0.02 : 0.0;
  return d;
}

std::string sentence(const char* what, double step, int iterations, double found) {
  char text[160];
  std::snprintf(text, sizeof text, "%s at a step of %g s, %d iterations: %.4g", what, step, iterations, found);
  return text;
}

}  // namespace

std::expected<StiffnessCell, Problem> measureStiffness(Description scene, ParticleWay way, int iterations, double dt) {
  StiffnessCell cell;
  scene.expect.clear();
  scene.settings.dt = dt;
  CableSettings& c = scene.cables[0].second;
  c.particles.way = way;
  c.particles.iterations = iterations;
  if (way != ParticleWay::xpbd) c.compliance.reset(), c.particles.doubleCompliance = 0.0;
  auto swinging = World::build(scene);
  if (!swinging) return std::unexpected(swinging.error());
  const ParticleCable& cable = cableOf(*swinging);
  const double length = lengthOf(cable);
  cell.side = -1.0;
  const auto swung = runTo(*swinging, swingEnds, [&] {
    double sum = 0.0, mass = 0.0;
    for (int i = 0; i < cable.count(); ++i)
      sum += cable.massOf(i) * cable.position(swinging->state(), i).x(), mass += cable.massOf(i);
    cell.side = std::max(cell.side, sum / (mass * length));
  });
  if (!swung) return std::unexpected(swung.error());
  for (int i = 0; i < cable.count(); ++i) cell.shape.push_back(cable.position(swinging->state(), i));
  auto still = World::build(hanging(scene, length));
  if (!still) return std::unexpected(still.error());
  const auto hung = runTo(*still, stillAt, [] {});
  if (!hung) return std::unexpected(hung.error());
  const ParticleCable& rope = cableOf(*still);
  cell.stretch = -rope.position(still->state(), rope.count() - 1).z() / length - 1.0;
  return cell;
}

std::expected<StiffnessGrid, Problem> measureStiffnessGrid(const Description& scene, ParticleWay way) {
  StiffnessGrid grid;
  grid.way = way;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t k = 0; k < 3; ++k) {
      auto cell = measureStiffness(scene, way, StiffnessGrid::iterations[k], StiffnessGrid::steps[r]);
      if (!cell) return std::unexpected(cell.error());
      grid.cells[r][k] = std::move(*cell);
    }
  return grid;
}

std::vector<std::string> StiffnessGrid::faults() const {
  std::vector<std::string> out;
  const bool compliant = way == ParticleWay::xpbd;
  for (std::size_t r = 1; r < 3; ++r) {
    const double ratio = at(r, 1).stretch / at(r, 2).stretch;
    const bool good = compliant ? std::fabs(ratio - 1.0) < 0.02 : ratio > 2.0;
    if (!good) out.push_back(sentence("stretch over that with 25 iterations", steps[r], 12, ratio));
  }
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t k = 0; k < 3; ++k) {
      const double side = at(r, k).side;
      const bool stiff = r + k >= 3;
      if (compliant && !(side < stayed)) out.push_back(sentence("crossed over", steps[r], iterations[k], side));
      if (!compliant && stiff && !(side > crossed))
        out.push_back(sentence("did not cross over", steps[r], iterations[k], side));
    }
  return out;
}

double hangingStretch(const Description& scene) {
  const CableSettings& c = scene.cables[0].second;
  const double length = *c.length, part = perMetre * length / c.segments;
  double sum = 0.0;
  for (int i = 0; i < c.segments; ++i)
    sum += *c.compliance * scene.settings.gravity.norm() * (load + part * (c.segments - i));
  return sum / length;
}

}  // namespace reeve::trials
