// Free nodes of a strand with candidates: they come and go.
//
// Material flows toward what it runs over: a hole, an edge, a round part. A free node holds its material point, so it
// comes to that place with it. It is taken out before it is there, and put back where the strand is coarse.
// Put back in the middle of a straight segment it changes nothing: the line is the same, and so is the velocity of its
// material, which is linear along the segment.
// Taken out, it leaves the shortest way between what stays where it is: a straight line, or (beside an arc) the
// tangent. Nothing but the strand between its neighbours moves, and that way is not longer than the material on it, so
// nothing is pulled by it: the strand there is loose by what the corner was longer, and comes taut as a load that is
// caught does. Velocities are those that have the old momentum in the new coordinates (strand_impact.cpp). Both can
// only lose energy. (Only its own weight may be lifted: by half the height of the corner.)
// Handed over. A free node that comes against a round part becomes the node that stands beside it, at the same place:
// the strand may slide over it then and be laid on.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_contact.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// Of the finest length: nearer than this to where material flows a free node is taken out, however bent the strand is.
constexpr double tooNear = 0.5;
/// Of the radius: nearer to a round part there is hardly a tangent to it.
constexpr double tangentShare = 0.15;
/// Of the spacing at the start: a segment longer than this gets a free node, if one waits.
constexpr double coarse = 1.6;
/// Steps that a free node may be away from where its material flows to.
constexpr double stepsAhead = 3.0;
/// Of the kinetic energy: a free node that is not needed may cost so much.
constexpr double cheapShare = 1e-7;
/// Of the radius, from the middle: from nearer there is no tangent to lay an arc on.
constexpr double clearOf = 1.006;
/// Of the radius: by so much the arc that a strand is laid on may be smaller, and how closely that is found.
constexpr double mostDeep = 0.5;
constexpr int halvings = 50;
/// Of the radius: an arc that two nodes make, and how deep a strand may cut into a part where a node goes.
constexpr double leastJoin = 0.02, mostCut = 0.02;
/// s: for rates of where a taut strand touches.
constexpr double blink = 1e-6;
/// m: shorter than its material by less than this a segment is taut.
constexpr double tautWithin = 1e-12;

}  // namespace

StrandContact::Hold StrandContact::hold(const Instant& now, int segment, int end) const {
  const SpanNow& s = look(now).spans[at(segment)];
  const std::size_t k = at(end);
  return {s.x[k], s.rate[k], s.s[k], s.sRate[k]};
}

/// Whether a station is a free node that may be taken out.
bool StrandContact::mayGo(const State& state, int st) const {
  if (station(st).wheel || st == 0 || st + 1 >= stationCount()) return false;
  if (station(st - 1).wheel || station(st + 1).wheel) return false;
  const Node& n = node(station(st).index);
  return n.rover >= 0 || (n.spare >= 0 && roleOf(state, spares_[at(n.spare)]) == Role::free);
}

/// A free node that waits does nothing.
void StrandContact::park(const Instant& now, State& state, const Node& n) const {
  if (n.spare >= 0)
    sleep(now, state, spares_[at(n.spare)]);
  else
    write(now, state, n.block, Vec3::Zero(), Vec3::Zero());
}

void StrandContact::loosen(State& state, int segment, double slack) const {
  if (slack <= tautWithin) return;
  state.mode[at(lengthSlot(segment))] = Mode::upper;
  state.force[at(lengthSlot(segment))] = 0.0;
}

