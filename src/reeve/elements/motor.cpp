#include "reeve/elements/motor.h"

#include <algorithm>

namespace reeve {

void Motor::start(const Instant&, std::span<double> remembered, std::span<Sheet>) const {
  std::fill(remembered.begin(), remembered.end(), 0.0);
}

void Motor::begin(const Instant& now, const StepContext& context, State& state) const {
  if (settings_.drive != DriveType::feedback) return;
  double* m = state.memory.data() + memory;
  const double error = profileValue(settings_.target, now.time) - context.gauge.read(gauge_);
  const double h = context.h;  // it is sampled at the start of every substep
  const double slope = m[started_] != 0.0 ? (error - m[lastError_]) / h : 0.0;
  const double sum = m[sum_] + h * error;
  const double wish = settings_.proportional * error + settings_.integral * sum + settings_.derivative * slope;
  const double limit = settings_.maxSpeed;
  m[command_] = std::clamp(wish, -limit, limit);
  if (wish == m[command_]) m[sum_] = sum;  // no wind-up while the command is at its limit
  m[lastError_] = error;
  m[started_] = 1.0;
}

void Motor::rows(const Instant& now, RowSet& out) const {
  out.group();
  Row& row = out.add(slot);
  row.lower = -settings_.maxForce;
  row.upper = settings_.maxForce;
  switch (settings_.drive) {
    case DriveType::velocity:
      row.level = Level::velocity;
      row.speed = profileValue(settings_.target, now.time);
      row.ramp = profileRate(settings_.target, now.time);
      break;
    case DriveType::feedback:
      row.level = Level::velocity;
      row.speed = now.memory(memory + command_);
      break;
    case DriveType::position:
      row.error = axis_->coordinate(now) - profileValue(settings_.target, now.time);
      row.speed = profileRate(settings_.target, now.time);
      row.compliance = settings_.stiffness < unbounded ? 1.0 / settings_.stiffness : 0.0;
      row.damping = settings_.damping * row.compliance;
      break;
    case DriveType::force: {
      const double force = profileValue(settings_.target, now.time);
      row.level = Level::velocity;
      row.lower = row.upper = std::clamp(force, -settings_.maxForce, settings_.maxForce);
      break;
    }
  }
  axis_->pushCoordinate(now, out);
}

void Motor::finish(const Instant& now, State& state, Events&) const {
  state.memory[static_cast<std::size_t>(memory + work_)] +=
      now.h * state.force[static_cast<std::size_t>(slot)] * axis_->coordinateRate(now);
}

}  // namespace reeve
