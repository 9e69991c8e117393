// What happens to a cable of joints between steps: flow, switching, merge, split, break.
#include <algorithm>
#include <cmath>

#include "reeve/cables/joints/joints_cable.h"
#include "reeve/geometry/collide.h"

namespace reeve {

void JointsCable::finish(const Instant& now, State& s, std::vector<Notice>& notices) const {
  const State& past = now.past();
  const int spans = spanCount(past);
  // Flow: every length that leaves a surface arrives in a span, and the reverse.
  for (int k = 0; k < spans; ++k) {
    const int from = linkAt(past, k), to = next(past, k);
    if (stillSpan(past, from, to) && recall(past, from, broken_) == 0.0) {
      const double fromPaid = spun(now, past, from, true), toPaid = spun(now, past, to, false);
      s.memory[cell(from, rest_)] += fromPaid + toPaid + slipStep(now, from) - slipStep(now, to) + reeled(now, past, k);
      payOut(s, from, true, fromPaid);
      payOut(s, to, false, toPaid);
      continue;
    }
    const SpanShape shape = shapeOf(now, past, from, to);
    const bool lost = shape.first.status != TangentStatus::ok;
    if (lost != (recall(past, from, lost_) != 0.0)) {
      s.memory[cell(from, lost_)] = lost ? 1.0 : 0.0;
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
    const bool parted = recall(past, from, broken_) != 0.0;
    s.memory[cell(from, rest_)] += fromPaid + slipStep(now, from) + reeled(now, past, k);
    s.memory[cell(parted ? to : from, parted ? tail_ : rest_)] += toPaid - slipStep(now, to);
    payOut(s, from, true, fromPaid);
    payOut(s, to, false, toPaid);
    double& shortfall = s.memory[cell(from, short_)];
    if (recall(past, from, lost_) != 0.0) shortfall = unbounded;
    if (shortfall > 0.0) shortfall = std::clamp(shape.length - recall(s, from, rest_), 0.0, shortfall);
    if (!parted) tellSpent(now, s, from, to, shape.length, notices);
    if (link(from).round() && recall(past, from, holds_) == 0.0) {
      const ContactTravel t = travelNow(now, past, from, start, true);
      s.memory[cell(from, exitS_)] = t.s;
      s.memory[cell(from, exitAngle_)] = t.angle;
    }
    if (link(to).round() && recall(past, to, holds_) == 0.0) {
      const ContactTravel t = travelNow(now, past, to, end, false);
      s.memory[cell(to, entryS_)] = t.s;
      s.memory[cell(to, entryAngle_)] = t.angle;
    }
  }
  for (int k = 0; k < count(past); ++k) {
    const int i = linkAt(past, k);
    s.memory[cell(i, slip_)] += slipStep(now, i);
    s.memory[cell(i, turned_)] += turnOf(now, i);
  }
  for (int k = 0; k < spans; ++k) {
    const int from = linkAt(past, k), to = next(past, k);
    if (movable(now.model(), from) || movable(now.model(), to) || recall(past, from, near_) != 0.0) continue;
    const bool pulls = recall(s, from, broken_) == 0.0 && recall(s, from, lost_) == 0.0;
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
    const int i = first ? linkAt(s, 0) : linkAt(s, count(s) - 1);
    const int spanOf = first ? i : linkAt(s, count(s) - 2);
    const Link& l = link(i);
    if (!l.ends()) continue;
    const bool exit = first;  // the first link only has an exit, the last only an entry
    if (recall(s, i, holds_) == 0.0) {
      if (recall(s, i, stored_) >= 0.0) continue;
      // The fixed point is where stored length would be zero: back along the surface by what is owed, on the material.
      const int sigma = recall(s, i, side_) < 0.0 ? -1 : 1;
      const double owed = recall(s, i, stored_);
      const double back = exit ? -sigma * owed : sigma * owed;
      const double place = recall(s, i, exit ? exitS_ : entryS_) + back;
      s.memory[cell(i, exit ? exitS_ : entryS_)] = place;
      s.memory[cell(spanOf, rest_)] += owed;
      s.memory[cell(i, stored_)] = 0.0;
      s.memory[cell(i, holds_)] = 1.0;
      s.memory[cell(i, turned_)] = 0.0;
      notices.push_back({now.time, this, i, "holds: the cable on it is used up"});
      continue;
    }
    // Holding: has one of the two tangents passed the fixed point? The nearer one, by what would be wound on.
    const int other = first ? next(s, 0) : linkAt(s, count(s) - 2);
    const double fixedS = recall(s, i, exit ? exitS_ : entryS_) + l.outline.radius() * recall(s, i, turned_);
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
      if (recall(s, i, holds_) == 0.0)
        s.memory[cell(spanOf, rest_)] += recall(s, i, stored_);  // the other side was taken first
      least = wound;
      s.memory[cell(i, holds_)] = 0.0;
      s.memory[cell(i, side_)] = sigma;
      s.memory[cell(i, stored_)] = wound;
      s.memory[cell(spanOf, rest_)] -= wound;
      s.memory[cell(i, exit ? exitS_ : entryS_)] = end.place.s;
      s.memory[cell(i, exit ? exitAngle_ : entryAngle_)] = end.place.angle;
    }
    if (recall(s, i, holds_) != 0.0) continue;
    settleSpan(now, s, first ? i : other, first ? other : i);
    notices.push_back({now.time, this, i, "rolls again"});
  }
}

/// Takes a link out of the order; its lengths have been given away.
void JointsCable::dropLink(State& s, int place) const {
  const int i = linkAt(s, place);
  for (const int row : {spanSlot(i), frictionSlot(i), compressionSlot(i), windingSlot(i), stopSlot(i)}) {
    s.force[at(row)] = 0.0;
    s.mode[at(row)] = Mode::free;
  }
  for (const int what : {rest_, stored_, share_, tail_, soft_, broken_, near_, lost_, short_, routed_, spent_, stop_})
    s.memory[cell(i, what)] = 0.0;
  for (int j = place; j + 1 < count(s); ++j) s.memory[at(memory + 1 + j)] = s.memory[at(memory + 2 + j)];
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
    if (!link(i).round() || recall(s, i, holds_) != 0.0) continue;
    double& place = s.memory[cell(i, exit ? exitS_ : entryS_)];
    double& angle = s.memory[cell(i, exit ? exitAngle_ : entryAngle_)];
    const ContactTravel to_ = continueTravel(outlineOf(s, i), span.end[exit ? 0 : 1].place, {place, angle});
    const int sigma = recall(s, i, side_) < 0.0 ? -1 : 1;
    const double given = paidOut(sigma, exit ? SpanSide::exit : SpanSide::entry, to_.s - place);
    s.memory[cell(from, rest_)] += given;
    payOut(s, i, exit, given);
    place = to_.s;
    angle = to_.angle;
  }
}

