// Paper 000: what happens on the way. Figures 10, 11, 17 and 18.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce_000.h"
#include "reproduce_trial.h"

namespace reeve::command {
Outcome hybridCycle(Sheet& sheet) {
  World world = built(shippedScene("yo-yo"));
  sheet.picture(world, "(1) rolling");
  int holds = 0, rolls = 0;
  double drift = 0.0;
  const double before = totalLength(world);
  const bool good = advance(world, world.description().settings.seconds, [&](World& now) {
    for (const Event& event : now.takeEvents()) {
      if (event.what.starts_with("holds") && ++holds == 1)
        sheet.picture(now, fmt::format("(2) holds, {:.2f} s", now.time()));
      if (event.what.starts_with("rolls") && ++rolls == 1)
        sheet.picture(now, fmt::format("(5) rolls again, {:.2f} s", now.time()));
    }
    if (now.steps() % 16 == 0) drift = std::max(drift, std::fabs(totalLength(now) - before) / before);
  });
  sheet.picture(world, fmt::format("at the end, {:.2f} s", world.time()));
  return Outcome::judged(
      fmt::format("yo-yo holds {} times, rolls again {} times; length kept to {:.1g}", holds, rolls, drift),
      good && holds > 0 && rolls > 0 && drift < 1e-9);
}

namespace {

/// Splits and merges of a run at the scene's own step. A jump is the change of tension in one step less the mean of the
/// changes before and after it, in the step of an event and in the two on either side of it: what the motion itself
/// does from step to step is taken off, what an event adds is not.
struct Passage {
  int splits = 0, merges = 0;
  double change = 0.0, jump = 0.0, drift = 0.0;
  bool good = false;
};
Passage passage(double slower, Sheet* sheet) {
  Description d = shippedScene("split-merge");
  d.settings.seconds *= slower;
  for (auto& [name, body] : d.bodies) {
    if (!body.prescribed) continue;
    for (Profile* profile : {&body.prescribed->turn, &body.prescribed->travel})
      for (Vec2& knot : profile->table) knot.x() *= slower;
  }
  World world = built(d);
  if (sheet) sheet->picture(world, "before");
  Passage result;
  const double before = totalLength(world);
  record::Panel panel{"tension", "N", {}, {{"first span", {}}}};
  std::vector<double>& pull = panel.series[0].values;
  std::vector<std::size_t> events;
  result.good = advance(world, d.settings.seconds, [&](World& now) {
    for (const Event& event : now.takeEvents()) {
      const bool split = event.what.starts_with("split"), merge = event.what.starts_with("merge");
      if (split && ++result.splits <= 2 && sheet) sheet->picture(now, fmt::format("split at {:.2f} s", now.time()));
      if (merge && ++result.merges <= 2 && sheet) sheet->picture(now, fmt::format("merge at {:.2f} s", now.time()));
      if (split || merge) events.push_back(pull.size());
    }
    result.drift = std::max(result.drift, std::fabs(totalLength(now) - before) / before);
    panel.times.push_back(now.time());
    pull.push_back(measured(now, "cables.rope.spans.0.tension"));
  });
  for (const std::size_t at : events)
    for (std::size_t i = std::max<std::size_t>(at, 4) - 2; i <= at + 2 && i + 1 < pull.size(); ++i) {
      const double earlier = pull[i - 1] - pull[i - 2], here = pull[i] - pull[i - 1], later = pull[i + 1] - pull[i];
      result.change = std::max(result.change, std::fabs(here) / pull[i]);
      result.jump = std::max(result.jump, std::fabs(here - 0.5 * (earlier + later)) / pull[i]);
    }
  if (sheet) sheet->plot({panel}, "no jump where the cable meets or leaves a body");
  return result;
}

}  // namespace

/// As shipped, where the arm meets the rope at a meter a second and the load swings on the rope; and five times slower,
/// where the tension hardly changes at all.
Outcome splitMerge(Sheet& sheet) {
  const Passage shipped = passage(1, &sheet), slow = passage(5, nullptr);
  const double drift = std::max(shipped.drift, slow.drift);
  return Outcome::judged(
      fmt::format("{} splits, {} merges; jump of tension {:.2g} beside an event ({:.2g} a step with the motion in it); "
                  "five times slower {:.2g} ({:.2g}); length kept to {:.1g}",
                  shipped.splits, shipped.merges, shipped.jump, shipped.change, slow.jump, slow.change, drift),
      shipped.good && slow.good && shipped.splits > 0 && shipped.merges > 0 && slow.splits > 0 && slow.merges > 0 &&
          shipped.jump < 1e-3 && slow.jump < 1e-3 && slow.change < 1e-3 && drift < 1e-9);
}

/// Wheels with more cable on them let their bodies fall further.
Outcome hybrids(Sheet& sheet) {
  World world = built(shippedScene("hybrid"));
  Stages stages(sheet, world);
  stages.look(world);
  struct Fall {
    double stored, fell;
  };
  std::vector<Fall> falls;
  std::vector<double> start;
  const auto lowest = [](const CableObservation& cable) {
    double z = unbounded;
    for (const SpanObservation& span : cable.spans) z = std::min({z, span.start.z(), span.end.z()});
    return z;
  };
  int holds = 0;
  for (const auto& [name, cable] : world.observe().cables) {
    falls.push_back({cable.stored, 0.0});
    start.push_back(lowest(cable));
  }
  const bool good = advance(world, world.description().settings.seconds, [&](World& now) {
    stages.look(now);
    for (const Event& event : now.takeEvents()) holds += event.what.starts_with("holds");
    if (now.steps() % 4 != 0) return;
    const Observation seen = now.observe();
    for (std::size_t i = 0; i < seen.cables.size(); ++i)
      falls[i].fell = std::max(falls[i].fell, start[i] - lowest(seen.cables[i].second));
  });
  std::sort(falls.begin(), falls.end(), [](const Fall& a, const Fall& b) { return a.stored < b.stored; });
  bool ordered = falls.size() > 1;
  std::string text;
  for (std::size_t i = 0; i < falls.size(); ++i) {
    if (i > 0) ordered = ordered && falls[i].fell > falls[i - 1].fell;
    text += fmt::format("{}{:.3g} m wound on falls {:.3g} m", i ? ", " : "", falls[i].stored, falls[i].fell);
  }
  return Outcome::judged(fmt::format("{}; {} links came to hold", text, holds), good && ordered && holds > 0);
}

/// When each wheel of the route first turns, in steps of the world after the first one does.
Outcome hilbert(Sheet& sheet) {
  const auto starts = [&](const std::string& scene) {
    Description d = shippedScene(scene);
    d.settings.solver = SolverChoice::direct;
    World world = built(d);
    std::vector<Observable> rates;
    for (const LinkSettings& link : d.cables.front().second.route)
      if (const auto o = world.resolve("rotors." + link.on + ".rate")) rates.push_back(*o);
    std::vector<std::int64_t> first(rates.size(), -1);
    record::Panel panel{"spin of every eighth wheel of " + scene, "rad/s", {}, {}};
    for (std::size_t i = 0; i < rates.size(); i += 8) panel.series.push_back({fmt::format("wheel {}", i), {}});
    const std::int64_t every =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(d.settings.seconds / d.settings.dt) / 600);
    advance(world, d.settings.seconds, [&](World& now) {
      for (std::size_t i = 0; i < rates.size(); ++i)
        if (first[i] < 0 && std::fabs(now.read(rates[i])) > 1e-9) first[i] = now.steps();
      if (now.steps() % every != 0) return;
      panel.times.push_back(now.time());
      for (std::size_t s = 0; s < panel.series.size(); ++s) panel.series[s].values.push_back(now.read(rates[8 * s]));
    });
    sheet.picture(world, fmt::format("{} at {:.2f} s", scene, world.time()));
    sheet.plot({panel}, scene);
    return first;
  };
  const auto taut = starts("hilbert2"), loose = starts("hilbert2-loose");
  const auto [tautFirst, tautLast] = std::minmax_element(taut.begin(), taut.end());
  const bool together = !taut.empty() && *tautFirst >= 0 && *tautFirst == *tautLast;
  std::size_t turned = 0, late = 0;
  bool ordered = loose.size() > 1;
  for (std::size_t i = 0; i < loose.size(); ++i) {
    turned += loose[i] >= 0;
    if (i == 0) continue;
    const auto when = [&](std::size_t k) { return loose[k] < 0 ? INT64_MAX : loose[k]; };
    ordered = ordered && when(i) >= when(i - 1);
    late += when(i) > when(i - 1) && loose[i] >= 0;
  }
  return Outcome::judged(fmt::format("taut: {} wheels, first and last start in step {} and {}; loose: {} of {} wheels "
                                     "turn, {} later than the one before, {}",
                                     taut.size(), taut.empty() ? 0 : *tautFirst, taut.empty() ? 0 : *tautLast, turned,
                                     loose.size(), late, ordered ? "in route order" : "not in route order"),
                         together && ordered && late > 0);
}

}  // namespace reeve::command
