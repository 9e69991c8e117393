// Contact nodes of a hoist cable (section 4.2): found at two levels of resolution.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/geometry/collide.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {

/// On a half-space, contacts are this share of the cable apart; on a flat face of a body the second, but from its
/// edges.
constexpr double apartShare = 0.03, faceShare = 0.1, edgeShare = 0.01;

Vec3 velocityAt(const Instant& now, int block, const Vec3& point) {
  if (!now.rotates(block)) return now.velocity(block);
  return now.velocity(block) + now.angularVelocity(block).cross(point - now.position(block));
}

/// The flat face of a shape with this outward normal, both in the shape's frame: calls side(o, d) for each of its
/// edges, o in the face and outward, o·x = d on the edge. Its own n·x, m; none where there is no such face.
template <typename Side>
std::optional<double> eachSide(const Geometry& g, const Vec3& normal, const Side& side) {
  constexpr double alike = 1.0 - 1e-6;
  if (const Box* box = std::get_if<Box>(&g)) {
    int face = 0;
    if (normal.cwiseAbs().maxCoeff(&face) < alike) return std::nullopt;
    for (int c = 0; c < 3; ++c) {
      if (c == face) continue;
      side(Vec3(Vec3::Unit(c)), box->half[c]);
      side(Vec3(-Vec3::Unit(c)), box->half[c]);
    }
    return box->half[face];
  }
  const Prism* prism = std::get_if<Prism>(&g);
  const Hull* hull = prism ? &prism->hull : std::get_if<Hull>(&g);
  if (!hull) return std::nullopt;
  for (const Hull::Face& face : hull->faces) {
    if (face.normal.dot(normal) < alike) continue;
    for (int k = 0; k < face.count; ++k) {
      const Vec3& from = hull->vertices[at(hull->corners[at(face.first + k)])];
      const Vec3& to = hull->vertices[at(hull->corners[at(face.first + (k + 1) % face.count)])];
      const Vec3 out = (to - from).cross(face.normal).normalized();
      side(out, out.dot(from));
    }
    return face.offset;
  }
  return std::nullopt;
}

/// Whether a contact with this normal, on the body, is on a flat face of a shape, and not on an edge of it.
bool liesOnFace(const Shape& shape, const Vec3& normal) {
  return eachSide(shape.geometry, shape.local.directionInverse(normal), [](const Vec3&, double) {}).has_value();
}

}  // namespace

const Shape& HoistCable::shapeOf(const State& s, int i) const { return mountOf(s, i).shapes[at(stateOf(s, i).shape)]; }

const Outline& HoistCable::outlineOf(const Instant& now, const State& s, int i) const {
  if (!node(i).contact || !stateOf(s, i).wraps) return node(i).outline;
  return workspace(now).outlines.at(i, shapeOf(s, i), planeOf(s, i), settings_.material.radius, noSection_);
}

/// Room for three curves.
double* HoistCable::curveRoom(const Instant& now) const {
  std::vector<double>& points = workspace(now).points;
  points.resize(9 * at(curvePieces() + 1));
  return points.data();
}

/// Outward where the cable lies, between the directions it comes and goes in.
Vec3 HoistCable::outwardAt(const Instant& now, const State& s, int i, const Vec3& in, const Vec3& out) const {
  if (!round(s, i)) return now.rotation(mountOf(s, i).block) * stateOf(s, i).normal_B.vec();
  return node(i).sigma * (in + out).cross(spanEnd(now, s, i).frame.normal).normalized();
}

/// A span's polyline, by how many pieces it has.
int HoistCable::curvePieces() const { return waves() ? pieces() : 1; }

/// Velocity of a point of it: of the chord along it, of the wave across it.
Vec3 HoistCable::pieceVelocity(const Instant& now, const State& s, int from, int to, const Chord& chord, int m) const {
  const double share = static_cast<double>(m) / curvePieces();
  const Vec3 v = (1.0 - share) * velocityAt(now, mountOf(s, from).block, chord.span.end[0].point) +
                 share * velocityAt(now, mountOf(s, to).block, chord.span.end[1].point);
  if (!waves() || stateOf(s, from).hanging) return v;
  if (explicitWaves()) {  // u is relative to the chord
    const double* d = field(s, from, 1);
    return v + (d[2 * m] * chord.side[0] + d[2 * m + 1] * chord.side[1]) / step_;
  }
  const double made = stateOf(s, from).madeWith;
  if (made <= 0.0) return v;
  const double* d = field(s, from, 1);
  Vec3 out = v.dot(chord.span.n) * chord.span.n;
  for (int c = 0; c < 2; ++c) out += d[2 * m + c] / made * chord.side[c];
  return out;
}

