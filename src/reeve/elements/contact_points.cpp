#include "reeve/elements/contact_points.h"

#include <algorithm>

#include "reeve/math/at.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {
/// By how much of their width others may lie outside the points that are kept, and by how much, m, deeper: a body that
/// begins to tip over them gets other ones.
constexpr double outsideShare = 0.1, deeperBy = 1e-6;
}  // namespace

bool keepPoints(Manifold& manifold, const std::array<bool, Manifold::capacity>& known, int most) {
  int count = 0;
  double least = 0.0, leastKept = 0.0;
  for (int k = 0; k < manifold.count; ++k) {
    const double gap = manifold.points[at(k)].gap;
    least = std::min(least, gap);
    if (known[at(k)]) ++count, leastKept = std::min(leastKept, gap);
  }
  if (count != most || least < leastKept - deeperBy) return false;
  Vec3 u, w;
  orthonormalBasis(manifold.points[0].normal, u, w);
  static constexpr double ways[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}, {1.0, -1.0}};
  for (const auto& c : ways) {
    const Vec3 along = c[0] * u + c[1] * w;
    double low = 1e300, high = -1e300, lowKept = 1e300, highKept = -1e300;
    for (int k = 0; k < manifold.count; ++k) {
      const double x = along.dot(manifold.points[at(k)].pointA);
      low = std::min(low, x), high = std::max(high, x);
      if (known[at(k)]) lowKept = std::min(lowKept, x), highKept = std::max(highKept, x);
    }
    const double allowed = outsideShare * (high - low);
    if (lowKept > low + allowed || highKept < high - allowed) return false;
  }
  int to = 0;
  for (int k = 0; k < manifold.count; ++k)
    if (known[at(k)]) manifold.points[at(to++)] = manifold.points[at(k)];
  manifold.count = to;
  return true;
}

}  // namespace reeve
