// Bodies with their shapes and masses, rotors, particles.
#include <algorithm>

#include "reeve/geometry/mass.h"
#include "reeve/math/rotation.h"
#include "reeve/world/builder.h"

namespace reeve {

int Builder::addBlock(int dof, bool rotates, bool free) {
  Block b;
  b.q = model().positions;
  b.v = model().velocities;
  b.dof = dof;
  b.rotates = rotates;
  b.free = free;
  model().positions += rotates ? 7 : dof;
  model().velocities += dof;
  model().blocks.push_back(b);
  return static_cast<int>(model().blocks.size()) - 1;
}

std::expected<Shape, Problem> Builder::makeShape(const ShapeSettings& s, const std::string& path) {
  Shape shape;
  shape.local = {s.position, s.orientation};
  switch (s.type) {
    case ShapeType::sphere:
      shape.geometry = Sphere{s.radius};
      break;
    case ShapeType::capsule:
      shape.geometry = Capsule{s.radius, 0.5 * s.length};
      break;
    case ShapeType::cylinder:
      shape.geometry = Cylinder{s.radius, 0.5 * s.length};
      break;
    case ShapeType::box:
      shape.geometry = Box{0.5 * s.size};
      break;
    case ShapeType::halfSpace:
      shape.geometry = HalfSpace{};
      break;
    case ShapeType::hull: {
      auto hull = makeHull(s.points);
      if (!hull)
        return wrong(path + "/points", describe(hull.error()), "give at least four points that are not in one plane");
      shape.geometry = std::move(*hull);
      break;
    }
    case ShapeType::prism: {
      auto prism = makePrism(s.polygon, 0.5 * s.length);
      if (!prism)
        return wrong(path + "/polygon", describe(prism.error()), "give at least three points that are not in one line");
      shape.geometry = std::move(*prism);
      break;
    }
  }
  if (auto ok = check(shape); !ok)
    return wrong(path, describe(ok.error()), "give every size of the shape a positive value");
  return shape;
}

Done Builder::addBody(const std::string& name, const BodySettings& s) {
  const std::string path = "/bodies/" + name;
  Body body;
  body.name = name;
  body.friction = s.friction;
  body.restitution = s.restitution;
  body.group = s.collides ? 1u << s.group : 0u;
  body.mask = s.collides ? ~0u : 0u;
  for (const int g : s.ignores) body.mask &= ~(1u << g);
  body.start = {s.position, s.orientation};
  for (std::size_t i = 0; i < s.shapes.size(); ++i) {
    auto shape = makeShape(s.shapes[i], path + "/shapes/" + std::to_string(i));
    if (!shape) return std::unexpected(shape.error());
    if (s.motion == BodyMotion::dynamic && std::holds_alternative<HalfSpace>(shape->geometry))
      return wrong(path + "/shapes/" + std::to_string(i), "a half-space has no mass and cannot move",
                   "make the body static, or use a box");
    body.shapes.push_back(std::move(*shape));
  }
  const bool free = s.motion == BodyMotion::dynamic;
  body.block = addBlock(6, true, free);
  Block& block = model().blocks.back();
  if (free) {
    MassProperties m = massOf(std::span<const Shape>(body.shapes), s.density);
    if (s.mass) m = m.mass > 0.0 ? scaledTo(m, *s.mass) : MassProperties{*s.mass, Vec3::Zero(), Mat3::Zero()};
    if (m.mass <= 0.0)
      return wrong(path, "a dynamic body needs a mass", "give it mass and inertia, or a shape and a density");
    if (s.center) m.centre = *s.center;
    if (s.inertia) m.inertia = s.inertia->asDiagonal();
    Vec3 principal;
    eigenSymmetric(m.inertia, principal);
    std::sort(principal.data(), principal.data() + 3);
    if (principal[0] <= 0.0)
      return wrong(path, "the body has no inertia", "give it an inertia, or a shape to compute it from");
    if (principal[0] + principal[1] < principal[2] * (1.0 - 1e-6))
      return wrong(path + "/inertia", "no body has this inertia: the largest moment exceeds the sum of the other two",
                   "check the three numbers");
    block.mass = m.mass;
    block.inertia_B = m.inertia;
    block.weighs = s.gravity;
    body.center_B = m.centre;
  } else if (s.center) {
    body.center_B = *s.center;
  }
  for (Shape& shape : body.shapes) shape.local.position -= body.center_B;
  if (s.motion == BodyMotion::kinematic && s.prescribed) body.prescribed = &*s.prescribed;
  if (body.prescribed) model().led = true;
  if (s.prescribed && s.motion != BodyMotion::kinematic)
    return wrong(path + "/prescribed", "only a kinematic body follows a prescribed motion", "set motion to kinematic");
  things_[name] = {Kind::body, static_cast<int>(model().bodies.size())};
  model().bodies.push_back(std::move(body));
  return {};
}

/// Wheels weigh on their parents before anything is placed relative to the centres of mass.
Done Builder::addRotorMass() {
  for (const auto& [name, s] : scene().rotors) {
    const std::string path = "/rotors/" + name;
    const auto parent = find(s.on, path + "/on");
    if (!parent) return std::unexpected(parent.error());
    if (parent->kind != Kind::body)
      return wrong(path + "/on", "a rotor sits on a body, not on '" + s.on + "'", "name a body, or world");
    Body& body = model().bodies[at(parent->index)];
    Block& block = model().blocks[at(body.block)];
    if (!block.free || s.mass == 0.0) continue;
    // A thin wheel: m r²/4 across its axle, nothing along it (the spin is the rotor's own).
    const Vec3 axis = s.axis.normalized();
    const double across = 0.25 * s.mass * s.radius * s.radius;
    const MassProperties wheel{s.mass, s.position, across * (Mat3::Identity() - axis * axis.transpose())};
    const MassProperties parts[] = {MassProperties{block.mass, body.center_B, block.inertia_B}, wheel};
    const MassProperties both = combined(parts);
    for (Shape& shape : body.shapes) shape.local.position += body.center_B - both.centre;
    body.center_B = both.centre;
    block.mass = both.mass;
    block.inertia_B = both.inertia;
  }
  return {};
}

Done Builder::addRotor(const std::string& name, const RotorSettings& s) {
  const std::string path = "/rotors/" + name;
  const auto parent = find(s.on, path + "/on");
  if (!parent) return std::unexpected(parent.error());
  if (s.axis.norm() < 1e-12)
    return wrong(path + "/axis", "the axis has no length", "give a direction, such as [0, 1, 0]");
  const double inertia = s.inertia.value_or(0.5 * s.mass * s.radius * s.radius);
  if (inertia <= 0.0) return wrong(path, "a rotor needs inertia about its axle", "give it inertia, or a mass");
  const Body& body = model().bodies[at(parent->index)];
  Rotor rotor;
  rotor.name = name;
  rotor.parent = body.block;
  rotor.center_B = s.position - body.center_B;
  rotor.axis_B = s.axis.normalized();
  rotor.radius = s.radius;
  rotor.block = addBlock(1, false, true);
  model().blocks.back().mass = inertia;
  if (model().blocks[at(rotor.parent)].free)
    model().spins.push_back({rotor.block, rotor.parent, rotor.axis_B, model().blocks[at(rotor.block)].v});
  things_[name] = {Kind::rotor, static_cast<int>(model().rotors.size())};
  model().rotors.push_back(rotor);
  const Bearing* bearing = addElement(std::make_unique<Bearing>(rotor, s), "rotors." + name);
  if (bearing->layout().passive && rotor.parent == 0)
    model().passive.pop_back();  // the world does not turn: nothing to remember
  out_->bearings.push_back(bearing);
  drivables_[name] = bearing;
  return {};
}

Done Builder::addParticle(const std::string& name, const ParticleSettings& s) {
  Particle p;
  p.name = name;
  p.radius = s.radius;
  p.block = addBlock(3, false, true);
  model().blocks.back().mass = s.mass;
  model().blocks.back().weighs = s.gravity;
  things_[name] = {Kind::particle, static_cast<int>(model().particles.size())};
  model().particles.push_back(p);
  return {};
}

}  // namespace reeve
