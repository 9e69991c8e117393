// What happens to a cable of joints between steps: flow, switching, merge, split, break.
#include <algorithm>
#include <cmath>

#include "reeve/cables/joints/joints_cable.h"
#include "reeve/geometry/collide.h"

namespace reeve {

void JointsCable::finish(const Instant& now, State& s, std::vector<Notice>& notices) const {
  const State& past = now.past();
  const int spans = routeOf(past).spans();
  // Flow: every length that leaves a surface arrives in a span, and the reverse.
  for (int k = 0; k < spans; ++k) {
    const int from = routeOf(past)[k], to = routeOf(past).next(k);
    if (stillSpan(past, from, to) && !stateOf(past, from).broken) {
      const double fromPaid = spun(now, past, from, true), toPaid = spun(now, past, to, false);
      stateOf(s, from).rest += fromPaid + toPaid + slipStep(now, from) - slipStep(now, to);
      payOut(s, from, true, fromPaid);
      payOut(s, to, false, toPaid);
      continue;
    }
    const SpanShape shape = shapeOf(now, past, from, to);
    const bool lost = shape.first.status != TangentStatus::ok;
    if (lost != (stateOf(past, from).lost)) {
      stateOf(s, from).lost = lost;
      notices.push_back(
          {now.time, this, from,
           lost ? "the span after it has no tangent and cannot pull" : "the span after it has a tangent again"});
    }
    if (lost) {
      flowOfLost(now, past, s, from, to);
      letGo(s, from);
      continue;
    }
    const SpanEnd& start = shape.first.end[0];
    const SpanEnd& end = shape.bent ? shape.second.end[1] : shape.first.end[1];
    const double fromPaid = paid(now, past, from, start, true), toPaid = paid(now, past, to, end, false);
    const bool parted = stateOf(past, from).broken;
    stateOf(s, from).rest += fromPaid + slipStep(now, from);
    s.memory[cell(parted ? to : from, parted ? tail_ : rest_)] += toPaid - slipStep(now, to);
    payOut(s, from, true, fromPaid);
    payOut(s, to, false, toPaid);
    double& shortfall = stateOf(s, from).shortfall;
    if (stateOf(past, from).lost) shortfall = unbounded;
    if (shortfall > 0.0) shortfall = std::clamp(shape.length - stateOf(s, from).rest, 0.0, shortfall);
    if (!parted) tellSpent(now, s, from, to, shape.length, notices);
    if (link(from).round() && !stateOf(past, from).holds) {
      const ContactTravel t = travelNow(now, past, from, start, true);
      stateOf(s, from).exit.s = t.s;
      stateOf(s, from).exit.angle = t.angle;
    }
    if (link(to).round() && !stateOf(past, to).holds) {
      const ContactTravel t = travelNow(now, past, to, end, false);
      stateOf(s, to).entry.s = t.s;
      stateOf(s, to).entry.angle = t.angle;
    }
  }
  for (int k = 0; k < routeOf(past).size(); ++k) {
    const int i = routeOf(past)[k];
    stateOf(s, i).slip += slipStep(now, i);
    stateOf(s, i).turned += turnOf(now, i);
  }
  for (int k = 0; k < spans; ++k) {
    const int from = routeOf(past)[k], to = routeOf(past).next(k);
    if (movable(now.model(), from) || movable(now.model(), to) || stateOf(past, from).near != 0.0) continue;
    const bool pulls = !stateOf(s, from).broken && !stateOf(s, from).lost;
    s.force[at(spanSlot(from))] = pulls ? -stretchTension(s, from, to, shapeOf(now, past, from, to).length) : 0.0;
  }
  tellStops(now, s, notices);
  switchEnds(now, s, notices);
  runOff(now, s, notices);
  split(now, s, notices);
  merge(now, s, notices);
}

/// The span after a link does not pull; when it does again, it begins to, and may be met at speed.
void JointsCable::letGo(State& s, int i) const {
  s.force[at(spanSlot(i))] = s.force[at(compressionSlot(i))] = 0.0;
  s.mode[at(spanSlot(i))] = Mode::upper;
  s.mode[at(compressionSlot(i))] = Mode::lower;
}

/// Hybrid links and spools at the ends: hold when nothing is wound on, roll again when a tangent passes the fixed
/// point.
void JointsCable::switchEnds(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (const bool first : {true, false}) {
    const int i = first ? routeOf(s)[0] : routeOf(s)[routeOf(s).size() - 1];
    const int spanOf = first ? i : routeOf(s)[routeOf(s).size() - 2];
    const Link& l = link(i);
    if (!l.ends()) continue;
    const bool exit = first;  // the first link only has an exit, the last only an entry
    if (!stateOf(s, i).holds) {
      if (stateOf(s, i).stored >= 0.0) continue;
      // The fixed point is where stored length would be zero: back along the surface by what is owed, on the material.
      const int sigma = stateOf(s, i).sense();
      const double owed = stateOf(s, i).stored;
      const double back = exit ? -sigma * owed : sigma * owed;
      const double place = stateOf(s, i).contact(exit).s + back;
      stateOf(s, i).contact(exit).s = place;
      stateOf(s, spanOf).rest += owed;
      stateOf(s, i).stored = 0.0;
      stateOf(s, i).holds = true;
      stateOf(s, i).turned = 0.0;
      notices.push_back({now.time, this, i, "holds: the cable on it is used up"});
      continue;
    }
    // Holding: has one of the two tangents passed the fixed point? The nearer one, by what would be wound on.
    const int other = first ? routeOf(s).next(0) : routeOf(s)[routeOf(s).size() - 2];
    const double fixedS = stateOf(s, i).contact(exit).s + l.outline.radius() * stateOf(s, i).turned;
    double least = 0.5 * l.outline.perimeter();
    for (const int sigma : {1, -1}) {
      SpanLink me;
      me.frame = frameOf(now, s, i);
      me.outline = &l.outline;
      me.sigma = sigma;
      const SpanGeometry span =
          first ? spanBetween(me, spanEnd(now, s, other, false)) : spanBetween(spanEnd(now, s, other, true), me);
      if (span.status != TangentStatus::ok) continue;
      const SpanEnd& end = span.end[first ? 0 : 1];
      const double travel = nearestTurn(end.place.s, fixedS, l.outline.perimeter()) - fixedS;
      // Wound on: from the fixed point to the exit, or from the entry to the fixed point, in the sense of σ.
      const double wound = exit ? sigma * travel : -sigma * travel;
      if (wound <= 0.0 || wound >= least) continue;
      if (!stateOf(s, i).holds)
        stateOf(s, spanOf).rest += stateOf(s, i).stored;  // the other side was taken first
      least = wound;
      stateOf(s, i).holds = false;
      stateOf(s, i).side = sigma;
      stateOf(s, i).stored = wound;
      stateOf(s, spanOf).rest -= wound;
      stateOf(s, i).contact(exit).s = end.place.s;
      stateOf(s, i).contact(exit).angle = end.place.angle;
    }
    if (stateOf(s, i).holds) continue;
    settleSpan(now, s, first ? i : other, first ? other : i);
    notices.push_back({now.time, this, i, "rolls again"});
  }
}

/// Takes a link out of the order; its lengths have been given away.
void JointsCable::dropLink(State& s, int place) const {
  const int i = routeOf(s)[place];
  for (const int row : {spanSlot(i), frictionSlot(i), compressionSlot(i), windingSlot(i), stopSlot(i)}) {
    s.force[at(row)] = 0.0;
    s.mode[at(row)] = Mode::free;
  }
  for (const int what : {rest_, stored_, share_, tail_, soft_, broken_, near_, lost_, short_, routed_, spent_, stop_})
    s.memory[cell(i, what)] = 0.0;
  for (int j = place; j + 1 < routeOf(s).size(); ++j) s.memory[at(memory + 1 + j)] = s.memory[at(memory + 2 + j)];
  s.memory[at(memory)] -= 1.0;
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
    double& place = stateOf(s, i).contact(exit).s;
    double& angle = stateOf(s, i).contact(exit).angle;
    const ContactTravel to_ = continueTravel(outlineOf(s, i), span.end[exit ? 0 : 1].place, {place, angle});
    const int sigma = stateOf(s, i).sense();
    const double given = paidOut(sigma, exit ? SpanSide::exit : SpanSide::entry, to_.s - place);
    stateOf(s, from).rest += given;
    payOut(s, i, exit, given);
    place = to_.s;
    angle = to_.angle;
  }
}

