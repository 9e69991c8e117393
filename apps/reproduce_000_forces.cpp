// Paper 000: what pulls how strongly. Figures 12, 15 and 16.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.h"
#include "files.h"
#include "reeve/model/model.h"
#include "reproduce_000.h"
#include "reproduce_trial.h"

namespace reeve::command {
namespace {

/// Tensions of `simple`, started wrong, when it has found its balance.
struct FourForces {
  std::vector<double> tension, first;  ///< N by span, at the end and after one step
  std::vector<double> error;           ///< relative, against 10, 20, 20, 20 N times the factor
  double worst = unbounded;
  double speed = 0.0;  ///< of the right body, m/s upwards: once caught, equal weights move on
  bool good = false;
};
FourForces forcesOf(double factor, SolverChoice solver, int iterations, Sheet* sheet = nullptr) {
  Description d = disturbedSimple(factor);
  d.settings.solver = solver;
  d.settings.iterations = iterations;
  World world = built(d);
  FourForces f;
  world.step();
  for (const SpanObservation& span : spansOf(world)) f.first.push_back(std::fabs(span.tension));
  f.good = advance(world, d.settings.seconds);
  f.speed = measured(world, "bodies.right.velocity.z");
  if (sheet) sheet->picture(world, fmt::format("density times {:g}", factor));
  for (const SpanObservation& span : spansOf(world)) f.tension.push_back(span.tension);
  constexpr double expected[] = {10, 20, 20, 20};
  if (f.tension.size() != 4 || f.first.size() != 4) f.good = false;
  if (!f.good) return f;
  f.worst = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    f.error.push_back(f.tension[i] / (expected[i] * factor) - 1.0);
    f.worst = std::max(f.worst, std::fabs(f.error[i]));
  }
  return f;
}

}  // namespace

Description disturbedSimple(double factor) {
  Description d = shippedScene("simple");
  scaleMass(d, factor);
  for (auto& [name, body] : d.bodies)
    if (name == "right") body.velocity = Vec3(0, 0, -0.2);
  d.cables.front().second.slacks = {0.02, 0.01, 0.0, 0.03};
  return d;
}

Outcome forces(Sheet& sheet) {
  const FourForces light = forcesOf(1, SolverChoice::direct, 0, &sheet),
                   heavy = forcesOf(1000, SolverChoice::direct, 0, &sheet);
  const FourForces lightSweep = forcesOf(1, SolverChoice::sweep, 10),
                   heavySweep = forcesOf(1000, SolverChoice::sweep, 10);
  if (!light.good || !heavy.good || !lightSweep.good || !heavySweep.good)
    return Outcome::judged(fmt::format("{} spans, or the run went bad", light.tension.size()), false);
  // The same error whatever the density, span by span: within 1 % of it, or both nothing but rounding.
  double differ = 0.0;
  for (std::size_t i = 0; i < 4; ++i) differ = std::max(differ, std::fabs(lightSweep.error[i] - heavySweep.error[i]));
  const bool alike = differ <= 0.01 * lightSweep.worst + 1e-12;
  const bool earned = light.first[3] < 1.0 && lightSweep.first[3] < 1.0 && std::fabs(light.speed) > 0.05;
  return Outcome::judged(
      fmt::format(
          "started with {:.3g}, {:.3g}, {:.3g}, {:.3g} N it comes to {:.6f}, {:.6f}, {:.6f}, {:.6f} N while it moves "
          "at {:.2f} m/s; relative "
          "error direct {:.1g} and {:.1g} (1000 times denser), sweep 10 {:.2g} and {:.2g}, which differ by {:.1g}",
          light.first[0], light.first[1], light.first[2], light.first[3], light.tension[0], light.tension[1],
          light.tension[2], light.tension[3], light.speed, light.worst, heavy.worst, lightSweep.worst, heavySweep.worst,
          differ),
      earned && light.worst < 1e-6 && heavy.worst < 1e-6 && lightSweep.worst < 5e-3 && heavySweep.worst < 5e-3 &&
          alike);
}

