#include "reeve/cables/chain/chain_cable.h"

#include <algorithm>
#include <cmath>

namespace reeve {

void ChainCable::start(const Instant& now, std::span<double> remembered) const {
  for (int j = 0; j < jointCount(); ++j) {
    const SegmentJoint& joint = joints_[static_cast<std::size_t>(j)];
    remembered[static_cast<std::size_t>(2 * j)] = joint.twists ? joint.shape(now, -joint.restTwist).twist : 0.0;
    remembered[static_cast<std::size_t>(2 * j + 1)] = 0.0;
  }
}

void ChainCable::rows(const Instant& now, RowSet& out) const {
  for (int j = 0; j < jointCount(); ++j)
    if (!broken(now.past(), j))
      joint(j).rows(now, now.past().memory[twistCell(j)], slot + SegmentJoint::slots * j, out);
}

void ChainCable::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  for (int j = 0; j < jointCount(); ++j)
    if (!broken(now.past(), j)) joint(j).stiffness(now, forceOf(force, j), out);
}

void ChainCable::finish(const Instant& now, State& state, std::vector<Notice>& notices) const {
  for (int j = 0; j < jointCount(); ++j) {
    if (broken(state, j)) continue;
    if (joint(j).twists) state.memory[twistCell(j)] = joint(j).shape(now, state.memory[twistCell(j)]).twist;
    if (tension(now, state.force, j) <= settings_.material.breaking) continue;
    state.memory[twistCell(j) + 1] = 1.0;
    for (int k = 0; k < SegmentJoint::slots; ++k)
      state.force[static_cast<std::size_t>(slot + SegmentJoint::slots * j + k)] = 0.0;
    notices.push_back({now.time, this, -1, "breaks"});
  }
}

double ChainCable::energy(const Instant&, std::span<const double> force) const {
  double sum = 0.0;
  for (int j = 0; j < jointCount(); ++j) sum += joint(j).energy(forceOf(force, j));
  return sum;
}

double ChainCable::tension(const Instant& now, std::span<const double> force, int j) const {
  const std::span<const double> f = forceOf(force, j);
  const SegmentJoint& joint = joints_[static_cast<std::size_t>(j)];
  // Along the mean axis of the segments it joins; the multiplier pulls b back, so tension is its negative.
  const auto axis = [&](const Anchor& a, const Mat3& frame) -> Vec3 {
    const bool segment = segments_.front().block <= a.block && a.block <= segments_.back().block;
    return segment       ? Vec3(now.rotation(a.block).col(2))
           : joint.bends ? Vec3(now.rotation(a.block) * frame.col(2))
                         : Vec3::Zero();
  };
  const Vec3 sum = axis(joint.a, joint.frameA) + axis(joint.b, joint.frameB);
  const double size = sum.norm();
  return size > 1e-9 ? -Vec3(f[0], f[1], f[2]).dot(sum) / size : 0.0;
}

std::string ChainCable::rowName(int localSlot) const {
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
    v.on = &mounts_[i].name;
    v.mode = i == 0                    ? (joinedFirst_ ? "fixed" : "free")
             : i + 1 == mounts_.size() ? (joinedLast_ ? "fixed" : "free")
                                       : "fixed";
  }
  for (int j = 0; j < jointCount(); ++j) {
    const SegmentJoint& joint = joints_[static_cast<std::size_t>(j)];
    const auto place = [&](const Anchor& a) {
      const bool segment = segments_.front().block <= a.block && a.block <= segments_.back().block;
      return segment ? now.position(a.block) : now.point(a);
    };
    SpanView& v = spans.emplace_back();
    v.to = static_cast<int>(links.size()) - 1;
    v.start = place(joint.a);
    v.end = place(joint.b);
    v.length = (v.end - v.start).norm();
    v.rest = joint.length;
    v.tension = tension(now, state.force, j);
    links.back().wrap += state.memory[twistCell(j)];
  }
  const auto pull = [&](int j, double sign) {
    const std::span<const double> f = forceOf(state.force, j);
    return Vec3(sign * Vec3(f[0], f[1], f[2]));
  };
  if (joinedFirst_) links.front().force = pull(0, -1.0);
  if (joinedLast_) links.back().force = pull(jointCount() - 1, 1.0);
  if (joinedFirst_) links.front().exit = now.point(joints_.front().a);
  if (joinedLast_) links.back().entry = now.point(joints_.back().b);
}

void ChainCable::draw(const Instant& now, const State& state, std::vector<Vec3>& points,
                      std::vector<double>& tensions) const {
  points.clear();
  tensions.clear();
  const auto put = [&](const Vec3& p, double t) {
    points.push_back(p);
    tensions.push_back(t);
  };
  // Ends of the segments, the two at a joint drawn as one; the tension is that of the joint.
  const auto endOf = [&](const Segment& s, double sign) -> Vec3 {
    return now.position(s.block) + now.rotation(s.block).col(2) * (sign * 0.5 * s.length);
  };
  const auto shown = [&](int j) { return std::max(tension(now, state.force, j), 0.0); };
  int j = joinedFirst_ ? 1 : 0;
  put(endOf(segments_.front(), -1.0), joinedFirst_ ? shown(0) : 0.0);
  for (std::size_t i = 0; i + 1 < segments_.size(); ++i, ++j) {
    const Vec3 end = endOf(segments_[i], 1.0), next = endOf(segments_[i + 1], -1.0);
    if (broken(state, j)) {
      put(end, -1.0);  // nothing between here and the next point
      put(next, 0.0);
    } else {
      put(0.5 * (end + next), shown(j));
    }
  }
  put(endOf(segments_.back(), 1.0), joinedLast_ ? shown(jointCount() - 1) : 0.0);
}

}  // namespace reeve
