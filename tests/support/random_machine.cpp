#include "support/random_machine.h"

#include <algorithm>
#include <cmath>

#include "reeve/world/world.h"
#include "support/dice.h"

namespace reeve::test {
namespace {

/// Drafts that cannot be built are thrown away; after so many the last one is returned all the same.
constexpr unsigned mostDrafts = 64;

struct Draft {
  Description d;
  Dice dice;
  MachineKind kind;

  bool chance(double share) { return dice.share() < share; }
  int below(int n) { return std::min(static_cast<int>(dice.share() * n), n - 1); }
  double across() { return kind.spatial ? dice.between(-0.3, 0.3) : 0.0; }

  std::string addBody(double x, double z) {
    BodySettings b;
    b.position = Vec3(x, across(), z);
    b.mass = std::exp(dice.between(std::log(0.5), std::log(10.0)));
    b.inertia = Vec3::Constant(*b.mass * dice.between(0.01, 0.03));
    if (!kind.smooth && chance(0.2)) b.velocity = Vec3(dice.between(-0.5, 0.5), 0, dice.between(-0.5, 0.5));
    d.bodies.emplace_back("b" + std::to_string(d.bodies.size()), b);
    return d.bodies.back().first;
  }

  std::string addRotor(const std::string& on, const Vec3& position, double radius) {
    RotorSettings r;
    r.on = on;
    r.position = position;
    r.radius = radius;
    r.inertia = std::exp(dice.between(std::log(1e-3), std::log(0.1)));
    if (!kind.smooth && chance(0.2)) r.friction = dice.between(0.0, 0.2);
    if (kind.spatial && chance(0.3)) r.axis = Vec3(dice.between(-0.2, 0.2), 1, dice.between(-0.2, 0.2)).normalized();
    d.rotors.emplace_back("w" + std::to_string(d.rotors.size()), r);
    return d.rotors.back().first;
  }

  double friction(bool mayHold) {
    const double which = dice.share();
    if (kind.smooth) return mayHold && which < 0.5 ? unbounded : 0.0;
    if (which < 0.4) return 0.0;
    return which < 0.7 || !mayHold ? dice.between(0.0, 0.5) : unbounded;
  }

  LinkSettings end(double x, bool anchored) {
    LinkSettings l;
    if (!anchored && chance(0.8)) {
      l.on = addBody(x, dice.between(0.5, 1.5));
      l.point = Vec3(0, 0, 0.05);
      return l;
    }
    const Vec3 high(x, across(), dice.between(3.0, 4.0));
    if (!kind.smooth && chance(0.4)) {
      l.type = LinkType::spool;
      l.on = addRotor("world", high, dice.between(0.08, 0.2));
      l.stored = dice.between(1.0, 4.0);
      d.rotors.back().second.axis = Vec3::UnitY();
      return l;
    }
    l.point = high;
    return l;
  }

  LinkSettings middle(double x, bool low) {
    LinkSettings l;
    const double radius = dice.between(0.08, 0.2);
    const std::string on = low ? addBody(x, dice.between(0.8, 1.6)) : "world";
    const Vec3 place = low ? Vec3(0, 0, 0.05) : Vec3(x, across(), dice.between(3.0, 4.0));
    l.side = low ? -1 : 1;
    const int which = below(3);
    if (which == 0) {
      l.type = LinkType::pinhole;
      l.on = on;
      l.point = place;
      l.friction = friction(false);
      return l;
    }
    l.type = LinkType::roll;
    l.friction = friction(true);
    if (which == 1) {
      l.on = on;
      l.point = place;
      l.radius = radius;
      l.axis = Vec3::UnitY();
    } else {
      l.on = addRotor(on, place, radius);
    }
    return l;
  }

