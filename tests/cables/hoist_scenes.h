#pragma once
// Hoist cables for tests.
#include "cables/cable_scenes.h"
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

}  // namespace reeve::test