/// How far each point of a span's polyline moves in the coming step. One that hangs hangs between its ends then, as
/// much longer as it grew in the last step.
void HoistCable::movesInto(const Instant& now, const State& s, int from, int to, const Chord& chord,
                           const double* points, double* moves) const {
  const int n = curvePieces();
  for (int m = 0; m <= n; ++m) put3(moves, m, step_ * pieceVelocity(now, s, from, to, chord, m));
  if (!waves() || !stateOf(s, from).hanging) return;
  const Vec3 first = chord.span.end[0].point + at3(moves, 0), last = chord.span.end[1].point + at3(moves, n);
  const double length =
      std::max(stateOf(s, from).hangingLength + stateOf(s, from).hangingGrowth, (last - first).norm());
  const LyingCurve then = hangingAt(first, last, length);
  for (int m = 1; m < n; ++m) put3(moves, m, then.at(then.length * m / n) - at3(points, m));
}

void HoistCable::meet(const Instant& now, State& s, Events& events) const {
  settleGrips(now, s);
  for (int k = 1; k + 1 < count(s); ++k)
    if (const int i = nodeAt(s, k); node(i).contact && !round(s, i)) layOnSection(now, s, k);
  Flag& inside = stateOf(s).inside;
  const bool told = inside;
  inside = false;
  for (int k = 0; k + 1 < count(s); ++k)
    if (meetSpan(now, s, k, events)) --k;  // the first part may meet something else
  followSides(now, s);
  if (inside && !told) events.add({now.time, this, -1, EventKind::deepInside});
}

/// Whether the cable has another contact with the same shape.
bool HoistCable::touchesBeside(const State& s, int i) const {
  for (int k = 1; k + 1 < count(s); ++k)
    if (const int j = nodeAt(s, k); j != i && node(j).contact && stateOf(s, j).onSameShape(stateOf(s, i))) return true;
  return false;
}

bool HoistCable::meetSpan(const Instant& now, State& s, int place, Events& events) const {
  const int from = nodeAt(s, place), to = nodeAt(s, place + 1), pieces = curvePieces();
  const Chord chord = chordOf(now, s, from, to);
  double *points = curveRoom(now), *moves = points + 3 * (pieces + 1), *drawn = moves + 3 * (pieces + 1);
  curveInto(s, from, chord, points);
  movesInto(now, s, from, to, chord, points, moves);
  bool asked = false;
  double aside = 0.0;
  for (int m = 1; m < pieces; ++m) {  // a span that hangs may reach beyond both ends
    const Vec3 d = at3(points, m) - chord.span.end[0].point;
    const double along = std::clamp(d.dot(chord.span.n), 0.0, chord.span.length);
    aside = std::max(aside, (d - along * chord.span.n).squaredNorm());
  }
  aside = std::sqrt(aside) + settings_.material.radius;
  Hit best;
  for (std::size_t body = 0; body < candidates_.size(); ++body) {
    const LinkMount& mount = candidates_[body];
    const bool held = (!node(from).contact && node(from).mount.block == mount.block) ||
                      (!node(to).contact && node(to).mount.block == mount.block);
    if (held) continue;
    for (std::size_t shape = 0; shape < mount.shapes.size(); ++shape) {
      const auto lies = [&](int i) { return liesOn(s, i, static_cast<int>(body), static_cast<int>(shape)); };
      if (lies(from) || lies(to) || isFloor(mount.shapes[shape])) continue;
      if (comesNear(now, s, chord, static_cast<int>(body), static_cast<int>(shape), points, moves, aside)) {
        if (!asked && !drawnInto(now, s, place, chord, points, moves, drawn)) drawn = nullptr;
        asked = true;
        meetShape(now, s, from, to, chord, static_cast<int>(body), static_cast<int>(shape), points, moves, drawn, best);
      }
      if (waves()) meetEdge(now, s, from, to, chord, static_cast<int>(body), static_cast<int>(shape), points, best);
    }
  }
  if (best.deep) stateOf(s).inside = true;
  if (best.time > 1.0) return false;
  int free = declared_;
  for (; free < capacity(); ++free) {
    bool used = false;
    for (int k = 0; k < count(s); ++k) used = used || nodeAt(s, k) == free;
    if (!used) break;
  }
  Flag& full = stateOf(s).full;
  if (free >= capacity()) {
    if (!full) events.add({now.time, this, -1, EventKind::contactsUsedUp});
    full = true;
    return false;
  }
  full = false;
  if (!insertNode(now, s, place, free, best)) {
    if (best.behind) stateOf(s).inside = true;
    return false;
  }
  return true;
}

