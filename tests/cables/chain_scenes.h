#pragma once
// Chains for tests: the paper's rod and its ends.
#include "support/scenes.h"

namespace reeve::test {

inline LinkSettings chainEnd(std::string on, Vec3 point = Vec3::Zero(), EndHold hold = EndHold::pinned) {
  LinkSettings l;
  l.on = std::move(on);
  l.point = point;
  l.hold = hold;
  return l;
}

/// 10 m of 0.1 m square section along x, ν = 0.3, density 7800 (section VII-A).
inline CableSettings paperRod(double young, int segments) {
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = segments;
  c.collides = false;
  c.material.young = young;
  c.material.poisson = 0.3;
  c.material.section = SectionShape::square;
  c.material.radius = 0.05;
  c.material.mass = 78.0;
  return c;
}
inline double paperEI(double young) { return young * 1e-4 / 12; }
inline double paperGJ(double young) { return young * 0.1406e-4 / 2.6; }

inline CableObservation cableOf(const World& w, std::size_t i = 0) { return w.observe().cables[i].second; }

/// A body at the end of the rod: a block of the rod's own material, so that it adds no dynamics of its own.
inline BodySettings endBlock(Vec3 position, double mass = 50.0) {
  return rigid(mass, Vec3::Constant(mass * 0.05), position);
}

inline Profile ramp(double seconds) {
  Profile p;
  p.table = {Vec2(0, 0), Vec2(seconds, 1)};
  p.smooth = true;
  return p;
}

inline void push(Description& d, const std::string& on, Vec3 force, Vec3 torque, double rampSeconds) {
  ForceSettings f;
  f.on = on;
  f.force = force;
  f.torque = torque;
  if (rampSeconds > 0.0) f.scale = ramp(rampSeconds);
  d.forces.emplace_back("f" + std::to_string(d.forces.size()), f);
}

}  // namespace reeve::test
