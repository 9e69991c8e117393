#pragma once
#include "reeve/elements/drivable.h"
#include "reeve/model/description.h"
#include "reeve/model/parameter.h"

namespace reeve {

/// Ties two coordinates: C = y − p(x), p(x) = c₁ x + c₂ x² + ..., y and x counted from where they start. The multiplier
/// is the torque or force on a; b feels −p'(x) times it.
class Coupling : public Element, public Tunable, public WritesFullStiffness {
 public:
  /// One of the two: what moves, and where it starts.
  struct Side {
    const Drivable* axis = nullptr;
    double start = 0.0;
  };
  Coupling(const CouplingSettings& settings, Side a, Side b);
  ElementLayout layout() const override { return {.slots = 1}; }
  void rows(const Instant& now, RowSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  Energy energy(const Instant& now, std::span<const double> force) const override;
  std::optional<Parameter> parameter(std::string_view field) const override;
  std::string_view tunableFields() const override { return "compliance"; }
  double error(const Instant& now) const;

 private:
  double compliance(const Instant& now) const { return chosen(now.past(), elementKey(*this, 0), settings_.compliance); }
  /// p(x) and its slope.
  double value(double x, double& slope) const;
  CouplingSettings settings_;
  std::vector<double> coefficients_;
  Side a_, b_;
};

}  // namespace reeve
