// What the curved spans of a cable of joints meet and leave.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/wavy_joints.h"
#include "reeve/geometry/collide.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// Deeper in a body than this share of its size, a span is not met from a side.
constexpr double besideShare = 0.05;
}  // namespace

void WavyJoints::begin(const Instant& now, const StepContext& context, State& s) const {
  Events& events = context.events;
  JointsCable::begin(now, context, s);
  settleHanging(now, s);
  const auto route = routeOf(s);
  for (int k = 0; joins_ && k < route.spans(); ++k)
    if (route.size() < capacity() && meetCurve(now, s, k, events)) --k;  // the first part may meet something else
  beginAlong(now, s);
  tellSunk(now, s, events);
}

/// A cable that lies on a body by its weight alone, on a wide face: its spans go to the far edges, and nothing holds
/// them out of the body on the way.
void WavyJoints::tellSunk(const Instant& now, State& s, Events& events) const {
  double* points = curveRoom(now);
  const auto route = routeOf(s);
  for (int k = 1; k + 1 < route.size(); ++k) {
    const int i = route[k];
    if (!link(i).found || waveOf(s, i)->inserted) continue;
    double deepest = 0.0;
    LinkState& on = stateOf(s, i);
    const bool straight = on.wrap() >= 0.0;
    for (int e = 0; e < 2 && !straight; ++e) {
      const int from = route[e == 0 ? k - 1 : k], to = route[e == 0 ? k : k + 1];
      const SpanGeometry chord = shapeOf(now, s, from, to).first;
      if (chord.status != TangentStatus::ok) continue;
      curveInto(waveOf(s, from), chord.end[0].point, chord.end[1].point, points);
      for (int m = 0; m < pieces(); ++m)
        deepest = std::min(
            deepest, closest(at3(points, m), at3(points, m + 1), *link(i).found, now.pose(link(i).mount.block)).gap);
    }
    const bool was = on.inside;
    on.inside = deepest < -besideShare * link(i).reach;
    if (on.inside && !was) events.add({now.time, this, i, EventKind::sunkInto});
  }
}

/// Room for three curves.
double* WavyJoints::curveRoom(const Instant& now) const {
  std::vector<double>& points = workspace(now).points;
  points.resize(at(9 * (pieces() + 1)));
  return points.data();
}

/// A span's curve in the world, triples of numbers: along the chord a node lies where the links before it reach.
void WavyJoints::curveInto(ConstWaveSpan m, const double* u, const Vec3& a, const Vec3& b, double* points) const {
  const int n = pieces();
  WaveSpanCache look;
  look.n = (b - a).normalized();
  frame(m, look);
  const double length = (b - a).norm();
  WaveMetric metric;
  arcOf({u, at(numbers())}, n, length, &metric);
  const auto extent = [&](int k) {
    const double x = u[2 * k] - u[2 * k - 2], y = u[2 * k + 1] - u[2 * k - 1];
    return std::sqrt(std::max(metric.link * metric.link - x * x - y * y, 0.0));
  };
  double whole = 0.0, along = 0.0;
  for (int k = 1; k <= n; ++k) whole += extent(k);
  for (int k = 0; k <= n; ++k) {
    if (k > 0) along += extent(k) * length / std::max(whole, 1e-300);
    const Vec3 p = k == n ? b : Vec3(a + along * look.n + u[2 * k] * look.side[0] + u[2 * k + 1] * look.side[1]);
    for (int c = 0; c < 3; ++c) points[3 * k + c] = p[c];
  }
}

/// Of the chord along it, of the wave across it.
Vec3 WavyJoints::nodeVelocity(const Instant& now, const State& s, int from, int to, const SpanGeometry& chord,
                              int m) const {
  const double share = static_cast<double>(m) / pieces();
  const ConstWaveSpan own = waveOf(s, from);
  const Vec3 v =
      (1.0 - share) * velocityAt(now, from, chord.end[0].point) + share * velocityAt(now, to, chord.end[1].point);
  if (own->madeWith <= 0.0) return v;
  const Vec3 moved = curve(own, chord.end[0].point, chord.end[1].point, share, own.increment(0));
  return v.dot(chord.n) * chord.n + moved / own->madeWith;
}

