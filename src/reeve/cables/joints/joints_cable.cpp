// Rows, stiffness and forces of a cable of joints.
#include "reeve/cables/joints/joints_cable.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/body_turn.h"
#include "reeve/math/scalar.h"

namespace reeve {

const Outline& JointsCable::outlineOf(const State& s, int i) const {
  if (!link(i).found) return link(i).outline;
  Laid& laid = laid_[static_cast<std::size_t>(i)];
  const WrapPlane plane = stateOf(s, i).plane();
  if (laid.outline.isPoint() || laid.plane.normal_B != plane.normal_B || laid.plane.height != plane.height) {
    const auto section = sectionOutline(*link(i).found, plane, settings_.material.radius);
    laid = {plane, section ? *section : link(i).outline};
  }
  return laid.outline;
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
  end.outline = &outlineOf(s, i);
  const LinkState& at = stateOf(s, i);
  end.sigma = at.sense();
  if (l.round() && at.holds) {
    // Holding: the cable is fixed to the surface at the remembered place, which turns with a rotor.
    const BoundaryPoint place = l.outline.at(at.contact(exit).s);
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
  return continueTravel(outlineOf(s, i), end.place, stateOf(s, i).contact(exit), bodyTurn(now, s, i, end.axis));
}

/// Length that link i has given to the span beside it since the start of the step.
double JointsCable::paid(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const {
  const Link& l = link(i);
  const LinkState& at = stateOf(s, i);
  if (!l.round() || at.holds) return 0.0;
  const double travel = travelNow(now, s, i, end, exit).s - at.contact(exit).s - l.outline.radius() * turnOf(now, i);
  return paidOut(at.sense(), exit ? SpanSide::exit : SpanSide::entry, travel);
}

/// The same at the end of a span that stands still: only the wheel's own turn pays out.
double JointsCable::spun(const Instant& now, const State& s, int i, bool exit) const {
  const Link& l = link(i);
  if (l.mount.rotor < 0 || !l.round()) return 0.0;
  return paidOut(stateOf(s, i).sense(), exit ? SpanSide::exit : SpanSide::entry, -l.outline.radius() * turnOf(now, i));
}

double JointsCable::slipStep(const Instant& now, int i) const {
  const int block = link(i).slip;
  return block < 0 ? 0.0 : now.u[static_cast<std::size_t>(now.model().blocks[static_cast<std::size_t>(block)].v)];
}

/// Surface length of a span bent round an inactive link, by the angle between its two straight parts.
double JointsCable::bentArc(const State& s, int via, const SpanShape& shape) const {
  const int sigma = stateOf(s, via).nearSense();
  const Wrap wrap = continueWrap(outlineOf(s, via), sigma, shape.first.end[1].place, shape.second.end[0].place, Wrap{});
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
    middle.outline = &outlineOf(s, via);
    middle.sigma = stateOf(s, via).nearSense();
    shape.first = spanBetween(a, middle);
    shape.second = spanBetween(middle, b);
    if (shape.first.status == TangentStatus::ok && shape.second.status == TangentStatus::ok) {
      const double arc = bentArc(s, via, shape);
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
    out.entry(l.mount.rotor, spins ? axial : 0.0);
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
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const LinkState& at = stateOf(s, from);
    if (at.broken || at.lost) continue;  // a lost one may pull from the step after the one that finds a tangent
    const StillSpan* still = stillSpan(s, from, to);
    SpanShape shape;
    if (!still) shape = shapeOf(now, s, from, to);
    if (!still && shape.first.status != TangentStatus::ok)
      continue;  // no tangent: the span cannot pull (an event tells of it)
    const double paidFrom = still ? spun(now, s, from, true) : paid(now, s, from, shape.first.end[0], true);
    const double paidTo = still ? spun(now, s, to, false)
                                : paid(now, s, to, shape.bent ? shape.second.end[1] : shape.first.end[1], false);
    const double rest = at.reach() + paidFrom + paidTo + slipStep(now, from) - slipStep(now, to) + reeled(now, s, k);
    const double length = still ? still->span.length : shape.length;
    const Stretched whole = stretched(s, from, to, rest, length, paidFrom, paidTo);
    const double over = 1.0 / divisor(whole);
    const int via = at.via();
    if (!movable(now.model(), from) && !movable(now.model(), to) && (via < 0 || !movable(now.model(), via))) continue;
    const auto jacobian = [&] {
      if (still) {
        pushStill(from, to, *still, out);
      } else if (shape.bent) {
        pushSpan(now, from, via, shape.first, true, false, out);
        pushSpan(now, via, to, shape.second, false, true, out);
      } else {
        pushSpan(now, from, to, shape.first, true, true, out);
        if (via >= 0) pushEnd(now, via, Vec3::Zero(), Vec3::Zero(), now.position(link(via).mount.block), false, out);
      }
      if (link(from).slip >= 0) out.entry(link(from).slip, -1.0);
      if (link(to).slip >= 0) out.entry(link(to).slip, 1.0);
    };
    out.group();
    Row& row = out.add(spanSlot(from));
    row.error = over * (length - rest);
    row.upper = 0.0;
    row.compliance = over * complianceOf(s, from, whole);
    row.damping = over * value(s, damping_, settings_.material.damping);
    row.speed = over * reelRate(s, k);
    jacobian();
    if (settings_.compression > 0.0) {
      Row& push = out.add(compressionSlot(from));
      push.error = length - rest;
      push.lower = 0.0;
      push.compliance = complianceOf(s, from, whole) / settings_.compression;
      jacobian();
    }
    if (at.stop != 0 && !still && !shape.bent) stopRow(now, s, from, to, shape.first, &out);
  }
  // Friction of material that slides over links.
  for (int k = 0; k < route.size(); ++k) {
    const int i = route[k];
    if (link(i).slip < 0) continue;
    if (!closed_ && (k == 0 || k + 1 == route.size())) continue;
    const int before = route.before(k), after = route.next(k);
    const SpanShape left = shapeOf(now, s, before, i), right = shapeOf(now, s, i, after);
    const double angle = wrapAngle(now, s, i, left.bent ? left.second : left.first, right.first);
    const double kappa = math::exp(std::min(value(s, linkFriction_ + i, link(i).friction) * angle, 60.0));
    out.group();
    Row& row = out.add(frictionSlot(i));
    row.level = Level::velocity;
    row.lower = row.upper = 0.0;
    row.lowerSlot = spanSlot(before);
    row.lowerGain = kappa - 1.0;
    row.upperSlot = spanSlot(i);
    row.upperGain = -(kappa - 1.0);
    out.entry(link(i).slip, 1.0);
  }
  if (settings_.winding > 0.0)
    for (int k = 0; k < route.size(); ++k) {
      // Whatever the tension: a wheel that turns carries the cable on it round and bends it, unless its end is held.
      const Link& l = link(route[k]);
      if (l.mount.rotor < 0 || stateOf(s, route[k]).holds) continue;
      out.group();
      Row& row = out.add(windingSlot(route[k]));
      row.level = Level::velocity;
      row.upper = value(s, winding_, settings_.winding);
      row.lower = -row.upper;
      out.entry(l.mount.rotor, 1.0);
      out.entry(l.mount.block, Vec3::Zero(), -(now.rotation(l.mount.block) * l.mount.axis_B));
    }
}

SpanMount JointsCable::mountOf(const Instant& now, int i) const {
  return {now.position(link(i).mount.block), link(i).mount.rotor >= 0};
}

void JointsCable::patchSpan(const Instant& now, int from, int to, const SpanGeometry& span, double tension,
                            PatchSet& out) const {
  const int a = link(from).mount.block, b = link(to).mount.block;
  const auto& blocks = now.model().blocks;
  const bool freeA = blocks[static_cast<std::size_t>(a)].free, freeB = blocks[static_cast<std::size_t>(b)].free;
  if (!freeA && !freeB) return;
  const Mat12 k = spanStiffnessPositive(span, std::max(tension, 0.0), mountOf(now, from), mountOf(now, to));
  if (a == b) {
    out.add(a, a).k =
        k.topLeftCorner<6, 6>() + k.bottomRightCorner<6, 6>() + k.topRightCorner<6, 6>() + k.bottomLeftCorner<6, 6>();
    return;
  }
  if (freeA) out.add(a, a).k = k.topLeftCorner<6, 6>();
  if (freeB) out.add(b, b).k = k.bottomRightCorner<6, 6>();
  if (freeA && freeB) out.add(a, b).k = k.topRightCorner<6, 6>();
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
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    if (stateOf(s, from).broken) continue;
    if (stillSpan(s, from, to)) continue;  // nothing there can give way
    const double tension = -force[static_cast<std::size_t>(spanSlot(from))];
    const int between = stateOf(s, from).via();
    const auto free = [&](int i) { return now.model().blocks[static_cast<std::size_t>(link(i).mount.block)].free; };
    const auto turned = [&](int i) { return link(i).mount.rotor >= 0 && stateOf(s, i).holds; };
    if (!free(from) && !free(to) && (between < 0 || !free(between)) && !turned(from) && !turned(to))
      continue;  // wheels in fixed bearings: only their spin
    const SpanShape shape = shapeOf(now, s, from, to);
    if (shape.first.status != TangentStatus::ok) continue;
    patchHeld(now, from, shape.first, true, tension, out);
    patchHeld(now, to, shape.bent ? shape.second : shape.first, false, tension, out);
    if (!shape.bent) {
      patchSpan(now, from, to, shape.first, tension, out);
      continue;
    }
    patchSpan(now, from, between, shape.first, tension, out);
    patchSpan(now, between, to, shape.second, tension, out);
  }
}

void JointsCable::forces(const Instant& now, Forces& out) const {
  if (!settings_.weight || settings_.material.mass == 0.0) return;
  // The weight of a span, half at each end.
  const State& s = now.past();
  const auto route = routeOf(s);
  const Vec3& g = now.model().description.settings.gravity;
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const SpanShape shape = shapeOf(now, s, from, to);
    if (shape.first.status != TangentStatus::ok) continue;
    const Vec3 half = 0.5 * settings_.material.mass * stateOf(s, from).rest * g;
    const auto push = [&](int i, const Vec3& point) {
      const Block& b = now.model().blocks[static_cast<std::size_t>(link(i).mount.block)];
      if (!b.free) return;
      const Vec3 moment = (point - now.position(link(i).mount.block)).cross(half);
      for (int c = 0; c < 3; ++c) {
        out.force[static_cast<std::size_t>(b.v + c)] += half[c];
        if (b.rotates) out.force[static_cast<std::size_t>(b.v + 3 + c)] += moment[c];
      }
    };
    push(from, shape.first.end[0].point);
    push(to, shape.bent ? shape.second.end[1].point : shape.first.end[1].point);
  }
}

/// From the stretch itself: it is there before the first step has found a force.
double JointsCable::energy(const Instant& now, std::span<const double>) const {
  if (!canStretch()) return 0.0;
  const State& s = now.past();
  const auto route = routeOf(s);
  double sum = 0.0;
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    if (stateOf(s, from).broken) continue;
    const SpanShape shape = shapeOf(now, s, from, to);
    if (shape.first.status != TangentStatus::ok) continue;
    const double rest = stateOf(s, from).reach(), stretch = shape.length - rest;
    const double energy = 0.5 * stretch * stretch / complianceOf(s, from, stretched(s, from, to, rest, shape.length));
    sum += stretch > 0.0 ? energy : settings_.compression * energy;
  }
  return sum;
}

/// As people find it in their scene: links of the route by their place in it, candidates by the body.
std::string JointsCable::linkName(int i) const {
  return name + (i < declared_ ? ".links." + std::to_string(i) : ".candidates." + link(i).mount.name);
}

std::string JointsCable::rowName(int localSlot) const {
  static constexpr const char* part[] = {"span after it", "sliding over it", "compression of the span after it",
                                         "bending over it", "stop of the span after it"};
  return linkName(localSlot % capacity()) + " (" + part[localSlot / capacity()] + ")";
}

std::string JointsCable::blockName(int block) const {
  for (int i = 0; i < capacity(); ++i)
    if (link(i).slip == block) return linkName(i) + " (cable that slides over it)";
  return {};
}

}  // namespace reeve
