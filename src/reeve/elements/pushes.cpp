#include "reeve/elements/pushes.h"

#include <algorithm>

namespace reeve {

namespace {

/// Force and torque at the center of mass, world frame.
void acting(const Instant& now, const Push& p, Vec3& force, Vec3& torque) {
  force = p.force;
  torque = p.torque;
  if (now.rotates(p.block)) {
    const Mat3& r = now.rotation(p.block);
    if (p.follows) {
      force = r * force;
      torque = r * torque;
    }
    torque += (r * p.at).cross(force);
  }
  force += p.onceForce;
  torque += p.onceTorque;
}

}  // namespace

void Pushes::forces(const Instant& now, Forces& out) const {
  const bool second = now.stepRate > 0.0 && now.second;
  for (const Push& p : now.past().pushes) {
    const Block& b = now.model().blocks[at(p.block)];
    if (!b.free) continue;
    Vec3 force, torque;
    acting(now, p, force, torque);
    if (second) {
      force = 1.5 * force - 0.5 * p.lastForce;
      torque = 1.5 * torque - 0.5 * p.lastTorque;
    }
    if (b.dof == 1) {
      out.force[at(b.v)] += torque[0];
      continue;
    }
    for (int k = 0; k < 3; ++k) out.force[at(b.v + k)] += force[k];
    for (int k = 0; b.rotates && k < 3; ++k) out.force[at(b.v + 3 + k)] += torque[k];
  }
}

/// A push holds over the whole step: its work is that on the way.
void Pushes::work(const Instant& now, std::span<const double>, Doings& out) const {
  for (const Push& p : now.past().pushes) {
    const Block& b = now.model().blocks[at(p.block)];
    if (!b.free) continue;
    Vec3 force, torque;
    acting(now, p, force, torque);
    double joules = b.dof == 1 ? torque[0] * now.u[at(b.v)] : 0.0;
    for (int k = 0; b.dof > 1 && k < 3; ++k)
      joules += force[k] * now.u[at(b.v + k)] + (b.rotates ? torque[k] * now.u[at(b.v + 3 + k)] : 0.0);
    out.addDone(Work::applied, joules);
  }
}

void Pushes::finish(const Instant& now, State& state, Events&) const { restartPushes(now, state); }

void restartPushes(const Instant& now, State& state) {
  for (Push& p : state.pushes) acting(now, p, p.lastForce, p.lastTorque);
}

Push& pushOf(State& state, int block) {
  auto it = std::lower_bound(state.pushes.begin(), state.pushes.end(), block,
                             [](const Push& p, int b) { return p.block < b; });
  if (it == state.pushes.end() || it->block != block) {
    it = state.pushes.insert(it, Push{});
    it->block = block;
  }
  return *it;
}

void endPushes(State& state) {
  for (Push& p : state.pushes) {
    p.onceForce.setZero();
    p.onceTorque.setZero();
  }
  const auto over = [](const Push& p) {
    return p.force.isZero(0.0) && p.torque.isZero(0.0) && p.lastForce.isZero(0.0) && p.lastTorque.isZero(0.0);
  };
  std::erase_if(state.pushes, over);
}

}  // namespace reeve
