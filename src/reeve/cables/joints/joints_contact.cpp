// What a cable of joints watches for before a step: links and bodies its spans may come to lie on.
#include <algorithm>
#include <cmath>

#include "reeve/cables/joints/joints_cable.h"
#include "reeve/geometry/collide.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// A span that would be longer by this share of a body's size, if it were bent round it, passes through it.
constexpr double acrossShare = 0.05;

/// Distance of a point from a segment.
double distanceFrom(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  const double l2 = d.squaredNorm();
  const double t = l2 > 0.0 ? std::clamp(d.dot(p - a) / l2, 0.0, 1.0) : 0.0;
  return (p - a - t * d).norm();
}
}  // namespace

Vec3 JointsCable::velocityAt(const Instant& now, int i, const Vec3& point) const {
  const int block = link(i).mount.block;
  if (!now.rotates(block)) return now.velocity(block);
  return now.velocity(block) + now.angularVelocity(block).cross(point - now.position(block));
}

JointsCable::Outlook JointsCable::outlook(const Instant& now, const State& s, int from, int to, double h) const {
  const SpanShape shape = shapeOf(now, s, from, to);
  Outlook look;
  if (shape.first.status != TangentStatus::ok) return look;
  const Vec3 a = shape.first.end[0].point, b = shape.first.end[1].point;
  look.ahead = 1.5 * h;  // a little further than a step, so that what happens in it is not missed
  look.a = {a, a + look.ahead * velocityAt(now, from, a)};
  look.b = {b, b + look.ahead * velocityAt(now, to, b)};
  return look;
}

double JointsCable::meetDeclared(const Instant& now, const State& s, int i, const Outlook& span, int& side) const {
  const Link& c = link(i);
  const LinkFrame frame = frameOf(now, s, i);
  MovingFrame moving;
  moving.start = frame;
  moving.translation = span.ahead * velocityAt(now, i, frame.origin);
  moving.rotation = now.rotates(c.mount.block) ? Vec3(span.ahead * now.angularVelocity(c.mount.block)) : Vec3::Zero();
  const double grown = 1e-6 + 2.0 * span.ahead * span.ahead * now.model().description.settings.gravity.norm();
  const auto hit = sweptCrossing(c.outline, moving, c.groove, span.a, span.b, grown);
  if (!hit || hit->crossing.sigma == 0) return -1.0;
  // The side is where the link is now, before it touches.
  const Vec2 p = frame.toPlane(span.a.start), q = frame.toPlane(span.b.start), d = q - p;
  const double cross = d.x() * -p.y() - d.y() * -p.x();
  side = hit->time > 0.0 ? (cross > 0.0 ? 1 : -1) : hit->crossing.sigma;
  return hit->time;
}

/// Also lays the plane, so that the step can bend the span in it.
double JointsCable::meetCandidate(const Instant& now, State& s, int i, const Outlook& span) const {
  const Link& c = link(i);
  const int block = c.mount.block;
  const Vec3 middle = now.position(block) + now.rotation(block) * c.center_B;
  const double radius = settings_.material.radius;
  const double grown = 1e-6 + 2.0 * span.ahead * span.ahead * now.model().description.settings.gravity.norm();
  const double travel =
      std::max((span.a.end - span.a.start).norm(), (span.b.end - span.b.start).norm()) +
      span.ahead * (now.velocity(block).norm() + now.angularVelocity(block).norm() * (c.center_B.norm() + c.reach));
  if (distanceFrom(middle, span.a.start, span.b.start) > c.reach + travel + radius + grown) return -1.0;
  MovingPose moving;
  moving.start = now.pose(block);
  moving.translation = span.ahead * now.velocity(block);
  moving.rotation = span.ahead * now.angularVelocity(block);
  auto contact = sweptContact(*c.found, moving, span.a, span.b, radius + grown, span.aGoesOn, span.bGoesOn);
  if (!contact) return -1.0;
  if (span.aGoesOn || span.bGoesOn) {  // at a corner of a curve
    const Vec3 square = contact->along - contact->along.dot(contact->normal) * contact->normal;
    if (square.norm() > 1e-3) contact->along = square.normalized();
  }
  const auto plane = planeAtContact(*c.found, *contact);
  if (!plane) return -1.0;
  stateOf(s, i).layPlane(*plane);
  return contact->time;
}

