// Handles, commands, pushes, brakes, releases.
#include <cmath>

#include "reeve/world/brief_number.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {

template <class H, class T>
std::expected<H, Problem> handleOf(const Named<T>& list, std::string_view name, const char* what, std::uint64_t scene) {
  std::string names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].first == name) return H{scene, static_cast<int>(i)};
    if (i < 20) names += (i > 0 ? ", " : "") + list[i].first;
  }
  return wrong(std::string(name), std::string("there is no ") + what + " '" + std::string(name) + "' in this scene",
               list.empty() ? std::string("it has none") : "choose one of: " + names);
}

std::unexpected<Problem> notFinite(const char* what, double value) {
  return wrong(what, std::string(what) + " is " + (std::isnan(value) ? "not a number" : "infinite"),
               "give a finite number");
}
bool isFinite(double value) { return std::isfinite(value); }

}  // namespace

template <class H>
Done World::knows(H handle, const char* what, std::size_t count) const {
  if (handle.scene == parts_->built->scene && handle.index >= 0 && at(handle.index) < count) return {};
  return wrong(what, std::string("this handle is of a ") + what + " of another scene",
               "resolve it in this world, or in one of the same scene");
}

std::expected<BodyHandle, Problem> World::body(std::string_view name) const {
  return handleOf<BodyHandle>(description().bodies, name, "body", parts_->built->scene);
}
std::expected<RotorHandle, Problem> World::rotor(std::string_view name) const {
  return handleOf<RotorHandle>(description().rotors, name, "rotor", parts_->built->scene);
}
std::expected<ParticleHandle, Problem> World::particle(std::string_view name) const {
  return handleOf<ParticleHandle>(description().particles, name, "particle", parts_->built->scene);
}
std::expected<JointHandle, Problem> World::joint(std::string_view name) const {
  return handleOf<JointHandle>(description().joints, name, "joint", parts_->built->scene);
}
std::expected<MotorHandle, Problem> World::motor(std::string_view name) const {
  return handleOf<MotorHandle>(description().motors, name, "motor", parts_->built->scene);
}
std::expected<CableHandle, Problem> World::cable(std::string_view name) const {
  return handleOf<CableHandle>(description().cables, name, "cable", parts_->built->scene);
}

Done World::command(MotorHandle handle, double target) {
  if (auto ok = knows(handle, "motor", parts_->built->motors.size()); !ok) return ok;
  if (!isFinite(target)) return notFinite("target", target);
  setOverride(parts_->state, parts_->built->motors[at(handle.index)]->targetKey(), target);
  ++parts_->version;
  return {};
}

Done World::command(MotorHandle handle, const MotorCommand& command) {
  if (auto ok = knows(handle, "motor", parts_->built->motors.size()); !ok) return ok;
  const Motor& motor = *parts_->built->motors[at(handle.index)];
  if (!isFinite(command.target)) return notFinite("target", command.target);
  const bool feedback = motor.settings().drive == DriveType::feedback;
  if (command.gain) {
    if (motor.gainKey() < 0) return wrong("gain", "a force drive has no gain", "leave it out");
    if (std::isnan(*command.gain) || (!feedback && *command.gain <= 0.0))
      return wrong("gain", "the gain must be positive", "infinity is as stiff as can be");
  }
  if (command.limit && !(*command.limit >= 0.0))
    return wrong("limit", "the limit must not be negative", "0 lets go, infinity is unlimited");
  State& state = parts_->state;
  setOverride(state, motor.targetKey(), command.target);
  ++parts_->version;
  if (command.gain) setOverride(state, motor.gainKey(), *command.gain);
  if (command.limit) setOverride(state, motor.limitKey(), *command.limit);
  if (command.limit) state.mode[at(motor.slot)] = Mode::free;  // whether it is at its limit will be seen
  return {};
}

