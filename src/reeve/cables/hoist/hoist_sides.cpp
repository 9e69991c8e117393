// From which side a hoist cable met a body: what is foreseen of a span counts its tension, and where a curve has gone
// into or through a body all the same within a step, it is met from the side that it came from.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/geometry/collide.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {
/// Beyond this share of the cable off a body, the side of it is forgotten.
constexpr double farShare = 0.1;
/// A curve deep in a body that is nearest to a surface which does not face where it came from by this much (cosine) has
/// gone too far for that surface.
constexpr double facing = 0.5;
}  // namespace

KeptPose& HoistCable::poseBefore(State& s, int body) const { return overlay<KeptPose>(s.memory, poseMemory(body)); }

Triple& HoistCable::sideOf(State& s, int body, int shape) const {
  int before = shape;
  for (int b = 0; b < body; ++b) before += static_cast<int>(candidates_[at(b)].shapes.size());
  return overlay<Triple>(s.memory, poseMemory(static_cast<int>(candidates_.size())) + before * numbersIn<Triple>);
}

/// As it leaves a contact: the cable is on the outside of it.
void HoistCable::keepSide(const Instant& now, State& s, int place) const {
  const int i = nodeAt(s, place);
  const Vec3 in = chordOf(now, s, nodeAt(s, place - 1), i).span.n,
             out = chordOf(now, s, i, nodeAt(s, place + 1)).span.n;
  sideOf(s, stateOf(s, i).body, stateOf(s, i).shape) =
      now.rotation(mountOf(s, i).block).transpose() * outwardAt(now, s, i, in, out);
}

/// Before a step, when all has been met: sides follow the cable about the bodies it has left, and poses are remembered.
void HoistCable::followSides(const Instant& now, State& s) const {
  double* points = curveRoom(now);
  double cable = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) cable += stateOf(s, nodeAt(s, k)).rest;
  for (int body = 0; body < static_cast<int>(candidates_.size()); ++body) {
    const LinkMount& mount = candidates_[at(body)];
    const Pose pose = now.pose(mount.block);
    for (int shape = 0; shape < static_cast<int>(mount.shapes.size()); ++shape) {
      Triple& side = sideOf(s, body, shape);
      if (side.vec() == Vec3::Zero()) continue;
      SegmentClosest nearest;
      nearest.gap = unbounded;
      for (int k = 0; k + 1 < count(s); ++k) {
        const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
        if (liesOn(s, from, body, shape) || liesOn(s, to, body, shape)) continue;
        curveInto(s, from, chordOf(now, s, from, to), points);
        for (int m = 0; m < curvePieces(); ++m) {
          const SegmentClosest c = closest(at3(points, m), at3(points, m + 1), mount.shapes[at(shape)], pose);
          if (c.gap < nearest.gap) nearest = c;
        }
      }
      if (nearest.gap <= settings_.material.radius) continue;
      side = nearest.gap > farShare * cable ? Vec3::Zero() : pose.directionInverse(nearest.normal);
    }
    poseBefore(s, body) = pose;
  }
}

