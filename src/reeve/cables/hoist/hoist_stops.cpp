// Ends that are drawn up to the next link of a hoist cable: a row that pushes, an event, and a winch that stands.
// Drums that are empty: the cable's end stays where it left the drum, which turns idly until it reels in again.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"

namespace reeve {

/// What is left before a span is used up, m. Between points the distance itself; to a pulley, in the pulley's plane,
/// so much that a tangent of the least length is left.
std::optional<double> HoistCable::stopGap(const Instant& now, const State& s, int from, int to,
                                          const Chord& chord) const {
  if (chord.straightEnds) return chord.span.length - shortest_;
  if (round(s, from) && round(s, to)) {  // two pulleys of different bodies, which came from outside
    if (node(from).contact || node(to).contact || mountOf(s, from).block == mountOf(s, to).block) return std::nullopt;
    const SpanLink a = spanEnd(now, s, from), b = spanEnd(now, s, to);
    const double near = a.outline->radius() + b.outline->radius();
    const double gap = (b.frame.origin - a.frame.origin).norm() - (1.0 + blockShare) * near;
    return gap > -0.5 * near ? std::optional(gap) : std::nullopt;
  }
  const int wheel = round(s, from) ? from : to;
  const SpanLink end = spanEnd(now, s, wheel);
  const double r = end.outline->radius();
  const Vec2 p = end.frame.toPlane(chord.span.end[wheel == from ? 1 : 0].point);
  return end.outline->approach(p).distance - (std::sqrt(r * r + shortest_ * shortest_) - r);
}

void HoistCable::stopRow(const Instant& now, const State& s, int from, int to, const Chord& chord, RowSet& out) const {
  const std::optional<double> gap = stopGap(now, s, from, to, chord);
  if (!gap) return;
  out.group();
  Row& row = out.add(stopSlot(from));
  row.error = *gap;
  row.lower = 0.0;
  const SpanGeometry& span = chord.span;
  if (chord.straightEnds) {
    pushEnd(now, s, from, span.end[0], -span.n, Vec3::Zero(), Vec3::Zero(), false, out);
    pushEnd(now, s, to, span.end[1], span.n, Vec3::Zero(), Vec3::Zero(), false, out);
    return;
  }
  if (round(s, from) && round(s, to)) {
    SpanEnd first = span.end[0], second = span.end[1];
    first.point = spanEnd(now, s, from).frame.origin;
    second.point = spanEnd(now, s, to).frame.origin;
    const Vec3 way = (second.point - first.point).normalized();
    pushEnd(now, s, from, first, Vec3::Zero(), Vec3::Zero(), -way, false, out);
    pushEnd(now, s, to, second, Vec3::Zero(), Vec3::Zero(), way, false, out);
    return;
  }
  const int wheel = round(s, from) ? from : to, point = wheel == from ? to : from;
  SpanEnd end = span.end[wheel == from ? 1 : 0];
  const SpanLink link = spanEnd(now, s, wheel);
  const Vec3 way = link.frame.directionToWorld(link.outline->approach(link.frame.toPlane(end.point)).normal);
  pushEnd(now, s, point, end, Vec3::Zero(), Vec3::Zero(), way, false, out);
  // At the height of the point itself, through the axle: it turns no wheel.
  pushEnd(now, s, wheel, end, Vec3::Zero(), Vec3::Zero(), -way, false, out);
}

/// Tension of the run that starts at this place, N.
double HoistCable::pullOf(const State& s, int place) const {
  return settings_.pull == PullForm::force ? stateOf(s).explicitTension : -s.force[at(spanSlot(nodeAt(s, place)))];
}

/// A span nearly used up while it pulls gets a stop for the coming step.
void HoistCable::watchStops(const Instant& now, State& s, Events& events) const {
  double tension = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (startsRun(s, k)) tension = pullOf(s, k);
    if (node(from).still && node(to).still) continue;
    Whole& stop = stateOf(s, from).stop;
    const Chord chord = chordOf(now, s, from, to);
    const std::optional<double> gap = stopGap(now, s, from, to, chord);
    if (!gap) continue;
    const auto speed = [&](int i, const SpanEnd& end) {
      const int block = mountOf(s, i).block;
      if (!now.rotates(block)) return now.velocity(block);
      return Vec3(now.velocity(block) + now.angularVelocity(block).cross(end.point - now.position(block)));
    };
    const double apart = (speed(to, chord.span.end[1]) - speed(from, chord.span.end[0])).norm();
    if (stop == NodeState::stands) continue;  // one that stands goes on until it pushes no more
    // What hangs is not drawn up: the ends of a slack cable may pass each other.
    const bool hangs = stateOf(s, from).hanging;
    if (tension <= 0.0 || hangs || *gap > 8.0 * shortest_ + 3.0 * step_ * apart) {
      stop = 0;
    } else if (stop == 0) {
      stop = NodeState::watched;
      s.force[at(stopSlot(from))] = 0.0;
      s.mode[at(stopSlot(from))] = Mode::lower;
    }
  }
  // A winch that stands goes on when it is told to pay out.
  PayoutState& winch = stateOf(s).winch;
  const double now_ = askedPayout(s, now.time), next = askedPayout(s, now.time + step_);
  if (winch.holding == 0) {
    const double pull = pullOf(s, 0), rest = stateOf(s, nodeAt(s, 0)).rest + payoutAt(s, now.time);
    if (next >= now_ || pull <= 0.0) return;
    const bool stretched = pull * complianceOf(s, nodeAt(s, 0), rest) > overstretched * rest;
    const auto fall = [&](int k) {
      const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
      const SpanGeometry span = chordOf(now, s, from, to).span;
      return Fall{{mountOf(s, from).block, mountOf(s, to).block}, span.n, span.length};
    };
    const double sine = stretched ? flatSine : straightSine;
    if (!fallsAreStraight(now.model(), count(s) - 1, fall, sine, now_ - next)) return;
    winch.stand(PayoutState::fallsStraight, payoutAt(s, now.time));
    events.add({now.time, this, 0, EventKind::drawnStraight});
    return;
  }
  if (next > now_) winch.goOn(now_);
}

