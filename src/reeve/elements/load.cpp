#include "reeve/elements/load.h"

namespace reeve {

void Load::forces(const Instant& now, Forces& out) const {
  const double scale = settings_.scale ? profileValue(*settings_.scale, now.time) : 1.0;
  const std::size_t i = static_cast<std::size_t>(now.model().blocks[static_cast<std::size_t>(at_.block)].v);
  if (onRotor_) {
    // The torque on a wheel is what falls along its axle; the rest goes to the bearing.
    const Vec3 axis = now.rotation(parent_) * axis_P_;
    out.force[i] += scale * settings_.torque.dot(settings_.follows ? axis_P_ : axis);
    return;
  }
  Vec3 force = scale * settings_.force, torque = scale * settings_.torque;
  const bool rigid = now.rotates(at_.block);
  if (settings_.follows && rigid) {
    force = now.rotation(at_.block) * force;
    torque = now.rotation(at_.block) * torque;
  }
  for (int k = 0; k < 3; ++k) out.force[i + static_cast<std::size_t>(k)] += force[k];
  if (!rigid) return;
  torque += now.arm(at_).cross(force);
  for (int k = 0; k < 3; ++k) out.force[i + 3 + static_cast<std::size_t>(k)] += torque[k];
}

void Drag::forces(const Instant& now, Forces& out) const {
  const Block& b = now.model().blocks[static_cast<std::size_t>(block_)];
  Patch& d = out.damping.add(block_, block_);
  for (int k = 0; k < b.dof; ++k) {
    const double c = b.rotates && k >= 3 ? angular_ : linear_;
    d.k(k, k) = c;
    out.force[static_cast<std::size_t>(b.v + k)] -= c * now.v[static_cast<std::size_t>(b.v + k)];
  }
}

}  // namespace reeve
