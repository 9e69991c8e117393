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
  // In the plane of link 1, seen from its centre: d = l n + e w with w the common normal of both circles, n across it
  // and e the difference of the radii.
  const double x = f1.x.dot(d), y = f1.y.dot(d), distance2 = x * x + y * y;
  const double e = s1 * r1 - s2 * r2, length2 = distance2 - e * e;
  if (!(length2 > 0.0)) return false;
  const double l = std::sqrt(length2), share = 1.0 / distance2;
  const Vec2 w((e * x + l * y) * share, (e * y - l * x) * share);
  const Vec3 across = f1.x * w.x() + f1.y * w.y();
  out.length = l;
  out.n = f1.x * ((l * x - e * y) * share) + f1.y * ((l * y + e * x) * share);
  out.arm[0] = (s1 * r1) * across;
  out.arm[1] = (s2 * r2) * across;
  out.moment[0] = (-s1 * r1) * f1.normal;
  out.moment[1] = (s2 * r2) * f1.normal;
  out.facing[0] = s1 * w;
  out.facing[1] = s2 * Vec2(f2.x.dot(across), f2.y.dot(across));
  return true;
}

}  // namespace reeve