/// How far each point of a span's curve moves in the coming step under the tension it has. False: nothing is known
/// beyond its motion.
bool WavyJoints::drawnInto(const Instant& now, const State& s, int from, const SpanGeometry& chord,
                           const double* points, const double* moves, double h, double* drawn) const {
  const ConstWaveSpan m = waveOf(s, from);
  const int n = pieces();
  if (m->madeWith <= 0.0 || m->hanging) return false;
  const Vec3 a = chord.end[0].point + at3(moves, 0), b = chord.end[1].point + at3(moves, n);
  WaveSpanCache then;
  then.length = (b - a).norm();
  then.n = (b - a) / std::max(then.length, 1e-300);
  frame(m, then);
  WaveDrive d;
  d.pieces = n;
  d.chord = then.length;
  d.mass = settings_.material.mass * m->shape.link;
  d.tension = std::max(-s.force[at(spanSlot(from))], 0.0);
  d.damping = settings_.waveDamping;
  d.along = gravity_.dot(then.n) + m->axial;
  d.rate = 1.0 / h;
  d.scale = h * h;
  d.stretch = h / m->madeWith;
  for (int c = 0; c < 2; ++c) {
    d.gravity[c] = (gravity_ - m->coriolis.vec()).dot(then.side[c]);
    for (int e = 0; e < 2; ++e) d.shift[e][c] = at3(moves, e * n).dot(then.side[c]);
  }
  std::vector<double>& room = workspace(now).wave;
  room.resize(at(numbers()) + waveWork(n));
  double* u = room.data();
  solveWave(m.history(), m->shape, d, u, u + numbers());
  curveInto(m, u, a, b, drawn);
  for (int k = 0; k < 3 * (n + 1); ++k) {
    if (!std::isfinite(drawn[k])) return false;
    drawn[k] -= points[k];
  }
  return true;
}

/// A curve that is in a body already does not tell from which side it came: the side it has left the body on does.
void WavyJoints::keepSide(const Instant& now, State& s, int i, const Vec3& along) const {
  const ConstWaveSpan m = waveOf(s, i);
  const Vec3 left = now.rotation(link(i).mount.block) * m->left_B.vec();
  const Vec3 normal = now.rotation(link(i).mount.block) * stateOf(s, i).plane().normal_B;
  if (along.cross(normal).dot(left) >= 0.0) return;
  stateOf(s, i).turnPlane();
}

/// Of the links that were given back in this step: on which side of them the cable is.
void WavyJoints::leaveSide(const Instant& now, State& s) const {
  const State& past = now.past();
  const auto route = routeOf(past);
  for (int k = 1; k + 1 < route.size(); ++k) {
    const int i = route[k], before = route[k - 1];
    if (!link(i).found || stateOf(s, i).routed) continue;
    const Vec3 axis = stateOf(past, i).sense() * frameOf(now, past, i).normal;
    const Vec3 outward = now.rotation(link(i).mount.block).transpose() *
                         (spanAt(now, before).n + spanAt(now, i).n).cross(axis).normalized();
    waveOf(s, i)->left_B = outward;
  }
}

/// Whether piece m of a curve, which touches link i on the side of its plane, goes away from it in the coming step.
/// What lay on a body that is drawn back has its speed: only what the cable pulls with tells that it stays behind.
bool WavyJoints::goesAway(const Instant& now, const State& s, int i, int side, const Ways& ways, int m,
                          double h) const {
  const double* way = ways.drawn ? ways.drawn : ways.moves;
  const Vec3 a = at3(ways.points, m), along = at3(ways.points, m + 1) - a, normal = side * frameOf(now, s, i).normal;
  double t = 0.5;
  if (link(i).found) t = closest(a, a + along, *link(i).found, now.pose(link(i).mount.block)).fraction;
  const Vec3 goes = (1.0 - t) * at3(way, m) + t * at3(way, m + 1) - h * velocityAt(now, i, a + t * along);
  return goes.dot(along.cross(normal)) >= 0.0;
}

