// Paper 004, sections VII-B and VII-C: mass ratios of the rigid chain (table II), and what a step costs (figure 13).
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>

#include "command.h"
#include "reeve/model/kinetics.h"
#include "reeve/solvers/row_system.h"
#include "reproduce_004.h"

namespace reeve::command {
namespace {

// ---- table II

struct Row {
  double young, beta;
  int joints;
  double paper;
};
constexpr Row tableRows[] = {{2e11, 1e7, 24, 1e1}, {2e11, 1e6, 24, 1e2}, {2e11, 1e4, 24, 1e3}, {2e11, 1e2, 24, 1e4},
                             {2e12, 10, 24, 1e5},  {2e11, 1e3, 6, 1e3},  {2e11, 1e2, 6, 1e4},  {2e12, 10, 6, 1e5}};

/// Both ends heavy; the anchor travels a share of the cable's length sideways. The paper says neither how long the
/// cable is nor how far the anchor goes. Without geometric stiffness, as in its stepper, a segment of mass m and length
/// l under the weight M g turns to and fro at 12 M g/(m l), which must stay below (2/dt)²: l of 0.83 m and more where
/// there is next to no bending (beta = 1e6, M/m = 100). So 25 m.
constexpr double cableLength = 25.0;
Description movedAnchor(const Row& row, double ratio, double share, SolverChoice solver, int rounds) {
  const double area = 12.0 / row.beta, length = cableLength, l = length / (row.joints + 1), travel = share * length;
  Description d = paperScene(true, solver);
  d.settings.iterations = rounds;
  BodySettings anchor;
  anchor.motion = BodyMotion::kinematic;
  anchor.prescribed.emplace();
  anchor.prescribed->travel.table = {Vec2(1, 0), Vec2(2.6, travel)};
  anchor.prescribed->travel.smooth = true;
  d.bodies.emplace_back("anchor", anchor);
  const auto end = [&](double z) {
    const double across = (l * l + area) / 12;
    return rigidBody(ratio, ratio * Vec3(across, across, area / 6), Vec3(0, 0, z));
  };
  d.bodies.emplace_back("top", end(-0.5 * l));
  d.bodies.emplace_back("load", end(-length + 0.5 * l));
  JointSettings held;
  held.type = JointType::ball;
  held.a = "anchor";
  held.b = "top";
  d.joints.emplace_back("held", held);
  CableSettings c = paperRod(row.young, row.joints - 1);
  c.material.radius = 0.5 * std::sqrt(area);
  c.material.mass = 1.0 / l;  // 1 kg a segment
  c.material.damping = 0.01;
  c.twist = TwistMeasure::parallel;  // the paper's alternative form, made exact
  c.route = {chainEnd("top", Vec3(0, 0, -0.5 * l), EndHold::clamped),
             chainEnd("load", Vec3(0, 0, 0.5 * l), EndHold::clamped)};
  d.cables.emplace_back("cable", c);
  return d;
}

/// Direct: 30 s, and what comes in after the anchor has stopped is below 1 % of M g L.
bool directHolds(const Row& row, double ratio) {
  World world = built(movedAnchor(row, ratio, 0.4, SolverChoice::direct, 0));
  double stopped = 0.0, gain = 0.0;
  const bool good = advance(world, 30.0, [&](World& now) {
    if (now.steps() == 162) stopped = measured(now, "energy.total");
    if (now.steps() > 162)
      gain = std::max(gain, (measured(now, "energy.total") - stopped) / (ratio * 10.0 * cableLength));
  });
  return good && gain < 0.01;
}

/// Blocks: 15 s with so many rounds, and the light segments do not gather energy: kinetic below 2 M g L.
bool blocksHold(const Row& row, double ratio, int rounds) {
  World world = built(movedAnchor(row, ratio, 0.2, SolverChoice::blocks, rounds));
  double most = 0.0;
  const bool good = advance(world, 15.0, [&](World& now) {
    most = std::max(most, measured(now, "energy.kinetic") / (ratio * 10.0 * cableLength));
  });
  return good && most < 2.0;
}

Outcome tableTwo(Sheet& sheet) {
  std::string text;
  bool good = true;
  for (const Row& row : tableRows) {
    const double area = 12.0 / row.beta;
    double direct = 0.0, blocks = 0.0;
    const int rounds = row.paper <= 1e3 ? 3 : 20;
    // No further than 5 % of static strain.
    for (double ratio = row.paper; ratio <= 1.001e9 && 10.0 * ratio / (row.young * area) < 0.05; ratio *= 10.0) {
      if (!directHolds(row, ratio)) break;
      direct = ratio;
    }
    for (double ratio = 10.0; ratio <= 1.001e6 && blocksHold(row, ratio, rounds); ratio *= 10.0) blocks = ratio;
    good = good && direct >= 0.999 * row.paper && blocks >= 0.999 * row.paper;
    text += fmt::format("{}Y {:.0e} beta {:.0e} N_C {}: paper {:.0e}, direct {:.0e}, blocks of {} rounds {:.0e}",
                        text.empty() ? "" : "; ", row.young, row.beta, row.joints, row.paper, direct, rounds, blocks);
  }
  const bool farthest = directHolds(tableRows[4], 1e9);
  World world = built(movedAnchor(tableRows[4], 1e5, 0.4, SolverChoice::direct, 0));
  advance(world, 3.6);
  sheet.picture(world, "24 joints, 1e5 to 1, a second after the anchor was moved");
  return Outcome::judged(text + fmt::format("; direct at 1e9 {}; rows 6 and 7 have no readable beta",
                                            farthest ? "holds" : "does not hold"),
                         good && farthest);
}

// ---- fig 13

double cpuSeconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Seconds of `work`, the fastest of several.
template <class Work>
double fastest(int repeats, Work&& work) {
  double best = 1e9;
  for (int i = 0; i < repeats; ++i) {
    const double start = cpuSeconds();
    work();
    best = std::min(best, cpuSeconds() - start);
  }
  return best;
}

/// A cable held by the world with a load of a hundred segments' mass, swinging.
Description swinging(int segments, SolverChoice solver, int rounds) {
  Description d = paperScene(true, solver);
  d.settings.iterations = rounds;
  BodySettings load = rigidBody(10, Vec3::Constant(0.4), Vec3(0, 0, -0.1 * segments));
  load.velocity = Vec3(1.0, 0.3, 0);
  d.bodies.emplace_back("load", load);
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = segments;
  c.collides = false;
  c.material.mass = 1.0;
  c.material.radius = 0.01;
  c.material.axial = 1e6;
  c.material.bending = 5.0;
  c.material.torsion = 4.0;
  c.route = {chainEnd("world"), chainEnd("load", Vec3::Zero(), EndHold::clamped)};
  d.cables.emplace_back("cable", c);
  return d;
}

struct Cost {
  double build = 0.0, factor = 0.0, iterate = 0.0, step = 0.0, direct = 0.0;  ///< s
};

Cost costOf(int segments) {
  Cost cost;
  const int repeats = segments > 2000 ? 5 : segments > 200 ? 20 : 100;
  double rounds[2];
  for (int k = 0; k < 2; ++k) {
    World world = built(swinging(segments, SolverChoice::blocks, k == 0 ? 3 : 13));
    for (int i = 0; i < 10; ++i) world.step();
    rounds[k] = fastest(repeats, [&] { world.step(); });
  }
  cost.step = rounds[0];
  cost.iterate = 0.3 * (rounds[1] - rounds[0]);
  // The first two parts once more by themselves.
  World world = built(swinging(segments, SolverChoice::direct, 0));
  for (int i = 0; i < 10; ++i) world.step();
  cost.direct = fastest(repeats, [&] { world.step(); });
  const Model& model = world.model();
  Instant now;
  now.bind(model, world.state());
  now.rewind();
  RowSet rows;
  RowSystem system;
  system.bind(model);
  std::vector<Mat3> inertia(model.blocks.size(), Mat3::Zero());
  std::vector<RowEquation> equations;
  const auto build = [&] {
    rows.clear();
    for (const auto& e : model.elements) e->rows(now, rows);
    for (std::size_t i = 0; i < inertia.size(); ++i)
      if (model.blocks[i].free && model.blocks[i].rotates) inertia[i] = worldInertia(now, static_cast<int>(i));
    equations.assign(rows.rows.size(), RowEquation{});
    for (std::size_t r = 0; r < rows.rows.size(); ++r)
      equations[r].compliance = rows.rows[r].compliance / (paperStep * paperStep);
    system.prepare(rows, {});
    system.begin(true);
    system.addInertia(inertia);
    system.addRows(rows, equations);
  };
  build();
  cost.build = fastest(repeats, build);
  cost.factor = fastest(repeats, [&] { system.factor(); });
  return cost;
}

Outcome timing(Sheet& sheet) {
  std::string text;
  record::Panel panel{
      "ms a step over segments", "ms", {}, {{"total", {}}, {"build", {}}, {"factor", {}}, {"3 rounds", {}}}};
  std::vector<double> sizes, blocks, direct;
  for (const int n : {10, 25, 50, 100, 1000, 10000}) {
    const Cost c = costOf(n);
    sizes.push_back(std::log(n));
    blocks.push_back(std::log(c.step));
    direct.push_back(std::log(c.direct));
    if (n <= 100) {
      panel.times.push_back(n);
      const double parts[] = {c.step, c.build, c.factor, c.iterate};
      for (std::size_t k = 0; k < 4; ++k) panel.series[k].values.push_back(1e3 * parts[k]);
    }
    if (n == 100 || n == 10000)
      text += fmt::format("{}{} segments: {:.3g} ms (build {:.3g}, factor {:.3g}, 3 rounds {:.3g}), direct {:.3g} ms",
                          text.empty() ? "" : "; ", n, 1e3 * c.step, 1e3 * c.build, 1e3 * c.factor, 1e3 * c.iterate,
                          1e3 * c.direct);
  }
  sheet.plot({panel}, "blocks with 3 rounds, one core");
  const auto slope = [&](const std::vector<double>& y) {
    double x0 = 0.0, y0 = 0.0, up = 0.0, down = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) x0 += sizes[i] / 6.0, y0 += y[i] / 6.0;
    for (std::size_t i = 0; i < y.size(); ++i)
      up += (sizes[i] - x0) * (y[i] - y0), down += (sizes[i] - x0) * (sizes[i] - x0);
    return up / down;
  };
  const double hundred = std::exp(blocks[3]);
  return Outcome::judged(
      fmt::format("{}; log-log slope to 10^4 {:.3f} (blocks), {:.3f} (direct)", text, slope(blocks), slope(direct)),
      slope(blocks) <= 1.1 && slope(direct) <= 1.1 && hundred < 1.0 / 60);
}

}  // namespace

std::vector<Item> stabilityItems() {
  return {{"table II: largest mass ratio",
           "10 to 1e5 by stiffness; 3 iterations to 1e3, 20 to 1e5; direct in MATLAB 1e9", tableTwo},
          {"fig 13: time of a step", "linear; more than 100 segments in 1/60 s, building costs most", timing}};
}

}  // namespace reeve::command
