// Convex hulls for drawing. They never fail: what has no volume has no faces, and what has no area is a line.
#include <algorithm>

#include "reeve/geometry/hull.h"
#include "reeve/record/picture/solid.h"

namespace reeve::record {

std::vector<Face> hullFaces(const std::vector<Vec3>& points) {
  std::vector<Face> faces;
  const auto hull = convexHull(std::span(points));
  if (!hull) return faces;
  for (const Hull::Face& side : hull->faces) {
    Face& face = faces.emplace_back(Face{{}, side.normal});
    for (int i = side.first; i < side.first + side.count; ++i)
      face.corners.push_back(hull->vertices[static_cast<std::size_t>(hull->corners[static_cast<std::size_t>(i)])]);
  }
  return faces;
}

std::vector<Vec2> hullOutline(std::vector<Vec2> points) {
  std::sort(points.begin(), points.end(),
            [](const Vec2& a, const Vec2& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  if (points.size() < 3) return points;
  const auto turn = [](const Vec2& o, const Vec2& a, const Vec2& b) {
    return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
  };
  std::vector<Vec2> hull;
  // Lower chain left to right, then upper chain back (Andrew's monotone chain).
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t base = hull.size();
    for (const Vec2& p : points) {
      while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0.0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

}  // namespace reeve::record
