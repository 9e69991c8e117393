// Ends of a strand that are wound on a drum, or paid out where they are attached.
//
// A drum is a wheel that the strand leaves on one side only. What lies on it reaches from the place of the rim that the
// end is fixed to, which turns with it, to the contact; it moves with the rim like what lies on any wheel. Once all is
// off, the strand is held at that place, and rolls on again, to either side, when a tangent passes it.
//
// Stretch. Material comes on with the strain of the span and keeps it: a metre of rim takes 1/(1 + e) metres. The
// energy of all is U = EA (l − ρ)²/2ρ + Σ ½ EA e² s over what is wound, so with dρ = −ds the drum is turned by
//     r/(1 + e) (T + ½ EA ε² + ½ EA e²),
// which is r T where e = ε, as it must be: what is wound on, and comes off again, gains and loses nothing. Layers of
// equal strain are kept as one; the last on is the first off.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {
/// Strains that differ by less than this share are of one layer.
constexpr double sameStrain = 1e-3;
/// rad: what is wound by less counts as nothing where shares of it are taken.
constexpr double leastWrap = 1e-9;

void dropLayer(DrumMemory& drum, int layer) {
  for (int k = layer; k + 1 < drum.layers; ++k) {
    drum.rest[k] = drum.rest[k + 1];
    drum.strain[k] = drum.strain[k + 1];
  }
  drum.layers = drum.layers - 1;
  drum.rest[drum.layers] = drum.strain[drum.layers] = 0.0;
}

/// Two layers become one, as long on the rim and with as much material.
void joinLayers(DrumMemory& drum, int layer) {
  const double all = drum.rest[layer] + drum.rest[layer + 1];
  drum.strain[layer] = (drum.rest[layer] * drum.strain[layer] + drum.rest[layer + 1] * drum.strain[layer + 1]) / all;
  drum.rest[layer] = all;
  dropLayer(drum, layer + 1);
}

void windOn(DrumMemory& drum, double rest, double strain) {
  if (drum.layers == DrumMemory::most) {
    int least = 0;
    const auto loss = [&](int k) {
      const double apart = drum.strain[k] - drum.strain[k + 1], a = drum.rest[k], b = drum.rest[k + 1];
      return apart * apart * a * b / (a + b);
    };
    for (int k = 1; k + 1 < drum.layers; ++k)
      if (loss(k) < loss(least)) least = k;
    joinLayers(drum, least);
  }
  drum.rest[drum.layers] = rest;
  drum.strain[drum.layers] = strain;
  drum.layers = drum.layers + 1;
  const int top = drum.layers - 1;
  if (top > 0 && std::fabs(drum.strain[top] - drum.strain[top - 1]) <= sameStrain * drum.strain[top])
    joinLayers(drum, top - 1);
}

void windOff(DrumMemory& drum, double rest) {
  while (drum.layers > 0 && drum.rest[drum.layers - 1] <= rest) {
    rest -= drum.rest[drum.layers - 1];
    dropLayer(drum, drum.layers - 1);
  }
  if (drum.layers > 0) drum.rest[drum.layers - 1] -= rest;
}

}  // namespace

void StrandKinematics::lookAtDrum(const Instant& now, const Wheel& w, int index, WheelNow& out) const {
  const DrumMemory& drum = drumMemory(now.past(), w);
  const WheelMemory& kept = wheelMemory(now.past(), index);
  out.side = drum.side;
  out.holds = drum.holds;
  out.anchor = anchorOf(kept, w) + out.turn;
  double sine, cosine;
  math::sincos(out.anchor, sine, cosine);
  out.anchorFacing = Vec2(cosine, sine);
  if (settings_.material.axial == unbounded) return;
  out.passes = 1.0 / (1.0 + drum.laid);
  const double wrap = out.side * (kept.exitAngle - kept.entryAngle);
  out.share = wrap > leastWrap ? std::min((kept.exitS - kept.entryS) / (wrap * w.outline.radius()), 1.0) : 1.0;
}

SpanLink StrandKinematics::spanLink(const Page& page, const Station& st) const {
  static const Outline pointOutline = Outline::point();
  SpanLink link;
  link.outline = &pointOutline;
  if (!st.wheel) {
    link.frame.origin = page.nodes[at(st.index)].x;
    return link;
  }
  const Wheel& w = wheel(st.index);
  const WheelNow& wn = page.wheels[at(st.index)];
  link.frame = wn.frame;
  if (wn.holds) {
    link.frame.origin = wn.frame.toWorld(w.outline.radius() * wn.anchorFacing);
    return link;
  }
  link.outline = &w.outline;
  link.sigma = wn.side;
  return link;
}

