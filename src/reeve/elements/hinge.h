#pragma once
#include "reeve/elements/joint.h"

namespace reeve {

/// Ball plus two dot rows; the angle about the common axis is free, counted through any number of turns.
class HingeJoint : public Joint {
 public:
  using Joint::Joint;
  int slots() const override { return 5 + coordinateSlots; }
  int memorySize() const override { return 1; }  // the angle, so that turns are counted
  void start(const Instant& now, std::span<double> memory) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  void finish(const Instant& now, State& state, std::vector<Notice>& notices) const override;
  double coordinate(const Instant& now) const override;
  double coordinateRate(const Instant& now) const override;
  void pushCoordinate(const Instant& now, RowSet& out) const override;
};

}  // namespace reeve
