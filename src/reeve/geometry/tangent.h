#pragma once
// Common tangents in a plane: where a straight cable leaves one outline and meets the next.
//
// The cable runs from link 1 to link 2 and goes round link i counter-clockwise (σᵢ = +1) or clockwise (σᵢ = −1). The
// outline is then on the left of the running cable for σ = +1, on the right for σ = −1, at both ends. A point has no
// side: its radius is zero.
//
// Circles (misprints of cable joints, algorithms 3 and 4, corrected): with d = p₂ − p₁, d̂⊥ = d̂ turned by +90°,
//   c = (σ₁r₁ − σ₂r₂)/|d|,   w = c·d̂ − √(1−c²)·d̂⊥,   aᵢ = pᵢ + σᵢrᵢw.
// w is the right-hand normal of the running cable, so σᵢw is the outward normal of outline i at its tangent point.
// There is no tangent when |c| > 1: one circle inside the other (σ equal) or the two overlapping (σ opposite).
#include <cstdint>

#include "reeve/geometry/outline.h"

namespace reeve {

struct CircleTangent {
  bool found = false;
  Vec2 w = Vec2::Zero();  ///< unit; right of the running cable
  Vec2 a1 = Vec2::Zero();
  Vec2 a2 = Vec2::Zero();
};

/// signedRadius = σ·r. Points have radius 0.
CircleTangent circleTangent(const Vec2& p1, double signedRadius1, const Vec2& p2, double signedRadius2);

/// The point of an outline that is extreme seen from p: the ray p → point touches it there.
struct ExtremePoint {
  bool found = false;  ///< false if p is inside
  int corner = 0;
  Vec2 normal = Vec2::UnitX();  ///< outward unit normal there, perpendicular to the ray
  Vec2 point = Vec2::Zero();
};

/// Which side of the ray p → point the outline is on.
enum class Side : std::int8_t { left = 1, right = -1 };

/// A cable that arrives from p with orientation σ touches at the extreme point with the outline on side σ; one that
/// leaves for p touches at the one with side −σ. Finite on any outline: the ray turns one way only.
ExtremePoint extremePoint(const Outline& outline, const Vec2& p, Side outlineSide, int hint = -1);

/// An outline in a plane shared with another: x = axes·x_outline + position. axes is a rotation, or a reflection when
/// the outline's own normal points the other way (then σ is the one seen in the shared plane).
struct PlacedOutline {
  const Outline* outline = nullptr;
  int sigma = 1;
  Vec2 position = Vec2::Zero();
  Eigen::Matrix2d axes = Eigen::Matrix2d::Identity();
  int hint = 0;  ///< corner to start from

  Vec2 corner(int k) const { return axes * outline->corner(k) + position; }
  double signedRadius() const { return sigma * outline->radius(); }
  int support(const Vec2& u, int from) const { return outline->support(axes.transpose() * u, from); }
};

enum class TangentStatus : std::uint8_t {
  ok,
  noTangent,     ///< one end lies inside the other's outline, or the two coincide
  notConverged,  ///< the iteration found no common tangent (overlapping polygons; see spanBetween for skew planes)
};

struct PlanarTangent {
  TangentStatus status = TangentStatus::noTangent;
  Vec2 w = Vec2::Zero();  ///< unit, right of the running cable, shared plane
  Vec2 a1 = Vec2::Zero();
  Vec2 a2 = Vec2::Zero();
  int corner1 = 0;
  int corner2 = 0;
};

/// The common tangent of two outlines: cable joints fig. 6 with the corner circles' closed form in place of rays from
/// points. So circles need no iteration at all, and polygons end exactly, after a few corners.
PlanarTangent planarTangent(const PlacedOutline& link1, const PlacedOutline& link2);

/// Fig. 6 as printed: rays from the last point on the other outline, until neither point moves by more than 1e-15 of
/// their distance. The plain form of what spanBetween does in space; planarTangent is faster and exact.
PlanarTangent planarTangentByRays(const PlacedOutline& link1, const PlacedOutline& link2, int maxIterations = 100);

}  // namespace reeve
