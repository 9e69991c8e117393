#pragma once
// How a rigid block moves, with the history of the second-order difference: what is handed over when segments of a
// chain merge, split, are wound up or paid out.
#include "reeve/math/rotation.h"
#include "reeve/model/model.h"
#include "reeve/model/state.h"

namespace reeve {

struct SegmentMotion {
  Vec3 x = Vec3::Zero(), u = Vec3::Zero(), theta = Vec3::Zero();  ///< place, and the increments that led there
  Quat q = Quat::Identity();
  Vec3 p = Vec3::Zero(), l = Vec3::Zero();        ///< momentum, and that about the centre of mass
  Vec3 pOld = Vec3::Zero(), lOld = Vec3::Zero();  ///< a step before
  double mass = 0.0;
  Mat3 inertia_B = Mat3::Zero();

  Vec3 xOld() const { return x - u; }
  /// What turns directions of a step before into those of now.
  Mat3 turn() const { return rotationExp(theta).toRotationMatrix(); }
  Mat3 inertia() const {
    const Mat3 r = q.toRotationMatrix();
    return r * inertia_B * r.transpose();
  }
};

SegmentMotion motionOf(const State& state, const Block& block);
/// Writes it down; velocities follow from the momentum.
void setMotion(State& state, const Block& block, const SegmentMotion& motion);
/// What sleeps has no motion.
void stopMotion(State& state, const Block& block);

/// Two bodies that make up a rigid one, at places `at` (from its centre of mass, weighted with their masses zero) and
/// turned by `turned` about its axis: momenta so that both totals, linear and angular, are those of the whole.
void divideMotion(const SegmentMotion& whole, const Vec3 at[2], const Quat turned[2], SegmentMotion part[2]);
/// The reverse, at orientation q: the rigid body that has the momenta of both parts.
void joinMotion(const SegmentMotion part[2], const Quat& q, SegmentMotion& whole);

}  // namespace reeve
