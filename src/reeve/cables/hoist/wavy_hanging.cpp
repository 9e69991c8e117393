// Spans of a waved cable of joints that are too slack for a wave across their chord: they hang at rest, as those of a
// hoist cable do (hoist_hanging.cpp), each with a row and a rest length of its own.
//
// With L what the row has of rest length, A is the one root of A − L − ε T(A) = 0, T(A) the mean tension of the
// catenary of that length between the ends. The row says T = T(A) at these ends; its gradient is that of A at a
// constant tension.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hanging_ends.h"
#include "reeve/cables/hoist/wavy_joints.h"
#include "reeve/geometry/hanging.h"

namespace reeve {

namespace {
/// As in hoist_hanging.cpp: links of a wave that are looked at, what counts as slack, s, and when at once.
constexpr double doubtfulSlope = 0.9, slackPart = 1e-3, waits = 0.5, foldedPart = 0.5;
}  // namespace

/// Before a step: which spans hang.
void WavyJoints::settleHanging(const Instant& now, State& s) const {
  const Vec3& g = gravity_;
  if (!(g.squaredNorm() > 0.0)) return;
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const WaveSpan m = waveOf(s, from);
    const SpanShape shape = shapeOf(now, s, from, to);
    if (shape.bent || shape.first.status != TangentStatus::ok || m->to != to) continue;
    const Vec3 &a = shape.first.end[0].point, &b = shape.first.end[1].point;
    const double arc = m.arc(), chord = (b - a).norm();
    if (m->hanging) {
      if (steepnessOf(hangingEnds(a, b, g, arc), arc) > 0) flatten(now, m, from, to, a, b);
      continue;
    }
    const double rest = stateOf(s, from).rest, tension = -s.force[static_cast<std::size_t>(spanSlot(from))];
    const double surplus = tension <= 0.0 && rest - arc > slackPart * rest ? rest - arc : 0.0;
    const bool doubt = m->shape.slope >= doubtfulSlope;
    const double length = arc + surplus;
    const bool would = (doubt || surplus > 0.0) && steepnessOf(hangingEnds(a, b, g, length), length) < 0;
    m->slackFor = would ? m->slackFor + now.model().description.settings.dt : 0.0;
    if (!would || (m->slackFor < waits && !(chord < foldedPart * length))) continue;
    hang(m, std::max(length, (1.0 + 1e-6) * chord));
    const auto row = static_cast<std::size_t>(spanSlot(from));
    if (s.mode[row] == Mode::free) continue;
    s.mode[row] = Mode::free;  // it pulls by its weight from now on, and is not caught
    s.force[row] = 0.0;
  }
}

void WavyJoints::hang(WaveSpan m, double length) const {
  m->hanging = true;
  m->slackFor = 0.0;
  m->shape.link = length / pieces();
  m->shape.eta = 1.0;
  m->shape.slope = 1.0;
}

/// The shape of a span that hangs, as far as a wave can show it, which goes with its ends.
void WavyJoints::drawHung(WaveSpan m, const Vec3& a, const Vec3& b, const Vec3 (&moved)[2]) const {
  WaveSpanCache look;
  look.n = (b - a).normalized();
  frame(m, look);
  const int n = pieces();
  const HangingCurve curve = hangingCurve(a, b, n * m->shape.link, gravity_);
  for (int i = 0; i <= n; ++i) {
    const double share = static_cast<double>(i) / n;
    const Vec3 at = curve.at(share * curve.length) - a, step = (1.0 - share) * moved[0] + share * moved[1];
    for (int c = 0; c < 2; ++c) {
      m.u()[2 * i + c] = i == 0 || i == n ? 0.0 : at.dot(look.side[c]);
      for (int k = 1; k <= 3; ++k) m.field(k)[2 * i + c] = step.dot(look.side[c]);
    }
  }
}

