// Races of a cable that hangs: its sag between two points, and the frequencies of its first modes under a load.
#include <array>
#include <cmath>

#include "peers.h"
#include "races.h"
#include "world_runner.h"

namespace reeve::race {
namespace {

constexpr int linkCount = 24;
constexpr double length = 10.0, perMetre = 1.0, gravity = 9.81;  // m, kg/m, m/s²

/// Thin rods along these points, on ball joints; the last point is held too, or carries a load of so many kg.
Description rods(const std::vector<Vec3>& line, double load) {
  Description d;
  d.name = "hanging cable";
  d.settings.gravity = Vec3(0, 0, -gravity);
  const auto add = [&](const Vec3& at, const Vec3& joint, double mass, const Vec3& inertia, const Quat& turn) {
    const std::string name = std::to_string(d.bodies.size());
    BodySettings b;
    b.position = at;
    b.orientation = turn;
    b.mass = mass;
    b.inertia = inertia;
    b.center = Vec3::Zero();
    b.collides = false;
    JointSettings ball;
    ball.type = JointType::ball;
    if (!d.bodies.empty()) ball.a = d.bodies.back().first;
    ball.b = "link" + name;
    ball.anchor = joint;
    d.bodies.emplace_back(ball.b, b);
    d.joints.emplace_back("joint" + name, ball);
  };
  constexpr double radius = 0.02;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Vec3 along = line[i] - line[i - 1];
    const double mass = perMetre * along.norm(), across = mass * along.squaredNorm() / 12;
    add(0.5 * (line[i - 1] + line[i]), line[i - 1], mass, Vec3(0.5 * mass * radius * radius, across, across),
        Quat::FromTwoVectors(Vec3::UnitX(), along));
  }
  if (load > 0.0) {
    add(line.back(), line.back(), load, Vec3::Constant(0.1 * load), Quat::Identity());
    return d;
  }
  JointSettings held = d.joints.back().second;
  held.a = d.bodies.back().first;
  held.b = "world";
  held.anchor = line.back();
  d.joints.emplace_back("end", held);
  return d;
}

/// The same as a cable of Reeve's between the ends of the line.
Description cableAlong(const std::vector<Vec3>& line, double load, CableModel model) {
  Description d;
  d.name = "hanging cable";
  d.settings.gravity = Vec3(0, 0, -gravity);
  CableSettings rope;
  rope.model = model;
  rope.material.mass = perMetre;
  rope.route.resize(2);
  rope.route[0].point = line.front();
  if (load > 0.0) {
    BodySettings b;
    b.position = line.back();
    b.mass = load;
    b.inertia = Vec3::Constant(0.1 * load);
    b.center = Vec3::Zero();
    b.collides = false;
    d.bodies.emplace_back("load", b);
    rope.route[1].on = "load";
  } else {
    rope.route[1].point = line.back();
  }
  if (model == CableModel::chain || model == CableModel::particles) rope.shape.assign(line.begin() + 1, line.end() - 1);
  if (model == CableModel::chain) rope.collides = false;
  if (model == CableModel::particles) {
    rope.particles.touch = TouchMode::none;
    rope.particles.direct = true;
  }
  if (model == CableModel::strand)
    for (int i = 1; i < linkCount; ++i) {
      LinkSettings node;
      node.type = LinkType::node;
      node.point = line[static_cast<std::size_t>(i)];
      node.flows = false;
      rope.route.insert(rope.route.end() - 1, node);
    }
  d.cables.emplace_back("cable", rope);
  return d;
}

WorldRunner::Judge alongCable(const LineJudge& judge) {
  return [judge](const World& w) { return judge(w.observe().cables.front().second.polyline, w.time()); };
}

template <class Function>
double rootOf(Function&& f, double low, double high) {
  const bool rises = f(low) < 0.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    ((f(middle) < 0.0) == rises ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// ---- sag

constexpr double span = 8.0;

/// Rods in balance: the tangent of each is the weight between its middle and the lowest point over the pull.
std::vector<Vec3> hangingRods() {
  const double rod = length / linkCount, weight = perMetre * rod * gravity;
  const auto slope = [&](int i, double pull) { return weight * (i - 0.5 * (linkCount - 1)) / pull; };
  const double pull = rootOf(
      [&](double h) {
        double x = -span;
        for (int i = 0; i < linkCount; ++i) x += rod / std::hypot(1.0, slope(i, h));
        return x;
      },
      0.01, 1e5);
  std::vector<Vec3> line{Vec3::Zero()};
  for (int i = 0; i < linkCount; ++i) line.push_back(line.back() + rod * Vec3(1, 0, slope(i, pull)).normalized());
  return line;
}

// ---- modes

/// A cable under a load: with s' the height above the load plus h = M/ρ, its shape is J0(z) Y0(top) - Y0(z) J0(top),
/// z = 2 ω sqrt(s'/g); at the load M ω² y = M g y' makes it J0(top) Y2(z) = Y0(top) J2(z) there.
struct Mode {
  double omega;
  static constexpr double load = 100.0, height = load / perMetre;

  static double argument(double omega, double s) { return 2 * omega * std::sqrt((s + height) / gravity); }
  static double condition(double omega) {
    const double top = argument(omega, length), low = argument(omega, 0.0);
    return std::cyl_bessel_j(0, top) * std::cyl_neumann(2, low) - std::cyl_neumann(0, top) * std::cyl_bessel_j(2, low);
  }
  double shape(double s) const {
    const double top = argument(omega, length), z = argument(omega, std::fmax(0.0, s));
    return std::cyl_bessel_j(0, z) * std::cyl_neumann(0, top) - std::cyl_neumann(0, z) * std::cyl_bessel_j(0, top);
  }
};

/// The first is the load's swing as a pendulum, which drawing the cable aside hardly excites; the next two are waves.
std::array<Mode, 2> firstWaves() {
  std::vector<Mode> modes;
  constexpr double step = 0.05;
  for (double omega = 0.2; modes.size() < 3; omega += step)
    if (Mode::condition(omega) * Mode::condition(omega + step) < 0.0)
      modes.push_back({rootOf(Mode::condition, omega, omega + step)});
  return {modes[1], modes[2]};
}

/// Frequency of a number that swings about zero, from its first and last crossing.
class Crossings {
 public:
  void take(double time, double value) {
    if (count_ < 0) {
      count_ = 0;
    } else if (value * before_ < 0.0) {
      last_ = timeBefore_ + (time - timeBefore_) * before_ / (before_ - value);
      if (count_++ == 0) first_ = last_;
    }
    before_ = value;
    timeBefore_ = time;
  }
  /// rad/s; zero without two crossings.
  double omega() const { return count_ > 1 ? M_PI * (count_ - 1) / (last_ - first_) : 0.0; }

 private:
  int count_ = -1;
  double before_ = 0.0, timeBefore_ = 0.0, first_ = 0.0, last_ = 0.0;
};

/// Of every point of a line from the top to the load, for each mode: its mass times the mode's shape there.
std::vector<std::array<double, 2>> weightsOf(const std::vector<Vec3>& line, const std::array<Mode, 2>& modes) {
  std::vector<std::array<double, 2>> weights(line.size());
  for (std::size_t m = 0; m < 2; ++m) {
    double below = 0.0;
    weights.back()[m] = Mode::load * modes[m].shape(0.0);
    for (std::size_t i = line.size() - 1; i > 0; --i) {
      const double half = 0.5 * (line[i] - line[i - 1]).norm();
      weights[i][m] += perMetre * half * modes[m].shape(below);
      below += 2 * half;
      weights[i - 1][m] += perMetre * half * modes[m].shape(below);
    }
  }
  return weights;
}

/// 1 and the worst share by which one of the two frequencies is off.
LineJudge frequencies() {
  return [modes = firstWaves(), weights = std::vector<std::array<double, 2>>(), swings = std::array<Crossings, 2>()](
             const std::vector<Vec3>& line, double time) mutable {
    if (weights.empty()) weights = weightsOf(line, modes);
    double worst = 0.0;
    for (std::size_t m = 0; m < 2; ++m) {
      double sum = 0.0;
      for (std::size_t i = 0; i < line.size(); ++i) sum += weights[i][m] * line[i].x();
      swings[m].take(time, sum);
      worst = std::fmax(worst, std::fabs(swings[m].omega() / modes[m].omega - 1));
    }
    return 1 + worst;
  };
}

}  // namespace

Race sagRace() {
  Race race;
  race.name = "hanging, sag";
  race.size = linkCount;
  race.measures = "sag of 10 m between points 8 m apart after 1 s, share of the catenary's";
  race.reading = "sag";
  race.dt = 1.0 / 120;
  race.steps = race.timed = 120;
  race.relative = true;
  race.accuracy = 0.01;
  race.broken = 0.1;
  race.rival = "mujoco tree, Euler";
  const double c = rootOf([](double x) { return x * std::sinh(0.5 * span / x) - 0.5 * length; }, 0.5, 50.0);
  const double sag = c * (std::cosh(0.5 * span / c) - 1);
  race.work = perMetre * length * gravity * sag;
  const auto line = hangingRods();
  const LineJudge lowest = [](const std::vector<Vec3>& points, double) {
    double low = 0.0;
    for (const Vec3& p : points) low = std::fmax(low, points.front().z() - p.z());
    return low;
  };
  const ChainShape shape(rods(line, 0.0));
  race.entrants.push_back(reeveEntrant(
      "bodies, ball joints", rods(line, 0.0),
      [shape, lowest](const World& w) { return lowest(shape.line(poseOf(w)), w.time()); }, 1.0));
  for (const auto& [how, model] : {std::pair{"chain", CableModel::chain},
                                   {"particles", CableModel::particles},
                                   {"strand", CableModel::strand},
                                   {"hoist", CableModel::hoist}}) {
    Description d = cableAlong(line, 0.0, model);
    if (model != CableModel::strand) d.cables[0].second.length = length;  // a strand is as long as its route
    race.entrants.push_back(reeveEntrant(how, d, alongCable(lowest), 1.0));
  }
  joinChains(race.entrants, rods(line, 0.0), alongLine(lowest), false);
  for (Entrant& e : race.entrants) e.exact = sag;
  return race;
}

Race modesRace() {
  constexpr double aside = 0.02, where = 0.3;
  Race race;
  race.name = "hanging, modes";
  race.size = linkCount;
  race.measures = "frequencies of the first two waves of 10 m of cable under ten times its mass, worst share off";
  race.reading = "waves";
  for (const Mode& mode : firstWaves()) {
    Wave wave{mode.omega, {}, Mode::load, perMetre, length};
    for (int i = 0; i <= 2000; ++i) wave.shape.push_back(mode.shape(length * i / 2000));
    race.waves.push_back(wave);
  }
  race.dt = 1.0 / 240;
  race.steps = 480;
  race.timed = 120;
  race.relative = true;
  race.accuracy = 0.01;
  race.broken = 0.1;
  race.rival = "mujoco tree, Euler";
  const double pull = (Mode::load + 0.5 * perMetre * length) * gravity;
  race.work = 0.5 * pull * aside * aside / (length * where * (1 - where));  // what drawing it aside takes
  std::vector<Vec3> line;
  for (int i = 0; i <= linkCount; ++i) {
    const double x = static_cast<double>(i) / linkCount;
    line.emplace_back(aside * std::fmin(x / where, (1 - x) / (1 - where)), 0, -length * x);
  }
  const Description d = rods(line, Mode::load);
  const ChainShape shape(d);
  race.entrants.push_back(reeveEntrant(
      "bodies, ball joints", d,
      [shape, judge = frequencies()](const World& w) { return judge(shape.line(poseOf(w)), w.time()); }, 1.0));
  for (const auto& [how, model] :
       {std::pair{"chain", CableModel::chain}, {"particles", CableModel::particles}, {"strand", CableModel::strand}})
    race.entrants.push_back(reeveEntrant(how, cableAlong(line, Mode::load, model), alongCable(frequencies()), 1.0));
  Description waves = cableAlong(line, Mode::load, CableModel::hoist);
  CableSettings& rope = waves.cables[0].second;
  rope.subdivisions = linkCount;
  rope.pluck = Vec3(aside, 0, 0);
  rope.pluckAt = where;
  race.entrants.push_back(reeveEntrant("hoist, waves", waves, alongCable(frequencies()), 1.0));
  joinChains(race.entrants, d, alongLine(frequencies()), false);
  for (Entrant& e : race.entrants) e.exact = 1.0;
  return race;
}

}  // namespace reeve::race
