// Nodes that appear where a strand meets a candidate body, and vanish when it leaves.
//
// Met. A straight segment that would go through an edge or a round part in the coming step gets a node there, on a
// plane of the body: that through the edge and between its faces, or that through the axis (or, of a ball, across the
// strand) and the place that is struck. Its two parameters are u, along the edge or axis, and w, how far it is outside;
// material flows through it. The node lies on the segment, and for
//     a u̇ + b ẇ − x' ṡ = m − w₀
// (a, b the directions of u and w, w₀ the velocity of the body there) its material moves as before: nothing changes.
// Then one row, w ≥ 0, is all: it strikes with its momentum, slides along the edge, is pressed by the strand, lifts off
// and comes back, slack or taut, without anything else happening.
// Laid on. On a round part a strand that bends about one place would cut the corner. Once it is pressed there and there
// is an arc, the node becomes two, on the tangents, with the arc between them. How they go again: strand_leave.cpp.
// What the strand cannot do any more is taken from its velocity as by a stroke: strand_impact.cpp.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_contact.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// Across an edge by less than this (sine) a node does not slide along it: it would run along the strand.
constexpr double slidesAcross = 0.1;
/// A strand more nearly in the plane of a node than this (sine) goes through it nowhere.
constexpr double crosses = 0.05;
/// Of the radius: shorter than this an arc is a point.
constexpr double leastArc = 1e-2;
/// m: a node farther off what it stands beside may be given up.
constexpr double offBy = 1e-4;
/// Of an arc, in a step.
constexpr double mostGrowth = 0.25;
/// s: for rates of where a taut strand touches.
constexpr double moment = 1e-6;

}  // namespace

void StrandContact::write(const Instant& now, State& state, int block, const Vec3& q, const Vec3& v) const {
  const Block& b = now.model().blocks[at(block)];
  for (int k = 0; k < b.dof; ++k) {
    state.q[at(b.q + k)] = q[k];
    state.v[at(b.v + k)] = v[k];
    state.u[at(b.v + k)] = 0.0;
  }
}

void StrandContact::sleep(const Instant& now, State& state, const Spare& spare) const {
  for (const int block : {spare.line, spare.surface, spare.place, spare.flow})
    write(now, state, block, Vec3::Zero(), Vec3::Zero());
}

void StrandContact::freeAt(const Instant& now, State& state, const Spare& spare, const Vec3& x, const Vec3& v,
                           double s) const {
  sleep(now, state, spare);
  write(now, state, spare.place, x, v);
  spareMemory(state, spare).role = static_cast<int>(Role::free);
  spareMemory(state, spare).material = s;
}

const StrandTypes::Spare* StrandContact::waitingSpare(const State& state) const {
  for (const Spare& spare : spares_)
    if (roleOf(state, spare) == Role::waiting) return &spare;
  return nullptr;
}

