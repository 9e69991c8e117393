#pragma once
// The curve of a slack span, for drawing and for first guesses: a catenary between two points.
//
// With X the horizontal and v the vertical distance of the ends, L the length and c = H/(ρg) the catenary's parameter
// (horizontal tension over weight per metre), the half width y = X/(2c) solves
//      sinh(y)/y = √(L² − v²)/X,
// and the lowest point lies at u = −A of the middle, A = artanh(v/L), in units of c:
//      height above the first end = 2c sinh(A + (u−y)/2) sinh((u+y)/2),   length from it = 2c cosh(A + (u−y)/2)
//      sinh((u+y)/2),
// −y ≤ u ≤ y. The products keep all digits when the cable is nearly taut (c → ∞).
#include <cstdint>
#include <span>

#include "reeve/geometry/outline.h"

namespace reeve {

enum class HangingShape : std::uint8_t {
  straight,  ///< length ≤ distance
  catenary,
  folded,  ///< ends above each other: straight down and up again
};

struct HangingCurve {
  HangingShape shape = HangingShape::straight;
  Vec3 start = Vec3::Zero();
  Vec3 end = Vec3::Zero();
  Vec3 across = Vec3::Zero();  ///< horizontal unit vector from start towards end (any, if folded)
  Vec3 up = Vec3::UnitZ();
  double width = 0.0;      ///< X [m]
  double rise = 0.0;       ///< v [m], of the end over the start
  double length = 0.0;     ///< L [m]
  double parameter = 0.0;  ///< c [m]; horizontal tension = weight per metre × c. 0 if folded, infinite if straight
  double halfWidth = 0.0;  ///< y
  double tilt = 0.0;       ///< A

  /// The place at this length from the start [m].
  Vec3 at(double fromStart) const;
  /// Depth of the lowest point below the chord's lower end [m]; 0 if the curve has no lowest point between its ends.
  double dip() const;
};

/// gravity: any length, only its direction counts; zero is taken as straight down (−z).
HangingCurve hangingCurve(const Vec3& start, const Vec3& end, double length, const Vec3& gravity);

/// Pieces by which cables open a fold at the start (see below).
inline constexpr double asideOfFold = 1.0;

/// Points along the curve at equal lengths, first and last at the ends exactly. The corners lie on a slightly longer
/// catenary, so that the polyline itself has the asked length (1e-9 of it), from three points on. Two points or a taut
/// span give the straight line.
/// `aside`: where one end is exactly above the other, the two legs part by so many pieces at the bottom. Folded exactly
/// the shorter leg would bear what pushes it along itself, since nothing turns it aside.
void hangingPolyline(const Vec3& start, const Vec3& end, double length, const Vec3& gravity, std::span<Vec3> points,
                     double aside = 0.0);

/// Points along an outline from s over a signed ccw length (whole turns included), at most `step` apart on arcs and at
/// every corner: for drawing what is wound on it. Returns how many were written; what does not fit is left out, except
/// the last point.
int outlinePath(const Outline& outline, const LinkFrame& frame, double s, double length, double step,
                std::span<Vec3> points);

}  // namespace reeve
