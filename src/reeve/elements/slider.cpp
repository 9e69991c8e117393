#include "reeve/elements/slider.h"

#include <cmath>

namespace reeve {

double SliderJoint::coordinate(const Instant& now) const {
  return inA(now, frameA_.axis).dot(now.point(b_) - now.point(a_));
}

double SliderJoint::coordinateRate(const Instant& now) const {
  const Vec3 axis = inA(now, frameA_.axis), d = now.point(b_) - now.point(a_);
  return axis.dot(now.pointVelocity(b_) - now.pointVelocity(a_)) + now.angularVelocity(a_.block).cross(axis).dot(d);
}

void SliderJoint::pushAlong(const Instant& now, const Vec3& direction, RowSet& out) const {
  // d·(p_b − p_a) with d turning with a: a feels the force at the point of b.
  const Vec3 arm = now.point(b_) - now.position(a_.block);
  out.entry(a_.block, -direction, -arm.cross(direction));
  pushPoint(now, b_, direction, out);
}

void SliderJoint::pushCoordinate(const Instant& now, RowSet& out) const { pushAlong(now, inA(now, frameA_.axis), out); }

double SliderJoint::separation(const Instant& now) const {
  const Vec3 d = now.point(b_) - now.point(a_), axis = inA(now, frameA_.axis);
  return (d - axis * axis.dot(d)).norm();
}

void SliderJoint::start(const Instant& now, std::span<double> remembered, std::span<Sheet>) const {
  startCoordinate(now, remembered);
}

void SliderJoint::finish(const Instant& now, State& state, Events&) const { finishCoordinate(now, slot + 5, state); }

void SliderJoint::rows(const Instant& now, RowSet& out) const {
  if (released(now)) return;
  const Vec3 gap = now.point(b_) - now.point(a_);
  const Vec3 across[2] = {inA(now, frameA_.side), inA(now, frameA_.up)};
  out.group();
  for (int k = 0; k < 2; ++k) {
    Row& row = out.add(slot + k);
    row.error = across[k].dot(gap);
    give(now, row);
    pushAlong(now, across[k], out);
  }
  dotRow(now, inA(now, frameA_.axis), inB(now, frameB_.side), slot + 2, out);
  dotRow(now, inA(now, frameA_.side), inB(now, frameB_.up), slot + 3, out);
  dotRow(now, inA(now, frameA_.up), inB(now, frameB_.axis), slot + 4, out);
  coordinateRows(now, slot + 5, out);
}

void SliderJoint::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  const std::size_t s = static_cast<std::size_t>(slot);
  const Vec3 load = inA(now, frameA_.side) * force[s] + inA(now, frameA_.up) * force[s + 1];
  leverStiffness(now, b_, load, out);
  Mat3 k = dotStiffness(inA(now, frameA_.axis), inB(now, frameB_.side), force[s + 2]);
  k += dotStiffness(inA(now, frameA_.side), inB(now, frameB_.up), force[s + 3]);
  k += dotStiffness(inA(now, frameA_.up), inB(now, frameB_.axis), force[s + 4]);
  turnStiffness(now, k, out);
}

}  // namespace reeve
