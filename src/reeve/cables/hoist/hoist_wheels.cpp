// Wheels of a hoist cable's route that the cable leaves, and comes back to. As a contact does, a wheel goes when all
// that the cable does at it (tension, weight, inertia) would have to hold on to it; without, the cable would go on
// round it backwards, with less than no length on it. It waits for its span, and is taken in where the curve comes down
// on it from outside.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"

namespace reeve {

namespace {
/// rad: a cable that would be bent so far in a step has not come down on a wheel, but through it.
constexpr double mostTurn = 1.5;
}  // namespace

/// After a step.
void HoistCable::leaveWheels(const Instant& now, State& s, Events& events) const {
  const State& past = now.past();
  bool changed = false;
  for (int p = 1; p + 1 < count(past); ++p) {
    const int i = nodeAt(past, p);
    if (!waits(i) || stateOf(s, i).wrap.angle >= 0.0) continue;
    int k = 1;
    while (nodeAt(s, k) != i) ++k;
    const int from = nodeAt(s, k - 1);
    const Vec3 in = chordOf(now, s, from, i).span.n, out = chordOf(now, s, i, nodeAt(s, k + 1)).span.n;
    const double sticks = 0.5 * (linkMass(s, from) + linkMass(s, i)) * gravity_.norm();
    if (-pullAt(now, p).dot(outwardAt(now, s, i, in, out)) > -sticks || !passesOutside(now, s, k)) continue;
    removeNode(now, s, k);
    stateOf(s, i).above = 0.0;
    events.add({now.time, this, i, EventKind::merges});
    changed = true;
  }
  if (changed) settleErrors(now, s);
}

/// Before a step: those that wait between two links of the route. The span passes at the height `above` the wheel.
void HoistCable::takeWheels(const Instant& now, State& s, Events& events) const {
  bool changed = false;
  for (int i = 1; i + 1 < declared_; ++i) {
    if (!waits(i)) continue;
    int place = 0;
    while (place + 2 < count(s) && (nodeAt(s, place + 1) < i || nodeAt(s, place + 1) >= declared_)) ++place;
    const int from = nodeAt(s, place), to = nodeAt(s, place + 1);
    if (to == i) continue;  // it is in the route
    double& above = stateOf(s, i).above;
    const double before = above;
    above = 0.0;  // not known
    if (from >= declared_) continue;
    const SpanGeometry first = spanBetween(spanEnd(now, s, from), spanEnd(now, s, i)),
                       second = spanBetween(spanEnd(now, s, i), spanEnd(now, s, to));
    if (first.status != TangentStatus::ok || second.status != TangentStatus::ok) continue;
    const Chord chord = chordOf(now, s, from, to);
    const Vec3 hub = spanEnd(now, s, i).frame.origin, outward = outwardAt(now, s, i, chord.span.n, chord.span.n);
    const double share = (hub - chord.span.end[0].point).dot(chord.span.n) / chord.span.length;
    if (!(share > 0.0 && share < 1.0)) continue;
    double* points = curveRoom(now);
    curveInto(s, from, chord, points);
    above = (alongCurve(points, pieces(), share) - hub).dot(outward) - node(i).outline.radius();
    if (!(before > 0.0) || above > 0.0) continue;
    const Wrap wrap = continueWrap(node(i).outline, node(i).sigma, first.end[1].place, second.end[0].place, Wrap{});
    if (!(wrap.angle >= 0.0 && wrap.angle < mostTurn)) continue;
    const auto [arc, part] = splitSpan(now, s, place, i, {share, {first.end[1].point, second.end[0].point}, wrap});
    if (slipOf(s, i) >= 0) partRun(now, s, place, arc, part / arc, wrap, first);
    events.add({now.time, this, i, EventKind::splits});
    changed = true;
  }
  if (changed) settleErrors(now, s);
}

}  // namespace reeve
