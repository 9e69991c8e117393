// Where a hoist cable runs: its links, chords and wraps, and what length its runs have.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

const LinkMount& HoistCable::mountOf(const State& s, int i) const {
  return node(i).contact ? candidates_[at(stateOf(s, i).body)] : node(i).mount;
}

/// On its body, from the centre of mass.
Vec3 HoistCable::placeOf(const State& s, int i) const {
  return node(i).contact ? stateOf(s, i).place_B.vec() : node(i).center_B;
}

SpanLink HoistCable::spanEnd(const Instant& now, const State& s, int i) const {
  const Node& n = node(i);
  SpanLink end;
  end.outline = &outlineOf(now, s, i);
  end.sigma = n.sigma;
  const int block = mountOf(s, i).block;
  if (!now.rotates(block)) {
    end.frame = LinkFrame{now.position(block), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  } else if (n.contact && round(s, i)) {
    const Mat3& r = now.rotation(block);
    const LinkFrame f = planeFrame(shapeOf(s, i), planeOf(s, i));
    end.frame = {now.position(block) + r * f.origin, r * f.x, r * f.y, r * f.normal};
  } else {
    const Mat3& r = now.rotation(block);
    end.frame = {now.position(block) + r * placeOf(s, i), r * n.x_B, r * n.y_B, r * n.normal_B};
  }
  return end;
}

PowerSums HoistCable::sumsOf(const State& s, int i) const {
  const NodeState& at = stateOf(s, i);
  const double* p = at.slopePowers;
  return {static_cast<double>(pieces()), p[0], p[1], p[2], p[3], at.slopeMost};
}

void HoistCable::keepSums(State& s, int i, const PowerSums& sums) const {
  NodeState& at = stateOf(s, i);
  double* p = at.slopePowers;
  p[0] = sums.s1, p[1] = sums.s2, p[2] = sums.s3, p[3] = sums.s4;
  at.slopeMost = sums.most;
  at.powerChord = 0.0;
}

/// The sums of a shape that has come about otherwise than by a step.
void HoistCable::keepShape(State& s, int i) const {
  PowerSums sums{static_cast<double>(pieces())};
  const double* u = field(s, i, 0);
  for (int m = 0; m < pieces(); ++m) {
    const double x = u[2 * m + 2] - u[2 * m], y = u[2 * m + 3] - u[2 * m + 1], e = x * x + y * y;
    sums.s1 += e, sums.s2 += e * e, sums.s3 += e * e * e, sums.s4 += e * e * e * e;
    sums.most = std::max(sums.most, e);
  }
  keepSums(s, i, sums);
}

/// The length of a span's remembered wave on a chord of this length.
double HoistCable::spanArc(const State& s, int i, double chord, WaveMetric* metric) const {
  if (!waves()) return chord;
  if (stateOf(s, i).hanging) {
    if (metric) *metric = {stateOf(s, i).curve.link, stateOf(s, i).curve.eta, 1.0};
    return stateOf(s, i).hangingLength;
  }
  if (explicitWaves() && stateOf(s, i).powerChord == chord) {
    if (metric) *metric = {stateOf(s, i).curve.link, stateOf(s, i).curve.eta, 0.0};
    return pieces() * stateOf(s, i).curve.link;
  }
  if (explicitWaves())
    if (const double arc = sumsOf(s, i).arc(chord, metric); arc > 0.0) return arc;
  return arcOf({field(s, i, 0), at(fieldNumbers())}, pieces(), chord, metric);
}

HoistChord HoistCable::chordOf(const Instant& now, const State& s, int from, int to) const {
  if (node(from).still && to == from + 1 && node(to).still && !still_.empty()) return still_[at(from)];
  Chord c;
  c.straightEnds = !round(s, from) && !round(s, to);
  if (c.straightEnds) {
    const int a = mountOf(s, from).block, b = mountOf(s, to).block;
    SpanEnd &first = c.span.end[0], &second = c.span.end[1];
    first.point = first.origin = now.point({a, placeOf(s, from)});
    second.point = second.origin = now.point({b, placeOf(s, to)});
    c.span.n = second.point - first.point;
    c.span.length = c.span.n.norm();
    c.span.status = TangentStatus::ok;
    c.span.n = c.span.length > 0.0 ? Vec3(c.span.n / c.span.length) : Vec3::UnitX();
  } else {
    SpanLink a = spanEnd(now, s, from), b = spanEnd(now, s, to);
    c.span = spanBetween(a, b);
    if (c.span.status != TangentStatus::ok && round(s, from) != round(s, to)) {
      // A point that has come into the wheel is taken where the wheel ends: the length goes to zero as it comes in.
      SpanLink &wheel = round(s, from) ? a : b, &point = round(s, from) ? b : a;
      const Outline::Approach near = wheel.outline->approach(wheel.frame.toPlane(point.frame.origin));
      point.frame.origin +=
          (1e-6 * wheel.outline->radius() - std::min(near.distance, 0.0)) * wheel.frame.directionToWorld(near.normal);
      c.span = spanBetween(a, b);
    }
    if (c.span.status != TangentStatus::ok) {
      // No tangent (the wheels overlap): from centre to centre, so that the cable holds on to something.
      const Outline point = Outline::point();
      a.outline = b.outline = &point;
      c.span = spanBetween(a, b);
    }
  }
  if (!waves()) return c;
  const Vec3 before = stateOf(s, from).side.vec();
  Vec3 side = before - before.dot(c.span.n) * c.span.n;
  const double size = side.norm();
  if (size < 1e-6) {
    orthonormalBasis(c.span.n, c.side[0], c.side[1]);
    return c;
  }
  c.side[0] = side / size;
  c.side[1] = c.span.n.cross(c.side[0]);
  return c;
}

Wrap HoistCable::wrapOf(const Instant& now, const State& s, int i, const SpanGeometry& before,
                        const SpanGeometry& after) const {
  const Node& n = node(i);
  if (!round(s, i)) return {};
  return continueWrap(outlineOf(now, s, i), n.sigma, before.end[1].place, after.end[0].place, stateOf(s, i).wrap);
}

double HoistCable::bodyTurn(const Instant& now, const State& s, int i, const Vec3& axis) const {
  const int block = mountOf(s, i).block;
  return now.rotates(block) ? turnAbout(now.turned(block), axis) : 0.0;
}

ContactTravel HoistCable::travelOf(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const {
  const ContactTravel& before = stateOf(s, i).contact(exit);
  return continueTravel(outlineOf(now, s, i), end.place, before, bodyTurn(now, s, i, end.axis));
}

/// Length a gripping wheel has given to the span beside it since the start of the step.
double HoistCable::paid(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const {
  const Node& n = node(i);
  if (!grips(s, i)) return 0.0;
  double travel = travelOf(now, s, i, end, exit).s - stateOf(s, i).contact(exit).s;
  if (n.mount.rotor >= 0 && !stateOf(s, i).empty) {
    const double spin = now.u[at(now.model().blocks[at(n.mount.rotor)].v)];
    const double relative = spin - bodyTurn(now, s, i, now.rotation(n.mount.block) * n.mount.axis_B);
    travel -= n.outline.radius() * (n.mount.axis_B.dot(n.normal_B) < 0.0 ? -relative : relative);
  }
  return paidOut(n.sigma, exit ? SpanSide::exit : SpanSide::entry, travel);
}

/// What the drum is told to have paid out since the start, less what it could not reel in.
double HoistCable::askedPayout(const State& s, double time) const {
  return profileValue(settings_.payout, time) - profileValue(settings_.payout, 0.0) + stateOf(s).winch.heldBack +
         reeled(s, time);
}

/// What a program has reeled: from when, by how much until then, and how fast since.
double HoistCable::reeled(const State& s, double time) const {
  const Override* since = findOverride(s, elementKey(*this, reelSince_));
  if (!since) return 0.0;
  return chosen(s, elementKey(*this, reelBefore_), 0.0) +
         chosen(s, elementKey(*this, reelRate_), 0.0) * (time - since->value);
}

std::string HoistCable::reel(State& s, CableEnd end, double rate) const {
  if (end != CableEnd::first) return "a hoist cable is reeled at its first end";
  if (node(nodeAt(s, 0)).mount.rotor >= 0) return "this end is wound on a drum: turn the rotor it is wound on";
  setOverride(s, elementKey(*this, reelBefore_), reeled(s, s.time));
  setOverride(s, elementKey(*this, reelRate_), rate);
  setOverride(s, elementKey(*this, reelSince_), s.time);
  return {};
}

/// Paid out at the first end since the start. It ends where the drum is empty, and where all but a thousandth is reeled
/// in.
double HoistCable::payoutAt(const State& s, double time) const {
  if (stateOf(s).winch.holding != 0) return stateOf(s).winch.held;
  const double first = std::max(stateOf(s, nodeAt(s, 0)).rest, 0.0);  // less than nothing is not paid back
  return std::clamp(askedPayout(s, time), -0.999 * first, settings_.drum.value_or(unbounded));
}

double HoistCable::slipStep(const Instant& now, int i) const {
  const int block = slipOf(now.past(), i);
  return block < 0 ? 0.0 : now.u[at(now.model().blocks[at(block)].v)];
}

/// Rest length of the run that starts at this place, less what wheels and the drum have paid.
double HoistCable::restOf(const Instant& now, const State& s, int place) const {
  const int i = nodeAt(s, place);
  const double rest = stateOf(s, i).rest + slipStep(now, i);
  for (int k = place + 1; k + 1 < count(s); ++k)
    if (startsRun(s, k)) return rest - slipStep(now, nodeAt(s, k));
  return rest;
}

/// Of the run that the span after node i is part of, m/N. One that is given is of every span of the route: what
/// contacts make of those has the same together, shared by its length.
double HoistCable::complianceOf(const State& s, int i, double rest) const {
  if (settings_.compliance) {
    int at_ = 0;
    while (nodeAt(s, at_) != i) ++at_;
    while (!startsRun(s, at_)) --at_;
    const double own = stateOf(s, nodeAt(s, at_)).rest;
    while (at_ > 0 && (node(nodeAt(s, at_)).contact || !startsRun(s, at_))) --at_;
    double all = 0.0;
    int spans = 0;
    for (int k = at_; k + 1 < count(s); ++k) {
      const bool contact = node(nodeAt(s, k)).contact;
      if (k > at_ && startsRun(s, k) && !contact) break;
      if (startsRun(s, k)) all += stateOf(s, nodeAt(s, k)).rest;
      spans += !contact;
    }
    return *settings_.compliance * spans * (all > 0.0 ? std::clamp(own / all, 0.0, 1.0) : 1.0);
  }
  return settings_.material.axial < unbounded ? std::max(rest, 1e-9) / settings_.material.axial : 0.0;
}

}  // namespace reeve
