#pragma once
// The narrow phase sees every bounded shape as a core (point, segment, box, hull, cylinder) swollen by a radius.
// Internal to src/geometry.
#include <cstdint>

#include "reeve/geometry/shape.h"

namespace reeve::narrow {

enum class CoreKind : std::uint8_t { point, segment, box, hull, cylinder, halfSpace };

struct Core {
  CoreKind kind = CoreKind::point;
  double radius = 0;  ///< swells the core
  Vec3 half =
      Vec3::Zero();  ///< box: half extents; segment: half of it, as a vector; cylinder: (radius, radius, half length)
  const Hull* hull = nullptr;

  bool polytope() const { return kind <= CoreKind::hull; }
};

Core coreOf(const Geometry& geometry);

/// The size of the core about its frame's origin or hull centre, for tolerances.
double extent(const Core& core);

inline Vec3 supportCylinder(const Vec3& half, const Vec3& d) {
  const double across2 = d.x() * d.x() + d.y() * d.y();
  const double z = d.z() < 0 ? -half.z() : half.z();
  if (across2 < 1e-300) return {half.x(), 0, z};
  const double k = half.x() / std::sqrt(across2);
  return {d.x() * k, d.y() * k, z};
}

inline Vec3 support(const Core& core, const Vec3& d) {
  switch (core.kind) {
    case CoreKind::segment:
      return core.half.dot(d) < 0 ? Vec3(-core.half) : core.half;
    case CoreKind::box:
      return {d.x() < 0 ? -core.half.x() : core.half.x(), d.y() < 0 ? -core.half.y() : core.half.y(),
              d.z() < 0 ? -core.half.z() : core.half.z()};
    case CoreKind::hull:
      return core.hull->support(d);
    case CoreKind::cylinder:
      return supportCylinder(core.half, d);
    case CoreKind::point:
    case CoreKind::halfSpace:
      break;
  }
  return Vec3::Zero();
}

/// Two cores, everything in the frame of a: x_A = rotation x_B + offset.
struct Pair {
  Core a, b;
  Mat3 rotation = Mat3::Identity();
  Vec3 offset = Vec3::Zero();
  double scale = 1;               ///< extent of a plus extent of b
  Mat3 frame = Mat3::Identity();  ///< from the frame of a to W

  Vec3 supportA(const Vec3& d) const { return support(a, d); }
  Vec3 supportB(const Vec3& d) const { return rotation * support(b, rotation.transpose() * d) + offset; }
  /// How far b's core lies beyond a's core along the unit normal n: the largest over all n is the signed gap.
  double separation(const Vec3& n) const { return n.dot(supportB(-n) - supportA(n)); }
};

Pair makePair(const Core& a, const Pose& A, const Core& b, const Pose& B);

/// Some unit vector perpendicular to d (which need not be unit; zero gives x).
Vec3 perpendicular(const Vec3& d);

}  // namespace reeve::narrow
