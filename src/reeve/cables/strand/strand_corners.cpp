// Nodes that appear where a strand meets a candidate body, and vanish when it leaves.
//
// Met. A straight segment that would go through an edge or a round part in the coming step gets a free node there. That
// changes nothing: the node lies on the segment and moves as its material does. A row keeps it outside
// (strand_touch.cpp), so what the strand strikes it strikes as anything else does, with its momentum, and nothing is
// passed through.
// Laid on. Once that row holds, the node becomes Eulerian: on an edge, a line of the body, along which it slides and
// through which material flows; on a round part two nodes with an arc between them. The strand is straight there and
// the normal velocity that of the body, so no energy changes: with ẋ = w + e u̇ on the edge (w the body's velocity),
// material at m = ẋ − t ṡ moves as before for
//     e u̇ − t ṡ = m − w.
// How it leaves again: strand_leave.cpp.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_cable.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {

/// Across an edge by less than this (sine) a node does not slide along it: it would run along the strand.
constexpr double slidesAcross = 0.1;
/// Of the strand's length: so near a node left over is used again.
constexpr double nearSpare = 0.02;
/// Of the radius: shorter than this an arc is a point.
constexpr double leastArc = 1e-2;
/// Of an arc, in a step.
constexpr double mostGrowth = 0.25;
/// s: for rates of where a taut strand touches.
constexpr double moment = 1e-6;

}  // namespace

void StrandCable::write(const Instant& now, State& state, int block, const Vec3& q, const Vec3& v) const {
  const Block& b = now.model().blocks[at(block)];
  for (int k = 0; k < b.dof; ++k) {
    state.q[at(b.q + k)] = q[k];
    state.v[at(b.v + k)] = v[k];
    state.u[at(b.v + k)] = 0.0;
  }
}

void StrandCable::sleep(const Instant& now, State& state, const Spare& spare) const {
  for (const int block : {spare.line, spare.surface, spare.place, spare.flow})
    write(now, state, block, Vec3::Zero(), Vec3::Zero());
}

void StrandCable::freeAt(const Instant& now, State& state, const Spare& spare, const Vec3& x, const Vec3& v,
                         double s) const {
  sleep(now, state, spare);
  write(now, state, spare.place, x, v);
  state.memory[cell(spare, role_)] = static_cast<double>(Role::free);
  state.memory[cell(spare, material_)] = s;
}

const StrandCable::Spare* StrandCable::waitingSpare(const State& state) const {
  for (const Spare& spare : spares_)
    if (roleOf(state, spare) == Role::waiting) return &spare;
  return nullptr;
}

StrandCable::Meeting StrandCable::nextMeeting(const Instant& now, const State& state) const {
  const Page& page = look(now);
  const double step = stepOf(now), drop = 4.0 * step * step * now.model().description.settings.gravity.norm();
  double soonest = HUGE_VAL;
  Meeting found;
  const auto uses = [&](int st, int which) {
    if (station(st).wheel || node(station(st).index).touch < 0) return false;
    const Node& n = node(station(st).index);
    if (n.place == Place::free)
      return static_cast<int>(state.memory[at(memory + n.touch + touchFeature_)]) - 1 == which;
    const Spare& spare = spares_[at(n.spare)];
    return static_cast<int>(state.memory[cell(spare, feature_)]) == which;
  };
  const auto rests = [&](int st) { return !station(st).wheel && lifted(now, node(station(st).index)); };
  for (int k = 0; k < segmentCount(); ++k) {
    const Segment& g = segments_[at(k)];
    const SpanNow& s = page.spans[at(k)];
    if (g.chart >= 0 || !s.ok || s.length <= 8.0 * nearest_ || rests(g.from) || rests(g.to)) continue;
    const double least = 2.0 * nearest_ / s.length;
    for (int i = 0; i < static_cast<int>(features_.size()); ++i) {
      const Feature& f = features_[at(i)];
      const Beside next = beside(now, f, s.x[0] + step * s.rate[0], s.x[1] + step * s.rate[1], step);
      if (!next.known || next.gap >= 0.0) continue;
      const Beside here = beside(now, f, s.x[0], s.x[1], 0.0);
      if (!here.known || (!here.facing && !next.facing) || here.normal.dot(next.normal) < 0.0) continue;
      const double closing = std::max(here.gap - next.gap, 0.0);
      if (here.gap < -4.0 * closing - drop || uses(g.from, i) || uses(g.to, i)) continue;
      const double share = std::clamp(here.facing ? here.share : next.share, 0.0, 1.0);
      if (share < least || share > 1.0 - least) continue;
      const double when = closing > 0.0 ? std::max(here.gap, 0.0) / closing : 0.0;
      if (when >= soonest) continue;
      soonest = when;
      found = {k, i, here};
      found.at.share = share;
    }
  }
  return found;
}

