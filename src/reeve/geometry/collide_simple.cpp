// Closed forms: points and segments against boxes and cylinders, and segments against segments.
#include <algorithm>
#include <cmath>

#include "reeve/geometry/collide_internal.h"

namespace reeve::narrow {

void closestSegments(const Vec3& ma, const Vec3& ha, const Vec3& mb, const Vec3& hb, Vec3& a, Vec3& b) {
  // Minimise |ma + s ha − mb − t hb|² over s, t in ±1.
  const Vec3 r = ma - mb;
  const double aa = ha.squaredNorm(), bb = hb.squaredNorm(), ab = ha.dot(hb), ar = ha.dot(r), br = hb.dot(r);
  double s = 0, t = 0;
  if (aa > 0 && bb > 0) {
    const double det = aa * bb - ab * ab;
    if (det > 1e-14 * aa * bb) s = std::clamp((ab * br - bb * ar) / det, -1.0, 1.0);
    t = (ab * s + br) / bb;
    if (t < -1 || t > 1) {
      t = std::clamp(t, -1.0, 1.0);
      s = std::clamp((ab * t - ar) / aa, -1.0, 1.0);
    }
  } else if (aa > 0) {
    s = std::clamp(-ar / aa, -1.0, 1.0);
  } else if (bb > 0) {
    t = std::clamp(br / bb, -1.0, 1.0);
  }
  a = ma + s * ha;
  b = mb + t * hb;
}

namespace {

/// From points that are apart to a separation; `fallback` is the axis when they are not.
Separation between(const Vec3& a, const Vec3& b, double tiny, const Axis& fallback) {
  const Vec3 d = b - a;
  const double l = d.norm();
  if (l > tiny) return {{d / l, l}, {a, b}, true};
  return {fallback, {a, a + fallback.normal * fallback.gap}, true};
}

}  // namespace

Separation boxPoint(const Vec3& half, const Vec3& p) {
  const Vec3 q = p.cwiseMax(-half).cwiseMin(half);
  const Vec3 depth = half - p.cwiseAbs();
  const int i = depth.x() <= depth.y() && depth.x() <= depth.z() ? 0 : depth.y() <= depth.z() ? 1 : 2;
  const double side = p[i] < 0 ? -1 : 1;
  const Axis inside{Vec3::Unit(i) * side, -depth[i]};
  // On or in the box: leave by the nearest face. Points a rounding error outside take the face normal too.
  if (depth.minCoeff() >= 0) return {inside, {p - inside.normal * inside.gap, p}, true};
  return between(q, p, 1e-12 * half.norm(), inside);
}

Separation cylinderPoint(const Vec3& half, const Vec3& p) {
  const double r = half.x(), h = half.z(), across = std::sqrt(p.x() * p.x() + p.y() * p.y());
  const Vec3 radial = across > 1e-14 * r ? Vec3(p.x() / across, p.y() / across, 0) : Vec3::UnitX();
  const double side = across - r, end = std::abs(p.z()) - h, up = p.z() < 0 ? -1 : 1;
  const Axis inside = side > end ? Axis{radial, side} : Axis{Vec3::UnitZ() * up, end};
  if (side <= 0 || end <= 0) return {inside, {p - inside.normal * inside.gap, p}, true};
  return between(radial * r + Vec3(0, 0, up * h), p, 1e-12 * (r + h), inside);
}

Separation boxSegment(const Pair& pair, double enough) {
  const Vec3 &half = pair.a.half, &m = pair.offset, d = pair.rotation * pair.b.half;
  // The squared distance of m + t d from the box is convex and piecewise quadratic in t, so its slope rises in straight
  // pieces: Newton's method, kept inside a bracket, ends exactly once it starts in the right piece.
  double low = -1, high = 1, t = 0;
  bool lowKnown = false, highKnown = false;
  const double dd = d.squaredNorm();
  if (dd > 0) t = std::clamp(-m.dot(d) / dd, -1.0, 1.0);
  for (int iteration = 0; iteration < 40; ++iteration) {
    double slope = 0, rise = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = m[i] + t * d[i], out = x > half[i] ? x - half[i] : x < -half[i] ? x + half[i] : 0;
      slope += out * d[i];
      rise += out != 0 ? d[i] * d[i] : 0;
    }
    if (std::abs(slope) <= 1e-15 * dd || !(rise > 0)) break;
    (slope > 0 ? high : low) = t;
    (slope > 0 ? highKnown : lowKnown) = true;
    double next = t - slope / rise;
    if (next <= low) next = lowKnown ? 0.5 * (low + high) : low;
    if (next >= high) next = highKnown ? 0.5 * (low + high) : high;
    if (next == t) break;
    t = next;
  }
  const Vec3 p = m + t * d, q = p.cwiseMax(-half).cwiseMin(half), gap = p - q;
  const double l2 = gap.squaredNorm(), tiny = 1e-7 * pair.scale;
  if (l2 > tiny * tiny) {
    const double l = std::sqrt(l2);
    return {{gap / l, l}, {q, p}, true};
  }
  // The segment enters the box or grazes it: faces, and edges of the box against the segment.
  return {separatingAxis(pair, enough), {}, false};
}

}  // namespace reeve::narrow
