#pragma once
// How a span moves beside its wave, along its chord or where it hangs: shared by hoist cables and by waves on cables of
// joints. The equations are in hoist_along.cpp and hoist_hanging.cpp.
#include <cmath>

#include "reeve/math/types.h"

namespace reeve {

/// What the swinging of a chord does to the span's material, which flows along it.
struct ChordSwing {
  double fling = 0.0;         ///< v̄·ṅ, m/s², along the chord
  Vec3 swing = Vec3::Zero();  ///< w ṅ, m/s², across it
};
/// velocity: of the ends, m/s; chord and arc in m; flow: w, m/s.
ChordSwing chordSwing(const Vec3 (&velocity)[2], const Vec3& n, double chord, double arc, double flow);

/// A flow or velocity that differs by more than this share of it, or m/s, from the one the last step ended with has
/// jumped.
constexpr double jumpShare = 1e-3, jumpSpeed = 1e-6;
inline bool hasJumped(double now, double kept) {
  return std::fabs(now - kept) > jumpSpeed + jumpShare * std::fabs(now);
}
inline bool hasJumped(const Vec3& now, const Vec3& kept) {
  return (now - kept).norm() > jumpSpeed + jumpShare * now.norm();
}

/// The difference of a step.
inline double changeRate(double now, double last, double before, bool second, double h) {
  return (second ? 1.5 * now - 2.0 * last + 0.5 * before : now - last) / h;
}
inline Vec3 changeRate(const Vec3& now, const Vec3& last, const Vec3& before, bool second, double h) {
  return (second ? Vec3(1.5 * now - 2.0 * last + 0.5 * before) : Vec3(now - last)) / h;
}

/// What hangs goes with its ends as if it lay between them evenly: its inertia at one of them, whose acceleration is
/// `own`, and its energy.
inline Vec3 hungInertia(double mass, const Vec3& own, const Vec3& other) { return -mass / 6.0 * (2.0 * own + other); }
inline double hungMotion(double mass, const Vec3& a, const Vec3& b) {
  return mass * (a.squaredNorm() + a.dot(b) + b.squaredNorm()) / 6.0;
}

/// Whether the damping of a row would pull harder than its stretch. Newton may change its mind a few times in a step.
struct DampsAlone {
  double boundBy = 0.0;  ///< the step that this is of
  int changes = 0;
  bool alone = false;
  bool decide(double binding, bool would) {
    constexpr int most = 6;
    if (boundBy != binding) {
      boundBy = binding;
      changes = 0;
    } else if (alone == would || ++changes > most) {
      return alone;
    }
    return alone = would;
  }
};

}  // namespace reeve
