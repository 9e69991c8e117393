#include "reeve/record/picture/solid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reeve/math/scalar.h"

namespace reeve::record {
namespace {

using Interval = std::pair<double, double>;  // front, back (front is nearer the eye: larger)

std::optional<Interval> clipped(std::optional<Interval> a, std::optional<Interval> b) {
  if (!a || !b) return std::nullopt;
  const Interval both{std::min(a->first, b->first), std::max(a->second, b->second)};
  return both.first >= both.second ? std::optional(both) : std::nullopt;
}

std::optional<Interval> joined(std::optional<Interval> a, std::optional<Interval> b) {
  if (!a) return b;
  if (!b) return a;
  return Interval{std::max(a->first, b->first), std::min(a->second, b->second)};
}

std::optional<Interval> sphereDepth(const Vec3& c, double r, const Vec2& p) {
  const double square = r * r - (p - c.head<2>()).squaredNorm();
  if (square < 0.0) return std::nullopt;
  return Interval{c.z() + std::sqrt(square), c.z() - std::sqrt(square)};
}

/// Where n·x <= offset along the line of sight through p.
std::optional<Interval> planeDepth(const Vec3& n, double offset, const Vec2& p) {
  const double rest = offset - n.head<2>().dot(p);
  if (std::abs(n.z()) < 1e-9) return rest >= -1e-9 ? std::optional(Interval{1e300, -1e300}) : std::nullopt;
  return n.z() > 0.0 ? Interval{rest / n.z(), -1e300} : Interval{1e300, rest / n.z()};
}

std::optional<Interval> cylinderDepth(const Vec3& a, const Vec3& b, double r, const Vec2& p) {
  const Vec3 axis = (b - a).norm() > 1e-9 ? Vec3((b - a).normalized()) : Vec3::UnitZ();
  const auto slab = clipped(planeDepth(axis, axis.dot(b), p), planeDepth(-axis, -axis.dot(a), p));
  const Vec3 q = Vec3(p.x(), p.y(), 0.0) - a, sight = Vec3::UnitZ();
  const Vec3 across = q - q.dot(axis) * axis, drift = sight - sight.dot(axis) * axis;
  const double A = drift.squaredNorm(), B = across.dot(drift), C = across.squaredNorm() - r * r;
  if (A < 1e-12) return C <= 0.0 ? slab : std::nullopt;
  const double root = B * B - A * C;
  if (root < 0.0) return std::nullopt;
  return clipped(slab, Interval{(-B + std::sqrt(root)) / A, (-B - std::sqrt(root)) / A});
}

void addCircle(std::vector<Vec3>& points, const Vec3& center, const Vec3& axis, double radius) {
  static const std::array<Vec2, 28> corners = [] {
    std::array<Vec2, 28> round;
    for (std::size_t i = 0; i < round.size(); ++i) {
      const double turn = 2.0 * math::pi * static_cast<double>(i) / static_cast<double>(round.size());
      round[i] = Vec2(math::cos(turn), math::sin(turn));
    }
    return round;
  }();
  const Vec3 u = radius * sideways(axis), v = axis.normalized().cross(u);
  for (const Vec2& corner : corners) points.push_back(center + corner.x() * u + corner.y() * v);
}

std::vector<Vec3> boxCorners(const Vec3& size) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.emplace_back(((i & 1) - 0.5) * size.x(), ((i >> 1 & 1) - 0.5) * size.y(), ((i >> 2) - 0.5) * size.z());
  return corners;
}

std::vector<Face> boxFaces(const Vec3& size) {
  static constexpr int loops[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1},
                                      {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
  static const Vec3 normals[6] = {-Vec3::UnitX(), Vec3::UnitX(),  -Vec3::UnitY(),
                                  Vec3::UnitY(),  -Vec3::UnitZ(), Vec3::UnitZ()};
  const auto corners = boxCorners(size);
  std::vector<Face> faces;
  for (int f = 0; f < 6; ++f) {
    faces.push_back({{}, normals[f]});
    for (const int c : loops[f]) faces.back().corners.push_back(corners[static_cast<std::size_t>(c)]);
  }
  return faces;
}

std::vector<Face> prismFaces(const ShapeSettings& shape) {
  std::vector<Vec3> points;
  for (const Vec2& p : shape.polygon)
    for (const double z : {-shape.length / 2, shape.length / 2}) points.emplace_back(p.x(), p.y(), z);
  return hullFaces(points);
}

bool measurable(double x) { return std::isfinite(x) && x >= 0.0; }

}  // namespace

Rect Solid::bounds() const {
  Rect rect;
  if (kind == SolidKind::sphere || kind == SolidKind::capsule) {
    for (const Vec3& end : {a, kind == SolidKind::sphere ? a : b})
      rect.include(Rect{end.head<2>() - Vec2::Constant(radius), end.head<2>() + Vec2::Constant(radius)});
    return rect;
  }
  for (const Vec3& p : outline()) rect.include(p.head<2>());
  return rect;
}

std::optional<std::pair<double, double>> Solid::depth(const Vec2& p) const {
  switch (kind) {
    case SolidKind::sphere:
      return sphereDepth(a, radius, p);
    case SolidKind::cylinder:
    case SolidKind::wheel:
      return cylinderDepth(a, b, radius, p);
    case SolidKind::capsule:
      return joined(cylinderDepth(a, b, radius, p), joined(sphereDepth(a, radius, p), sphereDepth(b, radius, p)));
    case SolidKind::polyhedron:
      break;
  }
  std::optional<Interval> inside = Interval{1e300, -1e300};
  for (const Face& face : faces) inside = clipped(inside, planeDepth(face.normal, face.normal.dot(face.corners[0]), p));
  return faces.empty() ? std::nullopt : inside;
}

std::vector<Vec3> Solid::outline() const {
  std::vector<Vec3> points;
  const Vec3 axis = (b - a).norm() > 1e-9 ? Vec3(b - a) : Vec3::UnitZ();
  switch (kind) {
    case SolidKind::sphere:
      for (const Vec3& n : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())})
        addCircle(points, a, n, radius);
      break;
    case SolidKind::capsule:
      for (const Vec3& end : {a, b}) {
        addCircle(points, end, axis, radius);
        addCircle(points, end, sideways(axis), radius);
        addCircle(points, end, axis.cross(sideways(axis)), radius);
      }
      break;
    case SolidKind::cylinder:
    case SolidKind::wheel:
      addCircle(points, a, axis, radius);
      addCircle(points, b, axis, radius);
      break;
    case SolidKind::polyhedron:
      for (const Face& face : faces) points.insert(points.end(), face.corners.begin(), face.corners.end());
  }
  return points;
}