/// The two spans beside a link, and what is on it (less than nothing after a merge), become one span.
void JointsCable::joinSpans(State& s, int place) const {
  const int i = linkAt(s, place), before = linkAt(s, place == 0 ? count(s) - 1 : place - 1);
  s.memory[cell(before, rest_)] += recall(s, i, rest_) + recall(s, i, stored_);
  s.memory[cell(before, soft_)] += recall(s, i, soft_);
  s.memory[cell(before, short_)] += recall(s, i, short_);
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
  for (int k = closed_ ? 0 : 1; k + (closed_ ? 0 : 1) < count(s); ++k) {
    const int i = linkAt(s, k);
    const Link& l = link(i);
    if (l.type != LinkType::roll || count(s) <= 2) continue;
    const int sigma = recall(s, i, side_) < 0.0 ? -1 : 1;
    const double angle = sigma * (recall(s, i, exitAngle_) - recall(s, i, entryAngle_));
    const int before = linkAt(s, k == 0 ? count(s) - 1 : k - 1);
    if (lies(now, before, i, angle) && !isClear(now, s, before, i, next(s, k))) continue;
    if (recall(s, i, broken_) != 0.0 || recall(s, before, broken_) != 0.0) continue;  // runOff sees to loose ends
    const bool lost = recall(s, i, lost_) != 0.0 || recall(s, before, lost_) != 0.0 ||
                      recall(now.past(), i, lost_) != 0.0 || recall(now.past(), before, lost_) != 0.0;
    joinSpans(s, k);
    const int after = linkAt(s, k < count(s) ? k : 0);
    settleSpan(now, s, before, after);
    if (lost) {  // what one of the two could not pull in, both together do not have to
      const SpanShape shape = shapeOf(now, s, before, after);
      s.memory[cell(before, lost_)] = shape.first.status == TangentStatus::ok ? 0.0 : 1.0;
      s.memory[cell(before, short_)] = std::max(0.0, shape.length - recall(s, before, rest_));
      letGo(s, before);
    }
    notices.push_back({now.time, this, i, "merge: the cable has left it"});
    --k;
  }
}

