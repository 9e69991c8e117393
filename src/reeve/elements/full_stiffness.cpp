// The whole change with position of what joints, bearings, motors, couplings and given forces do (FullStiffness).
#include "reeve/model/full_stiffness.h"

#include <algorithm>

#include "reeve/elements/ball.h"
#include "reeve/elements/bearing.h"
#include "reeve/elements/coupling.h"
#include "reeve/elements/distance.h"
#include "reeve/elements/hinge.h"
#include "reeve/elements/load.h"
#include "reeve/elements/motor.h"
#include "reeve/elements/pushes.h"
#include "reeve/elements/slider.h"
#include "reeve/math/at.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {

using Six = FullStiffness::Six;

Vec3 threeFrom(std::span<const double> force, int slot) {
  return {force[at(slot)], force[at(slot + 1)], force[at(slot + 2)]};
}

/// Of F = λ d at a point of b, d fixed in a, which feels the opposite at the same place. With r from b and D from a to
/// that place:  f_b = F, τ_b = r × F, f_a = −F, τ_a = −D × F.
void alongAxisOfA(const Instant& now, int a, const Anchor& b, const Vec3& force, FullStiffness& out) {
  const Vec3 r = now.arm(b), far = now.point(b) - now.position(a);
  const auto turn = [](const Vec3& f, const Vec3& arm) -> Mat3 {  // −∂(arm × f)/∂φ, the arm turning
    return f.dot(arm) * Mat3::Identity() - arm * f.transpose();
  };
  const auto follow = [](const Vec3& f, const Vec3& arm) -> Mat3 {  // −∂(arm × f)/∂φ, the force turning
    return -(f.dot(arm) * Mat3::Identity() - f * arm.transpose());
  };
  const Mat3 cross = skew(force);
  Six bb = Six::Zero(), ba = Six::Zero(), ab = Six::Zero(), aa = Six::Zero();
  ba.topRightCorner<3, 3>() = cross;
  aa.topRightCorner<3, 3>() = -cross;
  bb.bottomRightCorner<3, 3>() = turn(force, r);
  ba.bottomRightCorner<3, 3>() = follow(force, r);
  ab.bottomLeftCorner<3, 3>() = -cross;
  aa.bottomLeftCorner<3, 3>() = cross;
  ab.bottomRightCorner<3, 3>() = -turn(force, r);
  aa.bottomRightCorner<3, 3>() = -follow(force, far);
  out.add(b.block, b.block, bb);
  out.add(b.block, a, ba);
  out.add(a, b.block, ab);
  out.add(a, a, aa);
}

}  // namespace

/// Of the torques ±λ u × w, u fixed in a and w in b.
void Joint::fullDot(const Vec3& u, const Vec3& w, double force, FullStiffness& out) const {
  const Mat3 byA = force * (u * w.transpose() - u.dot(w) * Mat3::Identity());  // ∂τ_a/∂φ_a
  Six k = Six::Zero();
  k.bottomRightCorner<3, 3>() = -byA;
  out.add(a_.block, a_.block, k);
  out.add(b_.block, a_.block, Six(-k));
  k.bottomRightCorner<3, 3>() = byA.transpose();  // −∂τ_a/∂φ_b
  out.add(a_.block, b_.block, k);
  out.add(b_.block, b_.block, Six(-k));
}

void Joint::fullBall(const Instant& now, const Vec3& forceOnB, FullStiffness& out) const {
  out.lever(a_, -forceOnB);
  out.lever(heldB(now), forceOnB);
}

/// Of all rows on the free coordinate, which begin at this slot.
void Joint::fullCoordinate(const Instant& now, int firstSlot, std::span<const double> force, FullStiffness& out) const {
  RowSet own;
  coordinateRows(now, firstSlot, own);
  double sum = 0.0;
  for (const Row& row : own.rows) {
    sum += force[at(row.slot)];
    coordinateLaw(now, 1.0, row.slot, out);
  }
  if (sum != 0.0) coordinateStiffness(now, sum, out);
}

bool BallJoint::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  if (!released(now)) fullBall(now, threeFrom(force, slot), out);
  return true;
}

bool UniversalJoint::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  if (released(now)) return true;
  fullBall(now, threeFrom(force, slot), out);
  fullDot(inA(now, frameA_.axis), inB(now, frameB_.axis), force[at(slot + 3)], out);
  return true;
}

bool FixedJoint::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  if (released(now)) return true;
  const AxisFrame held = heldFrame(now);
  fullBall(now, threeFrom(force, slot), out);
  fullDot(inA(now, frameA_.axis), inB(now, held.side), force[at(slot + 3)], out);
  fullDot(inA(now, frameA_.side), inB(now, held.up), force[at(slot + 4)], out);
  fullDot(inA(now, frameA_.up), inB(now, held.axis), force[at(slot + 5)], out);
  return true;
}

bool HingeJoint::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  if (released(now)) return true;
  const Vec3 axis = inB(now, frameB_.axis);
  fullBall(now, threeFrom(force, slot), out);
  fullDot(inA(now, frameA_.side), axis, force[at(slot + 3)], out);
  fullDot(inA(now, frameA_.up), axis, force[at(slot + 4)], out);
  fullCoordinate(now, slot + 5, force, out);
  return true;
}

/// Torques along the axis of a.
void HingeJoint::coordinateStiffness(const Instant& now, double force, FullStiffness& out) const {
  const Vec3 torque = force * inA(now, frameA_.axis);
  out.turning(a_.block, b_.block, torque);
  out.turning(a_.block, a_.block, -torque);
}

