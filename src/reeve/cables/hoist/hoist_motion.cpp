// What a hoist cable does before and after a step: waves remembered, the published explicit scheme, payout.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/cables/hoist/span_flow.h"

namespace reeve {

void HoistCable::begin(const Instant& now, const StepContext& context, State& state) const {
  Events& events = context.events;
  if (waves() && explicitWaves()) explicitStep(now, state, events);
  if (settings_.pull == PullForm::force) stateOf(state).explicitTension = publishedTension(now, state, events);
  if (!candidates_.empty()) meet(now, state, events);
  takeWheels(now, state, events);
  settleHanging(now, state, events);
  if (drums_) watchDrums(now, state, events);
  if (carriesAlong()) {
    beginAlong(now, state);
    beginLying(now, state);
  }
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
      tension =
          settings_.pull == PullForm::force ? stateOf(s).explicitTension : std::max(-s.force[at(spanSlot(i))], 0.0);
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
      d.velocity[0][c] = stateOf(s, i).endSpeed[0].vec().dot(chord.side[c]);
      d.velocity[1][c] = stateOf(s, i).endSpeed[1].vec().dot(chord.side[c]);
      d.acceleration[0][c] = stateOf(s, i).endOlder[0].vec().dot(chord.side[c]);
      d.acceleration[1][c] = stateOf(s, i).endOlder[1].vec().dot(chord.side[c]);
    }
    const PowerSums sums = stepWaveExplicitly(d, past[0].data() + place(i), past[1].data() + place(i), u, increment);
    keepSums(s, i, sums);
    // Where the chord stands still its length holds for the whole step.
    WaveMetric metric;
    if (sums.arc(chord.span.length, &metric) > 0.0) {
      stateOf(s, i).powerChord = chord.span.length;
      stateOf(s, i).curve.link = metric.link;
      stateOf(s, i).curve.eta = metric.eta;
    }
  }
}

/// The waves at the end of the step: the shapes last solved, and their increments before those of older steps.
void HoistCable::writeFields(const Instant& now, State& s) const {
  const HoistWaves& solved = now.cache<HoistCache>(*this).waves;
  std::swap(s.sheets[at(sheet + 2)], s.sheets[at(sheet + 3)]);
  std::swap(s.sheets[at(sheet + 1)], s.sheets[at(sheet + 2)]);
  s.sheets[at(sheet)] = solved.shape;
  s.sheets[at(sheet + 1)] = solved.increment;
  for (int g = 0; g < groups(); ++g) solveAgain(now, g, s);
}

/// The span after node i: what is to be known of it at the end of the step.
void HoistCable::rememberSpan(const Instant& now, State& s, int i) const {
  const HoistSpans& spans = now.cache<HoistCache>(*this).spans;
  const HoistSpan& look = spans[i];
  const State& past = now.past();
  const double made = stateOf(past, i).madeWith;
  if (!look.placed || made == 0.0) {
    const Vec3 ends[2] = {look.chord.span.end[0].point, look.chord.span.end[1].point};
    stateOf(s, i).chordEnd[0] = ends[0];
    stateOf(s, i).chordEnd[1] = ends[1];
    if (waves()) stateOf(s, i).side = look.chord.side[0];
    if (waves() && explicitWaves()) {
      // Ends that a contact has just moved elsewhere tell nothing of a velocity.
      const bool moved = made > 0.0 && now.stepping;
      const Vec3 speed[2] = {moved ? Vec3((ends[0] - stateOf(past, i).chordEnd[0].vec()) / now.h) : Vec3::Zero(),
                             moved ? Vec3((ends[1] - stateOf(past, i).chordEnd[1].vec()) / now.h) : Vec3::Zero()};
      stateOf(s, i).endOlder[0] = moved ? Vec3((speed[0] - stateOf(past, i).endSpeed[0].vec()) / now.h) : Vec3::Zero();
      stateOf(s, i).endOlder[1] = moved ? Vec3((speed[1] - stateOf(past, i).endSpeed[1].vec()) / now.h) : Vec3::Zero();
      stateOf(s, i).endSpeed[0] = speed[0];
      stateOf(s, i).endSpeed[1] = speed[1];
    }
  }
  if (!waves()) return;
  stateOf(s, i).madeWith = now.h;
  if (stateOf(past, i).hanging) {
    finishHung(now, s, i);
    stateOf(s, i).hangingLength = look.wave.out.arc;
    stateOf(s, i).hangingGrowth = look.wave.out.arc - stateOf(past, i).hangingLength;
    stateOf(s, i).curve.link = look.wave.out.arc / pieces();
    stateOf(s, i).curve.eta = look.wave.out.eta;
    stateOf(s, i).curve.slope = 1.0;
    return;
  }
  if (explicitWaves()) return;
  if (!now.stepping) {
    WaveMetric metric;
    (void)spanArc(s, i, look.chord.span.length, &metric);
    stateOf(s, i).curve = metric;
    return;
  }
  // A step of first order knows one increment; a step of another length knows none of the older ones.
  if (!now.second || (made > 0.0 && made != now.h) || young(past, i, look.to)) {
    const double* increment = field(s, i, 1);
    for (const int which : {2, 3}) std::copy(increment, increment + fieldNumbers(), editField(s, i, which));
  }
  stateOf(s, i).curve = look.wave.out.shape;
}

