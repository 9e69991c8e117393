// Spans of a hoist cable that are too slack for a wave across their chord: they hang at rest (hanging_span.h).
//
// A run with such spans still has one row and one tension T. What the run has of length beyond its other spans, Δ more
// than at the start of the step, is shared equally among those that hang: A_i = A_i⁰ + Δ/n. With E = Σ E_i the tension
// is T₀(Δ) = −∂E/∂Δ, the mean of theirs, and Δ is the one root of
//      Σ A_i + Σ arcs − σ (T₀ − T) − L − ε T₀ = 0,       σ: what the other spans' waves give way, T: the trial's
// which rises with Δ. (T₀ is the mean of what they have beyond their places in the run: o of hoist_along.cpp, foretold,
// is taken from it.) The row says T = T₀ at these ends: compliance 1/a + σ + ε, a = −∂T₀/∂Δ, gradient ∂Δ/∂ends at
// constant T₀. Newton on bodies and tensions is then exact, however deep the cable hangs.
//
// Its mass goes with its ends as if it lay between them evenly: m/6 (2 a₀ + a₁) at the first, the difference of the
// step taken of their velocities as hoist_along.cpp does. With the potential E that is a system of its own which keeps
// its energy; what the curve moves beyond that is left out. Of what lies on a floor the share φ that is off it is
// inert, with −φ M a − ½ φ̇ M v on the ends, M the above: that takes what ½ φ v·M v gains as it is lifted.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hanging_span.h"
#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/cables/hoist/span_flow.h"

namespace reeve {

namespace {
/// Links of a wave steeper than this are looked at.
constexpr double doubtful = 0.9;
/// A run that is longer than its path by this share of it is slack.
constexpr double slackShare = 1e-3;
/// A cable that flies about goes slack for a moment: it hangs when it has been slack for so long, s.
constexpr double patience = 0.5;
/// At once where its ends are nearer than this share of its length: no wave is that steep everywhere.
constexpr double foldedShare = 0.5;
/// A span is off the floor when it hangs above it by this share of its length.
constexpr double clear = 0.01;
}  // namespace

HoistCable::Hang HoistCable::hangOf(const State& s, int i, const Chord& chord) const {
  Hang out{hangingEnds(chord.span.end[0].point, chord.span.end[1].point, gravity_, stateOf(s, i).hangingLength),
           0.0,
           {0.0, 0.0}};
  out.weight = mass_ * stateOf(s, i).hangingLength * gravity_.norm();
  const double first = overFloor() ? chord.span.end[0].point.dot(out.up) - floor_ : 0.0;
  out.heights[0] = first;
  out.heights[1] = first + out.rise;
  return out;
}

/// Whether a span of this length between these ends hangs too steeply for a wave (−1), flat enough for one (1), or in
/// between.
int HoistCable::steepness(State& s, int i, const Chord& chord, double length) const {
  const double kept = stateOf(s, i).hangingLength;
  stateOf(s, i).hangingLength = length;
  const Hang hang = hangOf(s, i, chord);
  stateOf(s, i).hangingLength = kept;
  if (overFloor() && clearance(hang.width, hang.heights, std::max(length, hang.chord)) < clear * length) return -1;
  return steepnessOf(hang, length);
}

/// Before a step: which spans hang.
void HoistCable::settleHanging(const Instant& now, State& s, Events& events) const {
  if (!hangs()) return;
  int first = 0;
  double tension = 0.0, surplus = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (startsRun(s, k)) {
      first = k;
      tension = -s.force[at(spanSlot(i))];
      surplus = -stateOf(s, i).error;
      if (surplus < slackShare * stateOf(s, i).rest || tension > 0.0) surplus = 0.0;
    }
    const bool is = stateOf(s, i).hanging, doubt = stateOf(s, i).curve.slope >= doubtful;
    double& slackFor = stateOf(s, i).slackFor;
    if (!is && !doubt && surplus == 0.0 && !overFloor()) {
      slackFor = 0.0;
      continue;
    }
    const Chord chord = chordOf(now, s, i, to);
    const double arc = is ? stateOf(s, i).hangingLength : pieces() * stateOf(s, i).curve.link;
    if (is) {
      if (steepness(s, i, chord, arc) > 0) flatten(now, s, i, to);
      if (overFloor()) tellLying(now, s, i, chord, events);
      continue;
    }
    const bool touches = overFloor() && touchesFloor(s, i, chord);
    if (!doubt && surplus == 0.0 && !touches) {
      slackFor = 0.0;
      continue;
    }
    const bool upright = std::fabs(gravity_.dot(chord.span.n)) > 0.9 * gravity_.norm();
    const bool would = doubt ? steepness(s, i, chord, arc) < 0 : upright && steepness(s, i, chord, arc + surplus) < 0;
    slackFor = would ? slackFor + step_ : 0.0;
    const bool folded = would && chord.span.length < foldedShare * arc;
    if (slackFor < patience && !folded && !touches) continue;
    slackFor = 0.0;
    stateOf(s, i).hanging = true;
    stateOf(s, i).hangingHistory = 0;
    stateOf(s, i).hangingLength = std::max(arc, (1.0 + 1e-6) * chord.span.length);
    stateOf(s, i).hangingGrowth = 0.0;
    if (overFloor()) tellLying(now, s, i, chord, events);
    const int row = spanSlot(nodeAt(s, first));
    if (s.mode[at(row)] == Mode::free) continue;
    s.mode[at(row)] = Mode::free;  // it pulls by its weight from now on, and is not caught
    s.force[at(row)] = 0.0;
  }
}