Done World::release(MotorHandle handle) {
  if (auto ok = knows(handle, "motor", parts_->built->motors.size()); !ok) return ok;
  const Motor& motor = *parts_->built->motors[at(handle.index)];
  for (const std::int64_t key : {motor.targetKey(), motor.gainKey(), motor.limitKey()})
    dropOverride(parts_->state, key);
  parts_->state.mode[at(motor.slot)] = Mode::free;
  return {};
}

Done World::push(BodyHandle handle, const BodyPush& push) {
  // Segments of cables follow the bodies of the scene, and particles of cables its particles: a hand pulls at them too.
  if (auto ok = knows(handle, "body", parts_->model().bodies.size() - 1); !ok) return ok;
  if (!push.force.allFinite()) return notFinite("force", push.force.sum());
  if (!push.torque.allFinite()) return notFinite("torque", push.torque.sum());
  if (!push.at.allFinite()) return notFinite("at", push.at.sum());
  const Body& body = parts_->model().bodies[at(handle.index + 1)];
  if (!parts_->model().blocks[at(body.block)].free)
    return wrong("body", "'" + body.name + "' does not move by forces", "push a dynamic body");
  ++parts_->version;
  parts_->use();
  Push& p = pushOf(parts_->state, body.block);
  const Vec3 arm = push.at - body.center_B;
  if (push.held) {
    p.force = push.force;
    p.torque = push.torque;
    p.at = arm;
    p.follows = push.follows;
  } else {
    const Mat3& r = parts_->now.rotation(body.block);
    const Vec3 force = push.follows ? Vec3(r * push.force) : push.force;
    p.onceForce += force;
    p.onceTorque += (push.follows ? Vec3(r * push.torque) : push.torque) + (r * arm).cross(force);
  }
  return {};
}

Done World::push(ParticleHandle handle, const Vec3& force, bool held) {
  if (auto ok = knows(handle, "particle", parts_->model().particles.size()); !ok) return ok;
  if (!force.allFinite()) return notFinite("force", force.sum());
  ++parts_->version;
  Push& p = pushOf(parts_->state, parts_->model().particles[at(handle.index)].block);
  if (held)
    p.force = force;
  else
    p.onceForce += force;
  return {};
}

Done World::push(RotorHandle handle, double torque, bool held) {
  if (auto ok = knows(handle, "rotor", parts_->model().rotors.size()); !ok) return ok;
  if (!isFinite(torque)) return notFinite("torque", torque);
  ++parts_->version;
  Push& p = pushOf(parts_->state, parts_->model().rotors[at(handle.index)].block);
  if (held)
    p.torque = Vec3(torque, 0, 0);
  else
    p.onceTorque += Vec3(torque, 0, 0);
  return {};
}

Done World::reel(CableHandle handle, CableEnd end, double rate) {
  if (auto ok = knows(handle, "cable", parts_->built->cables.size()); !ok) return ok;
  if (!isFinite(rate)) return notFinite("rate", rate);
  const std::string why = parts_->built->cables[at(handle.index)]->reel(parts_->state, end, rate);
  if (!why.empty()) return wrong("cable", why, "reel an attached end of model joints or hoist");
  parts_->restart();
  return {};
}

Done World::brake(RotorHandle handle, bool held) {
  if (auto ok = knows(handle, "rotor", parts_->built->bearings.size()); !ok) return ok;
  const Bearing& bearing = *parts_->built->bearings[at(handle.index)];
  if (bearing.brake() == 0.0)
    return wrong("rotor", "this rotor has no brake", "give it a brake, the torque it holds, in the scene");
  if (held)
    dropOverride(parts_->state, bearing.brakeKey());
  else
    setOverride(parts_->state, bearing.brakeKey(), 0.0);
  parts_->drop(bearing, 0);
  return {};
}