std::optional<Solid> solidOf(const ShapeSettings& shape, const Pose& body, const View& view) {
  const Pose pose = body * Pose{shape.position, shape.orientation.normalized()};
  const auto onPage = [&](const Vec3& p_L) { return view.project(pose.point(p_L)); };
  Solid solid;
  solid.mark = view.direction(pose.direction(Vec3::UnitX()));
  solid.radius = shape.radius * view.scale();
  switch (shape.type) {
    case ShapeType::halfSpace:
      return std::nullopt;
    case ShapeType::sphere:
      solid.kind = SolidKind::sphere;
      solid.a = onPage(Vec3::Zero());
      solid.b = view.direction(pose.direction(Vec3::UnitZ()));
      return measurable(shape.radius) ? std::optional(solid) : std::nullopt;
    case ShapeType::capsule:
    case ShapeType::cylinder:
      solid.kind = shape.type == ShapeType::capsule ? SolidKind::capsule : SolidKind::cylinder;
      solid.a = onPage(Vec3(0, 0, -shape.length / 2));
      solid.b = onPage(Vec3(0, 0, shape.length / 2));
      return measurable(shape.radius) && measurable(shape.length) ? std::optional(solid) : std::nullopt;
    case ShapeType::box:
      solid.faces = boxFaces(shape.size);
      break;
    case ShapeType::hull:
      solid.faces = hullFaces(shape.points);
      break;
    case ShapeType::prism:
      solid.faces = prismFaces(shape);
      break;
  }
  solid.kind = SolidKind::polyhedron;
  for (Face& face : solid.faces) {
    for (Vec3& corner : face.corners) corner = onPage(corner);
    face.normal = view.direction(pose.direction(face.normal));
  }
  return solid.faces.empty() ? std::nullopt : std::optional(solid);
}

Solid wheelSolid(const Stage::Wheel& wheel, const View& view) {
  Solid solid;
  solid.kind = SolidKind::wheel;
  const double half = std::isfinite(wheel.width) ? std::max(wheel.width, 0.0) / 2 : 0.0;
  solid.a = view.project(wheel.center - half * wheel.axis);
  solid.b = view.project(wheel.center + half * wheel.axis);
  solid.radius = measurable(wheel.radius) ? wheel.radius * view.scale() : 0.0;
  solid.mark = view.direction(wheel.spoke);
  solid.fill = wheelFill;
  return solid;
}

}  // namespace reeve::record
