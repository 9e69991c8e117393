#pragma once
// Convex hulls in the plane and in space, and plane sections of shapes. All of it runs at load time and may allocate.
#include <cstdint>
#include <expected>
#include <span>
#include <vector>

#include "reeve/math/types.h"

namespace reeve {

struct Shape;

/// A face may have at most this many corners: collision queries keep polygons on the stack.
inline constexpr int maxHullCorners = 64;

/// A convex polytope with polygonal faces: coplanar triangles are merged and every vertex is a true corner.
struct Hull {
  struct Face {
    Vec3 normal;    ///< unit, outward
    double offset;  ///< normal · x on the face
    int first;      ///< corners[first .. first + count) counter-clockwise seen from outside
    int count;
  };
  struct Edge {
    int from, to;     ///< vertices
    int left, right;  ///< faces; `left` runs from → to
  };
  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<int> corners;
  std::vector<Edge> edges;
  /// Faces and edges around vertex v: around[v] .. around[v + 1] index both lists (they have the same length).
  std::vector<int> around, vertexFaces, vertexEdges;
  Vec3 centre = Vec3::Zero();  ///< mean of the vertices: strictly inside
  double radius = 0;           ///< of the ball about `centre` that holds it all

  Vec3 support(const Vec3& direction) const { return vertices[supportVertex(direction)]; }
  int supportVertex(const Vec3& direction) const;
};

enum class HullError : std::uint8_t {
  tooFewPoints,
  notFinite,
  coplanar,
  collinear,
  notPositive,
  tooManyCorners,
  unresolved
};
const char* describe(HullError error);

/// Points nearer than about 1e-9 of the size to the hull of the others do not count; faces that agree within 1e-7 of
/// the size become one polygon. The result is checked (convex, closed) before it is returned.
std::expected<Hull, HullError> convexHull(std::span<const Vec3> points);

/// Counter-clockwise, without repeated or collinear points, starting at the lowest (x, then y).
std::expected<std::vector<Vec2>, HullError> convexHull(std::span<const Vec2> points);

/// The hull of a counter-clockwise convex polygon extruded to z = ±halfHeight. Faces: bottom, top, then the sides.
std::expected<Hull, HullError> extrude(std::span<const Vec2> polygon, double halfHeight);

/// Where a plane cuts a shape.
struct Section {
  enum class Kind : std::uint8_t { empty, circle, polygon, unbounded };
  Kind kind = Kind::empty;
  Vec3 centre = Vec3::Zero();  ///< of the circle
  double radius = 0;           ///< of the circle
  std::vector<Vec3> polygon;   ///< counter-clockwise about the plane's normal
};

/// The section by the plane through `point_B` with `normal_B` (any length), both in the body's frame. It is a circle
/// where it is exactly one: spheres, and cylinders and capsules cut across their axis. Other round sections become an
/// inscribed polygon with `arcPoints` points per half turn.
Section crossSection(const Shape& shape, const Vec3& point_B, const Vec3& normal_B, int arcPoints = 48);

}  // namespace reeve
