#pragma once
#include "reeve/model/full_stiffness.h"
#include "reeve/model/parameter.h"

namespace reeve {

/// Drag of the air on a body, at its center of mass: F = −½ ρ A |u| u, u its velocity in the air and A drag
/// coefficient × area.
class Wind : public Element, public Tunable, public WritesFullStiffness {
 public:
  Wind(int block, double area) : block_(block), area_(area) {}
  void forces(const Instant& now, Forces& out) const override;
  /// It does not change with position.
  bool fullStiffness(const Instant&, std::span<const double>, FullStiffness&) const override { return true; }
  /// F·u is taken by drag; F·wind is what the moving air does.
  void work(const Instant& now, std::span<const double> force, Doings& out) const override;
  std::optional<Parameter> parameter(std::string_view field) const override;
  std::string_view tunableFields() const override { return "drag_area"; }

 private:
  int block_;
  double area_;  ///< m²
};

}  // namespace reeve
