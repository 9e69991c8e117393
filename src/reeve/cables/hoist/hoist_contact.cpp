// Contact nodes of a hoist cable (section 4.2): found at two levels of resolution, kept with their normal, slid,
// removed.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/geometry/collide.h"

namespace reeve {

namespace {

/// Share of the gap left by an early contact that remains after a step.
constexpr double closing = 0.5;
/// No second contact with a shape this near to one that exists, m.
constexpr double spacing = 0.05;

Vec3 velocityAt(const Instant& now, int block, const Vec3& point) {
  if (!now.rotates(block)) return now.velocity(block);
  return now.velocity(block) + now.angularVelocity(block).cross(point - now.position(block));
}

Pose poseOf(const Instant& now, int block) { return now.pose(block); }

}  // namespace

/// A span's polyline, by how many points it has.
int HoistCable::curvePieces() const { return waves() ? pieces() : 1; }

Vec3 HoistCable::pieceEnd(const State& s, int i, const Chord& chord, int m) const {
  if (waves()) return curvePoint(s, i, chord, m);
  return chord.span.end[at_(m)].point;
}

/// Velocity of that point: of the chord along it, of the wave across it.
Vec3 HoistCable::pieceVelocity(const Instant& now, const State& s, int from, int to, const Chord& chord, int m) const {
  const double share = static_cast<double>(m) / curvePieces();
  const Vec3 v = (1.0 - share) * velocityAt(now, mountOf(s, from).block, chord.span.end[0].point) +
                 share * velocityAt(now, mountOf(s, to).block, chord.span.end[1].point);
  const double made = recall(s, from, madeWith_);
  if (!waves() || explicitWaves() || made <= 0.0) return v;
  const double* d = field(s, from, 1);
  Vec3 out = v.dot(chord.span.n) * chord.span.n;
  for (int c = 0; c < 2; ++c) out += d[2 * m + c] / made * chord.side[c];
  return out;
}

void HoistCable::meet(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = 0; k + 1 < count(s); ++k)
    if (meetSpan(now, s, k, notices)) --k;  // the first part may meet something else
}

