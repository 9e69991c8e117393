// Nodes on candidate bodies are let go and vanish (strand_corners.cpp has how they come).
//
// Let go. An arc that has shrunk to next to nothing becomes the one node again that stands beside the body. While there
// is one it stays, taut or slack: from a strand that is slack for a moment (it stretches, and its load bounces) the
// body would be gone otherwise when it is taut again. A node that has slid off the end of its edge, or whose plane the
// strand hardly crosses any more, is free, with its material's velocity.
//
// Gone. A node that a strand does not need (it is off the body, straight there, and its velocity that of its neighbours
// within a share of the kinetic energy) vanishes.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_contact.h"

namespace reeve {

namespace {

/// What may be lost of the kinetic energy when a node vanishes, as a share.
constexpr double lossShare = 1e-7;
/// Of the radius: an arc that shrinks below this is let go.
constexpr double letGoArcShare = 5e-3;
/// Of the radius: more than this on a round part is wound round it.
constexpr double windsShare = 0.5;
/// rad: an arc on a ball so far from the great circle it was laid on has slipped off it.
constexpr double slipsOver = 1.35;
/// A strand more nearly in the plane of a node than this (sine) may not go through it any more.
constexpr double hardlyCrosses = 0.03;
/// Of the strand's length: nearer than this to a link a node off the body is free.
constexpr double nearLink = 0.1;
/// m: from so far outside it has left what it lay on.
constexpr double leftAt = 1e-4;

constexpr EventKind comesToLie = EventKind::strandOnBody;
constexpr EventKind leavesBody = EventKind::strandOffBody;

}  // namespace

bool StrandContact::leavesArc(const Instant& now, const State& state, const Spare& first, const Spare& second) const {
  const Node &n0 = node(first.node), &n1 = node(second.node);
  const int st = n0.at0;
  const Segment& g = segments_[at(st)];
  const Feature& f = features_[at(spareMemory(state, first).feature)];
  const double on = materialAt(now, n1) - materialAt(now, n0), shrinks = flowRate(now, n0) - flowRate(now, n1);
  if (shrinks > 0.0 && on < std::max(2.0 * nearestOf(g), letGoArcShare * f.radius) + 2.0 * stepOf(now) * shrinks)
    return true;
  const Vec2 u0 = parameters(now, n0), u1 = parameters(now, n1);
  if (f.kind == Feature::Kind::tube && std::fabs(u0.y()) > f.length && std::fabs(u1.y()) > f.length) return true;
  // Wound more than half round a ball a strand slips off sideways, as the loop it is about the pole.
  if (f.kind == Feature::Kind::ball && std::min(std::fabs(u0.y()), std::fabs(u1.y())) > slipsOver) return true;
  // From inside there is no tangent. (Of what is wound far round the body there is no one node to be made, though.)
  if (on > windsShare * f.radius) return false;
  for (const Vec3& x : {look(now).spans[at(segmentBefore(st))].x[0], look(now).spans[at(segmentAfter(st + 1))].x[1]}) {
    Vec3 normal;
    const Vec3 p = onFeature(now, f, x, normal);
    if (normal.dot(x - p) + n0.deep < 0.005 * f.radius) return true;
  }
  return false;
}

/// A free end that comes over an edge is drawn off it: what is left is laid on along what is inside.
bool StrandContact::slipsOff(const Instant& now, State& state, const Spare& spare) const {
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
    restLength(state, st - 1) = rest;
    state.mode[at(stopSlot(st - 1))] = Mode::lower;
    return true;
  }
  return false;
}

/// A node off the end of its edge, or in a plane that the strand hardly crosses, is free; one that would stop the
/// material between it and its neighbour is not needed. True if it was either.
bool StrandContact::strays(const Instant& now, State& state, const Spare& spare) const {
  const Node& n = node(spare.node);
  const Feature& f = features_[at(spareMemory(state, spare).feature)];
  const SpanNow &before = look(now).spans[at(segmentBefore(n.at0))], &after = look(now).spans[at(segmentAfter(n.at0))];
  if (!touching(state, spare.node))
    for (const SpanNow* s : {&before, &after}) {
      const double shrinks = s->sRate[0] - s->sRate[1];
      if (!(shrinks > 0.0 && s->rest < 2.0 * nearest_ + 2.0 * stepOf(now) * shrinks)) continue;
      takeOut(now, state, node(spare.node).at0);
      return true;
    }
  const Role role = roleOf(state, spare);
  if (role == Role::held) return false;
  const Vec2 u = parameters(now, n);
  const bool off = f.kind == Feature::Kind::edge   ? u.x() < 0.0 || u.x() > f.length
                   : f.kind == Feature::Kind::tube ? std::fabs(u.x()) > f.length
                   : f.kind == Feature::Kind::ball ? std::fabs(u.x()) > f.radius
                                                   : false;
  const ChartPoint place = grounds_[at(n.chart)].chart->at(u);
  Vec3 across = place.du[0].cross(place.du[1]).normalized();
  if (now.rotates(f.block)) across = now.rotation(f.block) * across;
  const bool along = std::min(std::fabs(across.dot(before.n)), std::fabs(across.dot(after.n))) < hardlyCrosses;
  // Off the body it may run along the strand toward a link, faster than a step can follow.
  bool nears = false;
  for (const int k : {n.at0 - 1, n.at0 + 1}) {
    const bool link =
        k >= 0 && k < stationCount() && (station(k).wheel || node(station(k).index).place == Place::point);
    const SpanNow& s = k < n.at0 ? before : after;
    nears = nears || (link && s.sRate[0] > s.sRate[1] && s.rest < nearLink * length_);
  }
  if (!off && !along && (!nears || touching(state, spare.node))) return false;
  freeAt(now, state, spare, before.x[1], 0.5 * (before.m[1] + after.m[0]), before.s[1]);
  dropTouch(state, spare.node);
  return true;
}

