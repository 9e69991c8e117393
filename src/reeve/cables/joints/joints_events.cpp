// What happens to a cable of joints between steps: flow, switching, merge, split, break.
#include <algorithm>
#include <cmath>

#include "reeve/cables/joints/joints_cable.h"

namespace reeve {

void JointsCable::finish(const Instant& now, State& s, Events& events) const {
  const State& past = now.past();
  const JointsCache& cache = now.cache<JointsCache>(*this);
  const auto route = routeOf(past);
  // Flow: every length that leaves a surface arrives in a span, and the reverse.
  for (int k = 0; k < route.spans(); ++k) flow(now, cache, s, k, events);
  for (int k = 0; k < route.size(); ++k) {
    const int i = route[k];
    stateOf(s, i).slip += slipStep(now, i);
    stateOf(s, i).turned += cache.wheels[at(i)].turn;
  }
  for (int k = 0; cache.fixed && k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    if (movable(now.model(), from) || movable(now.model(), to) || stateOf(past, from).near != 0) continue;
    const bool pulls = !stateOf(s, from).broken && !stateOf(s, from).lost;
    s.force[at(spanSlot(from))] = pulls ? -stretchTension(s, from, to, cache.spans[at(from)].length) : 0.0;
  }
  tellStops(now, s, events);
  switchEnds(now, s, events);
  runOff(now, s, events);
  split(now, s, events);
  merge(now, s, events);
  if (closed_) return;
  for (const bool first : {true, false}) moveToRadius(s, first);
}

/// The next step finds its contact on a drum where the cable runs then.
void JointsCable::moveToRadius(State& s, bool first) const {
  const auto route = routeOf(s);
  const int i = route[first ? 0 : route.size() - 1];
  if (!link(i).layers.many() || stateOf(s, i).holds) return;
  ContactTravel& contact = stateOf(s, i).contact(first);
  contact.s = radiusOf(s, i) * contact.angle;
}

/// What has flowed into a span and out of it in the step.
void JointsCable::flow(const Instant& now, const JointsCache& cache, State& s, int place, Events& events) const {
  const State& past = now.past();
  const auto route = routeOf(past);
  const int from = route[place], to = route.next(place);
  const double reels = this->reels(past) ? reeled(now, past, place) : 0.0;
  const LinkState& was = stateOf(past, from);
  LinkState& span = stateOf(s, from);
  const JointsCache::Span& found = cache.spans[at(from)];
  const auto payBoth = [&] {
    payOut(s, from, true, found.paid[0]);
    payOut(s, to, false, found.paid[1]);
  };
  if (found.kind == JointsCache::Kind::still) {
    span.rest += found.paid[0] + found.paid[1] + slipStep(now, from) - slipStep(now, to) + reels;
    payBoth();
    return;
  }
  const bool lost = found.kind == JointsCache::Kind::other && cache.shapeOf(found).first.status != TangentStatus::ok;
  if (lost != was.lost) {
    span.lost = lost;
    events.add({now.time, this, from, lost ? EventKind::tangentLost : EventKind::tangentRegained});
  }
  if (lost) {
    flowOfLost(now, past, s, from, to);
    letGo(s, from);
    return;
  }
  span.rest += found.paid[0] + slipStep(now, from) + reels;
  (was.broken ? stateOf(s, to).tail : span.rest) += found.paid[1] - slipStep(now, to);
  payBoth();
  if (was.lost) span.shortfall = unbounded;
  if (span.shortfall > 0.0) span.shortfall = std::clamp(found.length - span.rest, 0.0, span.shortfall);
  if (!was.broken) tellSpent(now, s, from, to, found.length, events);
  if (link(from).round() && !was.holds) span.exit = found.travel[0];
  if (link(to).round() && !stateOf(past, to).holds) stateOf(s, to).entry = found.travel[1];
}

/// The span after a link does not pull; when it does again, it begins to, and may be met at speed.
void JointsCable::letGo(State& s, int i) const {
  s.force[at(spanSlot(i))] = s.force[at(compressionSlot(i))] = 0.0;
  s.mode[at(spanSlot(i))] = Mode::upper;
  s.mode[at(compressionSlot(i))] = Mode::lower;
}

/// Hybrid links and spools at the ends: hold when nothing is wound on, roll again when a tangent passes the fixed
/// point.
void JointsCable::switchEnds(const Instant& now, State& s, Events& events) const {
  const auto route = routeOf(s);
  for (const bool first : {true, false}) {
    const int i = first ? route[0] : route[route.size() - 1];
    const Link& l = link(i);
    if (!l.ends()) continue;
    LinkState &end = stateOf(s, i), &span = first ? end : stateOf(s, route[route.size() - 2]);
    ContactTravel& contact = end.contact(first);  // the first link only has an exit, the last only an entry
    if (!end.holds) {
      if (end.stored >= 0.0) continue;
      // The fixed point is where stored length would be zero: back along the surface by what is owed, on the material.
      const double owed = end.stored;
      contact.s += first ? -end.sense() * owed : end.sense() * owed;
      span.rest += owed;
      end.stored = 0.0;
      end.holds = true;
      end.turned = 0.0;
      events.add({now.time, this, i, EventKind::storeUsedUp});
      continue;
    }
    // Holding: has one of the two tangents passed the fixed point? The nearer one, by what would be wound on.
    const int other = first ? route.next(0) : route[route.size() - 2];
    const Outline& outline = outlineOf(now, s, i);
    const double fixedS = contact.s + outline.radius() * end.turned;
    double least = 0.5 * outline.perimeter();
    for (const int sigma : {1, -1}) {
      SpanLink me;
      me.frame = frameOf(now, s, i);
      me.outline = &outline;
      me.sigma = sigma;
      const SpanGeometry tangent =
          first ? spanBetween(me, spanEnd(now, s, other, false)) : spanBetween(spanEnd(now, s, other, true), me);
      if (tangent.status != TangentStatus::ok) continue;
      const BoundaryPoint& place = tangent.end[first ? 0 : 1].place;
      const double travel = nearestTurn(place.s, fixedS, outline.perimeter()) - fixedS;
      // Wound on: from the fixed point to the exit, or from the entry to the fixed point, in the sense of σ.
      const double wound = first ? sigma * travel : -sigma * travel;
      if (wound <= 0.0 || wound >= least) continue;
      if (!end.holds) span.rest += end.stored;  // the other side was taken first
      least = wound;
      end.holds = false;
      end.side = sigma;
      end.stored = wound;
      span.rest -= wound;
      contact = travelOf(place);
    }
    if (end.holds) continue;
    settleSpan(now, s, first ? i : other, first ? other : i);
    events.add({now.time, this, i, EventKind::rollsAgain});
  }
}

/// Takes a link out of the order; its lengths have been given away.
void JointsCable::dropLink(State& s, int place) const {
  auto route = routeOf(s);
  const int i = route[place];
  for (const int row : {spanSlot(i), frictionSlot(i), compressionSlot(i), windingSlot(i), stopSlot(i)}) {
    s.force[at(row)] = 0.0;
    s.mode[at(row)] = Mode::free;
  }
  stateOf(s, i).leaveRoute();
  route.erase(place);
}

/// Brings the contacts at both ends of a span to where its tangent is now, with what flows by it. A span that has just
/// become straight leaves the links beside it elsewhere than the bent one did; left to the next step that would be a
/// jump in tension, and a span that stands still would never see it.
void JointsCable::settleSpan(const Instant& now, State& s, int from, int to) const {
  const SpanGeometry span = spanBetween(spanEnd(now, s, from, true), spanEnd(now, s, to, false));
  if (span.status != TangentStatus::ok) return;
  for (const bool exit : {true, false}) {
    const int i = exit ? from : to;
    if (!link(i).round() || stateOf(s, i).holds) continue;
    ContactTravel& contact = stateOf(s, i).contact(exit);
    const ContactTravel moved = continueTravel(outlineOf(now, s, i), span.end[exit ? 0 : 1].place, contact);
    const double given = paidOut(stateOf(s, i).sense(), exit ? SpanSide::exit : SpanSide::entry, moved.s - contact.s);
    stateOf(s, from).rest += given;
    payOut(s, i, exit, given);
    contact = moved;
  }
}

/// The two spans beside a link, and what is on it (less than nothing after a merge), become one span.
void JointsCable::joinSpans(State& s, int place) const {
  const int i = routeOf(s)[place], before = routeOf(s).before(place);
  LinkState &first = stateOf(s, before), &second = stateOf(s, i);
  first.rest += second.rest + second.stored;
  first.compliance += second.compliance;
  first.shortfall += second.shortfall;
  const std::size_t kept = at(spanSlot(before)), gone = at(spanSlot(i));
  s.force[kept] = std::min(s.force[kept], s.force[gone]);
  if (s.mode[gone] == Mode::free) s.mode[kept] = Mode::free;
  dropLink(s, place);
}

void JointsCable::merge(const Instant& now, State& s, Events& events) const {
  const auto route = routeOf(s);
  for (int k = closed_ ? 0 : 1; k + (closed_ ? 0 : 1) < route.size(); ++k) {
    const int i = route[k];
    if (link(i).type != LinkType::roll || route.size() <= 2) continue;
    const int before = route.before(k);
    const bool lifts = !lies(now, before, i, stateOf(s, i).wrap());
    if (!lifts && !isClear(now, s, before, i, route.next(k))) continue;
    LinkState &first = stateOf(s, before), &second = stateOf(s, i);
    if (second.broken || first.broken) continue;  // runOff sees to loose ends
    const bool lost = second.lost || first.lost || stateOf(now.past(), i).lost || stateOf(now.past(), before).lost;
    joinSpans(s, k);
    const int after = route[k < route.size() ? k : 0];
    settleSpan(now, s, before, after);
    if (lost) {  // what one of the two could not pull in, both together do not have to
      const SpanShape shape = shapeOf(now, s, before, after);
      first.lost = shape.first.status != TangentStatus::ok;
      first.shortfall = std::max(0.0, shape.length - first.rest);
      letGo(s, before);
    }
    events.add({now.time, this, i, lifts || link(i).found ? EventKind::merges : EventKind::slidOff});
    --k;
  }
}

void JointsCable::takeIn(const Instant& now, State& s, int place, int via, const SpanShape& shape) const {
  const int from = routeOf(s)[place];
  const double arc = shape.length - shape.first.length - shape.second.length;
  LinkState &first = stateOf(s, from), &second = stateOf(s, via);
  const double total = first.rest, share = total / shape.length;
  second.side = second.nearSide;
  second.holds = false;
  // Where it slides the arc stretches with the spans and counts as it lies there; where not, by what is wound on.
  const double half = 0.5 * arc, lies = link(via).slip >= 0 && canStretch() ? arc : share * arc;
  first.rest = share * (shape.first.length + half) - 0.5 * lies;
  second.stored = lies;
  second.share = 0.5 * lies;
  second.rest = total - first.rest - lies;
  const double compliance = first.compliance;
  first.compliance = compliance * shape.first.length / shape.length;
  second.compliance = compliance - first.compliance;
  const ContactTravel entry = travelOf(shape.first.end[1].place);
  const Wrap wrap =
      continueWrap(outlineOf(now, s, via), second.sense(), shape.first.end[1].place, shape.second.end[0].place, Wrap{});
  second.entry = entry;
  second.exit = {entry.s + second.side * wrap.length, entry.angle + second.side * wrap.angle};
  second.broken = second.lost = second.overstretched = false;
  second.near = second.stop = 0;
  second.tail = 0.0;
  const double shortfall = first.shortfall + second.shortfall;  // of a wheel beside the span: the way to its groove
  first.shortfall = shortfall * (shape.first.length + half) / shape.length;
  second.shortfall = shortfall - first.shortfall;
  s.force[at(spanSlot(via))] = s.force[at(spanSlot(from))];
  // Where the cable can neither slide nor stretch, what it meets is brought to its speed at once: seen as rows that
  // begin to hold, both spans get the impulse that does it.
  if (link(via).slip < 0 && !canStretch()) s.mode[at(spanSlot(from))] = Mode::upper;
  s.mode[at(spanSlot(via))] = s.mode[at(spanSlot(from))];
  routeOf(s).insert(place + 1, via);
  second.routed = true;
}

void JointsCable::split(const Instant& now, State& s, Events& events) const {
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const int via = stateOf(s, from).via();
    if (via < 0) continue;
    const SpanShape shape = shapeOf(now, now.past(), from, to);
    LinkState& met = stateOf(s, via);
    const bool was = met.near == LinkState::lifted;  // part of the route before this step
    if (!shape.bent) {                               // it may still come to lie on it in what is left of the step
      if (was) events.add({now.time, this, via, EventKind::merges});
      met.near = LinkState::claimed;
      continue;
    }
    stateOf(s, from).near = 0;
    if (!was) met.slip = met.turned = 0.0;
    takeIn(now, s, k, via, shape);
    if (!was) events.add({now.time, this, via, EventKind::splits});
    ++k;
  }
}

