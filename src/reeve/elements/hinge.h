#pragma once
#include "reeve/elements/joint.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

struct HingeMemory {
  double angle = 0.0;  ///< rad, so that turns are counted
};

/// Ball plus two dot rows; the angle about the common axis is free, counted through any number of turns.
class HingeJoint : public Joint {
 public:
  using Joint::Joint;
  ElementLayout layout() const override {
    return {.slots = 5 + coordinateSlots(), .memory = ownMemory() + coordinateMemory()};
  }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  double coordinate(const Instant& now) const override;
  double coordinateRate(const Instant& now) const override;
  void pushCoordinate(const Instant& now, RowSet& out) const override;
  bool hasFullStiffness() const override { return true; }
  void coordinateStiffness(const Instant& now, double force, FullStiffness& out) const override;
  void coordinateLaw(const Instant& now, double factor, int rowSlot, FullStiffness& out) const override;

 protected:
  int ownMemory() const override { return numbersIn<HingeMemory>; }
};

}  // namespace reeve