/// The place of a rim that holds the strand: (1, −[lever]× − [arm]× A) of the body, A across the axle of a rotor.
StrandTypes::Motion StrandKinematics::heldEnd(const SpanNow& s, const Wheel& w, const WheelNow& wn, int end) const {
  const Vec3 &arm = s.arm[at(end)], &armRate = s.armRate[at(end)];
  const bool rotor = w.mount.rotor >= 0;
  Motion out;
  out.x = s.x[at(end)];
  out.v = s.rate[at(end)];
  if (!w.still) {
    const Mat3 across = rotor ? Mat3(Mat3::Identity() - wn.axle * wn.axle.transpose()) : Mat3(Mat3::Identity());
    const Mat3 swing = wn.axleRate * wn.axle.transpose() + wn.axle * wn.axleRate.transpose();
    Carry& c = out.add(w.mount.block, 6);
    c.a.leftCols<3>() = Mat3::Identity();
    c.a.rightCols<3>() = -skew(wn.lever) - skew(arm) * across;
    c.d.rightCols<3>() = -skew(Vec3(wn.omega.cross(wn.lever))) - skew(armRate) * across;
    if (rotor) c.d.rightCols<3>() += skew(arm) * swing;
  }
  if (!rotor) return out;
  Carry& c = out.add(w.mount.rotor, 1);
  c.a.col(0) = wn.axle.cross(arm);
  c.d.col(0) = wn.axleRate.cross(arm) + wn.axle.cross(armRate);
  return out;
}

double StrandKinematics::paidInStep(const Instant& now) const {
  const State& past = now.past();
  const auto given = [&](double time) {
    const double out = profileValue(settings_.payout, time) - profileValue(settings_.payout, 0.0);
    return std::min(out, settings_.drum.value_or(unbounded));
  };
  const double paid = given(now.time) - given(past.time);
  if (paid >= 0.0) return paid;
  const Station& next = station(1);
  double rest = restLength(past, 0);
  if (!next.wheel) {
    const Node& n = node(next.index);
    const double s = n.flow >= 0   ? past.q[at(now.model().blocks[at(n.flow)].q)]
                     : n.kept >= 0 ? materialOf(past, n)
                                   : n.s;
    rest = s - (node(station(0).index).s - paidOf(past));
  }
  return std::max(paid, std::min(0.0, 2.0 * nearest_ - rest));
}

double StrandKinematics::payRate(const Instant& now) const {
  const double step = now.time - now.past().time;
  const double rate = profileRate(settings_.payout, now.time);
  const double out = profileValue(settings_.payout, now.time) - profileValue(settings_.payout, 0.0);
  if (out > settings_.drum.value_or(unbounded)) return 0.0;
  return rate < 0.0 && step > 0.0 && paidInStep(now) > 0.5 * rate * step ? 0.0 : rate;
}

