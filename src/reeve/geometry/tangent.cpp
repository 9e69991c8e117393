#include "reeve/geometry/tangent.h"

#include <algorithm>
#include <cmath>

namespace reeve {

CircleTangent circleTangent(const Vec2& p1, double signedRadius1, const Vec2& p2, double signedRadius2) {
  CircleTangent result;
  const Vec2 d = p2 - p1;
  const double distance = d.norm();
  const double difference = signedRadius1 - signedRadius2;
  if (!(distance > 0.0) || std::abs(difference) > distance) return result;
  const Vec2 along = d / distance;
  const double c = difference / distance;
  const double s = std::sqrt((1.0 - c) * (1.0 + c));
  result.found = true;
  result.w = Vec2(c * along.x() + s * along.y(), c * along.y() - s * along.x());
  result.a1 = p1 + signedRadius1 * result.w;
  result.a2 = p2 + signedRadius2 * result.w;
  return result;
}

ExtremePoint extremePoint(const Outline& outline, const Vec2& p, Side outlineSide, int hint) {
  const double sign = outlineSide == Side::left ? 1.0 : -1.0;
  ExtremePoint result;
  int k = hint >= 0 && hint < outline.cornerCount() ? hint : outline.support(p, hint);
  // Newton on the support function h(w) = max_k w·(corner_k − p) + r, which is zero for the ray sought: every step
  // makes the ray tangent to one corner's circle, every corner beyond it turns the ray further the same way.
  for (int step = 0; step <= outline.cornerCount() + 1; ++step) {
    const CircleTangent t = circleTangent(p, 0.0, outline.corner(k), sign * outline.radius());
    if (!t.found) return result;
    const Vec2 normal = sign * t.w;
    const int beyond = outline.support(normal, k);
    const Vec2 ahead = outline.corner(beyond) - outline.corner(k);
    if (beyond == k || normal.dot(ahead) <= 1e-15 * ahead.norm()) {
      result.found = true;
      result.corner = k;
      result.normal = normal;
      result.point = outline.corner(k) + outline.radius() * normal;
      return result;
    }
    k = beyond;
  }
  return result;
}

namespace {

/// Is corner `to` further along u than `from`, by more than rounding? Without the margin two corners of an edge that
/// lies on the tangent could take turns for ever.
bool isBeyond(const PlacedOutline& link, int from, int to, const Vec2& u) {
  if (to == from) return false;
  const Vec2 ahead = link.axes * (link.outline->corner(to) - link.outline->corner(from));
  return u.dot(ahead) > 1e-15 * ahead.norm();
}

}  // namespace

PlanarTangent planarTangent(const PlacedOutline& link1, const PlacedOutline& link2) {
  PlanarTangent result;
  const int n1 = link1.outline->cornerCount();
  const int n2 = link2.outline->cornerCount();
  int k1 = std::clamp(link1.hint, 0, n1 - 1);
  int k2 = std::clamp(link2.hint, 0, n2 - 1);
  CircleTangent t = circleTangent(link1.corner(k1), link1.signedRadius(), link2.corner(k2), link2.signedRadius());
  const int limit = 4 * (n1 + n2);
  for (int step = 0; step <= limit; ++step) {
    if (!t.found) return result;
    // Settle one end against the other's corner circle, as far as it goes, before the other moves.
    const int beyond2 = link2.support(link2.sigma * t.w, k2);
    if (isBeyond(link2, k2, beyond2, link2.sigma * t.w)) {
      k2 = beyond2;
    } else {
      const int beyond1 = link1.support(link1.sigma * t.w, k1);
      if (!isBeyond(link1, k1, beyond1, link1.sigma * t.w)) {
        return {TangentStatus::ok, t.w, t.a1, t.a2, k1, k2};
      }
      k1 = beyond1;
    }
    t = circleTangent(link1.corner(k1), link1.signedRadius(), link2.corner(k2), link2.signedRadius());
  }
  result.status = TangentStatus::notConverged;
  return result;
}

PlanarTangent planarTangentByRays(const PlacedOutline& link1, const PlacedOutline& link2, int maxIterations) {
  PlanarTangent result{.a2 = link2.corner(0)};
  const auto toLink = [](const PlacedOutline& link, const Vec2& p) -> Vec2 {
    return link.axes.transpose() * (p - link.position);
  };
  const auto turned = [](const PlacedOutline& link, bool entering) {
    const bool mirrored = link.axes.determinant() < 0.0;
    return ((link.sigma > 0) == entering) != mirrored ? Side::left : Side::right;
  };
  int k1 = -1;
  int k2 = -1;
  for (int iteration = 0; iteration < maxIterations; ++iteration) {
    const ExtremePoint e1 = extremePoint(*link1.outline, toLink(link1, result.a2), turned(link1, false), k1);
    if (!e1.found) return result;
    const Vec2 a1 = link1.axes * e1.point + link1.position;
    const ExtremePoint e2 = extremePoint(*link2.outline, toLink(link2, a1), turned(link2, true), k2);
    if (!e2.found) return result;
    const Vec2 a2 = link2.axes * e2.point + link2.position;
    const double moved = std::max((a1 - result.a1).norm(), (a2 - result.a2).norm());
    result.a1 = a1;
    result.a2 = a2;
    k1 = result.corner1 = e1.corner;
    k2 = result.corner2 = e2.corner;
    result.w = link2.sigma * (link2.axes * e2.normal);
    if (iteration > 0 && moved <= 1e-15 * (a2 - a1).norm()) {
      result.status = TangentStatus::ok;
      return result;
    }
  }
  result.status = TangentStatus::notConverged;
  return result;
}

}  // namespace reeve
