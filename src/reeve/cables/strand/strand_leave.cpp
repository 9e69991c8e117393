// Nodes on candidate bodies let go and vanish (strand_corners.cpp has how they come).
//
// Let go. Where the strand would have to be held down the node is free again, with its material's velocity. The force
// of the strand on the edge is (T₀ − ρ ṡ²) p + (T₁ − ρ ṡ²) q and half its segments' weight, p and q the directions of
// the strand away from it: what flows round a corner needs ρ ṡ² to be turned.
// Gone. A free node that a strand does not need (it is straight there, and its velocity that of its neighbours within
// a share of the kinetic energy) vanishes.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_cable.h"

namespace reeve {

namespace {

/// What may be lost of the kinetic energy when a node vanishes, as a share.
constexpr double lossShare = 1e-7;
/// Of the radius: an arc that shrinks below this is let go.
constexpr double letGoArc = 5e-3;

}  // namespace

/// A spare that is only there for its motion goes. Beyond its neighbours' motion its material had a velocity `off` at
/// the node, less on both sides: with the node at the share f of the way, ρ Δs off (2 − f)/6 and (1 + f)/6 of momentum
/// go to the two ends. So energy is lost at most.
void StrandCable::dropSpare(const Instant& now, State& state, const Spare& spare, Traces& traces) const {
  const int st = node(spare.node).at0, in = segmentBefore(st), out = segmentAfter(st);
  const SpanNow &before = look(now).spans[at(in)], &after = look(now).spans[at(out)];
  const double rest = before.rest + after.rest, f = before.rest / rest;
  const Vec3 off = before.m[1] - (before.m[0] + f * (after.m[1] - before.m[0]));
  const int from = segments_[at(in)].from, to = segments_[at(out)].to;
  traces.momentum.resize(state.v.size(), 0.0);
  for (int end = 0; end < 2 && !station(from).wheel && !station(to).wheel; ++end) {
    Motion m;
    carryEnd(look(now), segments_[at(end == 0 ? in : out)], end == 0 ? before : after, end, m);
    const Vec3 p = density_ * rest * (end == 0 ? 2.0 - f : 1.0 + f) / 6.0 * off;
    for (int i = 0; i < m.count; ++i) {
      const Carry& c = m.carry[at(i)];
      for (int k = 0; k < c.dof; ++k) traces.momentum[at(now.model().blocks[at(c.block)].v + k)] += c.a.col(k).dot(p);
    }
  }
  sleep(now, state, spare);
  removeStation(state, st);
  state.memory[restCell(st - 1)] = rest;
}

bool StrandCable::leavesEdge(const Instant& now, const State& state, const Spare& spare) const {
  const int st = node(spare.node).at0;
  const Feature& f = features_[static_cast<std::size_t>(state.memory[cell(spare, feature_)])];
  const double u = parameters(now, node(spare.node)).x();
  if (u < 0.0 || u > f.length) return true;
  const int in = segmentBefore(st), out = segmentAfter(st);
  const SpanNow &before = look(now).spans[at(in)], &after = look(now).spans[at(out)];
  const auto turned = [&](const Vec3& x) { return now.rotates(f.block) ? Vec3(now.rotation(f.block) * x) : x; };
  const Vec3 e = turned(f.along), middle = turned(f.normal[0] + f.normal[1]), p = -before.n, q = after.n;
  Vec3 away = e.cross(q - p);
  if (away.norm() < 1e-9) away = middle;
  away.normalize();
  if (away.dot(middle) < 0.0) away = -away;
  const double turning = density_ * flowRate(now, node(spare.node)) * flowRate(now, node(spare.node));
  const double t0 = -state.force[at(lengthSlot(in))] - turning, t1 = -state.force[at(lengthSlot(out))] - turning;
  const Vec3 weight = 0.5 * density_ * (before.rest + after.rest) * now.model().description.settings.gravity;
  return (t0 * p + t1 * q + weight).dot(away) > 0.0;
}

bool StrandCable::leavesArc(const Instant& now, const State& state, const Spare& first, const Spare& second) const {
  const Node &n0 = node(first.node), &n1 = node(second.node);
  const int st = n0.at0;
  const Segment& g = segments_[at(st)];
  const Feature& f = features_[static_cast<std::size_t>(state.memory[cell(first, feature_)])];
  const double on = materialAt(now, n1) - materialAt(now, n0), shrinks = flowRate(now, n0) - flowRate(now, n1);
  if (shrinks > 0.0 && on < std::max(2.0 * nearestOf(g), letGoArc * f.radius) + 2.0 * stepOf(now) * shrinks)
    return true;
  const Vec2 u0 = parameters(now, n0), u1 = parameters(now, n1);
  if (f.kind == Feature::Kind::tube && std::fabs(u0.y()) > f.length && std::fabs(u1.y()) > f.length) return true;
  // From inside there is no tangent.
  for (const Vec3& x : {look(now).spans[at(segmentBefore(st))].x[0], look(now).spans[at(segmentAfter(st + 1))].x[1]}) {
    Vec3 normal;
    const Vec3 p = onFeature(now, f, x, normal);
    if (normal.dot(x - p) < 0.005 * f.radius) return true;
  }
  const double flow = 0.5 * (flowRate(now, n0) + flowRate(now, n1));
  return -state.force[at(lengthSlot(st))] < density_ * flow * flow - 1e-9;
}

/// A free end that comes over an edge is drawn off it: what is left is laid on along what is inside.
bool StrandCable::slipsOff(const Instant& now, State& state, const Spare& spare) const {
  if (closed_) return false;
  const int st = node(spare.node).at0;
  for (const bool last : {false, true}) {
    const int end = last ? stationCount() - 1 : 0;
    if (std::abs(end - st) != 1 || station(end).wheel || node(station(end).index).kept < 0) continue;
    const SpanNow &outer = look(now).spans[at(last ? st : st - 1)], &inner = look(now).spans[at(last ? st - 1 : st)];
    const double shrinks = outer.sRate[0] - outer.sRate[1];
    if (!(shrinks > 0.0 && outer.rest < 2.0 * nearest_ + 2.0 * stepOf(now) * shrinks)) continue;
    const std::size_t k = last ? 1 : 0;
    write(now, state, node(station(end).index).block, inner.x[k] + (last ? 1.0 : -1.0) * outer.rest * inner.n,
          inner.m[k]);
    const double rest = inner.rest + outer.rest;
    sleep(now, state, spare);
    removeStation(state, st);
    state.memory[restCell(st - 1)] = rest;
    state.mode[at(stopSlot(st - 1))] = Mode::lower;
    return true;
  }
  return false;
}

bool StrandCable::letGo(const Instant& now, State& state, std::vector<Notice>& notices, Traces& traces) const {
  const char* const left = "the strand leaves a body after this link";
  for (const Spare& spare : spares_) {
    const Role role = roleOf(state, spare);
    if (role != Role::edge && role != Role::held && role != Role::arcStart) continue;
    const int st = node(spare.node).at0, link = station(st).link;
    const int feature = static_cast<int>(state.memory[cell(spare, feature_)]);
    const Feature& f = features_[at(feature)];
    if (role != Role::arcStart) {
      if (slipsOff(now, state, spare)) {
        notices.push_back({now.time, this, link, left});
        return true;
      }
      if (!leavesEdge(now, state, spare)) continue;
      const SpanNow &before = look(now).spans[at(segmentBefore(st))], &after = look(now).spans[at(segmentAfter(st))];
      freeAt(now, state, spare, before.x[1], 0.5 * (before.m[1] + after.m[0]), before.s[1]);
      const auto turned = [&](const Vec3& x) { return now.rotates(f.block) ? Vec3(now.rotation(f.block) * x) : x; };
      Vec3 away = turned(f.along).cross(after.n + before.n);
      const Vec3 middle = turned(f.normal[0] + f.normal[1]);
      if (away.norm() < 1e-9) away = middle;
      if (away.dot(middle) < 0.0) away = -away;
      setTouch(now, state, spare.node, f.block, away.normalized(), before.x[1], feature);
    } else {
      const Spare& second = spares_[at(node(station(st + 1).index).spare)];
      if (!leavesArc(now, state, spare, second)) continue;
      const End middle = chartEnd(now, segments_[at(st)], 0.5);
      const double rest = look(now).spans[at(segmentAfter(st + 1))].rest;
      const double half = 0.5 * (materialAt(now, node(second.node)) - materialAt(now, node(spare.node)));
      sleep(now, state, second);
      removeStation(state, st + 1);
      freeAt(now, state, spare, middle.x, middle.m, middle.s);
      state.memory[restCell(st - 1)] += half;
      state.memory[restCell(st)] = rest + half;
      Vec3 normal;
      const Vec3 p = onFeature(now, f, middle.x, normal);
      setTouch(now, state, spare.node, f.block, normal, p, feature);
    }
    notices.push_back({now.time, this, link, left});
    traces.moved = spare.node;
    return true;
  }
  return false;
}

std::optional<double> StrandCable::lossWithout(const Instant& now, int st) const {
  const SpanNow &before = look(now).spans[at(segmentBefore(st))], &after = look(now).spans[at(segmentAfter(st))];
  const double rest = before.rest + after.rest, share = before.rest / rest;
  // Straight, or what it would set free of its length jerks at the ends.
  const double speed = std::sqrt(2.0 * kinetic(now) / (density_ * length_));
  const double bend = before.length + after.length - (after.x[1] - before.x[0]).norm();
  const bool taut = before.length + after.length > rest - 1e-9;
  if (taut && bend > 1e-10 + 1e-4 * stepOf(now) * speed) return std::nullopt;
  const Vec3 off = before.m[1] - (before.m[0] + share * (after.m[1] - before.m[0]));
  return density_ * rest / 6.0 * off.squaredNorm();
}

bool StrandCable::vanish(const Instant& now, State& state, Traces& traces) const {
  for (const Spare& spare : spares_) {
    if (roleOf(state, spare) != Role::free) continue;
    if (state.memory[at(memory + node(spare.node).touch)] > 0.5) continue;
    const int st = node(spare.node).at0;
    const auto loss = lossWithout(now, st);
    if (!loss || *loss > lossShare * kinetic(now)) continue;
    dropSpare(now, state, spare, traces);
    return true;
  }
  return false;
}

}  // namespace reeve
