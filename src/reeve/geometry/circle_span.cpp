#include "reeve/geometry/circle_span.h"

#include <cmath>

namespace reeve {

namespace {
constexpr double coplanarTolerance = 1e-9;  // as spanBetween()
}

bool circleSpan(const CircleLink& link1, const CircleLink& link2, CircleSpan& out) {
  const LinkFrame &f1 = link1.frame, &f2 = link2.frame;
  const Vec3 d = f2.origin - f1.origin, tilt = f1.normal.cross(f2.normal);
  const double far = d.squaredNorm(), height = f1.normal.dot(d);
  if (tilt.squaredNorm() > coplanarTolerance * coplanarTolerance ||
      height * height > coplanarTolerance * coplanarTolerance * far)
    return false;
  const double r1 = link1.radius, r2 = link2.radius;
  const double s1 = link1.sigma, s2 = f1.normal.dot(f2.normal) > 0.0 ? link2.sigma : -link2.sigma;
  const double x = f1.x.dot(d), y = f1.y.dot(d), distance = std::sqrt(x * x + y * y);
  const double difference = s1 * r1 - s2 * r2;
  if (!(distance > std::fabs(difference))) return false;
  const double inverse = 1.0 / distance, ax = x * inverse, ay = y * inverse, c = difference * inverse;
  const double s = std::sqrt((1.0 - c) * (1.0 + c));
  // w, the common normal of both circles; the span runs along m × w.
  const Vec2 w(c * ax + s * ay, c * ay - s * ax);
  const Vec3 across = f1.x * w.x() + f1.y * w.y();
  out.arm[0] = (s1 * r1) * across;
  out.arm[1] = (s2 * r2) * across;
  out.facing[0] = s1 * w;
  out.facing[1] = s2 * Vec2(f2.x.dot(across), f2.y.dot(across));
  const Vec3 chord = d + out.arm[1] - out.arm[0];
  out.length = chord.norm();
  if (!(out.length > 0.0)) return false;
  out.n = chord * (1.0 / out.length);
  return true;
}

}  // namespace reeve
