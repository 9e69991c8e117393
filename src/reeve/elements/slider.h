#pragma once
#include "reeve/elements/joint.h"

namespace reeve {

/// Two point rows across the axis, which is fixed in a, and three dot rows; the travel along the axis is free.
class SliderJoint : public Joint {
 public:
  using Joint::Joint;
  ElementLayout layout() const override { return {.slots = 5 + coordinateSlots(), .memory = coordinateMemory()}; }
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
  double separation(const Instant& now) const override;

 private:
  void pushAlong(const Instant& now, const Vec3& direction, RowSet& out) const;
};

}  // namespace reeve