/// A spare left over from an earlier meeting so near that it is moved there: short segments swing faster than a step
/// can follow.
const StrandCable::Spare* StrandCable::spareNear(const Instant& now, const State& state, const Meeting& m) const {
  const Segment& g = segments_[at(m.segment)];
  const double rest = look(now).spans[at(m.segment)].rest;
  for (const bool last : {false, true}) {
    const Station& st = station(last ? g.to : g.from);
    if (st.wheel || (last ? 1.0 - m.at.share : m.at.share) * rest > nearSpare * length_) continue;
    const Node& n = node(st.index);
    if (n.spare >= 0 && n.place == Place::free && !touching(state, st.index)) return &spares_[at(n.spare)];
  }
  return nullptr;
}

/// A free node of the route that is nearer than the finest length steps aside, along its strand: the segments beside it
/// keep their lengths if it stays on the ellipse about its neighbours. The node, or −1.
int StrandCable::stepAside(const Instant& now, State& state, const Meeting& m) const {
  const Segment& g = segments_[at(m.segment)];
  const double rest = look(now).spans[at(m.segment)].rest;
  for (const bool last : {false, true}) {
    const int st = last ? g.to : g.from;
    const double apart = (last ? 1.0 - m.at.share : m.at.share) * rest;
    if (!freeNode(st) || apart > finest_ || st == 0 || st == stationCount() - 1) continue;
    const SpanNow &before = look(now).spans[at(st - 1)], &after = look(now).spans[at(st)];
    const double move = (last ? 1.0 : -1.0) * (1.5 * finest_ - apart);
    const double r0 = before.rest + move, r1 = after.rest - move;
    if (std::min(r0, r1) < finest_) continue;
    const Vec3 way = after.x[1] - before.x[0];
    const double far = way.norm(), along = (r0 * r0 - r1 * r1 + far * far) / (2.0 * far);
    const Vec3 n = way / far;
    Vec3 aside = before.x[1] - before.x[0] - n * n.dot(before.x[1] - before.x[0]);
    if (aside.norm() > 0.0) aside *= std::sqrt(std::max(0.0, r0 * r0 - along * along)) / aside.norm();
    const Vec3& next = last ? after.m[1] : before.m[0];
    const Vec3 v = after.m[0] + std::fabs(move) / (last ? after.rest : before.rest) * (next - after.m[0]);
    const Node& node = this->node(station(st).index);
    write(now, state, node.block, before.x[0] + along * n + aside, v);
    state.memory[at(memory + node.kept)] = before.s[1] + move;
    state.memory[restCell(st - 1)] = r0;
    state.memory[restCell(st)] = r1;
    return station(st).index;
  }
  return -1;
}

bool StrandCable::meetFeature(const Instant& now, State& state, Traces& traces) const {
  const Meeting found = nextMeeting(now, state);
  if (found.segment < 0) return false;
  if ((traces.moved = stepAside(now, state, found)) >= 0) return true;
  const double share = found.at.share;
  const Spare* const left = spareNear(now, state, found);
  const Spare* spare = left ? left : waitingSpare(state);
  if (!spare) {
    double least = HUGE_VAL;
    for (const Spare& other : spares_) {
      if (roleOf(state, other) != Role::free || touching(state, other.node)) continue;
      const double loss = lossWithout(now, node(other.node).at0).value_or(1e300);
      if (loss < least) least = loss, spare = &other;
    }
    if (spare) dropSpare(now, state, *spare, traces);
    return spare != nullptr;
  }
  const SpanNow& s = look(now).spans[at(found.segment)];
  const Feature& f = features_[at(found.feature)];
  const Vec3 x = s.x[0] + share * (s.x[1] - s.x[0]), v = s.m[0] + share * (s.m[1] - s.m[0]);
  if (!left) {
    insertStation(state, segments_[at(found.segment)].from, *spare);
    state.memory[restCell(found.segment)] = share * s.rest;
    state.memory[restCell(found.segment + 1)] = (1.0 - share) * s.rest;
  } else {
    const bool last = node(left->node).at0 == segments_[at(found.segment)].to;
    const int beyond = last ? segmentAfter(node(left->node).at0) : segmentBefore(node(left->node).at0);
    state.memory[restCell(beyond)] = look(now).spans[at(beyond)].rest + (last ? 1.0 - share : share) * s.rest;
    state.memory[restCell(found.segment)] = (last ? share : 1.0 - share) * s.rest;
    dropTouch(state, spare->node);
  }
  freeAt(now, state, *spare, x, v, s.s[0] + share * s.rest);
  setTouch(now, state, spare->node, f.block, found.at.normal, x - found.at.gap * found.at.normal, found.feature);
  return true;
}