Done World::brake(JointHandle handle, bool held) {
  if (auto ok = knows(handle, "joint", parts_->built->joints.size()); !ok) return ok;
  const Joint& joint = *parts_->built->joints[at(handle.index)];
  if (joint.settings().brake == 0.0)
    return wrong("joint", "this joint has no brake", "give it a brake, what it holds, in the scene");
  if (held)
    dropOverride(parts_->state, joint.brakeKey());
  else
    setOverride(parts_->state, joint.brakeKey(), 0.0);
  parts_->drop(joint, 0);
  return {};
}

Done World::release(JointHandle handle) {
  if (auto ok = knows(handle, "joint", parts_->built->joints.size()); !ok) return ok;
  const Parts::Change change(*parts_);
  const Joint& joint = *parts_->built->joints[at(handle.index)];
  setOverride(parts_->state, joint.holdKey(), 0.0);
  parts_->drop(joint, joint.layout().slots);
  return {};
}

Done World::hold(JointHandle handle) {
  if (auto ok = knows(handle, "joint", parts_->built->joints.size()); !ok) return ok;
  const Parts::Change change(*parts_);
  const Joint& joint = *parts_->built->joints[at(handle.index)];
  const double off = joint.settings().compliance > 0.0 ? 0.0 : parts_->violation(joint);
  if (off > 1e-6)
    return wrong("joint", "its two sides are " + briefNumber(off) + " m or rad apart",
                 "bring them together first, with apply()");
  dropOverride(parts_->state, joint.holdKey());
  parts_->drop(joint, 0);
  return {};
}

Done World::hook(JointHandle handle) {
  if (auto ok = knows(handle, "joint", parts_->built->joints.size()); !ok) return ok;
  const Parts::Change change(*parts_);
  const Joint& joint = *parts_->built->joints[at(handle.index)];
  parts_->use();
  const std::string why = joint.hookOn(parts_->now, parts_->state);
  if (!why.empty()) return wrong("joint", why, "hold it where its two sides are together");
  dropOverride(parts_->state, joint.holdKey());
  parts_->drop(joint, 0);
  return {};
}

Done World::cut(CableHandle handle, int span) {
  if (auto ok = knows(handle, "cable", parts_->built->cables.size()); !ok) return ok;
  const Parts::Change change(*parts_);
  const std::string why = parts_->built->cables[at(handle.index)]->cut(parts_->state, span);
  if (!why.empty()) return wrong("cable", why, "cut a span of a cable of model joints");
  parts_->restart();
  return {};
}

Done World::release(CableHandle handle, CableEnd end) {
  if (auto ok = knows(handle, "cable", parts_->built->cables.size()); !ok) return ok;
  const Parts::Change change(*parts_);
  const std::string why = parts_->built->cables[at(handle.index)]->release(parts_->state, end);
  if (!why.empty()) return wrong("cable", why, "release an attached end of a cable of model joints");
  parts_->restart();
  return {};
}

/// Rows of an element have come or gone: their first `slots` forces are none, and the step begins without history.
void World::Parts::drop(const Element& element, int slots) {
  for (int i = 0; i < slots; ++i) state.force[at(element.slot + i)] = 0.0;
  restart();
}

/// The largest error of an element's rigid rows, as if it were not released.
double World::Parts::violation(const Joint& joint) const {
  State held = state;
  dropOverride(held, joint.holdKey());
  Instant there;
  there.bind(model(), held);
  there.rewind();
  there.evaluate();
  RowSet rows;
  joint.rows(there, rows);
  double worst = 0.0;
  for (const Row& row : rows.rows)
    if (row.level == Level::position && row.compliance == 0.0)
      worst = std::max({worst, row.upper > 0.0 ? -row.error : 0.0, row.lower < 0.0 ? row.error : 0.0});
  return worst;
}

template Done World::knows(BodyHandle, const char*, std::size_t) const;
template Done World::knows(RotorHandle, const char*, std::size_t) const;
template Done World::knows(ParticleHandle, const char*, std::size_t) const;
template Done World::knows(JointHandle, const char*, std::size_t) const;
template Done World::knows(CableHandle, const char*, std::size_t) const;

}  // namespace reeve