/// What drums remember after a step; those with nothing left on them hold, those that hold may roll again.
void Strand::finishDrums(const Instant& now, const Page& page, State& state, Events& events) const {
  for (const int st : {0, stationCount() - 1}) {
    if (!station(st).wheel || !wheel(station(st).index).drum) continue;
    const int index = station(st).index, segment = st == 0 ? 0 : segmentCount() - 1;
    const Wheel& w = wheel(index);
    const WheelNow& wn = page.wheels[at(index)];
    const SpanNow& s = page.spans[at(segment)];
    WheelMemory& kept = wheelMemory(state, index);
    DrumMemory& drum = drumMemory(state, w);
    anchorOf(kept, w) = wn.anchor;
    if (!s.ok) continue;
    if (settings_.material.axial < unbounded) {
      const double on = w.winds ? s.flowed[0] : -s.flowed[1], laid = 1.0 / wn.passes - 1.0;
      if (on > 0.0) windOn(drum, on, laid);
      if (on < 0.0) windOff(drum, -on);
      const bool taut = s.length > s.rest && !s.parted;
      const int top = drum.layers - 1;
      if (top >= 0 && drum.rest[top] > 0.0) {  // as long on the rim as it is
        double more = wn.side * w.outline.radius() * (kept.exitAngle - kept.entryAngle);
        for (int k = 0; k <= top; ++k) more -= drum.rest[k] * (1.0 + drum.strain[k]);
        drum.strain[top] = std::max(0.0, drum.strain[top] + more / drum.rest[top]);
      }
      drum.laid = on < 0.0 && top >= 0 ? drum.strain[top] : taut ? s.length / s.rest - 1.0 : 0.0;
    }
    if (s.parted) continue;
    // The span leaves the wheel at its other end elsewhere now: that contact goes there, with what flows by it.
    const auto settle = [&] {
      static const Outline pointOutline = Outline::point();
      const Station& far = station(w.winds ? 1 : st - 1);
      if (!far.wheel) return;
      SpanLink here;
      here.frame = wn.frame;
      here.outline = drum.holds ? &pointOutline : &w.outline;
      here.sigma = drum.side;
      if (drum.holds) here.frame.origin = wn.frame.toWorld(w.outline.radius() * wn.anchorFacing);
      const SpanLink there = spanLink(page, far);
      const SpanGeometry span = w.winds ? spanBetween(here, there) : spanBetween(there, here);
      if (span.status != TangentStatus::ok) return;
      WheelMemory& next = wheelMemory(state, far.index);
      double &angle = w.winds ? next.entryAngle : next.exitAngle, &material = w.winds ? next.entryS : next.exitS;
      const double found = nearestTurn(span.end[w.winds ? 1 : 0].place.angle, angle, 2.0 * math::pi);
      const double flowed = page.wheels[at(far.index)].side * wheel(far.index).outline.radius() * (found - angle);
      angle = found;
      material += flowed;
      restLength(state, segment) += w.winds ? flowed : -flowed;
    };
    if (drum.holds) {
      rollAgain(now, page, st, state, events);
      if (!drum.holds) settle();
      continue;
    }
    if (wn.side * (kept.exitAngle - kept.entryAngle) >= 0.0) continue;
    restLength(state, segment) += kept.exitS - kept.entryS;
    (w.winds ? kept.exitS : kept.entryS) = w.winds ? kept.entryS : kept.exitS;
    (w.winds ? kept.exitAngle : kept.entryAngle) = anchorOf(kept, w);
    drum = {};
    drum.holds = true;
    drum.side = wn.side;
    settle();
    events.add({now.time, element_, station(st).link, EventKind::storeUsedUp});
  }
}

/// Has one of the two tangents passed the place that holds the strand? The nearer one, by what would be wound on.
void Strand::rollAgain(const Instant& now, const Page& page, int st, State& state, Events& events) const {
  const int index = station(st).index, segment = st == 0 ? 0 : segmentCount() - 1;
  const Wheel& w = wheel(index);
  const WheelNow& wn = page.wheels[at(index)];
  WheelMemory& kept = wheelMemory(state, index);
  DrumMemory& drum = drumMemory(state, w);
  const SpanLink other = spanLink(page, station(w.winds ? 1 : st - 1));
  SpanLink rim;
  rim.frame = wn.frame;
  rim.outline = &w.outline;
  double least = 0.5 * math::pi, angle = 0.0;
  int side = 0;
  for (const int sigma : {1, -1}) {
    rim.sigma = sigma;
    const SpanGeometry span = w.winds ? spanBetween(rim, other) : spanBetween(other, rim);
    if (span.status != TangentStatus::ok) continue;
    const double place = nearestTurn(span.end[w.winds ? 0 : 1].place.angle, wn.anchor, 2.0 * math::pi);
    const double wound = (w.winds ? sigma : -sigma) * (place - wn.anchor);
    if (wound <= 0.0 || wound >= least) continue;
    least = wound;
    angle = place;
    side = sigma;
  }
  if (side == 0) return;
  const double wound = least * w.outline.radius();
  drum = {};
  drum.side = side;
  if (settings_.material.axial < unbounded) windOn(drum, wound, 0.0);
  (w.winds ? kept.exitAngle : kept.entryAngle) = angle;
  (w.winds ? kept.exitS : kept.entryS) += w.winds ? wound : -wound;
  restLength(state, segment) -= wound;
  events.add({now.time, element_, station(st).link, EventKind::rollsAgain});
}

}  // namespace reeve
