#pragma once
// A span that hangs at rest over a level floor without friction, and lies on it where it is long enough: what
// hanging_span.h becomes when its curve would reach below the floor.
//
// The ends are X apart and a, b above the floor; mass m, length L, w = m g/L. Where it lies the tension is H = w c all
// along. Either leg rises from the floor as a catenary of parameter c: of a leg that rises by h,
//      arc s = √(h² + 2 c h),   width x = c arsinh(s/c),   ∫z = f = (s (h − c) + c x)/2 (1)
// and what lies is straight between the legs, so c is the one root of
//      Σ (s − x) = L − X.                                                                                           (2)
// The left side falls from a + b at c = 0. Cable longer than X + a + b lies in a heap: its legs hang straight down (c =
// 0, s = h, x = 0), and what does not fit between them carries nothing.
//
// The potential energy E(X, a, b, L) = w Σ f of a given mass is the least one among the shapes above the floor, which
// are a convex set, so it is convex, and smooth where the curve leaves the floor:
//      E_X = w c,   E_a = w s₁,   E_b = w s₂,   E_L = −T,   T = w (c + Σ f/L)   (the mean tension) (3)
#include <Eigen/Core>

#include "reeve/geometry/hanging.h"
#include "reeve/math/types.h"

namespace reeve {

/// Ends on the floor: as a share of the length.
constexpr double lyingTrace = 1e-4;

struct LyingSpan {
  bool lies = false;                ///< otherwise it hangs free, as in hanging_span.h
  double parameter = 0.0;           ///< c, m
  double legs[2] = {0.0, 0.0};      ///< s, m, of either side
  double widths[2] = {0.0, 0.0};    ///< x, m
  double heap = 0.0;                ///< m, what does not fit on the floor between the legs
  double horizontal = 0.0;          ///< E_X, N
  double vertical[2] = {0.0, 0.0};  ///< E_a, E_b, N
  double tension = 0.0;             ///< T, N
  Eigen::Matrix4d hessian;          ///< of E in (X, a, b, L)
};

/// What it may come down on: a level floor, where heights are zero. trace: see lyingSpan().
struct Resting {
  bool floor = true;
  double trace = 0.0;
};

/// weight: m g, N. Needs X > 0; a length within 1e-9 of the distance of the ends is taken as that much longer. Without
/// a floor it hangs free. Ends that lie on the floor, or below it, are taken as half of `trace` (m) above it, or less;
/// 0: the share above of this length.
LyingSpan lyingSpan(double across, const double (&heights)[2], double length, double weight, const Resting& on = {});

/// How far the curve stays above the floor, m; negative where a free one would reach below it.
double clearance(double across, const double (&heights)[2], double length);

/// Its curve.
struct LyingCurve {
  HangingCurve free;  ///< where it does not lie
  bool lies = false;
  LyingSpan span;
  Vec3 foot[2] = {Vec3::Zero(), Vec3::Zero()};  ///< where the legs come down
  Vec3 across = Vec3::Zero(), up = Vec3::UnitZ();
  double narrow = 1.0;  ///< of the widths, where ends above each other are kept apart
  double length = 0.0;
  /// The place at this length from the start, m.
  Vec3 at(double fromStart) const;
};
/// floor: m, its height along −gravity, −∞ where there is none; width: of lyingSpan(), no less than the ends are apart.
LyingCurve lyingCurve(const Vec3& start, const Vec3& end, double length, const Vec3& gravity, double floor,
                      double width);

}  // namespace reeve
