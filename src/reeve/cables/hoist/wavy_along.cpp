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
    double* m = span(s.memory, from);
    const SpanShape shape = shapeOf(now, s, from, to);
    if (shape.bent || shape.first.status != TangentStatus::ok || static_cast<int>(m[to_]) != to) {
      m[flows_] = 0.0;
      continue;
    }
    const SpanGeometry& g = shape.first;
    const Vec3 v[2] = {endVelocity(now, from, g.end[0].point), endVelocity(now, to, g.end[1].point)};
    const double flow = 0.5 * (v[0] + v[1]).dot(g.n);
    bool jumps = m[flows_] == 0.0 || hasJumped(flow, m[flow_]);
    for (const int e : {0, 1}) jumps = jumps || hasJumped(v[e], Vec3::Map(m + speed_ + 3 * e));
    if (m[flows_] == 0.0) m[haste_] = 0.0;
    if (jumps) {
      m[flows_] = 1.0;
      m[flow_] = flow;
      for (const int e : {0, 1}) Vec3::Map(m + speed_ + 3 * e) = v[e];
    }
    const ChordSwing here = chordSwing(v, g.n, g.length, pieces() * m[link_], flow);
    const double last = m[flows_] > 1.0 ? 1.0 : 0.0;
    m[fling_] = here.fling + last * (here.fling - m[flung_]);
    Vec3::Map(m + swing_) = here.swing + last * (here.swing - Vec3::Map(m + swung_));
    m[flung_] = here.fling;
    Vec3::Map(m + swung_) = here.swing;
  }
}

/// m/s², of the flow in the step that is tried, and of the ends.
WavyJoints::Haste WavyJoints::hasteOf(const Instant& now, int from, int to) const {
  const Looked& look = looked(now, from);
  const double* m = span(now.past().memory, from);
  Haste out;
  out.second = now.second && m[flows_] > 1.0;
  out.mass = settings_.material.mass * pieces() * m[link_];
  const Vec3 v[2] = {endVelocity(now, from, look.a), endVelocity(now, to, look.b)};
  out.flow = 0.5 * (v[0] + v[1]).dot(look.n);
  out.along = changeRate(out.flow, m[flow_], m[flowBefore_], out.second, now.h);
  for (const int e : {0, 1}) {
    out.speed[e] = v[e];
    out.ends[e] =
        changeRate(v[e], Vec3::Map(m + speed_ + 3 * e), Vec3::Map(m + speedBefore_ + 3 * e), out.second, now.h);
  }
  return out;
}

/// What it does to end e beside the row, weight and inertia: of a span that hangs, or along the chord.
Vec3 WavyJoints::inertiaAt(const Instant& now, const Haste& haste, int from, int e) const {
  const Looked& look = looked(now, from);
  const double weight = look.hangs ? 0.0 : 0.5 * haste.mass * gravity_.dot(look.n);
  if (!(now.stepRate > 0.0)) return weight * look.n;
  if (look.hangs) return hungInertia(haste.mass, haste.ends[e], haste.ends[1 - e]);
  const double fling = span(now.past().memory, from)[fling_];
  return (weight + 0.5 * haste.mass * (fling - haste.along)) * look.n;
}

void WavyJoints::massAlong(const Instant& now, int from, int to, double mass, PatchSet& out) const {
  const Looked& look = looked(now, from);
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
  JointsCable::mass(now, out);
  if (now.stepRate != 0.0 || now.model().carries) return;
  const State& s = now.past();
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k];
    if (looked(now, from).curved)
      massAlong(now, from, route.next(k), settings_.material.mass * pieces() * span(s.memory, from)[link_], out);
  }
}

/// After a step, before what is remembered of it is written.
void WavyJoints::finishAlong(const Instant& now, State& s) const {
  const State& past = now.past();
  const auto route = routeOf(past);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k];
    const double* was = span(past.memory, from);
    double* m = span(s.memory, from);
    if (!looked(now, from).curved) {
      m[flows_] = 0.0;
      continue;
    }
    const Haste haste = hasteOf(now, from, route.next(k));
    m[haste_] = m[fling_] - haste.along;
    m[flowBefore_] = was[flow_];
    m[flow_] = haste.flow;
    for (int c = 0; c < 6; ++c) m[speedBefore_ + c] = was[speed_ + c];
    for (const int e : {0, 1}) Vec3::Map(m + speed_ + 3 * e) = haste.speed[e];
    m[flows_] = now.second && (was[made_] == 0.0 || was[made_] == now.h) ? 2.0 : 1.0;
  }
}

/// J, of a span: its flow, or its motion with its ends.
double WavyJoints::energyAlong(const Instant& now, const State& s, int from, int to, const Vec3& a,
                               const Vec3& b) const {
  const double* m = span(s.memory, from);
  const double mass = settings_.material.mass * pieces() * m[link_], length = (b - a).norm();
  const Vec3 v[2] = {endVelocity(now, from, a), endVelocity(now, to, b)};
  if (m[hanging_] != 0.0) return hungMotion(mass, v[0], v[1]);
  const double flow = length > 0.0 ? 0.5 * (v[0] + v[1]).dot(b - a) / length : 0.0;
  return 0.5 * mass * flow * flow;
}

}  // namespace reeve