void HoistCable::finish(const Instant& now, State& s, Events& events) const {
  const State& past = now.past();
  const int links = count(past);
  const HoistSpans& spans = now.cache<HoistCache>(*this).spans;
  if (lanes() && now.stepping) writeFields(now, s);  // otherwise it has been put elsewhere: waves go along
  for (int k = 0; k + 1 < links; ++k) {
    const int i = nodeAt(past, k), to = nodeAt(past, k + 1);
    const HoistSpan& look = spans[i];
    if (startsRun(past, k) && settings_.pull == PullForm::row) {
      stateOf(s, i).rest = look.runRest;
      stateOf(s, i).grown =
          now.second || stateOf(past, i).madeWith == 0.0 ? look.runError - stateOf(past, i).error : 0.0;
      stateOf(s, i).error = look.runError;
    }
    if (slipOf(past, i) >= 0) stateOf(s, i).slipped += slipStep(now, i);
    if (round(past, i)) {
      stateOf(s, i).wrap.length = look.wrapLength;
      stateOf(s, i).wrap.angle = look.wrapAngle;
    }
    for (const bool exit : {true, false}) {
      if (look.chord.straightEnds) break;
      const int wheel = exit ? i : to;
      if (!grips(past, wheel)) continue;
      const SpanEnd& end = look.chord.span.end[exit ? 0 : 1];
      const ContactTravel travel = travelOf(now, past, wheel, end, exit);
      const double left = stateOf(s, wheel).stored - paid(now, past, wheel, end, exit);
      if (left < 0.0 && stateOf(s, wheel).stored >= 0.0 && node(wheel).type == LinkType::spool &&
          node(wheel).mount.rotor < 0)
        events.add({now.time, this, wheel, EventKind::drumPaysOutNothing});
      stateOf(s, wheel).stored = left;
      stateOf(s, wheel).contact(exit).s = travel.s;
      stateOf(s, wheel).contact(exit).angle = travel.angle;
    }
    rememberSpan(now, s, i);
  }
  if (carriesAlong()) {
    finishAlong(now, s);
    finishLying(now, s);
  }
  if (drums_) emptyDrums(now, s, events);
  leaveWheels(now, s, events);
  if (!candidates_.empty()) {
    const bool any = count(s) > declared_;
    leave(now, s, events);
    tellContacts(now, s, events);
    slideContacts(now, s, events);
    if (any && settings_.pull == PullForm::row) settleErrors(now, s);
  }
  tellStops(now, s, events);
  const double asked = askedPayout(past, now.time);
  const bool stopped = stateOf(past).winch.holding == 0 && asked != payoutAt(past, now.time);
  if (stopped && !stateOf(s).winch.stopped)
    events.add({now.time, this, 0, asked > 0.0 ? EventKind::drumEmpty : EventKind::reeledIn});
  stateOf(s).winch.stopped = stopped;
}

}  // namespace reeve
