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

void Bearing::start(const Instant& now, std::span<double> remembered, std::span<Sheet>) const {
  overlay<BearingMemory>(remembered) = {};
  if (pawl_.there())
    overlay<PawlMemory>(remembered, numbersIn<BearingMemory>).tooth = pawl_.toothAt(now.scalar(rotor_.block));
}

void Bearing::rows(const Instant& now, RowSet& out) const {
  const double holding = value(now, friction, friction_) + value(now, brakes, 1.0) * value(now, braking, brake_);
  const double viscous = value(now, damping, viscous_);
  const bool pawl = pawl_.there() && value(now, pawls, 1.0) != 0.0;
  if (holding == 0.0 && viscous == 0.0 && !pawl) return;
  out.group();
  resistanceRows(now, *this, holding, viscous, slot, out);
  if (pawl) pawl_.row(now, *this, overlay<PawlMemory>(now.past().memory, pawlMemory()), slot + 2, out);
}

void Bearing::forces(const Instant& now, Forces& out) const {
  const double turning = value(now, torque, torque_);
  if (turning == 0.0) return;
  const auto& blocks = now.model().blocks;
  out.force[static_cast<std::size_t>(blocks[static_cast<std::size_t>(rotor_.block)].v)] += turning;
  const Vec3 reaction = -turning * axis(now);
  const std::size_t i = static_cast<std::size_t>(blocks[static_cast<std::size_t>(rotor_.parent)].v) + 3;
  for (int k = 0; k < 3; ++k) out.force[i + static_cast<std::size_t>(k)] += reaction[k];
}

void Bearing::finish(const Instant& now, State& state, Events&) const {
  if (pawl_.there())
    pawl_.pass(coordinate(now), value(now, pawls, 1.0) == 0.0, overlay<PawlMemory>(state.memory, pawlMemory()));
  overlay<BearingMemory>(state.memory, memory).parentTurn = parentTurn(now);
}

std::optional<Parameter> Bearing::parameter(std::string_view field) const {
  if (passive()) return {};
  if (field == "friction") return Parameter{elementKey(*this, friction), friction_};
  if (field == "brake") return Parameter{elementKey(*this, braking), brake_};
  if (field == "damping") return Parameter{elementKey(*this, damping), viscous_};
  if (field == "torque") return Parameter{elementKey(*this, torque), torque_, -unbounded};
  if (field == "pawl" && pawl_.there()) return Parameter{elementKey(*this, pawls), 1.0, 0.0, 1.0};
  return {};
}

}  // namespace reeve
