#include "reeve/cables/particles/air.h"

#include <algorithm>

#include "reeve/math/scalar.h"

namespace reeve::particles {

namespace {
/// The velocity after h of a particle with drag, w its inverse mass; half of the segment on either side belongs to it.
Vec3 slowed(const Points& p, int i, int first, int count, const Air& air, const Vec3& wind, double w, double h) {
  const std::size_t k = static_cast<std::size_t>(i), before = static_cast<std::size_t>(std::max(i - 1, first)),
                    after = static_cast<std::size_t>(std::min(i + 1, first + count - 1));
  const Vec3 leg = p.x[after] - p.x[before];
  const double reach = leg.norm();
  const double length = 0.5 * ((p.x[after] - p.x[k]).norm() + (p.x[k] - p.x[before]).norm());
  if (!(reach > 0.0)) return p.v[k];
  const Vec3 tangent = leg / reach, v = p.v[k] - wind;
  Vec3 vt = tangent * tangent.dot(v), vn = v - vt;
  const double k0 = 0.5 * air.density * air.diameter * length * w * h;
  vn /= 1.0 + k0 * air.across * vn.norm();
  vt /= 1.0 + k0 * math::pi * air.along * vt.norm();
  return wind + vn + vt;
}
}  // namespace

void blow(Points& p, int first, int count, const Air& air, const Vec3& wind, double h) {
  if (air.still()) return;
  for (int i = first; i < first + count; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    if (p.w[k] > 0.0) p.v[k] = slowed(p, i, first, count, air, wind, p.w[k], h);
  }
}

void blowHeld(Bundle& bundle, int first, int count, const Air& air, const Vec3& wind, double h) {
  if (air.still()) return;
  Points& p = bundle.points;
  for (Mount& m : bundle.mounts) {
    if (m.point < first || m.point >= first + count) continue;
    const std::size_t k = static_cast<std::size_t>(m.point);
    Proxy& body = bundle.bodies[static_cast<std::size_t>(m.body)];
    const Vec3 arm = body.armOf(m.local);
    // What does not give way has a mass as good as without end: the force of the speed it has.
    const double own = 1.0 / p.mass[k], give = body.free ? body.mobility(arm).trace() / 3.0 : 0.0;
    const double w = give > 1e-9 * own ? give : 1e-9 * own;
    const Vec3 impulse = (h / w) * (slowed(p, m.point, first, count, air, wind, w, h) - p.v[k]);
    m.force += impulse / h;
    body.strike(arm, impulse);
  }
}

}  // namespace reeve::particles
