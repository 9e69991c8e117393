#include "reeve/elements/ball.h"

namespace reeve {

namespace {
Vec3 forceAt(std::span<const double> force, int slot) {
  const std::size_t i = static_cast<std::size_t>(slot);
  return Vec3(force[i], force[i + 1], force[i + 2]);
}
}  // namespace

void BallJoint::rows(const Instant& now, RowSet& out) const {
  if (released(now)) return;
  out.group();
  ballRows(now, slot, out);
}

void BallJoint::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  ballStiffness(now, forceAt(force, slot), out);
}

void UniversalJoint::rows(const Instant& now, RowSet& out) const {
  if (released(now)) return;
  out.group();
  ballRows(now, slot, out);
  dotRow(now, inA(now, frameA_.axis), inB(now, frameB_.axis), slot + 3, out);
}

void UniversalJoint::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  ballStiffness(now, forceAt(force, slot), out);
  turnStiffness(now,
                dotStiffness(inA(now, frameA_.axis), inB(now, frameB_.axis), force[static_cast<std::size_t>(slot) + 3]),
                out);
}

void FixedJoint::rows(const Instant& now, RowSet& out) const {
  if (released(now)) return;
  out.group();
  ballRows(now, slot, out);
  const AxisFrame held = heldFrame(now);
  dotRow(now, inA(now, frameA_.axis), inB(now, held.side), slot + 3, out);
  dotRow(now, inA(now, frameA_.side), inB(now, held.up), slot + 4, out);
  dotRow(now, inA(now, frameA_.up), inB(now, held.axis), slot + 5, out);
}

AxisFrame FixedJoint::heldFrame(const Instant& now) const {
  if (now.past().overrides.empty() || !findOverride(now.past(), elementKey(*this, turn_))) return frameB_;
  double wxyz[4];
  for (int k = 0; k < 4; ++k) wxyz[k] = chosen(now.past(), elementKey(*this, turn_ + k), 0.0);
  const Mat3 turn = Quat(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).normalized().toRotationMatrix();
  return {turn * frameA_.axis, turn * frameA_.side, turn * frameA_.up};
}

void FixedJoint::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  const std::size_t s = static_cast<std::size_t>(slot);
  ballStiffness(now, forceAt(force, slot), out);
  const AxisFrame held = heldFrame(now);
  Mat3 k = dotStiffness(inA(now, frameA_.axis), inB(now, held.side), force[s + 3]);
  k += dotStiffness(inA(now, frameA_.side), inB(now, held.up), force[s + 4]);
  k += dotStiffness(inA(now, frameA_.up), inB(now, held.axis), force[s + 5]);
  turnStiffness(now, k, out);
}

}  // namespace reeve