  void addRoute() {
    CableSettings c;
    c.model = kind.model;
    const int links = 3 + below(10);
    bool low = chance(0.3);
    double x = 0.0;
    c.route.push_back(end(x, false));
    for (int i = 1; i + 1 < links; ++i) {
      x += dice.between(0.6, 1.2);
      c.route.push_back(middle(x, low));
      low = chance(0.85) ? !low : low;
    }
    c.route.push_back(end(x + dice.between(0.6, 1.2), d.bodies.empty() ? false : chance(0.3)));
    if (d.bodies.empty()) addLoadAtEnd(c);
    setMaterial(c);
    d.cables.emplace_back("rope", c);
  }

  /// Something must move.
  void addLoadAtEnd(CableSettings& c) {
    LinkSettings l;
    l.on = addBody(c.route.back().point.x() + 1.0, 1.0);
    l.point = Vec3(0, 0, 0.05);
    c.route.back() = l;
  }

  void setMaterial(CableSettings& c) {
    const bool heavy = kind.model == CableModel::strand || (kind.model == CableModel::hoist && chance(0.7));
    if (heavy) c.material.mass = dice.between(0.05, 0.5);
    if (kind.smooth) return;
    if (chance(0.4)) {
      c.material.axial = std::exp(dice.between(std::log(2e3), std::log(1e5)));
      if (chance(0.3)) c.material.damping = dice.between(0.0, 0.02);
    }
    if (chance(0.25)) c.slack = dice.between(0.0, 0.3);
  }

  /// Chains and particle cables: between two ends, beside or over a bar.
  void addHanging() {
    CableSettings c;
    c.model = kind.model;
    c.route.resize(2);
    const double span = dice.between(1.0, 2.0);
    c.route[0].point = Vec3(0, 0, 3);
    c.material.mass = dice.between(0.05, 0.5);
    c.material.radius = 0.01;
    if (chance(0.7)) {
      c.route[1].on = addBody(span * dice.between(0.2, 0.9), 2.0 + dice.between(-0.5, 0.8));
      c.route[1].point = Vec3(0, 0, 0.05);
    } else {
      c.route[1].point = Vec3(span, across(), 3.0);
    }
    if (chance(0.5)) c.slack = dice.between(0.0, 0.5);
    if (chance(0.5)) addBar(0.5 * span);
    if (kind.model == CableModel::chain) {
      c.segments = 4 + below(16);
      if (chance(0.5)) c.material.axial = std::exp(dice.between(std::log(1e4), std::log(1e6)));
      if (chance(0.5)) c.material.bending = dice.between(0.01, 1.0);
    } else {
      c.segments = 8 + below(32);
      c.particles.iterations = 10 + below(20);
      c.particles.direct = chance(0.5);
      c.particles.way = chance(0.7) ? ParticleWay::xpbd : ParticleWay::pbd;
    }
    d.cables.emplace_back("rope", c);
  }

  void addBar(double x) {
    BodySettings bar;
    bar.motion = BodyMotion::fixed;
    bar.position = Vec3(x, across(), dice.between(0.8, 2.0));
    ShapeSettings s;
    s.type = ShapeType::capsule;
    s.radius = dice.between(0.05, 0.15);
    s.length = 1.0;
    s.orientation = Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0);
    bar.shapes.push_back(s);
    d.bodies.emplace_back("bar", bar);
  }
};

Description drafted(const MachineKind& kind, unsigned seed) {
  Draft draft{{}, {seed * 2654435761u + 12345u}, kind};
  for (int i = 0; i < 4; ++i) draft.dice.share();  // neighbouring seeds begin alike
  draft.d.name = "machine";
  draft.d.settings.seconds = 3.0;
  if (kind.model == CableModel::chain || kind.model == CableModel::particles)
    draft.addHanging();
  else
    draft.addRoute();
  return draft.d;
}

}  // namespace

Description randomMachine(const MachineKind& kind, unsigned number) {
  for (unsigned k = 0;; ++k) {
    Description d = drafted(kind, number * mostDrafts + k);
    if (k + 1 == mostDrafts || World::build(d)) return d;
  }
}

}  // namespace reeve::test
