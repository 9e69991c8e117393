#pragma once
#include "reeve/elements/drivable.h"

namespace reeve {

/// A drive on one coordinate. Velocity: J v = target(t), |λ| ≤ max. Position: C = coordinate − target(t), as stiff as
/// asked. Force: λ = target(t). Feedback: a speed command u = P e + I ∫e + D de/dt, e = target(t) − observed, sampled
/// at the start of each step. Work done is remembered.
class Motor : public Element {
 public:
  Motor(const MotorSettings& settings, const Drivable* axis, int gauge)
      : settings_(settings), axis_(axis), gauge_(gauge) {}
  ElementLayout layout() const override { return {.slots = 1, .memory = 5}; }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  double work(const State& state) const { return state.memory[static_cast<std::size_t>(memory + work_)]; }

 private:
  enum Remembered { command_, sum_, lastError_, started_, work_ };
  MotorSettings settings_;
  const Drivable* axis_;
  int gauge_;
};

}  // namespace reeve
