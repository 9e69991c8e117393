#include "reeve/cables/chain/chain_cable.h"

#include <algorithm>
#include <cmath>

namespace reeve {

void ChainCable::start(const Instant& now, std::span<double> remembered, std::span<Sheet>) const {
  State state;
  state.memory.assign(static_cast<std::size_t>(memory) + remembered.size(), 0.0);
  const int first = drum_ ? drum_->wound : 0;
  for (int j = 0; j < jointCount(); ++j) {
    jointMemory(state, j).twist = joint(j).twists ? joint(j).shape(now, -joint(j).restTwist).twist : 0.0;
    if (gains()) gainMemory(state, j) = {};
    if (!pooled_) continue;
    poolMemory(state, j).before = j <= first ? -1 : j - 1;
    poolMemory(state, j).after = j < first || j == finest_ ? -1 : j;
  }
  if (drum_) {
    // The material at the tangent is the beginning of the first segment that is out.
    ChainDrumMemory& drum = drumMemory(state);
    drum.held = first;
    const Tangent t = tangent(now, state);
    drum.angle = t.angle;
    drum.offset = -0.5 * segment(first).length - t.turned;
  }
  std::copy(state.memory.begin() + memory, state.memory.end(), remembered.begin());
}

int ChainCable::nextSegment(const State& s, int i) const {
  if (!pooled_) return i + 1 < static_cast<int>(segments_.size()) ? i + 1 : -1;
  return segment(i).to < finest_ ? after(s, segment(i).to) : -1;
}

bool ChainCable::joins(const State& s, int j) const {
  if (broken(s, j)) return false;
  if (!pooled_) return true;
  const bool first = before(s, j) >= 0 || (j == 0 && firstHeld_ == 0 && !drum_);
  return first && (after(s, j) >= 0 || (j == finest_ && lastHeld_ >= 0));
}

const SegmentJoint& ChainCable::present(const State& s, int j, SegmentJoint& room) const {
  if (!pooled_ && !gains()) return joint(j);
  room = joint(j);
  if (pooled_) {
    double length = 0.0;
    if (const int i = before(s, j); i >= 0) {
      room.a = {segment(i).block, Vec3(0, 0, 0.5 * segment(i).length)};
      length += 0.5 * segment(i).length;
    }
    if (const int i = after(s, j); i >= 0) {
      room.b = {segment(i).block, Vec3(0, 0, -0.5 * segment(i).length)};
      length += 0.5 * segment(i).length;
    }
    setMaterial(room, length);
  }
  if (gains()) {
    const ChainGainMemory& gain = gainMemory(s, j);
    room.gain = {gain.bend, gain.twist, gain.account};
  }
  return room;
}

void ChainCable::rows(const Instant& now, RowSet& out) const {
  SegmentJoint room;
  if (drum_) drumRows(now, out);
  for (int j = 0; j < jointCount(); ++j)
    if (joins(now.past(), j))
      present(now.past(), j, room).rows(now, jointMemory(now.past(), j).twist, slot + SegmentJoint::slots * j, out);
}

void ChainCable::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  SegmentJoint room;
  if (drum_) {
    const std::span<const double> f = forceOf(force, 0);
    const Anchor own{segment(held(now.past())).block, Vec3(0, 0, tangent(now, now.past()).offset)};
    leverStiffness(now, own, Vec3(f[0], f[1], f[2]), out);
  }
  for (int j = 0; j < jointCount(); ++j)
    if (joins(now.past(), j)) present(now.past(), j, room).stiffness(now, forceOf(force, j), out);
}

