#include "reeve/elements/hinge.h"

#include <cmath>

#include "reeve/math/scalar.h"

namespace reeve {

void HingeJoint::start(const Instant& now, std::span<double> remembered, std::span<Sheet>) const {
  overlay<HingeMemory>(remembered) = {};
  startCoordinate(now, remembered);
}

double HingeJoint::coordinate(const Instant& now) const {
  const Vec3 side = inA(now, frameA_.side), up = inA(now, frameA_.up), moved = inB(now, frameB_.side);
  const double angle = math::atan2(moved.dot(up), moved.dot(side));
  // A body may turn more than half a revolution in a step: the rotation itself says how far.
  const double guess = overlay<HingeMemory>(now.past().memory, memory).angle +
                       inA(now, frameA_.axis).dot(now.turned(b_.block) - now.turned(a_.block));
  const double turns = std::floor((guess - angle) / (2.0 * math::pi) + 0.5);
  return angle + 2.0 * math::pi * turns;
}

double HingeJoint::coordinateRate(const Instant& now) const {
  return inA(now, frameA_.axis).dot(now.angularVelocity(b_.block) - now.angularVelocity(a_.block));
}

void HingeJoint::pushCoordinate(const Instant& now, RowSet& out) const {
  const Vec3 axis = inA(now, frameA_.axis);
  out.entry(a_.block, Vec3::Zero(), -axis);
  out.entry(b_.block, Vec3::Zero(), axis);
}

void HingeJoint::rows(const Instant& now, RowSet& out) const {
  if (released(now)) return;
  const Vec3 axis = inB(now, frameB_.axis);
  out.group();
  ballRows(now, slot, out);
  dotRow(now, inA(now, frameA_.side), axis, slot + 3, out);
  dotRow(now, inA(now, frameA_.up), axis, slot + 4, out);
  coordinateRows(now, slot + 5, out);
}

void HingeJoint::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  const std::size_t s = static_cast<std::size_t>(slot);
  const Vec3 axis = inB(now, frameB_.axis);
  ballStiffness(now, Vec3(force[s], force[s + 1], force[s + 2]), out);
  turnStiffness(
      now,
      dotStiffness(inA(now, frameA_.side), axis, force[s + 3]) + dotStiffness(inA(now, frameA_.up), axis, force[s + 4]),
      out);
}

void HingeJoint::finish(const Instant& now, State& state, Events&) const {
  finishCoordinate(now, slot + 5, state);
  overlay<HingeMemory>(state.memory, memory).angle = coordinate(now);
}

}  // namespace reeve
