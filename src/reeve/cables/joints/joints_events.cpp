// What happens to a cable of joints between steps: flow, switching, merge, split, break.
#include <algorithm>
#include <cmath>

#include "reeve/cables/joints/joints_cable.h"
#include "reeve/geometry/collide.h"
#include "reeve/geometry/wrap_crossing.h"

namespace reeve {

namespace {
std::size_t at_(int i) { return static_cast<std::size_t>(i); }
}  // namespace

double JointsCable::lookAhead(const Instant& now, const State& s, int from, int to, int candidate, double h,
                              double& side) const {
  const SpanShape shape = shapeOf(now, s, from, to);
  if (shape.first.status != TangentStatus::ok) return -1.0;
  const Vec3 a = shape.first.end[0].point, b = shape.first.end[1].point;
  const auto velocityAt = [&](int i, const Vec3& p) -> Vec3 {
    const int block = link(i).mount.block;
    if (!now.rotates(block)) return now.velocity(block);
    return now.velocity(block) + now.angularVelocity(block).cross(p - now.position(block));
  };
  const Link& c = link(candidate);
  const LinkFrame frame = frameOf(now, s, candidate);
  const Vec3 va = velocityAt(from, a), vb = velocityAt(to, b), vc = velocityAt(candidate, frame.origin);
  // A little further than a step, so that what happens in it is not missed.
  const double ahead = 1.5 * h;
  MovingFrame moving;
  moving.start = frame;
  moving.translation = ahead * vc;
  moving.rotation = now.rotates(c.mount.block) ? Vec3(ahead * now.angularVelocity(c.mount.block)) : Vec3::Zero();
  const double grown = 1e-6 + 2.0 * ahead * ahead * now.model().description.settings.gravity.norm();
  // The plane of a candidate was laid at the height of the span, so its own reach was looked at there.
  const auto hit = sweptCrossing(c.outline, moving, unbounded, {a, a + ahead * va}, {b, b + ahead * vb}, grown);
  if (!hit || hit->crossing.sigma == 0) return -1.0;
  // The side is where the link is now, before it touches.
  const Vec2 p = frame.toPlane(a), q = frame.toPlane(b), d = q - p;
  const double cross = d.x() * -p.y() - d.y() * -p.x();
  side = hit->time > 0.0 ? (cross > 0.0 ? 1.0 : -1.0) : hit->crossing.sigma;
  return hit->time;
}

void JointsCable::begin(const Instant& now, const Gauge&, State& s, std::vector<Notice>&) const {
  const double h = now.model().description.settings.dt / now.model().description.settings.substeps;
  const bool idle = count(s) < capacity();  // some link waits for the cable to come
  for (int k = 0; k < spanCount(s); ++k) s.memory[cell(at(s, k), near_)] = 0.0;
  if (!idle) return;
  for (int k = 0; k < spanCount(s); ++k) {
    const int from = at(s, k), to = next(s, k);
    if (recall(s, from, broken_) != 0.0) continue;
    double first = 2.0;
    for (int i = 0; i < capacity(); ++i) {
      if (recall(s, i, routed_) != 0.0 || link(i).mount.block == link(from).mount.block ||
          link(i).mount.block == link(to).mount.block)
        continue;
      if (!mayJoin(s, i, from, to)) continue;
      bool claimed = false;
      for (int j = 0; j < k; ++j) claimed = claimed || static_cast<int>(recall(s, at(s, j), near_)) == i + 1;
      if (claimed) continue;  // an earlier span is about to meet it, in a plane of its own
      if (link(i).found && !findPlane(now, s, from, to, i)) continue;
      double side = 1.0;
      const double time = lookAhead(now, s, from, to, i, h, side);
      if (time < 0.0 || time >= first) continue;
      first = time;
      s.memory[cell(from, near_)] = i + 1;
      s.memory[cell(i, nearSide_)] = side;
    }
  }
}

/// A link declared inactive keeps its place in the route; a candidate body may join anywhere.
bool JointsCable::mayJoin(const State&, int i, int from, int to) const {
  if (i >= declared_) return true;
  const auto place = [&](int j) { return j < declared_ ? j : -1; };
  const int a = place(from), b = place(to);
  if (closed_ && a > b) return i > a || i < b;
  return (a < 0 || a < i) && (b < 0 || i < b);
}

/// The plane in which the cable would lie on a candidate body. False: the span cannot come to lie on it.
bool JointsCable::findPlane(const Instant& now, State& s, int from, int to, int i) const {
  const Link& c = link(i);
  const int block = c.mount.block;
  if (!now.rotates(block)) return false;
  for (int j = c.sibling; j < capacity() && link(j).sibling == c.sibling; ++j)
    if (j != i && recall(s, j, routed_) != 0.0) return false;  // it lies on another section of the same shape
  const SpanShape shape = shapeOf(now, s, from, to);
  if (shape.first.status != TangentStatus::ok) return false;
  const Vec3 a = shape.first.end[0].point;
  const Mat3& r = now.rotation(block);
  const Vec3 center = now.position(block) + r * c.center_B, along = shape.first.n;
  Vec3 normal = r * c.normal_B;
  if (c.ball) {
    normal = along.cross(center - a);
    if (normal.norm() < 1e-9) return false;
    normal.normalize();
  }
  const double slope = std::fabs(normal.dot(along));
  if (slope > 0.9) return false;  // it runs along the body rather than across it
  for (int j = c.sibling; j < capacity() && link(j).sibling == c.sibling; ++j) {
    const double other = std::fabs((r * link(j).normal_B).dot(along));
    if (!c.ball && (other < slope - 1e-9 || (j < i && other <= slope)))
      return false;  // another section holds the span better
  }
  // The plane lies at the height where the span passes the axis.
  const Vec3 across = along - normal * normal.dot(along);
  const double where = std::clamp(across.dot(center - a) / across.squaredNorm(), 0.0, shape.first.length);
  const double height = c.ball ? 0.0 : normal.dot(a + where * along - center);
  if (std::fabs(height) > c.reach) return false;
  const Vec3 local = r.transpose() * normal;
  s.memory[cell(i, normalX_)] = local.x();
  s.memory[cell(i, normalY_)] = local.y();
  s.memory[cell(i, normalZ_)] = local.z();
  s.memory[cell(i, height_)] = height;
  return true;
}

void JointsCable::finish(const Instant& now, State& s, std::vector<Notice>& notices) const {
  const State& past = now.past();
  const int spans = spanCount(past);
  // Flow: every length that leaves a surface arrives in a span, and the reverse.
  for (int k = 0; k < spans; ++k) {
    const int from = at(past, k), to = next(past, k);
    if (stillSpan(past, from, to) && recall(past, from, broken_) == 0.0) {
      const double fromPaid = spun(now, past, from, true), toPaid = spun(now, past, to, false);
      s.memory[cell(from, rest_)] += fromPaid + toPaid + slipStep(now, from) - slipStep(now, to);
      s.memory[cell(from, stored_)] -= fromPaid;
      s.memory[cell(to, stored_)] -= toPaid;
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
      // It cannot pull, but what slid over its links still went in or out of it.
      const bool parted = recall(past, from, broken_) != 0.0;
      s.memory[cell(from, rest_)] += slipStep(now, from);
      s.memory[cell(parted ? to : from, parted ? tail_ : rest_)] -= slipStep(now, to);
      s.force[at_(spanSlot(from))] = 0.0;
      continue;
    }
    const SpanEnd& start = shape.first.end[0];
    const SpanEnd& end = shape.bent ? shape.second.end[1] : shape.first.end[1];
    const double fromPaid = paid(now, past, from, start, true), toPaid = paid(now, past, to, end, false);
    const bool parted = recall(past, from, broken_) != 0.0;
    s.memory[cell(from, rest_)] += fromPaid + slipStep(now, from);
    s.memory[cell(parted ? to : from, parted ? tail_ : rest_)] += toPaid - slipStep(now, to);
    s.memory[cell(from, stored_)] -= fromPaid;
    s.memory[cell(to, stored_)] -= toPaid;
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
    const int i = at(past, k);
    s.memory[cell(i, slip_)] += slipStep(now, i);
    s.memory[cell(i, turned_)] += turnOf(now, i);
  }
  switchEnds(now, s, notices);
  part(now, s, notices);
  runOff(now, s, notices);
  split(now, s, notices);
  merge(now, s, notices);
}

/// Hybrid links and spools at the ends: hold when nothing is wound on, roll again when a tangent passes the fixed
/// point.
void JointsCable::switchEnds(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (const bool first : {true, false}) {
    const int i = first ? at(s, 0) : at(s, count(s) - 1);
    const int spanOf = first ? i : at(s, count(s) - 2);
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
    const int other = first ? next(s, 0) : at(s, count(s) - 2);
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
    if (recall(s, i, holds_) == 0.0) notices.push_back({now.time, this, i, "rolls again"});
  }
}

/// Takes a link out of the order; its lengths have been given away.
void JointsCable::dropLink(State& s, int place) const {
  const int i = at(s, place);
  for (const int row : {spanSlot(i), frictionSlot(i), compressionSlot(i), windingSlot(i)}) {
    s.force[at_(row)] = 0.0;
    s.mode[at_(row)] = Mode::free;
  }
  for (const int what : {rest_, stored_, tail_, soft_, broken_, near_, lost_, routed_}) s.memory[cell(i, what)] = 0.0;
  for (int j = place; j + 1 < count(s); ++j) s.memory[at_(memory + 1 + j)] = s.memory[at_(memory + 2 + j)];
  s.memory[at_(memory)] -= 1.0;
}

void JointsCable::merge(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = closed_ ? 0 : 1; k + (closed_ ? 0 : 1) < count(s); ++k) {
    const int i = at(s, k);
    const Link& l = link(i);
    if (l.type != LinkType::roll || count(s) <= 2) continue;
    const int sigma = recall(s, i, side_) < 0.0 ? -1 : 1;
    const double angle = sigma * (recall(s, i, exitAngle_) - recall(s, i, entryAngle_));
    if (angle >= 0.0) continue;
    const int before = at(s, k == 0 ? count(s) - 1 : k - 1);
    if (recall(s, i, broken_) != 0.0 || recall(s, before, broken_) != 0.0) continue;  // runOff sees to loose ends
    // The two spans and what is (less than nothing) on the link become one span.
    s.memory[cell(before, rest_)] += recall(s, i, rest_) + recall(s, i, stored_);
    s.memory[cell(before, soft_)] += recall(s, i, soft_);
    const std::size_t kept = at_(spanSlot(before)), gone = at_(spanSlot(i));
    s.force[kept] = std::min(s.force[kept], s.force[gone]);
    if (s.mode[gone] == Mode::free) s.mode[kept] = Mode::free;
    dropLink(s, k);
    notices.push_back({now.time, this, i, "merge: the cable has left it"});
    --k;
  }
}