void ChainCable::finish(const Instant& now, State& state, Events& events) const {
  SegmentJoint room;
  if (drum_) {
    const Tangent t = tangent(now, state);
    ChainDrumMemory& drum = drumMemory(state);
    if (t.end != 0 && t.end != drum.end)
      events.add({now.time, this, 0, t.end < 0 ? EventKind::allPaidOut : EventKind::allWoundUp});
    drum.end = t.end;
    drum.angle = t.angle;
  }
  const double breaking = settings_.material.breaking;
  if (settings_.twist == TwistMeasure::crossed && overtwisted(now, state.force) && !overtwisted(now, now.past().force))
    events.add({now.time, this, -1, EventKind::twistedTooHard});
  for (int j = 0; j < jointCount(); ++j) {
    if (!joins(state, j)) continue;
    const SegmentJoint& joint = present(state, j, room);
    double& twist = jointMemory(state, j).twist;
    if (joint.twists || gains()) {
      const SegmentJoint::Shape shape = joint.shape(now, twist);
      twist = shape.twist;
      if (gains()) {
        const double share = touched(state, j) ? settings_.touchedBend : 1.0;
        const Gain next = joint.follow(shape, forceOf(state.force, j), share);
        gainMemory(state, j) = {next.bend, next.twist, next.account};
      }
    }
    if (breaking == unbounded || tension(now, state.force, joint, j) <= breaking) continue;
    jointMemory(state, j).broken = true;
    std::ranges::fill(forceOf(state, j), 0.0);
    events.add({now.time, this, -1, EventKind::breaks});
  }
}

/// Whether these forces twist any joint harder than the crossed form bears for certain.
bool ChainCable::overtwisted(const Instant& now, std::span<const double> force) const {
  SegmentJoint room;
  for (int j = 0; j < jointCount(); ++j) {
    if (!joins(now.past(), j)) continue;
    const SegmentJoint& joint = present(now.past(), j, room);
    if (joint.crossedLoad(forceOf(force, j)[5], tension(now, force, joint, j)) > 1.0) return true;
  }
  return false;
}

double ChainCable::elasticEnergy(const Instant& now, std::span<const double> force) const {
  SegmentJoint room;
  double sum = 0.0;
  if (drum_) {
    const std::span<const double> f = forceOf(force, 0);
    const Tangent t = tangent(now, now.past());
    const Vec3 gap = now.position(segment(held(now.past())).block) + t.offset * t.along - t.point;
    sum +=
        storedEnergy(gap.norm(), drumCompliance(now.past()), settings_.material.damping, Vec3(f[0], f[1], f[2]).norm());
  }
  for (int j = 0; j < jointCount(); ++j)
    if (joins(now.past(), j))
      sum += present(now.past(), j, room).energy(now, jointMemory(now.past(), j).twist, forceOf(force, j));
  return sum;
}

double ChainCable::tension(const Instant& now, std::span<const double> force, const SegmentJoint& joint, int j) const {
  const std::span<const double> f = forceOf(force, j);
  // Along the mean axis of the segments it joins; the multiplier pulls b back, so tension is its negative.
  const auto axis = [&](const Anchor& a, const Mat3& frame) -> Vec3 {
    return ownsBlock(a.block) ? Vec3(now.rotation(a.block).col(2))
           : joint.bends      ? Vec3(now.rotation(a.block) * frame.col(2))
                              : Vec3::Zero();
  };
  const Vec3 sum = axis(joint.a, joint.frameA) + axis(joint.b, joint.frameB);
  const double size = sum.norm();
  return size > 1e-9 ? -Vec3(f[0], f[1], f[2]).dot(sum) / size : 0.0;
}

std::string ChainCable::nameOf(ElementPart what, int localSlot) const {
  if (what != ElementPart::row) return {};
  static constexpr const char* part[] = {"x", "y", "z", "bend1", "bend2", "twist"};
  return name + ".spans." + std::to_string(localSlot / SegmentJoint::slots) + "." +
         part[localSlot % SegmentJoint::slots];
}