/// The path of a span round a link that waits, against the straight one.
JointsCable::Detour JointsCable::detour(const Instant& now, const State& s, int from, int via, int to) const {
  const SpanLink a = spanEnd(now, s, from, true), b = spanEnd(now, s, to, false);
  SpanLink middle;
  middle.frame = frameOf(now, s, via);
  middle.outline = &outlineOf(now, s, via);
  middle.sigma = stateOf(s, via).nearSense();
  const SpanGeometry in = spanBetween(a, middle), out = spanBetween(middle, b), straight = spanBetween(a, b);
  if (in.status != TangentStatus::ok || out.status != TangentStatus::ok) return {};
  const Wrap wrap = continueWrap(*middle.outline, middle.sigma, in.end[1].place, out.end[0].place, Wrap{});
  Detour path{.tangent = true, .angle = wrap.angle};
  if (straight.status != TangentStatus::ok) return path;
  path.straight = true;
  path.longer = in.length + wrap.length + out.length - straight.length;
  // What a line is longer than its picture in the plane of the link.
  const auto aside = [&](const SpanGeometry& g) {
    const double across = middle.frame.normal.dot(g.end[1].point - g.end[0].point);
    return g.length - std::sqrt(std::max(0.0, g.length * g.length - across * across));
  };
  path.aside = std::max(0.0, aside(in) + aside(out) - aside(straight));
  return path;
}

/// What lies across a span already was not met from a side: to bend round it at once would be a blow.
bool JointsCable::liesAcross(const Detour& path, double reach) const {
  if (!path.tangent) return true;
  if (path.angle <= 0.0 || !path.straight) return path.angle < -mostBend;
  return path.angle > mostBend || path.longer > acrossShare * reach;
}

void JointsCable::begin(const Instant& now, const StepContext& context, State& s) const {
  Events& events = context.events;
  const double h = context.h;
  part(now, s, events);
  watchStops(now, s, h);
  if (pays_) watchWinch(now, s, h, events);
  if (!joins_) return;
  for (int i = 0; i < capacity(); ++i) {
    stateOf(s, i).near = 0;
    if (!stateOf(s, i).routed) stateOf(s, i).shortfall = 0.0;
  }
  tellInside(now, s, events);
  if (looksAhead()) return;
  lift(now, s, h);
  const auto route = routeOf(s);
  if (route.size() == capacity()) return;  // no link waits for the cable to come
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    if (stateOf(s, from).broken || stateOf(s, from).near != 0) continue;
    const Outlook span = outlook(now, s, from, to, h);
    if (span.ahead == 0.0) continue;
    double first = 2.0;
    int met = -1;
    for (int i = 0; i < capacity(); ++i) {
      if (!mayMeet(s, i, from, to)) continue;
      int side = 1;  // of a candidate: that is how its plane is laid
      const double time = link(i).found ? meetCandidate(now, s, i, span) : meetDeclared(now, s, i, span, side);
      if (time < 0.0 || time >= first) continue;
      first = time;
      met = i;
      stateOf(s, i).nearSide = side;
    }
    if (met < 0) continue;
    LinkState& waiting = stateOf(s, met);
    const bool was = waiting.inside;
    const Detour path = detour(now, s, from, met, to);
    waiting.inside = liesAcross(path, outlineOf(now, s, met).reach());
    if (waiting.inside) {
      if (!was) events.add({now.time, this, met, EventKind::liesAcross});
      continue;
    }
    stateOf(s, from).near = met + 1;
    waiting.near = LinkState::claimed;
    // Beside its plane the way through its groove is longer at once; the cable is laid into it without work.
    if (!link(met).found) waiting.shortfall = path.aside;
    // The way through the groove may get longer at a speed that the straight one did not have: a blow, which the solver
    // sees as a row that begins to hold. Stepped over as smooth motion it would throw what hangs there.
    if (!link(met).found && path.aside > 0.0 && !canStretch()) s.mode[at(spanSlot(from))] = Mode::upper;
  }
}

/// A link that has come to lie inside a body the cable may meet: its spans pass through that body until it is out
/// again.
void JointsCable::tellInside(const Instant& now, State& s, Events& events) const {
  if (capacity() == declared_) return;
  const auto route = routeOf(s);
  for (int k = 0; k < route.size(); ++k) {
    const int i = route[k];
    if (i >= declared_) continue;
    const Vec3 point = frameOf(now, s, i).origin;
    bool inside = false;
    for (int j = declared_; j < capacity() && !inside; ++j) {
      const Link& body = link(j);
      const int block = body.mount.block;
      if (body.sibling != j || block == link(i).mount.block) continue;
      if ((point - now.position(block) - now.rotation(block) * body.center_B).norm() > body.reach) continue;
      inside = closest(point, point, *body.found, now.pose(block)).gap < 0.0;
    }
    if (inside && !stateOf(s, i).inside) events.add({now.time, this, i, EventKind::insideBody});
    stateOf(s, i).inside = inside;
  }
}

