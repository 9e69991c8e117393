#pragma once
// The few types every layer shares. SI units, right-handed, z up, double precision.
#include <Eigen/Dense>

#ifndef EIGEN_DONT_VECTORIZE
#error "Reeve needs EIGEN_DONT_VECTORIZE in every translation unit: link the reeve targets, which carry it"
#endif

namespace reeve {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaternion<double, Eigen::DontAlign>;

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
