// Spans of a hoist cable that are too slack for a wave across their chord: they hang at rest (hanging_span.h).
//
// A run with such spans still has one row and one tension T. What the run has of length beyond its other spans, Δ more
// than at the start of the step, is shared equally among those that hang: A_i = A_i⁰ + Δ/n. With E = Σ E_i the tension
// is T₀(Δ) = −∂E/∂Δ, the mean of theirs, and Δ is the one root of
//      Σ A_i + Σ arcs − σ (T₀ − T) − L − ε T₀ = 0,       σ: what the other spans' waves give way, T: the trial's
// which rises with Δ. (T₀ is the mean of what they have beyond their places in the run: o of hoist_along.cpp, foretold,
// is taken from it.) The row says T = T₀ at these ends: compliance 1/a + σ + ε, a = −∂T₀/∂Δ, gradient ∂Δ/∂ends at
// constant T₀. Newton on bodies and tensions is then exact, however deep the cable hangs.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hanging_span.h"
#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/geometry/hanging.h"

namespace reeve {

namespace {
/// A span whose hanging curve is steeper to its chord than this (cosine) at either end hangs; one that hangs becomes a
/// wave again when it is flatter than that.
constexpr double steep = 0.25, flat = 0.4;
/// Links of a wave steeper than this are looked at.
constexpr double doubtful = 0.9;
/// A run that is longer than its path by this share of it is slack.
constexpr double slackShare = 1e-3;
/// A cable that flies about goes slack for a moment: it hangs when it has been slack for so long, s.
constexpr double patience = 0.5;
/// Ends above each other are taken as this share of the length apart.
constexpr double leastWidth = 1e-3;
}  // namespace

HoistCable::Hang HoistCable::hangOf(const State& s, int i, const Chord& chord) const {
  Hang out;
  out.up = -gravity_.normalized();
  const Vec3 d = chord.span.end[1].point - chord.span.end[0].point;
  out.rise = d.dot(out.up);
  const Vec3 flatPart = d - out.rise * out.up;
  out.across = flatPart.norm();
  out.way = out.across > 0.0 ? Vec3(flatPart / out.across) : Vec3::Zero();
  const double least = leastWidth * recall(s, i, hung_);
  out.width = std::sqrt(out.across * out.across + least * least);
  out.chord = std::sqrt(out.width * out.width + out.rise * out.rise);
  out.weight = mass_ * recall(s, i, hung_) * gravity_.norm();
  return out;
}

/// Whether a span of this length between these ends hangs too steeply for a wave (−1), flat enough for one (1), or in
/// between.
int HoistCable::steepness(State& s, int i, const Chord& chord, double length) const {
  const double kept = recall(s, i, hung_);
  s.memory[cell(i, hung_)] = length;
  const Hang hang = hangOf(s, i, chord);
  s.memory[cell(i, hung_)] = kept;
  if (length < (1.0 + 1e-6) * hang.chord) return 1;
  const HangingSpan span = hangingSpan(hang.width, hang.rise, length, hang.weight);
  const double least = std::min(span.cosine[0], span.cosine[1]);
  return least < steep ? -1 : least > flat ? 1 : 0;
}

/// Before a step: which spans hang.
void HoistCable::settleHanging(const Instant& now, State& s) const {
  if (!hangs()) return;
  int first = 0;
  double tension = 0.0, surplus = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (startsRun(s, k)) {
      first = k;
      tension = -s.force[at(spanSlot(i))];
      surplus = -recall(s, i, error_);
      if (surplus < slackShare * recall(s, i, rest_) || tension > 0.0) surplus = 0.0;
    }
    const bool is = recall(s, i, hanging_) != 0.0, doubt = recall(s, i, slope_) >= doubtful;
    double& slackFor = s.memory[cell(i, slackFor_)];
    if (!is && !doubt && surplus == 0.0) {
      slackFor = 0.0;
      continue;
    }
    const Chord chord = chordOf(now, s, i, to);
    const double arc = is ? recall(s, i, hung_) : pieces() * recall(s, i, link_);
    if (is) {
      if (steepness(s, i, chord, arc) > 0) flatten(now, s, i, to);
      continue;
    }
    const bool upright = std::fabs(gravity_.dot(chord.span.n)) > 0.9 * gravity_.norm();
    const bool would = doubt ? steepness(s, i, chord, arc) < 0 : upright && steepness(s, i, chord, arc + surplus) < 0;
    slackFor = would ? slackFor + step_ : 0.0;
    if (slackFor < patience) continue;
    s.memory[cell(i, hanging_)] = 1.0;
    s.memory[cell(i, hung_)] = std::max(arc, (1.0 + 1e-6) * chord.span.length);
    const int row = spanSlot(nodeAt(s, first));
    if (s.mode[at(row)] == Mode::free) continue;
    s.mode[at(row)] = Mode::free;  // it pulls by its weight from now on, and is not caught
    s.force[at(row)] = 0.0;
  }
}