/// Where a taut strand from a to b lies on a round part, round which it goes to the left (`side` 1) or to the right, by
/// about `turn`. On a ball the way is a great circle, z(φ) = α cos φ + β sin φ.
StrandContact::Touch StrandContact::wind(const Pad& pad, const Vec3& a, const Vec3& b, double side, double turn) {
  Touch out;
  const double ra = a.head<2>().norm(), rb = b.head<2>().norm(), r = pad.radius;
  if (!(ra > r && rb > r)) return out;
  const double before = std::sqrt(ra * ra - r * r), after = std::sqrt(rb * rb - r * r);
  const double from = math::atan2(a.y(), a.x()) + side * math::atan2(before, r);
  const double to = math::atan2(b.y(), b.x()) - side * math::atan2(after, r);
  const double wrap = turn + std::remainder(side * (to - from) - turn, 2.0 * math::pi);
  if (!(wrap > 0.0)) return out;
  out.through = true;
  out.u[0].x() = from;
  out.u[1].x() = from + side * wrap;
  if (pad.ball) {
    const double det = a.x() * b.y() - a.y() * b.x();
    const double alpha = (a.z() * b.y() - b.z() * a.y()) / det, beta = (b.z() * a.x() - a.z() * b.x()) / det;
    for (Vec2& u : out.u) {
      double sine, cosine;
      math::sincos(u.x(), sine, cosine);
      u.y() = math::atan2(alpha * cosine + beta * sine, 1.0);
    }
    out.length[0] = before;
    out.length[1] = r * wrap;
    out.length[2] = after;
    return out;
  }
  const double rise = (b.z() - a.z()) / (before + r * wrap + after), stretch = std::sqrt(1.0 + rise * rise);
  out.u[0].y() = a.z() + rise * before;
  out.u[1].y() = b.z() - rise * after;
  out.length[0] = stretch * before;
  out.length[1] = stretch * r * wrap;
  out.length[2] = stretch * after;
  return out;
}

/// How far the strand has gone round decides on which side of the part it is, and by how many turns: where its ends are
/// does not, for they swing under what it lies on and past each other.
StrandContact::Bight StrandContact::roundAbout(const Instant& now, const Feature& f, const Hold& a, const Hold& b,
                                               double deep, const Course& course) const {
  const Mat3 back = now.rotates(f.block) ? Mat3(now.rotation(f.block).transpose()) : Mat3(Mat3::Identity());
  const Vec3 omega = now.rotates(f.block) ? now.angularVelocity(f.block) : Vec3(Vec3::Zero());
  const auto fromMiddle = [&](const Hold& h, double later) {
    const Vec3 d = h.x - now.position(f.block), rate = h.rate - now.velocity(f.block) - omega.cross(d);
    return Vec3(back * (d + later * rate) - f.origin);
  };
  Bight out;
  out.deep = deep;
  // The chart of a sphere has its equator in the plane the strand lies in.
  const Vec3 axis = fromMiddle(a, 0.0).cross(fromMiddle(b, 0.0));
  if (axis.norm() <= 0.0) return out;
  out.axis = axis.normalized();
  Pad pad = padOf(f, out.axis);
  pad.radius -= deep;
  const auto local = [&](const Vec3& d) { return Vec3(pad.frame.x.dot(d), pad.frame.y.dot(d), pad.frame.z.dot(d)); };
  const auto place = [&](const Hold& h, double later) { return local(fromMiddle(h, later)); };
  const Vec3 p = place(a, 0.0), q = place(b, 0.0);
  // From a node that touches the body itself there is hardly a tangent.
  const double ra = p.head<2>().norm(), rb = q.head<2>().norm(), r = pad.radius;
  out.outside = std::min(ra, rb) > clearOf * r;
  if (!out.outside) return out;
  double winding = 0.0;
  Vec3 last = p;
  for (int k = 0; k <= course.count; ++k) {
    const Vec3 next = k < course.count ? local(back * (course.x[at(k)] - now.position(f.block)) - f.origin) : q;
    winding += k > 0 && k - 1 == course.arc
                   ? course.turn * (pad.frame.z.dot(course.axis) < 0.0 ? -1.0 : 1.0)
                   : math::atan2(last.x() * next.y() - last.y() * next.x(), last.head<2>().dot(next.head<2>()));
    last = next;
  }
  const double side = winding < 0.0 ? -1.0 : 1.0;
  const double turn =
      std::fabs(winding) - math::atan2(std::sqrt(ra * ra - r * r), r) - math::atan2(std::sqrt(rb * rb - r * r), r);
  out.here = wind(pad, p, q, side, turn);
  out.next = wind(pad, place(a, blink), place(b, blink), side,
                  out.here.through ? side * (out.here.u[1] - out.here.u[0]).x() : turn);
  return out;
}

/// Where the bend about one place is more than nothing the strand cuts the corner: as long as its material it goes
/// about a smaller radius.
StrandContact::Bight StrandContact::fitRound(const Instant& now, const Feature& f, const Hold& a, const Hold& b,
                                             const Course& course) const {
  const auto about = [&](double deep) { return roundAbout(now, f, a, b, deep, course); };
  Bight bight = about(0.0);
  const double material = std::max(b.s - a.s, (b.x - a.x).norm());
  if (settings_.material.axial < unbounded || !bight.here.through || bight.length() <= material) return bight;
  double low = 0.0, high = mostDeep * f.radius;
  for (int k = 0; k < halvings; ++k) {
    bight = about(0.5 * (low + high));
    (bight.here.through && bight.length() > material ? low : high) = 0.5 * (low + high);
  }
  return about(high);
}