/// A span that is in a shape, or behind it, since the last step, though that was not foreseen.
void HoistCable::meetBehind(const Instant& now, State& s, int from, int body, int shape, const double* points,
                            const double* moves, Hit& best) const {
  const LinkMount& mount = candidates_[at(body)];
  const Shape& solid = mount.shapes[at(shape)];
  const Vec3 kept = sideOf(s, body, shape);
  const Quat before = poseBefore(s, body).orientation();
  if (before.squaredNorm() == 0.0) return;  // no step has been made
  const Pose pose = now.pose(mount.block);
  MovingPose past;
  past.start = {poseBefore(s, body).position, before};
  past.translation = pose.position - past.start.position;
  past.rotation = rotationLog(pose.orientation * before.conjugate());
  const double radius = settings_.material.radius;
  const int n = curvePieces();
  // How it moved is not known where a contact has just gone; nor does it tell the side where that was kept, as the
  // longer links of one span cut the corner that was bent round the body.
  const bool known = stateOf(s, from).madeWith > 0.0;
  double deepest = 0.0;
  for (int m = 0; m < n; ++m) {
    const Vec3 x0 = at3(points, m), x1 = at3(points, m + 1);
    const auto met =
        sweptContact(solid, past, {x0 - at3(moves, m), x0}, {x1 - at3(moves, m + 1), x1}, radius, m > 0, m + 1 < n);
    if (!met) continue;
    Vec3 side = kept;
    if (side.squaredNorm() == 0.0 && known && met->time > 0.0) side = met->normal;
    const SegmentClosest c = closest(x0, x1, solid, pose);
    const double faces = pose.directionInverse(c.normal).dot(side);
    if (side.squaredNorm() == 0.0 || faces >= facing) continue;
    const Vec3 along = pose.directionInverse((x1 - x0).normalized()), point = pose.pointInverse(c.onSegment);
    Vec3 normal = side - side.dot(along) * along;
    if (normal.norm() < 1.0 - facing) continue;
    normal.normalize();
    Hit hit;
    hit.plane = planeAtContact(solid, {0.0, c.gap, point, normal, along});
    if (!hit.plane) continue;
    const double least = c.gap < 0.0 && deepInside(solid, *hit.plane, c.gap) ? facing : 0.0;
    if (faces >= least) continue;
    // From far outside on that side, the shape's surface is where the cable should be.
    const double far = 10.0 * (radius + std::fabs(c.gap) + (point - middleOf(solid)).norm());
    const Vec3 outside = pose.point(point + far * normal);
    const Vec3 surface = pose.pointInverse(closest(outside, outside, solid, pose).onShape);
    const double depth = normal.dot(surface - point);
    if (depth <= deepest) continue;
    hit.fraction = (m + c.fraction) / n;
    if (hit.fraction <= 1e-9 || hit.fraction >= 1.0 - 1e-9) continue;
    deepest = depth;
    hit.time = -1.0;
    hit.behind = true;
    hit.body = body;
    hit.shape = shape;
    hit.point = c.onSegment;
    hit.normal = normal;
    hit.place = surface + radius * normal;
    hit.deep = best.deep;
    best = hit;
  }
}

/// How far each point of a span's polyline moves in the coming step under the tension it has: a corner that a contact
/// leaves behind is drawn straight within it, however the cable moves now. False: nothing is known beyond its motion.
bool HoistCable::drawnInto(const Instant& now, const State& s, int place, const Chord& chord, const double* points,
                           const double* moves, double* drawn) const {
  const int from = nodeAt(s, place), n = curvePieces();
  const double made = lanes() ? stateOf(s, from).madeWith : 0.0;
  if (made <= 0.0 || stateOf(s, from).hanging) return false;
  int run = place;
  while (!startsRun(s, run)) --run;
  const double tension = std::max(-s.force[at(spanSlot(nodeAt(s, run)))], 0.0);
  const Chord then = between(s, from, chord.span.end[0].point + at3(moves, 0), chord.span.end[1].point + at3(moves, n));
  WaveField fields;
  fields.u = field(s, from, 0);
  for (int k = 0; k < 3; ++k) fields.increment[k] = field(s, from, 1 + k);
  WaveDrive d;
  d.pieces = n;
  d.chord = then.span.length;
  d.mass = linkMass(s, from);
  d.tension = ownTension(s, from, tension);
  d.damping = settings_.waveDamping;
  d.along = stateOf(s, from).offset.chordFall / (d.mass * n);
  d.rate = 1.0 / step_;
  d.scale = step_ * step_;
  d.stretch = step_ / made;
  for (int c = 0; c < 2; ++c) {
    d.gravity[c] = (gravity_ - stateOf(s, from).coriolis.vec()).dot(then.side[c]);
    for (int e = 0; e < 2; ++e) d.shift[e][c] = at3(moves, e * n).dot(then.side[c]);
  }
  std::vector<double>& room = workspace(now).lanes;
  room.resize(workSize());
  double *work = room.data(), *u = work + waveWork(n);
  solveWave(fields, stateOf(s, from).curve, d, u, work);
  waveInto(u, then, drawn);
  for (int k = 0; k < 3 * (n + 1); ++k) {
    if (!std::isfinite(drawn[k])) return false;
    drawn[k] -= points[k];
  }
  return true;
}

}  // namespace reeve