/// The two spans beside a link, and what is on it (less than nothing after a merge), become one span.
void JointsCable::joinSpans(State& s, int place) const {
  const int i = routeOf(s)[place], before = routeOf(s)[place == 0 ? routeOf(s).size() - 1 : place - 1];
  stateOf(s, before).rest += stateOf(s, i).rest + stateOf(s, i).stored;
  stateOf(s, before).compliance += stateOf(s, i).compliance;
  stateOf(s, before).shortfall += stateOf(s, i).shortfall;
  const std::size_t kept = at(spanSlot(before)), gone = at(spanSlot(i));
  s.force[kept] = std::min(s.force[kept], s.force[gone]);
  if (s.mode[gone] == Mode::free) s.mode[kept] = Mode::free;
  dropLink(s, place);
}

/// A candidate that has moved or turned out of the plane it was met in: its wrap in that plane may go on for ever while
/// the body is long gone. The rope would slide off sideways where it pulls more across the plane than into the body; it
/// is let go there as soon as the straight line between its neighbours is clear of the shape. A body that has been
/// pushed further than it is thick is clear of that line too, but the rope lies behind it and pulls in the plane.
bool JointsCable::isClear(const Instant& now, const State& s, int before, int i, int after) const {
  const Link& l = link(i);
  if (!l.found) return false;
  const SpanGeometry in = shapeOf(now, s, before, i).first, out = shapeOf(now, s, i, after).first;
  if (in.status != TangentStatus::ok || out.status != TangentStatus::ok) return false;
  const Vec3 pull = out.n - in.n, normal = frameOf(now, s, i).normal;
  const double across = std::fabs(pull.dot(normal)), into = (pull - normal * pull.dot(normal)).norm();
  if (across < 1e-6 || across <= into) return false;
  const SpanGeometry straight = spanBetween(spanEnd(now, s, before, true), spanEnd(now, s, after, false));
  if (straight.status != TangentStatus::ok) return false;
  const SegmentClosest gap = closest(straight.end[0].point, straight.end[1].point, *l.found, now.pose(l.mount.block));
  return gap.gap > settings_.material.radius;
}

