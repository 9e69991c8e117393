#include "reeve/elements/load.h"

namespace reeve {

Vec3 Load::value(const Instant& now, int first, const Vec3& declared) const {
  if (now.past().overrides.empty()) return declared;
  Vec3 v;
  for (int k = 0; k < 3; ++k) v[k] = chosen(now.past(), elementKey(*this, first + k), declared[k]);
  return v;
}

std::optional<Parameter> Load::parameter(std::string_view field) const {
  const bool torque = field.starts_with("torque.");
  if (!torque && !field.starts_with("force.")) return {};
  const std::string_view part = field.substr(torque ? 7 : 6);
  for (int k = 0; k < 3; ++k)
    if (part.size() == 1 && part[0] == "xyz"[k])
      return Parameter{elementKey(*this, (torque ? 3 : 0) + k), torque ? settings_.torque[k] : settings_.force[k],
                       -unbounded};
  return {};
}

/// Force at the center of mass and torque about it, world frame; of a rotor the first number of the torque counts.
void Load::acting(const Instant& now, Vec3& force, Vec3& torque) const {
  const double scale = settings_.scale ? profileValue(*settings_.scale, now.time) : 1.0;
  if (onRotor_) {
    // The torque on a wheel is what falls along its axle; the rest goes to the bearing.
    const Vec3 axis = now.rotation(parent_) * axis_P_;
    torque[0] = scale * value(now, 3, settings_.torque).dot(settings_.follows ? axis_P_ : axis);
    return;
  }
  force = scale * value(now, 0, settings_.force), torque = scale * value(now, 3, settings_.torque);
  if (!now.rotates(at_.block)) return;
  if (settings_.follows) {
    force = now.rotation(at_.block) * force;
    torque = now.rotation(at_.block) * torque;
  }
  torque += now.arm(at_).cross(force);
}

void Load::forces(const Instant& now, Forces& out) const {
  const Block& b = now.model().blocks[static_cast<std::size_t>(at_.block)];
  if (!b.free) return;
  const std::size_t i = static_cast<std::size_t>(b.v);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  acting(now, force, torque);
  if (onRotor_) {
    out.force[i] += torque[0];
    return;
  }
  for (int k = 0; k < 3; ++k) out.force[i + static_cast<std::size_t>(k)] += force[k];
  if (!now.rotates(at_.block)) return;
  for (int k = 0; k < 3; ++k) out.force[i + 3 + static_cast<std::size_t>(k)] += torque[k];
}

void Load::work(const Instant& now, std::span<const double>, Doings& out) const {
  if (!now.model().blocks[static_cast<std::size_t>(at_.block)].free) return;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  acting(now, force, torque);
  if (onRotor_)
    out.add(Work::applied, torque[0] * now.rate(at_.block));
  else
    out.add(Work::applied, force.dot(now.velocity(at_.block)) +
                               (now.rotates(at_.block) ? torque.dot(now.angularVelocity(at_.block)) : 0.0));
}

std::optional<Parameter> Drag::parameter(std::string_view field) const {
  if (field == "drag") return Parameter{elementKey(*this, 0), linear_};
  if (field == "angular_drag") return Parameter{elementKey(*this, 1), angular_};
  return {};
}

void Drag::work(const Instant& now, std::span<const double>, Doings& out) const {
  const Block& b = now.model().blocks[static_cast<std::size_t>(block_)];
  const double linear = chosen(now.past(), elementKey(*this, 0), linear_);
  const double angular = chosen(now.past(), elementKey(*this, 1), angular_);
  for (int k = 0; b.free && k < b.dof; ++k) {
    const double v = now.v[static_cast<std::size_t>(b.v + k)];
    out.add(Work::drag, -(b.rotates && k >= 3 ? angular : linear) * v * v);
  }
}

void Drag::forces(const Instant& now, Forces& out) const {
  const Block& b = now.model().blocks[static_cast<std::size_t>(block_)];
  if (!b.free) return;
  Patch& d = out.damping.add(block_, block_);
  const double linear = chosen(now.past(), elementKey(*this, 0), linear_);
  const double angular = chosen(now.past(), elementKey(*this, 1), angular_);
  for (int k = 0; k < b.dof; ++k) {
    const double c = b.rotates && k >= 3 ? angular : linear;
    d.k(k, k) = c;
    out.force[static_cast<std::size_t>(b.v + k)] -= c * now.v[static_cast<std::size_t>(b.v + k)];
  }
}

}  // namespace reeve