StrandContact::Meeting StrandContact::nextMeeting(const Instant& now, const State& state) const {
  const Page& page = look(now);
  const double step = stepOf(now), drop = 4.0 * step * step * now.model().description.settings.gravity.norm();
  double soonest = HUGE_VAL;
  Meeting found;
  const auto uses = [&](int st, int which) {
    if (station(st).wheel || node(station(st).index).spare < 0) return false;
    const Spare& spare = spares_[at(node(station(st).index).spare)];
    return roleOf(state, spare) != Role::free && spareMemory(state, spare).feature == which;
  };
  const auto bodyAt = [&](int st) {
    if (station(st).wheel || node(station(st).index).spare < 0) return -1;
    const Spare& spare = spares_[at(node(station(st).index).spare)];
    return roleOf(state, spare) == Role::free ? -1 : features_[at(spareMemory(state, spare).feature)].block;
  };
  const auto offBody = [&](int st) {
    const Node& n = node(station(st).index);
    if (!n.stands || touching(state, station(st).index)) return false;
    const Vec2 u = parameters(now, n);
    return (now.model().blocks[at(n.block)].dof == 1 ? u.x() : u.y()) > offBy;
  };
  const auto rests = [&](int st) { return !station(st).wheel && lifted(now, node(station(st).index)); };
  for (int k = 0; k < segmentCount(); ++k) {
    const Segment& g = segments_[at(k)];
    const SpanNow& s = page.spans[at(k)];
    if (g.chart >= 0 || !s.ok || s.length <= 8.0 * nearest_ || rests(g.from) || rests(g.to)) continue;
    const double least = 2.0 * nearest_ / s.length;
    for (int i = 0; i < static_cast<int>(features_.size()); ++i) {
      const Feature& f = features_[at(i)];
      const Beside next = beside(now, f, s.x[0] + step * s.rate[0], s.x[1] + step * s.rate[1], step);
      if (!next.known || next.gap >= 0.0) continue;
      const Beside here = beside(now, f, s.x[0], s.x[1], 0.0);
      if (!here.known || (!here.facing && !next.facing) || here.normal.dot(next.normal) < 0.0) continue;
      const double closing = std::max(here.gap - next.gap, 0.0);
      // Between two places on one body a strand may be inside a round part of it: it is held outside by both.
      const double deep = bodyAt(g.from) == f.block && bodyAt(g.to) == f.block ? 0.0 : f.depth;
      if (here.gap < -std::max(4.0 * closing + drop, deep)) continue;
      // A node that stands beside it already keeps it off, unless it has left it and the strand comes back elsewhere.
      const int stale = uses(g.from, i) ? g.from : uses(g.to, i) ? g.to : -1;
      if (stale >= 0 && (!offBody(stale) || (uses(g.from, i) && uses(g.to, i)))) continue;
      const double when = closing > 0.0 ? std::max(here.gap, 0.0) / closing : 0.0;
      if (when >= soonest) continue;
      const Beside& facing = here.facing ? here : next;
      Stance at = stance(now, f, s.x[0], s.x[1], facing.normal);
      if (!at.ok || at.share < -0.5 || at.share > 1.5) continue;
      // A free node makes room; beside any other there is none.
      const bool tight = at.share < least || at.share > 1.0 - least;
      if (tight && (stale >= 0 || !mayGo(state, at.share < least ? g.from : g.to))) continue;
      soonest = when;
      found = {k, i, at, stale};
    }
  }
  return found;
}

StrandContact::Stance StrandContact::stance(const Instant& now, const Feature& f, const Vec3& x0, const Vec3& x1,
                                            const Vec3& normal) const {
  const auto turned = [&](const Vec3& x) { return now.rotates(f.block) ? Vec3(now.rotation(f.block) * x) : x; };
  const Vec3 d = x1 - x0, origin = now.point({f.block, f.origin});
  Stance out;
  out.along = turned(f.along);
  if (f.kind == Feature::Kind::rim) {
    const Vec3 axis = out.along;
    const Crossing at = crossRim(f, x0 - origin, d, axis);
    if (!at.ok) return out;
    Vec3 x, y;
    orthonormalBasis(f.along, x, y);
    out.share = at.share;
    out.x = x0 + at.share * d;
    out.u = math::atan2(turned(y).dot(at.radial), turned(x).dot(at.radial));
    out.w = std::sqrt(2.0) * at.high;
    out.along = (f.radius + at.high) * axis.cross(at.radial);
    out.out = std::sqrt(0.5) * (at.radial + axis);
    out.ok = std::fabs(out.along.cross(out.out).dot(d)) > crosses * d.norm() * out.along.norm();
    return out;
  }
  out.out = f.kind == Feature::Kind::edge ? Vec3(turned(f.normal[0] + f.normal[1]).normalized()) : normal;
  if (f.kind == Feature::Kind::ball) {
    const Vec3 across = out.out.cross(d);
    if (across.norm() < crosses * d.norm()) return out;
    out.along = across.normalized();
  } else if (f.kind == Feature::Kind::tube) {
    out.out = (out.out - out.along * out.along.dot(out.out)).normalized();
  }
  const Vec3 across = out.along.cross(out.out);
  const double through = across.dot(d);
  if (std::fabs(through) < crosses * d.norm()) return out;
  out.share = across.dot(origin - x0) / through;
  out.x = x0 + out.share * d;
  const Vec3 x = out.x - origin;
  out.u = out.along.dot(x);
  out.w = out.out.dot(x) - f.radius;
  out.ok = f.kind == Feature::Kind::edge   ? out.u >= 0.0 && out.u <= f.length
           : f.kind == Feature::Kind::tube ? std::fabs(out.u) <= f.length
                                           : true;
  return out;
}