bool HoistCable::meetSpan(const Instant& now, State& s, int place, std::vector<Notice>& notices) const {
  int free = declared_;
  for (; free < capacity(); ++free) {
    bool used = false;
    for (int k = 0; k < count(s); ++k) used = used || nodeAt(s, k) == free;
    if (!used) break;
  }
  if (free >= capacity()) return false;
  const int from = nodeAt(s, place), to = nodeAt(s, place + 1), pieces = curvePieces();
  const Chord chord = chordOf(now, s, from, to);
  if (chord.span.length < 4.0 * spacing) return false;
  const Vec3 &a = chord.span.end[0].point, &b = chord.span.end[1].point;
  // A contact near another on the same shape adds a span too short to wave and nothing to the path.
  const double apart = std::max(spacing, 0.03 * chord.span.length);
  double aside = settings_.material.radius;
  if (waves()) {
    const double* u = field(s, from, 0);
    double most = 0.0;
    for (int m = 1; m < pieces; ++m) most = std::max(most, u[2 * m] * u[2 * m] + u[2 * m + 1] * u[2 * m + 1]);
    aside += std::sqrt(most);
  }
  struct Hit {
    double time = 2.0, fraction = 0.0, gap = 0.0;
    int piece = 0, body = 0, shape = 0;
    Vec3 normal = Vec3::Zero(), point = Vec3::Zero();
  } best;
  for (std::size_t body = 0; body < candidates_.size(); ++body) {
    const LinkMount& mount = candidates_[body];
    const bool held = (!node(from).contact && node(from).mount.block == mount.block) ||
                      (!node(to).contact && node(to).mount.block == mount.block);
    if (held) continue;
    const Pose pose = poseOf(now, mount.block);
    const auto relative = [&](const Vec3& x, const Vec3& v) {
      return Vec3((v - velocityAt(now, mount.block, x)) * step_);
    };
    // How far the ends and the middle can come in a step bounds it for the whole span: motion is linear along the chord
    // but for the waves, which the second level sees.
    double reach = 0.0;
    for (int m = 0; m <= pieces; m += std::max(pieces / 4, 1)) {
      const Vec3 x = pieceEnd(s, from, chord, m);
      reach = std::max(reach, relative(x, pieceVelocity(now, s, from, to, chord, m)).norm());
    }
    reach *= 1.5;
    for (std::size_t shape = 0; shape < mount.shapes.size(); ++shape) {
      // First level: the chord in its bounding capsule.
      if (closest(a, b, mount.shapes[shape], pose).gap > aside + reach) continue;
      // Second: link by link, advanced no further at a time than the gap allows, so that nothing is passed through.
      for (int m = 0; m < pieces; ++m) {
        const Vec3 x0 = pieceEnd(s, from, chord, m), x1 = pieceEnd(s, from, chord, m + 1);
        const Vec3 d0 = relative(x0, pieceVelocity(now, s, from, to, chord, m)),
                   d1 = relative(x1, pieceVelocity(now, s, from, to, chord, m + 1));
        const double fastest = std::max(d0.norm(), d1.norm());
        double time = 0.0;
        for (int it = 0; it < 60 && time <= 1.0; ++it) {
          const SegmentClosest c = closest(x0 + time * d0, x1 + time * d1, mount.shapes[shape], pose);
          const Vec3 drift = (1.0 - c.fraction) * d0 + c.fraction * d1;
          if (c.gap <= settings_.material.radius + 1e-6) {
            const Vec3 point = (1.0 - c.fraction) * x0 + c.fraction * x1;
            const auto nearNode = [&](int i, const Vec3& end) {
              return node(i).contact && static_cast<std::size_t>(recall(s, i, body_)) == body &&
                     static_cast<std::size_t>(recall(s, i, shape_)) == shape && (point - end).norm() < apart;
            };
            const bool edge = (point - a).norm() < 1e-3 || (point - b).norm() < 1e-3;
            if (time < best.time && drift.dot(c.normal) < 0.0 && !edge && !nearNode(from, a) && !nearNode(to, b))
              best = {time,
                      c.fraction,
                      std::max(-time * drift.dot(c.normal), 0.0),
                      m,
                      static_cast<int>(body),
                      static_cast<int>(shape),
                      c.normal,
                      point};
            break;
          }
          if (fastest <= 0.0) break;
          time += std::max((c.gap - settings_.material.radius) / fastest, 1e-3);
        }
      }
    }
  }
  if (best.time > 1.0) return false;
  const int block = candidates_[at_(best.body)].block;
  const Mat3 back = now.rotation(block).transpose();
  s.memory[cell(free, body_)] = best.body;
  s.memory[cell(free, shape_)] = best.shape;
  s.memory[cell(free, gap_)] = best.gap;
  keep3(s, free, normalX_, back * best.normal);
  keep3(s, free, placeX_, back * (best.point - best.gap * best.normal - now.position(block)));
  insertNode(now, s, place, free, (best.piece + best.fraction) / pieces);
  notices.push_back({now.time, this, free, "contact: the cable bends round it"});
  return true;
}

/// Reads a polyline field between two nodes' worth of places and writes it as another span's.
void HoistCable::resample(const double* from, double start, double end, double* to) const {
  const int n = pieces();
  for (int m = 0; m <= n; ++m) {
    const double wished = (start + (end - start) * m / n) * n;
    const double x = wished > 0.0 ? std::min(wished, static_cast<double>(n)) : 0.0;
    const int k = std::min(static_cast<int>(x), n - 1);
    const double t = x - k;
    for (int c = 0; c < 3; ++c) to[3 * m + c] = (1.0 - t) * from[3 * k + c] + t * from[3 * k + 3 + c];
  }
}