void HoistCable::tellStops(const Instant& now, State& s, Events& events) const {
  for (int k = 0; k + 1 < count(s); ++k) {
    const int from = nodeAt(s, k);
    Whole& stop = stateOf(s, from).stop;
    if (stop == 0) continue;
    const bool pushes = s.force[at(stopSlot(from))] > 0.0;
    if (pushes && stop != NodeState::stands) {
      events.add({now.time, this, from, EventKind::spanUsedUp});
      stop = NodeState::stands;
    } else if (!pushes && stop == NodeState::stands) {
      const std::optional<double> gap =
          stopGap(now, s, from, nodeAt(s, k + 1), chordOf(now, s, from, nodeAt(s, k + 1)));
      if (gap && *gap < shortest_) continue;
      events.add({now.time, this, from, EventKind::runsAgain});
      stop = 0;
    }
    PayoutState& winch = stateOf(s).winch;
    if (pushes && winch.holding != 0) {
      // Its brake gives way until the stop pushes no harder than the load pulls: what a fast winch has reeled in beyond
      // its path comes out again.
      const int run = nodeAt(s, 0);
      const double soft = complianceOf(s, run, stateOf(s, run).rest + payoutAt(s, now.time));
      const double push = s.force[at(stopSlot(from))], pull = pullOf(s, 0);
      winch.held += 0.25 * soft * std::clamp(push - 0.5 * pull, 0.0, std::max(pull, 0.0));
    }
    if (!pushes || winch.holding != 0 || askedPayout(s, now.time) >= askedPayout(s, now.time - now.h)) continue;
    winch.stand(PayoutState::spanUsedUp, payoutAt(s, now.time));
    events.add({now.time, this, 0, EventKind::drawnUp});
  }
}

/// How fast a spool takes cable in by its own turning, m/s.
double HoistCable::reelingRate(const Instant& now, const State& s, int i) const {
  const Node& n = node(i);
  const Vec3 axis = now.rotation(n.mount.block) * n.mount.axis_B;
  double spin = now.rate(n.mount.rotor);
  if (now.rotates(n.mount.block)) spin -= axis.dot(now.angularVelocity(n.mount.block));
  const double travel = -n.outline.radius() * (n.mount.axis_B.dot(n.normal_B) < 0.0 ? -spin : spin);
  return -paidOut(n.sigma, i == nodeAt(s, 0) ? SpanSide::exit : SpanSide::entry, travel);
}

void HoistCable::watchDrums(const Instant& now, State& s, Events& events) const {
  for (const int i : {nodeAt(s, 0), nodeAt(s, count(s) - 1)}) {
    if (!stateOf(s, i).empty || reelingRate(now, s, i) <= 1e-9) continue;
    stateOf(s, i).empty = false;
    events.add({now.time, this, i, EventKind::reelsInAgain});
  }
}

/// After a step. What a drum has given beyond its last turn is owed to it (less than nothing is stored) until it reels
/// in: taken back at once it would be a blow. What ran off it is stopped, which is a jump.
void HoistCable::emptyDrums(const Instant& now, State& s, Events& events) const {
  int last = count(s) - 2;
  while (!startsRun(s, last)) --last;
  for (const bool first : {true, false}) {
    const int i = nodeAt(s, first ? 0 : count(s) - 1);
    if (node(i).type != LinkType::spool || node(i).mount.rotor < 0 || stateOf(s, i).empty) continue;
    if (stateOf(s, i).stored >= -1e-12 || reelingRate(now, s, i) > 0.0) continue;
    stateOf(s, i).empty = true;
    s.mode[at(spanSlot(nodeAt(s, first ? 0 : last)))] = Mode::upper;
    events.add({now.time, this, i, EventKind::drumEmpty});
  }
}

}  // namespace reeve