/// Makes a spare that is a station already stand beside a feature, where material s is that moves with m.
void StrandContact::stand(const Instant& now, State& state, const Spare& spare, int feature, const Stance& at,
                          const Vec3& slope, const Vec3& m, double s) const {
  const Feature& f = features_[reeve::at(feature)];
  const bool edge = f.kind == Feature::Kind::edge, rim = f.kind == Feature::Kind::rim;
  const Mat3 turn = now.rotates(f.block) ? now.rotation(f.block) : Mat3(Mat3::Identity());
  const bool slides = !edge || at.along.cross(slope).norm() > slidesAcross * slope.norm();
  const Vec3 lever = at.x - now.position(f.block);
  Vec3 rel = m - now.velocity(f.block);
  if (now.rotates(f.block)) rel -= now.angularVelocity(f.block).cross(lever);
  Mat3 ways;
  ways << at.along, at.out, -slope;
  const Vec3 rate = ways.inverse() * rel;
  sleep(now, state, spare);
  write(now, state, slides ? spare.surface : spare.line, slides ? Vec3(at.u, at.w, 0) : Vec3(at.w, 0, 0),
        slides ? Vec3(rate.x(), rate.y(), 0) : Vec3(rate.y(), 0, 0));
  write(now, state, spare.flow, Vec3(s, 0, 0), Vec3(rate.z(), 0, 0));
  dropTouch(state, spare.node);
  const Vec3 along = turn.transpose() * at.along, out = turn.transpose() * at.out;
  SpareMemory& kept = spareMemory(state, spare);
  kept.role = static_cast<int>(!edge && !rim ? Role::beside : slides ? Role::edge : Role::held);
  kept.feature = feature;
  kept.at = at.u;
  kept.deep = std::max(0.0, -at.w);
  kept.axis.set(along);
  kept.out.set(out);
}

bool StrandContact::meetFeature(const Instant& now, State& state) const {
  const Meeting found = nextMeeting(now, state);
  if (found.segment < 0) return false;
  if (found.stale >= 0) {
    const SpanNow &before = look(now).spans[at(found.stale - 1)], &after = look(now).spans[at(found.stale)];
    const int gone = station(found.stale).index;
    freeAt(now, state, spares_[at(node(gone).spare)], before.x[1], 0.5 * (before.m[1] + after.m[0]), before.s[1]);
    dropTouch(state, gone);
    return true;
  }
  const Segment& g = segments_[at(found.segment)];
  const SpanNow& s = look(now).spans[at(found.segment)];
  const double share = found.at.share, least = 2.0 * nearest_ / s.length;
  const bool first = share<least, last = share> 1.0 - least;
  const int out = first ? g.from : g.to;        // the free node that makes room
  if (share < -least || share > 1.0 + least) {  // beyond it: what the strand is without it will be seen
    takeOut(now, state, out);
    return true;
  }
  const bool own = (first || last) && node(station(out).index).spare >= 0;
  const Spare* spare = own ? &spares_[at(node(station(out).index).spare)] : waitingSpare(state);
  if (!spare) {
    // One that is not needed makes room.
    double smallest = HUGE_VAL;
    for (const Spare& other : spares_) {
      const Role role = roleOf(state, other);
      if ((role != Role::free && !stands(role)) || touching(state, other.node)) continue;
      const double loss = lossWithout(now, node(other.node).at0).value_or(1e300);
      if (loss < smallest) smallest = loss, spare = &other;
    }
    if (spare) takeOut(now, state, node(spare->node).at0);
    return spare != nullptr;
  }
  const double material = s.s[0] + share * s.rest;
  const Vec3 m = s.m[0] + share * (s.m[1] - s.m[0]);
  if (first || last) {
    const Hold here{found.at.x, m, material, 0.0};
    for (const bool before : {true, false}) relay(now, state, out, before, here);
    for (const int k : {segmentBefore(out), segmentAfter(out)}) {
      const SpanNow& beside = look(now).spans[at(k)];
      const bool ends = k == segmentBefore(out);
      const double rest = ends ? material - beside.s[0] : beside.s[1] - material;
      restLength(state, k) = rest;
      loosen(state, k, rest - (found.at.x - beside.x[ends ? 0 : 1]).norm());
      state.mode[at(stopSlot(k))] = Mode::lower;
    }
    if (!own) {
      park(now, state, node(station(out).index));
      replaceStation(state, out, *spare);
    }
  } else {
    insertStation(state, g.from, node(spare->node));
    restLength(state, found.segment) = share * s.rest;
    restLength(state, found.segment + 1) = (1.0 - share) * s.rest;
    // Between nodes through which nothing flows there was no stop.
    for (const int k : {0, 1}) state.mode[at(stopSlot(found.segment + k))] = Mode::lower;
  }
  stand(now, state, *spare, found.feature, found.at, s.slope, m, material);
  return true;
}