/// Makes an arc of two nodes one after the other, which stand beside the same round part or come against it. False if
/// there is none between them.
bool StrandContact::joinRound(const Instant& now, State& state, int st, int feature) const {
  if (st < 1 || st + 2 >= stationCount() || station(st - 1).wheel || station(st + 2).wheel) return false;
  const Feature& f = features_[at(feature)];
  const Hold a = hold(now, segmentBefore(st), 0), b = hold(now, segmentAfter(st + 1), 1);
  const SpanNow& between = look(now).spans[at(st)];
  Course course;
  course.x = {between.x[0], between.x[1], Vec3::Zero()};
  course.count = 2;
  const Bight bight = fitRound(now, f, a, b, course);
  if (!bight.here.through || !bight.next.through || bight.here.length[1] < leastJoin * f.radius) return false;
  if (bight.length() > b.s - a.s + tautWithin * length_) return false;
  const Spare* ends[2];
  int waiting = 0;
  for (const int k : {0, 1}) {
    const Node& n = node(station(st + k).index);
    ends[k] = n.spare >= 0 ? &spares_[at(n.spare)] : waitingSpare(state);
    if (!ends[k] || (n.spare < 0 && ++waiting > 1)) return false;
  }
  for (const int k : {0, 1}) {
    const Node& n = node(station(st + k).index);
    dropTouch(state, station(st + k).index);
    if (n.spare >= 0) continue;
    park(now, state, n);
    replaceStation(state, st + k, *ends[k]);
  }
  layArc(now, state, *ends[0], *ends[1], feature, bight, a, b);
  for (const int k : {st - 1, st, st + 1}) {
    loosen(state, k, (b.s - a.s - bight.length()) / 3.0);
    state.mode[at(stopSlot(k))] = Mode::lower;
  }
  return true;
}

/// Two spares become, or stay, the ends of an arc between two holds; material is shared as the lengths are.
void StrandContact::layArc(const Instant& now, State& state, const Spare& first, const Spare& second, int feature,
                           const Bight& bight, const Hold& a, const Hold& b) const {
  const auto share = [](const Touch& t, int k) {
    const double all = t.length[0] + t.length[1] + t.length[2];
    return (k == 0 ? t.length[0] : t.length[0] + t.length[1]) / all;
  };
  const double rest = b.s - a.s;
  for (const int k : {0, 1}) {
    const Spare& spare = k == 0 ? first : second;
    const double part = share(bight.here, k), partRate = (share(bight.next, k) - part) / blink;
    const Vec2 u = bight.here.u[k], uRate = (bight.next.u[k] - u) / blink;
    sleep(now, state, spare);
    write(now, state, spare.surface, Vec3(u.x(), u.y(), 0), Vec3(uRate.x(), uRate.y(), 0));
    write(now, state, spare.flow, Vec3(a.s + part * rest, 0, 0),
          Vec3(a.sRate + part * (b.sRate - a.sRate) + partRate * rest, 0, 0));
    SpareMemory& kept = spareMemory(state, spare);
    kept.role = static_cast<int>(k == 0 ? Role::arcStart : Role::arcEnd);
    kept.feature = feature;
    kept.at = node(first.node).spare;
    kept.deep = bight.deep;
    kept.axis.set(bight.axis);
  }
}

/// Which round part a station stands beside or lies on, −1: none.
int StrandContact::roundPart(const State& state, int st) const {
  if (station(st).wheel || node(station(st).index).spare < 0) return -1;
  const Spare& spare = spares_[at(node(station(st).index).spare)];
  const Role role = roleOf(state, spare);
  const bool round = role == Role::beside || role == Role::arcStart || role == Role::arcEnd;
  return round ? spareMemory(state, spare).feature : -1;
}

