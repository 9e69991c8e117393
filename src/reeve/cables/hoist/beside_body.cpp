#include "reeve/cables/hoist/beside_body.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/span_wave.h"
#include "reeve/geometry/collide.h"

namespace reeve {

Vec3 alongCurve(const double* points, int n, double share) {
  const double x = share > 0.0 ? std::min(share, 1.0) * n : 0.0;  // also where it is no number
  const int k = std::min(static_cast<int>(x), n - 1);
  return at3(points, k) + (x - k) * (at3(points, k + 1) - at3(points, k));
}

bool Without::slidOff(const Vec3& pull, const Vec3& normal, const Shape& shape, const Pose& body, double radius) const {
  const auto across = [&](const Vec3& v) {
    const double out = v.dot(normal);
    return std::fabs(out) > (v - out * normal).norm();
  };
  if (!across(pull) || !across(away())) return false;
  const Vec3 there = here + away().dot(normal) * normal;
  const auto gap = [&](const Vec3& p, const Vec3& q) { return closest(p, q, shape, body).gap - radius; };
  return gap(a, b) > 0.0 && gap(there, there) > 1e-3 * each;
}

}  // namespace reeve