/// The wrap that may be gone within the step: how fast the spans beside a link turn.
double JointsCable::wrapThatMayGo(const Instant& now, const State& s, int before, int i, int after, double h) const {
  const SpanGeometry in = shapeOf(now, s, before, i).first, out = shapeOf(now, s, i, after).first;
  if (in.status != TangentStatus::ok || out.status != TangentStatus::ok) return 0.0;
  const auto turning = [&](const SpanGeometry& span, int from, int to) {
    const Vec3 v = velocityAt(now, to, span.end[1].point) - velocityAt(now, from, span.end[0].point);
    return (v - span.n * span.n.dot(v)).norm() / span.length;
  };
  return 1.5 * h * (turning(in, before, i) + turning(out, i, after));
}

/// Links whose wrap may end within the step wait beside the span, as those do that it may meet. Only where the cable
/// can slide: there the tensions on both sides agree when the wrap is that small.
void JointsCable::lift(const Instant& now, State& s, double h) const {
  constexpr double small = 0.3;  // rad; links with more are not looked at
  const auto route = routeOf(s);
  for (int k = closed_ ? 0 : 1; k + (closed_ ? 0 : 1) < route.size() && route.size() > 2; ++k) {
    const int i = route[k];
    if (!watch_[at(i)].lifts) continue;
    LinkState& lifted = stateOf(s, i);
    const double angle = lifted.wrap();
    if (angle < 0.0 || angle > small) continue;
    const int before = route.before(k), after = route.next(k);
    LinkState& span = stateOf(s, before);
    if (lifted.broken || span.broken || span.near != 0 || span.lost || lifted.lost) continue;
    if (angle > wrapThatMayGo(now, s, before, i, after, h)) continue;
    joinSpans(s, k);
    span.near = i + 1;
    lifted.near = LinkState::lifted;
    lifted.nearSide = lifted.side;
    --k;
  }
}

/// Whether link i waits, is free, and may come to lie between these two.
bool JointsCable::mayMeet(const State& s, int i, int from, int to) const {
  const Link& c = link(i);
  if (stateOf(s, i).routed || stateOf(s, i).near != 0) return false;
  if (!c.found) {
    const int block = c.mount.block;
    return block != link(from).mount.block && block != link(to).mount.block && mayJoin(s, i, from, to);
  }
  // One of the links that stand for a shape is enough, the first that is free.
  for (int j = c.sibling; j < i; ++j)
    if (!stateOf(s, j).routed && stateOf(s, j).near == 0) return false;
  for (const int end : {from, to}) {
    if (link(end).mount.block != c.mount.block) continue;
    // A span between two shapes of one body may meet a third; one that starts in a point or wheel of it may not.
    if (!link(end).found || link(end).sibling == c.sibling) return false;
  }
  return true;
}

/// A link declared inactive keeps its place in the route; a candidate body may join anywhere.
bool JointsCable::mayJoin(const State&, int i, int from, int to) const {
  if (i >= declared_) return true;
  const auto place = [&](int j) { return j < declared_ ? j : -1; };
  const int a = place(from), b = place(to);
  if (closed_ && a > b) return i > a || i < b;
  return (a < 0 || a < i) && (b < 0 || i < b);
}

/// A span without a tangent cannot pull, but what slid over its links, and what its wheels carried round, still went in
/// or out of it. Its contacts stay where they are in space.
void JointsCable::flowOfLost(const Instant& now, const State& past, State& s, int from, int to) const {
  // What comes and goes at the far end: the span's, or once it has parted that of the loose end there.
  double& far = stateOf(past, from).broken ? stateOf(s, to).tail : stateOf(s, from).rest;
  stateOf(s, from).rest += slipStep(now, from);
  far -= slipStep(now, to);
  for (const bool exit : {true, false}) {
    const int i = exit ? from : to;
    if (!link(i).round() || stateOf(past, i).holds) continue;
    const double turn = bodyTurn(now, past, i, frameOf(now, past, i).normal);
    const double travel = -turn * outlineOf(now, past, i).perimeter() / (2.0 * math::pi);
    const double given = paidOut(stateOf(past, i).sense(), exit ? SpanSide::exit : SpanSide::entry,
                                 travel - radiusOf(past, i) * turnOf(now, i));
    (exit ? stateOf(s, from).rest : far) += given;
    payOut(s, i, exit, given);
    ContactTravel& contact = stateOf(s, i).contact(exit);
    contact.s += travel;
    contact.angle -= turn;
  }
}

}  // namespace reeve
