#pragma once
#include "reeve/elements/joint.h"

namespace reeve {

/// Three point rows; every rotation is free.
class BallJoint : public Joint {
 public:
  using Joint::Joint;
  ElementLayout layout() const override { return {.slots = 3}; }
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
};

/// Ball plus one dot row: the axis on a stays perpendicular to the axis on b.
class UniversalJoint : public Joint {
 public:
  using Joint::Joint;
  ElementLayout layout() const override { return {.slots = 4}; }
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
};

/// Ball plus three dot rows that hold the relative orientation.
class FixedJoint : public Joint {
 public:
  using Joint::Joint;
  ElementLayout layout() const override { return {.slots = 6}; }
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;

 private:
  /// Of b: as it started, or as a hook has caught it.
  AxisFrame heldFrame(const Instant& now) const;
};

}  // namespace reeve