/// The most loaded span parts, one at a time: with it the load on the others is gone. Judged before a step, by the
/// tension the last one ended with: within a jump forces are impulses over the step, which say nothing of a rope.
void JointsCable::part(const Instant& now, State& s, Events& events) const {
  int worst = -1;
  double most = value(s, breaking_, settings_.material.breaking);
  const auto route = routeOf(s);
  for (int k = 0; most < unbounded && k < route.spans(); ++k) {
    const double middle = -s.force[at(spanSlot(route[k]))];
    if (stateOf(s, route[k]).broken || middle <= 0.0) continue;
    const double tension = middle + std::fabs(endTension(now, route[k], route.next(k), true));
    if (tension <= most) continue;
    worst = k;
    most = tension;
  }
  if (worst < 0) return;
  partSpan(s, worst);
  events.add({now.time, this, route[worst], EventKind::parts});
}

/// Half of it hangs from either link.
void JointsCable::partSpan(State& s, int place) const {
  const auto route = routeOf(s);
  LinkState& parted = stateOf(s, route[place]);
  const double half = 0.5 * parted.rest;
  parted.broken = true;
  parted.rest -= half;
  stateOf(s, route.next(place)).tail = half;
  s.force[at(spanSlot(route[place]))] = 0.0;
}

/// A loose end that has run off a wheel or through a hole: the link leaves the route, the span beyond it is the loose
/// end.
void JointsCable::runOff(const Instant& now, State& s, Events& events) const {
  const auto route = routeOf(s);
  // A drum that winds a loose end on takes no more than there is.
  const auto windOn = [](LinkState& drum, double& loose) {
    if (loose >= 0.0) return;
    drum.stored += loose;
    loose = 0.0;
  };
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    LinkState &first = stateOf(s, from), &second = stateOf(s, to);
    if (!first.broken) continue;
    if (link(from).ends()) windOn(first, first.rest);
    if (link(to).ends()) windOn(second, second.tail);
    const auto passes = [&](int i) {
      return link(i).type == LinkType::roll || link(i).type == LinkType::pinhole || link(i).type == LinkType::sheath;
    };
    if (passes(from) && k > 0 && first.rest + first.stored < 0.0) {
      LinkState& before = stateOf(s, route[k - 1]);
      if (!before.broken) {
        before.rest += first.stored + first.rest;
        before.broken = true;
        s.force[at(spanSlot(route[k - 1]))] = 0.0;
      } else {
        before.rest += first.tail + first.stored + first.rest;
      }
      events.add({now.time, this, from, EventKind::runsOff});
      dropLink(s, k);
      --k;
    } else if (passes(to) && k + 2 < route.size() && second.tail + second.stored < 0.0) {
      stateOf(s, route[k + 2]).tail += second.tail + second.stored + second.rest;
      events.add({now.time, this, to, EventKind::runsOff});
      dropLink(s, k + 1);
      --k;
    }
  }
}

}  // namespace reeve
