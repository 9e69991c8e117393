// Paper 001, section 3.4.3: iterations against time steps, and the cost of section 4.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reeve/cables/particles/sweep.h"
#include "reeve/cables/particles/touch.h"
#include "reeve/threads/cpu_time.h"
#include "reproduce_001.h"
#include "trials/spinning_cable.h"
#include "trials/stiffness_grid.h"

namespace reeve::command {
namespace {

using trials::StiffnessGrid;

Trace traceOf(const trials::StiffnessCell& cell) {
  Trace t;
  for (const Vec3& x : cell.shape) t.points.push_back(Vec2(x.x(), x.z()));
  return t;
}

std::string inWords(const StiffnessGrid& grid) {
  std::string text = "stretch under a load, % (iterations 1, 12, 25)";
  for (std::size_t r = 0; r < 3; ++r)
    text += fmt::format("{} dt {:g}: {:.4g} {:.4g} {:.4g}", r ? ";" : "", StiffnessGrid::steps[r],
                        100 * grid.at(r, 0).stretch, 100 * grid.at(r, 1).stretch, 100 * grid.at(r, 2).stretch);
  text += "; its centre within 0.25 s at x/L";
  for (std::size_t r = 0; r < 3; ++r)
    text += fmt::format("{} {:+.2f} {:+.2f} {:+.2f}", r ? ";" : "", grid.at(r, 0).side, grid.at(r, 1).side,
                        grid.at(r, 2).side);
  for (const std::string& fault : grid.faults()) text += "; " + fault;
  return text;
}

Item grid(const std::string& name, ParticleWay way, const std::string& word) {
  return {name,
          way == ParticleWay::xpbd
              ? "neither more iterations nor smaller steps make it stiffer; no swing to the other side"
              : "more iterations and smaller steps make it stiffer and swing it to the other side",
          [=](Sheet& sheet) {
            const auto grid = trials::measureStiffnessGrid(shippedScene("stiffness-grid"), way);
            if (!grid) return Outcome::judged(grid.error().path + " " + grid.error().reason, false);
            for (std::size_t r = 0; r < 3; ++r)
              for (std::size_t k = 0; k < 3; ++k)
                sheet.drawing(traceDrawing({traceOf(grid->at(r, k))}, Vec2(-0.4, -0.7), Vec2(0.4, 0.1),
                                           fmt::format("{}, {} iterations, dt {:g} s", word,
                                                       StiffnessGrid::iterations[k], StiffnessGrid::steps[r])),
                              fmt::format("stretch under load {:.3g} %, side {:+.2f} L", 100 * grid->at(r, k).stretch,
                                          grid->at(r, k).side));
            return Outcome::judged(inWords(*grid), grid->faults().empty());
          }};
}

/// The thesis proves the projection; what a run keeps is another matter.
Outcome momentum(Sheet&) {
  std::string text = "a free cable spinning at 2 rad/s loses of its angular momentum in 1 s, at dt 4, 2, 1 ms:";
  bool good = true;
  for (const auto& [word, way] : {std::pair{"Jakobsen", ParticleWay::jakobsen}, std::pair{"PBD", ParticleWay::pbd},
                                  std::pair{"XPBD", ParticleWay::xpbd}, std::pair{"springs", ParticleWay::springs}}) {
    text += fmt::format("{} {}", text.back() == ':' ? "" : ";", word);
    for (const double dt : {4e-3, 2e-3, 1e-3}) {
      const auto spin = trials::measureSpin(way, dt);
      if (!spin) return Outcome::judged(spin.error().reason, false);
      const double foretold = way == ParticleWay::springs ? 0.0 : spin->foretold;
      text += fmt::format(" {:.2g} %", 100.0 * spin->lost);
      good = good && std::fabs(spin->lost - foretold) < 0.01 * foretold + 1e-9 && spin->drift < 1e-12;
    }
  }
  return Outcome::judged(text + " (h w^2 t predicts 1.6, 0.8, 0.4 %); linear momentum is kept to 1e-12", good);
}

/// A cable of n particles lying loosely on the ground in a zigzag, touching it and near itself.
Description heap(int n, bool touching) {
  Description d;
  d.settings.dt = 1.0 / 240;
  BodySettings ground;
  ground.motion = BodyMotion::fixed;
  ground.shapes.emplace_back().type = ShapeType::halfSpace;
  d.bodies.emplace_back("ground", ground);
  CableSettings c;
  c.model = CableModel::particles;
  c.segments = n - 1;
  c.material.mass = 0.05;
  c.material.radius = 0.004;
  c.collides = touching;
  c.particles.self = touching;
  c.particles.curve = CurveType::polyline;
  const int rows = std::max(2, static_cast<int>(std::sqrt(n * 0.01 / 0.02)));
  const double width = 0.01 * n / rows;
  LinkSettings a, b;
  a.hold = b.hold = EndHold::free;
  for (int r = 0; r < rows; ++r) {
    c.shape.push_back(Vec3(r % 2 ? width : 0.0, 0.02 * r, 0.004));
    c.shape.push_back(Vec3(r % 2 ? 0.0 : width, 0.02 * r, 0.004));
  }
  a.point = c.shape.front();
  b.point = c.shape.back();
  c.shape.erase(c.shape.begin());
  c.shape.pop_back();
  c.route = {a, b};
  d.cables.emplace_back("cable", c);
  return d;
}

Outcome complexity(Sheet&) {
  std::string text;
  double first = 0.0, last = 0.0;
  for (const int n : {1000, 10000, 100000}) {
    World plain = built(heap(n, false)), touching = built(heap(n, true));
    const double a = 1e6 * shortestOf(4, [&] { plain.step(); }), b = 1e6 * shortestOf(4, [&] { touching.step(); });
    text +=
        fmt::format("{}{} particles: {:.0f} us a step, with collisions {:.0f} us", text.empty() ? "" : "; ", n, a, b);
    const double share = b / (n * std::log(static_cast<double>(n)));
    (n == 1000 ? first : last) = share;
  }
  text += fmt::format("; collisions per n log n grow by {:.2f} from 10^3 to 10^5", last / first);
  return Outcome::timed(text, true, last < 2.0 * first);
}

Outcome interCollision(Sheet& sheet) {
  World world = built(shippedScene("overhand-knot"));
  const ParticleCable& c = particleCableOf(world);
  const double diameter = 2.0 * c.settings().material.radius;
  double least = 1e9;
  sheet.picture(world, "the knot before");
  const auto look = [&](World& now) {
    if (now.steps() % 4) return;
    std::vector<double> arc{0.0};
    for (int i = 0; i + 1 < c.count(); ++i) arc.push_back(arc.back() + c.rest(i));
    for (int i = 0; i + 1 < c.count(); ++i)
      for (int j = i + 2; j + 1 < c.count(); ++j)
        if (arc[static_cast<std::size_t>(j)] - arc[static_cast<std::size_t>(i) + 1] > 3.0 * diameter)
          least =
              std::min(least, particles::closestOnSegments(c.position(now.state(), i), c.position(now.state(), i + 1),
                                                           c.position(now.state(), j), c.position(now.state(), j + 1))
                                  .distance);
  };
  const Checked checked = checkExpectations(world, look);
  sheet.picture(world, "pulled with 100 N");
  return Outcome::judged(
      fmt::format("the knot holds 100 N: {}; segments more than 3 diameters apart along it come no closer than {:.3f} "
                  "diameters; all pairs of 181 particles would be {} (eq. 4.1 read as (n-3)(n-2)/2)",
                  checked.text(), least / diameter, 178 * 179 / 2),
      checked.pass() && least > 0.9 * diameter);
}

}  // namespace

std::vector<Item> stiffnessItems() {
  return {{"section 2.2.5: momentum", "the distance projection respects linear and angular momentum", momentum},
          grid("fig 3.37: stiffness effects of Jakobsen", ParticleWay::jakobsen, "Jakobsen"),
          grid("fig 3.38: stiffness effects of PBD", ParticleWay::pbd, "PBD"),
          grid("fig 3.39: stiffness effects of XPBD", ParticleWay::xpbd, "XPBD")};
}

std::vector<Item> effortItems() {
  return {{"section 4.1: time complexity", "O(k (c + t(n))), t between log n and n", complexity},
          {"section 4.2: inter-collision", "not included; all pairs would cost O(n^2)", interCollision}};
}

}  // namespace reeve::command
