#pragma once
// The few types every layer shares. SI units, right-handed, z up, double precision.
#include <Eigen/Dense>
#include <span>

#include "reeve/math/at.h"

#ifndef EIGEN_DONT_VECTORIZE
#error "Reeve needs EIGEN_DONT_VECTORIZE in every translation unit: link the reeve targets, which carry it"
#endif

namespace reeve {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaternion<double, Eigen::DontAlign>;

/// Three numbers of a long list, from place i on, as a vector.
inline Vec3 triple(std::span<const double> a, int i) { return Vec3(a[at(i)], a[at(i) + 1], a[at(i) + 2]); }
inline void setTriple(std::span<double> a, int i, const Vec3& x) {
  for (int k = 0; k < 3; ++k) a[at(i + k)] = x[k];
}
inline void addTriple(std::span<double> a, int i, const Vec3& x) {
  for (int k = 0; k < 3; ++k) a[at(i + k)] += x[k];
}

/// A rigid placement: x_W = rotation * x_L + position.
struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();

  Vec3 point(const Vec3& p_L) const { return orientation * p_L + position; }
  Vec3 direction(const Vec3& d_L) const { return orientation * d_L; }
  Vec3 pointInverse(const Vec3& p_W) const { return orientation.conjugate() * (p_W - position); }
  Vec3 directionInverse(const Vec3& d_W) const { return orientation.conjugate() * d_W; }
  /// this ∘ inner: the placement of something given in this frame.
  Pose operator*(const Pose& inner) const { return {point(inner.position), orientation * inner.orientation}; }
};

}  // namespace reeve
