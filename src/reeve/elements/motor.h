#pragma once
#include "reeve/elements/drivable.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

/// What a motor remembers: of a feedback drive its command and its integral, last and whether there is a last; the
/// work.
struct MotorMemory {
  double command = 0.0, sum = 0.0, lastError = 0.0;
  Flag started;
  double work = 0.0;  ///< J
};

/// A drive on one coordinate. Velocity: J v = target(t), |λ| ≤ max. Position: C = coordinate − target(t), as stiff as
/// asked. Force: λ = target(t). Feedback: a speed command u = P e + I ∫e + D de/dt, e = target(t) − observed, sampled
/// at the start of each step. Work done is remembered.
class Motor : public Element {
 public:
  Motor(const MotorSettings& settings, const Drivable* axis, int gauge)
      : settings_(settings), axis_(axis), gauge_(gauge) {}
  ElementLayout layout() const override { return {.slots = 1, .memory = numbersIn<MotorMemory>}; }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  double work(const State& state) const { return overlay<MotorMemory>(state.memory, memory).work; }

 private:
  MotorSettings settings_;
  const Drivable* axis_;
  int gauge_;
};

}  // namespace reeve
