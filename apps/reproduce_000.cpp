// Paper 000: Cable Joints (Müller, Chentanez, Jeschke, Macklin 2018). Table 1, the timings in the text, figures 1
// to 20.
#include "reproduce_000.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.h"
#include "files.h"
#include "reeve/model/model.h"
#include "reproduce_trial.h"

namespace reeve::command {
namespace {

/// Pictures at these times while a world runs.
class Stages {
 public:
  Stages(Sheet& sheet, std::vector<double> times) : sheet_(sheet), times_(std::move(times)) {}
  void look(const World& world) {
    if (next_ >= times_.size() || world.time() < times_[next_] - 1e-9) return;
    sheet_.picture(world, fmt::format("{} at {:.2f} s", world.description().name, world.time()));
    ++next_;
  }

 private:
  Sheet& sheet_;
  std::vector<double> times_;
  std::size_t next_ = 0;
};

std::vector<double> thirds(const World& world) {
  const double end = world.description().settings.seconds;
  return {0.0, end / 3, 2 * end / 3, end};
}

/// m or rad: what rigid rows of `direct` may be off by, and the share of a span's length that sweeps may.
constexpr double exactRow = 1e-6, sweptShare = 0.05;

/// Joints, and the time of a frame with the paper's iterations and with `direct`. It passes when both are as fast as
/// the paper (`direct` as fast as `directMilliseconds` if that is given), every step of `direct` converged, its rows
/// hold exactly, and those of the sweeps to a twentieth of a span.
Item timing(std::string name, std::string scene, int joints, int iterations, double paperMilliseconds, int substeps = 1,
            int paperJoints = 0, double directMilliseconds = 0.0) {
  const std::string count = paperJoints > 0 ? fmt::format("{} joints, ", paperJoints)
                            : joints > 0    ? fmt::format("{} joints, ", joints)
                                            : "";
  const std::string work = substeps > 1      ? fmt::format("{} substeps of {} iterations", substeps, iterations)
                           : iterations == 1 ? "1 iteration"
                                             : fmt::format("{} iterations", iterations);
  const bool pictured = name.starts_with("table");
  return {std::move(name), fmt::format("{}{}, {} ms a frame", count, work, paperMilliseconds), [=](Sheet& sheet) {
            const Description d = shippedScene(scene);
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
            const bool exact = direct.error <= exactRow && direct.unconverged == 0 &&
                               (directMilliseconds > 0.0 || sweep.error <= sweptShare * sweep.span);
            const std::string text = fmt::format(
                "{} joints, sweep {:.4f} ms{} (rows off by {:.1g}{}), direct {:.4f} ms{} ({:.1f} Newton iterations, "
                "{} frames unconverged, off by {:.1g}{}); {:.3g} and {:.3g} times the paper's speed",
                sweep.joints, sweep.milliseconds, cut(sweep), sweep.error, sweep.good ? "" : ", went bad",
                direct.milliseconds, cut(direct), direct.iterations, direct.unconverged, direct.error,
                direct.good ? "" : ", went bad", paperMilliseconds / sweep.milliseconds,
                paperMilliseconds / direct.milliseconds);
            return Outcome::timed(text, counted && exact && sweep.good && direct.good, fast);
          }};
}

/// A figure whose scene says itself what is to be seen.
Item byExpectations(std::string name, std::string reported, std::string scene) {
  return {std::move(name), std::move(reported), [=](Sheet& sheet) {
            World world = built(shippedScene(scene));
            Stages stages(sheet, thirds(world));
            stages.look(world);
            double pull = 0.0;
            const Checked checked = checkExpectations(world, [&](World& now) {
              stages.look(now);
              if (now.steps() % 16 == 0)
                for (const SpanObservation& span : spansOf(now)) pull = std::max(pull, span.tension);
            });
            return Outcome::judged(fmt::format("{}: {}; largest tension {:.4g} N", scene, checked.text(), pull),
                                   checked.pass());
          }};
}

Outcome figure1(Sheet& sheet) {
  std::string text;
  bool alive = true;
  for (const char* scene : {"hand", "pulley", "hilbert3"}) {
    World world = built(shippedScene(scene));
    const bool good = advance(world, std::min(1.0, world.description().settings.seconds));
    sheet.picture(world, fmt::format("{} at {:.2f} s", scene, world.time()));
    text += fmt::format("{}{}: {} joints{}", text.empty() ? "" : ", ", scene, spansOf(world).size(),
                        good ? "" : " went bad");
    alive = alive && good;
  }
  return Outcome::drawn(text, alive);
}

Outcome flips(Sheet& sheet) {
  Description d = shippedScene("flips");
  World world = built(d);
  sheet.picture(world, "as declared");
  const double length = totalLength(world);
  for (auto& [name, cable] : d.cables)
    for (LinkSettings& link : cable.route)
      if (link.type == LinkType::roll) link.side = -link.side;
  World flipped = built(d);
  sheet.picture(flipped, "every orientation flipped");
  const bool good = advance(world, 0.5) && advance(flipped, 0.5);
  return Outcome::drawn(fmt::format("{} joints; {:.4g} m of cable, flipped {:.4g} m", spansOf(world).size(), length,
                                    totalLength(flipped)),
                        good);
}

Outcome links(Sheet& sheet) {
  World world = built(shippedScene("links"));
  Stages stages(sheet, thirds(world));
  stages.look(world);
  double unequal = 0.0;
  const double before = totalLength(world);
  const bool good = advance(world, world.description().settings.seconds, [&](World& now) {
    stages.look(now);
    if (now.steps() % 8 != 0) return;
    for (const auto& [name, cable] : now.observe().cables)
      for (std::size_t i = 1; i + 1 < cable.links.size(); ++i) {
        if (cable.links[i].kind != "pinhole" || cable.spans.size() <= i) continue;
        const double l = cable.spans[i - 1].tension, r = cable.spans[i].tension;
        if (l > 1e-6 && r > 1e-6) unequal = std::max(unequal, std::fabs(l - r) / std::max(l, r));
      }
  });
  std::string kinds;
  bool pinhole = false, attachment = false, hybrid = false;
  for (const auto& [name, cable] : world.description().cables)
    for (const LinkSettings& link : cable.route) {
      pinhole = pinhole || link.type == LinkType::pinhole;
      attachment = attachment || link.type == LinkType::attach;
      hybrid = hybrid || link.type == LinkType::hybrid;
    }
  const double drift = std::fabs(totalLength(world) - before) / before;
  return Outcome::judged(
      fmt::format(
          "pinhole {}, attachment {}, hybrid {}; tensions beside the pinhole differ by {:.1g}; length kept to {:.1g}",
          pinhole ? "yes" : "no", attachment ? "yes" : "no", hybrid ? "yes" : "no", unequal, drift),
      good && pinhole && attachment && hybrid && unequal < 1e-6 && drift < 1e-9);
}

/// Angle between a span and the plane of the wheel it leaves or meets, largest and smallest over all wheels on the
/// world.
Outcome skewWheels(Sheet& sheet) {
  World world = built(shippedScene("skew-wheels"));
  sheet.picture(world, "skew wheels at the start");
  double least = 1.0, most = 0.0;
  const auto look = [&](const World& now) {
    const Observation seen = now.observe();
    for (std::size_t c = 0; c < seen.cables.size(); ++c)
      for (const SpanObservation& span : seen.cables[c].second.spans)
        for (const std::string& end : {span.from, span.to})
          for (const auto& [name, rotor] : now.description().rotors) {
            if (name != end || rotor.on != "world" || span.length <= 0.0) continue;
            const double kink = std::fabs((span.end - span.start).normalized().dot(rotor.axis.normalized()));
            least = std::min(least, kink);
            most = std::max(most, kink);
          }
  };
  look(world);
  const double before = totalLength(world);
  const bool good = advance(world, world.description().settings.seconds);
  sheet.picture(world, fmt::format("skew wheels at {:.2f} s", world.time()));
  const double drift = std::fabs(totalLength(world) - before) / before;
  return Outcome::judged(
      fmt::format(
          "smoothest transition kinks by {:.1g} rad, sharpest by {:.3g} rad; runs {:.3g} s, length kept to {:.1g}",
          std::asin(least), std::asin(std::min(most, 1.0)), world.time(), drift),
      good && least < 1e-6 && most > 1e-2 && drift < 1e-9);
}

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

/// As shipped, where the arm meets the rope at a metre a second and the load swings on the rope; and five times slower,
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

/// Tensions of `simple` after its time, sorted, as a share of the weight of the smallest body.
struct Forces {
  std::vector<double> tension;
  double error = 0.0;  ///< largest relative error against 10, 20, 20, 20 N times the factor
  bool good = false;
};
Forces forcesOf(double factor, SolverChoice solver, int iterations, Sheet* sheet = nullptr) {
  Description d = shippedScene("simple");
  scaleMass(d, factor);
  d.settings.solver = solver;
  d.settings.iterations = iterations;
  World world = built(d);
  Forces f;
  f.good = advance(world, d.settings.seconds);
  if (sheet) sheet->picture(world, fmt::format("density times {:g}", factor));
  for (const SpanObservation& span : spansOf(world)) f.tension.push_back(span.tension);
  std::sort(f.tension.begin(), f.tension.end());
  const double expected[] = {10, 20, 20, 20};
  if (f.tension.size() != 4) f.good = false;
  for (std::size_t i = 0; f.good && i < 4; ++i)
    f.error = std::max(f.error, std::fabs(f.tension[i] / (expected[i] * factor) - 1.0));
  return f;
}

Outcome forces(Sheet& sheet) {
  const Forces light = forcesOf(1, SolverChoice::direct, 0, &sheet),
               heavy = forcesOf(1000, SolverChoice::direct, 0, &sheet);
  const Forces lightSweep = forcesOf(1, SolverChoice::sweep, 10), heavySweep = forcesOf(1000, SolverChoice::sweep, 10);
  if (!light.good || !heavy.good || !lightSweep.good || !heavySweep.good)
    return Outcome::judged(fmt::format("{} spans, or the run went bad", light.tension.size()), false);
  const double differ = std::fabs(lightSweep.error - heavySweep.error) / std::max(lightSweep.error, 1e-12);
  return Outcome::judged(fmt::format("{:.6f}, {:.6f}, {:.6f}, {:.6f} N; relative error direct {:.1g} and {:.1g} (1000 "
                                     "times denser), sweep 10 {:.2g} and {:.2g}",
                                     light.tension[0], light.tension[1], light.tension[2], light.tension[3],
                                     light.error, heavy.error, lightSweep.error, heavySweep.error),
                         light.error < 1e-6 && heavy.error < 1e-6 && lightSweep.error < 5e-3 &&
                             heavySweep.error < 5e-3 && (differ < 0.01 || heavySweep.error < 1e-9));
}

Outcome oneIteration(Sheet& sheet) {
  Description d = shippedScene("simple");
  d.settings.solver = SolverChoice::sweep;
  d.settings.iterations = 1;
  d.settings.dt = 1.0 / 60;
  World world = built(d);
  double stretch = 0.0;
  const bool good =
      advance(world, d.settings.seconds, [&](World& now) { stretch = std::max(stretch, worstStretch(now)); });
  const FrameTime time = timeFrames(shippedScene("simple"), 1, 1, sheet.timed() ? 0.5 : 0.0);
  return Outcome::timed(fmt::format("{:.4f} ms, lengths within {:.2g} %", time.milliseconds, 100 * stretch),
                        good && stretch <= 0.05, time.milliseconds <= 0.012);
}

/// How far joints of a chain of bodies have opened, m: its stretch.
double opened(const World& world) {
  double sum = 0.0;
  for (const auto& [name, joint] : world.observe().joints) sum += joint.error;
  return sum;
}

Outcome segments(Sheet& sheet) {
  Description d = shippedScene("segments");
  const double repeated = sheet.timed() ? 0.5 : 0.0;
  const FrameTime slow = timeFrames(d, 100, 1, repeated), fast = timeFrames(shippedScene("simple"), 10, 1, repeated);
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
  const double chain = stretchOf(d, 100, true), cable = stretchOf(shippedScene("simple"), 10, false);
  const double ratio = slow.milliseconds / fast.milliseconds;
  return Outcome::timed(fmt::format("{} bodies with 100 iterations stretch by {:.3g} m at {:.3g} ms a frame; simple "
                                    "with 10 by {:.3g} m at {:.4f} ms: {:.0f} times faster",
                                    d.bodies.size(), chain, slow.milliseconds, cable, fast.milliseconds, ratio),
                        cable < chain, ratio >= 50);
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

Outcome gear(Sheet& sheet) {
  const Gear even = gearWith(1.0, sheet), light = gearWith(0.99, sheet), heavy = gearWith(1.01, sheet);
  return Outcome::judged(
      fmt::format("1:4 drifts {:.1g} m in 10 s; at 1:3.96 the heavy body moves {:+.3g} m, at 1:4.04 {:+.3g} m in 0.5 s",
                  even.drift, light.heavy, heavy.heavy),
      even.good && light.good && heavy.good && even.drift < 1e-6 && light.heavy > 1e-4 && heavy.heavy < -1e-4);
}

/// Wheels with more cable on them let their bodies fall further.
Outcome hybrids(Sheet& sheet) {
  World world = built(shippedScene("hybrid"));
  Stages stages(sheet, thirds(world));
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

}  // namespace

Paper cableJoints() {
  Paper p{"000", "Cable Joints (Müller, Chentanez, Jeschke, Macklin 2018)", {}};
  p.items = {
      timing("table 1: simple", "simple", 4, 1, 0.012),
      timing("table 1: servin", "servin", 16, 10, 0.25),
      timing("table 1: pulley", "pulley", 6, 15, 0.3),
      timing("table 1: hand", "hand", 28, 20, 1.7),
      timing("table 1: gym", "gym", 16, 20, 2.5),
      // Open chains of 64 and 512 wheels have 63 and 511 spans; the paper counts 62 and 498.
      timing("table 1: hilbert2", "hilbert2", 63, 10, 1.8, 1, 62),
      timing("table 1: hilbert3", "hilbert3", 511, 10, 60, 1, 498, 0.5),
      timing("text: simple with 10 iterations", "simple", 0, 10, 0.036),
      {"text: simple with 1 iteration", "0.012 ms, lengths within about 5 %", oneIteration},
      timing("text: hilbert2 with 10 iterations", "hilbert2", 0, 10, 1.8),
      timing("text: hilbert3 with 100 iterations", "hilbert3", 0, 100, 60, 1, 0, 0.5),
      timing("text: bow with 10 substeps of 10", "bow", 0, 10, 25, 10),
      {"fig 1: hand, pulley, hilbert3", "picture", figure1},
      {"fig 2: rest length over turning wheels", "rest length absorbs what both wheels pay out", turningWheels},
      {"fig 3: four tangents", "orientation and order choose one of four common tangents", fourTangents},
      {"fig 4: flipped orientations", "flipping the orientations gives another route", flips},
      {"fig 5: wheel and general shape", "cable on a shape is measured along its convex hull", polygonTurn},
      {"fig 6: tangent by iteration", "left-most points in turn, until none moves", tangentIteration},
      {"fig 7: pinhole, attachment, hybrid", "three more links on one cable; one tension beside a pinhole", links},
      {"fig 8: a plane for each shape", "tangents between planes that do not coincide", skewPlanes},
      {"fig 9: skew wheels", "smooth without being perpendicular; kinks elsewhere", skewWheels},
      {"fig 10: hybrid link", "rolls, holds when used up, rolls again past a tangent", hybridCycle},
      {"fig 11: split and merge", "rest length is moved so that tension stays", splitMerge},
      {"fig 12: forces", "10, 20, 20, 20 N at 1 kg/m3; the same errors at 1000 kg/m3", forces},
      byExpectations("fig 13: servin", "a faithful reproduction of Servin's example", "servin"),
      {"fig 14: segments", "100 bodies stay elastic with 100 iterations; cable joints do not", segments},
      {"fig 15: elastic cables", "expected elongations at 0.01 m/N; at 0.1 m/N bodies hit the ground", elastic},
      {"fig 16: gear", "in equilibrium only at a mass ratio of 1:4", gear},
      {"fig 17: split, merge", "a cable splits and merges as it touches and leaves a body", splitMerge},
      {"fig 17: hybrid links", "more cable on the wheel, a longer fall, then the link holds", hybrids},
      {"fig 18: hilbert curve", "taut: all wheels turn at once; loose: one by one", hilbert},
      byExpectations("fig 19: bow", "a system under high tension, 10 substeps", "bow"),
      byExpectations("fig 20: gym", "one stack of weights, the desired force on each handle", "gym"),
  };
  return p;
}

}  // namespace reeve::command