/// The angle is that of b's side seen along the axis of a: where the hinge gives way and its axes part, its gradient is
/// the axis less m̄ (m·axis)/|m̄|², m the side of b and m̄ its part across the axis.
void HingeJoint::coordinateLaw(const Instant& now, double factor, int rowSlot, FullStiffness& out) const {
  const Vec3 axis = inA(now, frameA_.axis), side = inB(now, frameB_.side);
  const Vec3 across = side - axis * axis.dot(side);
  FullStiffness::Column change = FullStiffness::Column::Zero();
  change.tail<3>() = (-factor * side.dot(axis) / across.squaredNorm()) * across;
  out.addLaw(rowSlot, b_.block, change);
  out.addLaw(rowSlot, a_.block, -change);
}

bool SliderJoint::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  if (released(now)) return true;
  const Vec3 load = inA(now, frameA_.side) * force[at(slot)] + inA(now, frameA_.up) * force[at(slot + 1)];
  alongAxisOfA(now, a_.block, b_, load, out);
  fullDot(inA(now, frameA_.axis), inB(now, frameB_.side), force[at(slot + 2)], out);
  fullDot(inA(now, frameA_.side), inB(now, frameB_.up), force[at(slot + 3)], out);
  fullDot(inA(now, frameA_.up), inB(now, frameB_.axis), force[at(slot + 4)], out);
  fullCoordinate(now, slot + 5, force, out);
  return true;
}

void SliderJoint::coordinateStiffness(const Instant& now, double force, FullStiffness& out) const {
  alongAxisOfA(now, a_.block, b_, force * inA(now, frameA_.axis), out);
}

bool DistanceJoint::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  if (released(now)) return true;
  double distance;
  const Vec3 n = direction(now, distance);
  if (!(distance > 1e-12)) return false;
  const double load = force[at(slot)];
  out.pair(a_, b_, (-load / distance) * (Mat3::Identity() - n * n.transpose()));
  out.lever(a_, -load * n);
  out.lever(b_, load * n);
  return true;
}

bool Bearing::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  RowSet own;
  rows(now, own);
  double sum = value(now, torque, torque_);
  for (const Row& row : own.rows) sum += force[at(row.slot)];
  coordinateStiffness(now, sum, out);
  return true;
}

void Bearing::coordinateStiffness(const Instant& now, double force, FullStiffness& out) const {
  out.turning(rotor_.parent, rotor_.parent, -force * axis(now));
}

bool Motor::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  if (!axis_->hasFullStiffness()) return false;
  axis_->coordinateStiffness(now, force[at(slot)], out);
  if (settings_.drive == DriveType::position) axis_->coordinateLaw(now, 1.0, slot, out);
  return true;
}

/// Of λ (J_a − p'(x) J_b): what the coordinates themselves do, and λ p''(x) J_b J_bᵀ.
bool Coupling::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  if (!a_.axis->hasFullStiffness() || !b_.axis->hasFullStiffness()) return false;
  const double load = force[at(slot)], x = b_.axis->coordinate(now) - b_.start;
  double slope, bend = 0.0;
  value(x, slope);
  for (std::size_t i = coefficients_.size(); i-- > 1;)
    bend = bend * x + static_cast<double>((i + 1) * i) * coefficients_[i];
  a_.axis->coordinateStiffness(now, load, out);
  a_.axis->coordinateLaw(now, 1.0, slot, out);
  b_.axis->coordinateStiffness(now, -slope * load, out);
  b_.axis->coordinateLaw(now, -slope, slot, out);
  RowSet own;
  own.group();
  own.add(slot);
  b_.axis->pushCoordinate(now, own);
  for (const Entry& r : own.entries)
    for (const Entry& c : own.entries)
      out.add(r.block, c.block,
              Six(load * bend * Eigen::Map<const FullStiffness::Column>(r.j) *
                  Eigen::Map<const FullStiffness::Column>(c.j).transpose()));
  return true;
}

bool Load::fullStiffness(const Instant& now, std::span<const double>, FullStiffness& out) const {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  if (!onRotor_) {
    acting(now, force, torque);
    if (!settings_.follows) {
      out.lever(at_, force);
    } else if (now.rotates(at_.block)) {
      out.turning(at_.block, at_.block, torque);
      Six k = Six::Zero();
      k.topRightCorner<3, 3>() = skew(force);
      out.add(at_.block, at_.block, k);
    }
    return true;
  }
  if (settings_.follows) return true;  // along the axle, whatever the parent does
  const double scale = settings_.scale ? profileValue(*settings_.scale, now.time) : 1.0;
  const Vec3 axis = now.rotation(parent_) * axis_P_;
  Six k = Six::Zero();
  k.topRightCorner<1, 3>() = -axis.cross(scale * value(now, 3, settings_.torque)).transpose();
  out.add(at_.block, parent_, k);
  return true;
}

bool Pushes::fullStiffness(const Instant& now, std::span<const double>, FullStiffness& out) const {
  for (const Push& p : now.past().pushes) {
    if (!now.rotates(p.block)) continue;
    const Mat3& turn = now.rotation(p.block);
    if (!p.follows) {
      out.lever({p.block, p.at}, p.force);
      continue;
    }
    out.turning(p.block, p.block, turn * (p.torque + p.at.cross(p.force)));
    Six k = Six::Zero();
    k.topRightCorner<3, 3>() = skew(turn * p.force);
    out.add(p.block, p.block, k);
  }
  return true;
}

}  // namespace reeve