/// A span that hung becomes a wave of the same shape, which goes with its ends.
void HoistCable::flatten(const Instant& now, State& s, int i, int to) const {
  if (recall(s, i, hanging_) == 0.0) return;
  const Chord chord = chordOf(now, s, i, to);
  const int n = pieces();
  double* const fields[4] = {editField(s, i, 0), editField(s, i, 1), editField(s, i, 2), editField(s, i, 3)};
  double* u = fields[0];
  Vec3 speed[2];
  for (int e = 0; e < 2; ++e) {
    const int block = mountOf(s, e == 0 ? i : to).block;
    const Vec3& point = chord.span.end[at(e)].point;
    speed[e] = now.velocity(block);
    if (now.rotates(block)) speed[e] += now.angularVelocity(block).cross(point - now.position(block));
  }
  const HangingCurve curve =
      hangingCurve(chord.span.end[0].point, chord.span.end[1].point, recall(s, i, hung_), gravity_);
  s.memory[cell(i, madeWith_)] = step_;
  for (int m = 0; m <= n; ++m) {
    const double share = static_cast<double>(m) / n;
    const Vec3 at = curve.at(share * curve.length) - chord.span.end[0].point,
               moved = step_ * ((1.0 - share) * speed[0] + share * speed[1]);
    for (int c = 0; c < 2; ++c) {
      u[2 * m + c] = m == 0 || m == n ? 0.0 : at.dot(chord.side[c]);
      for (int k = 1; k <= 3; ++k) fields[k][2 * m + c] = moved.dot(chord.side[c]);
    }
  }
  s.memory[cell(i, hanging_)] = 0.0;
  settleShape(s, i, chord, recall(s, i, hung_));
}

/// The length the spans that hang have together beyond their start, and everything that follows from it. Fills their
/// Looked; returns what the row needs.
HoistCable::HangingRun HoistCable::hangRun(const Instant& now, const State& s, int first, int end, double others,
                                           double soft, double rest, double stiff, double force) const {
  HangingRun run;
  double low = -unbounded, start = 0.0, above = 0.0;
  for (int k = first; k < end; ++k) {
    const int i = nodeAt(s, k);
    if (recall(s, i, hanging_) == 0.0) continue;
    ++run.count;
    start += recall(s, i, hung_);
    above += recall(s, i, lift_) - 0.5 * recall(s, i, fall_) - recall(s, i, sink_);
  }
  const double n = run.count;
  for (int k = first; k < end; ++k) {
    const int i = nodeAt(s, k);
    if (recall(s, i, hanging_) == 0.0) continue;
    low = std::max(low, n * ((1.0 + 1e-9) * hangOf(s, i, looked(now, i).chord).chord - recall(s, i, hung_)));
  }
  const double tension = std::max(-force, 0.0);
  double miss = 0.0, slope = 1.0;
  const auto value = [&](double more) {
    double sum = -above, bend = 0.0;
    for (int k = first; k < end; ++k) {
      const int i = nodeAt(s, k);
      if (recall(s, i, hanging_) == 0.0) continue;
      const Hang hang = hangOf(s, i, looked(now, i).chord);
      const HangingSpan span = hangingSpan(hang.width, hang.rise, recall(s, i, hung_) + more / n, hang.weight);
      sum += span.tension;
      bend += span.hessian(2, 2);
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
    if (recall(s, i, hanging_) == 0.0) continue;
    Looked& look = looked(now, i);
    const Hang hang = hangOf(s, i, look.chord);
    const double length = recall(s, i, hung_) + more / n;
    const HangingSpan span = hangingSpan(hang.width, hang.rise, length, hang.weight);
    // (X, v) by the ends' distance: X = √(x² + least²).
    const double lean = hang.across / hang.width, bend = (1.0 - lean * lean) / hang.width;
    const Vec3 wide = lean * hang.way;
    const Vec3 byLength = span.hessian(0, 2) * wide + span.hessian(1, 2) * hang.up;
    const Vec3 pull = -run.give / n * byLength;
    const Vec3 onSecond = -span.horizontal * wide - span.vertical * hang.up;
    const Vec3 onFirst = -onSecond - hang.weight * hang.up;
    const Vec3 side = hang.up.cross(hang.way);
    look.stiffness = span.hessian(0, 0) * wide * wide.transpose() + span.hessian(1, 1) * hang.up * hang.up.transpose() +
                     span.hessian(0, 1) * (wide * hang.up.transpose() + hang.up * wide.transpose()) +
                     span.horizontal * bend * hang.way * hang.way.transpose() +
                     span.horizontal / hang.width * side * side.transpose() -
                     run.give / (n * n) * byLength * byLength.transpose();
    look.wave.out = WaveOutcome{};
    look.wave.out.arc = length;
    look.wave.out.eta = pull.dot(look.chord.span.n);
    const Vec3 push[2] = {onFirst - run.tension * pull, onSecond + run.tension * pull};
    for (int e = 0; e < 2; ++e) {
      look.wave.out.along[e] = push[e].dot(look.chord.span.n);
      for (int c = 0; c < 2; ++c) {
        look.wave.out.row[e][c] = (e == 0 ? -1.0 : 1.0) * pull.dot(look.chord.side[c]);
        look.wave.out.force[e][c] = push[e].dot(look.chord.side[c]) + look.wave.out.row[e][c] * force;
      }
    }
  }
  return run;
}

}  // namespace reeve
