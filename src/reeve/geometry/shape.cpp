#include "reeve/geometry/shape.h"

#include <cmath>
#include <limits>

#include "reeve/geometry/support.h"

namespace reeve {

const char* describe(ShapeError error) {
  switch (error) {
    case ShapeError::notFinite:
      return "a size or the placement is not a finite number, or the orientation is not a unit quaternion";
    case ShapeError::notPositive:
      return "every radius and length must be greater than zero";
    case ShapeError::degenerate:
      return "the hull has no volume: build it from points with makeHull or makePrism";
    case ShapeError::tooManyCorners:
      return "a face has more than 64 corners";
  }
  return "";
}

namespace {

std::expected<void, ShapeError> checkSizes(std::initializer_list<double> sizes) {
  for (const double s : sizes) {
    if (!std::isfinite(s)) return std::unexpected(ShapeError::notFinite);
    if (!(s > 0)) return std::unexpected(ShapeError::notPositive);
  }
  return {};
}

std::expected<void, ShapeError> checkHull(const Hull& h) {
  if (h.vertices.size() < 4 || h.faces.size() < 4) return std::unexpected(ShapeError::degenerate);
  for (const Hull::Face& f : h.faces)
    if (f.count > maxHullCorners) return std::unexpected(ShapeError::tooManyCorners);
  return {};
}

struct SizeCheck {
  std::expected<void, ShapeError> operator()(const Sphere& s) const { return checkSizes({s.radius}); }
  std::expected<void, ShapeError> operator()(const Capsule& c) const { return checkSizes({c.radius, c.halfLength}); }
  std::expected<void, ShapeError> operator()(const Cylinder& c) const { return checkSizes({c.radius, c.halfLength}); }
  std::expected<void, ShapeError> operator()(const Box& b) const {
    return checkSizes({b.half.x(), b.half.y(), b.half.z()});
  }
  std::expected<void, ShapeError> operator()(const Hull& h) const { return checkHull(h); }
  std::expected<void, ShapeError> operator()(const Prism& p) const { return checkHull(p.hull); }
  std::expected<void, ShapeError> operator()(const HalfSpace&) const { return {}; }
};

Aabb halfSpaceBounds(const Pose& place) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Aabb box{Vec3::Constant(-inf), Vec3::Constant(inf)};
  const Vec3 n = place.direction(Vec3::UnitZ());
  for (int i = 0; i < 3; ++i) {
    const double across2 = n.squaredNorm() - n[i] * n[i];
    if (across2 > 1e-24) continue;
    (n[i] > 0 ? box.upper : box.lower)[i] = place.position[i];
  }
  return box;
}

}  // namespace

std::expected<void, ShapeError> check(const Shape& shape) {
  const double norm2 = shape.local.orientation.squaredNorm();
  if (!shape.local.position.allFinite() || !(std::abs(norm2 - 1) < 1e-6)) return std::unexpected(ShapeError::notFinite);
  return std::visit(SizeCheck{}, shape.geometry);
}

std::expected<Geometry, HullError> makeHull(std::span<const Vec3> points) {
  auto hull = convexHull(points);
  if (!hull) return std::unexpected(hull.error());
  return Geometry(std::move(*hull));
}

std::expected<Geometry, HullError> makePrism(std::span<const Vec2> points, double halfHeight) {
  auto polygon = convexHull(points);
  if (!polygon) return std::unexpected(polygon.error());
  auto hull = extrude(*polygon, halfHeight);
  if (!hull) return std::unexpected(hull.error());
  return Geometry(Prism{std::move(*polygon), halfHeight, std::move(*hull)});
}

Aabb bounds(const Shape& shape, const Pose& body) {
  const Pose place = body * shape.local;
  const narrow::Core core = narrow::coreOf(shape.geometry);
  if (core.kind == narrow::CoreKind::halfSpace) return halfSpaceBounds(place);
  const Mat3 R = place.orientation.toRotationMatrix();
  Vec3 reach = Vec3::Zero();
  switch (core.kind) {
    case narrow::CoreKind::segment:
      reach = (R * core.half).cwiseAbs();
      break;
    case narrow::CoreKind::box:
      reach = R.cwiseAbs() * core.half;
      break;
    case narrow::CoreKind::cylinder:
      for (int i = 0; i < 3; ++i)
        reach[i] = core.half.x() * std::sqrt(R(i, 0) * R(i, 0) + R(i, 1) * R(i, 1)) + core.half.z() * std::abs(R(i, 2));
      break;
    case narrow::CoreKind::hull: {
      Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
      for (const Vec3& v : core.hull->vertices) {
        const Vec3 x = R * v;
        lower = lower.cwiseMin(x);
        upper = upper.cwiseMax(x);
      }
      return {lower + place.position, upper + place.position};
    }
    default:
      break;
  }
  reach.array() += core.radius;
  return {place.position - reach, place.position + reach};
}

Vec3 support(const Shape& shape, const Vec3& direction_B) {
  const narrow::Core core = narrow::coreOf(shape.geometry);
  const Vec3 d = shape.local.directionInverse(direction_B);
  const double l = d.norm();
  Vec3 p = narrow::support(core, d);
  if (core.radius > 0 && l > 0) p += d * (core.radius / l);
  return shape.local.point(p);
}

}  // namespace reeve
