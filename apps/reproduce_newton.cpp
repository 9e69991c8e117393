// Machines of NVIDIA Newton's routed tendons, from their public description (its pull request 4132, and the tests,
// examples and notes around it): each with its error against a closed form or an independent solution, beside the error
// that was published. Where only the bounds of a test are, beside the rounding of the numbers its results are stored
// in.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reproduce.h"
#include "reproduce_trial.h"
#include "trials/free_rollers.h"

namespace reeve::command {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// What single precision, in which Newton keeps its results, rounds a number of this size by.
double singleRounding(double size) {
  const auto single = static_cast<float>(size);
  return 0.5 * (std::nextafter(single, 2 * single) - single);
}

/// Where the XY table is to be at a time: four figures of 2.5 s.
Vec2 tablePath(double t) {
  const double a = 0.05, turn = 2 * std::numbers::pi * std::fmod(t, 2.5) / 2.5, s = a * std::sin(turn);
  if (t < 2.5) return {s, 0};
  if (t < 5.0) return {0, s};
  if (t < 7.5) return {s, s};
  if (t < 10.0) return {a * (1 - std::cos(turn)), s};
  return Vec2::Zero();
}

struct Tracking {
  double fromPath = 0.0, fromDrives = 0.0;  ///< m RMS, at 60 frames a second
  bool good = true;
};

/// `late` s behind, with straight lines between knots `apart` s; 0: the scene's own drives.
Tracking track(Sheet* sheet, double apart, double late) {
  Description d = shippedScene("newton-xy-table");
  constexpr double r = 0.03;
  if (apart > 0.0)
    for (int k = 0; k < 2; ++k) {
      auto& knots = d.motors[static_cast<std::size_t>(k)].second.target.table;
      knots.clear();
      for (double t = 0.0; t < 10 + 1e-9; t += apart) {
        const Vec2 p = tablePath(std::max(0.0, t - late));
        knots.emplace_back(t, (p.x() + (k == 0 ? -1 : 1) * p.y()) / r);
      }
    }
  const auto drive = [&d](std::size_t k, double t) {
    const auto& knots = d.motors[k].second.target.table;
    std::size_t i = 1;
    while (i + 1 < knots.size() && knots[i].x() < t) ++i;
    const double s = (t - knots[i - 1].x()) / (knots[i].x() - knots[i - 1].x());
    return knots[i - 1].y() + std::min(s, 1.0) * (knots[i].y() - knots[i - 1].y());
  };
  World world = built(d);
  Tracking out;
  int frames = 0;
  record::Panel panel{"table", "m", {}, {{"x", {}}, {"y", {}}}};
  out.good = advance(world, 10.0, [&](World& now) {
    if (now.steps() % 4 != 0) return;
    const Vec2 at(measured(now, "bodies.table.position.x"), measured(now, "bodies.table.position.y"));
    const double left = r * drive(0, now.time()), right = r * drive(1, now.time());
    out.fromPath += (at - tablePath(now.time())).squaredNorm();
    out.fromDrives += (at - Vec2(0.5 * (left + right), 0.5 * (right - left))).squaredNorm();
    ++frames;
    panel.times.push_back(now.time());
    panel.series[0].values.push_back(at.x());
    panel.series[1].values.push_back(at.y());
  });
  out.fromPath = std::sqrt(out.fromPath / frames);
  out.fromDrives = std::sqrt(out.fromDrives / frames);
  if (sheet) sheet->picture(world, "the table at the end"), sheet->plot({panel}, "the table's path");
  return out;
}

Outcome xyTable(Sheet& sheet) {
  const Tracking own = track(&sheet, 0.0, 0.0), coarse = track(nullptr, 0.25, 0.02);
  return Outcome::below(
      fmt::format(
          "{:.3f} mm RMS from the path at 1/240 s, 8 times the step; with drives 20 ms late and straight for 0.25 s, "
          "as there, {:.2f} mm from the path and {:.3f} mm from where those drives should take it",
          1e3 * own.fromPath, 1e3 * coarse.fromPath, 1e3 * coarse.fromDrives),
      own.good && coarse.good && coarse.fromDrives < 0.26e-3, 2.6e-3, own.fromPath,
      "published; most of it is the drives', which here follow the path");
}

Description rollersWith(double friction, double dt) {
  Description d = shippedScene("newton-rollers");
  for (auto& [name, cable] : d.cables) cable.route[1].friction = friction;
  d.settings.dt = dt;
  d.expect.clear();
  return d;
}

Outcome stillRoller(Sheet& sheet) {
  World world = built(rollersWith(0.0, 1.0 / 60));
  double angle = 0.0, rate = 0.0;
  const bool good = advance(world, 8.0, [&](World& now) {
    angle = std::max(angle, std::fabs(measured(now, "rotors.circle.angle")));
    rate = std::max(rate, std::fabs(measured(now, "rotors.circle.rate")));
  });
  sheet.picture(world, "the circle on the left");
  return Outcome::below(
      fmt::format("at most {:.1g}° and {:.1g} rad/s in 8 s at 1/60 s, 10 times the step", angle / degree, rate),
      good && rate < 0.003, 0.13 * degree, angle, "published");
}

/// Sum of the bends of the cable at the eyes and on the pulley, in closed form from where coupler and slider are.
double grooveBend(const World& world) {
  const auto& route = world.description().cables.front().second.route;
  const LinkSettings& pulley = route[route.size() - 2];
  const auto at = [&](const char* body) {
    return Vec2(measured(world, fmt::format("bodies.{}.position.x", body)),
                measured(world, fmt::format("bodies.{}.position.z", body)));
  };
  const auto way = [](const Vec2& from, const Vec2& to) { return std::atan2(to.y() - from.y(), to.x() - from.x()); };
  const Vec2 center(pulley.point.x(), pulley.point.z()), slider = at("slider");
  std::vector<double> ways;
  Vec2 last = at("coupler");
  for (std::size_t i = 1; i + 2 < route.size(); ++i) {
    const Vec2 eye(route[i].point.x(), route[i].point.z());
    ways.push_back(way(last, eye));
    last = eye;
  }
  ways.push_back(way(last, center) + std::asin(*pulley.radius / (center - last).norm()));
  ways.push_back(way(center, slider) - std::asin(*pulley.radius / (slider - center).norm()));
  double sum = 0.0;
  for (std::size_t i = 1; i < ways.size(); ++i)
    sum += std::fabs(std::remainder(ways[i] - ways[i - 1], 2 * std::numbers::pi));
  return sum;
}

Outcome fourBar(Sheet& sheet) {
  World world = built(shippedScene("newton-four-bar"));
  double gap = 0.0, worst = 0.0, lifted = 0.0;
  int slipping = 0;
  const bool good = advance(world, 6.0, [&](World& now) {
    for (const char* joint : {"A", "B", "C", "D"})
      gap = std::max(gap, std::fabs(measured(now, fmt::format("joints.{}.error", joint))));
    lifted = std::min(lifted, measured(now, "joints.A.coordinate"));
    // Held at its limit while the force grows, and again while it falls, the cable creeps through every eye.
    const double t = now.time(), way = t > 1.7 && t < 2.95 ? 1.0 : t > 5.45 && t < 5.8 ? -1.0 : 0.0;
    if (way == 0.0) return;
    ++slipping;
    const double ratio = measured(now, "cables.cable.spans.6.tension") / measured(now, "cables.cable.spans.0.tension");
    worst = std::max(worst, std::fabs(ratio / std::exp(way * 0.2 * grooveBend(now)) - 1));
  });
  sheet.picture(world, "at the end");
  return Outcome::below(
      fmt::format(
          "loop closed to {:.1g} mm at 1/240 s, twice the step; lifted to {:.1f}°; while it slips ({} steps) tensions "
          "obey e^(0.2 θ) to {:.1g} %",
          1e3 * gap, lifted / degree, slipping, 100 * worst),
      good && slipping > 10 && worst < 0.01 && lifted < -9.9 * degree, singleRounding(0.5), gap,
      "rounding of a place 0.5 m away; of the error only bounds are published");
}

/// Newton's own test holds its wheel to backward Euler, to 1e-5 rad; where that scheme takes it is therefore published.
struct EulerWheel {
  double angle = 0.0, rate;
  /// Sticking, an oscillator of this ω².
  void stick(double dt, double w2) {
    angle = (angle + dt * rate) / (1 + dt * dt * w2);
    rate -= dt * w2 * angle;
  }
};

Outcome loadedWheel(Sheet& sheet) {
  // Sticking: an oscillator of ω² = 2r²/(c I). Slipping: tensions stand at T (1 ± tanh(wrap/2)) and stop it evenly.
  constexpr double r = 0.1, c = 1e-3, inertia = 0.01, preload = 10.0, dt = 1e-3;
  const double wrap = 2 * std::asin(r / 0.4), w2 = 2 * r * r / (c * inertia), w = std::sqrt(w2),
               slip = c * preload * std::tanh(0.5 * wrap) / r;
  const auto run = [](double rate, double seconds, const std::function<void(World&)>& see) {
    Description d = shippedScene("newton-loaded-wheel");
    d.rotors.front().second.rate = rate;
    d.expect.clear();
    World world = built(d);
    return advance(world, seconds, see) ? std::optional<World>(std::move(world)) : std::nullopt;
  };
  double peak = 0.0, off = 0.0, theirs = 0.0;
  const auto slipped = run(2.0, 0.1, [&](World& now) { peak = std::max(peak, measured(now, "rotors.wheel.angle")); });
  EulerWheel euler{.rate = 0.2};
  record::Panel panel{
      "angle of the wheel that sticks", "rad", {}, {{"Reeve", {}}, {"backward Euler", {}}, {"exact", {}}}};
  const auto stuck = run(0.2, 0.18, [&](World& now) {
    euler.stick(dt, w2);
    const double exact = 0.2 / w * std::sin(w * now.time()), angle = measured(now, "rotors.wheel.angle");
    off = std::max(off, std::fabs(angle - exact));
    theirs = std::max(theirs, std::fabs(euler.angle - exact));
    panel.times.push_back(now.time());
    const double values[] = {angle, euler.angle, exact};
    for (std::size_t k = 0; k < 3; ++k) panel.series[k].values.push_back(values[k]);
  });
  const double stop = slip + (4.0 - w2 * slip * slip) / (2 * w2 * slip), stopError = std::fabs(peak / stop - 1);
  if (slipped) sheet.picture(*slipped, "the wheel in its cable");
  sheet.plot({panel}, "set turning at 0.2 rad/s, steps of 1 ms");
  return Outcome::below(
      fmt::format("at 1 ms: angle while it sticks {:.2g} rad off in 0.18 s, where backward Euler is {:.2g} rad off "
                  "({:.0f} times); stopping angle {:.5f} rad, {:.2g} % off",
                  off, theirs, theirs / off, peak, 100 * stopError),
      slipped && stuck && stopError < 0.004, theirs - 1e-5, off, "the scheme that its test holds it to");
}

Outcome usedUp(Sheet&) {
  World world = built(shippedScene("newton-used-up"));
  const bool good = advance(world, 0.5);
  double worst = 0.0;
  for (const int span : {0, 1, 3, 4})
    worst = std::max(worst, std::fabs(measured(world, fmt::format("cables.cable.spans.{}.tension", span)) - 300.0));
  return Outcome::below(fmt::format("{:.1g} N off 300 N on all spans, at 1/60 s", worst), good, singleRounding(300.0),
                        worst, "rounding of 300 N; of the error only a bound is published");
}

struct RollerErrors {
  double ellipse = 0.0, sector = 0.0, tension = 0.0, material = 0.0;  ///< rad, rad, N RMS, m
  bool good = true;
};

struct RollerPaths {
  std::string angle, pull;
};
const RollerPaths rollerPaths[] = {{"joints.axle-ellipse.coordinate", "cables.ellipse.spans.1.tension"},
                                   {"joints.axle-sector.coordinate", "cables.sector.spans.1.tension"}};

/// Of one cycle with a step; `reference` gives angle and tension of roller k at the time of a world.
template <class Reference>
RollerErrors rollerErrors(const Description& d, const Reference& reference, Sheet* sheet = nullptr) {
  World world = built(d);
  RollerErrors e;
  const double length = totalLength(world);
  int count = 0;
  e.good = advance(world, 4.0, [&](World& now) {
    for (std::size_t k = 0; k < 2; ++k) {
      const auto [at, tension] = reference(k, now);
      double& worst = k == 0 ? e.ellipse : e.sector;
      worst = std::max(worst, std::fabs(measured(now, rollerPaths[k].angle) - at));
      e.tension += std::pow(measured(now, rollerPaths[k].pull) - tension, 2);
      ++count;
    }
    e.material = std::max(e.material, std::fabs(totalLength(now) - length));
  });
  e.tension = std::sqrt(e.tension / count);
  if (sheet) sheet->picture(world, fmt::format("friction {}", d.cables[1].second.route[1].friction));
  return e;
}

/// Against the same with `parts` steps for one and `tolerance` of Newton.
RollerErrors rollersAgainst(double friction, int parts, double tolerance, Sheet* sheet) {
  const Description d = rollersWith(friction, 1.0 / 600);
  Description other = rollersWith(friction, 1.0 / 600 / parts);
  other.settings.tolerance = tolerance;
  World finer = built(other);
  return rollerErrors(
      d,
      [&](std::size_t k, const World& now) {
        while (finer.time() < now.time() - 1e-9 && finer.step().good) continue;
        return std::pair(measured(finer, rollerPaths[k].angle), measured(finer, rollerPaths[k].pull));
      },
      sheet);
}

RollerErrors rollersAgainstExact(double dt) {
  trials::FreeRoller exact[] = {trials::FreeRoller::ellipse(0.08, 0.045, -0.4),
                                trials::FreeRoller::sector(0.08, 2.0, -0.8)};
  return rollerErrors(rollersWith(0.0, dt), [&](std::size_t k, const World& now) {
    exact[k].advance(now.time());
    return std::pair(exact[k].angle, exact[k].tension());
  });
}

Outcome rollerShapes(Sheet& sheet) {
  const RollerErrors smooth = rollersAgainst(0.0, 1, 1e-13, &sheet), rough = rollersAgainst(0.3, 1, 1e-13, &sheet),
                     true0 = rollersAgainstExact(1.0 / 600), finer = rollersAgainstExact(1.0 / 4800);
  const auto text = [](const RollerErrors& e) {
    return fmt::format("{:.2g}° and {:.2g}°, {:.2g} N RMS", e.ellipse / degree, e.sector / degree, e.tension);
  };
  const double share =
      std::max({smooth.ellipse / (1.23 * degree), smooth.sector / (0.61 * degree), rough.ellipse / (0.0015 * degree),
                rough.sector / (0.0008 * degree), smooth.tension / 0.015, rough.tension / 0.012});
  return Outcome::below(
      fmt::format(
          "iterations alone, friction 0: {}; 0.3: {}; all errors, friction 0, against an independent solution with "
          "the exact shapes: {} at 1/600 s, {} at 1/4800 s; material kept to {:.1g} µm",
          text(smooth), text(rough), text(true0), text(finer),
          1e6 * std::max({smooth.material, rough.material, true0.material})),
      smooth.good && rough.good && true0.good && true0.ellipse < 1.23 * degree && true0.sector < 0.61 * degree, 1.0,
      share, "published, the nearest of the six numbers");
}

}  // namespace

Paper newtonTendons() {
  return {
      "newton",
      "NVIDIA Newton, routed tendons (public tests and examples)",
      {{"XY table", "2.6 to 2.8 mm RMS at 32 substeps of 64 iterations; its test allows 6 mm", xyTable},
       {"free roller", "0.13° of drift at 1/600 s of 32 iterations; its test allows 0.29° and 0.03 rad/s", stillRoller},
       {"four-bar with a groove", "its test allows 20 mm of gap at 1/480 s; tensions of a groove within 10 %", fourBar},
       {"loaded wheel",
        "angle while it sticks: that of backward Euler to 1e-5 rad, at 1 ms; its test allows 4 % of the stopping angle",
        loadedWheel},
       {"span used up", "its test allows 1 N of 300 N", usedUp},
       {"ellipse and sector",
        "friction 0: 1.23° and 0.61°, 0.015 N RMS; 0.3: 0.0015° and 0.0008°, 0.012 N RMS, both iterations "
        "alone; material kept to 1.7 µm; 1/600 s of 32 iterations",
        rollerShapes}}};
}

}  // namespace reeve::command
