#include "reeve/elements/motor.h"

#include <algorithm>

namespace reeve {

void Motor::start(const Instant&, std::span<double> remembered, std::span<Sheet>) const {
  overlay<MotorMemory>(remembered) = {};
}

void Motor::begin(const Instant& now, const StepContext& context, State& state) const {
  if (settings_.drive != DriveType::feedback) return;
  MotorMemory& m = overlay<MotorMemory>(state.memory, memory);
  const double error = profileValue(settings_.target, now.time) - context.gauge.read(gauge_);
  const double h = context.h;  // it is sampled at the start of every substep
  const double slope = m.started ? (error - m.lastError) / h : 0.0;
  const double sum = m.sum + h * error;
  const double wish = settings_.proportional * error + settings_.integral * sum + settings_.derivative * slope;
  const double limit = settings_.maxSpeed;
  m.command = std::clamp(wish, -limit, limit);
  if (wish == m.command) m.sum = sum;  // no wind-up while the command is at its limit
  m.lastError = error;
  m.started = true;
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
      row.speed = overlay<MotorMemory>(now.past().memory, memory).command;
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
  overlay<MotorMemory>(state.memory, memory).work +=
      now.h * state.force[static_cast<std::size_t>(slot)] * axis_->coordinateRate(now);
}

}  // namespace reeve
