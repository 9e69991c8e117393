#include "reproduce_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "command.h"
#include "drive.h"
#include "files.h"
#include "reeve/threads/cpu_time.h"

namespace reeve::command {

Description shippedScene(const std::string& name) {
  const auto files = shippedScenes();
  if (std::none_of(files.begin(), files.end(), [&](const auto& file) { return file.stem() == name; }))
    throw Failure(badInput, fmt::format("scenes/{}.json is missing", name));
  return loadScene(name, {}).description;
}

World built(Description description) {
  const std::string name = description.name;
  auto world = World::build(std::move(description));
  if (!world) throw Failure(badInput, fmt::format("{}: {}: {}", name, world.error().path, world.error().reason));
  return std::move(*world);
}

bool advance(World& world, double seconds, const std::function<void(World&)>& after) {
  const std::int64_t steps = stepsFor(seconds, world.description().settings.dt);
  while (world.steps() < steps && world.step().good)
    if (after) after(world);
  return world.verdict().good;
}

double measured(const World& world, const std::string& path) {
  const auto observable = world.resolve(path);
  return observable ? world.read(*observable) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<SpanObservation> spansOf(const World& world) {
  std::vector<SpanObservation> all;
  for (const auto& [name, cable] : world.observe().cables)
    all.insert(all.end(), cable.spans.begin(), cable.spans.end());
  return all;
}

double worstStretch(const World& world) {
  double worst = 0.0;
  for (const SpanObservation& span : spansOf(world))
    if (!span.slack && span.rest > 0.0) worst = std::max(worst, std::fabs(span.length - span.rest) / span.rest);
  return worst;
}

double totalLength(const World& world) {
  double sum = 0.0;
  for (const auto& [name, cable] : world.observe().cables) sum += cable.length;
  return sum;
}

void scaleMass(Description& d, double factor) {
  for (auto& [name, body] : d.bodies) {
    body.density *= factor;
    if (body.mass) *body.mass *= factor;
    if (body.inertia) *body.inertia *= factor;
  }
  for (auto& [name, particle] : d.particles) particle.mass *= factor;
  for (auto& [name, rotor] : d.rotors) {
    rotor.mass *= factor;
    if (rotor.inertia) *rotor.inertia *= factor;
  }
}

namespace {
FrameTime timeWith(Description description, int iterations, int substeps, double seconds) {
  Settings& settings = description.settings;
  settings.dt = 1.0 / 60;
  settings.substeps = substeps;
  settings.iterations = iterations;
  settings.solver = iterations > 0 ? SolverChoice::sweep : SolverChoice::direct;
  FrameTime result;
  result.substeps = substeps;
  const std::int64_t last = stepsFor(settings.seconds, settings.dt);
  constexpr int batch = 8;
  std::vector<double> fastest;  // of each batch of frames, s a frame
  double sum = 0.0, frames = 0.0;
  const double start = threadSeconds();
  // The scene from its start to its end, again and again, and never further: what comes after nobody has looked at.
  for (int round = 0; result.good && (round == 0 || threadSeconds() - start < seconds); ++round) {
    World world = built(description);
    if (round == 0) {
      const auto spans = spansOf(world);
      result.joints = static_cast<int>(spans.size());
      for (const SpanObservation& span : spans) result.span += span.rest / static_cast<double>(spans.size());
    }
    const auto counter = world.resolve("health.iterations"), error = world.resolve("health.worst_error");
    for (std::size_t b = 0; world.steps() < last && result.good && (threadSeconds() - start < 3.0 || round == 0); ++b) {
      const double begin = threadSeconds();
      int count = 0;
      for (; count < batch && world.steps() < last && world.step().good; ++count) {
        sum += world.read(*counter);
        result.error = std::max(result.error, world.read(*error));
      }
      result.good = world.verdict().good;
      if (b == fastest.size()) fastest.push_back(std::numeric_limits<double>::infinity());
      if (count > 0) fastest[b] = std::min(fastest[b], (threadSeconds() - begin) / count);
      frames += count;
    }
    if (round == 0) result.unconverged = static_cast<int>(measured(world, "health.unconverged"));
  }
  result.iterations = sum / std::max(1.0, frames);
  for (const double frame : fastest) result.milliseconds += 1e3 * frame / static_cast<double>(fastest.size());
  return result;
}
}  // namespace

FrameTime timeFrames(const Description& description, int iterations, int substeps, double seconds) {
  const FrameTime whole = timeWith(description, iterations, substeps, seconds);
  const int own = static_cast<int>(std::lround(description.settings.substeps / (60.0 * description.settings.dt)));
  return whole.good || own <= substeps ? whole : timeWith(description, iterations, own, seconds);
}

std::string Checked::text() const {
  if (!good) return "the simulation went bad";
  if (all == 0) return "the scene expects nothing";
  return fmt::format("{} of {} expectations met", met, all) + (firstMissed.empty() ? "" : "; not met: " + firstMissed);
}

Checked checkExpectations(World& world, const std::function<void(World&)>& after) {
  auto watch = record::ExpectationWatch::build(world);
  if (!watch) throw Failure(badInput, watch.error().reason);
  watch->look(world);
  Checked result;
  result.good =
      advance(world, std::max(watch->last(), after ? world.description().settings.seconds : 0.0), [&](World& now) {
        watch->look(now);
        if (after) after(now);
      });
  for (const auto& r : watch->results()) {
    ++result.all;
    if (r.met)
      ++result.met;
    else if (result.firstMissed.empty())
      result.firstMissed =
          fmt::format("{} at {:.4g} s is {:.6g}, expected {}", r.expectation.observe, r.expectation.at,
                      r.measured.value_or(std::numeric_limits<double>::quiet_NaN()), record::wanted(r.expectation));
  }
  return result;
}

}  // namespace reeve::command
