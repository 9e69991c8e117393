// What keeps the published explicit force of a hoist cable from blowing up.
//
// With k the stiffness, W the mobility of the ends and waves along the cable, an explicit force is stable while k W h²
// is of the order of one. Our second-order backward difference asks for the force at the end of the step: with that of
// its start it feeds every swing by ω²h/2. So the stretch is foretold with its rate,
//      T = k (x + (h + c) ẋ),      stable while k W h² (3/2 + c/h) < 4 (its characteristic polynomial),
// and a stiffness beyond half of that is cut down to it, which an event tells.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"

namespace reeve {

namespace {
/// Of k W h² (2 + c/h): half of what is stable.
constexpr double bearableShare = 2.0;
/// Of k W h² of a wave: a quarter of what is stable.
constexpr double mostFeedback = 0.5;
/// s: a wave that was too stiff a spring begins again when the tension has been fit for it for so long.
constexpr double calmFor = 0.5;
}  // namespace

/// Length the cable gives way by an impulse of one along it, m/(N s²): of all bodies it pulls.
double HoistCable::endMobility(const Instant& now, const State& s) const {
  const int links = count(s);
  const auto pull = [&](int place) {
    Vec3 d = Vec3::Zero();
    if (place > 0) d += chordOf(now, s, nodeAt(s, place - 1), nodeAt(s, place)).span.n;
    if (place + 1 < links) d -= chordOf(now, s, nodeAt(s, place), nodeAt(s, place + 1)).span.n;
    return d;
  };
  const auto block = [&](int place) { return mountOf(s, nodeAt(s, place)).block; };
  double sum = 0.0;
  for (int k = 0; k < links; ++k) {
    const Block& b = now.model().blocks[at(block(k))];
    if (!b.free) continue;
    bool seen = false;
    for (int j = 0; j < k && !seen; ++j) seen = block(j) == block(k);
    if (seen) continue;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (int j = k; j < links; ++j) {
      if (block(j) != block(k)) continue;
      const Vec3 d = pull(j);
      force += d;
      moment += (spanEnd(now, s, nodeAt(s, j)).frame.origin - now.position(block(k))).cross(d);
    }
    sum += force.squaredNorm() / b.mass;
    if (!b.rotates) continue;
    const Vec3 local = now.rotation(block(k)).transpose() * moment;
    sum += local.dot(b.inertia_B.ldlt().solve(local));
  }
  return sum;
}

/// Beyond the paper: what a wave adds to the length comes back as tension, a spring of EA/L on ∂arc/∂u, which the step
/// must be short for as well: h²/ρ ∫u″² ds, with ∫u″² ≈ 12/l² ∫u′² (a parabola's) four times over. In m/N.
double HoistCable::mobilityOf(double slopes, double chord) const {
  return step_ * step_ * 48.0 / (chord * chord) * slopes / mass_;
}

double HoistCable::waveMobility(const State& s, int i, double chord) const {
  return mobilityOf(sumsOf(s, i).s1 * pieces() / chord, chord);
}

double HoistCable::feedback(const State& s, int i, double chord) const {
  return waveMobility(s, i, chord) / complianceOf(s, i, stateOf(s, nodeAt(s, 0)).rest);
}

/// Whether a span's wave rests in this step. As published, while √(T/ρ) h M/l ≥ √2/2. And while it is too stiff a
/// spring for the step: every time such a wave is set to zero its mass is lifted, and every time it begins again it
/// falls and pulls, so one that came and went in turns would feed the load. It waits until the tension has been for
/// half a second what it may swing about: twice the parabola ρ g l²/8T, that is four times its ∫u′² = (ρ g)² l³/12T².
bool HoistCable::suspends(const Instant& now, State& s, int i, const Chord& chord, double tension,
                          Events& events) const {
  const double l = std::max(chord.span.length, 1e-9);
  const bool fast = !(std::sqrt(tension / mass_) * step_ * pieces() / l < std::sqrt(0.5));
  Whole& rests = stateOf(s, i).suspended;
  double& calm = stateOf(s, i).slackFor;
  const int was = rests;
  if (was == NodeState::byFeedback) {
    const Vec3 across = gravity_ - gravity_.dot(chord.span.n) * chord.span.n;
    const double w = mass_ * across.norm(), slopes = 4.0 * w * w * l * l * l / 12.0;
    const double stiff = 1.0 / complianceOf(s, i, stateOf(s, nodeAt(s, 0)).rest);
    const bool fit = stiff * mobilityOf(slopes, l) < mostFeedback * tension * tension && tension > 0.0 && !fast;
    calm = fit ? calm + step_ : 0.0;
    if (calm < calmFor) return true;
  }
  rests = fast ? NodeState::byCourant : feedback(s, i, l) >= mostFeedback ? NodeState::byFeedback : 0;
  if (rests != 0) calm = 0.0;
  if (rests != 0 && was == 0) events.add({now.time, this, i, EventKind::wavesSuspended});
  if (rests == 0 && was != 0) events.add({now.time, this, i, EventKind::wavesResumed});
  return rests != 0;
}

/// The stiffness of an explicit force that this step can bear, N/m.
double HoistCable::bearable(const Instant& now, const State& s, double stiff) const {
  double give = step_ * step_ * endMobility(now, s);
  for (int k = 0; waves() && k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    give += waveMobility(s, i, std::max(chordOf(now, s, i, nodeAt(s, k + 1)).span.length, 1e-9));
  }
  const double most = bearableShare / (give * (2.0 + settings_.material.damping / step_));
  return give > 0.0 ? std::min(stiff, most) : stiff;
}

/// Eq. 1 with the signs set right: T = EA/L (l − L) + c (l̇ − L̇), never below zero.
double HoistCable::publishedTension(const Instant& now, State& s, Events& events) const {
  double length = 0.0, rate = 0.0;
  SpanGeometry before;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
    const Chord chord = chordOf(now, s, from, to);
    length += spanArc(s, from, chord.span.length);
    if (k > 0) length += wrapOf(now, s, from, before, chord.span).length;
    const auto speed = [&](int i, const Vec3& point) {
      const int block = mountOf(s, i).block;
      if (!now.rotates(block)) return now.velocity(block);
      return Vec3(now.velocity(block) + now.angularVelocity(block).cross(point - now.position(block)));
    };
    rate += chord.span.n.dot(speed(to, chord.span.end[1].point) - speed(from, chord.span.end[0].point));
    before = chord.span;
  }
  const double rest = stateOf(s, nodeAt(s, 0)).rest + payoutAt(s, now.time), stretch = length - rest;
  const double asked = 1.0 / complianceOf(s, nodeAt(s, 0), rest), stiff = bearable(now, s, asked);
  Flag& limited = stateOf(s).limited;
  if (stiff < asked && !limited) events.add({now.time, this, 0, EventKind::explicitForceLimited});
  limited = stiff < asked;
  const double ahead = payoutAt(s, now.time + step_) - payoutAt(s, now.time);
  const double foretold = (step_ + settings_.material.damping) * (rate - ahead / step_);
  if (stretch <= 0.0 && stretch + foretold <= 0.0) return 0.0;
  return std::max(stiff * (stretch + (stretch > 0.0 ? foretold : step_ * (rate - ahead / step_))), 0.0);
}

}  // namespace reeve
