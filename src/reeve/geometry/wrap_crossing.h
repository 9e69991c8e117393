#pragma once
// Does a straight span run into a link's outline? The question behind split events (cable joints section 4.2).
//
// The outline is taken as a prism: extruded by halfThickness to both sides of its plane (infinite for a planar world).
// The span is a segment a → b without radius; give the outline the cable's radius instead.
#include <optional>

#include "reeve/geometry/outline.h"

namespace reeve {

struct Crossing {
  int sigma = 0;  ///< orientation the cable will have: +1 if the outline lies left of a → b, seen along the normal;
                  ///< 0 if the segment runs along the normal
  double along = 0.0;   ///< where on a → b, in [0, 1]: the middle of what is inside
  double depth = 0.0;   ///< how far the segment must move sideways in the plane to be free again [m]
  bool onFace = false;  ///< swept only: first touched on the flat face, so the side is the nearer one, not a fact
};

/// The side is the one that frees the segment with the smaller move.
std::optional<Crossing> segmentCrossesOutline(const Outline& outline, const LinkFrame& frame, double halfThickness,
                                              const Vec3& a, const Vec3& b);

/// A point that moves straight during a step.
struct MovingPoint {
  Vec3 start = Vec3::Zero();
  Vec3 end = Vec3::Zero();
};

/// A link's frame during a step: the origin moves straight, the orientation turns at a constant rate by exp(rotation).
struct MovingFrame {
  LinkFrame start{};
  Vec3 translation = Vec3::Zero();  ///< [m]
  Vec3 rotation = Vec3::Zero();     ///< rotation vector in the world [rad], any number of turns

  /// Between two placements, the shortest rotation.
  static MovingFrame between(const LinkFrame& from, const LinkFrame& to);
  LinkFrame at(double t) const;
};

struct SweptCrossing {
  double time = 0.0;    ///< in [0, 1]
  Crossing crossing{};  ///< at that time
};

/// The first time the segment touches the prism, by conservative advancement: along the axis that separates the two,
/// the gap cannot close sooner than the points' velocities and the greatest acceleration in the link's frame allow.
/// Nothing is skipped however fast it moves. Touching means closer than `tolerance` [m]; already inside gives time 0.
std::optional<SweptCrossing> sweptCrossing(const Outline& outline, const MovingFrame& frame, double halfThickness,
                                           const MovingPoint& a, const MovingPoint& b, double tolerance = 1e-9);

/// Earliest t > 0 with gap + rate·t − ½·bend·t² = 0, bend ≥ 0; infinite if there is none.
double earliestClosing(double gap, double rate, double bend);

}  // namespace reeve
