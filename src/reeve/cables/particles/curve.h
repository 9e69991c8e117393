#pragma once
// The curve a particle cable starts along (Amiragov 2020, sections 2.1.2 to 2.1.7).
//
// A curve is a row of cubic Bézier pieces, C_i(s) = (1−s)³p + 3(1−s)²s t₁ + 3(1−s)s² t₂ + s³q, s in [0, 1], glued end
// to end and normalised: at(t) takes t in [0, 1], n(t) = t·pieces (the thesis' n(t) = t_start + t(t_end − t_start)).
//   catmullRom  through all points, with tangent handles ±k(p_(i+1) − p_(i−1)) and, at the ends, k(p₂ − p₁) and
//               k(p_(n−1) − p_n) inwards (the extension of section 2.1.7). k = 1/4 is the thesis' choice, 1/6 gives the
//               true Catmull-Rom spline. C¹ at the joins; a point moved changes the two pieces on either side, four in
//               all.
//   bezier      points given as p, t, t, p, t, t, p ...
//   polyline    straight pieces
#include <span>
#include <vector>

#include "reeve/math/types.h"

namespace reeve::particles {

class Curve {
 public:
  static Curve catmullRom(std::span<const Vec3> points, double handle);
  /// 3k + 1 points; what is left over is not used.
  static Curve bezier(std::span<const Vec3> points);
  static Curve polyline(std::span<const Vec3> points);

  int pieces() const { return static_cast<int>(control_.size()) / 3; }
  Vec3 at(double t) const;
  /// d at/dt.
  Vec3 tangent(double t) const;
  Vec3 pieceAt(int piece, double s) const;
  Vec3 pieceTangent(int piece, double s) const;
  double length() const;
  /// `count` ≥ 2 points at equal arc length, the first and last at the curve's ends exactly.
  std::vector<Vec3> place(int count) const;

 private:
  std::vector<Vec3> control_;  ///< p t t p t t p ...
};

}  // namespace reeve::particles