void JointsCable::merge(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = closed_ ? 0 : 1; k + (closed_ ? 0 : 1) < routeOf(s).size(); ++k) {
    const int i = routeOf(s)[k];
    const Link& l = link(i);
    if (l.type != LinkType::roll || routeOf(s).size() <= 2) continue;
    const int sigma = stateOf(s, i).sense();
    const double angle = sigma * (stateOf(s, i).exit.angle - stateOf(s, i).entry.angle);
    const int before = routeOf(s).before(k);
    if (lies(now, before, i, angle) && !isClear(now, s, before, i, routeOf(s).next(k))) continue;
    if (stateOf(s, i).broken || stateOf(s, before).broken) continue;  // runOff sees to loose ends
    const bool lost = stateOf(s, i).lost || stateOf(s, before).lost ||
                      stateOf(now.past(), i).lost || stateOf(now.past(), before).lost;
    joinSpans(s, k);
    const int after = routeOf(s)[k < routeOf(s).size() ? k : 0];
    settleSpan(now, s, before, after);
    if (lost) {  // what one of the two could not pull in, both together do not have to
      const SpanShape shape = shapeOf(now, s, before, after);
      stateOf(s, before).lost = shape.first.status == TangentStatus::ok ? 0.0 : 1.0;
      stateOf(s, before).shortfall = std::max(0.0, shape.length - stateOf(s, before).rest);
      letGo(s, before);
    }
    notices.push_back({now.time, this, i, "merge: the cable has left it"});
    --k;
  }
}

void JointsCable::takeIn(State& s, int place, int via, const SpanShape& shape) const {
  const int from = routeOf(s)[place];
  const double arc = shape.length - shape.first.length - shape.second.length;
  const double total = stateOf(s, from).rest, share = total / shape.length;
  stateOf(s, via).side = stateOf(s, via).nearSide;
  stateOf(s, via).holds = false;
  // Where it slides the arc stretches with the spans and counts as it lies there; where not, by what is wound on.
  const double half = 0.5 * arc, lies = link(via).slip >= 0 && canStretch() ? arc : share * arc;
  stateOf(s, from).rest = share * (shape.first.length + half) - 0.5 * lies;
  stateOf(s, via).stored = lies;
  stateOf(s, via).share = 0.5 * lies;
  stateOf(s, via).rest = total - stateOf(s, from).rest - lies;
  const double soft = stateOf(s, from).compliance;
  stateOf(s, from).compliance = soft * shape.first.length / shape.length;
  stateOf(s, via).compliance = soft - stateOf(s, from).compliance;
  const ContactTravel entry = travelOf(shape.first.end[1].place);
  const Wrap wrap = continueWrap(outlineOf(s, via), stateOf(s, via).sense(), shape.first.end[1].place,
                                 shape.second.end[0].place, Wrap{});
  const double sigma = stateOf(s, via).side;
  stateOf(s, via).entry.s = entry.s;
  stateOf(s, via).entry.angle = entry.angle;
  stateOf(s, via).exit.s = entry.s + sigma * wrap.length;
  stateOf(s, via).exit.angle = entry.angle + sigma * wrap.angle;
  stateOf(s, via).broken = stateOf(s, via).near = 0.0;
  stateOf(s, via).tail = stateOf(s, via).lost = stateOf(s, via).stop = 0.0;
  stateOf(s, via).overstretched = false;
  const double shortfall = stateOf(s, from).shortfall;
  stateOf(s, from).shortfall = shortfall * (shape.first.length + half) / shape.length;
  stateOf(s, via).shortfall = shortfall - stateOf(s, from).shortfall;
  s.force[at(spanSlot(via))] = s.force[at(spanSlot(from))];
  // Where the cable can neither slide nor stretch, what it meets is brought to its speed at once: seen as rows that
  // begin to hold, both spans get the impulse that does it.
  if (link(via).slip < 0 && !canStretch()) s.mode[at(spanSlot(from))] = Mode::upper;
  s.mode[at(spanSlot(via))] = s.mode[at(spanSlot(from))];
  for (int j = routeOf(s).size(); j > place + 1; --j) s.memory[at(memory + 1 + j)] = s.memory[at(memory + j)];
  s.memory[at(memory + 2 + place)] = via;
  s.memory[at(memory)] += 1.0;
  stateOf(s, via).routed = true;
}

