#pragma once
// What a body looks like to collisions and to its mass: convex solids, each placed on its body.
//
// Frames: a geometry is given in its own frame G; `Shape::local` places G on the body frame B; a body's pose places B
// in the world W. Public queries take body poses. Lengths in metres.
#include <cstdint>
#include <expected>
#include <span>
#include <variant>
#include <vector>

#include "reeve/geometry/hull.h"
#include "reeve/math/types.h"

namespace reeve {

struct Sphere {
  double radius = 0.5;
};

/// A segment along z of length 2 halfLength, with a ball of `radius` swept along it.
struct Capsule {
  double radius = 0.5;
  double halfLength = 0.5;
};

/// A solid of revolution about z with flat ends at z = ±halfLength.
struct Cylinder {
  double radius = 0.5;
  double halfLength = 0.5;
};

struct Box {
  Vec3 half = Vec3::Constant(0.5);
};

/// A convex polygon (counter-clockwise in xy) from z = -halfHeight to +halfHeight. Build it with makePrism.
struct Prism {
  std::vector<Vec2> polygon;
  double halfHeight = 0.5;
  Hull hull;
};

/// All of z ≤ 0: the ground. For bodies that never move; it has no mass and no bounds.
struct HalfSpace {};

using Geometry = std::variant<Sphere, Capsule, Cylinder, Box, Hull, Prism, HalfSpace>;

struct Shape {
  Geometry geometry;
  Pose local;  ///< of the geometry on its body
};

enum class ShapeError : std::uint8_t { notFinite, notPositive, degenerate, tooManyCorners };
/// A sentence for people, without the name of the shape.
const char* describe(ShapeError error);

/// Refuses what the queries cannot take: sizes that are not finite and positive, hulls without faces.
std::expected<void, ShapeError> check(const Shape& shape);

/// The convex hull of points given in the geometry's frame.
std::expected<Geometry, HullError> makeHull(std::span<const Vec3> points);
/// The convex hull of points in xy, extruded to z = ±halfHeight.
std::expected<Geometry, HullError> makePrism(std::span<const Vec2> points, double halfHeight);

struct Aabb {
  Vec3 lower;
  Vec3 upper;

  bool overlaps(const Aabb& other) const {
    return lower.x() <= other.upper.x() && other.lower.x() <= upper.x() && lower.y() <= other.upper.y() &&
           other.lower.y() <= upper.y() && lower.z() <= other.upper.z() && other.lower.z() <= upper.z();
  }
};

/// The tight box around the shape, in W. A half-space is infinite, except above when its normal lies along an axis.
Aabb bounds(const Shape& shape, const Pose& body);

/// The point of the shape farthest along `direction_B` (any length; zero gives some point of the shape), in B.
/// A half-space has none in general: its origin is returned.
Vec3 support(const Shape& shape, const Vec3& direction_B);

}  // namespace reeve
