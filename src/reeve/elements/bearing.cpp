#include "reeve/elements/bearing.h"

namespace reeve {

double Bearing::coordinate(const Instant& now) const { return now.scalar(rotor_.block) - parentTurn(now); }

double Bearing::coordinateRate(const Instant& now) const {
  return now.rate(rotor_.block) - axis(now).dot(now.angularVelocity(rotor_.parent));
}

void Bearing::pushCoordinate(const Instant& now, RowSet& out) const {
  out.entry(rotor_.block, 1.0);
  out.entry(rotor_.parent, Vec3::Zero(), -axis(now));
}

void Bearing::rows(const Instant& now, RowSet& out) const {
  if (holding_ == 0.0 && viscous_ == 0.0) return;
  out.group();
  resistanceRows(now, *this, holding_, viscous_, slot, out);
}

void Bearing::forces(const Instant& now, Forces& out) const {
  if (torque_ == 0.0) return;
  const auto& blocks = now.model().blocks;
  out.force[static_cast<std::size_t>(blocks[static_cast<std::size_t>(rotor_.block)].v)] += torque_;
  const Vec3 reaction = -torque_ * axis(now);
  const std::size_t i = static_cast<std::size_t>(blocks[static_cast<std::size_t>(rotor_.parent)].v) + 3;
  for (int k = 0; k < 3; ++k) out.force[i + static_cast<std::size_t>(k)] += reaction[k];
}

void Bearing::finish(const Instant& now, State& state, Events&) const {
  overlay<BearingMemory>(state.memory, memory).parentTurn = parentTurn(now);
}

}  // namespace reeve