StrandTypes::Pad StrandContact::padOf(const Feature& f, const Vec3& axis) const {
  Pad pad;
  pad.ball = f.kind == Feature::Kind::ball;
  pad.radius = f.radius;
  pad.frame.origin = f.origin;
  pad.frame.z = pad.ball ? axis : f.along;
  orthonormalBasis(pad.frame.z, pad.frame.x, pad.frame.y);
  return pad;
}

/// Two nodes on the tangents, once there is an arc between them.
bool StrandContact::layOnRound(const Instant& now, State& state, const Spare& first, const Feature& f,
                               int feature) const {
  const int st = node(first.node).at0;
  const Hold a = hold(now, segmentBefore(st), 0), b = hold(now, segmentAfter(st), 1);
  Course course;
  course.x[0] = look(now).spans[at(segmentAfter(st))].x[0];
  course.count = 1;
  const Bight bight = fitRound(now, f, a, b, course);
  const Touch &here = bight.here, &next = bight.next;
  Segment arc;
  arc.from = st;
  arc.chart = 0;
  if (!here.through || !next.through || here.length[1] < std::max(8.0 * nearestOf(arc), leastArc * f.radius))
    return false;
  // While it winds on so fast that a step would change all of it, the free node stays.
  const double grows = (next.length[1] - here.length[1]) / moment * stepOf(now);
  if (grows < -1e-9 * here.length[1] || grows > mostGrowth * here.length[1]) return false;
  const bool tube = f.kind == Feature::Kind::tube;
  if (tube && std::fabs(here.u[0].y()) > f.length && std::fabs(here.u[1].y()) > f.length) return false;
  const Spare* second = waitingSpare(state);
  if (!second) return false;
  insertStation(state, st, node(second->node));
  const double all = here.length[0] + here.length[1] + here.length[2], rest = b.s - a.s;
  for (const int k : {0, 1, 2}) {
    restLength(state, st - 1 + k) = here.length[k] / all * rest;
    state.mode[at(stopSlot(st - 1 + k))] = Mode::lower;
  }
  layArc(now, state, first, *second, feature, bight, a, b);
  dropTouch(state, first.node);
  return true;
}

bool StrandContact::layOn(const Instant& now, State& state, Events& events) const {
  for (const Spare& spare : spares_) {
    if (roleOf(state, spare) != Role::beside || !touching(state, spare.node)) continue;
    const int feature = spareMemory(state, spare).feature;
    const int link = station(node(spare.node).at0).link;
    if (!layOnRound(now, state, spare, features_[at(feature)], feature)) continue;
    events.add({now.time, element_, link, EventKind::strandOnBody});
    return true;
  }
  return false;
}

/// All that comes and goes before a step. `before` becomes the velocities of the material until then.
StrandContact::Changes StrandContact::meet(const Instant& now, State& state, std::vector<Moved>& before,
                                           Events& events) const {
  Instant fresh;
  const Instant* at = &now;
  const StrandContact* strand = this;
  Changes changes;
  sample(now, before);
  changes.struck = tellContact(now, state, events);
  // One change at a time: the next sees the strand as it is then.
  const auto repeat = [&](auto&& change) {
    for (std::size_t k = 0; k < spares_.size() + rovers_.size(); ++k) {
      if (!change(*strand, *at)) break;
      changes.any = true;
      fresh.bind(now.model(), state);
      fresh.rewind();
      fresh.evaluate();
      at = &fresh;
      strand = &arrangedAt(fresh);
    }
  };
  repeat([&](const StrandContact& s, const Instant& i) { return s.thin(i, state); });
  repeat([&](const StrandContact& s, const Instant& i) { return s.letGo(i, state, events); });
  repeat([&](const StrandContact& s, const Instant& i) {
    const bool laid = s.layOn(i, state, events);
    changes.struck = changes.struck || laid;
    return laid;
  });
  repeat([&](const StrandContact& s, const Instant& i) { return s.vanish(i, state, events); });
  repeat([&](const StrandContact& s, const Instant& i) { return s.fill(i, state); });
  repeat([&](const StrandContact& s, const Instant& i) { return s.handOver(i, state); });
  repeat([&](const StrandContact& s, const Instant& i) { return s.meetFeature(i, state); });
  changes.struck = strand->feel(*at, state) || changes.struck;
  return changes;
}

}  // namespace reeve
