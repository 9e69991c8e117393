#include "reeve/cables/particles/sweep.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"

namespace reeve::particles {

namespace {
/// Steps of an advancement; what creeps longer than this counts as touching where it is.
constexpr int patience = 256;
}  // namespace

Pose MovingPose::at(double t) const {
  if (theta.squaredNorm() == 0.0) return {start.position + t * u, start.orientation};
  return {start.position + t * u, rotationExp(t * theta) * start.orientation};
}

double timeOfTouch(const MovingSegment& segment, const Shape& shape, const MovingPose& pose, double radius, double gap0,
                   double slack) {
  const double bound = approachBound(segment, pose);
  double t = 0.0, gap = gap0 - radius;
  for (int k = 0; k < patience; ++k) {
    if (gap <= slack) return t;
    if (!(bound > 0.0)) return -1.0;
    t += gap / bound;
    if (t > 1.0) return -1.0;
    gap = closest(segment.a(t), segment.b(t), shape, pose.at(t)).gap - radius;
  }
  return t;
}

// Ericson's closed form with the degenerate cases (points, parallels) taken first; all products and quotients.
SegmentPair closestOnSegments(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  const Vec3 d1 = p1 - p0, d2 = q1 - q0, r = p0 - q0;
  const double a = d1.squaredNorm(), e = d2.squaredNorm(), f = d2.dot(r), c = d1.dot(r);
  SegmentPair out;
  if (a <= 0.0 && e <= 0.0) {
    out.s = out.t = 0.0;
  } else if (a <= 0.0) {
    out.t = std::clamp(f / e, 0.0, 1.0);
  } else if (e <= 0.0) {
    out.s = std::clamp(-c / a, 0.0, 1.0);
  } else {
    const double b = d1.dot(d2), denominator = a * e - b * b;
    // Parallel: any s will do; the middle of the first keeps what leans on it balanced.
    out.s = denominator > 1e-12 * a * e ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0.5;
    out.t = (b * out.s + f) / e;
    if (out.t < 0.0) {
      out.t = 0.0;
      out.s = std::clamp(-c / a, 0.0, 1.0);
    } else if (out.t > 1.0) {
      out.t = 1.0;
      out.s = std::clamp((b - c) / a, 0.0, 1.0);
    }
  }
  out.apart = (p0 + out.s * d1) - (q0 + out.t * d2);
  out.distance = out.apart.norm();
  return out;
}

double approachBound(const MovingSegment& segment, const MovingPose& pose) {
  return std::max((segment.u0 - pose.u).norm(), (segment.u1 - pose.u).norm()) + pose.theta.norm() * pose.reach;
}

double approachBound(const MovingSegment& a, const MovingSegment& b) {
  return std::max(std::max((a.u0 - b.u0).norm(), (a.u0 - b.u1).norm()),
                  std::max((a.u1 - b.u0).norm(), (a.u1 - b.u1).norm()));
}

double timeOfTouch(const MovingSegment& a, const MovingSegment& b, double radius, double gap0, double slack) {
  const double bound = approachBound(a, b);
  double t = 0.0, gap = gap0 - radius;
  for (int k = 0; k < patience; ++k) {
    if (gap <= slack) return t;
    if (!(bound > 0.0)) return -1.0;
    t += gap / bound;
    if (t > 1.0) return -1.0;
    gap = closestOnSegments(a.a(t), a.b(t), b.a(t), b.b(t)).distance - radius;
  }
  return t;
}

}  // namespace reeve::particles
