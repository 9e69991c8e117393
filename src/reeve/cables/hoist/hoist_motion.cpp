// What a hoist cable does before and after a step: waves remembered, the published explicit scheme, payout.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"

namespace reeve {

void HoistCable::begin(const Instant& now, const Gauge&, State& state, std::vector<Notice>& notices) const {
  if (waves() && explicitWaves()) explicitStep(now, state, notices);
  if (settings_.pull == PullForm::force) state.memory[at_(memory + explicitTension_)] = publishedTension(now, state);
  if (!candidates_.empty()) meet(now, state, notices);
  settleHanging(now, state);
  if (settings_.pull == PullForm::row) watchStops(now, state);
}

/// Eq. 1 with the signs set right: T = EA/L (l − L) + c (l̇ − L̇), never below zero.
double HoistCable::publishedTension(const Instant& now, const State& s) const {
  double length = 0.0, rate = 0.0;
  SpanGeometry before;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
    const Chord chord = chordOf(now, s, from, to);
    length += spanArc(s, from, chord.span.length);
    if (k > 0) length += wrapOf(s, from, before, chord.span).length;
    const auto speed = [&](int i, const Vec3& point) {
      const int block = mountOf(s, i).block;
      if (!now.rotates(block)) return now.velocity(block);
      return Vec3(now.velocity(block) + now.angularVelocity(block).cross(point - now.position(block)));
    };
    rate += chord.span.n.dot(speed(to, chord.span.end[1].point) - speed(from, chord.span.end[0].point));
    before = chord.span;
  }
  const double rest = recall(s, nodeAt(s, 0), rest_) + payoutAt(s, now.time), stretch = length - rest;
  if (stretch <= 0.0) return 0.0;
  const double ahead = payoutAt(s, now.time + step_) - payoutAt(s, now.time);
  const double stiff = 1.0 / complianceOf(s, 0, rest, count(s) - 1);
  return std::max(stiff * (stretch + settings_.material.damping * (rate - ahead / step_)), 0.0);
}

/// Beyond the paper: what a wave adds to the length comes back as tension, a spring of EA/L on ∂arc/∂u, which the step
/// must be short for as well: h² (EA/Lρ) ∫u″² ds, with ∫u″² ≈ 12/l² ∫u′² (a parabola's) four times over.
double HoistCable::feedback(const State& s, int i, double chord) const {
  const double slopes = sumsOf(s, i).s1 * pieces() / chord;
  const double soft = complianceOf(s, i, recall(s, nodeAt(s, 0), rest_), count(s) - 1);
  return step_ * step_ * 48.0 / (chord * chord) * slopes / (mass_ * soft);
}

/// Section 4.1: one step of the central scheme on every span, with the tension as it is now.
void HoistCable::explicitStep(const Instant& now, State& s, std::vector<Notice>& notices) const {
  double tension = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    if (startsRun(s, k))
      tension = settings_.pull == PullForm::force ? s.memory[at_(memory + explicitTension_)]
                                                  : std::max(-s.force[at_(spanSlot(i))], 0.0);
    const Chord chord = chordOf(now, s, i, nodeAt(s, k + 1));
    double* u = s.memory.data() + field(i, 0);
    double* increment = s.memory.data() + field(i, 1);
    ExplicitDrive d;
    d.pieces = pieces();
    d.h = step_;
    d.chord = std::max(chord.span.length, 1e-9);
    d.speed2 = tension / mass_;
    d.damping = settings_.waveDamping;
    const double courant = std::sqrt(d.speed2) * step_ * pieces() / d.chord;
    if (!(courant < std::sqrt(0.5)) || !(feedback(s, i, d.chord) < 0.5)) {
      if (recall(s, i, suspended_) == 0.0)
        notices.push_back({now.time, this, i, "waves suspended: the step is too long"});
      s.memory[cell(i, suspended_)] = 1.0;
      std::fill(u, u + 2 * fieldNumbers(), 0.0);
      keepSums(s, i, PowerSums{});
      continue;
    }
    if (recall(s, i, suspended_) != 0.0) notices.push_back({now.time, this, i, "waves resumed"});
    s.memory[cell(i, suspended_)] = 0.0;
    for (int c = 0; c < 2; ++c) {
      d.gravity[c] = gravity_.dot(chord.side[c]);
      d.velocity[0][c] = recall3(s, i, startSpeedX_).dot(chord.side[c]);
      d.velocity[1][c] = recall3(s, i, endSpeedX_).dot(chord.side[c]);
      d.acceleration[0][c] = recall3(s, i, startForceX_).dot(chord.side[c]);
      d.acceleration[1][c] = recall3(s, i, endForceX_).dot(chord.side[c]);
    }
    const PowerSums sums = stepWaveExplicitly(d, u, increment);
    keepSums(s, i, sums);
    // Where the chord stands still its length holds for the whole step.
    WaveMetric metric;
    if (sums.arc(chord.span.length, &metric) > 0.0) {
      s.memory[cell(i, powerChord_)] = chord.span.length;
      s.memory[cell(i, link_)] = metric.link;
      s.memory[cell(i, eta_)] = metric.eta;
    }
  }
}

