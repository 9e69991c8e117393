// Contact nodes of a hoist cable (section 4.2): found at two levels of resolution, slid across their plane, removed.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/geometry/collide.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {

/// A contact is not given up where one span would be inside the shape by one part in so many of what is too deep.
constexpr double inwards = 4.0;
/// On a half-space, contacts are this share of the cable apart; on a flat face of a body the second, but from its
/// edges.
constexpr double apartShare = 0.03, faceShare = 0.1, edgeShare = 0.01;
/// s, no longer a time is the press of a point on a slack cable taken of.
constexpr double longestMean = 0.01;
/// m/s: how fast a cable without inertia slides across its plane.
constexpr double fastest = 10.0;

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

const Shape& HoistCable::shapeOf(const State& s, int i) const {
  return mountOf(s, i).shapes[at(static_cast<int>(recall(s, i, shape_)))];
}

const Outline& HoistCable::outlineOf(const State& s, int i) const {
  if (!node(i).contact || recall(s, i, wraps_) == 0.0) return node(i).outline;
  Laid& laid = laid_[at(i)];
  const int body = static_cast<int>(recall(s, i, body_)), shape = static_cast<int>(recall(s, i, shape_));
  const WrapPlane plane = planeOf(s, i);
  if (laid.body != body || laid.shape != shape || laid.plane.normal_B != plane.normal_B ||
      laid.plane.height != plane.height) {
    const auto section = sectionOutline(shapeOf(s, i), plane, settings_.material.radius);
    laid = {body, shape, plane, section ? *section : Outline::circle(std::max(settings_.material.radius, 1e-6))};
  }
  return laid.outline;
}

/// Outward where the cable lies, between the directions it comes and goes in.
Vec3 HoistCable::outwardAt(const Instant& now, const State& s, int i, const Vec3& in, const Vec3& out) const {
  if (!round(s, i)) return now.rotation(mountOf(s, i).block) * recall3(s, i, normalX_);
  return (in + out).cross(spanEnd(now, s, i).frame.normal).normalized();
}

/// A span's polyline, by how many pieces it has.
int HoistCable::curvePieces() const { return waves() ? pieces() : 1; }

/// Velocity of a point of it: of the chord along it, of the wave across it.
Vec3 HoistCable::pieceVelocity(const Instant& now, const State& s, int from, int to, const Chord& chord, int m) const {
  const double share = static_cast<double>(m) / curvePieces();
  const Vec3 v = (1.0 - share) * velocityAt(now, mountOf(s, from).block, chord.span.end[0].point) +
                 share * velocityAt(now, mountOf(s, to).block, chord.span.end[1].point);
  if (!waves() || recall(s, from, hanging_) != 0.0) return v;
  if (explicitWaves()) {  // u is relative to the chord
    const double* d = field(s, from, 1);
    return v + (d[2 * m] * chord.side[0] + d[2 * m + 1] * chord.side[1]) / step_;
  }
  const double made = recall(s, from, madeWith_);
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
  if (!waves() || recall(s, from, hanging_) == 0.0) return;
  const Vec3 first = chord.span.end[0].point + at3(moves, 0), last = chord.span.end[1].point + at3(moves, n);
  const double length = std::max(recall(s, from, hung_) + recall(s, from, hungMore_), (last - first).norm());
  const LyingCurve then = hangingAt(first, last, length);
  for (int m = 1; m < n; ++m) put3(moves, m, then.at(then.length * m / n) - at3(points, m));
}

void HoistCable::meet(const Instant& now, State& s, std::vector<Notice>& notices) const {
  settleGrips(now, s);
  for (int k = 1; k + 1 < count(s); ++k)
    if (const int i = nodeAt(s, k); node(i).contact && !round(s, i)) layOnSection(now, s, k);
  double& inside = s.memory[at(memory + inside_)];
  const bool told = inside != 0.0;
  inside = 0.0;
  for (int k = 0; k + 1 < count(s); ++k)
    if (meetSpan(now, s, k, notices)) --k;  // the first part may meet something else
  followSides(now, s);
  if (inside != 0.0 && !told)
    notices.push_back({now.time, this, -1, "passes through a body: it is deep inside it, and was not met from a side"});
}

/// Whether the cable has another contact with the same shape.
bool HoistCable::touchesBeside(const State& s, int i) const {
  for (int k = 1; k + 1 < count(s); ++k)
    if (const int j = nodeAt(s, k); j != i && node(j).contact && recall(s, j, body_) == recall(s, i, body_) &&
                                    recall(s, j, shape_) == recall(s, i, shape_))
      return true;
  return false;
}