/// Which of a span's fields hold something, as vectors in the world: 0 is the curve itself.
void HoistCable::fieldToWorld(const State& s, int i, const Chord& chord, int which, double* out) const {
  const double* f = field(s, i, which);
  for (int m = 0; m <= pieces(); ++m) {
    const Vec3 v =
        which == 0 ? curvePoint(s, i, chord, m) : Vec3(f[2 * m] * chord.side[0] + f[2 * m + 1] * chord.side[1]);
    for (int c = 0; c < 3; ++c) out[3 * m + c] = v[c];
  }
}

void HoistCable::fieldFromWorld(State& s, int i, const Chord& chord, int which, const double* in) const {
  double* f = editField(s, i, which);
  for (int m = 0; m <= pieces(); ++m)
    for (int c = 0; c < 2; ++c) {
      Vec3 v(in[3 * m], in[3 * m + 1], in[3 * m + 2]);
      if (which == 0) v -= chord.span.end[0].point;
      f[2 * m + c] = which == 0 && (m == 0 || m == pieces()) ? 0.0 : v.dot(chord.side[c]);
    }
}

/// Chord, frame and metric of a span that has just been made of others.
void HoistCable::settleSpan(const Instant& now, State& s, int i, int to) const {
  const Chord chord = chordOf(now, s, i, to);
  keep3(s, i, startX_, chord.span.end[0].point);
  keep3(s, i, endX_, chord.span.end[1].point);
  if (!waves()) return;
  keep3(s, i, sideX_, chord.side[0]);
  WaveMetric metric;
  arcOf({field(s, i, 0), at_(fieldNumbers())}, pieces(), chord.span.length, &metric);
  s.memory[cell(i, link_)] = metric.link;
  s.memory[cell(i, eta_)] = metric.eta;
  s.memory[cell(i, slope_)] = metric.slope;
  for (const int what : {startSpeedX_, endSpeedX_, startForceX_, endForceX_}) keep3(s, i, what, Vec3::Zero());
  if (!explicitWaves()) return;
  s.memory[cell(i, madeWith_)] = 0.0;
  keepShape(s, i);
}

double HoistCable::arcNow(const Instant& now, const State& s, int i, int to) const {
  const double chord = chordOf(now, s, i, to).span.length;
  return spanArc(s, i, chord);
}

void HoistCable::insertNode(const Instant& now, State& s, int place, int contact, double fraction) const {
  const int from = nodeAt(s, place), to = nodeAt(s, place + 1);
  const Chord whole = chordOf(now, s, from, to);
  for (int k = count(s); k > place + 1; --k)
    s.memory[at_(memory + globals + k)] = s.memory[at_(memory + globals + k - 1)];
  s.memory[at_(memory + globals + place + 1)] = contact;
  s.memory[at_(memory + count_)] += 1.0;
  for (const int what : {wrapLength_, wrapAngle_, stored_, slipped_, rest_, error_, grown_, suspended_})
    s.memory[cell(contact, what)] = 0.0;
  if (waves()) {
    const int fields = explicitWaves() ? 2 : 4;
    double *old = now.scratch.data() + at_(scratch) + at_(scratchSize()) - spare(), *part = old + 3 * (pieces() + 1);
    for (const int what : {sideX_, sideY_, sideZ_, madeWith_}) s.memory[cell(contact, what)] = recall(s, from, what);
    const Chord first = chordOf(now, s, from, contact), second = chordOf(now, s, contact, to);
    for (int which = 0; which < fields; ++which) {
      fieldToWorld(s, from, whole, which, old);
      resample(old, 0.0, fraction, part);
      fieldFromWorld(s, from, first, which, part);
      resample(old, fraction, 1.0, part);
      fieldFromWorld(s, contact, second, which, part);
    }
  }
  settleSpan(now, s, from, contact);
  settleSpan(now, s, contact, to);
  if (node(contact).slip < 0) return;
  // Two runs now: the rest length is where the arcs are.
  int first = place;
  while (!startsRun(s, first)) --first;
  double before = 0.0, after = 0.0;
  for (int k = first; k + 1 < count(s) && (k == first || k == place + 1 || !startsRun(s, k)); ++k)
    (k <= place ? before : after) += arcNow(now, s, nodeAt(s, k), nodeAt(s, k + 1)) +
                                     (k > first && k != place + 1 ? recall(s, nodeAt(s, k), wrapLength_) : 0.0);
  const int run = nodeAt(s, first);
  const double payout = first == 0 ? payoutAt(s, now.time) : 0.0;
  const double rest = recall(s, run, rest_) + payout, share = after / (before + after);
  s.memory[cell(contact, rest_)] = share * rest;
  s.memory[cell(run, rest_)] = rest - recall(s, contact, rest_) - payout;
  const double error = recall(s, run, error_), grown = recall(s, run, grown_);
  s.memory[cell(contact, error_)] = share * error;
  s.memory[cell(run, error_)] = (1.0 - share) * error;
  s.memory[cell(contact, grown_)] = share * grown;
  s.memory[cell(run, grown_)] = (1.0 - share) * grown;
  s.force[at_(spanSlot(contact))] = s.force[at_(spanSlot(run))];
  s.mode[at_(spanSlot(contact))] = s.mode[at_(spanSlot(run))];
  s.force[at_(frictionSlot(contact))] = 0.0;
  s.mode[at_(frictionSlot(contact))] = Mode::free;
}

