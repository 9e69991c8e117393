// Rows and stiffness of a cable of joints.
#include "reeve/cables/joints/joints_cable.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/body_turn.h"
#include "reeve/geometry/span_stiffness.h"
#include "reeve/math/scalar.h"

namespace reeve {

const Outline& JointsCable::outlineOf(const Instant& now, const State& s, int i) const {
  const Link& l = link(i);
  if (l.layers.many()) {
    const double radius = radiusOf(s, i);
    return radius == l.outline.radius() ? l.outline : workspace(now).outlines.circle(i, radius);
  }
  if (!l.found) return l.outline;
  return workspace(now).outlines.at(i, *l.found, stateOf(s, i).plane(), settings_.material.radius, l.outline);
}

LinkFrame JointsCable::frameOf(const Instant& now, const State& s, int i) const {
  const Link& l = link(i);
  if (!now.rotates(l.mount.block))
    return LinkFrame{now.position(l.mount.block), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const Mat3& r = now.rotation(l.mount.block);
  LinkFrame f;
  if (l.found) {
    // A candidate's plane was found at the moment of contact and is fixed to the body since.
    f = planeFrame(*l.found, stateOf(s, i).plane());
    f = {r * f.origin + now.position(l.mount.block), r * f.x, r * f.y, r * f.normal};
  } else {
    f = {now.position(l.mount.block) + r * l.center_B, r * l.x_B, r * l.y_B, r * l.normal_B};
  }
  return f;
}

SpanLink JointsCable::spanEnd(const Instant& now, const State& s, int i, bool exit) const {
  static const Outline pointOutline = Outline::point();
  const Link& l = link(i);
  SpanLink end;
  end.frame = frameOf(now, s, i);
  end.outline = &outlineOf(now, s, i);
  const LinkState& at = stateOf(s, i);
  end.sigma = at.sense();
  if (l.round() && at.holds) {
    // Holding: the cable is fixed to the surface at the remembered place, which turns with a rotor.
    const BoundaryPoint place = end.outline->at(at.contact(exit).s);
    Vec2 p = place.point;
    if (l.mount.rotor >= 0) {
      double sine, cosine;
      math::sincos(turnOf(now, i) + at.turned, sine, cosine);
      p = Vec2(cosine * p.x() - sine * p.y(), sine * p.x() + cosine * p.y());
    }
    end.frame.origin = end.frame.toWorld(p);
    end.outline = &pointOutline;
  }
  if (l.type == LinkType::sheath && exit) end.frame.origin = now.point({l.mount.block, l.tube_B.back()});
  return end;
}

/// How far a link's body has turned about the link's axis in this step.
double JointsCable::bodyTurn(const Instant& now, const State& s, int i, const Vec3& axis) const {
  const int block = link(i).mount.block;
  if (!now.rotates(block)) return 0.0;
  return reeve::bodyTurn(now, s.q, block, LinkFrame::fromNormal(Vec3::Zero(), now.rotation(block).transpose() * axis));
}

/// The turn of a wheel's material about its normal in this step, relative to its frame: only a rotor has one.
double JointsCable::turnOf(const Instant& now, int i) const {
  const Link& l = link(i);
  if (l.mount.rotor < 0) return 0.0;
  const double spin = now.u[static_cast<std::size_t>(now.model().blocks[static_cast<std::size_t>(l.mount.rotor)].v)];
  const double body = l.still ? 0.0 : bodyTurn(now, now.past(), i, now.rotation(l.mount.block) * l.mount.axis_B);
  const double relative = spin - body;
  return l.mount.axis_B.dot(l.normal_B) < 0.0 ? -relative : relative;
}

ContactTravel JointsCable::travelNow(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const {
  return continueTravel(outlineOf(now, s, i), end.place, stateOf(s, i).contact(exit), bodyTurn(now, s, i, end.axis));
}

double JointsCable::slipStep(const Instant& now, int i) const {
  const int block = link(i).slip;
  return block < 0 ? 0.0 : now.u[static_cast<std::size_t>(now.model().blocks[static_cast<std::size_t>(block)].v)];
}

/// Surface length of a span bent round an inactive link, by the angle between its two straight parts.
double JointsCable::bentArc(const Instant& now, const State& s, int via, const SpanShape& shape) const {
  const int sigma = stateOf(s, via).nearSense();
  const Wrap wrap =
      continueWrap(outlineOf(now, s, via), sigma, shape.first.end[1].place, shape.second.end[0].place, Wrap{});
  // Further only the wrong way round.
  return wrap.angle > 0.0 && wrap.angle < mostBend ? wrap.length : -1.0;
}

const JointsCable::StillSpan* JointsCable::stillSpan(const State& s, int from, int to) const {
  if (still_.empty()) return nullptr;
  const StillSpan& still = still_[static_cast<std::size_t>(from)];
  if (still.to != to) return nullptr;
  const LinkState &a = stateOf(s, from), &b = stateOf(s, to);
  const bool same = a.near == 0 && a.side == still.sideFrom && b.side == still.sideTo && !a.holds && !b.holds;
  return same ? &still : nullptr;
}

JointsCable::SpanShape JointsCable::shapeOf(const Instant& now, const State& s, int from, int to) const {
  SpanShape shape;
  if (const StillSpan* still = stillSpan(s, from, to)) {
    shape.first = still->span;
    shape.length = still->span.length;
    return shape;
  }
  const SpanLink a = spanEnd(now, s, from, true), b = spanEnd(now, s, to, false);
  const int via = stateOf(s, from).via();
  if (via >= 0) {
    SpanLink middle;
    middle.frame = frameOf(now, s, via);
    middle.outline = &outlineOf(now, s, via);
    middle.sigma = stateOf(s, via).nearSense();
    shape.first = spanBetween(a, middle);
    shape.second = spanBetween(middle, b);
    if (shape.first.status == TangentStatus::ok && shape.second.status == TangentStatus::ok) {
      const double arc = bentArc(now, s, via, shape);
      if (arc >= 0.0) {
        shape.bent = true;
        shape.length = shape.first.length + arc + shape.second.length;
        return shape;
      }
    }
  }
  shape.first = spanBetween(a, b);
  shape.length = shape.first.length;
  return shape;
}

/// Whether a pull at this link can move anything.
bool JointsCable::movable(const Model& model, int i) const {
  if (settings_.waves) return true;  // the waves of a span move by its tension even where its ends cannot
  const auto free = [&](int block) { return block >= 0 && model.blocks[static_cast<std::size_t>(block)].free; };
  return free(link(i).mount.block) || free(link(i).mount.rotor) || free(link(i).slip);
}

double JointsCable::wrapAngle(const Instant& now, const State& s, int i, const SpanGeometry& before,
                              const SpanGeometry& after) const {
  const Link& l = link(i);
  if (l.round()) {
    const int sigma = stateOf(s, i).sense();
    const ContactTravel in = travelNow(now, s, i, before.end[1], false), out = travelNow(now, s, i, after.end[0], true);
    return std::max(wrapBetween(sigma, in, out).angle + sagTurn(now, s, i), 0.0);
  }
  const auto bend = [](const Vec3& a, const Vec3& b) { return math::acos(std::clamp(a.dot(b), -1.0, 1.0)); };
  if (l.type != LinkType::sheath) return bend(before.n, after.n);
  const auto along = [&](std::size_t k) {
    return Vec3(now.point({l.mount.block, l.tube_B[k + 1]}) - now.point({l.mount.block, l.tube_B[k]})).normalized();
  };
  return bend(before.n, along(0)) + l.tubeBend + bend(along(l.tube_B.size() - 2), after.n);
}

/// One end of a span in the row being written: a pull at the link's origin with a moment about it. The moment about a
/// rotor's axle belongs to the spin, the rest to the parent.
void JointsCable::pushEnd(const Instant& now, int i, const Vec3& pull, const Vec3& momentAtOrigin, const Vec3& origin,
                          bool spins, RowSet& out) const {
  const Link& l = link(i);
  if (!now.rotates(l.mount.block)) return out.entry(l.mount.block, pull);
  Vec3 moment = momentAtOrigin;
  if (l.mount.rotor >= 0) {
    const Vec3 axis = now.rotation(l.mount.block) * l.mount.axis_B;
    const double axial = axialMoment(now, i, pull, moment, origin);
    moment -= axis * axial;
    const double grown = l.layers.many() ? now.cache<JointsCache>(*this).wheels[at(i)].grown : 1.0;
    out.entry(l.mount.rotor, spins ? grown * axial : 0.0);
  }
  out.entry(l.mount.block, pull, (origin - now.position(l.mount.block)).cross(pull) + moment);
}

/// About the axle of a link's rotor itself: a held point lies off it.
double JointsCable::axialMoment(const Instant& now, int i, const Vec3& pull, const Vec3& momentAtOrigin,
                                const Vec3& origin) const {
  const Link& l = link(i);
  const Vec3 axis = now.rotation(l.mount.block) * l.mount.axis_B;
  const Vec3 center = now.position(l.mount.block) + now.rotation(l.mount.block) * l.center_B;
  return axis.dot(momentAtOrigin + (origin - center).cross(pull));
}

/// Of a span that stands still only the wheels' turns change the length; what it pulls at besides never moves.
void JointsCable::pushStill(int from, int to, const StillSpan& still, RowSet& out) const {
  if (link(from).mount.rotor >= 0) out.entry(link(from).mount.rotor, still.spinFrom);
  if (link(to).mount.rotor >= 0) out.entry(link(to).mount.rotor, still.spinTo);
}

void JointsCable::pushSpan(const Instant& now, int from, int to, const SpanGeometry& span, bool spinFrom, bool spinTo,
                           RowSet& out) const {
  const SpanGradient g = spanGradient(span);
  pushEnd(now, from, g.pull[0], g.moment[0], span.end[0].origin, spinFrom, out);
  pushEnd(now, to, g.pull[1], g.moment[1], span.end[1].origin, spinTo, out);
}

void JointsCable::rows(const Instant& now, RowSet& out) const {
  const State& s = now.past();
  const JointsCache& cache = now.cache<JointsCache>(*this);
  const auto route = routeOf(s);
  const bool rigid = !canStretch(), reels = this->reels(s);
  const double damping = value(s, damping_, settings_.material.damping);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const LinkState& at = stateOf(s, from);
    if (at.broken) continue;
    if (at.lost) continue;  // it may pull from the step after the one that finds a tangent
    const JointsCache::Span& span = cache.spans[reeve::at(from)];
    const SpanShape* shape = span.kind == JointsCache::Kind::other ? &cache.shapeOf(span) : nullptr;
    if (shape && shape->first.status != TangentStatus::ok)
      continue;  // no tangent: the span cannot pull (an event tells of it)
    if (!span.movable) continue;
    const double aside = shape && shape->bent ? stateOf(s, at.via()).shortfall : 0.0;
    const double rest = at.reach() + aside + span.paid[0] + span.paid[1] + slipStep(now, from) - slipStep(now, to) +
                        (reels ? reeled(now, s, k) : 0.0);
    const auto jacobian = [&] {
      if (span.kind == JointsCache::Kind::still)
        pushStill(from, to, *stillSpan(s, from, to), out);
      else if (span.kind == JointsCache::Kind::wheels)
        pushWheels(now, cache, from, to, span, out);
      else
        pushShape(now, from, at.via(), to, *shape, out);
      if (link(from).slip >= 0) out.entry(link(from).slip, -1.0);
      if (link(to).slip >= 0) out.entry(link(to).slip, 1.0);
    };
    out.group();
    Row& row = out.add(spanSlot(from));
    row.upper = 0.0;
    row.error = span.length - rest;
    double compliance = 0.0;
    if (!rigid) {
      const Stretched whole = stretched(s, from, to, rest, span.length, span.paid[0], span.paid[1]);
      const double over = 1.0 / divisor(whole);
      compliance = complianceOf(s, from, whole);
      row.error = over * (span.length - rest);
      row.compliance = over * compliance;
      row.damping = over * damping;
      if (reels) row.speed = over * reelRate(now, s, k);
    } else {
      row.damping = damping;
      if (reels) row.speed = reelRate(now, s, k);
    }
    jacobian();
    if (settings_.compression > 0.0) {
      Row& push = out.add(compressionSlot(from));
      push.error = span.length - rest;
      push.lower = 0.0;
      push.compliance = compliance / settings_.compression;
      jacobian();
    }
    if (at.stop != 0 && span.kind == JointsCache::Kind::wheels) blockRow(now, s, from, to, &out);
    if (at.stop != 0 && shape && !shape->bent) stopRow(now, s, from, to, shape->first, &out);
  }
  frictionRows(now, cache, out);
  if (settings_.winding > 0.0) windingRows(now, out);
}

/// Entries of a span of any shape, and none that count of a link that may come to lie in between.
void JointsCable::pushShape(const Instant& now, int from, int via, int to, const SpanShape& shape, RowSet& out) const {
  if (shape.bent) {
    pushSpan(now, from, via, shape.first, true, false, out);
    pushSpan(now, via, to, shape.second, false, true, out);
    return;
  }
  pushSpan(now, from, to, shape.first, true, true, out);
  if (via >= 0) pushEnd(now, via, Vec3::Zero(), Vec3::Zero(), now.position(link(via).mount.block), false, out);
}

/// What a cable slides by on a link that it may slide over, at most as the capstan law has it.
void JointsCable::frictionRows(const Instant& now, const JointsCache& cache, RowSet& out) const {
  if (!slides_) return;
  const State& s = now.past();
  const auto route = routeOf(s);
  for (int k = 0; k < route.size(); ++k) {
    const int i = route[k];
    if (link(i).slip < 0) continue;
    if (!closed_ && (k == 0 || k + 1 == route.size())) continue;
    const int before = route.before(k), after = route.next(k);
    const double friction = value(s, linkFriction_ + i, link(i).friction);
    const double kappa =
        friction > 0.0 ? math::exp(std::min(friction * wrapNow(now, cache, before, i, after), 60.0)) : 1.0;
    out.group();
    Row& row = out.add(frictionSlot(i));
    row.level = Level::velocity;
    row.work = Work::friction;
    row.lower = row.upper = 0.0;
    row.lowerSlot = spanSlot(before);
    row.lowerGain = kappa - 1.0;
    row.upperSlot = spanSlot(i);
    row.upperGain = -(kappa - 1.0);
    if (weighs()) {  // the law is of the tensions at the link; while a span hardly pulls there is nothing to slide on
      const auto more = [&](int from, int to, bool start) {
        return std::max(endTension(now, from, to, start), 0.5 * std::min(s.force[at(spanSlot(from))], 0.0));
      };
      row.lower = -(kappa - 1.0) * more(before, i, false);
      row.upper = (kappa - 1.0) * more(i, after, true);
    }
    switch (cleat(s, i)) {
      case Cleat::off:
        break;
      case Cleat::forward:  // whatever it takes to keep it from sliding back
        row.upper = unbounded;
        row.upperSlot = -1;
        row.upperGain = 0.0;
        break;
      case Cleat::back:
        row.lower = -unbounded;
        row.lowerSlot = -1;
        row.lowerGain = 0.0;
        break;
    }
    out.entry(link(i).slip, 1.0);
  }
}

/// Whatever the tension: a wheel that turns carries the cable on it round and bends it, unless its end is held.
void JointsCable::windingRows(const Instant& now, RowSet& out) const {
  const State& s = now.past();
  const auto route = routeOf(s);
  for (int k = 0; k < route.size(); ++k) {
    const Link& l = link(route[k]);
    if (l.mount.rotor < 0 || stateOf(s, route[k]).holds) continue;
    out.group();
    Row& row = out.add(windingSlot(route[k]));
    row.level = Level::velocity;
    row.work = Work::friction;
    row.upper = value(s, winding_, settings_.winding);
    row.lower = -row.upper;
    out.entry(l.mount.rotor, 1.0);
    out.entry(l.mount.block, Vec3::Zero(), -(now.rotation(l.mount.block) * l.mount.axis_B));
  }
}

/// How far the cable is bent round a link, rad.
double JointsCable::wrapNow(const Instant& now, const JointsCache& cache, int before, int i, int after) const {
  const JointsCache::Span &in = cache.spans[at(before)], &out = cache.spans[at(i)];
  const bool wheels = in.kind == JointsCache::Kind::wheels && out.kind == JointsCache::Kind::wheels;
  if (wheels) {
    const double angle = wrapBetween(stateOf(now.past(), i).sense(), in.travel[1], out.travel[0]).angle;
    return std::max(angle + sagTurn(now, now.past(), i), 0.0);
  }
  SpanShape shapes[2];
  const auto shape = [&](const JointsCache::Span& span, int from, int to, SpanShape& room) -> const SpanShape& {
    return span.kind == JointsCache::Kind::other ? cache.shapeOf(span) : room = shapeOf(now, now.past(), from, to);
  };
  const SpanShape &left = shape(in, before, i, shapes[0]), &right = shape(out, i, after, shapes[1]);
  return wrapAngle(now, now.past(), i, left.bent ? left.second : left.first, right.first);
}

SpanMount JointsCable::mountOf(const Instant& now, int i) const {
  return {now.position(link(i).mount.block), link(i).mount.rotor >= 0};
}

/// A cable held at a point of a wheel turns it like a pendulum. With a the arm from axle to point, n from the point
/// into the span and w = axle × a its velocity: ℓ'' = n·a + (w² − (n·w)²)/ℓ, of which the positive part times T.
void JointsCable::patchHeld(const Instant& now, int i, const SpanGeometry& span, bool start, double tension,
                            PatchSet& out) const {
  const Link& l = link(i);
  if (l.mount.rotor < 0 || !l.round() || !stateOf(now.past(), i).holds) return;
  const Vec3 axis = now.rotation(l.mount.block) * l.mount.axis_B;
  Vec3 arm = span.end[start ? 0 : 1].point - now.position(l.mount.block) - now.rotation(l.mount.block) * l.center_B;
  arm -= axis * axis.dot(arm);
  const Vec3 n = start ? span.n : Vec3(-span.n), velocity = axis.cross(arm);
  const double across = velocity.squaredNorm() - n.dot(velocity) * n.dot(velocity);
  const double bend = n.dot(arm) + (span.length > 0.0 ? across / span.length : 0.0);
  out.add(l.mount.rotor, l.mount.rotor).k(0, 0) = std::max(tension, 0.0) * std::max(bend, 0.0);
}

void JointsCable::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  const State& s = now.past();
  const JointsCache& cache = now.cache<JointsCache>(*this);
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const JointsCache::Span& span = cache.spans[at(from)];
    if (stateOf(s, from).broken) continue;
    if (span.kind == JointsCache::Kind::still) continue;  // nothing there can give way
    const double tension = -force[at(spanSlot(from))];
    if (span.kind == JointsCache::Kind::wheels) {
      patchWheels(now, cache, from, to, span, tension, out);
      continue;
    }
    const SpanShape& shape = cache.shapeOf(span);
    const int between = stateOf(s, from).via();
    if (shape.first.status != TangentStatus::ok) continue;
    patchHeld(now, from, shape.first, true, tension, out);
    patchHeld(now, to, shape.bent ? shape.second : shape.first, false, tension, out);
    addSpanPatches(now, from, shape.bent ? between : to, lineOf(shape.first), tension, out);
    if (shape.bent) addSpanPatches(now, between, to, lineOf(shape.second), tension, out);
  }
}