bool StrandCable::layOnEdge(const Instant& now, State& state, const Spare& spare, const Feature& f) const {
  const int st = node(spare.node).at0;
  const SpanNow &before = look(now).spans[at(segmentBefore(st))], &after = look(now).spans[at(segmentAfter(st))];
  const Vec3 x = before.x[1], t = (after.x[1] - before.x[0]).normalized();
  const Vec3 origin = now.point({f.block, f.origin});
  const Vec3 e = now.rotates(f.block) ? Vec3(now.rotation(f.block) * f.along) : f.along;
  const double te = t.dot(e), across = 1.0 - te * te;
  // x + t shift = origin + e u, as near as it goes.
  const Vec3 w = origin - x;
  double shift = 0.0, u = -w.dot(e);
  const bool slides = across > slidesAcross * slidesAcross;
  if (slides) {
    shift = (w.dot(t) - te * w.dot(e)) / across;
    u = te * shift - w.dot(e);
  }
  const SpanNow& side = shift > 0.0 ? after : before;
  if (u <= 0.0 || u >= f.length || std::fabs(shift) > 0.5 * side.length) return false;
  const double share = std::fabs(shift) / side.length;
  const Vec3 m = after.m[0] + share * ((shift > 0.0 ? after.m[1] : before.m[0]) - after.m[0]);
  const Vec3 rel = m - now.pointVelocity({f.block, f.origin + u * f.along});
  double flow = -rel.dot(t), run = 0.0;
  if (slides) {
    run = (rel.dot(e) - te * rel.dot(t)) / across;
    flow = te * run - rel.dot(t);
  }
  const double material = before.s[1] + (shift > 0.0 ? share : -share) * side.rest;
  const std::size_t feature = static_cast<std::size_t>(memory + node(spare.node).touch + touchFeature_);
  state.memory[cell(spare, feature_)] = state.memory[feature] - 1.0;
  state.memory[cell(spare, role_)] = static_cast<double>(slides ? Role::edge : Role::held);
  state.memory[cell(spare, at_)] = u;
  sleep(now, state, spare);
  write(now, state, spare.line, Vec3(u, 0, 0), Vec3(run, 0, 0));
  write(now, state, spare.flow, Vec3(material, 0, 0), Vec3(flow, 0, 0));
  const double moved = material - before.s[1];
  state.memory[restCell(segmentBefore(st))] = before.rest + moved;
  state.memory[restCell(segmentAfter(st))] = after.rest - moved;
  dropTouch(state, spare.node);
  return true;
}

StrandCable::Pad StrandCable::padOf(const Feature& f, const Vec3& axis) const {
  Pad pad;
  pad.ball = f.kind == Feature::Kind::ball;
  pad.radius = f.radius;
  pad.frame.origin = f.origin;
  pad.frame.z = pad.ball ? axis : f.along;
  orthonormalBasis(pad.frame.z, pad.frame.x, pad.frame.y);
  return pad;
}