/// Of the body at end e of a span, where the cable is, in the frame that its waves are remembered in.
Vec3 HoistCable::endVelocity(const Instant& now, const State& s, int node, const Chord& chord, int e) const {
  const int block = mountOf(s, node).block;
  Vec3 v = now.velocity(block) - drift_;
  if (now.rotates(block)) v += now.angularVelocity(block).cross(chord.span.end[at(e)].point - now.position(block));
  return v;
}

/// Whether a span's wave reaches down to the floor.
bool HoistCable::touchesFloor(const State& s, int i, const Chord& chord) const {
  const Vec3 up = -gravity_.normalized();
  const double *u = field(s, i, 0), x = chord.side[0].dot(up), y = chord.side[1].dot(up);
  const double first = chord.span.end[0].point.dot(up) - floor_, rise = chord.span.length * chord.span.n.dot(up);
  const int n = pieces();
  for (int m = 1; m < n; ++m)
    if (first + rise * m / n + u[2 * m] * x + u[2 * m + 1] * y < 0.0) return true;
  return false;
}

/// An event when a span comes to lie on the floor, or in a heap, and when it is off it.
void HoistCable::tellLying(const Instant& now, State& s, int i, const Chord& chord, Events& events) const {
  Whole& before = stateOf(s, i).lies;
  int lies = 0;
  if (stateOf(s, i).hanging) {
    const Hang hang = hangOf(s, i, chord);
    const LyingSpan span = lyingSpan(hang.width, hang.heights, stateOf(s, i).hangingLength, hang.weight);
    // Once told, a little more or less is not told again.
    const double margin = clear * stateOf(s, i).hangingLength;
    if (span.lies || (before > 0 && clearance(hang.width, hang.heights, stateOf(s, i).hangingLength) < margin))
      lies = NodeState::inPart;
    if (span.heap > (before > 1 ? 0.0 : margin)) lies = NodeState::inHeap;
  }
  if (lies == before) return;
  events.add({now.time, this, i,
              lies > 1     ? EventKind::liesInHeap
              : lies < 1   ? EventKind::offFloor
              : before > 1 ? EventKind::heapGone
                           : EventKind::liesOnFloor});
  before = lies;
}

/// How a span of this length hangs between these ends, or lies.
LyingCurve HoistCable::hangingAt(const Vec3& start, const Vec3& end, double length) const {
  return lyingCurve(start, end, length, gravity_, overFloor() ? floor_ : -unbounded,
                    hangingEnds(start, end, gravity_, length).width);
}

/// A span that hung becomes a wave of the same shape, which goes with its ends.
void HoistCable::flatten(const Instant& now, State& s, int i, int to) const {
  if (!stateOf(s, i).hanging) return;
  const Chord chord = chordOf(now, s, i, to);
  const int n = pieces();
  double* const fields[4] = {editField(s, i, 0), editField(s, i, 1), editField(s, i, 2), editField(s, i, 3)};
  double* u = fields[0];
  const Vec3 speed[2] = {endVelocity(now, s, i, chord, 0), endVelocity(now, s, to, chord, 1)};
  const LyingCurve curve = hangingAt(chord.span.end[0].point, chord.span.end[1].point, stateOf(s, i).hangingLength);
  stateOf(s, i).madeWith = step_;
  for (int m = 0; m <= n; ++m) {
    const double share = static_cast<double>(m) / n;
    const Vec3 at = curve.at(share * curve.length) - chord.span.end[0].point,
               moved = step_ * ((1.0 - share) * speed[0] + share * speed[1]);
    for (int c = 0; c < 2; ++c) {
      u[2 * m + c] = m == 0 || m == n ? 0.0 : at.dot(chord.side[c]);
      for (int k = 1; k <= 3; ++k) fields[k][2 * m + c] = moved.dot(chord.side[c]);
    }
  }
  stateOf(s, i).hanging = false;
  settleShape(s, i, chord, stateOf(s, i).hangingLength);
}