void JointsCable::split(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = 0; k < routeOf(s).spans(); ++k) {
    const int from = routeOf(s)[k], to = routeOf(s).next(k);
    const int via = stateOf(s, from).via();
    if (via < 0) continue;
    const SpanShape shape = shapeOf(now, now.past(), from, to);
    const bool was = stateOf(s, via).near == 2.0;  // part of the route before this step
    if (!shape.bent) {                              // it may still come to lie on it in what is left of the step
      if (was) notices.push_back({now.time, this, via, "merge: the cable has left it"});
      stateOf(s, via).near = 1.0;
      continue;
    }
    stateOf(s, from).near = 0.0;
    if (!was) stateOf(s, via).slip = stateOf(s, via).turned = 0.0;
    takeIn(s, k, via, shape);
    if (!was) notices.push_back({now.time, this, via, "split: the cable has come to lie on it"});
    ++k;
  }
}

/// The most loaded span parts, one at a time: with it the load on the others is gone. Judged before a step, by the
/// tension the last one ended with: within a jump forces are impulses over the step, which say nothing of a rope.
void JointsCable::part(const Instant& now, State& s, std::vector<Notice>& notices) const {
  int worst = -1;
  double most = settings_.material.breaking;
  for (int k = 0; most < unbounded && k < routeOf(s).spans(); ++k) {
    const double tension = -s.force[at(spanSlot(routeOf(s)[k]))];
    if (stateOf(s, routeOf(s)[k]).broken || tension <= most) continue;
    worst = k;
    most = tension;
  }
  if (worst < 0) return;
  const int from = routeOf(s)[worst];
  const double half = 0.5 * stateOf(s, from).rest;
  stateOf(s, from).broken = true;
  stateOf(s, from).rest -= half;
  stateOf(s, routeOf(s).next(worst)).tail = half;
  s.force[at(spanSlot(from))] = 0.0;
  notices.push_back({now.time, this, from, "parts: the tension exceeds what it can bear"});
}

/// A loose end that has run off a wheel or through a hole: the link leaves the route, the span beyond it is the loose
/// end.
void JointsCable::runOff(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = 0; k < routeOf(s).spans(); ++k) {
    const int from = routeOf(s)[k], to = routeOf(s).next(k);
    if (!stateOf(s, from).broken) continue;
    // A drum that winds a loose end on takes no more than there is.
    for (const auto& [i, what] : {std::pair{from, rest_}, std::pair{to, tail_}}) {
      if (!link(i).ends() || recall(s, i, what) >= 0.0) continue;
      stateOf(s, i).stored += recall(s, i, what);
      s.memory[cell(i, what)] = 0.0;
    }
    const auto passes = [&](int i) {
      return link(i).type == LinkType::roll || link(i).type == LinkType::pinhole || link(i).type == LinkType::sheath;
    };
    if (passes(from) && k > 0 && stateOf(s, from).rest + stateOf(s, from).stored < 0.0) {
      const int before = routeOf(s)[k - 1];
      if (!stateOf(s, before).broken) {
        stateOf(s, before).rest += stateOf(s, from).stored + stateOf(s, from).rest;
        stateOf(s, before).broken = true;
        s.force[at(spanSlot(before))] = 0.0;
      } else {
        stateOf(s, before).rest += stateOf(s, from).tail + stateOf(s, from).stored + stateOf(s, from).rest;
      }
      notices.push_back({now.time, this, from, "runs off: the loose end has passed it"});
      dropLink(s, k);
      --k;
    } else if (passes(to) && k + 2 < routeOf(s).size() && stateOf(s, to).tail + stateOf(s, to).stored < 0.0) {
      const int after = routeOf(s)[k + 2];
      stateOf(s, after).tail += stateOf(s, to).tail + stateOf(s, to).stored + stateOf(s, to).rest;
      notices.push_back({now.time, this, to, "runs off: the loose end has passed it"});
      dropLink(s, k + 1);
      --k;
    }
  }
}

}  // namespace reeve
