#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reeve/model/element.h"
#include "reeve/threads/cpu_time.h"
#include "reproduce_002.h"
#include "reproduce_trial.h"

namespace reeve::command {

Description compoundPulley(int n, double extra, bool turning) {
  constexpr double r = 0.05, drop = 1.0, density = 0.1, g = 10.0, load = 1000.0;
  Description d;
  d.name = fmt::format("{} pulleys", n);
  d.settings.gravity = Vec3(0, 0, -g);
  d.settings.dt = 0.01;
  d.settings.solver = SolverChoice::direct;
  BodySettings beam, weight;
  beam.position = Vec3(r * n, 0, -drop);
  beam.mass = load;
  beam.inertia = Vec3(load, load, load);
  beam.collides = weight.collides = false;
  weight.position = Vec3(2 * r * n, 0, -drop);
  // Tension grows with height alone; each hanging sheave carries its two falls and half a turn of strand below them.
  weight.mass = (load + n / 2 * M_PI * r * density) / n * (1 + extra);
  weight.inertia = Vec3(0.1, 0.1, 0.1);
  d.bodies.emplace_back("beam", beam);
  d.bodies.emplace_back("weight", weight);
  JointSettings rail;
  rail.type = JointType::slider;
  rail.b = "beam";
  rail.anchor = beam.position;
  rail.axis = Vec3::UnitZ();
  d.joints.emplace_back("rail", rail);
  CableSettings rope;
  rope.model = CableModel::strand;
  rope.material.mass = density;
  rope.route.emplace_back();  // attached to the world at the origin
  for (int i = 0; i < n; ++i) {
    const bool low = i % 2 == 0;
    const double x = r * (1 + 2 * i);
    const Vec3 at(low ? x - r * n : x, 0, 0);
    LinkSettings link;
    link.type = LinkType::roll;
    link.side = low ? -1 : 1;
    if (turning) {
      RotorSettings sheave;
      sheave.on = low ? "beam" : "world";
      sheave.position = at;
      sheave.radius = r;
      sheave.inertia = 1e-3;
      link.on = fmt::format("p{}", i);
      d.rotors.emplace_back(link.on, sheave);
    } else {
      link.on = low ? "beam" : "world";
      link.point = at;
      link.radius = r;
      link.axis = Vec3::UnitY();
      link.friction = 0.0;
    }
    rope.route.push_back(link);
  }
  rope.route.emplace_back().on = "weight";
  d.cables.emplace_back("rope", rope);
  return d;
}

namespace {

/// Speed of the weight, downwards, after a few steps from rest.
double sinks(int n, double extra) {
  World world = built(compoundPulley(n, extra));
  if (!advance(world, 0.1)) return NAN;
  return -measured(world, "bodies.weight.velocity.z");
}

/// How far the mass at which nothing moves is from the theoretical one.
Outcome balance(int n, double paper) {
  const double less = sinks(n, -0.01), more = sinks(n, 0.01), right = sinks(n, 0.0);
  // Speed per share of mass from 1 % either way; what is left of it at the theoretical mass is the error.
  const double error = std::fabs(0.02 * right / (more - less));
  return Outcome::judged(fmt::format("theory {:.2f} kg; relative error {:.1e}; with 1 % less the weight moves {:+.2e} "
                                     "m/s down after 0.1 s, with 1 % more {:+.2e}",
                                     1000.0 / n, error, less, more),
                         error <= std::min(paper, 1e-6) && less < 0 && more > 0);
}

/// The picture, and that it holds what it should.
Outcome largest(Sheet& sheet) {
  constexpr int n = 1024;
  World world = built(compoundPulley(n, 0.0));
  const bool good = advance(world, 0.1);
  const double speed = measured(world, "bodies.weight.velocity.z");
  sheet.picture(world, fmt::format("{} pulleys", n));
  return Outcome::judged(fmt::format("{} pulleys hold 1000 kg with {:.3f} kg: after 0.1 s the weight moves {:.1e} m/s",
                                     n, *world.description().bodies.back().second.mass, speed),
                         good && std::fabs(speed) < 1e-9);
}

struct Cost {
  double fill = 0.0, solve = 0.0;  ///< s for a simulated second
  double best = 0.0;               ///< s, of the fastest step
  double sparsity = 0.0;           ///< share of nonzeros in [M Gᵀ; G 0]
  bool good = true;
  double total() const { return fill + solve; }
};

/// A whole second; `fill` is the time of all elements' rows, mass and forces, as often as Newton asked for them.
Cost costOf(int n, bool turning, double seconds) {
  World world = built(compoundPulley(n, 0.002, turning));
  Cost cost;
  for (int k = 0; k < 3; ++k) world.step();  // the first steps build patterns and history
  const auto iterations = world.resolve("health.iterations");
  double passes = 0.0;
  const double begin = threadSeconds();
  int steps = 0;
  const int wanted = static_cast<int>(std::lround(seconds / world.description().settings.dt));
  for (double last = begin; steps < wanted && world.step().good; ++steps) {
    passes += world.read(*iterations) + 1;
    const double at = threadSeconds();
    if (steps == 0 || at - last < cost.best) cost.best = at - last;
    last = at;
  }
  cost.good = world.verdict().good;
  const double all = (threadSeconds() - begin) / seconds;
  const Model& model = world.model();
  Instant now;
  now.bind(model, world.state());
  now.rewind();
  RowSet rows;
  PatchSet patches;
  Forces forces;
  forces.force.assign(now.v.size(), 0.0);
  std::vector<double> p(now.v.size(), 0.0);
  const double once = shortestOf(5, [&] {
    now.touch();
    rows.clear();
    patches.clear();
    forces.damping.clear();
    now.evaluate();
    for (const auto& e : model.elements) {
      e->rows(now, rows);
      e->forces(now, forces);
      e->stiffness(now, world.state().force, patches);
    }
    for (const ElementMass* mass : model.masses) {
      mass->mass(now, patches);
      mass->momentum(now, p);
    }
  });
  cost.fill = std::min(all, once * passes / seconds);
  cost.solve = all - cost.fill;
  // The pattern of the matrix, scalar by scalar.
  std::set<std::pair<int, int>> pairs;
  double unknowns = static_cast<double>(rows.rows.size()), entries = 0.0;
  for (std::size_t b = 0; b < model.blocks.size(); ++b) {
    if (!model.blocks[b].free) continue;
    unknowns += model.blocks[b].dof;
    pairs.insert({static_cast<int>(b), static_cast<int>(b)});
  }
  for (const Patch& patch : patches.patches) pairs.insert(std::minmax(patch.a, patch.b));
  for (const Column& column : patches.columns) pairs.insert(std::minmax(column.a, column.b));
  for (const auto& [a, b] : pairs) {
    const Block &ba = model.blocks[static_cast<std::size_t>(a)], &bb = model.blocks[static_cast<std::size_t>(b)];
    if (ba.free && bb.free) entries += (a == b ? 1.0 : 2.0) * ba.dof * bb.dof;
  }
  for (const Entry& e : rows.entries) {
    const Block& b = model.blocks[static_cast<std::size_t>(e.block)];
    if (b.free) entries += 2.0 * b.dof;
  }
  cost.sparsity = entries / (unknowns * unknowns);
  return cost;
}

struct PaperCost {
  int n;
  double fill, solve, sparsity;
};
constexpr PaperCost table2[] = {{64, 0.11, 0.14, 6.8},   {128, 0.22, 0.36, 3.7},  {256, 0.45, 0.89, 2.0},
                                {512, 0.90, 3.11, 1.0},  {1024, 2.0, 12.3, 0.50}, {2048, 4.2, 48.0, 0.25},
                                {4096, 9.0, 189.7, 0.13}};

std::string words(const Cost& c) {
  return fmt::format("fill {:.3f} s, solve {:.3f} s ({:.0f} %), sparsity {:.2f} %", c.fill, c.solve,
                     100 * c.solve / c.total(), 100 * c.sparsity);
}

Outcome timing(const PaperCost& paper) {
  const Cost turning = costOf(paper.n, true, 1.0), sliding = costOf(paper.n, false, 0.2);
  // Twice as fast as real time in all, and five times by the fastest step: others may use the machine too.
  const bool fast = paper.n < 4096 || (turning.total() <= 0.5 && turning.best <= 0.2 * 0.01);
  return Outcome::timed(
      fmt::format(
          "turning sheaves, eliminated as a chain: {}, {:.1f} times real time (best step {:.2f} ms); not turning, "
          "as the paper's: {}",
          words(turning), 1.0 / turning.total(), 1e3 * turning.best, words(sliding)),
      turning.good && sliding.good, turning.total() <= paper.fill + paper.solve && fast);
}

Outcome slope(Sheet& sheet) {
  record::Panel panel{"one simulated second", "log10 s", {}, {}};
  panel.series = {{"Reeve, turning", {}}, {"paper, not turning", {}}};
  double sx = 0, sy = 0, sxx = 0, sxy = 0, count = 0;
  bool good = true;
  for (const PaperCost& paper : table2) {
    const Cost c = costOf(paper.n, true, 0.5);
    good = good && c.good;
    const double x = std::log10(paper.n), y = std::log10(c.total());
    panel.times.push_back(x);
    panel.series[0].values.push_back(y);
    panel.series[1].values.push_back(std::log10(paper.fill + paper.solve));
    if (paper.n < 256) continue;
    sx += x, sy += y, sxx += x * x, sxy += x * y, ++count;
  }
  const double fitted = (count * sxy - sx * sy) / (count * sxx - sx * sx);
  sheet.plot({panel}, "against log10 of the number of pulleys");
  return Outcome::timed(fmt::format("slope {:.3f} from 256 to 4096 pulleys", fitted), good, fitted <= 1.1);
}

}  // namespace

void addPulleyTables(std::vector<Item>& items) {
  const double errors[] = {2e-5, 4e-5, 7e-5, 1e-4, 2e-4, 5e-4, 9e-4, 1e-3, 3e-3, 6e-3};
  for (int k = 0; k < 10; ++k) {
    const int n = 2 << k;
    const double error = errors[k];
    items.push_back({fmt::format("table 1: {} pulleys", n), fmt::format("relative error {:.0e}", error),
                     [=](Sheet&) { return balance(n, error); }});
  }
  for (const PaperCost& paper : table2)
    items.push_back({fmt::format("table 2: {} pulleys", paper.n),
                     fmt::format("fill {} s, solve {} s, sparsity {} %, sheaves that do not turn", paper.fill,
                                 paper.solve, paper.sparsity),
                     [paper](Sheet&) { return timing(paper); }});
  items.push_back({"fig 8: 1024 pulleys", "picture", largest});
  items.push_back({"fig 9: cost against pulleys", "slopes 1.088 (fill) and 1.941 (solve)", slope});
}

}  // namespace reeve::command