/// The length the spans that hang have together beyond their start, and everything that follows from it. Fills their
/// HoistSpan; returns what the row needs.
HoistCable::HangingRun HoistCable::hangRun(const State& s, int first, int end, double others, double soft, double rest,
                                           double stiff, double force, HoistSpans& spans) const {
  HangingRun run;
  double low = -unbounded, start = 0.0, above = 0.0;
  for (int k = first; k < end; ++k) {
    const int i = nodeAt(s, k);
    if (!stateOf(s, i).hanging) continue;
    ++run.count;
    start += stateOf(s, i).hangingLength;
    above += stateOf(s, i).offset.start - 0.5 * stateOf(s, i).offset.fall - stateOf(s, i).offset.sag;
  }
  const double n = run.count;
  for (int k = first; k < end; ++k) {
    const int i = nodeAt(s, k);
    if (!stateOf(s, i).hanging) continue;
    low = std::max(low, n * ((1.0 + 1e-9) * hangOf(s, i, spans[i].chord).chord - stateOf(s, i).hangingLength));
  }
  const double tension = std::max(-force, 0.0);
  double miss = 0.0, slope = 1.0;
  const auto value = [&](double more) {
    double sum = -above, bend = 0.0;
    for (int k = first; k < end; ++k) {
      const int i = nodeAt(s, k);
      if (!stateOf(s, i).hanging) continue;
      const Hang hang = hangOf(s, i, spans[i].chord);
      const LyingSpan span = lyingSpan(hang.width, hang.heights, stateOf(s, i).hangingLength + more / n, hang.weight,
                                       {.floor = overFloor(), .trace = lyingTrace * stateOf(s, i).hangingLength});
      sum += span.tension;
      bend += span.hessian(3, 3);
    }
    run.tension = sum / n;
    run.give = n * n / std::max(bend, 1e-12);
    miss = start + more + others - soft * (run.tension - tension) - rest - stiff * run.tension;
    slope = 1.0 + (soft + stiff) / run.give;
  };
  // It rises and is concave: from the left Newton never passes the root, and from the right it is halved.
  double left = low, right = unbounded, more = std::max(rest - others - start, low);
  for (int it = 0; it < 80; ++it) {
    value(more);
    if (miss < 0.0) left = more;
    if (miss >= 0.0) right = more;
    const double next = more - miss / slope;
    if (more == low && miss >= 0.0) break;  // taut: no longer than its chord
    const double to = next > left && next < right ? next : std::isfinite(right) ? 0.5 * (left + right) : next;
    const bool done = std::fabs(to - more) <= 1e-14 * (start + std::fabs(more));
    more = to;
    if (done) break;
  }
  value(more);
  run.miss = miss;
  run.length = start + more;
  for (int k = first; k < end; ++k) {
    const int i = nodeAt(s, k);
    if (!stateOf(s, i).hanging) continue;
    HoistSpan& look = spans[i];
    const Hang hang = hangOf(s, i, look.chord);
    const double length = stateOf(s, i).hangingLength + more / n;
    const LyingSpan span = lyingSpan(hang.width, hang.heights, length, hang.weight,
                                     {.floor = overFloor(), .trace = lyingTrace * stateOf(s, i).hangingLength});
    const HangingPull at_ = hangingPull(hang, span, run.give, n);
    for (int e : {0, 1}) look.stiffness[e] = at_.stiffness[e];
    look.stiffnessBetween = at_.between;
    const Vec3(&pull)[2] = at_.pull;
    look.wave.out = WaveOutcome{};
    look.wave.out.arc = length;
    look.wave.out.eta = pull[1].dot(look.chord.span.n);
    look.uneven = pull[0].dot(look.chord.span.n) + look.wave.out.eta;
    for (int end : {0, 1}) {
      const Vec3 push = at_.on[end] + run.tension * pull[end];
      look.wave.out.along[end] = push.dot(look.chord.span.n);
      for (int c = 0; c < 2; ++c) {
        look.wave.out.row[end][c] = pull[end].dot(look.chord.side[c]);
        look.wave.out.force[end][c] = push.dot(look.chord.side[c]) + look.wave.out.row[end][c] * force;
      }
    }
  }
  return run;
}

