#pragma once
// The narrow phase: contacts, distances and rays between posed convex shapes.
//
// The signed gap of two convex solids is the largest, over unit normals n, of how far b lies beyond a along n: the
// distance when they are apart, minus the least translation that parts them when they overlap. Every pair finds the
// normal that attains it (in closed form, by separating axes, or by GJK and an expanding polytope that is then polished
// to the exact feature pair), and the contact points are the corners of the overlap of the two touching features
// projected along n. Nothing allocates, throws or gives NaN for shapes that pass check() and finite poses.
#include <array>
#include <cstdint>
#include <optional>

#include "reeve/geometry/shape.h"

namespace reeve {

struct ContactPoint {
  Vec3 pointA;            ///< on a, W
  Vec3 pointB;            ///< on b, W: pointA + gap normal
  Vec3 normal;            ///< unit, from a to b, W
  double gap;             ///< m; negative when overlapping
  std::uint32_t feature;  ///< which corners or edges meet here: the same from step to step while they do
};

struct Manifold {
  static constexpr int capacity = 8;
  int count = 0;
  std::array<ContactPoint, capacity> points;
};

/// Contacts with gap < margin, at most Manifold::capacity; returns their number. A and B are the poses of the bodies.
/// The smallest gap is that of the shapes, except that a face is preferred to an edge whose gap differs by less than 1
/// %. Two half-spaces never touch: neither can move.
int collide(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double margin, Manifold& out);

/// Keeps the deepest contact and those that spread widest, at most `most` of them.
void reduce(Manifold& manifold, int most);

struct Closest {
  double gap;   ///< m; negative when overlapping
  Vec3 pointA;  ///< on a, W
  Vec3 pointB;  ///< on b, W: pointA + gap normal
  Vec3 normal;  ///< unit, from a to b, W
};

/// Closest points, or the deepest ones. Two half-spaces have gap −infinity.
Closest distance(const Shape& a, const Pose& A, const Shape& b, const Pose& B);

struct SegmentClosest {
  double gap;       ///< m; negative when the segment enters the shape
  double fraction;  ///< along the segment, 0 at p0
  Vec3 onSegment;   ///< W
  Vec3 onShape;     ///< W
  Vec3 normal;      ///< unit, from the shape to the segment, W
};

/// A segment (a span of cable, thickness aside) against a shape. p0 = p1 is allowed: a point.
SegmentClosest closest(const Vec3& p0_W, const Vec3& p1_W, const Shape& shape, const Pose& body);

struct RayHit {
  double fraction;  ///< of the way from → to; 0 when `from` is inside
  Vec3 point;       ///< W
  Vec3 normal;      ///< unit, outward, W; against the ray when `from` is inside
};

/// The first point of the shape on the segment from → to.
std::optional<RayHit> raycast(const Shape& shape, const Pose& body, const Vec3& from_W, const Vec3& to_W);

}  // namespace reeve
