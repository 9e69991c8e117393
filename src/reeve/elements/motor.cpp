#include "reeve/elements/motor.h"

#include <algorithm>

namespace reeve {

void Motor::start(const Instant&, std::span<double> remembered) const {
  std::fill(remembered.begin(), remembered.end(), 0.0);
}

/// What it follows, and how fast that changes: a command stays until the next one.
double Motor::target(const Instant& now, double& rate) const {
  rate = 0.0;
  if (const Override* commanded = findOverride(now.past(), targetKey())) return commanded->value;
  rate = profileRate(settings_.target, now.time);
  return profileValue(settings_.target, now.time);
}

void Motor::begin(const Instant& now, const Gauge& gauge, State& state, std::vector<Notice>&) const {
  if (settings_.drive != DriveType::feedback) return;
  double* m = state.memory.data() + memory;
  double rate;
  const double error = target(now, rate) - gauge.read(gauge_);
  const Settings& settings = now.model().description.settings;
  const double h = settings.dt / settings.substeps;  // it is sampled at the start of every substep
  const double slope = m[started_] != 0.0 ? (error - m[lastError_]) / h : 0.0;
  const double sum = m[sum_] + h * error;
  const double wish = value(now, proportional_, settings_.proportional) * error +
                      value(now, integral_, settings_.integral) * sum +
                      value(now, derivative_, settings_.derivative) * slope;
  const double limit = value(now, maxSpeed_, settings_.maxSpeed);
  m[command_] = std::clamp(wish, -limit, limit);
  if (wish == m[command_]) m[sum_] = sum;  // no wind-up while the command is at its limit
  m[lastError_] = error;
  m[started_] = 1.0;
}

void Motor::rows(const Instant& now, RowSet& out) const {
  out.group();
  Row& row = out.add(slot);
  const double limit = value(now, maxForce_, settings_.maxForce);
  row.lower = -limit;
  row.upper = limit;
  switch (settings_.drive) {
    case DriveType::velocity: {
      const double gain = value(now, gain_, unbounded);
      row.level = Level::velocity;
      row.speed = target(now, row.ramp);
      row.compliance = gain < unbounded ? 1.0 / gain : 0.0;
      break;
    }
    case DriveType::feedback:
      row.level = Level::velocity;
      row.speed = now.memory(memory + command_);
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

void Motor::finish(const Instant& now, State& state, std::vector<Notice>&) const {
  state.memory[static_cast<std::size_t>(memory + work_)] +=
      now.h * state.force[static_cast<std::size_t>(slot)] * axis_->coordinateRate(now);
}

}  // namespace reeve
