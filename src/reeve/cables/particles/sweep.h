#pragma once
// Capsules that move and change while they move: when do they first touch (Amiragov 2020, sections 3.4.1 and 5.2)?
//
// A segment's ends go from p to p + u linearly, t in [0, 1]; a body's pose goes from its start to its end with its
// rotation vector growing linearly. No point of the pair approaches faster than a bound b per unit of t, so from a
// distance g it is safe to go on by g/b (conservative advancement): nothing is jumped over, however thin or fast.
#include "reeve/geometry/collide.h"

namespace reeve::particles {

/// The ends of a segment and their displacements in a substep.
struct MovingSegment {
  Vec3 p0, p1, u0, u1;
  Vec3 a(double t) const { return p0 + t * u0; }
  Vec3 b(double t) const { return p1 + t * u1; }
};

struct MovingPose {
  Pose start;
  Vec3 u = Vec3::Zero(), theta = Vec3::Zero();
  double reach = 0.0;  ///< of the shape from the body's centre
  Pose at(double t) const;
};

/// The first t in [0, 1] at which the segment comes within `radius` of the shape, or a negative number. `gap0` is the
/// distance of the bare segment at the start. Ends where it is within `slack` of touching.
double timeOfTouch(const MovingSegment& segment, const Shape& shape, const MovingPose& pose, double radius, double gap0,
                   double slack);

struct SegmentPair {
  double distance = 0.0;
  double s = 0.0, t = 0.0;    ///< along the first and the second
  Vec3 apart = Vec3::Zero();  ///< from the second to the first, not unit
};
SegmentPair closestOnSegments(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1);

/// The same for two segments.
double timeOfTouch(const MovingSegment& a, const MovingSegment& b, double radius, double gap0, double slack);
/// Largest approach of any two points in the substep: what both share of their motion does not count.
double approachBound(const MovingSegment& segment, const MovingPose& pose);
double approachBound(const MovingSegment& a, const MovingSegment& b);

}  // namespace reeve::particles
