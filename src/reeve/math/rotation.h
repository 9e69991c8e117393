#pragma once
// Rotations: rotation vectors (axis times angle), unit quaternions and the derivatives between them.
#include "reeve/math/types.h"

namespace reeve {

/// [a]×, so that skew(a) * b = a × b.
Mat3 skew(const Vec3& a);

/// The unit quaternion of the rotation by |theta| radians about theta. Accurate for any angle, 0 included.
Quat rotationExp(const Vec3& theta);

/// The shortest rotation vector of a unit quaternion: |result| ≤ π, and q and -q give the same one.
Vec3 rotationLog(const Quat& q);

/// The matrix T⁻¹ with dtheta = T⁻¹ dphi, where exp(theta + dtheta) = exp(dphi) exp(theta) to first order: how a
/// rotation vector changes when its rotation is followed by a small world rotation dphi.
///
///   T⁻¹ = 1 - ½ [θ]× + c [θ]×²,   c = (1 - (θ/2) cot(θ/2)) / θ²,   θ = |theta|
///
/// c has a pole at θ = 2π, where rotation vectors stop being coordinates. From 2π - 1e-3 on, c is held at its value
/// there, so the result stays finite; take rotationLog of the rotation before that happens.
Mat3 leftJacobianInverse(const Vec3& theta);

/// Two unit vectors that make (t1, t2, n) right-handed, for a unit n. A pure function of n, continuous except where
/// n.z changes sign (Duff et al., "Building an orthonormal basis, revisited", JCGT 2017).
void orthonormalBasis(const Vec3& n, Vec3& t1, Vec3& t2);

/// The smallest rotation that turns the direction of a into the direction of b. For opposite vectors, where the axis
/// is free, a fixed choice perpendicular to a; for a zero vector the identity.
Quat fromTwoVectors(const Vec3& a, const Vec3& b);

/// The eigenvectors of a symmetric matrix as the columns of a rotation matrix, and its eigenvalues in rising order,
/// by cyclic Jacobi rotations. Reads the lower triangle.
Mat3 eigenSymmetric(const Mat3& a, Vec3& values);

}  // namespace reeve