void HoistCable::removeNode(const Instant& now, State& s, int place) const {
  const int from = nodeAt(s, place - 1), gone = nodeAt(s, place), to = nodeAt(s, place + 1);
  const double first = arcNow(now, s, from, gone), second = arcNow(now, s, gone, to);
  if (waves()) {
    const int fields = explicitWaves() ? 2 : 4, n = pieces();
    double *a = now.scratch.data() + at_(scratch) + at_(scratchSize()) - spare(), *b = a + 3 * (n + 1),
           *part = b + 3 * (n + 1);
    const Chord before = chordOf(now, s, from, gone), after = chordOf(now, s, gone, to),
                whole = chordOf(now, s, from, to);
    const double share = first / (first + second);
    for (int which = 0; which < fields; ++which) {
      fieldToWorld(s, from, before, which, a);
      fieldToWorld(s, gone, after, which, b);
      for (int m = 0; m <= n; ++m) {
        const double x = static_cast<double>(m) / n;
        const bool left = x < share;
        const double wished = (left ? x / share : (x - share) / (1.0 - share)) * n;
        const double y = wished > 0.0 ? std::min(wished, static_cast<double>(n)) : 0.0;  // also where it is no number
        const int k = std::min(static_cast<int>(y), n - 1);
        const double* source = left ? a : b;
        for (int c = 0; c < 3; ++c)
          part[3 * m + c] = source[3 * k + c] + (y - k) * (source[3 * k + 3 + c] - source[3 * k + c]);
      }
      fieldFromWorld(s, from, whole, which, part);
    }
  }
  if (node(gone).slip >= 0) {
    int run = place - 1;
    while (!startsRun(s, run)) --run;
    const int r = nodeAt(s, run);
    for (const int what : {rest_, error_, grown_}) s.memory[cell(r, what)] += recall(s, gone, what);
    s.force[at_(spanSlot(r))] = std::min(s.force[at_(spanSlot(r))], s.force[at_(spanSlot(gone))]);
    if (s.mode[at_(spanSlot(gone))] == Mode::free) s.mode[at_(spanSlot(r))] = Mode::free;
  }
  for (const int row : {spanSlot(gone), frictionSlot(gone)}) {
    s.force[at_(row)] = 0.0;
    s.mode[at_(row)] = Mode::free;
  }
  for (const int what : {rest_, error_, grown_}) s.memory[cell(gone, what)] = 0.0;
  for (int k = place; k + 1 < count(s); ++k)
    s.memory[at_(memory + globals + k)] = s.memory[at_(memory + globals + k + 1)];
  s.memory[at_(memory + count_)] -= 1.0;
  settleSpan(now, s, from, to);
}

