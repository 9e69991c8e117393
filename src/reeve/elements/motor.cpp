#include "reeve/elements/motor.h"

#include <algorithm>

namespace reeve {

void Motor::start(const Instant&, std::span<double> remembered, std::span<Sheet>) const {
  overlay<MotorMemory>(remembered) = {};
}

/// What it follows, and how fast that changes: a command stays until the next one.
double Motor::target(const Instant& now, double& rate) const {
  rate = 0.0;
  if (const Override* commanded = findOverride(now.past(), targetKey())) return commanded->value;
  rate = profileRate(settings_.target, now.time);
  return profileValue(settings_.target, now.time);
}

void Motor::begin(const Instant& now, const StepContext& context, State& state) const {
  if (settings_.drive != DriveType::feedback) return;
  MotorMemory& m = overlay<MotorMemory>(state.memory, memory);
  double rate;
  const double error = target(now, rate) - context.gauge.read(gauge_);
  const double h = context.h;  // it is sampled at the start of every substep
  const double slope = m.started ? (error - m.lastError) / h : 0.0;
  const double sum = m.sum + h * error;
  const double wish = value(now, proportional_, settings_.proportional) * error +
                      value(now, integral_, settings_.integral) * sum +
                      value(now, derivative_, settings_.derivative) * slope;
  const double limit = value(now, maxSpeed_, settings_.maxSpeed);
  m.command = std::clamp(wish, -limit, limit);
  if (wish == m.command) m.sum = sum;  // no wind-up while the command is at its limit
  m.lastError = error;
  m.started = true;
}

void Motor::rows(const Instant& now, RowSet& out) const {
  out.group();
  Row& row = out.add(slot);
  row.work = Work::motors;
  const double limit = value(now, maxForce_, settings_.maxForce);
  row.lower = -limit;
  row.upper = limit;
  switch (settings_.drive) {
    case DriveType::velocity: {
      const double line = settings_.stall && settings_.noLoad ? *settings_.stall / *settings_.noLoad : unbounded;
      const double gain = value(now, gain_, line);
      row.level = Level::velocity;
      row.speed = target(now, row.ramp);
      row.compliance = gain < unbounded ? 1.0 / gain : 0.0;
      break;
    }
    case DriveType::feedback:
      row.level = Level::velocity;
      row.speed = overlay<MotorMemory>(now.past().memory, memory).command;
      break;
    case DriveType::position: {
      const double stiffness = value(now, stiffness_, settings_.stiffness);
      row.error = axis_->coordinate(now) - target(now, row.speed);
      row.compliance = stiffness < unbounded ? 1.0 / stiffness : 0.0;
      row.damping = value(now, damping_, settings_.damping) * row.compliance;
      break;
    }
    case DriveType::force: {
      double rate;
      row.level = Level::velocity;
      row.lower = row.upper = std::clamp(target(now, rate), -limit, limit);
      break;
    }
  }
  axis_->pushCoordinate(now, out);
}

std::int64_t Motor::gainKey() const {
  switch (settings_.drive) {
    case DriveType::velocity:
      return elementKey(*this, gain_);
    case DriveType::position:
      return elementKey(*this, stiffness_);
    case DriveType::feedback:
      return elementKey(*this, proportional_);
    case DriveType::force:
      break;
  }
  return -1;
}

std::optional<Parameter> Motor::parameter(std::string_view field) const {
  const MotorSettings& s = settings_;
  const auto at = [&](Field f, double declared, double low) {
    return Parameter{elementKey(*this, f), declared, low, unbounded};
  };
  if (field == "max_force") return at(maxForce_, s.maxForce, 0.0);
  if (field == "stiffness" && s.drive == DriveType::position) return at(stiffness_, s.stiffness, 1e-40);
  if (field == "damping" && s.drive == DriveType::position) return at(damping_, s.damping, 0.0);
  if (s.drive != DriveType::feedback) return {};
  if (field == "proportional") return at(proportional_, s.proportional, -unbounded);
  if (field == "integral") return at(integral_, s.integral, -unbounded);
  if (field == "derivative") return at(derivative_, s.derivative, -unbounded);
  if (field == "max_speed") return at(maxSpeed_, s.maxSpeed, 0.0);
  return {};
}

std::string_view Motor::tunableFields() const {
  if (settings_.drive == DriveType::position) return "max_force, stiffness, damping";
  if (settings_.drive == DriveType::feedback) return "max_force, proportional, integral, derivative, max_speed";
  return "max_force";
}

void Motor::finish(const Instant& now, State& state, Events&) const {
  overlay<MotorMemory>(state.memory, memory).work +=
      now.h * state.force[static_cast<std::size_t>(slot)] * axis_->coordinateRate(now);
}

}  // namespace reeve