/// What hung is a wave of the same length again.
void WavyJoints::flatten(const Instant& now, WaveSpan m, int from, int to, const Vec3& a, const Vec3& b) const {
  const double h = m->madeWith > 0.0 ? m->madeWith : now.model().description.settings.dt, arc = m.arc();
  Vec3 moved[2];
  for (const int e : {0, 1}) {
    const int block = link(e == 0 ? from : to).mount.block;
    moved[e] = h * now.velocity(block);
    if (now.rotates(block)) moved[e] += h * now.angularVelocity(block).cross((e == 0 ? a : b) - now.position(block));
  }
  drawHung(m, a, b, moved);
  m->hanging = false;
  m->madeWith = h;
  {
    m->start = a;
    m->end = b;
  }
  scaleTo(m, (b - a).norm(), arc);
}

/// The row of a span that hangs. It says how long the span is and what it does to its ends.
void WavyJoints::hangRow(const Instant& now, const State& s, int from, int to, Row& row, WaveSpanCache& look,
                         RowSet& out) const {
  const Vec3& g = gravity_;
  const ConstWaveSpan m = waveOf(s, from);
  const double before = m.arc(), weight = settings_.material.mass * before * g.norm();
  const HangingEnds ends = hangingEnds(look.a, look.b, g, before);
  const double rest = look.length - row.error, soft = row.compliance, low = (1.0 + 1e-9) * ends.chord;
  const double heights[2] = {0.0, ends.rise};
  LyingSpan span;
  double arc = std::max(rest, low), left = low, right = unbounded, miss = 0.0;
  const auto value = [&] {
    span = lyingSpan(ends.width, heights, arc, weight, {.floor = false});
    miss = arc - rest - soft * span.tension;
  };
  // It rises and is concave: from the left Newton never passes the root, and from the right it is halved.
  for (int it = 0; it < 80; ++it) {
    value();
    (miss < 0.0 ? left : right) = arc;
    if (arc == low && miss >= 0.0) break;  // taut
    const double next = arc - miss / (1.0 + soft * span.hessian(3, 3));
    const double there = next > left && next < right ? next : std::isfinite(right) ? 0.5 * (left + right) : next;
    const bool done = std::fabs(there - arc) <= 1e-14 * arc;
    arc = there;
    if (done) break;
  }
  value();
  const double give = 1.0 / std::max(span.hessian(3, 3), 1e-12);
  const HangingPull pull = hangingPull(ends, span, give);
  look.curved = look.hangs = true;
  look.wave = WaveOutcome{};
  look.wave.arc = arc;
  row.compliance = soft + give;
  row.error = miss + row.compliance * span.tension;
  row.damping = 0.0;
  row.errorDependsOnForce = true;
  for (const int e : {0, 1}) {
    look.push[e] = pull.on[e] + span.tension * pull.pull[e];
    look.hold[e] = pull.stiffness[e];
    addPull(now, e == 0 ? from : to, e == 0 ? look.a : look.b, pull.pull[e] + (e == 0 ? 1.0 : -1.0) * look.n, row, out);
  }
}

/// J, of a span that hangs: its height. It has no motion of its own.
double WavyJoints::hungEnergy(ConstWaveSpan m, const Vec3& a, const Vec3& b) const {
  const double arc = m.arc(), mass = settings_.material.mass * arc;
  return hangingEnergy(hangingEnds(a, b, gravity_, arc), arc, mass * gravity_.norm()) - mass * gravity_.dot(a);
}

/// At the start: a span longer than its chord hangs, as a wave where it can.
void WavyJoints::layFirst(WaveSpan m, const Vec3& a, const Vec3& b, double rest) const {
  const Vec3& g = gravity_;
  const double chord = (b - a).norm();
  if (!(g.squaredNorm() > 0.0) || !(rest > (1.0 + 1e-6) * chord)) return;
  const HangingEnds ends = hangingEnds(a, b, g, rest);
  m->shape.link = rest / pieces();
  drawHung(m, a, b, {Vec3::Zero(), Vec3::Zero()});
  if (steepnessOf(ends, rest) < 0) return hang(m, rest);
  scaleTo(m, chord, rest);
}

}  // namespace reeve