/// The turn of the cable at a node: direction after less direction before, by the links beside it.
Vec3 HoistCable::turnAt(const Instant& now, const State& s, int place) const {
  const int from = nodeAt(s, place - 1), here = nodeAt(s, place), to = nodeAt(s, place + 1), n = curvePieces();
  const Chord before = chordOf(now, s, from, here), after = chordOf(now, s, here, to);
  const Vec3 in = pieceEnd(s, from, before, n) - pieceEnd(s, from, before, n - 1),
             out = pieceEnd(s, here, after, 1) - pieceEnd(s, here, after, 0);
  return out.normalized() - in.normalized();
}

/// Moves a node over the surface of its shape along `way`, at most `far`, and never past the place where the surface
/// has turned so far that what is left of `pull` along it points back.
void HoistCable::creep(const Instant& now, State& s, int i, const Vec3& way, double far, const Vec3& pull) const {
  const LinkMount& mount = mountOf(s, i);
  const Mat3& r = now.rotation(mount.block);
  const Vec3 normal = r * recall3(s, i, normalX_), here = now.point({mount.block, recall3(s, i, placeX_)});
  const Shape& shape = mount.shapes[at_(static_cast<int>(recall(s, i, shape_)))];
  for (int it = 0; it < 30; ++it, far *= 0.5) {
    const SegmentClosest c = closest(here + far * way, here + far * way, shape, poseOf(now, mount.block));
    const Vec3 left = pull - pull.dot(c.normal) * c.normal;
    if (c.normal.dot(normal) < 0.9 || left.dot(way) < 0.0) continue;
    keep3(s, i, placeX_, r.transpose() * (c.onShape - now.position(mount.block)));
    keep3(s, i, normalX_, r.transpose() * c.normal);
    return;
  }
}

/// In its own plane the cable lies where its turn points straight into the surface, whatever the friction: that is
/// geometry. Out of that plane it drags the node along, to where friction holds it.
void HoistCable::slideContacts(const Instant& now, State& s) const {
  for (int k = 1; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    if (!node(i).contact) continue;
    s.memory[cell(i, gap_)] = recall(s, i, gap_) < 1e-6 ? 0.0 : closing * recall(s, i, gap_);
    if (recall(s, i, gap_) > 1e-3) continue;  // not there yet: it cannot slide, and its normal is a lever
    const Vec3 turn = turnAt(now, s, k);
    const Chord before = chordOf(now, s, nodeAt(s, k - 1), i), after = chordOf(now, s, i, nodeAt(s, k + 1));
    const Vec3 across = before.span.n.cross(after.span.n);
    if (across.norm() < 1e-6) continue;
    const Vec3 binormal = across.normalized();
    const double l1 = before.span.length, l2 = after.span.length;
    for (const bool aside : {false, true}) {
      const Vec3 normal = now.rotation(mountOf(s, i).block) * recall3(s, i, normalX_);
      const double press = -turn.dot(normal);
      if (press <= 0.0) break;
      const Vec3 drag = turn + press * normal,
                 part = aside ? Vec3(drag.dot(binormal) * binormal) : Vec3(drag.dot(binormal) * binormal - drag);
      const double excess = part.norm() - (aside ? settings_.material.friction * press : 0.0);
      if (excess <= 1e-6) continue;
      const double far = std::min({excess * l1 * l2 / (l1 + l2), 0.2 * std::min(l1, l2), spacing});
      creep(now, s, i, part.normalized(), far, aside ? turn : Vec3(-turn));
    }
  }
}

void HoistCable::leave(const Instant& now, State& s, std::vector<Notice>& notices) const {
  for (int k = 1; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    if (!node(i).contact) continue;
    const Vec3 normal = now.rotation(mountOf(s, i).block) * recall3(s, i, normalX_);
    // As published, by the chords: a slack cable's links point anywhere for a moment while it is still round the body.
    const Vec3 before = chordOf(now, s, nodeAt(s, k - 1), i).span.n,
               after = chordOf(now, s, i, nodeAt(s, k + 1)).span.n;
    if ((after - before).dot(normal) < 0.0) continue;
    removeNode(now, s, k);
    notices.push_back({now.time, this, i, "leaves: the tension no longer presses"});
    --k;
  }
}

}  // namespace reeve
