// Adaptive resolution: segments of a chain that are straight, taut and untouched merge in pairs; what bends, is pushed
// or touched splits again.
//
// Two segments merge into one of their joint length and mass, at their common centre of mass, turned half-way between
// them. It has the momentum of both, linear and about the centre, now and a step before. The gap, bend and twist of the
// joint that vanishes thereby go half to either neighbour joint, which from now on stands for that half of its length:
// tension, moment and torque stay what they were, to first order.
// A split is the reverse; the new joint opens by what the mean force of its neighbours asks of it, and takes over its
// share of their twist. Lengths add up by construction. The step goes on without a restart.
#include <algorithm>
#include <cmath>

#include "reeve/cables/chain/chain_cable.h"
#include "reeve/cables/chain/segment_motion.h"

namespace reeve {

namespace {
/// Segments that turned further than this in a step, rad, do not merge: they are no taut cable.
constexpr double fastTurn = 0.5;
/// Segments split when they bend this many times as much as those that merge.
constexpr double splitFactor = 3.0;
}  // namespace

/// Which joints have a touched segment, from the contacts of the step before.
void ChainCable::feel(const Instant& now, State& state) const {
  const std::vector<int>& colliders = now.model().colliders;
  for (int j = 0; j < jointCount(); ++j) poolMemory(state, j).touched = false;
  const auto mark = [&](int block) {
    if (!ownsBlock(block)) return;
    const Segment& s = segment(block - segments_.front().block);
    // Without spares joints are counted from the first that there is.
    const int shift = pooled_ || settings_.closed || firstHeld_ >= 0 ? 0 : 1;
    for (const int node : {s.from, s.to}) {
      const int j = settings_.closed ? node % finest_ : node - shift;
      if (j >= 0 && j < jointCount()) poolMemory(state, j).touched = true;
    }
  };
  for (const ContactMemory& c : state.contacts) {
    if (c.normal <= 0.0) continue;
    const std::int64_t pair = c.key >> 32, count = static_cast<std::int64_t>(colliders.size());
    mark(colliders[static_cast<std::size_t>(pair / count)]);
    mark(colliders[static_cast<std::size_t>(pair % count)]);
  }
}

bool ChainCable::straight(const Instant& now, const State& state, int j, double most) const {
  if (!joins(state, j)) return true;
  SegmentJoint room;
  const SegmentJoint& joint = present(state, j, room);
  if (!joint.bends && !(ownsBlock(joint.a.block) && ownsBlock(joint.b.block))) return true;
  const Vec3 a = now.rotation(joint.a.block) * joint.frameA.col(2),
             b = now.rotation(joint.b.block) * joint.frameB.col(2);
  return a.dot(b) > 0.0 && a.cross(b).norm() < most;
}

bool ChainCable::slack(const Instant& now, const State& state, int j) const {
  SegmentJoint room;
  return joins(state, j) && tension(now, state.force, present(state, j, room), j) <= 0.0;
}

bool ChainCable::adapt(const Instant& now, State& state) const {
  const double angle = settings_.mergeAngle;
  bool changed = false;
  for (int i = firstSegment(state); i >= 0;) {
    const Segment& s = segment(i);
    const int next = nextSegment(state, i);
    const bool byDrum = drum_ && (i == held(state) || s.from == segment(held(state)).to);
    const bool feels = touched(state, s.from) || touched(state, s.to);
    const bool bent = !straight(now, state, s.from, splitFactor * angle) ||
                      !straight(now, state, s.to, splitFactor * angle) || slack(now, state, s.from) ||
                      slack(now, state, s.to);
    if (s.left >= 0 && (feels || bent || byDrum)) {
      split(now, state, i);
      changed = true;
      i = next >= 0 ? nextSegment(state, next) : -1;  // its neighbour is looked at again in the next step
      continue;
    }
    const bool pair = next >= 0 && s.parent >= 0 && segment(s.parent).left == i && segment(next).parent == s.parent;
    if (!pair || byDrum || feels || touched(state, segment(next).to) || broken(state, s.to)) {
      i = next;
      continue;
    }
    bool calm = true;
    for (const int j : {s.from, s.to, segment(next).to})
      calm = calm && straight(now, state, j, angle) && !slack(now, state, j);
    for (const int k : {i, next})
      calm = calm && motionOf(state, now.model().blocks[at(segment(k).block)]).theta.norm() < fastTurn;
    if (!calm) {
      i = next;
      continue;
    }
    const int beyond = nextSegment(state, next);
    merge(now, state, s.parent);
    changed = true;
    i = beyond >= 0 ? nextSegment(state, beyond) : -1;
  }
  return changed;
}

void ChainCable::merge(const Instant& now, State& state, int parent) const {
  const auto& blocks = now.model().blocks;
  const Segment& whole = segment(parent);
  const int left = whole.left, right = left + 1, middle = segment(left).to;
  SegmentMotion part[2] = {motionOf(state, blocks[at(segment(left).block)]),
                           motionOf(state, blocks[at(segment(right).block)])};
  SegmentMotion motion = motionOf(state, blocks[at(whole.block)]);
  // Half of the bend, then half of the twist.
  SegmentJoint room;
  const auto restTwist = [&](int j) { return present(state, j, room).restTwist; };
  const double twist = joint(middle).twists ? jointMemory(state, middle).twist + restTwist(middle) : 0.0;
  double outer[2];
  const int ends[2] = {whole.from, whole.to};
  for (int k = 0; k < 2; ++k) outer[k] = jointMemory(state, ends[k]).twist + restTwist(ends[k]);
  const Vec3 a = part[0].q * Vec3::UnitZ(), b = part[1].q * Vec3::UnitZ(), axis = (a + b).normalized();
  const Quat q = (rotationExp(0.5 * twist * axis) * fromTwoVectors(a, axis) * part[0].q).normalized();
  joinMotion(part, q, motion);
  setMotion(state, blocks[at(whole.block)], motion);
  for (const int i : {left, right}) stopMotion(state, blocks[at(segment(i).block)]);
  poolMemory(state, whole.from).after = poolMemory(state, whole.to).before = parent;
  poolMemory(state, middle).before = poolMemory(state, middle).after = -1;
  jointMemory(state, middle).twist = 0.0;
  std::ranges::fill(forceOf(state, middle), 0.0);
  for (int k = 0; k < 2; ++k)
    if (present(state, ends[k], room).twists)
      jointMemory(state, ends[k]).twist = outer[k] + 0.5 * twist - room.restTwist;
}

void ChainCable::split(const Instant& now, State& state, int parent) const {
  const auto& blocks = now.model().blocks;
  const Segment& whole = segment(parent);
  const int left = whole.left, right = left + 1, middle = segment(left).to;
  const SegmentMotion motion = motionOf(state, blocks[at(whole.block)]);
  SegmentMotion part[2] = {motionOf(state, blocks[at(segment(left).block)]),
                           motionOf(state, blocks[at(segment(right).block)])};
  SegmentJoint room;
  const int ends[2] = {whole.from, whole.to};
  double twist[2], length[2];
  for (int k = 0; k < 2; ++k) {
    const SegmentJoint& outer = present(state, ends[k], room);
    twist[k] = outer.twists && joins(state, ends[k]) ? jointMemory(state, ends[k]).twist + outer.restTwist : 0.0;
    length[k] = outer.length;
  }
  // The mean force of the neighbour joints; the drum's rows are those of joint 0.
  double mean[SegmentJoint::slots] = {};
  double count = 0.0;
  for (const int j : ends) {
    if (!joins(state, j)) continue;
    for (std::size_t k = 0; k < 6; ++k) mean[k] += forceOf(state, j)[k];
    count += 1.0;
  }
  for (double& f : mean) f /= std::max(count, 1.0);
  poolMemory(state, whole.from).after = left;
  poolMemory(state, middle).before = left;
  poolMemory(state, middle).after = right;
  poolMemory(state, whole.to).before = right;
  jointMemory(state, middle).broken = false;
  for (std::size_t k = 0; k < 6; ++k) forceOf(state, middle)[k] = k < 3 || k == 5 ? mean[k] : 0.0;

  const Vec3 axis = motion.q * Vec3::UnitZ();
  const Vec3 gap = -present(state, middle, room).stretch * Vec3(mean[0], mean[1], mean[2]);
  const double share[2] = {part[1].mass / motion.mass, part[0].mass / motion.mass};
  const Vec3 place[2] = {axis * (0.5 * (segment(left).length - whole.length)) - share[0] * gap,
                         axis * (0.5 * (whole.length - segment(right).length)) + share[1] * gap};
  Quat turned[2];
  double moved = 0.0;
  for (int k = 0; k < 2; ++k) {
    const SegmentJoint& outer = present(state, ends[k], room);
    const double kept = length[k] > 0.0 ? twist[k] * outer.length / length[k] : twist[k];
    const double give = twist[k] - kept;
    turned[k] = rotationExp((k == 0 ? -give : give) * axis);
    moved += give;
    if (outer.twists && joins(state, ends[k])) jointMemory(state, ends[k]).twist = kept - outer.restTwist;
  }
  jointMemory(state, middle).twist = joint(middle).twists ? moved - present(state, middle, room).restTwist : 0.0;
  divideMotion(motion, place, turned, part);
  setMotion(state, blocks[at(segment(left).block)], part[0]);
  setMotion(state, blocks[at(segment(right).block)], part[1]);
  stopMotion(state, blocks[at(whole.block)]);
}

void ChainCable::begin(const Instant& now, const StepContext& context, State& state) const {
  Events& events = context.events;
  if (stride_ <= plainStride) return;
  feel(now, state);
  if (drum_ && wind(now, state)) {
    events.add({now.time, this, 0, EventKind::segmentPassesDrum});
    return;  // what else changes can wait a step
  }
  if (settings_.merges > 0) adapt(now, state);
}

void ChainCable::topology(const State& state, Topology& out) const {
  if (!pooled_) return;
  for (std::size_t i = 0; i < segments_.size(); ++i)
    out.awake.push_back({segments_[i].block, awake(state, static_cast<int>(i))});
  if (drum_) out.wound.push_back({drum_->rotor, drumInertia(state)});
}

}  // namespace reeve
