// Paper 000: table 1, the timings in its text, and figure 14, the chain of bodies that cable joints replace.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce_000.h"
#include "reproduce_trial.h"

namespace reeve::command {
namespace {

/// m or rad: what rigid rows of `direct` may be off by, and the share of a span's length that sweeps may.
constexpr double exactRow = 1e-6, sweptShare = 0.05;

}  // namespace

Item timing(std::string name, std::string scene, int joints, int iterations, double paperMilliseconds, int substeps,
            int paperJoints, double directMilliseconds) {
  const std::string count = paperJoints > 0 ? fmt::format("{} joints, ", paperJoints)
                            : joints > 0    ? fmt::format("{} joints, ", joints)
                                            : "";
  const std::string work = substeps > 1      ? fmt::format("{} substeps of {} iterations", substeps, iterations)
                           : iterations == 1 ? "1 iteration"
                                             : fmt::format("{} iterations", iterations);
  const bool pictured = name.starts_with("table");
  return {std::move(name), fmt::format("{}{}, {} ms a frame", count, work, paperMilliseconds), [=](Sheet& sheet) {
            const Description d = scene == "simple" ? disturbedSimple() : shippedScene(scene);
            const double repeated = sheet.timed() ? 0.5 : 0.0;
            const FrameTime sweep = timeFrames(d, iterations, substeps, repeated),
                            direct = timeFrames(d, 0, substeps, repeated);
            const auto cut = [&](const FrameTime& time) {
              return time.substeps > substeps ? fmt::format(" in {} steps", time.substeps) : "";
            };
            if (pictured) {
              World world = built(d);
              world.step();  // so that there are tensions to show
              sheet.picture(world, scene + " at its start");
            }
            const bool counted = joints == 0 || sweep.joints == joints;
            const double asked = directMilliseconds > 0.0 ? directMilliseconds : paperMilliseconds;
            const bool fast = sweep.milliseconds <= paperMilliseconds && direct.milliseconds <= asked;
            const bool exact =
                direct.error <= exactRow && direct.unconverged == 0 && sweep.error <= sweptShare * sweep.span;
            const std::string text = fmt::format(
                "{} joints, sweep {:.4f} ms{} (rows off by {:.1g} m of {:.2g}{}), direct {:.4f} ms{} ({:.1f} Newton "
                "iterations, "
                "{} frames unconverged, off by {:.1g}{}); {:.3g} and {:.3g} times the paper's speed",
                sweep.joints, sweep.milliseconds, cut(sweep), sweep.error, sweep.span, sweep.good ? "" : ", went bad",
                direct.milliseconds, cut(direct), direct.iterations, direct.unconverged, direct.error,
                direct.good ? "" : ", went bad", paperMilliseconds / sweep.milliseconds,
                paperMilliseconds / direct.milliseconds);
            return Outcome::timed(text, counted && exact && sweep.good && direct.good, fast);
          }};
}

Outcome oneIteration(Sheet& sheet) {
  Description d = disturbedSimple();
  d.settings.solver = SolverChoice::sweep;
  d.settings.iterations = 1;
  d.settings.dt = 1.0 / 60;
  World world = built(d);
  double stretch = 0.0;
  const bool good =
      advance(world, d.settings.seconds, [&](World& now) { stretch = std::max(stretch, worstStretch(now)); });
  const FrameTime time = timeFrames(disturbedSimple(), 1, 1, sheet.timed() ? 0.5 : 0.0);
  return Outcome::timed(fmt::format("{:.4f} ms, lengths within {:.2g} %", time.milliseconds, 100 * stretch),
                        good && stretch <= 0.05, time.milliseconds <= 0.012);
}

namespace {

/// How far joints of a chain of bodies have opened, m: its stretch.
double opened(const World& world) {
  double sum = 0.0;
  for (const auto& [name, joint] : world.observe().joints) sum += joint.error;
  return sum;
}

}  // namespace

Outcome segments(Sheet& sheet) {
  Description d = shippedScene("segments");
  const double repeated = sheet.timed() ? 0.5 : 0.0;
  const FrameTime slow = timeFrames(d, 100, 1, repeated), fast = timeFrames(disturbedSimple(), 10, 1, repeated);
  const auto stretchOf = [&](const Description& base, int iterations, bool chain) {
    Description scene = base;
    scene.settings.dt = 1.0 / 60;
    scene.settings.solver = SolverChoice::sweep;
    scene.settings.iterations = iterations;
    World world = built(scene);
    double most = 0.0;
    const bool good = advance(world, 2.0, [&](World& now) {
      double stretch = 0.0;
      if (chain)
        stretch = opened(now);
      else
        for (const SpanObservation& span : spansOf(now)) stretch += std::max(span.length - span.rest, 0.0);
      most = std::max(most, stretch);
    });
    sheet.picture(world, fmt::format("{} after {:.2f} s", base.name, world.time()));
    return good ? most : unbounded;
  };
  const double chain = stretchOf(d, 100, true), cable = stretchOf(disturbedSimple(), 10, false);
  const double ratio = slow.milliseconds / fast.milliseconds;
  return Outcome::timed(fmt::format("{} bodies with 100 iterations stretch by {:.3g} m at {:.3g} ms a frame; simple "
                                    "with 10 by {:.3g} m at {:.4f} ms: {:.0f} times faster",
                                    d.bodies.size(), chain, slow.milliseconds, cable, fast.milliseconds, ratio),
                        cable < chain, ratio >= 50);
}

}  // namespace reeve::command
