#pragma once
// What a curved cable does beside a body that it lies on: asked of its curves, not of their chords. The chords of a
// cable that sags lead down to the body and up again, as if it were pulled along it by all of the tension.
#include "reeve/geometry/shape.h"

namespace reeve {

/// A place on a polyline of n pieces (triples of numbers), by its share of it.
Vec3 alongCurve(const double* points, int n, double share);

/// The curve of one span in place of the two beside a link, near it: its links are longer than theirs, and a and b are
/// one of them away from the link.
struct Without {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
  Vec3 here = Vec3::Zero();  ///< middle of what lies on the link
  double each = 0.0;         ///< m, between a and the link, and the link and b

  /// How far the middle of the three places would go off the link.
  Vec3 away() const { return 0.5 * (a + b) - here; }
  /// Whether it would pass by on the outside: a cable bent round a body that stops dead pulls at it for a moment, and
  /// has nowhere to go.
  bool passesOutside(const Vec3& outward) const { return away().dot(outward) > -1e-3 * each; }
  /// Whether the cable, which pulls at the link like this (N), has slid off the body across the plane it is bent in:
  /// where the body is not any more, however near the cable comes to it as it is now.
  bool slidOff(const Vec3& pull, const Vec3& normal, const Shape& shape, const Pose& body, double radius) const;
};

/// How far a force (N) brings a mass (kg) that is held by a stiffness (N/m) within a step from rest, m.
inline double drawnBy(double force, double mass, double stiffness, double h) {
  const double resists = mass + h * h * stiffness;
  return resists > 0.0 ? h * h * force / resists : 0.0;
}

}  // namespace reeve
