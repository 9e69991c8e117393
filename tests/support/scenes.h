#pragma once
// Small scenes in code, shared by tests.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "reeve/math/rotation.h"
#include "reeve/world/world.h"

namespace reeve::test {

inline World make(Description d) {
  auto world = World::build(std::move(d));
  if (!world) {
    ADD_FAILURE() << world.error().path << ": " << world.error().reason;
    std::abort();
  }
  return std::move(*world);
}

/// A measured number. One that is none fails here: behind std::max it would pass.
inline double measure(const World& w, const std::string& path) {
  const auto o = w.resolve(path);
  if (!o) {
    ADD_FAILURE() << o.error().reason << "; " << o.error().remedy;
    return NAN;
  }
  const double x = w.read(*o);
  EXPECT_FALSE(std::isnan(x)) << path;
  return x;
}

inline void run(World& w, double seconds) {
  const std::int64_t steps = std::llround(seconds / w.description().settings.dt);
  for (std::int64_t i = 0; i < steps && w.step().good; ++i) {
  }
  EXPECT_TRUE(w.verdict().good) << w.verdict().culprit << " " << w.verdict().reason << " at " << w.verdict().time;
}

inline Description still(double dt) {
  Description d;
  d.settings.dt = dt;
  d.settings.gravity = Vec3::Zero();
  return d;
}

inline Description heavy(double dt, double g = 10.0) {
  Description d = still(dt);
  d.settings.gravity = Vec3(0, 0, -g);
  return d;
}

inline BodySettings rigid(double mass, Vec3 inertia, Vec3 position = Vec3::Zero()) {
  BodySettings b;
  b.mass = mass;
  b.inertia = inertia;
  b.position = position;
  return b;
}

/// By value: a loop over a part of what observe() returns, reached through its vector, would outlive it.
inline CableObservation cableOf(const World& w, std::size_t i = 0) { return w.observe().cables[i].second; }

inline ShapeSettings sphere(double radius) {
  ShapeSettings s;
  s.type = ShapeType::sphere;
  s.radius = radius;
  return s;
}

inline ShapeSettings box(Vec3 size) {
  ShapeSettings s;
  s.type = ShapeType::box;
  s.size = size;
  return s;
}

inline BodySettings ground() {
  BodySettings b;
  b.motion = BodyMotion::fixed;
  b.shapes.emplace_back().type = ShapeType::halfSpace;
  return b;
}

inline JointSettings joint(JointType type, std::string a, std::string b, Vec3 anchor, Vec3 axis = Vec3::UnitY()) {
  JointSettings j;
  j.type = type;
  j.a = std::move(a);
  j.b = std::move(b);
  j.anchor = anchor;
  j.axis = axis;
  return j;
}

/// A light chain of n links of 0.5 m and 1 kg with a load at its end, held horizontal. Particles with distance rows.
inline Description particleChain(int n, double load, double dt, double g = 10.0) {
  Description d = heavy(dt, g);
  d.settings.solver = SolverChoice::direct;
  for (int i = 0; i < n; ++i) {
    ParticleSettings p;
    p.position = Vec3(0.5 * (i + 1), 0, 0);
    p.mass = i + 1 == n ? load : 1.0;
    d.particles.emplace_back("p" + std::to_string(i), p);
    JointSettings j =
        joint(JointType::distance, i ? "p" + std::to_string(i - 1) : "world", "p" + std::to_string(i), Vec3::Zero());
    d.joints.emplace_back("j" + std::to_string(i), j);
  }
  return d;
}

/// The same of rigid rods with ball joints; the load is the last link.
inline Description rodChain(int n, double load, double dt, JointType type = JointType::ball, double g = 10.0) {
  Description d = heavy(dt, g);
  d.settings.solver = SolverChoice::direct;
  const double l = 0.5, r = 0.02;
  for (int i = 0; i < n; ++i) {
    const double m = i + 1 == n ? load : 1.0;
    const double along = 0.5 * m * r * r, across = m * (l * l / 12 + r * r / 4);
    d.bodies.emplace_back("b" + std::to_string(i), rigid(m, Vec3(along, across, across), Vec3((i + 0.5) * l, 0, 0)));
    d.joints.emplace_back("j" + std::to_string(i), joint(type, i ? "b" + std::to_string(i - 1) : "world",
                                                         "b" + std::to_string(i), Vec3(i * l, 0, 0)));
  }
  return d;
}

}  // namespace reeve::test
