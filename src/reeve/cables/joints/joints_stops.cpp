// Spans of a cable of joints that are used up: a row that keeps their ends apart, and a winch that stands.
#include <algorithm>
#include <cmath>

#include "reeve/cables/joints/joints_cable.h"
#include "reeve/cables/payout.h"

namespace reeve {

/// Two wheels of a hoist on different bodies, which may be drawn together. (Where tendons bend fingers, wheels pass
/// each other.)
bool JointsCable::areBlocks(int from, int to) const {
  return settings_.model == CableModel::hoist && link(from).wheel && link(to).wheel &&
         link(from).mount.block != link(to).mount.block && !(link(from).still && link(to).still);
}

double JointsCable::nearBy(const Instant& now, int from, int to, double h) const {
  const auto moves = [&](int i) {
    const Link& l = link(i);
    return velocityAt(now, i, now.point({l.mount.block, l.center_B}));
  };
  return h * (moves(from) - moves(to)).norm();
}

/// A span that is nearly used up while it pulls gets a stop for the coming step. Where cable can neither flow over an
/// end nor slide over it, the span cannot be used up.
void JointsCable::watchStops(const Instant& now, State& s, double h) const {
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const bool point = watch_[at(from)].point || watch_[at(to)].point;
    if (!point && !areBlocks(from, to)) continue;
    LinkState& span = stateOf(s, from);
    const bool pulls = s.force[at(spanSlot(from))] < 0.0 && !span.broken;
    if (!pulls && span.stop != LinkState::watched) continue;
    const auto flows = [&](int i) { return link(i).slip >= 0 || (link(i).round() && !stateOf(s, i).holds); };
    if (!flows(from) && !flows(to)) continue;
    const double near = 8.0 * shortest_ + 3.0 * nearBy(now, from, to, h);
    const double reach = std::max(reachOf(s, from), reachOf(s, to));
    const double apart = (1.0 + blockShare) * (reachOf(s, from) + reachOf(s, to)) + near;
    if (!pulls || span.rest * span.rest > (point ? near * (near + 2.0 * reach) : apart * apart)) {
      if (span.stop == LinkState::watched) span.stop = 0;  // one that stands goes on until it pushes no more
    } else if (span.stop == 0) {
      // Wheels that lie in each other did not come from outside.
      if (!point && !(blockRow(now, s, from, to, nullptr).value_or(0.0) > 0.0)) continue;
      span.stop = LinkState::watched;
      s.force[at(stopSlot(from))] = 0.0;
      s.mode[at(stopSlot(from))] = Mode::lower;
    }
  }
}

/// Between two wheels the distance of their axles, so large that a tangent is left.
std::optional<double> JointsCable::blockRow(const Instant& now, const State& s, int from, int to, RowSet* out) const {
  const Vec3 a = frameOf(now, s, from).origin, b = frameOf(now, s, to).origin;
  const double radii = radiusOf(s, from) + radiusOf(s, to), distance = (b - a).norm();
  if (distance < 0.5 * radii) return std::nullopt;  // they did not come from outside
  const double gap = distance - (1.0 + blockShare) * radii;
  if (!out) return gap;
  out->group();
  Row& row = out->add(stopSlot(from));
  row.error = gap;
  row.lower = 0.0;
  const Vec3 way = (b - a) / distance;
  pushEnd(now, from, -way, Vec3::Zero(), a, false, *out);
  pushEnd(now, to, way, Vec3::Zero(), b, false, *out);
  return gap;
}

/// Between points the distance itself; between a point and an outline the distance in the outline's plane, kept so
/// large that the tangent has the least length: r + g with (r + g)² − r² = shortest².
std::optional<double> JointsCable::stopRow(const Instant& now, const State& s, int from, int to,
                                           const SpanGeometry& span, RowSet* out) const {
  const auto point = [&](int i) { return !link(i).round() || stateOf(s, i).holds; };
  const auto add = [&](double error) {
    if (!out) return;
    out->group();
    Row& row = out->add(stopSlot(from));
    row.error = error;
    row.lower = 0.0;
  };
  if (point(from) && point(to)) {
    add(span.length - shortest_);
    if (out) pushSpan(now, from, to, span, true, true, *out);
    return span.length - shortest_;
  }
  if (!point(from) && !point(to)) return areBlocks(from, to) ? blockRow(now, s, from, to, out) : std::nullopt;
  const bool first = point(from);  // the point is the first link
  const int i = first ? from : to, other = first ? to : from;
  const SpanEnd& mine = span.end[first ? 0 : 1];
  const LinkFrame frame = frameOf(now, s, other);
  const Outline& outline = outlineOf(now, s, other);
  const Outline::Approach near = outline.approach(frame.toPlane(mine.point));
  const double r = outline.radius();
  const double gap = near.distance - (std::sqrt(r * r + shortest_ * shortest_) - r);
  add(gap);
  if (!out) return gap;
  const Vec3 push = frame.directionToWorld(near.normal);
  pushEnd(now, i, push, Vec3::Zero(), mine.point, true, *out);
  // At the height of the point itself: a body that tips moves what lies beside its plane.
  const Vec3 foot = mine.point - push * near.distance;
  pushEnd(now, other, -push, Vec3::Zero(), foot, false, *out);
  return gap;
}

