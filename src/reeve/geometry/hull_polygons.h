#pragma once
// The steps of hull building that work on whole faces. Internal to src/geometry.
#include <array>
#include <expected>
#include <span>
#include <vector>

#include "reeve/geometry/hull.h"

namespace reeve::hull {

struct Triangle {
  std::array<int, 3> vertex;
  std::array<int, 3> adjacent;  ///< across the edge vertex[i] → vertex[i + 1]
  Vec3 normal;
  double offset;
  bool alive;
  double area;
};

/// Four points that are far apart: a long segment, the farthest from it, the farthest from their plane.
std::array<int, 4> firstTetrahedron(std::span<const Vec3> points);

/// One polygon for every patch of triangles within `flat` of one plane.
std::expected<Hull, HullError> mergeCoplanar(std::span<const Vec3> points, const std::vector<Triangle>& triangles,
                                             double flat);

/// Fills edges, adjacency, centre and radius from vertices, faces and corners; refuses an open or non-convex surface.
std::expected<void, HullError> finish(Hull& hull, double tolerance);

}  // namespace reeve::hull