bool HoistCable::meetSpan(const Instant& now, State& s, int place, std::vector<Notice>& notices) const {
  const int from = nodeAt(s, place), to = nodeAt(s, place + 1), pieces = curvePieces();
  const Chord chord = chordOf(now, s, from, to);
  double *points = now.scratch.data() + at(scratch) + at(scratchSize()) - spare(), *moves = points + 3 * (pieces + 1),
         *drawn = moves + 3 * (pieces + 1);
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
  if (best.deep) s.memory[at(memory + inside_)] = 1.0;
  if (best.time > 1.0) return false;
  int free = declared_;
  for (; free < capacity(); ++free) {
    bool used = false;
    for (int k = 0; k < count(s); ++k) used = used || nodeAt(s, k) == free;
    if (!used) break;
  }
  double& full = s.memory[at(memory + full_)];
  if (free >= capacity()) {
    if (full == 0.0) notices.push_back({now.time, this, -1, "passes through a body: all its contacts are in use"});
    full = 1.0;
    return false;
  }
  full = 0.0;
  if (!insertNode(now, s, place, free, best)) {
    if (best.behind) s.memory[at(memory + inside_)] = 1.0;
    return false;
  }
  if (!touchesBeside(s, free)) notices.push_back({now.time, this, free, "contact: the cable bends round it"});
  return true;
}

/// The chord in a capsule that holds sag and motion; under its tension the cable goes no further than these.
bool HoistCable::comesNear(const Instant& now, State& s, const Chord& chord, int body, int shape, const double* points,
                           const double* moves, double aside) const {
  const LinkMount& mount = candidates_[at(body)];
  const int pieces = curvePieces(), block = mount.block;
  const Pose pose = now.pose(block);
  const Vec3 came = pose.position - at3(poseBefore(s, body), 0);
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
  const auto beside = [&](int i) {
    return node(i).contact && recall(s, i, body_) == body && recall(s, i, shape_) == shape;
  };
  if (!beside(from) && !beside(to)) meetBehind(now, s, from, body, shape, points, moves, best);
  for (int m = 0; m < pieces; ++m)
    for (const double* way : {moves, drawn})
      if (way) meetPiece(now, s, from, to, chord, body, shape, m, points, way, best);
}