/// Time in units of the step at which the curve would meet link i, and the piece of it that does; negative if none.
double WavyJoints::meets(const Instant& now, State& s, int i, int from, const SpanGeometry& chord, const Ways& ways,
                         double h, int& piece) const {
  const Link& c = link(i);
  const int n = pieces();
  const auto outlook = [&](int m, const double* way) {
    const auto moving = [&](int k) {
      const Vec3 x = at3(ways.points, k);
      return MovingPoint{x, x + at3(way, k)};
    };
    return Outlook{h, moving(m), moving(m + 1), m > 0, m + 1 < n};
  };
  // First level: the chord as a capsule that holds sag and motion, against the link as a ball.
  const double reach = c.found ? c.reach : c.outline.reach();
  const Vec3 middle = c.found ? Vec3(now.position(c.mount.block) + now.rotation(c.mount.block) * c.center_B)
                              : frameOf(now, s, i).origin;
  const double* u = waveOf(s, from).u();
  double aside = 0.0, furthest = 0.0;
  for (int m = 0; m <= n; ++m) {
    aside = std::max(aside, u[2 * m] * u[2 * m] + u[2 * m + 1] * u[2 * m + 1]);
    furthest = std::max(furthest, at3(ways.moves, m).norm());
    if (ways.drawn) furthest = std::max(furthest, at3(ways.drawn, m).norm());
  }
  const double along = std::clamp(chord.n.dot(middle - chord.end[0].point), 0.0, chord.length);
  const double far = (middle - chord.end[0].point - along * chord.n).norm();
  const double turning = now.rotates(c.mount.block) ? now.angularVelocity(c.mount.block).norm() : 0.0;
  const double moves = furthest + h * (velocityAt(now, i, middle).norm() + turning * reach);
  if (far > reach + settings_.material.radius + std::sqrt(aside) + moves) {
    if (c.found) waveOf(s, i)->left_B = Vec3::Zero();
    return -1.0;
  }
  // Second: link by link, as the cable moves and as it is drawn.
  double first = 2.0;
  int side = 1, best = 1;
  const double* how = nullptr;
  piece = -1;
  const auto meet = [&](int m, const double* way) {
    const double time =
        c.found ? meetCandidate(now, s, i, outlook(m, way)) : meetDeclared(now, s, i, outlook(m, way), side);
    if (c.found && time == 0.0) keepSide(now, s, i, at3(ways.points, m + 1) - at3(ways.points, m));
    return time;
  };
  for (int m = 0; m < n; ++m)
    for (const double* way : {ways.moves, ways.drawn}) {
      const double time = way ? meet(m, way) : -1.0;
      if (time < 0.0 || time >= first || (time == 0.0 && goesAway(now, s, i, side, ways, m, h))) continue;
      first = time;
      piece = m;
      best = side;
      how = way;
    }
  if (piece < 0) return -1.0;
  if (c.found) meet(piece, how);  // lays the plane of the first one again
  stateOf(s, i).nearSide = best;
  return first;
}

bool WavyJoints::meetCurve(const Instant& now, State& s, int place, Events& events) const {
  const double h = now.model().description.settings.dt / now.model().description.settings.substeps;
  const int from = routeOf(s)[place], to = routeOf(s).next(place);
  if (stateOf(s, from).broken) return false;
  const SpanShape shape = shapeOf(now, s, from, to);
  if (shape.first.status != TangentStatus::ok) return false;
  double first = 2.0;
  int met = -1, where = -1;
  const int n = pieces();
  double *points = curveRoom(now), *moves = points + 3 * (n + 1), *drawn = moves + 3 * (n + 1);
  curveInto(waveOf(s, from), shape.first.end[0].point, shape.first.end[1].point, points);
  for (int m = 0; m <= n; ++m) put3(moves, m, h * nodeVelocity(now, s, from, to, shape.first, m));
  const Ways ways{points, moves, drawnInto(now, s, from, shape.first, points, moves, h, drawn) ? drawn : nullptr};
  for (int i = 0; i < capacity(); ++i) {
    if (!mayMeet(s, i, from, to)) continue;
    int piece = -1;
    const double time = meets(now, s, i, from, shape.first, ways, h, piece);
    if (time < 0.0 || time >= first) continue;
    first = time;
    met = i;
    where = piece;
  }
  if (met < 0) return false;
  Flag& across = stateOf(s, met).inside;
  const bool was = across;
  across = false;
  if (link(met).found) {
    const Vec3 a = at3(points, where), b = at3(points, where + 1);
    across = closest(a, b, *link(met).found, now.pose(link(met).mount.block)).gap < -besideShare * link(met).reach;
  }
  if (!across && takeInCurve(now, s, place, met, ways, h)) return true;
  across = true;
  if (!was) events.add({now.time, this, met, EventKind::liesAcross});
  return false;
}