/// An arc becomes one node, in its middle.
bool StrandContact::letGoArc(const Instant& now, State& state, const Spare& first) const {
  const int st = node(first.node).at0, feature = spareMemory(state, first).feature;
  const Spare& second = spares_[at(node(station(st + 1).index).spare)];
  if (!leavesArc(now, state, first, second)) return false;
  const Feature& f = features_[at(feature)];
  const SpanNow &before = look(now).spans[at(segmentBefore(st))], &after = look(now).spans[at(segmentAfter(st + 1))];
  const End middle = chartEnd(now, segments_[at(st)], 0.5);
  const Vec3 way = (after.x[1] - before.x[0]).normalized();
  const double half = 0.5 * (materialAt(now, node(second.node)) - materialAt(now, node(first.node))), rest = after.rest;
  Vec3 normal;
  onFeature(now, f, middle.x, normal);
  const Stance here = stance(now, f, middle.x - 0.5 * way, middle.x + 0.5 * way, normal);
  sleep(now, state, second);
  removeStation(state, st + 1);
  restLength(state, st - 1) += half;
  restLength(state, st) = rest + half;
  if (here.ok)
    stand(now, state, first, feature, here, way, middle.m, middle.s);
  else
    freeAt(now, state, first, middle.x, middle.m, middle.s);
  return true;
}

bool StrandContact::letGo(const Instant& now, State& state, Events& events) const {
  for (const Spare& spare : spares_) {
    const Role role = roleOf(state, spare);
    const int link = role == Role::waiting ? 0 : station(node(spare.node).at0).link;
    const bool lay = role != Role::waiting && touchMemory(state, node(spare.node)).held;
    if (role == Role::arcStart) {
      if (!letGoArc(now, state, spare)) continue;
      events.add({now.time, element_, link, leavesBody});
      return true;
    }
    if (!stands(role) || (!slipsOff(now, state, spare) && !strays(now, state, spare))) continue;
    if (lay) events.add({now.time, element_, link, leavesBody});
    return true;
  }
  return false;
}

/// Says where a strand has come to lie on an edge, and where it has left it. True if one was struck in the last step.
bool StrandContact::tellContact(const Instant& now, State& state, Events& events) const {
  bool struck = false;
  for (const Spare& spare : spares_) {
    if (!stands(roleOf(state, spare))) continue;
    const Node& n = node(spare.node);
    Flag& lies = touchMemory(state, n).held;
    const bool on = touching(state, spare.node), edge = roleOf(state, spare) != Role::beside;
    const Vec2 u = parameters(now, n);
    if (on && !lies) {
      lies = true;
      struck = true;
      if (edge) events.add({now.time, element_, station(n.at0).link, comesToLie});
    } else if (!on && lies && (roleOf(state, spare) == Role::held ? u.x() : u.y()) > leftAt) {
      lies = false;
      if (edge) events.add({now.time, element_, station(n.at0).link, leavesBody});
    }
  }
  return struck;
}

std::optional<double> StrandContact::lossWithout(const Instant& now, int st) const {
  const SpanNow &before = look(now).spans[at(segmentBefore(st))], &after = look(now).spans[at(segmentAfter(st))];
  const double rest = before.rest + after.rest, share = before.rest / rest;
  // Straight, or what it would set free of its length jerks at the ends.
  const double speed = std::sqrt(2.0 * kinetic(now, look(now)) / (density_ * length_));
  const double bend = before.length + after.length - (after.x[1] - before.x[0]).norm();
  const bool taut = before.length + after.length > rest - 1e-9;
  if (taut && bend > 1e-10 + 1e-4 * stepOf(now) * speed) return std::nullopt;
  const Vec3 off = before.m[1] - (before.m[0] + share * (after.m[1] - before.m[0]));
  return density_ * rest / 6.0 * off.squaredNorm();
}

/// Whether the strand would be clear of a feature for some steps without the node that stands beside it.
bool StrandContact::clears(const Instant& now, const Spare& spare, const Feature& f) const {
  const int st = node(spare.node).at0;
  const SpanNow &before = look(now).spans[at(segmentBefore(st))], &after = look(now).spans[at(segmentAfter(st))];
  for (const double later : {0.0, 4.0 * stepOf(now)}) {
    const Beside b = beside(now, f, before.x[0] + later * before.rate[0], after.x[1] + later * after.rate[1], later);
    if (b.facing && b.gap <= leftAt) return false;
  }
  return true;
}

bool StrandContact::vanish(const Instant& now, State& state, Events& events) const {
  for (const Spare& spare : spares_) {
    const Role role = roleOf(state, spare);
    if (stands(role)) {
      const Feature& f = features_[at(spareMemory(state, spare).feature)];
      if (touching(state, spare.node) || !clears(now, spare, f)) continue;
    } else if (role != Role::free || touchMemory(state, node(spare.node)).body > 0) {
      continue;
    }
    const int st = node(spare.node).at0, link = station(st).link;
    const auto loss = lossWithout(now, st);
    if (!loss || *loss > lossShare * kinetic(now, look(now))) continue;
    if (stands(role) && role != Role::beside && touchMemory(state, node(spare.node)).held)
      events.add({now.time, element_, link, leavesBody});
    takeOut(now, state, node(spare.node).at0);
    return true;
  }
  return false;
}

}  // namespace reeve