/// From the stretch itself: it is there before the first step has found a force.
double JointsCable::elasticEnergy(const Instant& now, std::span<const double>) const {
  if (!canStretch()) return 0.0;
  const State& s = now.past();
  const auto route = routeOf(s);
  double sum = 0.0;
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    if (stateOf(s, from).broken) continue;
    const SpanShape shape = shapeOf(now, s, from, to);
    if (shape.first.status != TangentStatus::ok) continue;
    const double aside = shape.bent ? stateOf(s, stateOf(s, from).via()).shortfall : 0.0;
    const double rest = stateOf(s, from).reach() + aside, stretch = shape.length - rest;
    const double energy = 0.5 * stretch * stretch / complianceOf(s, from, stretched(s, from, to, rest, shape.length));
    sum += stretch > 0.0 ? energy : settings_.compression * energy;
  }
  return sum;
}

/// As people find it in their scene: links of the route by their place in it, candidates by the body.
std::string JointsCable::linkName(int i) const {
  return name + (i < declared_ ? ".links." + std::to_string(i) : ".candidates." + link(i).mount.name);
}

std::string JointsCable::nameOf(ElementPart what, int index) const {
  static constexpr const char* part[] = {"span after it", "sliding over it", "compression of the span after it",
                                         "bending over it", "stop of the span after it"};
  if (what == ElementPart::row) return linkName(index % capacity()) + " (" + part[index / capacity()] + ")";
  for (int i = 0; i < capacity(); ++i)
    if (link(i).slip == index) return linkName(i) + " (cable that slides over it)";
  return {};
}

}  // namespace reeve