/// The chord in a capsule that holds sag and motion; under its tension the cable goes no further than these.
bool HoistCable::comesNear(const Instant& now, State& s, const Chord& chord, int body, int shape, const double* points,
                           const double* moves, double aside) const {
  const LinkMount& mount = candidates_[at(body)];
  const int pieces = curvePieces(), block = mount.block;
  const Pose pose = now.pose(block);
  const Vec3 came = pose.position - poseBefore(s, body).position.vec();
  double reach = 0.0;
  for (int m = 0; m <= pieces; m += std::max(pieces / 4, 1)) {
    const Vec3 goes = step_ * velocityAt(now, block, at3(points, m));
    reach = std::max({reach, (at3(moves, m) - goes).norm(), (at3(moves, m) - came).norm()});
  }
  return closest(chord.span.end[0].point, chord.span.end[1].point, mount.shapes[at(shape)], pose).gap <=
         2.0 * aside + 1.5 * reach;
}

/// Link by link, as the cable moves and as it is drawn.
void HoistCable::meetShape(const Instant& now, State& s, int from, int to, const Chord& chord, int body, int shape,
                           const double* points, const double* moves, const double* drawn, Hit& best) const {
  const int pieces = curvePieces();
  const auto beside = [&](int i) { return node(i).contact && stateOf(s, i).isOn(body, shape); };
  if (!beside(from) && !beside(to)) meetBehind(now, s, from, body, shape, points, moves, best);
  bool clear = drawn != nullptr;
  for (int m = 0; m < pieces; ++m) {
    meetPiece(now, s, from, to, chord, body, shape, m, points, moves, best);
    if (!drawn) continue;
    Hit hit;
    hit.deep = best.deep;
    meetPiece(now, s, from, to, chord, body, shape, m, points, drawn, hit);
    clear = clear && hit.time > 1.0;
    best.deep = hit.deep;
    if (hit.time < best.time) best = hit;
  }
  if (best.body == body && best.shape == shape) best.drawnClear = clear && !best.behind;
}

/// One link of a span, advanced no further at a time than the gap allows, so that nothing is passed through.
void HoistCable::meetPiece(const Instant& now, const State& s, int from, int to, const Chord& chord, int body,
                           int shape, int m, const double* points, const double* moves, Hit& best) const {
  const LinkMount& mount = candidates_[at(body)];
  const Shape& solid = mount.shapes[at(shape)];
  const int pieces = curvePieces(), block = mount.block;
  const auto beside = [&](int i) {  // a span that ends on a point of the shape may cut its edge
    return node(i).contact && stateOf(s, i).isOn(body, shape);
  };
  MovingPose moving;
  moving.start = now.pose(block);
  moving.translation = step_ * now.velocity(block);
  moving.rotation = now.rotates(block) ? Vec3(step_ * now.angularVelocity(block)) : Vec3::Zero();
  const Vec3 x0 = at3(points, m), x1 = at3(points, m + 1);
  const Vec3 d0 = at3(moves, m), d1 = at3(moves, m + 1);
  auto contact =
      sweptContact(solid, moving, {x0, x0 + d0}, {x1, x1 + d1}, settings_.material.radius, m > 0, m + 1 < pieces);
  if (!contact || contact->time >= best.time) return;
  const Pose then = moving.at(contact->time);
  if (const double tilt = contact->normal.dot(contact->along); std::fabs(tilt) > 1e-3) {
    // At a corner of the polyline the cable runs as the links on both sides of it do together.
    const int before = tilt > 0.0 ? m - 1 : m, after = before + 2;
    Vec3 way = contact->along;
    if (before >= 0 && after <= pieces) way = then.directionInverse(at3(points, after) - at3(points, before));
    way -= way.dot(contact->normal) * contact->normal;
    Vec3 other;
    if (way.norm() > 1e-6 * (x1 - x0).norm())
      contact->along = way.normalized();
    else
      orthonormalBasis(contact->normal, contact->along, other);
  }
  const Vec3 y0 = x0 + contact->time * d0, way = x1 + contact->time * d1 - y0, onShape = then.point(contact->point);
  const double t = std::clamp(way.dot(onShape - y0) / way.squaredNorm(), 0.0, 1.0);
  const Vec3 point = x0 + t * (x1 - x0);
  const Vec3 drift = (1.0 - t) * d0 + t * d1 - step_ * velocityAt(now, block, point);
  if (drift.dot(then.direction(contact->normal)) >= 0.0) return;  // it touches, and goes away
  Hit hit;
  hit.time = contact->time;
  hit.fraction = (m + t) / pieces;
  hit.body = body;
  hit.shape = shape;
  hit.point = point;
  hit.normal = contact->normal;
  hit.overlap = std::max(-contact->gap, 0.0);
  hit.place = contact->point + settings_.material.radius * contact->normal;
  hit.plane = planeAtContact(solid, *contact);
  if (hit.fraction <= 1e-9 || hit.fraction >= 1.0 - 1e-9) return;
  if (hit.plane) {
    if (deepInside(solid, *hit.plane, contact->gap)) {
      best.deep = best.deep || !(beside(from) || beside(to));
      return;
    }
  }
  if (tooNear(s, from, to, chord, hit)) return;
  hit.deep = best.deep;
  best = hit;
}

