// What a hoist cable does before and after a step: waves remembered, the published explicit scheme, payout.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/cables/hoist/span_flow.h"

namespace reeve {

void HoistCable::begin(const Instant& now, const StepContext& context, State& state) const {
  Events& events = context.events;
  if (waves() && explicitWaves()) explicitStep(now, state, events);
  if (settings_.pull == PullForm::force)
    state.memory[at(memory + explicitTension_)] = publishedTension(now, state, events);
  if (!candidates_.empty()) meet(now, state, events);
  settleHanging(now, state, events);
  if (drums_) watchDrums(now, state, events);
  if (carriesAlong()) beginAlong(now, state);
  watchStops(now, state, events);
}

/// Section 4.1: one step of the central scheme on every span, with the tension as it is now.
void HoistCable::explicitStep(const Instant& now, State& s, Events& events) const {
  // What was stays: others hold on to it.
  const Sheet past[2] = {s.sheets[at(sheet)], s.sheets[at(sheet + 1)]};
  double* fresh[2] = {s.sheets[at(sheet)].renew(), s.sheets[at(sheet + 1)].renew()};
  if (!candidates_.empty())  // places without a span keep what they hold
    for (int w = 0; w < 2; ++w) std::copy(past[w].data(), past[w].data() + past[w].size(), fresh[w]);
  double tension = 0.0;
  Chord moving;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (startsRun(s, k))
      tension = settings_.pull == PullForm::force ? s.memory[at(memory + explicitTension_)]
                                                  : std::max(-s.force[at(spanSlot(i))], 0.0);
    const bool rests = still(i, to);
    if (!rests) moving = chordOf(now, s, i, to);
    const Chord& chord = rests ? still_[at(i)] : moving;
    double *u = fresh[0] + place(i), *increment = fresh[1] + place(i);
    ExplicitDrive d;
    d.pieces = pieces();
    d.h = step_;
    d.chord = std::max(chord.span.length, 1e-9);
    d.speed2 = tension / mass_;
    d.damping = settings_.waveDamping;
    if (suspends(now, s, i, chord, tension, events)) {
      std::fill(u, u + fieldNumbers(), 0.0);
      std::fill(increment, increment + fieldNumbers(), 0.0);
      keepSums(s, i, PowerSums{});
      continue;
    }
    for (int c = 0; c < 2; ++c) {
      d.gravity[c] = gravity_.dot(chord.side[c]);
      if (rests) continue;
      d.velocity[0][c] = recall3(s, i, startSpeedX_).dot(chord.side[c]);
      d.velocity[1][c] = recall3(s, i, endSpeedX_).dot(chord.side[c]);
      d.acceleration[0][c] = recall3(s, i, startForceX_).dot(chord.side[c]);
      d.acceleration[1][c] = recall3(s, i, endForceX_).dot(chord.side[c]);
    }
    const PowerSums sums = stepWaveExplicitly(d, past[0].data() + place(i), past[1].data() + place(i), u, increment);
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

/// The waves at the end of the step: the shapes last solved, and their increments before those of older steps.
void HoistCable::writeFields(const Instant& now, State& s) const {
  Along& pages = now.notebook().page<Along>(index);
  for (int g = 0; g < groups(); ++g) solveAgain(now, g);
  std::swap(s.sheets[at(sheet + 2)], s.sheets[at(sheet + 3)]);
  std::swap(s.sheets[at(sheet + 1)], s.sheets[at(sheet + 2)]);
  if (!candidates_.empty()) {  // places without a span keep what they hold
    const Sheet &shape = now.past().sheets[at(sheet)], &newest = now.past().sheets[at(sheet + 1)];
    const std::size_t size = at(fieldNumbers());
    for (int i = 0; i < capacity(); ++i) {
      if (looked(now, i).to >= 0) continue;
      std::copy_n(shape.data() + place(i), size, pages.shape.edit() + place(i));
      std::copy_n(newest.data() + place(i), size, pages.increment.edit() + place(i));
    }
  }
  std::swap(s.sheets[at(sheet)], pages.shape);
  std::swap(s.sheets[at(sheet + 1)], pages.increment);
}

/// The span after node i: what is to be known of it at the end of the step.
void HoistCable::rememberSpan(const Instant& now, State& s, int i) const {
  const Looked& look = looked(now, i);
  const State& past = now.past();
  const double made = recall(past, i, madeWith_);
  if (!look.placed || made == 0.0) {
    const Vec3 ends[2] = {look.chord.span.end[0].point, look.chord.span.end[1].point};
    keep3(s, i, startX_, ends[0]);
    keep3(s, i, endX_, ends[1]);
    if (waves()) keep3(s, i, sideX_, look.chord.side[0]);
    if (waves() && explicitWaves()) {
      // Ends that a contact has just moved elsewhere tell nothing of a velocity.
      const Vec3 speed[2] = {made > 0.0 ? Vec3((ends[0] - recall3(past, i, startX_)) / now.h) : Vec3::Zero(),
                             made > 0.0 ? Vec3((ends[1] - recall3(past, i, endX_)) / now.h) : Vec3::Zero()};
      keep3(s, i, startForceX_, made > 0.0 ? Vec3((speed[0] - recall3(past, i, startSpeedX_)) / now.h) : Vec3::Zero());
      keep3(s, i, endForceX_, made > 0.0 ? Vec3((speed[1] - recall3(past, i, endSpeedX_)) / now.h) : Vec3::Zero());
      keep3(s, i, startSpeedX_, speed[0]);
      keep3(s, i, endSpeedX_, speed[1]);
    }
  }
  if (!waves()) return;
  s.memory[cell(i, madeWith_)] = now.h;
  if (recall(past, i, hanging_) != 0.0) {
    finishHung(now, s, i);
    s.memory[cell(i, hung_)] = look.wave.out.arc;
    s.memory[cell(i, hungMore_)] = look.wave.out.arc - recall(past, i, hung_);
    s.memory[cell(i, link_)] = look.wave.out.arc / pieces();
    s.memory[cell(i, eta_)] = look.wave.out.eta;
    s.memory[cell(i, slope_)] = 1.0;
    return;
  }
  if (explicitWaves()) return;
  // A step of first order knows one increment; a step of another length knows none of the older ones.
  if (!now.second || (made > 0.0 && made != now.h) || young(past, i, look.to)) {
    const double* increment = field(s, i, 1);
    for (const int which : {2, 3}) std::copy(increment, increment + fieldNumbers(), editField(s, i, which));
  }
  s.memory[cell(i, link_)] = look.wave.out.shape.link;
  s.memory[cell(i, eta_)] = look.wave.out.shape.eta;
  s.memory[cell(i, slope_)] = look.wave.out.shape.slope;
}

void HoistCable::finish(const Instant& now, State& s, Events& events) const {
  const State& past = now.past();
  const int links = count(past);
  if (settings_.pull == PullForm::force) {
    for (int k = 0; k + 1 < links; ++k) {
      const int i = nodeAt(past, k);
      Looked& look = looked(now, i);
      look.placed = false;
      look.chord = chordOf(now, past, i, nodeAt(past, k + 1));
      look.wrapLength = look.wrapAngle = 0.0;
      if (k == 0 || !round(past, i)) continue;
      const Wrap wrap = wrapOf(past, i, looked(now, nodeAt(past, k - 1)).chord.span, look.chord.span);
      look.wrapLength = wrap.length;
      look.wrapAngle = wrap.angle;
    }
  }
  if (lanes()) writeFields(now, s);
  for (int k = 0; k + 1 < links; ++k) {
    const int i = nodeAt(past, k), to = nodeAt(past, k + 1);
    const Looked& look = looked(now, i);
    if (startsRun(past, k) && settings_.pull == PullForm::row) {
      s.memory[cell(i, rest_)] = look.runRest;
      s.memory[cell(i, grown_)] =
          now.second || recall(past, i, madeWith_) == 0.0 ? look.runError - recall(past, i, error_) : 0.0;
      s.memory[cell(i, error_)] = look.runError;
    }
    if (slipOf(past, i) >= 0) s.memory[cell(i, slipped_)] += slipStep(now, i);
    if (round(past, i)) {
      s.memory[cell(i, wrapLength_)] = look.wrapLength;
      s.memory[cell(i, wrapAngle_)] = look.wrapAngle;
    }
    for (const bool exit : {true, false}) {
      if (look.chord.straightEnds) break;
      const int wheel = exit ? i : to;
      if (!grips(past, wheel)) continue;
      const SpanEnd& end = look.chord.span.end[exit ? 0 : 1];
      const ContactTravel travel = travelOf(now, past, wheel, end, exit);
      const double left = recall(s, wheel, stored_) - paid(now, past, wheel, end, exit);
      if (left < 0.0 && recall(s, wheel, stored_) >= 0.0 && node(wheel).type == LinkType::spool &&
          node(wheel).mount.rotor < 0)
        events.add({now.time, this, wheel, EventKind::drumPaysOutNothing});
      s.memory[cell(wheel, stored_)] = left;
      s.memory[cell(wheel, exit ? exitS_ : entryS_)] = travel.s;
      s.memory[cell(wheel, exit ? exitAngle_ : entryAngle_)] = travel.angle;
    }
    rememberSpan(now, s, i);
  }
  if (carriesAlong()) finishAlong(now, s);
  if (drums_) emptyDrums(now, s, events);
  if (!candidates_.empty()) {
    const bool any = count(s) > declared_;
    leave(now, s, events);
    tellContacts(now, s, events);
    slideContacts(now, s, events);
    if (any && settings_.pull == PullForm::row) settleErrors(now, s);
  }
  tellStops(now, s, events);
  const double asked = askedPayout(past, now.time);
  const bool stopped = past.memory[at(memory + holding_)] == 0.0 && asked != payoutAt(past, now.time);
  double& was = s.memory[at(memory + stopped_)];
  if (stopped && was == 0.0) events.add({now.time, this, 0, asked > 0.0 ? EventKind::drumEmpty : EventKind::reeledIn});
  was = stopped ? 1.0 : 0.0;
}

/// Stretch, and the waves' own motion and height.
double HoistCable::elasticEnergy(const Instant& now, std::span<const double>) const {
  const State& s = now.past();
  const int links = count(s);
  double sum = carriesAlong() ? energyAlong(now, s) : 0.0, rest = 0.0, tension = 0.0;
  Vec3 arrives = Vec3::Zero();
  for (int k = 0; k + 1 < links; ++k) {
    const int i = nodeAt(s, k);
    if (startsRun(s, k)) {
      rest = recall(s, i, rest_) + (k == 0 ? payoutAt(s, now.time) : 0.0);
      // Of the stretch, not of the force: that has what the damping pulls in it.
      const double soft = complianceOf(s, i, rest);
      const bool told = settings_.pull == PullForm::row && soft > 0.0;
      tension = settings_.pull == PullForm::force ? s.memory[at(memory + explicitTension_)]
                : told                            ? std::max(recall(s, i, error_), 0.0) / soft
                                                  : 0.0;
    }
    if (k + 2 == links || startsRun(s, k + 1)) sum += 0.5 * tension * tension * complianceOf(s, i, rest);
    if (!waves()) continue;
    const Chord chord = chordOf(now, s, i, nodeAt(s, k + 1));
    // What has come to lie on a body it met is as high as it was. (What lies on pulleys was never counted.)
    if (node(i).contact && round(s, i))
      sum -= mass_ * recall(s, i, wrapLength_) * gravity_.dot(0.5 * (arrives + chord.span.end[0].point));
    arrives = chord.span.end[1].point;
    const int n = pieces();
    const double mu = explicitWaves() ? mass_ * chord.span.length / n : linkMass(s, i);
    const double made = recall(s, i, hanging_) != 0.0 ? 0.0 : recall(s, i, madeWith_);
    const double* a = field(s, i, 1);
    const double* b = explicitWaves() ? a : field(s, i, 2);
    const bool wave = carriesAlong() && recall(s, i, hanging_) == 0.0;
    if (wave) {
      const Lie lie = lieOf(s, i);
      sum -= n * mu *
             gravity_.dot(0.5 * (chord.span.end[0].point + chord.span.end[1].point) + lie.ahead * chord.span.n +
                          lie.aside[0] * chord.side[0] + lie.aside[1] * chord.side[1]);
    }
    if (!wave && carriesAlong()) {  // what hangs goes with its ends
      const Vec3 a = endVelocity(now, s, i, chord, 0), b = endVelocity(now, s, nodeAt(s, k + 1), chord, 1);
      sum += hungMotion(liftedShare(s, i, chord) * n * mu, a, b);
    }
    for (int m = 0; m <= n; ++m) {
      const double share = m == 0 || m == n ? 0.5 : 1.0;
      if (!wave) sum -= share * mu * gravity_.dot(curvePoint(s, i, chord, m));
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
