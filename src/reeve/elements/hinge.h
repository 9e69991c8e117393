#pragma once
#include "reeve/elements/joint.h"

namespace reeve {

/// Ball plus two dot rows; the angle about the common axis is free, counted through any number of turns.
class HingeJoint : public Joint {
 public:
  using Joint::Joint;
  ElementLayout layout() const override { return {.slots = 5 + coordinateSlots, .memory = 1}; }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  double coordinate(const Instant& now) const override;
  double coordinateRate(const Instant& now) const override;
  void pushCoordinate(const Instant& now, RowSet& out) const override;
};

}  // namespace reeve
