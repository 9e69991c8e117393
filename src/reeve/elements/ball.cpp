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
  dotRow(now, inA(now, frameA_.axis), inB(now, frameB_.side), slot + 3, out);
  dotRow(now, inA(now, frameA_.side), inB(now, frameB_.up), slot + 4, out);
  dotRow(now, inA(now, frameA_.up), inB(now, frameB_.axis), slot + 5, out);
}

void FixedJoint::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  const std::size_t s = static_cast<std::size_t>(slot);
  ballStiffness(now, forceAt(force, slot), out);
  Mat3 k = dotStiffness(inA(now, frameA_.axis), inB(now, frameB_.side), force[s + 3]);
  k += dotStiffness(inA(now, frameA_.side), inB(now, frameB_.up), force[s + 4]);
  k += dotStiffness(inA(now, frameA_.up), inB(now, frameB_.axis), force[s + 5]);
  turnStiffness(now, k, out);
}

}  // namespace reeve