/// The span after node i: its field at the end of the step, and the chord it belongs to.
void HoistCable::rememberSpan(const Instant& now, State& s, int i) const {
  const Looked& look = looked(now, i);
  const State& past = now.past();
  const Vec3 ends[2] = {look.chord.span.end[0].point, look.chord.span.end[1].point};
  const Vec3 moved[2] = {ends[0] - recall3(past, i, startX_), ends[1] - recall3(past, i, endX_)};
  keep3(s, i, startX_, ends[0]);
  keep3(s, i, endX_, ends[1]);
  if (!waves()) return;
  keep3(s, i, sideX_, look.chord.side[0]);
  const int n = pieces();
  if (recall(past, i, hanging_) != 0.0) {
    s.memory[cell(i, hung_)] = look.wave.arc;
    s.memory[cell(i, link_)] = look.wave.arc / n;
    s.memory[cell(i, eta_)] = look.wave.eta;
    s.memory[cell(i, slope_)] = 1.0;
    return;
  }
  if (explicitWaves()) {
    // Ends that a contact has just moved elsewhere tell nothing of a velocity.
    const double made = recall(past, i, madeWith_);
    const Vec3 speed[2] = {made > 0.0 ? Vec3(moved[0] / now.h) : Vec3::Zero(),
                           made > 0.0 ? Vec3(moved[1] / now.h) : Vec3::Zero()};
    keep3(s, i, startForceX_, made > 0.0 ? Vec3((speed[0] - recall3(past, i, startSpeedX_)) / now.h) : Vec3::Zero());
    keep3(s, i, endForceX_, made > 0.0 ? Vec3((speed[1] - recall3(past, i, endSpeedX_)) / now.h) : Vec3::Zero());
    keep3(s, i, startSpeedX_, speed[0]);
    keep3(s, i, endSpeedX_, speed[1]);
    s.memory[cell(i, madeWith_)] = now.h;
    return;
  }
  const double* u = trialField(now, i);
  const double* before = past.memory.data() + field(i, 0);
  const int newest = (static_cast<int>(recall(past, i, newest_)) + 2) % 3;
  double* increment = s.memory.data() + field(i, 1 + newest);
  for (int m = 0; m <= n; ++m)
    for (int c = 0; c < 2; ++c) {
      const double share = static_cast<double>(m) / n;
      const double chord = look.shift[0][c] + share * (look.shift[1][c] - look.shift[0][c]);
      increment[2 * m + c] = chord + u[2 * m + c] - before[2 * m + c];
    }
  std::copy(u, u + fieldNumbers(), s.memory.data() + field(i, 0));
  s.memory[cell(i, newest_)] = newest;
  // A step of first order knows one increment; a step of another length knows none of the older ones.
  const double made = recall(past, i, madeWith_);
  if (!now.second || (made > 0.0 && made != now.h))
    for (const int k : {1, 2})
      std::copy(increment, increment + fieldNumbers(), s.memory.data() + field(i, 1 + (newest + k) % 3));
  s.memory[cell(i, madeWith_)] = now.h;
  WaveMetric metric;
  arcOf({u, at_(fieldNumbers())}, n, look.chord.span.length, &metric);
  s.memory[cell(i, link_)] = metric.link;
  s.memory[cell(i, eta_)] = metric.eta;
  s.memory[cell(i, slope_)] = metric.slope;
}