/// Where the node `st` goes, an arc before or after it is laid anew: its other side is `far` from then on. True if
/// there is none any more.
bool StrandContact::relay(const Instant& now, State& state, int st, bool before, const Hold& far) const {
  const int end = before ? st - 1 : st + 1, other = before ? st - 2 : st + 2;
  if (other < 1 || other + 1 >= stationCount()) return false;
  const int feature = roundPart(state, end);
  if (feature < 0 || roundPart(state, other) != feature) return false;
  const Spare& first = spares_[at(node(station(std::min(end, other)).index).spare)];
  const Spare& second = spares_[at(node(station(std::max(end, other)).index).spare)];
  if (roleOf(state, first) != Role::arcStart || roleOf(state, second) != Role::arcEnd) return false;
  const Hold near = before ? hold(now, segmentBefore(other), 0) : hold(now, segmentAfter(other), 1);
  const Hold &a = before ? near : far, &b = before ? far : near;
  const Segment& arc = segments_[at(std::min(end, other))];
  const Feature& f = features_[at(feature)];
  const Vec3 gone = look(now).spans[at(segmentAfter(st))].x[0], x0 = chartEnd(now, arc, 0.0).x,
             x1 = chartEnd(now, arc, 1.0).x;
  Course course;
  course.x = before ? std::array<Vec3, 3>{x0, x1, gone} : std::array<Vec3, 3>{gone, x0, x1};
  course.count = 3;
  course.arc = before ? 0 : 1;
  course.turn = parameters(now, node(second.node)).x() - parameters(now, node(first.node)).x();
  course.axis = f.kind == Feature::Kind::ball ? spareMemory(state, first).axis.vec() : f.along;
  const Bight bight = roundAbout(now, f, a, b, node(first.node).deep, course);
  if (!bight.outside) return false;
  if (!bight.here.through || !bight.next.through) return true;
  layArc(now, state, first, second, feature, bight, a, b);
  for (const int k : {-1, 0, 1}) loosen(state, std::min(end, other) + k, (b.s - a.s - bight.length()) / 3.0);
  return false;
}

/// Takes a free node, or a spare that is not needed, out of the strand, and the arcs beside it that are none without
/// it.
void StrandContact::takeOut(const Instant& now, State& state, int st) const {
  int first = st, last = st;
  if (relay(now, state, st, true, hold(now, segmentAfter(st), 1))) first = st - 2;
  if (relay(now, state, st, false, hold(now, segmentBefore(first), 0))) last = st + 2;
  const Hold a = hold(now, segmentBefore(first), 0), b = hold(now, segmentAfter(last), 1);
  const int before = segmentBefore(first);
  const double all = b.s - a.s;
  for (int k = last; k >= first; --k) {
    park(now, state, node(station(k).index));
    removeStation(state, k);
  }
  restLength(state, before) = all;
  // Between nodes through which nothing flows there was no stop.
  state.mode[at(stopSlot(before))] = Mode::lower;
  state.force[at(stopSlot(before))] = 0.0;
  loosen(state, before, all - (b.x - a.x).norm());
}

/// Takes out a free node that comes to where material flows.
bool StrandContact::thin(const Instant& now, State& state) const {
  if (closed_) return false;
  for (int st = 1; st + 1 < stationCount(); ++st) {
    // One on each side of the same round part would be one too many: there is no arc between nodes that touch it.
    const int round = roundPart(state, st);
    const bool beside = round >= 0 && node(station(st).index).stands &&
                        (roundPart(state, st - 1) == round || roundPart(state, st + 1) == round);
    if (!beside && !mayGo(state, st)) continue;
    bool goes = beside || (roundPart(state, st - 1) >= 0 && roundPart(state, st - 1) == roundPart(state, st + 1));
    for (const int k : {st - 1, st}) {
      const SpanNow& s = look(now).spans[at(k)];
      const int other = k < st ? st - 1 : st + 1;
      if (node(station(other).index).flow < 0) continue;
      const double shrinks = std::max(s.sRate[0] - s.sRate[1], 0.0);
      double least = std::max(tooNear * finest_, 2.0 * nearest_ + stepsAhead * stepOf(now) * shrinks);
      if (const int part = roundPart(state, other); part >= 0)
        least = std::max(least, tangentShare * features_[at(part)].radius);
      goes = goes || s.rest < least;
      if (goes || s.rest > finest_ || touching(state, station(st).index)) continue;
      const auto loss = lossWithout(now, st);
      goes = loss && *loss < cheapShare * kinetic(now, look(now));
    }
    if (!goes) continue;
    if (beside && node(station(st + 1).index).stands && roundPart(state, st + 1) == round &&
        joinRound(now, state, st, round))
      return true;
    takeOut(now, state, st);
    return true;
  }
  return false;
}