void JointsCable::takeIn(State& s, int place, int via, const SpanShape& shape) const {
  const int from = linkAt(s, place);
  const double arc = shape.length - shape.first.length - shape.second.length;
  const double total = recall(s, from, rest_), share = total / shape.length;
  s.memory[cell(via, side_)] = recall(s, via, nearSide_);
  s.memory[cell(via, holds_)] = 0.0;
  // Where it slides the arc stretches with the spans and counts as it lies there; where not, by what is wound on.
  const double half = 0.5 * arc, lies = link(via).slip >= 0 && canStretch() ? arc : share * arc;
  s.memory[cell(from, rest_)] = share * (shape.first.length + half) - 0.5 * lies;
  s.memory[cell(via, stored_)] = lies;
  s.memory[cell(via, share_)] = 0.5 * lies;
  s.memory[cell(via, rest_)] = total - recall(s, from, rest_) - lies;
  const double soft = recall(s, from, soft_);
  s.memory[cell(from, soft_)] = soft * shape.first.length / shape.length;
  s.memory[cell(via, soft_)] = soft - recall(s, from, soft_);
  const ContactTravel entry = travelOf(shape.first.end[1].place);
  const Wrap wrap = continueWrap(outlineOf(s, via), recall(s, via, side_) < 0.0 ? -1 : 1, shape.first.end[1].place,
                                 shape.second.end[0].place, Wrap{});
  const double sigma = recall(s, via, side_);
  s.memory[cell(via, entryS_)] = entry.s;
  s.memory[cell(via, entryAngle_)] = entry.angle;
  s.memory[cell(via, exitS_)] = entry.s + sigma * wrap.length;
  s.memory[cell(via, exitAngle_)] = entry.angle + sigma * wrap.angle;
  s.memory[cell(via, broken_)] = s.memory[cell(via, near_)] = 0.0;
  s.memory[cell(via, tail_)] = s.memory[cell(via, lost_)] = s.memory[cell(via, stop_)] = 0.0;
  s.memory[cell(via, spent_)] = 0.0;
  const double shortfall = recall(s, from, short_);
  s.memory[cell(from, short_)] = shortfall * (shape.first.length + half) / shape.length;
  s.memory[cell(via, short_)] = shortfall - recall(s, from, short_);
  s.force[at(spanSlot(via))] = s.force[at(spanSlot(from))];
  // Where the cable can neither slide nor stretch, what it meets is brought to its speed at once: seen as rows that
  // begin to hold, both spans get the impulse that does it.
  if (link(via).slip < 0 && !canStretch()) s.mode[at(spanSlot(from))] = Mode::upper;
  s.mode[at(spanSlot(via))] = s.mode[at(spanSlot(from))];
  for (int j = count(s); j > place + 1; --j) s.memory[at(memory + 1 + j)] = s.memory[at(memory + j)];
  s.memory[at(memory + 2 + place)] = via;
  s.memory[at(memory)] += 1.0;
  s.memory[cell(via, routed_)] = 1.0;
}