void ChainCable::view(const Instant& now, const State& state, std::vector<LinkView>& links,
                      std::vector<SpanView>& spans) const {
  links.clear();
  spans.clear();
  for (std::size_t i = 0; i < mounts_.size(); ++i) {
    LinkView& v = links.emplace_back();
    v.type = settings_.route[i].type;
    v.on = &mounts_[i].name;
    v.holds = settings_.route[i].hold != EndHold::free;
    v.mode = v.holds ? "fixed" : "free";
  }
  const auto vector = [&](int j) {
    const std::span<const double> f = forceOf(state.force, j);
    return Vec3(f[0], f[1], f[2]);
  };
  const auto addSpan = [&](const Vec3& start, const Vec3& end, double rest, double pull) {
    SpanView& v = spans.emplace_back();
    v.to = static_cast<int>(links.size()) - 1;
    v.start = start;
    v.end = end;
    v.length = (end - start).norm();
    v.rest = rest;
    v.tension = pull;
  };
  double wound = 0.0;
  Vec3 leaves = Vec3::Zero();
  if (drum_) {
    const Tangent t = tangent(now, state);
    const Segment& s = segment(held(state));
    links.front().mode = "rolling";
    links.front().exit = t.point;
    links.front().force = -vector(0);
    links.front().stored = t.offset + 0.5 * s.length;
    for (int i = 0; i < held(state); ++i) links.front().stored += segment(i).length;
    // A middle that is wound up itself leaves nothing of its half, and takes of what comes after it.
    wound = std::max(t.offset, 0.0);
    leaves = t.point;
    addSpan(t.point, wound > 0.0 ? t.point : now.position(s.block), wound - t.offset, -vector(0).dot(t.along));
  }
  SegmentJoint room;
  for (int j = 0; j < jointCount(); ++j) {
    if (pooled_ && !joins(state, j) && !broken(state, j)) continue;
    const SegmentJoint& joint = present(state, j, room);
    const auto place = [&](const Anchor& a) { return ownsBlock(a.block) ? now.position(a.block) : now.point(a); };
    addSpan(wound > 0.0 ? leaves : place(joint.a), place(joint.b), joint.length - wound,
            tension(now, state.force, joint, j));
    wound = 0.0;
    links.back().wrap += jointMemory(state, j).twist;
    if (j == firstHeld_ && !drum_) links.front().force = -vector(j), links.front().exit = now.point(joint.a);
    if (j == lastHeld_)
      links.back().force = settings_.closed ? Vec3(-vector(j)) : vector(j),
      links.back().entry = now.point(settings_.closed ? joint.a : joint.b);
  }
}

void ChainCable::draw(const Instant& now, const State& state, std::vector<Vec3>& points,
                      std::vector<double>& tensions) const {
  points.clear();
  tensions.clear();
  const auto put = [&](const Vec3& p, double t) {
    points.push_back(p);
    tensions.push_back(t);
  };
  SegmentJoint room;
  // Ends of the segments, the two at a joint drawn as one; the tension is that of the joint.
  const auto endOf = [&](int i, double sign) -> Vec3 {
    const Segment& s = segment(i);
    return now.position(s.block) + now.rotation(s.block).col(2) * (sign * 0.5 * s.length);
  };
  // What is pushed is loaded too, and drawn so; a negative number would say that it is parted here.
  const auto shown = [&](int j) { return std::fabs(tension(now, state.force, present(state, j, room), j)); };
  const auto meet = [&](int i, int k, int j) {
    const Vec3 end = endOf(i, 1.0), next = endOf(k, -1.0);
    if (!broken(state, j)) return put(0.5 * (end + next), shown(j));
    put(end, -1.0);  // nothing between here and the next point
    put(next, 0.0);
  };
  // The joint at the beginning of a segment: without spares joints are counted from the first that there is.
  const auto jointBefore = [&](int i) {
    return pooled_ || settings_.closed || firstHeld_ >= 0 ? segment(i).from : i - 1;
  };
  const int first = firstSegment(state);
  int last = first;
  const bool ring = settings_.closed && !broken(state, 0);
  if (drum_)
    put(tangent(now, state).point,
        -Vec3(forceOf(state.force, 0)[0], forceOf(state.force, 0)[1], forceOf(state.force, 0)[2])
             .dot(now.rotation(segment(first).block).col(2)));
  else if (ring)
    put(0.5 * (endOf(static_cast<int>(segments_.size()) - 1, 1.0) + endOf(first, -1.0)), shown(0));
  else
    put(endOf(first, -1.0), firstHeld_ == 0 && joins(state, 0) ? shown(0) : 0.0);
  for (int i = nextSegment(state, first); i >= 0; last = i, i = nextSegment(state, i)) meet(last, i, jointBefore(i));
  if (ring)
    put(points.front(), tensions.front());
  else
    put(endOf(last, 1.0), lastHeld_ >= 0 && joins(state, lastHeld_) && !settings_.closed ? shown(lastHeld_) : 0.0);
}

}  // namespace reeve