void HoistCable::finish(const Instant& now, State& s, std::vector<Notice>& notices) const {
  const State& past = now.past();
  const int links = count(past);
  if (settings_.pull == PullForm::force) {
    for (int k = 0; k + 1 < links; ++k) {
      const int i = nodeAt(past, k);
      Looked& look = looked(now, i);
      look.chord = chordOf(now, past, i, nodeAt(past, k + 1));
      look.wrapLength = look.wrapAngle = 0.0;
      if (k == 0 || !round(past, i)) continue;
      const Wrap wrap = wrapOf(past, i, looked(now, nodeAt(past, k - 1)).chord.span, look.chord.span);
      look.wrapLength = wrap.length;
      look.wrapAngle = wrap.angle;
    }
  }
  for (int k = 0; k + 1 < links; ++k) {
    const int i = nodeAt(past, k), to = nodeAt(past, k + 1);
    const Looked& look = looked(now, i);
    if (startsRun(past, k) && settings_.pull == PullForm::row) {
      s.memory[cell(i, rest_)] = look.runRest;
      s.memory[cell(i, grown_)] =
          now.second || recall(past, i, madeWith_) == 0.0 ? look.runError - recall(past, i, error_) : 0.0;
      s.memory[cell(i, error_)] = look.runError;
    }
    if (node(i).slip >= 0) s.memory[cell(i, slipped_)] += slipStep(now, i);
    s.memory[cell(i, wrapLength_)] = look.wrapLength;
    s.memory[cell(i, wrapAngle_)] = look.wrapAngle;
    for (const bool exit : {true, false}) {
      const int wheel = exit ? i : to;
      if (!grips(past, wheel)) continue;
      const SpanEnd& end = look.chord.span.end[exit ? 0 : 1];
      const ContactTravel travel = travelOf(now, past, wheel, end, exit);
      const double left = recall(s, wheel, stored_) - paid(now, past, wheel, end, exit);
      if (left < 0.0 && recall(s, wheel, stored_) >= 0.0 && node(wheel).type == LinkType::spool)
        notices.push_back({now.time, this, wheel, "the drum is empty: it pays out what it does not hold"});
      s.memory[cell(wheel, stored_)] = left;
      s.memory[cell(wheel, exit ? exitS_ : entryS_)] = travel.s;
      s.memory[cell(wheel, exit ? exitAngle_ : entryAngle_)] = travel.angle;
    }
    rememberSpan(now, s, i);
  }
  if (!candidates_.empty()) {
    const bool any = count(s) > declared_;
    leave(now, s, notices);
    slideContacts(now, s, notices);
    if (any && settings_.pull == PullForm::row) settleErrors(now, s);
  }
  if (settings_.pull == PullForm::row) tellStops(now, s, notices);
  const double asked = askedPayout(past, now.time);
  const bool stopped = past.memory[at_(memory + holding_)] == 0.0 && asked != payoutAt(past, now.time);
  double& was = s.memory[at_(memory + stopped_)];
  if (stopped && was == 0.0)
    notices.push_back({now.time, this, 0, asked > 0.0 ? "stops: the drum is empty" : "stops: the cable is reeled in"});
  was = stopped ? 1.0 : 0.0;
}

/// Stretch, and the waves' own motion and height.
double HoistCable::energy(const Instant& now, std::span<const double> force) const {
  const State& s = now.past();
  const int links = count(s);
  double sum = 0.0, rest = 0.0, tension = 0.0;
  int first = 0;
  for (int k = 0; k + 1 < links; ++k) {
    const int i = nodeAt(s, k);
    if (startsRun(s, k)) {
      first = k;
      rest = recall(s, i, rest_) + (k == 0 ? payoutAt(s, now.time) : 0.0);
      tension = settings_.pull == PullForm::force ? s.memory[at_(memory + explicitTension_)]
                                                  : std::max(-force[at_(spanSlot(i))], 0.0);
      if (s.steps == 0) {  // no force is known yet; the stretch tells
        int spans = 1;
        while (k + spans + 1 < links && !startsRun(s, k + spans)) ++spans;
        const double soft = complianceOf(s, i, rest, spans);
        if (soft > 0.0) tension = std::max(recall(s, i, error_), 0.0) / soft;
      }
    }
    if (k + 2 == links || startsRun(s, k + 1)) sum += 0.5 * tension * tension * complianceOf(s, i, rest, k + 1 - first);
    if (!waves()) continue;
    const Chord chord = chordOf(now, s, i, nodeAt(s, k + 1));
    const int n = pieces();
    const double mu = explicitWaves() ? mass_ * chord.span.length / n : linkMass(s, i);
    const double made = recall(s, i, hanging_) != 0.0 ? 0.0 : recall(s, i, madeWith_);
    const int newest = explicitWaves() ? 0 : static_cast<int>(recall(s, i, newest_));
    const double* a = s.memory.data() + field(i, 1 + newest);
    const double* b = explicitWaves() ? a : s.memory.data() + field(i, 1 + (newest + 1) % 3);
    for (int m = 0; m <= n; ++m) {
      const double share = m == 0 || m == n ? 0.5 : 1.0;
      sum -= share * mu * gravity_.dot(curvePoint(s, i, chord, m));
      if (made <= 0.0) continue;
      for (int c = 0; c < 2; ++c) {
        const double v = (1.5 * a[2 * m + c] - 0.5 * b[2 * m + c]) / made;
        sum += 0.5 * share * mu * v * v;
      }
    }
  }
  return sum;
}

}  // namespace reeve