/// One link of a span, advanced no further at a time than the gap allows, so that nothing is passed through.
void HoistCable::meetPiece(const Instant& now, const State& s, int from, int to, const Chord& chord, int body,
                           int shape, int m, const double* points, const double* moves, Hit& best) const {
  const LinkMount& mount = candidates_[at(body)];
  const Shape& solid = mount.shapes[at(shape)];
  const int pieces = curvePieces(), block = mount.block;
  const auto beside = [&](int i) {  // a span that ends on a point of the shape may cut its edge
    return node(i).contact && recall(s, i, body_) == body && recall(s, i, shape_) == shape;
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
  const auto on = [&](int i) {
    return node(i).contact && !round(s, i) && recall(s, i, body_) == body && recall(s, i, shape_) == shape;
  };
  if (on(from) == on(to)) return;
  const LinkMount& mount = candidates_[at(body)];
  const Shape& solid = mount.shapes[at(shape)];
  const int pieces = curvePieces();
  const Vec3 normal = solid.local.directionInverse(recall3(s, on(from) ? from : to, normalX_));
  if (!liesOnFace(solid, recall3(s, on(from) ? from : to, normalX_))) return;  // it lies on an edge already
  const Pose pose = now.pose(mount.block);
  const auto local = [&](int m) {
    return solid.local.pointInverse(pose.pointInverse(at3(points, on(from) ? m : pieces - m)));
  };
  double cable = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) cable += recall(s, nodeAt(s, k), rest_);
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
  for (int k = 0; k + 1 < count(s); ++k) cable += recall(s, nodeAt(s, k), rest_);
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

/// What the cable does to a contact, N, by the step that has just been made.
Vec3 HoistCable::pullAt(const Instant& now, int place) const {
  const State& past = now.past();
  const int i = nodeAt(past, place), from = nodeAt(past, place - 1);
  Vec3 pull = Vec3::Zero();
  for (const int e : {0, 1}) {
    const int span = e == 0 ? i : from;
    int run = e == 0 ? place : place - 1;
    while (!startsRun(past, run)) --run;
    const double force = now.multiplier(spanSlot(nodeAt(past, run)));
    const Looked& look = looked(now, span);
    const double weight = recall(past, span, hanging_) != 0.0 ? look.wave.out.along[e]
                          : e == 0                            ? endLift(look, 0)
                                                              : -endLift(look, 1);
    pull += (weight - (e == 0 ? 1.0 : -1.0) * look.wave.out.eta * force) * look.chord.span.n;
    for (int c = 0; c < 2; ++c) pull += look.wave.out.force[e][c] * look.chord.side[c];
  }
  return pull;
}

/// The tension of the span after a place, N.
double HoistCable::tensionOf(const State& s, int place) const {
  if (settings_.pull == PullForm::force) return s.memory[at(memory + explicitTension_)];
  while (!startsRun(s, place)) --place;
  return std::max(-s.force[at(spanSlot(nodeAt(s, place)))], 0.0);
}

/// The same of explicit waves, N: the tension along the links beside it, and their weight.
Vec3 HoistCable::explicitPull(const Instant& now, const State& s, int place) const {
  const int from = nodeAt(s, place - 1), i = nodeAt(s, place), n = pieces();
  const Chord in = chordOf(now, s, from, i), out = chordOf(now, s, i, nodeAt(s, place + 1));
  const Vec3 comes = curvePoint(s, from, in, n) - curvePoint(s, from, in, n - 1),
             goes = curvePoint(s, i, out, 1) - curvePoint(s, i, out, 0);
  return tensionOf(s, place) * goes.normalized() - tensionOf(s, place - 1) * comes.normalized() +
         0.5 * (linkMass(s, from) + linkMass(s, i)) * gravity_;
}

/// How much of a step's press counts for a point: it is taken as the mean over the time a wave takes along a link. What
/// the links beside it do in less than that says nothing of the cable.
double HoistCable::newShare(const Instant& now, int place) const {
  const State& past = now.past();
  const int i = nodeAt(past, place);
  if (round(past, i) || explicitWaves()) return 1.0;
  int run = place;
  while (!startsRun(past, run)) --run;
  const double tension = std::max(-now.multiplier(spanSlot(nodeAt(past, run))), 1e-12);
  const double wave = std::min(recall(past, i, link_) * std::sqrt(mass_ / tension), longestMean);
  return now.h / (now.h + wave);
}

/// What of a pull presses, and what of it leads across the plane of a section.
void HoistCable::keepPull(const Instant& now, State& s, int place, const Vec3& pull) const {
  const State& past = now.past();
  const int i = nodeAt(past, place);
  const Vec3 in = chordOf(now, past, nodeAt(past, place - 1), i).span.n,
             out = chordOf(now, past, i, nodeAt(past, place + 1)).span.n;
  const double press = -pull.dot(outwardAt(now, past, i, in, out)), before = recall(past, i, press_);
  s.memory[cell(i, press_)] = before + newShare(now, place) * (press - before);
  s.memory[cell(i, across_)] = round(past, i) ? pull.dot(spanEnd(now, past, i).frame.normal) : 0.0;
}

/// Of the spans beside a contact.
Without HoistCable::without(const Instant& now, const State& s, int place) const {
  const int from = nodeAt(s, place - 1), i = nodeAt(s, place), n = pieces();
  double* points = now.scratch.data() + at(scratch) + at(scratchSize()) - spare();
  const Chord in = chordOf(now, s, from, i), out = chordOf(now, s, i, nodeAt(s, place + 1));
  const double first = spanArc(s, from, in.span.length), second = spanArc(s, i, out.span.length);
  Without w;
  w.each = (first + second) / n;
  curveInto(s, from, in, points);
  w.a = alongCurve(points, n, 1.0 - w.each / first);
  curveInto(s, i, out, points);
  w.b = alongCurve(points, n, w.each / second);
  w.here = 0.5 * (in.span.end[1].point + out.span.end[0].point);
  return w;
}

bool HoistCable::passesOutside(const Instant& now, const State& s, int place) const {
  const int i = nodeAt(s, place);
  const Vec3 in = chordOf(now, s, nodeAt(s, place - 1), i).span.n,
             out = chordOf(now, s, i, nodeAt(s, place + 1)).span.n;
  return without(now, s, place).passesOutside(outwardAt(now, s, i, in, out));
}

/// Whether a span's curve lies in a shape: deep, or at all (by more than a hundredth of a link).
bool HoistCable::cutsInto(const Instant& now, const State& s, int place, int body, int shape, bool atAll) const {
  const int from = nodeAt(s, place), n = curvePieces();
  const LinkMount& mount = candidates_[at(body)];
  const Shape& solid = mount.shapes[at(shape)];
  const Pose pose = now.pose(mount.block);
  double* points = now.scratch.data() + at(scratch) + at(scratchSize()) - spare();
  curveInto(s, from, chordOf(now, s, from, nodeAt(s, place + 1)), points);
  for (int m = 0; m < n; ++m) {
    const Vec3 a = at3(points, m), b = at3(points, m + 1);
    const SegmentClosest c = closest(a, b, solid, pose);
    if (atAll && c.gap < settings_.material.radius - 0.01 * (b - a).norm()) return true;
    if (atAll || c.gap > 0.0) continue;
    const SpanContact contact{0.0, c.gap, pose.pointInverse(c.onShape), pose.directionInverse(c.normal),
                              pose.directionInverse((b - a).normalized())};
    const auto plane = planeAtContact(solid, contact);
    if (plane && deepInside(solid, *plane, inwards * c.gap)) return true;
  }
  return false;
}

void HoistCable::leave(const Instant& now, State& s, std::vector<Notice>& notices) const {
  const bool whole = waves() && !explicitWaves();
  for (int k = 1; waves() && k + 1 < count(now.past()); ++k)
    if (node(nodeAt(now.past(), k)).contact) keepPull(now, s, k, whole ? pullAt(now, k) : explicitPull(now, s, k));
  for (int k = 1; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    if (!node(i).contact) continue;
    // As published, by the tension of its chords; a cable with waves by all it does: it may lie there by its weight
    // alone, and it does not stick to what is drawn away from it, but for the weight of a link, so that it does not
    // come and go in turns.
    if (waves()) {
      const double sticks = 0.5 * (linkMass(s, nodeAt(s, k - 1)) + linkMass(s, i)) * gravity_.norm();
      if (recall(s, i, press_) > -sticks || !passesOutside(now, s, k)) continue;
    } else if (round(s, i)) {
      if (recall(s, i, wrapAngle_) >= -1e-9) continue;
    } else {
      const Vec3 in = chordOf(now, s, nodeAt(s, k - 1), i).span.n, out = chordOf(now, s, i, nodeAt(s, k + 1)).span.n;
      if ((out - in).dot(outwardAt(now, s, i, in, out)) < 0.0) continue;
    }
    // The last point of a shape goes when the cable is clear of it, or it would be met again at once; or when it is
    // pulled off with more than the spans beside it weigh.
    const double weighs = pieces() * (linkMass(s, nodeAt(s, k - 1)) + linkMass(s, i)) * gravity_.norm();
    const bool last = whole && !round(s, i) && !std::holds_alternative<HalfSpace>(shapeOf(s, i).geometry) &&
                      !touchesBeside(s, i) && recall(s, i, press_) > -weighs;
    if ((waves() && round(s, i)) || last) {
      const State held = s;
      keepSide(now, s, k);
      removeNode(now, s, k);
      if (cutsInto(now, s, k - 1, static_cast<int>(recall(held, i, body_)), static_cast<int>(recall(held, i, shape_)),
                   last)) {
        s = held;  // the longer links of one span would lie in the body
        continue;
      }
    } else {
      keepSide(now, s, k);
      removeNode(now, s, k);
    }
    --k;
    if (touchesBeside(s, i)) continue;  // told when the last point of a shape goes
    // One that has come in this very step was never there.
    const auto came = std::find_if(notices.rbegin(), notices.rend(),
                                   [&](const Notice& n) { return n.element == this && n.link == i; });
    if (recall(s, i, born_) >= now.past().time && came != notices.rend()) {
      notices.erase(std::next(came).base());
      continue;
    }
    notices.push_back({now.time, this, i, "leaves: the tension no longer presses"});
  }
}

void HoistCable::slideContacts(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = 1; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    if (!node(i).contact || !round(s, i) || slideAside(now, s, k)) continue;
    keepSide(now, s, k);
    removeNode(now, s, k);
    notices.push_back({now.time, this, i, "leaves: the cable has slid off it"});
    --k;
  }
}