void JointsCable::split(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = 0; k < spanCount(s); ++k) {
    const int from = linkAt(s, k), to = next(s, k);
    const int via = static_cast<int>(recall(s, from, near_)) - 1;
    if (via < 0) continue;
    const SpanShape shape = shapeOf(now, now.past(), from, to);
    const bool was = recall(s, via, near_) == 2.0;  // part of the route before this step
    if (!shape.bent) {                              // it may still come to lie on it in what is left of the step
      if (was) notices.push_back({now.time, this, via, "merge: the cable has left it"});
      s.memory[cell(via, near_)] = 1.0;
      continue;
    }
    s.memory[cell(from, near_)] = 0.0;
    if (!was) s.memory[cell(via, slip_)] = s.memory[cell(via, turned_)] = 0.0;
    takeIn(s, k, via, shape);
    if (!was) notices.push_back({now.time, this, via, "split: the cable has come to lie on it"});
    ++k;
  }
}

/// The most loaded span parts, one at a time: with it the load on the others is gone. Judged before a step, by the
/// tension the last one ended with: within a jump forces are impulses over the step, which say nothing of a rope.
void JointsCable::part(const Instant& now, State& s, std::vector<Notice>& notices) const {
  int worst = -1;
  double most = value(s, breaking_, settings_.material.breaking);
  for (int k = 0; most < unbounded && k < spanCount(s); ++k) {
    const double tension = -s.force[at(spanSlot(linkAt(s, k)))];
    if (recall(s, linkAt(s, k), broken_) != 0.0 || tension <= most) continue;
    worst = k;
    most = tension;
  }
  if (worst < 0) return;
  const int from = linkAt(s, worst);
  const double half = 0.5 * recall(s, from, rest_);
  s.memory[cell(from, broken_)] = 1.0;
  s.memory[cell(from, rest_)] -= half;
  s.memory[cell(next(s, worst), tail_)] = half;
  s.force[at(spanSlot(from))] = 0.0;
  notices.push_back({now.time, this, from, "parts: the tension exceeds what it can bear"});
}

/// A loose end that has run off a wheel or through a hole: the link leaves the route, the span beyond it is the loose
/// end.
void JointsCable::runOff(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = 0; k < spanCount(s); ++k) {
    const int from = linkAt(s, k), to = next(s, k);
    if (recall(s, from, broken_) == 0.0) continue;
    // A drum that winds a loose end on takes no more than there is.
    for (const auto& [i, what] : {std::pair{from, rest_}, std::pair{to, tail_}}) {
      if (!link(i).ends() || recall(s, i, what) >= 0.0) continue;
      s.memory[cell(i, stored_)] += recall(s, i, what);
      s.memory[cell(i, what)] = 0.0;
    }
    const auto passes = [&](int i) {
      return link(i).type == LinkType::roll || link(i).type == LinkType::pinhole || link(i).type == LinkType::sheath;
    };
    if (passes(from) && k > 0 && recall(s, from, rest_) + recall(s, from, stored_) < 0.0) {
      const int before = linkAt(s, k - 1);
      if (recall(s, before, broken_) == 0.0) {
        s.memory[cell(before, rest_)] += recall(s, from, stored_) + recall(s, from, rest_);
        s.memory[cell(before, broken_)] = 1.0;
        s.force[at(spanSlot(before))] = 0.0;
      } else {
        s.memory[cell(before, rest_)] += recall(s, from, tail_) + recall(s, from, stored_) + recall(s, from, rest_);
      }
      notices.push_back({now.time, this, from, "runs off: the loose end has passed it"});
      dropLink(s, k);
      --k;
    } else if (passes(to) && k + 2 < count(s) && recall(s, to, tail_) + recall(s, to, stored_) < 0.0) {
      const int after = linkAt(s, k + 2);
      s.memory[cell(after, tail_)] += recall(s, to, tail_) + recall(s, to, stored_) + recall(s, to, rest_);
      notices.push_back({now.time, this, to, "runs off: the loose end has passed it"});
      dropLink(s, k + 1);
      --k;
    }
  }
}

}  // namespace reeve
