// What lies on the wheels of a hoist cable that move, and on its drums: it weighs, and is inert.
//
// On a wheel of a body that moves it goes with the wheel's middle: ½ m |v|², m g and −m v̇ there. On a drum it turns
// with the rim: ½ m (r ω)² and −m r² ω̇ on the rotor. With these forms, and m as it was when the step began, what is
// reeled off has the speed of the rim when it becomes part of the span, which has its own inertia (hoist_along.cpp): a
// meter that leaves takes ½ ρ (r ω)² along. What runs on a wheel beside that motion is not counted here.
#include <algorithm>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/cables/hoist/span_flow.h"
#include "reeve/math/rotation.h"

namespace reeve {

/// kg on a link.
double HoistCable::lyingMass(const State& s, int i) const {
  if (!round(s, i) || node(i).contact || node(i).closes) return 0.0;
  return mass_ * std::max(grips(s, i) ? stateOf(s, i).stored : stateOf(s, i).wrap.length, 0.0);
}

/// The middle of a wheel, and how fast it is.
HoistCable::Hub HoistCable::hubOf(const Instant& now, const State& s, int i) const {
  const int block = mountOf(s, i).block;
  Hub hub{block, spanEnd(now, s, i).frame.origin, now.velocity(block)};
  if (now.rotates(block)) hub.velocity += now.angularVelocity(block).cross(hub.place - now.position(block));
  return hub;
}

/// kg m² of what turns with a drum; 0 where a link is none, or nothing is on it.
double HoistCable::woundInertia(const State& s, int i) const {
  if (node(i).type != LinkType::spool || node(i).mount.rotor < 0 || stateOf(s, i).empty) return 0.0;
  const double r = node(i).outline.radius();
  return lyingMass(s, i) * r * r;
}

/// Before a step: speeds that have jumped since the last one, or are not known, are taken as they are.
void HoistCable::beginLying(const Instant& now, State& s) const {
  for (int k = 0; k < count(s); ++k) {
    const int i = nodeAt(s, k);
    if (!node(i).round() || node(i).contact) continue;
    LyingState& kept = stateOf(s, i).lying;
    const Vec3 v = hubOf(now, s, i).velocity;
    const double rim = node(i).mount.rotor < 0 ? 0.0 : now.rate(node(i).mount.rotor);
    if (kept.known > 0 && !hasJumped(v, kept.speed.vec()) && !hasJumped(rim, kept.rim)) continue;
    kept.speed = v;
    kept.rim = rim;
    kept.known = 1;
  }
}

/// The mass of what lies on wheels and drums, times `scale`.
void HoistCable::massLying(const Instant& now, const State& s, int i, double scale, PatchSet& out) const {
  const Hub hub = hubOf(now, s, i);
  if (const double mass = lyingMass(s, i); mass > 0.0 && now.model().blocks[at(hub.block)].free) {
    Eigen::Matrix<double, 3, 6> j = Eigen::Matrix<double, 3, 6>::Zero();
    j.leftCols<3>() = Mat3::Identity();
    if (now.rotates(hub.block)) j.rightCols<3>() = -skew(hub.place - now.position(hub.block));
    out.add(hub.block, hub.block).k = scale * mass * j.transpose() * j;
  }
  if (const double inertia = woundInertia(s, i); inertia > 0.0 && now.model().blocks[at(node(i).mount.rotor)].free) {
    Patch& patch = out.add(node(i).mount.rotor, node(i).mount.rotor);
    patch.k.setZero();
    patch.k(0, 0) = scale * inertia;
  }
}

void HoistCable::forcesLying(const Instant& now, Forces& out) const {
  const State& s = now.past();
  for (int k = 0; k < count(s); ++k) {
    const int i = nodeAt(s, k);
    const double mass = lyingMass(s, i), inertia = woundInertia(s, i);
    const Hub hub = hubOf(now, s, i);
    // A carrier whose motion is prescribed is pulled at too: what moves it does that work.
    const bool carried = now.model().blocks[at(hub.block)].free;
    if (mass == 0.0 || (inertia == 0.0 && node(i).still)) continue;
    const LyingState& kept = stateOf(s, i).lying;
    const bool second = now.second && kept.known > 1;
    const Vec3 rises =
        now.stepping ? changeRate(hub.velocity, kept.speed.vec(), kept.older.vec(), second, now.h) : Vec3(Vec3::Zero());
    pullEnd(now, s, i, hub.place, mass * (carried ? Vec3(gravity_ - rises) : gravity_), out);
    if (!now.stepping || (inertia == 0.0 && !carried)) continue;
    massLying(now, s, i, (second ? 1.5 : 1.0) / now.h, out.damping);
    if (inertia == 0.0) continue;
    const int rotor = node(i).mount.rotor;
    const Block& b = now.model().blocks[at(rotor)];
    if (b.free) out.force[at(b.v)] -= inertia * changeRate(now.rate(rotor), kept.rim, kept.rimOlder, second, now.h);
  }
}

/// After a step.
void HoistCable::finishLying(const Instant& now, State& s) const {
  const State& past = now.past();
  for (int k = 0; k < count(past); ++k) {
    const int i = nodeAt(past, k);
    if (!node(i).round() || node(i).contact) continue;
    const LyingState& was = stateOf(past, i).lying;
    LyingState& kept = stateOf(s, i).lying;
    kept.older = was.speed;
    kept.rimOlder = was.rim;
    kept.speed = hubOf(now, past, i).velocity;
    kept.rim = node(i).mount.rotor < 0 ? 0.0 : now.rate(node(i).mount.rotor);
    kept.known = now.second && was.step == now.h ? 2 : 1;
    kept.step = now.h;
  }
}

/// J, of its motion.
double HoistCable::energyLying(const Instant& now, const State& s) const {
  double sum = 0.0;
  for (int k = 0; k < count(s); ++k) {
    const int i = nodeAt(s, k);
    const Hub hub = hubOf(now, s, i);
    if (now.model().blocks[at(hub.block)].free) sum += 0.5 * lyingMass(s, i) * hub.velocity.squaredNorm();
    if (const double inertia = woundInertia(s, i); inertia > 0.0) {
      const double rate = now.rate(node(i).mount.rotor);
      sum += 0.5 * inertia * rate * rate;
    }
  }
  return sum;
}

}  // namespace reeve