/// A span that leaves a point of a flat face over its edge, and is down to the face there, meets that edge: lying on
/// the face beside the point it would otherwise sink in past the edge, and be inside.
void HoistCable::meetEdge(const Instant& now, const State& s, int from, int to, const Chord& chord, int body, int shape,
                          const double* points, Hit& best) const {
  if (best.time <= 1.0) return;
  const auto on = [&](int i) { return node(i).contact && !round(s, i) && stateOf(s, i).isOn(body, shape); };
  if (on(from) == on(to)) return;
  const LinkMount& mount = candidates_[at(body)];
  const Shape& solid = mount.shapes[at(shape)];
  const int pieces = curvePieces();
  const Vec3 normal = solid.local.directionInverse(stateOf(s, on(from) ? from : to).normal_B.vec());
  if (!liesOnFace(solid, stateOf(s, on(from) ? from : to).normal_B.vec())) return;  // it lies on an edge already
  const Pose pose = now.pose(mount.block);
  const auto local = [&](int m) {
    return solid.local.pointInverse(pose.pointInverse(at3(points, on(from) ? m : pieces - m)));
  };
  double cable = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) cable += stateOf(s, nodeAt(s, k)).rest;
  const double arc = spanArc(s, from, chord.span.length);
  for (int m = 0; m < pieces; ++m) {
    const Vec3 a = local(m), b = local(m + 1);
    double t = 2.0;
    bool leaves = false;
    Vec3 side = Vec3::Zero();
    const auto height = eachSide(solid.geometry, normal, [&](const Vec3& out, double edge) {
      const double beyond = out.dot(b) - edge, way = out.dot(b - a);
      if (!(beyond > 0.0)) return;
      leaves = true;
      if (const double u = way > 0.0 ? 1.0 - beyond / way : -1.0; u >= 0.0 && u <= t) t = u, side = out;
    });
    if (!leaves) continue;
    if (t > 1.0) return;
    Vec3 x = (1.0 - t) * a + t * b;
    const double above = x.dot(normal) - *height - settings_.material.radius;
    if (above > 0.0 || (m + t) / pieces * arc < edgeShare * cable) return;
    Hit hit;
    hit.time = 1.0;
    hit.fraction = (on(from) ? m + t : pieces - m - t) / pieces;
    if (hit.fraction <= 1e-9 || hit.fraction >= 1.0 - 1e-9) return;
    hit.body = body;
    hit.shape = shape;
    hit.point = pose.point(solid.local.point(x));
    x -= above * normal;
    hit.place = solid.local.point(x);
    hit.normal = solid.local.direction((normal + side).normalized());
    hit.edge = true;
    hit.deep = best.deep;
    best = hit;
    return;
  }
}

/// Contacts that are points of a surface have some cable between them, and do not lie on each other.
bool HoistCable::tooNear(const State& s, int from, int to, const Chord& chord, Hit& hit) const {
  double cable = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) cable += stateOf(s, nodeAt(s, k)).rest;
  const double arc = spanArc(s, from, chord.span.length);
  for (const int e : {0, 1}) {
    const int i = e == 0 ? from : to;
    if (!node(i).contact || round(s, i)) continue;
    const double share = liesOnFace(shapeOf(s, i), hit.normal) ? faceShare : apartShare;
    if ((e == 0 ? hit.fraction : 1.0 - hit.fraction) * arc < share * cable) return true;
    const Vec3 away = hit.point - chord.span.end[at(e)].point;
    const double least = 4.0 * std::max(settings_.material.radius, shortest_);
    if (hit.plane || away.norm() >= least) continue;
    Vec3 aside = away, other;
    if (away.norm() < 1e-9)
      orthonormalBasis(gravity_.norm() > 0.0 ? gravity_.normalized() : chord.span.n, aside, other);
    hit.point = chord.span.end[at(e)].point + least * aside.normalized();
  }
  return false;
}

}  // namespace reeve
