#pragma once
#include "reeve/elements/drivable.h"
#include "reeve/model/parameter.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

/// What a motor remembers: of a feedback drive its command, the sum of its errors, the last and whether there is a
/// last; the work it has done.
struct MotorMemory {
  double command = 0.0, sum = 0.0, lastError = 0.0;
  Flag started;
  double work = 0.0;  ///< J
};

/// A drive on one coordinate. Velocity: J v = target, |λ| ≤ max; with a gain λ = gain (target − J v), and a motor with
/// a torque-speed line has the gain stall / noLoad. Position: C = coordinate − target, as stiff as asked. Force: λ =
/// target. Feedback: a speed command u = P e + I ∫e + D de/dt, e = target − observed, sampled at the start of each
/// step. The target is that of the scene over time, or what a program has commanded last. Work done is remembered.
class Motor : public Element, public Tunable, public WritesFullStiffness {
 public:
  Motor(const MotorSettings& settings, const Drivable* axis, int gauge)
      : settings_(settings), axis_(axis), gauge_(gauge) {}
  ElementLayout layout() const override { return {.slots = 1, .memory = numbersIn<MotorMemory>}; }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void rows(const Instant& now, RowSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  double workDone(const State& state) const { return overlay<MotorMemory>(state.memory, memory).work; }
  /// W or, per unit of its coordinate's rate, what it gives now.
  double power(const Instant& now, const State& state) const {
    return state.force[static_cast<std::size_t>(slot)] * axis_->coordinateRate(now);
  }
  const MotorSettings& settings() const { return settings_; }
  std::optional<Parameter> parameter(std::string_view field) const override;
  std::string_view tunableFields() const override;

  /// Keys of State::overrides: what a program commands.
  std::int64_t targetKey() const { return elementKey(*this, target_); }
  std::int64_t limitKey() const { return elementKey(*this, maxForce_); }
  /// Of the stiffness, the gain of a velocity drive or the proportional gain; -1: the drive has none.
  std::int64_t gainKey() const;

 private:
  enum Field { target_, maxForce_, stiffness_, damping_, gain_, proportional_, integral_, derivative_, maxSpeed_ };
  double value(const Instant& now, Field field, double declared) const {
    return chosen(now.past(), elementKey(*this, field), declared);
  }
  double target(const Instant& now, double& rate) const;

  MotorSettings settings_;
  const Drivable* axis_;
  int gauge_;
};

}  // namespace reeve
