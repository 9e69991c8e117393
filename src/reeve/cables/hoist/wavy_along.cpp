// Inertia of waved joints along their chords, and where they hang: as of a run of one span in hoist_along.cpp and
// hoist_hanging.cpp. The material of a span flows along its chord n with the mean of its ends,
//      w = n·(v₀ + v₁)/2,     on either end  ½ m (g·n + v̄·ṅ − ẇ) n,
// and meets w ṅ across it. What slides over links besides is not in it: rope that runs through pulleys which stand
// still has a quarter of its inertia, where a hoist cable has all.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/span_flow.h"
#include "reeve/cables/hoist/wavy_joints.h"
#include "reeve/math/at.h"

namespace reeve {

Vec3 WavyJoints::endVelocity(const Instant& now, int i, const Vec3& point) const {
  const int block = link(i).mount.block;
  Vec3 v = now.velocity(block);
  if (now.rotates(block)) v += now.angularVelocity(block).cross(point - now.position(block));
  return v;
}

/// Before a step: the flow it starts with, and what the swinging of the chords does.
void WavyJoints::beginAlong(const Instant& now, State& s) const {
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const WaveSpan m = waveOf(s, from);
    const SpanShape shape = shapeOf(now, s, from, to);
    if (shape.bent || shape.first.status != TangentStatus::ok || m->to != to) {
      m->flows = 0;
      continue;
    }
    const SpanGeometry& g = shape.first;
    const Vec3 v[2] = {endVelocity(now, from, g.end[0].point), endVelocity(now, to, g.end[1].point)};
    const double flow = 0.5 * (v[0] + v[1]).dot(g.n);
    bool jumps = m->flows == 0 || hasJumped(flow, m->flow);
    for (const int e : {0, 1}) jumps = jumps || hasJumped(v[e], m->speed[e].vec());
    if (m->flows == 0) m->axial = 0.0;
    if (jumps) {
      m->flows = 1;
      m->flow = flow;
      for (const int e : {0, 1}) m->speed[e] = v[e];
    }
    const ChordSwing here = chordSwing(v, g.n, g.length, m.arc(), flow);
    const double last = m->flows > 1 ? 1.0 : 0.0;
    m->centrifugal = here.fling + last * (here.fling - m->centrifugalStart);
    m->coriolis = here.swing + last * (here.swing - m->coriolisStart.vec());
    m->centrifugalStart = here.fling;
    m->coriolisStart = here.swing;
  }
}

/// m/s², of the flow in the step that is tried, and of the ends.
WavyJoints::Haste WavyJoints::hasteOf(const Instant& now, int from, int to) const {
  const WaveSpanCache& look = spanAt(now, from);
  const ConstWaveSpan m = waveOf(now.past(), from);
  Haste out;
  out.second = now.second && m->flows > 1;
  out.mass = settings_.material.mass * pieces() * m->shape.link;
  const Vec3 v[2] = {endVelocity(now, from, look.a), endVelocity(now, to, look.b)};
  out.flow = 0.5 * (v[0] + v[1]).dot(look.n);
  out.along = changeRate(out.flow, m->flow, m->flowBefore, out.second, now.h);
  for (const int e : {0, 1}) {
    out.speed[e] = v[e];
    out.ends[e] = changeRate(v[e], m->speed[e].vec(), m->speedBefore[e].vec(), out.second, now.h);
  }
  return out;
}

/// What it does to end e beside the row, weight and inertia: of a span that hangs, or along the chord.
Vec3 WavyJoints::inertiaAt(const Instant& now, const Haste& haste, int from, int e) const {
  const WaveSpanCache& look = spanAt(now, from);
  const double weight = look.hangs ? 0.0 : 0.5 * haste.mass * gravity_.dot(look.n);
  if (!now.stepping) return weight * look.n;
  if (look.hangs) return hungInertia(haste.mass, haste.ends[e], haste.ends[1 - e]);
  const double fling = waveOf(now.past(), from)->centrifugal;
  return (weight + 0.5 * haste.mass * (fling - haste.along)) * look.n;
}

void WavyJoints::massAlong(const Instant& now, int from, int to, double mass, PatchSet& out) const {
  const WaveSpanCache& look = spanAt(now, from);
  const Anchor first = anchorAt(now, link(from).mount.block, look.a),
               second = anchorAt(now, link(to).mount.block, look.b);
  const Mat3 along = 0.25 * mass * look.n * look.n.transpose(), third = mass / 3.0 * Mat3::Identity();
  if (look.hangs)
    pairStiffness(now, first, second, third, third, 0.5 * third, out);
  else
    pairStiffness(now, first, second, along, along, along, out);
}

/// What a jump has to move beside the bodies.
void WavyJoints::mass(const Instant& now, PatchSet& out) const {
  if (now.stepping || now.model().hasElementMass) return;
  const State& s = now.past();
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k];
    if (spanAt(now, from).curved)
      massAlong(now, from, route.next(k), settings_.material.mass * pieces() * waveOf(s, from)->shape.link, out);
  }
}

/// After a step, before what is remembered of it is written.
void WavyJoints::finishAlong(const Instant& now, State& s) const {
  const State& past = now.past();
  const auto route = routeOf(past);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k];
    const ConstWaveSpan was = waveOf(past, from);
    const WaveSpan m = waveOf(s, from);
    if (!spanAt(now, from).curved || !now.stepping) {
      m->flows = 0;
      continue;
    }
    const Haste haste = hasteOf(now, from, route.next(k));
    m->axial = m->centrifugal - haste.along;
    m->flowBefore = was->flow;
    m->flow = haste.flow;
    for (const int e : {0, 1}) {
      m->speedBefore[e] = was->speed[e];
      m->speed[e] = haste.speed[e];
    }
    m->flows = now.second && (was->madeWith == 0.0 || was->madeWith == now.h) ? 2 : 1;
  }
}

/// J, of a span: its flow, or its motion with its ends.
double WavyJoints::energyAlong(const Instant& now, const State& s, int from, int to, const Vec3& a,
                               const Vec3& b) const {
  const ConstWaveSpan m = waveOf(s, from);
  const double mass = settings_.material.mass * pieces() * m->shape.link, length = (b - a).norm();
  const Vec3 v[2] = {endVelocity(now, from, a), endVelocity(now, to, b)};
  if (m->hanging) return hungMotion(mass, v[0], v[1]);
  const double flow = length > 0.0 ? 0.5 * (v[0] + v[1]).dot(b - a) / length : 0.0;
  return 0.5 * mass * flow * flow;
}

}  // namespace reeve