/// Puts a free node that waits into the longest segment, if it is long.
bool StrandContact::fill(const Instant& now, State& state) const {
  if (closed_ || settings_.material.bending > 0.0) return false;
  const auto waits =
      std::find_if(rovers_.begin(), rovers_.end(), [&](int rover) { return node(rover).place == Place::waiting; });
  if (waits == rovers_.end()) return false;
  int longest = -1;
  double most = coarse * spacing_;
  for (int k = 0; k < segmentCount(); ++k) {
    const Segment& g = segments_[at(k)];
    const SpanNow& s = look(now).spans[at(k)];
    if (g.chart >= 0 || turns(g) || !s.ok || s.rest <= most) continue;
    if (lifted(now, node(station(g.from).index)) || lifted(now, node(station(g.to).index))) continue;
    most = s.rest;
    longest = k;
  }
  if (longest < 0) return false;
  const SpanNow& s = look(now).spans[at(longest)];
  const Node& n = node(*waits);
  insertStation(state, longest, n);
  write(now, state, n.block, 0.5 * (s.x[0] + s.x[1]), 0.5 * (s.m[0] + s.m[1]));
  materialOf(state, n) = 0.5 * (s.s[0] + s.s[1]);
  dropTouch(state, *waits);
  for (const int k : {longest, longest + 1}) restLength(state, k) = 0.5 * s.rest;
  for (const int k : {longest, longest + 1}) state.mode[at(stopSlot(k))] = Mode::lower;
  return true;
}

/// A free node that would go into a round part in the coming step becomes one that stands beside it.
bool StrandContact::handOver(const Instant& now, State& state) const {
  const double step = stepOf(now);
  for (int st = 1; st + 1 < stationCount(); ++st) {
    if (!mayGo(state, st)) continue;
    const SpanNow &before = look(now).spans[at(st - 1)], &after = look(now).spans[at(st)];
    const Vec3& x = before.x[1];
    for (int i = 0; i < static_cast<int>(features_.size()); ++i) {
      const Feature& f = features_[at(i)];
      if (f.kind != Feature::Kind::tube && f.kind != Feature::Kind::ball) continue;
      Vec3 away;
      const Vec3 p = onFeature(now, f, x, away);
      if (f.kind == Feature::Kind::tube) {
        const Vec3 axis = now.rotates(f.block) ? Vec3(now.rotation(f.block) * f.along) : f.along;
        const double end = std::fabs(axis.dot(x - now.point({f.block, f.origin}))) - f.length;
        if (end > 0.0 || (f.flat && end > away.dot(x - p))) continue;
      }
      Vec3 rate = before.m[1] - now.velocity(f.block);
      if (now.rotates(f.block)) rate -= now.angularVelocity(f.block).cross(x - now.position(f.block));
      const double gap = away.dot(x - p), closes = -step * away.dot(rate);
      if (gap > closes || gap < -std::max(4.0 * closes, f.depth)) continue;
      const bool with = roundPart(state, st - 1) == i;
      if (with || roundPart(state, st + 1) == i) {
        const int other = with ? st - 1 : st + 1;
        const bool stands = node(station(other).index).stands;
        if (stands && joinRound(now, state, std::min(st, other), i)) return true;
        const Beside cut = beside(now, f, before.x[0], after.x[1], 0.0);
        if (stands && (!cut.known || (cut.facing && cut.gap < -mostCut * f.radius))) continue;
        takeOut(now, state, st);
        return true;
      }
      const Vec3 way = (after.x[1] - before.x[0]).normalized();
      const Stance here = stance(now, f, x - 0.5 * way, x + 0.5 * way, away);
      if (!here.ok) continue;
      const Node& n = node(station(st).index);
      const Spare* spare = n.spare >= 0 ? &spares_[at(n.spare)] : waitingSpare(state);
      if (!spare) continue;
      if (n.spare < 0) {
        park(now, state, n);
        replaceStation(state, st, *spare);
      }
      for (const int k : {st - 1, st}) state.mode[at(stopSlot(k))] = Mode::lower;
      stand(now, state, *spare, i, here, way, before.m[1], before.s[1]);
      return true;
    }
  }
  return false;
}

}  // namespace reeve