/// Two nodes on the tangents, once there is an arc between them.
bool StrandCable::layOnRound(const Instant& now, State& state, const Spare& first, const Feature& f,
                             int feature) const {
  const int st = node(first.node).at0;
  const SpanNow &before = look(now).spans[at(segmentBefore(st))], &after = look(now).spans[at(segmentAfter(st))];
  const Mat3 back = now.rotates(f.block) ? Mat3(now.rotation(f.block).transpose()) : Mat3(Mat3::Identity());
  const Vec3 omega = now.rotates(f.block) ? now.angularVelocity(f.block) : Vec3(Vec3::Zero());
  const auto local = [&](const Vec3& x, const Vec3& v, double later) {
    const Vec3 d = x - now.position(f.block), rate = v - now.velocity(f.block) - omega.cross(d);
    return Vec3(back * (d + later * rate));
  };
  const auto place = [&](int end, double later) {
    const SpanNow& s = end == 0 ? before : after;
    return local(s.x[at(end)], s.rate[at(end)], later);
  };
  // The chart of a sphere has its equator in the plane the strand lies in.
  Vec3 axis = (place(0, 0.0) - f.origin).cross(place(1, 0.0) - f.origin);
  if (axis.norm() <= 0.0) return false;
  axis.normalize();
  const Pad pad = padOf(f, axis);
  const Touch here = touch(pad, place(0, 0.0), place(1, 0.0)), next = touch(pad, place(0, moment), place(1, moment));
  Segment arc;
  arc.from = st;
  arc.chart = 0;
  if (!here.through || !next.through || here.length[1] < std::max(8.0 * nearestOf(arc), leastArc * f.radius))
    return false;
  // While it winds on so fast that a step would change all of it, the free node stays.
  const double grows = (next.length[1] - here.length[1]) / moment * stepOf(now);
  if (grows < -1e-9 * here.length[1] || grows > mostGrowth * here.length[1]) return false;
  if (!pad.ball && std::fabs(here.u[0].y()) > f.length && std::fabs(here.u[1].y()) > f.length) return false;
  const Spare* second = waitingSpare(state);
  if (!second) return false;
  const auto share = [](const Touch& t, int k) {
    const double all = t.length[0] + t.length[1] + t.length[2];
    return (k == 0 ? t.length[0] : t.length[0] + t.length[1]) / all;
  };
  insertStation(state, st, *second);
  const double rest = before.rest + after.rest, s0 = before.s[0];
  const double r0 = before.sRate[0], r1 = after.sRate[1];
  for (const int k : {0, 1}) {
    const Spare& spare = k == 0 ? first : *second;
    const double part = share(here, k), partRate = (share(next, k) - part) / moment;
    const Vec2 u = here.u[k], uRate = (next.u[k] - here.u[k]) / moment;
    sleep(now, state, spare);
    write(now, state, spare.surface, Vec3(u.x(), u.y(), 0), Vec3(uRate.x(), uRate.y(), 0));
    write(now, state, spare.flow, Vec3(s0 + part * rest, 0, 0), Vec3(r0 + part * (r1 - r0) + partRate * rest, 0, 0));
    state.memory[cell(spare, role_)] = static_cast<double>(k == 0 ? Role::arcStart : Role::arcEnd);
    state.memory[cell(spare, feature_)] = feature;
    state.memory[cell(spare, at_)] = node(first.node).spare;
    for (int j = 0; j < 3; ++j) state.memory[cell(spare, axisX_ + j)] = axis[j];
    state.memory[restCell(st - 1 + k)] = k == 0 ? part * rest : (part - share(here, 0)) * rest;
  }
  state.memory[restCell(st + 1)] = (1.0 - share(here, 1)) * rest;
  for (const int k : {-1, 0, 1}) state.mode[at(stopSlot(st + k))] = Mode::lower;
  dropTouch(state, first.node);
  return true;
}

bool StrandCable::layOn(const Instant& now, State& state, std::vector<Notice>& notices) const {
  for (const Spare& spare : spares_) {
    if (roleOf(state, spare) != Role::free || !touching(state, spare.node)) continue;
    const int feature = static_cast<int>(state.memory[at(memory + node(spare.node).touch + touchFeature_)]) - 1;
    if (feature < 0) continue;
    const Feature& f = features_[at(feature)];
    const int link = station(node(spare.node).at0).link;
    if (!(f.kind == Feature::Kind::edge ? layOnEdge(now, state, spare, f) : layOnRound(now, state, spare, f, feature)))
      continue;
    notices.push_back({now.time, this, link, "the strand comes to lie on a body after this link"});
    return true;
  }
  return false;
}

/// All that comes and goes before a step; true if anything did.
bool StrandCable::meet(const Instant& now, State& state, std::vector<Notice>& notices, Traces& traces) const {
  Instant fresh;
  const Instant* at = &now;
  bool any = false;
  const auto repeat = [&](auto&& change) {
    for (std::size_t k = 0; k < spares_.size(); ++k) {
      const double before = kinetic(*at);
      traces.moved = -1;
      if (!change(*at)) break;
      any = true;
      arrange(state);
      fresh.bind(now.model(), state);
      fresh.rewind();
      at = &fresh;
      if (traces.moved < 0) continue;
      giveBack(fresh, state, traces.moved, before);
      fresh.rewind();
    }
  };
  repeat([&](const Instant& i) { return letGo(i, state, notices, traces); });
  repeat([&](const Instant& i) {
    const bool laid = layOn(i, state, notices);
    traces.struck = traces.struck || laid;
    return laid;
  });
  repeat([&](const Instant& i) { return vanish(i, state, traces); });
  repeat([&](const Instant& i) { return meetFeature(i, state, traces); });
  traces.struck = feel(*at, state) || traces.struck;
  return any;
}

}  // namespace reeve
