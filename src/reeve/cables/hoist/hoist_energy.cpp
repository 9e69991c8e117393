// The energies of a hoist cable: of its stretch, of its motion along and across its chords, and of its weight.
#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/cables/hoist/span_flow.h"

namespace reeve {

Energy HoistCable::energy(const Instant& now, std::span<const double>) const {
  const State& s = now.past();
  const int links = count(s);
  Energy sum;
  double rest = 0.0, tension = 0.0;
  for (int k = 0; k + 1 < links; ++k) {
    const int i = nodeAt(s, k);
    if (startsRun(s, k)) {
      rest = stateOf(s, i).rest + (k == 0 ? payoutAt(s, now.time) : 0.0);
      // Of the stretch, not of the force: that has what the damping pulls in it.
      const double soft = complianceOf(s, i, rest);
      const bool told = settings_.pull == PullForm::row && soft > 0.0;
      tension = settings_.pull == PullForm::force ? stateOf(s).explicitTension
                : told                            ? std::max(stateOf(s, i).error, 0.0) / soft
                                                  : 0.0;
    }
    if (k + 2 == links || startsRun(s, k + 1)) sum.elastic += 0.5 * tension * tension * complianceOf(s, i, rest);
  }
  if (!waves()) return sum;
  if (carriesAlong()) sum.kinetic += energyAlong(now, s) + energyLying(now, s);
  wavesEnergy(now, sum);
  storedEnergy(now, sum);
  return sum;
}

/// Of the waves, and of what hangs: motion and height. What is remembered of motion is so in a frame with velocity V:
/// with P the momentum in it there are V·P + ½ m V² beside.
void HoistCable::wavesEnergy(const Instant& now, Energy& sum) const {
  const State& s = now.past();
  const int n = pieces();
  const bool started = stateOf(s, nodeAt(s, 0)).flows != 0;  // otherwise energyAlong() has worked it out
  Vec3 arrives = Vec3::Zero(), momentum = Vec3::Zero();
  double whole = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    const Chord chord = chordOf(now, s, i, nodeAt(s, k + 1));
    // What has come to lie on a body it met is as high as it was.
    if (node(i).contact && round(s, i))
      sum.potential -= mass_ * stateOf(s, i).wrap.length * gravity_.dot(0.5 * (arrives + chord.span.end[0].point));
    arrives = chord.span.end[1].point;
    const double mu = explicitWaves() ? mass_ * chord.span.length / n : linkMass(s, i);
    const double made = stateOf(s, i).hanging ? 0.0 : stateOf(s, i).madeWith;
    const double* a = field(s, i, 1);
    const double* b = explicitWaves() ? a : field(s, i, 2);
    const bool wave = carriesAlong() && !stateOf(s, i).hanging;
    if (wave) {
      const Lie lie = lieOf(s, i);
      sum.potential -=
          n * mu *
          gravity_.dot(0.5 * (chord.span.end[0].point + chord.span.end[1].point) + lie.ahead * chord.span.n +
                       lie.aside[0] * chord.side[0] + lie.aside[1] * chord.side[1]);
      whole += n * mu;
      const double flow = started ? stateOf(s, i).flow : workspace(now).spans[i].flow;
      momentum += n * mu * flow * chord.span.n;
    }
    if (!wave && carriesAlong()) {  // what hangs goes with its ends
      const Vec3 v[2] = {endVelocity(now, s, i, chord, 0), endVelocity(now, s, nodeAt(s, k + 1), chord, 1)};
      const double lifted = liftedShare(s, i, chord) * n * mu;
      sum.kinetic += hungMotion(lifted, v[0], v[1]);
      whole += lifted;
      momentum += 0.5 * lifted * (v[0] + v[1]);
    }
    for (int m = 0; m <= n; ++m) {
      const double share = m == 0 || m == n ? 0.5 : 1.0;
      if (!wave) sum.potential -= share * mu * gravity_.dot(curvePoint(s, i, chord, m));
      if (made <= 0.0) continue;
      for (int c = 0; c < 2; ++c) {
        const double v = (1.5 * a[2 * m + c] - 0.5 * b[2 * m + c]) / made;
        sum.kinetic += 0.5 * share * mu * v * v;
        momentum += share * mu * v * chord.side[c];
      }
    }
  }
  sum.kinetic += drift_.dot(momentum) + 0.5 * whole * drift_.squaredNorm();
}

/// Paying out, against the tension where the first run begins, of material that is at rest before; and what damps the
/// waves, as they were when the step began.
void HoistCable::work(const Instant& now, std::span<const double> force, Doings& out) const {
  const State& s = now.past();
  const double step = now.h > 0.0 ? now.h : step_, end = now.h > 0.0 ? now.time : now.time + step_;
  const double lift = carriesAlong() ? stateOf(s, nodeAt(s, 0)).offset.start : 0.0;
  const double rate = (payoutAt(s, end) - payoutAt(s, end - step)) / step;
  out.add(Work::moved, (force[at(spanSlot(nodeAt(s, 0)))] - lift) * rate + 0.5 * mass_ * rate * rate * rate);
  if (!waves() || explicitWaves() || settings_.waveDamping == 0.0) return;
  const int n = pieces();
  double motion = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    const double made = stateOf(s, i).hanging ? 0.0 : stateOf(s, i).madeWith;
    const double *a = field(s, i, 1), *b = field(s, i, 2);
    for (int m = 0; made > 0.0 && m <= n; ++m)
      for (int c = 0; c < 2; ++c) {
        const double v = (1.5 * a[2 * m + c] - 0.5 * b[2 * m + c]) / made;
        motion += (m == 0 || m == n ? 0.5 : 1.0) * linkMass(s, i) * v * v;
      }
  }
  out.add(Work::damping, -settings_.waveDamping * motion);
}

/// What is not in its spans: on pulleys, on drums, and of a length that is paid out at the first end what has not come
/// from there yet. So the mass is one, and energies differ by a constant between one origin and another.
void HoistCable::storedEnergy(const Instant& now, Energy& sum) const {
  const State& s = now.past();
  for (int k = 0; k < count(s); ++k) {
    const int i = nodeAt(s, k);
    if (!round(s, i) || node(i).contact) continue;
    const double there = grips(s, i) ? stateOf(s, i).stored : stateOf(s, i).wrap.length;
    sum.potential -= mass_ * there * gravity_.dot(spanEnd(now, s, i).frame.origin);
  }
  const Chord first = chordOf(now, s, nodeAt(s, 0), nodeAt(s, 1));
  sum.potential += mass_ * payoutAt(s, now.time) * gravity_.dot(first.span.end[0].point);
}

}  // namespace reeve
