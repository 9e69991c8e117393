// Plane sections of shapes.
#include <algorithm>
#include <cmath>

#include "reeve/geometry/shape.h"
#include "reeve/geometry/support.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// A plane in the geometry's frame, with a basis: u × w = normal.
struct Cut {
  Vec3 point, normal, u, w;

  double height(const Vec3& x) const { return normal.dot(x - point); }
};

/// Convex polygon from points near the plane, in whatever order they come.
Section polygonThrough(const Cut& cut, const std::vector<Vec3>& points) {
  std::vector<Vec2> flat;
  for (const Vec3& p : points) flat.emplace_back(cut.u.dot(p - cut.point), cut.w.dot(p - cut.point));
  Section s;
  const auto hull = convexHull(flat);
  if (!hull) return s;
  s.kind = Section::Kind::polygon;
  for (const Vec2& p : *hull) s.polygon.push_back(cut.point + cut.u * p.x() + cut.w * p.y());
  return s;
}

Section cutPolytope(const Cut& cut, std::span<const Vec3> vertices, const auto& edges) {
  std::vector<Vec3> crossings;
  for (const auto& e : edges) {
    const Vec3 &a = vertices[e.from], &b = vertices[e.to];
    const double ha = cut.height(a), hb = cut.height(b);
    if (ha == 0) crossings.push_back(a);
    if (hb == 0) crossings.push_back(b);
    if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) crossings.push_back(a + (b - a) * (ha / (ha - hb)));
  }
  return polygonThrough(cut, crossings);
}

Section cutBox(const Cut& cut, const Vec3& half) {
  std::array<Vec3, 8> v;
  for (int i = 0; i < 8; ++i)
    v[i] = {i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(), i & 4 ? half.z() : -half.z()};
  struct Pair {
    int from, to;
  };
  std::vector<Pair> edges;
  for (int i = 0; i < 8; ++i)
    for (const int bit : {1, 2, 4})
      if (!(i & bit)) edges.push_back({i, i | bit});
  return cutPolytope(cut, v, edges);
}

Section circle(const Vec3& centre, double radius2) {
  Section s;
  if (!(radius2 > 0)) return s;
  s.kind = Section::Kind::circle;
  s.centre = centre;
  s.radius = std::sqrt(radius2);
  return s;
}

/// Points of the outline of an infinite-cap cylinder's section. With x along the plane's tilt the plane is
/// tilt·x + lean·z = d, so z in ±h keeps x between two chords and the outline is two arcs between them.
void cylinderOutline(const Cut& cut, double radius, double h, int arcPoints, std::vector<Vec3>& out) {
  const double lean = cut.normal.z();
  const double tilt = std::sqrt(cut.normal.x() * cut.normal.x() + cut.normal.y() * cut.normal.y());
  const Vec3 ex(cut.normal.x() / tilt, cut.normal.y() / tilt, 0), ey(-ex.y(), ex.x(), 0);
  const double d = cut.normal.dot(cut.point);
  const auto put = [&](double x, double y, double z) { out.push_back(ex * x + ey * y + Vec3(0, 0, z)); };
  if (std::abs(lean) < 1e-12) {
    const double x = d / tilt, y2 = radius * radius - x * x;
    if (!(y2 > 0)) return;
    for (const double y : {-std::sqrt(y2), std::sqrt(y2)})
      for (const double z : {-h, h}) put(x, y, z);
    return;
  }
  const double x0 = (d - lean * h) / tilt, x1 = (d + lean * h) / tilt;
  const double low = std::max(-radius, std::min(x0, x1)), high = std::min(radius, std::max(x0, x1));
  if (!(low < high)) return;
  const double from = math::acos(high / radius), to = math::acos(low / radius);
  for (int i = 0; i <= arcPoints; ++i) {
    double s, c;
    math::sincos(from + (to - from) * i / arcPoints, s, c);
    const double x = i == 0 ? high : i == arcPoints ? low : radius * c;
    const double y = std::sqrt(std::max(0.0, radius * radius - x * x));
    const double z = std::clamp((d - tilt * x) / lean, -h, h);
    put(x, y, z);
    put(x, -y, z);
  }
}

/// The circle in which the plane cuts the ball at the end of a capsule, as far as it lies beyond that end.
void ballOutline(const Cut& cut, double radius, double end, int arcPoints, std::vector<Vec3>& out) {
  const Vec3 ball(0, 0, end);
  const double d = cut.height(ball), r2 = radius * radius - d * d;
  if (!(r2 > 0)) return;
  const Vec3 centre = ball - cut.normal * d;
  for (int i = 0; i < 2 * arcPoints; ++i) {
    double s, c;
    math::sincos(math::pi * i / arcPoints, s, c);
    const Vec3 p = centre + (cut.u * c + cut.w * s) * std::sqrt(r2);
    if ((p.z() - end) * end >= 0) out.push_back(p);
  }
}

Section cutCylinder(const Cut& cut, double radius, double h, int arcPoints) {
  if (std::abs(cut.normal.z()) > 1 - 1e-15) {
    const double z = cut.point.z();
    return std::abs(z) <= h ? circle({0, 0, z}, radius * radius) : Section{};
  }
  std::vector<Vec3> outline;
  cylinderOutline(cut, radius, h, arcPoints, outline);
  return polygonThrough(cut, outline);
}

Section cutCapsule(const Cut& cut, double radius, double h, int arcPoints) {
  if (std::abs(cut.normal.z()) > 1 - 1e-15) {
    const double z = cut.point.z(), beyond = std::max(0.0, std::abs(z) - h);
    return circle({0, 0, z}, radius * radius - beyond * beyond);
  }
  std::vector<Vec3> outline;
  cylinderOutline(cut, radius, h, arcPoints, outline);
  ballOutline(cut, radius, h, arcPoints, outline);
  ballOutline(cut, radius, -h, arcPoints, outline);
  return polygonThrough(cut, outline);
}

}  // namespace

Section crossSection(const Shape& shape, const Vec3& point_B, const Vec3& normal_B, int arcPoints) {
  Cut cut;
  cut.point = shape.local.pointInverse(point_B);
  cut.normal = shape.local.directionInverse(normal_B);
  const double l = cut.normal.norm();
  if (!(l > 0) || !std::isfinite(l) || !cut.point.allFinite()) return {};
  cut.normal /= l;
  cut.u = narrow::perpendicular(cut.normal);
  cut.w = cut.normal.cross(cut.u);
  arcPoints = std::clamp(arcPoints, 4, 4096);
  struct Visitor {
    const Cut& cut;
    int arcPoints;
    Section operator()(const Sphere& s) const {
      const double d = cut.height(Vec3::Zero());
      return circle(-cut.normal * d, s.radius * s.radius - d * d);
    }
    Section operator()(const Capsule& c) const { return cutCapsule(cut, c.radius, c.halfLength, arcPoints); }
    Section operator()(const Cylinder& c) const { return cutCylinder(cut, c.radius, c.halfLength, arcPoints); }
    Section operator()(const Box& b) const { return cutBox(cut, b.half); }
    Section operator()(const Hull& h) const { return cutPolytope(cut, h.vertices, h.edges); }
    Section operator()(const Prism& p) const { return cutPolytope(cut, p.hull.vertices, p.hull.edges); }
    Section operator()(const HalfSpace&) const {
      Section s;
      s.kind = Section::Kind::unbounded;
      return s;
    }
  };
  Section s = std::visit(Visitor{cut, arcPoints}, shape.geometry);
  s.centre = shape.local.point(s.centre);
  for (Vec3& p : s.polygon) p = shape.local.point(p);
  return s;
}

}  // namespace reeve
