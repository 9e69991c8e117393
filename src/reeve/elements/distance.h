#pragma once
#include "reeve/elements/joint.h"

namespace reeve {

/// C = |p_b − p_a| − length, between points of bodies or particles. Two-sided, or rope-like (pulls only), or strut-like
/// (pushes only). With compliance it is a spring. Its geometric stiffness is T (1 − n nᵀ)/ℓ between the points.
class DistanceJoint : public Joint {
 public:
  DistanceJoint(const JointSettings& settings, Anchor a, Anchor b, double length)
      : Joint(settings, a, b, {}, {}), rest_(length) {}
  ElementLayout layout() const override { return {.slots = 1}; }
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  Energy energy(const Instant& now, std::span<const double> force) const override;
  double coordinate(const Instant& now) const override;
  double coordinateRate(const Instant& now) const override;
  double separation(const Instant& now) const override;
  std::string hookOn(const Instant& now, State& state) const override;

 private:
  Vec3 direction(const Instant& now, double& distance) const;
  double restLength() const override { return rest_; }
  double rest_;  ///< m
};

}  // namespace reeve
