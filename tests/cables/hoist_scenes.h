#pragma once
// Hoist cables for tests.
#include "cables/cable_scenes.h"
#include "support/peak.h"
#include "support/scenes.h"

namespace reeve::test {

inline constexpr double g = 9.81;  ///< m/s²

inline LinkSettings hoistEnd(std::string on, Vec3 point = Vec3::Zero()) {
  LinkSettings l;
  l.on = std::move(on);
  l.point = point;
  return l;
}
inline LinkSettings hoistPoint(std::string on, Vec3 point = Vec3::Zero()) {
  LinkSettings l = hoistEnd(std::move(on), point);
  l.type = LinkType::pinhole;
  l.friction = 0.0;
  return l;
}
inline LinkSettings hoistWheel(std::string on, Vec3 point, double radius, int side, Vec3 axis = Vec3::UnitY()) {
  LinkSettings l = hoistEnd(std::move(on), point);
  l.type = LinkType::roll;
  l.friction = 0.0;
  l.radius = radius;
  l.axis = axis;
  l.side = side;
  return l;
}

inline CableSettings hoist(double mass, double axial, int subdivisions = 20) {
  CableSettings c;
  c.model = CableModel::hoist;
  c.material.mass = mass;
  c.material.axial = axial;
  c.subdivisions = subdivisions;
  return c;
}

/// One span of `length` along x between fixed points, under a start tension.
inline Description strung(double length, double mass, double axial, double tension, int subdivisions, double dt,
                          double g) {
  Description d = heavy(dt, g);
  CableSettings c = hoist(mass, axial, subdivisions);
  c.tension = tension;
  c.route = {hoistEnd("world"), hoistEnd("world", Vec3(length, 0, 0))};
  d.cables.emplace_back("c", c);
  return d;
}

/// A load on a slider under a drum of 0.2 m on a rotor, which holds `stored` metres and turns at `rate` rad/s after its
/// table. Massless.
inline Description underDrum(const std::string& name, double mass, double depth, double stored, double axial,
                             std::vector<Vec2> rate) {
  Description d = heavy(0.005, 9.81);
  d.bodies.emplace_back(name, rigid(mass, Vec3::Constant(1), Vec3(0.2, 0, -depth)));
  d.joints.emplace_back("guide", joint(JointType::slider, "world", name, Vec3(0.2, 0, -depth), Vec3::UnitZ()));
  RotorSettings drum;
  drum.radius = 0.2;
  drum.inertia = 5.0;
  d.rotors.emplace_back("drum", drum);
  MotorSettings winch;
  winch.on = "drum";
  winch.target.table = std::move(rate);
  d.motors.emplace_back("winch", winch);
  CableSettings c = hoist(0.0, axial);
  LinkSettings spool = hoistEnd("drum");
  spool.type = LinkType::spool;
  spool.side = 1;
  spool.stored = stored;
  c.route = {spool, hoistEnd(name)};
  c.material.damping = 0.02;
  d.cables.emplace_back("c", c);
  return d;
}

/// A boom that comes 3.5 m across, from one side of a chord of 10 m along x to 1 m beyond it, is held for 0.3 s and
/// goes back; speeds in m/s. It does not touch other bodies.
inline BodySettings boomAcross(const ShapeSettings& shape, double speed, double back) {
  const double there = 0.2 + 3.5 / speed, returns = there + 0.3;
  BodySettings boom;
  boom.motion = BodyMotion::kinematic;
  boom.position = Vec3(4.2, -2.5, 0);
  boom.collides = false;
  boom.shapes.push_back(shape);
  boom.prescribed.emplace();
  boom.prescribed->along = Vec3::UnitY();
  boom.prescribed->travel.table = {Vec2(0.2, 0), Vec2(there, 3.5), Vec2(returns, 3.5), Vec2(returns + 3.5 / back, 0)};
  return boom;
}

/// How far the curve is ahead (y) of the first body's middle, where that is; the least if it passes there more than
/// once.
inline double aheadOf(const Observation& o) {
  const Vec3 boom = o.bodies[0].second.position;
  double least = 100.0;
  const auto& line = o.cables[0].second.polyline;
  for (std::size_t k = 0; k + 1 < line.size(); ++k) {
    const double a = line[k].x() - boom.x(), b = line[k + 1].x() - boom.x();
    if (a * b > 0.0 || a == b) continue;
    least = std::min(least, line[k].y() + a / (a - b) * (line[k + 1].y() - line[k].y()) - boom.y());
  }
  return least;
}

/// Two loads, the second heavier by 2/5, half as far apart as the cable between them is long; thrown apart, the second
/// upwards too.
inline Description thrownPair(double load, double apart, double speed, double up, double dt, CableSettings cable) {
  Description d = heavy(dt, g);
  for (const bool second : {false, true}) {
    ParticleSettings p;
    p.mass = second ? 1.4 * load : load;
    p.position = Vec3(second ? apart : 0.0, 0, 0);
    p.velocity = second ? Vec3(speed / 1.4, 0, up) : Vec3(-speed, 0, 0);
    d.particles.emplace_back(second ? "b" : "a", p);
  }
  cable.length = 2 * apart;
  cable.route = {hoistEnd("a"), hoistEnd("b")};
  d.cables.emplace_back("c", cable);
  return d;
}

/// J, the most it has in 3 s.
inline double mostEnergy(World& w) {
  double most = measure(w, "energy.total");
  while (w.time() < 3.0) {
    EXPECT_TRUE(w.step().good);
    if (!w.verdict().good) break;
    most = peak(most, measure(w, "energy.total"));
  }
  return most;
}

}  // namespace reeve::test
