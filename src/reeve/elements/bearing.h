#pragma once
#include "reeve/elements/pawl.h"
#include "reeve/model/parameter.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

struct BearingMemory {
  double parentTurn = 0.0;  ///< rad, of the parent about the axle
};

/// What a rotor turns in: friction, damping, brake, a one-way clutch or ratchet and a constant torque between the wheel
/// and its parent. The
/// coordinate is the turn relative to the parent; on a moving parent that is the absolute spin less what the parent
/// itself has turned about the axle, which no function of the pose gives, so it is remembered.
class Bearing : public Element, public Drivable, public Tunable, public WritesFullStiffness {
 public:
  Bearing(const Rotor& rotor, const RotorSettings& settings)
      : rotor_(rotor),
        friction_(settings.friction),
        brake_(settings.brake),
        viscous_(settings.damping),
        torque_(settings.torque),
        pawl_(settings.oneWay, settings.pitch) {}

  /// A bearing that does nothing has no rows, and keeps none for what a program may ask of it later.
  bool passive() const {
    return friction_ == 0.0 && brake_ == 0.0 && viscous_ == 0.0 && torque_ == 0.0 && !pawl_.there();
  }
  ElementLayout layout() const override {
    return {.slots = passive() ? 0 : 2 + (pawl_.there() ? 1 : 0),
            .memory = numbersIn<BearingMemory> + (pawl_.there() ? numbersIn<PawlMemory> : 0),
            .passive = passive()};
  }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void rows(const Instant& now, RowSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  void forces(const Instant& now, Forces& out) const override;
  void work(const Instant& now, std::span<const double>, Doings& out) const override {
    out.add(Work::applied, value(now, torque, torque_) * coordinateRate(now));
  }
  void finish(const Instant& now, State& state, Events& events) const override;
  double coordinate(const Instant& now) const override;
  double coordinateRate(const Instant& now) const override;
  void pushCoordinate(const Instant& now, RowSet& out) const override;
  bool hasFullStiffness() const override { return true; }
  void coordinateStiffness(const Instant& now, double force, FullStiffness& out) const override;
  std::optional<Parameter> parameter(std::string_view field) const override;
  std::string_view tunableFields() const override {
    return passive()        ? "inertia"
           : !pawl_.there() ? "inertia, friction, brake, damping, torque"
                            : "inertia, friction, brake, damping, torque, pawl (0 lifted, 1 in)";
  }
  double brake() const { return brake_; }
  /// Key of State::overrides: 0 while a program keeps the brake released.
  std::int64_t brakeKey() const { return elementKey(*this, brakes); }

 private:
  enum Fields { brakes, friction, braking, damping, torque, pawls };
  int pawlMemory() const { return memory + numbersIn<BearingMemory>; }
  Vec3 axis(const Instant& now) const { return now.rotation(rotor_.parent) * rotor_.axis_B; }
  double parentTurn(const Instant& now) const {
    return overlay<BearingMemory>(now.past().memory, memory).parentTurn + axis(now).dot(now.turned(rotor_.parent));
  }
  Rotor rotor_;
  double value(const Instant& now, Fields field, double declared) const {
    return chosen(now.past(), elementKey(*this, field), declared);
  }
  double friction_, brake_, viscous_, torque_;
  Pawl pawl_;
};

}  // namespace reeve