Outcome elastic(Sheet& sheet) {
  std::vector<std::string> names;
  for (const auto& file : shippedScenes())
    if (file.stem().string().starts_with("elastic")) names.push_back(file.stem().string());
  if (names.size() < 2) throw Failure(badInput, "scenes/elastic-*.json are missing");
  double worst = 0.0, freePull = 0.0, groundPull = 0.0;
  bool good = true, rests = false;
  for (const std::string& name : names) {
    World world = built(shippedScene(name));
    good = advance(world, world.description().settings.seconds) && good;
    sheet.picture(world, fmt::format("{} at rest", name));
    const Observation seen = world.observe();
    double pull = 0.0;
    for (std::size_t c = 0; c < seen.cables.size(); ++c) {
      const CableSettings& cable = world.description().cables[c].second;
      for (const SpanObservation& span : seen.cables[c].second.spans) {
        const double compliance = cable.compliance ? *cable.compliance : span.rest / cable.material.axial;
        pull = std::max(pull, span.tension);
        if (span.tension > 0.0)
          worst = std::max(worst, std::fabs((span.length - span.rest) / (span.tension * compliance) - 1.0));
      }
    }
    if (seen.contacts.empty())
      freePull = std::max(freePull, pull);
    else
      groundPull = std::max(groundPull, pull), rests = true;
  }
  return Outcome::judged(fmt::format("elongation is tension times compliance to {:.1g}; largest tension {:.5g} N "
                                     "hanging, {:.5g} N with bodies on the ground",
                                     worst, freePull, groundPull),
                         good && rests && worst < 1e-3 && groundPull < freePull);
}

namespace {

/// How far the heaviest body of `gear` goes when its weight is multiplied, m upwards, and the largest drift of any
/// body.
struct Gear {
  double heavy = 0.0, drift = 0.0;
  bool good = false;
};
Gear gearWith(double factor, Sheet& sheet) {
  Description d = shippedScene("gear");
  const World probe = built(d);
  std::string heaviest;
  double mass = 0.0;
  const Model& model = probe.model();
  // The bodies that hang: what a cable is attached to.
  const auto weigh = [&](const std::string& name, int block) {
    const Block& b = model.blocks[static_cast<std::size_t>(block)];
    const bool hangs = std::any_of(d.cables.begin(), d.cables.end(), [&](const auto& cable) {
      return std::any_of(cable.second.route.begin(), cable.second.route.end(),
                         [&](const LinkSettings& link) { return link.type == LinkType::attach && link.on == name; });
    });
    if (hangs && b.free && b.weighs && b.mass > mass) mass = b.mass, heaviest = name;
  };
  for (const Body& body : model.bodies) weigh(body.name, body.block);
  for (const Particle& particle : model.particles) weigh(particle.name, particle.block);
  for (auto& [name, body] : d.bodies)
    if (name == heaviest) {
      body.density *= factor;
      if (body.mass) *body.mass *= factor;
      if (body.inertia) *body.inertia *= factor;
    }
  for (auto& [name, particle] : d.particles)
    if (name == heaviest) particle.mass *= factor;
  World world = built(d);
  const auto heights = [](const World& w) {
    std::vector<std::pair<std::string, double>> all;
    const Observation seen = w.observe();
    for (const auto& [name, body] : seen.bodies) all.emplace_back(name, body.position.z());
    for (const auto& [name, particle] : seen.particles) all.emplace_back(name, particle.position.z());
    return all;
  };
  const auto start = heights(world);
  Gear result;
  result.good = advance(world, factor == 1.0 ? 10.0 : 0.5);
  const auto end = heights(world);
  for (std::size_t i = 0; i < start.size(); ++i) {
    const double moved = end[i].second - start[i].second;
    result.drift = std::max(result.drift, std::fabs(moved));
    if (start[i].first == heaviest) result.heavy = moved;
  }
  sheet.picture(world, fmt::format("1 : {:.2f} after {:.1f} s", 4 * factor, world.time()));
  return result;
}

}  // namespace

Outcome gear(Sheet& sheet) {
  const Gear even = gearWith(1.0, sheet), light = gearWith(0.99, sheet), heavy = gearWith(1.01, sheet);
  return Outcome::judged(
      fmt::format("1:4 drifts {:.1g} m in 10 s; at 1:3.96 the heavy body moves {:+.3g} m, at 1:4.04 {:+.3g} m in 0.5 s",
                  even.drift, light.heavy, heavy.heavy),
      even.good && light.good && heavy.good && even.drift < 1e-6 && light.heavy > 1e-4 && heavy.heavy < -1e-4);
}

}  // namespace reeve::command
