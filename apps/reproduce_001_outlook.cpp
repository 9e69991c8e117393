// Paper 001: what it proposes without a number. Figure 3.27, continuous collisions; section 3.4.2, constraints as
// functions; section 4.3, chunks solved apart; section 5.2, air.
#include <fmt/format.h>

#include <cmath>

#include "reeve/cables/particles/constraint.h"
#include "reproduce_001.h"

namespace reeve::command {
namespace {

Description plainRope(double length, int segments, bool held) {
  Description d;
  d.name = "rope";
  CableSettings rope;
  rope.model = CableModel::particles;
  rope.segments = segments;
  rope.material.mass = 0.1;
  rope.particles.touch = TouchMode::none;
  for (const double x : {0.0, length}) {
    LinkSettings end;
    end.type = LinkType::attach;
    end.point = Vec3(x, 0, 0);
    if (!held) end.hold = EndHold::free;
    rope.route.push_back(end);
  }
  d.cables.emplace_back("rope", rope);
  return d;
}

/// Falls flat: drag balances the weight of every meter at v² = 2 λ g / (ρ c d).
Outcome terminalSpeed(Sheet&) {
  Description d = plainRope(1.0, 20, false);
  CableSettings& rope = d.cables[0].second;
  rope.particles.drag = 1.2;
  rope.material.radius = 0.005;
  World world = built(d);
  const double wanted = std::sqrt(2 * 0.1 * 9.81 / (1.225 * 1.2 * 0.01));
  const bool good = advance(world, 8.0);
  const ParticleCable& c = particleCableOf(world);
  double mass = 0.0;
  for (int i = 0; i < c.count(); ++i) mass += c.massOf(i);
  const double speed = -c.linearMomentum(world.state()).z() / mass;
  return Outcome::judged(fmt::format("a rope that falls flat reaches {:.4f} m/s, closed form {:.4f}", speed, wanted),
                         good && std::fabs(speed / wanted - 1) < 0.005);
}

/// Sag in the middle of a rope a tenth longer than what it spans, after it has come to rest.
double sagWith(SolveOrder order, Sheet& sheet, bool& good) {
  Description d = plainRope(1.0, 40, true);
  CableSettings& rope = d.cables[0].second;
  rope.length = 1.1;
  rope.particles.order = order;
  rope.particles.chunks = 4;
  rope.particles.iterations = 50;
  rope.particles.damping = 0.01;
  World world = built(d);
  good = advance(world, 10.0) && good;
  sheet.picture(world, order == SolveOrder::chunks ? "four chunks" : "one after the other");
  double lowest = 0.0;
  for (const Vec3& p : world.observe().cables.front().second.polyline) lowest = std::min(lowest, p.z());
  return -lowest;
}

Outcome inChunks(Sheet& sheet) {
  bool good = true;
  const double along = sagWith(SolveOrder::along, sheet, good), chunks = sagWith(SolveOrder::chunks, sheet, good);
  return Outcome::judged(fmt::format("a hanging rope sags by {:.4f} m in four chunks, {:.4f} m in one", chunks, along),
                         good && std::fabs(chunks / along - 1) < 0.02);
}

/// Lowest particle of a rope thrown at 50 m/s at a plate of 1 mm, 0.1 s later, m.
double thrownAtPlate(TouchMode touch, Sheet& sheet, bool& good) {
  Description d = plainRope(0.4, 12, false);
  d.settings.dt = 1.0 / 240;
  BodySettings plate;
  plate.motion = BodyMotion::fixed;
  ShapeSettings& box = plate.shapes.emplace_back();
  box.type = ShapeType::box;
  box.size = Vec3(8, 8, 0.001);
  plate.position = Vec3(0, 0, -0.5);
  d.bodies.emplace_back("plate", plate);
  CableSettings& rope = d.cables[0].second;
  rope.collides = true;
  rope.material.radius = 0.005;
  rope.particles.touch = touch;
  rope.particles.velocity = Vec3(0, 0, -50);
  World world = built(d);
  good = advance(world, 0.1) && good;
  sheet.picture(world, touch == TouchMode::swept ? "swept" : "where it is alone");
  double lowest = 1e9;
  for (const Vec3& p : world.observe().cables.front().second.polyline)
    lowest = std::min(lowest, p.z() - plate.position.z());
  return lowest;
}

Outcome continuousCollision(Sheet& sheet) {
  bool good = true;
  const double swept = thrownAtPlate(TouchMode::swept, sheet, good),
               discrete = thrownAtPlate(TouchMode::discrete, sheet, good);
  return Outcome::judged(
      fmt::format("at 50 m/s against a plate of 1 mm, 0.21 m a step: the lowest particle is {:+.4f} m "
                  "from it with swept segments, {:+.2f} m where only places are checked",
                  swept, discrete),
      good && swept > 0.0 && discrete < -1.0);
}

/// Hangs a rope whose middle is kept 0.2 m from a point by a constraint given as a function; its distance after 2 s.
double keptAway(const particles::Constraint& constraint, Vec3& middle, bool& good) {
  Description d = plainRope(1.0, 20, true);
  d.cables[0].second.length = 1.1;
  d.cables[0].second.particles.constraints.push_back(std::make_shared<particles::Constraint>(constraint));
  World world = built(d);
  good = advance(world, 2.0) && good;
  const ParticleCable& c = particleCableOf(world);
  middle = c.position(world.state(), 10);
  return (middle - Vec3(0.5, 0, 0)).norm();
}

Outcome byFunction(Sheet&) {
  using particles::Constraint;
  const Vec3 centre(0.5, 0, 0);
  const auto value = [centre](std::span<const Vec3> p) { return (p[0] - centre).norm() - 0.1; };
  const auto gradient = [centre](std::span<const Vec3> p, std::span<Vec3> out) {
    out[0] = (p[0] - centre).normalized();
  };
  const auto any = [centre](const auto& p) {
    const auto x = p[0].x - centre.x(), y = p[0].y - centre.y(), z = p[0].z - centre.z();
    return sqrt(x * x + y * y + z * z) - 0.1;
  };
  bool good = true;
  Vec3 written, automatic, differences;
  const double a = keptAway(Constraint::analytic({10}, value, gradient), written, good),
               b = keptAway(Constraint::automatic({10}, any), automatic, good),
               c = keptAway(Constraint::differences({10}, value, 1e-6), differences, good);
  const double apart = std::max((automatic - written).norm(), (differences - written).norm());
  const double off = std::max({std::fabs(a - 0.1), std::fabs(b - 0.1), std::fabs(c - 0.1)});
  return Outcome::judged(
      fmt::format("a distance of 0.1 m given as a function is kept to {:.1g} m; with a gradient by hand, "
                  "exact and by differences the particle ends within {:.1g} m of one place",
                  off, apart),
      good && off < 1e-3 && apart < 1e-3);
}

}  // namespace

std::vector<Item> outlookItems() {
  return {{"fig 3.27: continuous collisions", "fast cables would pass thin bodies; left out in the end",
           continuousCollision},
          {"section 3.4.2: constraints as functions", "plain functions with numeric gradients", byFunction},
          {"section 4.3: chunks", "parts of a cable solved apart and joined (no number reported)", inChunks},
          {"section 5.2: air", "air resistance could be added (no number reported)", terminalSpeed}};
}

}  // namespace reeve::command