/// What the two spans beside a link do to it together, N.
Vec3 WavyJoints::pullOn(const Instant& now, int before, int i) const {
  Vec3 pull = Vec3::Zero();
  for (const int e : {0, 1}) {
    const WaveSpanCache& look = spanAt(now, e == 0 ? i : before);
    const double force = now.multiplier(spanSlot(e == 0 ? i : before));
    pull += (look.wave.along[e] - (e == 0 ? 1.0 : -1.0) * look.wave.eta * force) * look.n;
    for (int c = 0; c < 2; ++c) pull += look.wave.force[e][c] * look.side[c];
  }
  return pull;
}

/// By all that the cable does there, but for the weight of a link, so that it does not come and go in turns.
bool WavyJoints::lies(const Instant& now, int before, int i, double angle) const {
  const State& past = now.past();
  if (i < declared_ && link(i).mount.rotor >= 0) return JointsCable::lies(now, before, i, angle);
  const WaveSpanCache &in = spanAt(now, before), &out = spanAt(now, i);
  if (!in.curved || !out.curved) return JointsCable::lies(now, before, i, angle);
  const Vec3 axis = stateOf(past, i).sense() * frameOf(now, past, i).normal;
  const Vec3 outward = (in.n + out.n).cross(axis).normalized();
  const double link = 0.5 * (waveOf(past, before)->shape.link + waveOf(past, i)->shape.link);
  if (-pullOn(now, before, i).dot(outward) >
      -link * settings_.material.mass * now.model().description.settings.gravity.norm())
    return true;
  return !without(now, before, i).passesOutside(outward);
}

/// After the step.
Without WavyJoints::without(const Instant& now, int before, int i) const {
  const ConstWaveSpan m = waveOf(now.past(), before), n = waveOf(now.past(), i);
  Without w;
  w.each = m->shape.link + n->shape.link;
  double* points = curveRoom(now);
  const WaveSpanCache &in = spanAt(now, before), &out = spanAt(now, i);
  curveInto(m, shapeAt(now, before), in.a, in.b, points);
  w.a = alongCurve(points, pieces(), 1.0 - w.each / m.arc());
  curveInto(n, shapeAt(now, i), out.a, out.b, points);
  w.b = alongCurve(points, pieces(), w.each / n.arc());
  w.here = 0.5 * (in.b + out.a);
  return w;
}

/// As for straight spans, by what the curves do.
bool WavyJoints::isClear(const Instant& now, const State& s, int before, int i, int after) const {
  if (!link(i).found) return false;
  if (!spanAt(now, before).curved || !spanAt(now, i).curved) return JointsCable::isClear(now, s, before, i, after);
  return without(now, before, i)
      .slidOff(pullOn(now, before, i), frameOf(now, now.past(), i).normal, *link(i).found,
               now.pose(link(i).mount.block), settings_.material.radius);
}

/// Direction of the first or last link of a span's curve.
Vec3 WavyJoints::slopeAt(const State& s, int from, const Vec3& n, bool last) const {
  const ConstWaveSpan m = waveOf(s, from);
  const double* u = m.u();
  WaveSpanCache look;
  look.n = n;
  frame(m, look);
  const int k = last ? pieces() - 1 : 0;
  const double x = u[2 * k + 2] - u[2 * k], y = u[2 * k + 3] - u[2 * k + 1], d2 = m->shape.link * m->shape.link;
  return std::sqrt(std::max(d2 - x * x - y * y, 0.0)) * n + x * look.side[0] + y * look.side[1];
}

/// In the link's plane, in the sense the cable runs round it: the slope of the curve after it, less that of the one
/// before.
double WavyJoints::sagTurn(const Instant& now, const State& s, int i) const {
  double turn = 0.0;
  const Vec3 axis = stateOf(s, i).sense() * frameOf(now, s, i).normal;
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    if ((from != i && to != i) || waveOf(s, from)->to != to) continue;
    const SpanGeometry g = shapeOf(now, s, from, to).first;
    if (g.status != TangentStatus::ok) continue;
    const Vec3 d = slopeAt(s, from, g.n, to == i);
    turn += (from == i ? 1.0 : -1.0) * math::atan2(axis.dot(g.n.cross(d)), g.n.dot(d));
  }
  return turn;
}

}  // namespace reeve