/// How much of a way across its plane (m) a section can be moved before the shape ends: all of it, or to the rim.
double HoistCable::staysOn(const Shape& shape, const WrapPlane& plane, double way) const {
  const auto on = [&](double moves) {
    return sectionOutline(shape, {plane.normal_B, plane.height + moves}, settings_.material.radius).has_value();
  };
  if (on(way)) return way;
  double low = 0.0, high = way;
  for (int k = 0; k < 30; ++k) {
    const double middle = 0.5 * (low + high);
    (on(middle) ? low : high) = middle;
  }
  return low;
}

/// Across its plane the cable drags the section along, to where friction holds it: it gets shorter by that, so nothing
/// is gained. Whatever has moved is where it is: neither waves nor damping take it for a velocity. False: it slid off,
/// past the end of the shape, or beside a body that has turned out of the plane.
bool HoistCable::slideAside(const Instant& now, State& s, int place) const {
  const int from = nodeAt(s, place - 1), i = nodeAt(s, place), to = nodeAt(s, place + 1);
  const Chord in = chordOf(now, s, from, i), out = chordOf(now, s, i, to);
  const Vec3 normal = spanEnd(now, s, i).frame.normal, bend = out.span.n - in.span.n;
  const double l1 = in.span.length, l2 = out.span.length, bent = bend.dot(normal);
  // Without waves by its chords, as if the tension were 1 N; with waves by what the cable really does: chords that sag
  // pull across, and its weight holds them. All of the cable is moved along.
  double across = bent, into = (bend - bent * normal).norm(), tension = 1.0, mass = 0.0;
  if (waves()) {
    across = recall(s, i, across_);
    into = std::max(recall(s, i, press_), 0.0);
    tension = 0.5 * (tensionOf(s, place - 1) + tensionOf(s, place));
    mass = mass_ * (l1 + l2) / 3.0;
  }
  const double excess = std::fabs(across) - settings_.material.friction * into;
  const double wish = drawnBy(excess, mass, tension * (1.0 / l1 + 1.0 / l2), now.h);
  if (!(wish > 1e-6 * std::min(l1, l2)) || (!waves() && bend.norm() < 1e-2)) return true;  // hardly bent
  const Shape& solid = shapeOf(s, i);
  if (!waves() && std::fabs(across) > into &&
      closest(in.span.end[0].point, out.span.end[1].point, solid, now.pose(mountOf(s, i).block)).gap >
          settings_.material.radius)
    return false;
  const double far = std::min({wish, 0.2 * std::min(l1, l2), fastest * now.h});
  // Only where that gains nothing: towards the middle of a ball its section grows.
  const WrapPlane was = planeOf(s, i);
  const double path = l1 + l2 + recall(s, i, wrapLength_);
  Chord first, second;
  Wrap wrap;
  bool shorter = false;
  const double most = staysOn(solid, was, across > 0.0 ? far : -far), least = 0.1 * std::fabs(most);
  for (double moves = most; !shorter && std::fabs(moves) > least; moves *= 0.5) {
    s.memory[cell(i, height_)] = was.height + moves;
    first = chordOf(now, s, from, i);
    second = chordOf(now, s, i, to);
    wrap = wrapOf(s, i, first.span, second.span);
    const double longer = first.span.length + second.span.length + wrap.length - path;
    shorter = tension * (longer + bent * moves) < across * moves;
  }
  const bool stays = std::fabs(most) >= far;
  if (!shorter) {
    s.memory[cell(i, height_)] = was.height;
    return stays;
  }
  const double more = wrap.length - recall(s, i, wrapLength_);
  keep3(s, from, endX_, first.span.end[1].point);
  keep3(s, i, startX_, second.span.end[0].point);
  s.memory[cell(i, wrapLength_)] = wrap.length;
  s.memory[cell(i, wrapAngle_)] = wrap.angle;
  if (!grips(s, i)) return stays;
  keepPlaces(s, i, first, wrap);
  int run = place - 1;
  while (!startsRun(s, run)) --run;
  // What was passed on to the other side of it, so that both tensions stay.
  const double passed = 0.5 * (first.span.length - l1 - second.span.length + l2);
  s.memory[cell(i, stored_)] += more;
  s.memory[cell(nodeAt(s, run), rest_)] += passed - 0.5 * more;
  s.memory[cell(i, rest_)] -= passed + 0.5 * more;
  return stays;
}

/// C of every run, after nodes have moved, come or gone: what that changed is no rate.
void HoistCable::settleErrors(const Instant& now, State& s) const {
  for (int first = 0; first + 1 < count(s);) {
    const int run = nodeAt(s, first);
    double length = 0.0;
    int k = first;
    do {
      const int i = nodeAt(s, k);
      length += arcNow(now, s, i, nodeAt(s, k + 1));
      if (k > first && round(s, i) && !grips(s, i)) length += recall(s, i, wrapLength_);
      ++k;
    } while (k + 1 < count(s) && !startsRun(s, k));
    const double payout = first == 0 ? payoutAt(s, now.time) : 0.0;
    s.memory[cell(run, error_)] = length - recall(s, run, rest_) - payout;
    first = k;
  }
}

}  // namespace reeve
