#include "trials/moving_tackle.h"

#include <numbers>

namespace reeve::trials {

double Tackle::weight() const {
  const double arc = std::numbers::pi * radius * density * gravity;
  return (load * gravity + sheaves / 2 * arc) / sheaves / gravity * (1 + extra);
}

double Tackle::acceleration(bool turning) const {
  const double n = sheaves, rotor = turning ? inertia / (radius * radius) : 0.0;
  const double turns = n * (n + 1) * (2 * n + 1) / 6;  // Σ (k + 1)²
  return n * (n * weight() - load) * gravity / (load + n * n * weight() + rotor * turns);
}

Description movingTackle(const Tackle& t) {
  const int n = t.sheaves;
  const double r = t.radius;
  Description d;
  d.settings.gravity = Vec3(0, 0, -t.gravity);
  d.settings.dt = t.dt;
  d.settings.seconds = 5;
  const auto body = [&](const char* name, Vec3 position, double mass, double inertia, Vec3 size, double below) {
    BodySettings b;
    b.position = position;
    b.mass = mass;
    b.inertia = Vec3::Constant(inertia);
    b.collides = false;
    ShapeSettings& box = b.shapes.emplace_back();
    box.type = ShapeType::box;
    box.size = size;
    box.position = Vec3(0, 0, -below);
    d.bodies.emplace_back(name, b);
  };
  body("beam", Vec3(r * n, 0, -t.drop), t.load, t.load, Vec3(2 * r * n, 0.06, 0.04), 0.09);
  body("weight", Vec3(2 * r * n, 0, -t.drop), t.weight(), 0.1, Vec3::Constant(0.1), 0.05);
  JointSettings rail;
  rail.type = JointType::slider;
  rail.b = "beam";
  rail.anchor = Vec3(r * n, 0, -t.drop);
  rail.axis = Vec3::UnitZ();
  d.joints.emplace_back("rail", rail);
  CableSettings rope;
  rope.model = t.model;
  rope.material.mass = t.density;
  rope.route.emplace_back();
  for (int i = 0; i < n; ++i) {
    const bool low = i % 2 == 0;
    const double x = r * (1 + 2 * i);
    RotorSettings sheave;
    sheave.on = low ? "beam" : "world";
    sheave.position = Vec3(low ? x - r * n : x, 0, 0);
    sheave.radius = r;
    sheave.inertia = t.inertia;
    const std::string name = "p" + std::to_string(i);
    d.rotors.emplace_back(name, sheave);
    LinkSettings& link = rope.route.emplace_back();
    link.type = LinkType::roll;
    link.on = name;
    link.side = low ? -1 : 1;
  }
  rope.route.emplace_back().on = "weight";
  d.cables.emplace_back("rope", rope);
  return d;
}

}  // namespace reeve::trials
