#include "reeve/cables/particles/air.h"

#include <algorithm>

#include "reeve/math/scalar.h"

namespace reeve::particles {

void blow(Points& p, int first, int count, const Air& air, const Vec3& wind, double h) {
  if (air.still()) return;
  for (int i = first; i < first + count; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    if (!(p.w[k] > 0.0)) continue;
    const std::size_t before = static_cast<std::size_t>(std::max(i - 1, first)),
                      after = static_cast<std::size_t>(std::min(i + 1, first + count - 1));
    const Vec3 leg = p.x[after] - p.x[before];
    const double reach = leg.norm();
    // Half of the segment on either side belongs to this particle.
    const double length = 0.5 * ((p.x[after] - p.x[k]).norm() + (p.x[k] - p.x[before]).norm());
    if (!(reach > 0.0)) continue;
    const Vec3 tangent = leg / reach, v = p.v[k] - wind;
    Vec3 vt = tangent * tangent.dot(v), vn = v - vt;
    const double k0 = 0.5 * air.density * air.diameter * length * p.w[k] * h;
    vn /= 1.0 + k0 * air.across * vn.norm();
    vt /= 1.0 + k0 * math::pi * air.along * vt.norm();
    p.v[k] = wind + vn + vt;
  }
}

}  // namespace reeve::particles
