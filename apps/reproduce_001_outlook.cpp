// Paper 001: what it proposes without a number. Section 4.3, chunks solved apart; section 5.2, air.
#include <fmt/format.h>

#include <cmath>

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

}  // namespace

std::vector<Item> outlookItems() {
  return {{"section 4.3: chunks", "parts of a cable solved apart and joined (no number reported)", inChunks},
          {"section 5.2: air", "air resistance could be added (no number reported)", terminalSpeed}};
}

}  // namespace reeve::command