/// m/N, of all that is free.
double JointsCable::wholeCompliance(const State& s) const {
  const auto route = routeOf(s);
  double soft = 0.0;
  for (int k = 0; k < route.spans() && canStretch(); ++k)
    soft += complianceOf(s, route[k], {stateOf(s, route[k]).rest, 0.0});
  return soft;
}

/// Where a winch stands because it has drawn a span up, its brake gives way until the stop pushes no harder than the
/// load pulls: what it has reeled in beyond the path, and only stretched, comes out again.
void JointsCable::easeBrake(State& s) const {
  PayoutState& winch = payoutOf(s);
  if (winch.holding != PayoutState::spanUsedUp) return;
  const auto route = routeOf(s);
  const double pull = std::max(-s.force[at(spanSlot(route[0]))], 0.0);
  for (int k = 0; k < route.spans(); ++k) {
    if (stateOf(s, route[k]).stop != LinkState::stands) continue;
    const double push = s.force[at(stopSlot(route[k]))];
    const double gives = 0.25 * wholeCompliance(s) * std::clamp(push - 0.5 * pull, 0.0, pull);
    winch.held += gives;
    stateOf(s, route[0]).rest += gives;
  }
}

void JointsCable::tellStops(const Instant& now, State& s, Events& events) const {
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k];
    LinkState& span = stateOf(s, from);
    if (span.stop == 0) continue;
    const bool pushes = s.force[at(stopSlot(from))] > 0.0;
    if (pushes && span.stop != LinkState::stands) {
      events.add({now.time, this, from, EventKind::spanUsedUp});
      span.stop = LinkState::stands;
    } else if (!pushes && span.stop == LinkState::stands && span.rest > 2.0 * shortest_) {
      events.add({now.time, this, from, EventKind::runsAgain});
      span.stop = 0;
    }
  }
  if (!pays_) return;
  easeBrake(s);
  const double asked = askedPayout(s, now.time);
  const bool stopped = payoutOf(s).holding == 0 && asked > settings_.drum.value_or(unbounded);
  if (stopped && !payoutOf(s).stopped) events.add({now.time, this, 0, EventKind::drumEmpty});
  payoutOf(s).stopped = stopped;
}

/// A winch that reels in stands before it draws a span up to the next link, or has drawn its falls straight; it goes on
/// when it is asked to pay out.
void JointsCable::watchWinch(const Instant& now, State& s, double h, Events& events) const {
  PayoutState& winch = payoutOf(s);
  const double asked = askedPayout(s, now.time), next = askedPayout(s, now.time + h), reels = asked - next;
  if (winch.holding != 0) {
    if (reels < 0.0) winch.goOn(asked);
    return;
  }
  const auto route = routeOf(s);
  const double pull = -s.force[at(spanSlot(route[0]))];
  if (reels <= 0.0 || pull <= 0.0) return;
  const auto shape = [&](int k) { return shapeOf(now, s, route[k], route.next(k)).first; };
  for (int k = 0; k < route.spans(); ++k) {
    if (stateOf(s, route[k]).stop == 0) continue;
    const SpanGeometry span = shape(k);
    if (span.status != TangentStatus::ok) continue;
    const std::optional<double> gap = stopRow(now, s, route[k], route.next(k), span, nullptr);
    const double closes = nearBy(now, route[k], route.next(k), h);
    if (!gap || *gap > closes) continue;
    // As much of the step's share as it takes to get there.
    const double last = closes > 0.0 ? reels * std::max(*gap, 0.0) / closes : 0.0;
    stateOf(s, route[0]).rest -= std::min(last, std::max(stateOf(s, route[0]).rest - shortest_, 0.0));
    winch.stand(PayoutState::spanUsedUp, asked - last);
    events.add({now.time, this, 0, EventKind::drawnUp});
    return;
  }
  double rest = 0.0;
  for (int k = 0; k < route.spans(); ++k) rest += stateOf(s, route[k]).rest;
  const bool stretched = pull * wholeCompliance(s) > overstretched * rest;
  const auto fall = [&](int k) {
    const SpanGeometry span = shape(k);
    return Fall{{link(route[k]).mount.block, link(route.next(k)).mount.block}, span.n, span.length};
  };
  if (!fallsAreStraight(now.model(), route.spans(), fall, stretched ? flatSine : straightSine, reels)) return;
  winch.stand(PayoutState::fallsStraight, asked);
  events.add({now.time, this, 0, EventKind::drawnStraight});
}

}  // namespace reeve
