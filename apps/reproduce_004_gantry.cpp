// Paper 004, section VIII: the gantry crane. Figures 14 to 16.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.h"
#include "reproduce_004.h"
#include "trials/chain_ratios.h"

namespace reeve::command {
namespace {

Outcome crane(Sheet& sheet, double at, const char* what) {
  World world = built(shippedScene("gantry"));
  bool drawn = false;
  const Checked checked = checkExpectations(world, [&](World& now) {
    if (drawn || now.time() < at - 1e-9) return;
    sheet.picture(now, fmt::format("{} at {:.1f} s", what, now.time()));
    drawn = true;
  });
  sheet.picture(world, fmt::format("at {:.1f} s", world.time()));
  return Outcome::judged(fmt::format("gantry: {}; {:.0f} of {} steps not converged", checked.text(),
                                     measured(world, "health.unconverged"), world.steps()),
                         checked.pass() && drawn);
}

/// How the slack chain lies depends on its stiffness: its highest point above the load, soft and stiff.
Outcome slack(Sheet& sheet) {
  double bow[2];
  bool good = true;
  for (int k = 0; k < 2; ++k) {
    Description d = shippedScene("gantry");
    for (auto& [name, cable] : d.cables)
      if (name == "chain" && k == 1) cable.material.bending = cable.material.torsion = 5.0;
    d.expect.clear();
    World world = built(d);
    good = advance(world, 11.0) && good;
    sheet.picture(world, k == 0 ? "c_b = 1e3 N m/rad" : "a twentieth of that");
    const Observation seen = world.observe();
    bow[k] = 0.0;
    for (const auto& [name, cable] : seen.cables) {
      if (cable.model != "chain") continue;
      const Vec3 a = cable.polyline.front(), b = cable.polyline.back(), along = (b - a).normalized();
      for (const Vec3& p : cable.polyline) bow[k] = std::max(bow[k], (p - a - along * along.dot(p - a)).norm());
    }
  }
  return Outcome::judged(
      fmt::format("load on the ground at 11 s: the chain bows {:.2f} m aside, a soft one {:.2f} m", bow[0], bow[1]),
      good && bow[0] > 0.1 && std::fabs(bow[1] - bow[0]) > 0.02);
}

struct Swing {
  double gain = 0.0, loss = 0.0;  ///< over the kinetic energy at the start
  bool good = false;
};

Swing swingOf(double segment, SolverChoice solver, Sheet* sheet) {
  World world = built(trials::swingingGantry(segment, solver));
  Swing s;
  const double start = measured(world, "energy.total"), moving = measured(world, "energy.kinetic");
  const char* paths[] = {"energy.total", "energy.kinetic", "energy.potential", "energy.elastic"};
  record::Panel panel{"energy, potential from the start",
                      "J",
                      {},
                      {{"total", {}}, {"kinetic", {}}, {"potential", {}}, {"deformation", {}}}};
  const double height = measured(world, "energy.potential");
  s.good = advance(world, 15.0, [&](World& now) {
    const double gained = measured(now, "energy.total") - start;
    s.gain = std::max(s.gain, gained / moving);
    s.loss = -gained / moving;
    if (!sheet || now.steps() % 3 != 0) return;
    panel.times.push_back(now.time());
    for (std::size_t k = 0; k < 4; ++k)
      panel.series[k].values.push_back(measured(now, paths[k]) - (k == 0 || k == 2 ? height : 0.0));
  });
  if (sheet) sheet->plot({panel}, fmt::format("load over segment {:.0f}", 300 / segment));
  return s;
}

Outcome energy(Sheet& sheet) {
  std::string text;
  bool good = true;
  for (const double segment : {0.3, 0.03}) {
    const Swing s = swingOf(segment, SolverChoice::direct, &sheet);
    text += fmt::format("load over segment {:.0e}: gains at most {:.1g} %, loses {:.1f} %; ", 300 / segment,
                        100 * s.gain, 100 * s.loss);
    good = good && s.good && s.gain < 0.01;
  }
  const Swing paper = swingOf(0.3, SolverChoice::blocks, nullptr);
  text += paper.good ? fmt::format("blocks at 1e3 gains {:.1g} %, loses {:.0f} %", 100 * paper.gain, 100 * paper.loss)
                     : "blocks at 1e3 goes bad";
  return Outcome::judged(text + ", of the energy it starts with, no inertia rescaled", good);
}

/// Line 18 of algorithm 1: the gantry with segments that merge and split, beside the same with all of them.
Outcome adaptive(Sheet& sheet) {
  Description merging = shippedScene("gantry");
  merging.expect.clear();
  Description uniform = merging;
  for (auto& [name, cable] : merging.cables)
    if (name == "chain") cable.merges = 3;
  World all = built(uniform), few = built(merging);
  double load = 0.0, hook = 0.0, used = 0.0, count = 0.0;
  const bool good = advance(all, 8.5, [&](World& now) {
    few.step();
    const auto differs = [&](const char* path) { return std::fabs(measured(now, path) - measured(few, path)); };
    for (const char* path : {"bodies.load.position.x", "bodies.load.position.z"}) load = std::max(load, differs(path));
    for (const char* path : {"bodies.hook.position.x", "bodies.hook.position.z"}) hook = std::max(hook, differs(path));
    const Observation seen = few.observe();
    for (const auto& [name, cable] : seen.cables)
      if (name == "chain") used += static_cast<double>(cable.spans.size()) - 1.0;
    count += 1.0;
  });
  sheet.picture(few, "merged segments, just before the load comes down");
  used /= std::max(count, 1.0);
  return Outcome::judged(
      fmt::format("the load carried and let down in 8.5 s: {:.1f} of 20 segments on average; the load's "
                  "path differs by {:.3f} m, the hook's by {:.3f} m, of 3 m",
                  used, load, hook),
      good && few.verdict().good && used < 15.0 && load < 0.06 && hook < 0.06);
}

}  // namespace

std::vector<Item> gantryItems() {
  return {{"fig 14: gantry crane", "trolley, hook on two massless cables, load on a chain",
           [](Sheet& s) { return crane(s, 5.0, "carried along"); }},
          {"fig 15: load on the ground", "the slack cable's shape depends on its elasticity", slack},
          {"fig 16: energy of a swing", "total energy drops by 20 % in 15 s", energy},
          {"algorithm 1: adaptive resolution", "segments merge and split (no number reported)", adaptive}};
}

}  // namespace reeve::command
