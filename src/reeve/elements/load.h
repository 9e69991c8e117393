#pragma once
#include "reeve/model/full_stiffness.h"
#include "reeve/model/parameter.h"

namespace reeve {

/// An external force and torque on a body, a particle or a rotor.
class Load : public Element, public Tunable, public WritesFullStiffness {
 public:
  Load(const ForceSettings& settings, Anchor at, bool onRotor, Vec3 axis_P, int parent)
      : settings_(settings), at_(at), onRotor_(onRotor), axis_P_(axis_P), parent_(parent) {}
  void forces(const Instant& now, Forces& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  void work(const Instant& now, std::span<const double> force, Doings& out) const override;
  std::optional<Parameter> parameter(std::string_view field) const override;
  std::string_view tunableFields() const override { return "force.x, force.y, force.z, torque.x, torque.y, torque.z"; }

 private:
  void acting(const Instant& now, Vec3& force, Vec3& torque) const;
  /// Force or torque now, from field `first` on.
  Vec3 value(const Instant& now, int first, const Vec3& declared) const;
  ForceSettings settings_;
  Anchor at_;
  bool onRotor_;
  Vec3 axis_P_;
  int parent_;
};

/// Viscous drag on a block: −linear·v, −angular·ω.
class Drag : public Element, public Tunable, public WritesFullStiffness {
 public:
  Drag(int block, double linear, double angular) : block_(block), linear_(linear), angular_(angular) {}
  void forces(const Instant& now, Forces& out) const override;
  /// It does not change with position.
  bool fullStiffness(const Instant&, std::span<const double>, FullStiffness&) const override { return true; }
  void work(const Instant& now, std::span<const double> force, Doings& out) const override;
  std::optional<Parameter> parameter(std::string_view field) const override;
  std::string_view tunableFields() const override { return "drag, angular_drag"; }

 private:
  int block_;
  double linear_, angular_;
};

}  // namespace reeve
