// Paper 001, section 3.4.3: iterations against time steps, and the cost of section 4.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reeve/cables/particles/sweep.h"
#include "reeve/cables/particles/touch.h"
#include "reeve/threads/cpu_time.h"
#include "reproduce_001.h"

namespace reeve::command {
namespace {

constexpr int counts[] = {1, 12, 25};
constexpr double steps[] = {0.02, 0.002, 0.0002};

struct Cell {
  double side = 0.0;     ///< largest x of the centre of mass until 0.25 s, as a share of the length
  double stretch = 0.0;  ///< at rest under a load, as a share of the length
  Trace shape;
};

Cell measureCell(ParticleWay way, int iterations, double dt) {
  Cell cell;
  Description d = shippedScene("stiffness-grid");
  d.expect.clear();
  d.settings.dt = dt;
  CableSettings& c = d.cables[0].second;
  c.particles.way = way;
  c.particles.iterations = iterations;
  World world = built(d);
  const ParticleCable& cable = particleCableOf(world);
  double length = 0.0;
  for (int i = 0; i + 1 < cable.count(); ++i) length += cable.rest(i);
  cell.side = -1e9;
  advance(world, 0.25, [&](World& now) {
    double sum = 0.0, mass = 0.0;
    for (int i = 0; i < cable.count(); ++i)
      sum += cable.massOf(i) * cable.position(now.state(), i).x(), mass += cable.massOf(i);
    cell.side = std::max(cell.side, sum / (mass * length));
  });
  for (int i = 0; i < cable.count(); ++i) {
    const Vec3 x = cable.position(world.state(), i);
    cell.shape.points.push_back(Vec2(x.x(), x.z()));
  }
  // The same cable hanging straight with 50 g more at its end, until it is still.
  Description hanging = d;
  CableSettings& h = hanging.cables[0].second;
  h.shape.clear();
  h.route[1].point = Vec3(0, 0, -length);
  h.particles.doubles = DoubleRest::none;
  h.particles.masses.assign(static_cast<std::size_t>(h.segments) + 1, 0.1 * length / h.segments);
  h.particles.masses.back() += 0.05;
  h.particles.drag = 10.0;
  h.material.damping = 0.02;
  World still = built(hanging);
  advance(still, 6.0);
  cell.stretch = -particleCableOf(still).position(still.state(), h.segments).z() / length - 1.0;
  return cell;
}

Item grid(const std::string& name, ParticleWay way, const std::string& word) {
  const bool compliant = way == ParticleWay::xpbd;
  return {name,
          compliant ? "neither more iterations nor smaller steps make it stiffer; no swing to the other side"
                    : "more iterations and smaller steps make it stiffer and swing it to the other side",
          [=](Sheet& sheet) {
            Cell cells[3][3];
            for (int r = 0; r < 3; ++r)
              for (int k = 0; k < 3; ++k) {
                cells[r][k] = measureCell(way, counts[k], steps[r]);
                sheet.drawing(traceDrawing({cells[r][k].shape}, Vec2(-0.4, -0.7), Vec2(0.4, 0.1),
                                           fmt::format("{}, {} iterations, dt {:g} s", word, counts[k], steps[r])),
                              fmt::format("stretch under load {:.3g} %, side {:+.2f} L", 100 * cells[r][k].stretch,
                                          cells[r][k].side));
              }
            std::string text = "stretch under a load, % (iterations 1, 12, 25)";
            for (int r = 0; r < 3; ++r)
              text += fmt::format("{} dt {:g}: {:.4g} {:.4g} {:.4g}", r ? ";" : "", steps[r], 100 * cells[r][0].stretch,
                                  100 * cells[r][1].stretch, 100 * cells[r][2].stretch);
            text += "; its centre within 0.25 s at x/L";
            for (int r = 0; r < 3; ++r)
              text += fmt::format("{} {:+.2f} {:+.2f} {:+.2f}", r ? ";" : "", cells[r][0].side, cells[r][1].side,
                                  cells[r][2].side);
            bool good = true;
            if (compliant) {
              for (int r = 1; r < 3; ++r)
                good = good && std::fabs(cells[r][1].stretch / cells[r][2].stretch - 1.0) < 0.02;
              for (int r = 0; r < 3; ++r)
                for (int k = 0; k < 3; ++k) good = good && cells[r][k].side < 0.02;
            } else {
              for (int r = 1; r < 3; ++r) good = good && cells[r][1].stretch / cells[r][2].stretch > 2.0;
              good = good && cells[2][2].side > 0.05 && cells[2][1].side > 0.05 && cells[1][2].side > 0.05;
            }
            return Outcome::judged(text, good);
          }};
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
  return {grid("fig 3.37: stiffness effects of Jakobsen", ParticleWay::jakobsen, "Jakobsen"),
          grid("fig 3.38: stiffness effects of PBD", ParticleWay::pbd, "PBD"),
          grid("fig 3.39: stiffness effects of XPBD", ParticleWay::xpbd, "XPBD")};
}

std::vector<Item> effortItems() {
  return {{"section 4.1: time complexity", "O(k (c + t(n))), t between log n and n", complexity},
          {"section 4.2: inter-collision", "not included; all pairs would cost O(n^2)", interCollision}};
}

}  // namespace reeve::command
