#pragma once
// Links, wheels and masses for scenes in code.
#include "support/scenes.h"

namespace reeve::test {

inline double tension(const World& w, int span, const std::string& cable = "rope") {
  return measure(w, "cables." + cable + ".spans." + std::to_string(span) + ".tension");
}

inline LinkSettings attachTo(std::string on, Vec3 point = Vec3::Zero()) {
  LinkSettings l;
  l.type = LinkType::attach;
  l.on = std::move(on);
  l.point = point;
  return l;
}

inline LinkSettings rollOver(std::string on, int side, double friction = unbounded) {
  LinkSettings l;
  l.type = LinkType::roll;
  l.on = std::move(on);
  l.side = side;
  l.friction = friction;
  return l;
}

/// A wheel of this radius fixed on a body, in its xz-plane.
inline LinkSettings rollOn(std::string on, Vec3 center, double radius, int side, double friction = unbounded) {
  LinkSettings l = rollOver(std::move(on), side, friction);
  l.point = center;
  l.radius = radius;
  l.axis = Vec3::UnitY();
  return l;
}

inline LinkSettings through(std::string on, Vec3 point = Vec3::Zero(), double friction = 0.0) {
  LinkSettings l = attachTo(std::move(on), point);
  l.type = LinkType::pinhole;
  l.friction = friction;
  return l;
}

inline LinkSettings woundOn(std::string on, int side, double stored, LinkType type = LinkType::spool) {
  LinkSettings l = rollOver(std::move(on), side);
  l.type = type;
  l.stored = stored;
  return l;
}

inline RotorSettings wheelAt(Vec3 position, double radius, double inertia, std::string on = "world",
                             Vec3 axis = Vec3::UnitY()) {
  RotorSettings r;
  r.on = std::move(on);
  r.position = position;
  r.radius = radius;
  r.inertia = inertia;
  r.axis = axis;
  return r;
}

inline ParticleSettings& addMass(Description& d, const std::string& name, double m, Vec3 position) {
  ParticleSettings p;
  p.mass = m;
  p.position = position;
  return d.particles.emplace_back(name, p).second;
}

inline CableSettings& addCable(Description& d, const std::string& name, std::vector<LinkSettings> route) {
  CableSettings c;
  c.route = std::move(route);
  return d.cables.emplace_back(name, c).second;
}

inline MotorSettings& addMotor(Description& d, const std::string& on, DriveType drive, Profile target) {
  MotorSettings m;
  m.on = on;
  m.drive = drive;
  m.target = std::move(target);
  return d.motors.emplace_back("motor of " + on, m).second;
}

inline Profile constant(double value) {
  Profile p;
  p.offset = value;
  return p;
}

inline Profile ramp(std::vector<Vec2> table, bool smooth = true) {
  Profile p;
  p.table = std::move(table);
  p.smooth = smooth;
  return p;
}

/// A body that moves along a direction as told.
inline BodySettings& addMoved(Description& d, const std::string& name, Vec3 position, Vec3 along, Profile travel) {
  BodySettings b;
  b.motion = BodyMotion::kinematic;
  b.position = position;
  MotionSettings m;
  m.along = along;
  m.travel = std::move(travel);
  b.prescribed = m;
  return d.bodies.emplace_back(name, b).second;
}

inline BodySettings& addFixed(Description& d, const std::string& name, Vec3 position = Vec3::Zero()) {
  BodySettings b;
  b.motion = BodyMotion::fixed;
  b.position = position;
  return d.bodies.emplace_back(name, b).second;
}

inline ShapeSettings cylinderAlongY(double radius, double length) {
  ShapeSettings s;
  s.type = ShapeType::cylinder;
  s.radius = radius;
  s.length = length;
  s.orientation = Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0);
  return s;
}

/// The other solver, as one would set it for a cable: small steps, a few sweeps in each.
inline Description bySweeps(Description d) {
  d.settings.solver = SolverChoice::sweep;
  d.settings.dt = 1.0 / 60;
  d.settings.substeps = 16;
  d.settings.iterations = 10;
  return d;
}

/// Figure 12: two bodies on the left, one below the other, one of twice the volume on the right, over two cylinders.
inline Description simple(double density) {
  Description d = heavy(1.0 / 60);
  addMass(d, "lower", density, Vec3(-2.5, 0, -4));
  addMass(d, "upper", density, Vec3(-2.5, 0, -2));
  addMass(d, "right", 2 * density, Vec3(2.5, 0, -3));
  d.rotors.emplace_back("a", wheelAt(Vec3(-2, 0, 0), 0.5, 0.05 * density));
  d.rotors.emplace_back("b", wheelAt(Vec3(2, 0, 0), 0.5, 0.05 * density));
  addCable(d, "rope", {attachTo("lower"), attachTo("upper"), rollOver("a", 1), rollOver("b", 1), attachTo("right")});
  return d;
}

/// A rope held at the left, over a wheel at the right with a weight, and a post below or above the span.
inline Description stretched(Profile travel, bool declared, double friction, Vec3 from = Vec3(0, 0, 1),
                             double radius = 0.2, double dt = 1.0 / 240) {
  Description d = heavy(dt);
  BodySettings& post = addMoved(d, "post", from, Vec3(0, 0, -1), std::move(travel));
  post.shapes.push_back(cylinderAlongY(radius - 0.005, 1.0));
  post.collides = false;
  d.rotors.emplace_back("wheel", wheelAt(Vec3(3, 0, -0.3), 0.3, 0.01));
  ParticleSettings& load = addMass(d, "load", 10.0, Vec3(3.3, 0, -6));
  load.drag = 20.0;
  LinkSettings link = rollOn("post", Vec3::Zero(), radius, -1, friction);
  link.active = false;
  std::vector<LinkSettings> route{attachTo("world", Vec3(-3, 0, 0))};
  if (declared) route.push_back(link);
  route.push_back(rollOver("wheel", 1));
  route.push_back(attachTo("load"));
  CableSettings& c = addCable(d, "rope", route);
  c.material.axial = 1e5;
  c.material.friction = friction;
  c.tension = 100.0;
  if (!declared) c.candidates = {"post"};
  return d;
}

}  // namespace reeve::test