/// What of a span that hangs is not on the floor.
double HoistCable::liftedShare(const State& s, int i, const Chord& chord) const {
  if (stateOf(s, i).lies == 0) return 1.0;
  const Hang hang = hangOf(s, i, chord);
  const double length = stateOf(s, i).hangingLength;
  const LyingSpan span =
      lyingSpan(hang.width, hang.heights, length, hang.weight, {.floor = overFloor(), .trace = lyingTrace * length});
  return span.lies ? std::min((span.legs[0] + span.legs[1]) / length, 1.0) : 1.0;
}

/// Before a step: velocities that have jumped since the last one, or are not known, are taken as they are.
void HoistCable::beginHung(const Instant& now, State& s, int i, int to, const Chord& chord) const {
  if (!stateOf(s, i).hanging) return;
  const double lifted = liftedShare(s, i, chord), before = stateOf(s, i).lifted;
  // No faster than by all of it in a step: what is set down takes no more motion than it has.
  stateOf(s, i).lifting = stateOf(s, i).hangingHistory > 0 ? std::max(lifted - before, -lifted) / step_ : 0.0;
  stateOf(s, i).lifted = lifted;
  for (const int e : {0, 1}) {
    const Vec3 v = endVelocity(now, s, e == 0 ? i : to, chord, e), kept = stateOf(s, i).endSpeed[e].vec();
    if (stateOf(s, i).hangingHistory > 0 && !hasJumped(v, kept)) continue;
    stateOf(s, i).endSpeed[e] = v;
    stateOf(s, i).hangingHistory = 1;
  }
}

/// Inertia of what hangs, at its ends.
void HoistCable::forcesHung(const Instant& now, Forces& out) const {
  const HoistSpans& spans = now.cache<HoistCache>(*this).spans;
  const State& s = now.past();
  for (int k = 0; now.stepping && k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (!stateOf(s, i).hanging) continue;
    const Chord& chord = spans[i].chord;
    const bool second = now.second && stateOf(s, i).hangingHistory > 1;
    const double lifted = stateOf(s, i).lifted, lifting = 0.5 * stateOf(s, i).lifting;
    Vec3 a[2];
    for (const int e : {0, 1}) {
      const Vec3 v = endVelocity(now, s, e == 0 ? i : to, chord, e);
      const Vec3 last = stateOf(s, i).endSpeed[e].vec(), before = stateOf(s, i).endOlder[e].vec();
      a[e] = lifted * changeRate(v, last, before, second, now.h) + lifting * v;
    }
    const double m = mass_ * stateOf(s, i).hangingLength;
    for (const int e : {0, 1})
      pullEnd(now, s, e == 0 ? i : to, chord.span.end[at(e)].point, hungInertia(m, a[e], a[1 - e]), out);
    massHung(now, s, i, to, lifted * (second ? 1.5 : 1.0) / now.h + lifting, out.damping);
  }
}

void HoistCable::massHung(const Instant& now, const State& s, int i, int to, double scale, PatchSet& out) const {
  const HoistSpans& spans = now.cache<HoistCache>(*this).spans;
  const Chord& chord = spans[i].chord;
  const Mat3 third = scale * mass_ * stateOf(s, i).hangingLength / 3.0 * Mat3::Identity();
  pairStiffness(now, anchorAt(now, mountOf(s, i).block, chord.span.end[0].point),
                anchorAt(now, mountOf(s, to).block, chord.span.end[1].point), third, third, 0.5 * third, out);
}

/// After a step.
void HoistCable::finishHung(const Instant& now, State& s, int i) const {
  const HoistSpans& spans = now.cache<HoistCache>(*this).spans;
  const State& past = now.past();
  const HoistSpan& look = spans[i];
  for (const int e : {0, 1}) {
    stateOf(s, i).endOlder[e] = stateOf(past, i).endSpeed[e];
    stateOf(s, i).endSpeed[e] = endVelocity(now, past, e == 0 ? i : look.to, look.chord, e);
  }
  const double made = stateOf(past, i).madeWith;
  stateOf(s, i).hangingHistory = now.second && (made == 0.0 || made == now.h) ? 2 : 1;
}

}  // namespace reeve