void JointsCable::split(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = 0; k < spanCount(s); ++k) {
    const int from = at(s, k), to = next(s, k);
    const int via = static_cast<int>(recall(s, from, near_)) - 1;
    if (via < 0) continue;
    const SpanShape shape = shapeOf(now, now.past(), from, to);
    if (!shape.bent) continue;  // it may still come to lie on it in what is left of the step
    s.memory[cell(from, near_)] = 0.0;
    const double arc = shape.length - shape.first.length - shape.second.length;
    const double total = recall(s, from, rest_), share = total / shape.length;
    s.memory[cell(via, side_)] = recall(s, via, nearSide_);
    s.memory[cell(via, holds_)] = 0.0;
    s.memory[cell(from, rest_)] = share * shape.first.length;
    s.memory[cell(via, stored_)] = share * arc;
    s.memory[cell(via, rest_)] = total - recall(s, from, rest_) - recall(s, via, stored_);
    const double soft = recall(s, from, soft_);
    s.memory[cell(from, soft_)] = soft * shape.first.length / shape.length;
    s.memory[cell(via, soft_)] = soft - recall(s, from, soft_);
    const ContactTravel entry = travelOf(shape.first.end[1].place);
    const Wrap wrap = continueWrap(link(via).outline, recall(s, via, side_) < 0.0 ? -1 : 1, shape.first.end[1].place,
                                   shape.second.end[0].place, Wrap{});
    const double sigma = recall(s, via, side_);
    s.memory[cell(via, entryS_)] = entry.s;
    s.memory[cell(via, entryAngle_)] = entry.angle;
    s.memory[cell(via, exitS_)] = entry.s + sigma * wrap.length;
    s.memory[cell(via, exitAngle_)] = entry.angle + sigma * wrap.angle;
    s.memory[cell(via, slip_)] = s.memory[cell(via, turned_)] = s.memory[cell(via, broken_)] =
        s.memory[cell(via, near_)] = 0.0;
    s.memory[cell(via, tail_)] = s.memory[cell(via, lost_)] = 0.0;
    s.force[at_(spanSlot(via))] = s.force[at_(spanSlot(from))];
    s.mode[at_(spanSlot(via))] = s.mode[at_(spanSlot(from))];
    for (int j = count(s); j > k + 1; --j) s.memory[at_(memory + 1 + j)] = s.memory[at_(memory + j)];
    s.memory[at_(memory + 2 + k)] = via;
    s.memory[at_(memory)] += 1.0;
    s.memory[cell(via, routed_)] = 1.0;
    notices.push_back({now.time, this, via, "split: the cable has come to lie on it"});
    ++k;
  }
}

/// The most loaded span parts, one at a time: with it the load on the others is gone.
void JointsCable::part(const Instant& now, State& s, std::vector<Notice>& notices) const {
  int worst = -1;
  double most = settings_.material.breaking;
  for (int k = 0; most < unbounded && k < spanCount(s); ++k) {
    const double tension = -s.force[at_(spanSlot(at(s, k)))];
    if (recall(s, at(s, k), broken_) != 0.0 || tension <= most) continue;
    worst = k;
    most = tension;
  }
  if (worst < 0) return;
  const int from = at(s, worst);
  const double half = 0.5 * recall(s, from, rest_);
  s.memory[cell(from, broken_)] = 1.0;
  s.memory[cell(from, rest_)] -= half;
  s.memory[cell(next(s, worst), tail_)] = half;
  s.force[at_(spanSlot(from))] = 0.0;
  notices.push_back({now.time, this, from, "parts: the tension exceeds what it can bear"});
}

/// A loose end that has run off a wheel or through a hole: the link leaves the route, the span beyond it is the loose
/// end.
void JointsCable::runOff(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = 0; k < spanCount(s); ++k) {
    const int from = at(s, k), to = next(s, k);
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
      const int before = at(s, k - 1);
      if (recall(s, before, broken_) == 0.0) {
        s.memory[cell(before, rest_)] += recall(s, from, stored_) + recall(s, from, rest_);
        s.memory[cell(before, broken_)] = 1.0;
        s.force[at_(spanSlot(before))] = 0.0;
      } else {
        s.memory[cell(before, rest_)] += recall(s, from, tail_) + recall(s, from, stored_) + recall(s, from, rest_);
      }
      notices.push_back({now.time, this, from, "runs off: the loose end has passed it"});
      dropLink(s, k);
      --k;
    } else if (passes(to) && k + 2 < count(s) && recall(s, to, tail_) + recall(s, to, stored_) < 0.0) {
      const int after = at(s, k + 2);
      s.memory[cell(after, tail_)] += recall(s, to, tail_) + recall(s, to, stored_) + recall(s, to, rest_);
      notices.push_back({now.time, this, to, "runs off: the loose end has passed it"});
      dropLink(s, k + 1);
      --k;
    }
  }
}

}  // namespace reeve
