// A span of a hoist cable becomes two at a contact, and two become one: rest length, curve and increments stay.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {
/// rad: a section is laid by the straight lines to it; at a greater bend a span lies on a point, and until it is down
/// to the second.
constexpr double mostBend = 2.0, laidBend = 1.5;
/// Cosine of a normal with the side a cable was on, below which it is that of another face.
constexpr double besideEdge = 0.5;
/// Of a link, |Δu|/δ: whether it hangs instead is looked at from here on.
constexpr double tooSteep = 0.9;

/// A cable that is longer than its way over a flat face by this share is not laid across it by straight lines.
constexpr double slackOnFace = 1.001;

/// Whether the straight lines to a section cross, each to the far edge of a face: once they are lower than the face
/// they jump to its near edges, so what sags on it is held at points of it. (On what is round they come over by and
/// by.)
bool crossed(const Shape& shape, const Wrap& wrap) {
  const Geometry& g = shape.geometry;
  const bool flat =
      std::holds_alternative<Box>(g) || std::holds_alternative<Hull>(g) || std::holds_alternative<Prism>(g);
  return flat && wrap.angle < 0.0 && wrap.length < 0.0;
}

/// Two parts have this room together: what their curves are longer than their chords is scaled to it, so that no length
/// is made. A section touches a slack cable anywhere on what it will hold, not in the middle of it.
void shareRoom(double first, double second, double room, double (&lengths)[2]) {
  const double chords[2] = {first, second}, more[2] = {lengths[0] - first, lengths[1] - second};
  const double has = std::max(more[0], 0.0) + std::max(more[1], 0.0), wished = std::max(room - first - second, 0.0);
  for (const int e : {0, 1}) lengths[e] = chords[e] + (has > 0.0 ? std::max(more[e], 0.0) / has : 0.5) * wished;
}
}  // namespace

/// A wave's curve in the world: along the chord a node lies where the links before it reach.
void HoistCable::waveInto(const double* u, const Chord& chord, double* out) const {
  const SpanGeometry& span = chord.span;
  const int n = pieces();
  WaveMetric metric;
  arcOf({u, at(fieldNumbers())}, n, span.length, &metric);
  const auto extent = [&](int m) {
    const double x = u[2 * m] - u[2 * m - 2], y = u[2 * m + 1] - u[2 * m - 1];
    return std::sqrt(std::max(metric.link * metric.link - x * x - y * y, 0.0));
  };
  double whole = 0.0, along = 0.0;
  for (int m = 1; m <= n; ++m) whole += extent(m);
  const double scale = whole > 0.0 ? span.length / whole : 1.0;
  put3(out, 0, span.end[0].point);
  for (int m = 1; m < n; ++m) {
    along += scale * extent(m);
    put3(out, m, span.end[0].point + along * span.n + u[2 * m] * chord.side[0] + u[2 * m + 1] * chord.side[1]);
  }
  put3(out, n, span.end[1].point);
}

/// A span's curve in the world: triples of numbers, one more than it has pieces.
void HoistCable::curveInto(const State& s, int i, const Chord& chord, double* out) const {
  const SpanGeometry& span = chord.span;
  const int n = curvePieces();
  if (waves() && !stateOf(s, i).hanging) return waveInto(field(s, i, 0), chord, out);
  put3(out, 0, span.end[0].point);
  if (waves()) {
    const LyingCurve curve = hangingAt(span.end[0].point, span.end[1].point, stateOf(s, i).hangingLength);
    for (int m = 1; m < n; ++m) put3(out, m, curve.at(curve.length * m / n));
  }
  put3(out, n, span.end[1].point);
}

/// Reads a polyline field between two shares of it and writes it as another span's.
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

/// One of a span's fields as vectors in the world: 0 is the curve itself.
void HoistCable::fieldToWorld(const State& s, int i, const Chord& chord, int which, double* out) const {
  if (which == 0) return curveInto(s, i, chord, out);
  const double* f = field(s, i, which);
  for (int m = 0; m <= pieces(); ++m) {
    const Vec3 v = f[2 * m] * chord.side[0] + f[2 * m + 1] * chord.side[1];
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

/// A chord between these points, its frame carried on from the span's own.
HoistChord HoistCable::between(const State& s, int i, const Vec3& start, const Vec3& end) const {
  Chord c;
  c.straightEnds = true;
  c.span.end[0].point = start;
  c.span.end[1].point = end;
  c.span.length = (end - start).norm();
  c.span.n = c.span.length > 0.0 ? Vec3((end - start) / c.span.length) : Vec3::UnitX();
  const Vec3 before = stateOf(s, i).side.vec(), side = before - before.dot(c.span.n) * c.span.n;
  if (side.norm() < 1e-6) {
    orthonormalBasis(c.span.n, c.side[0], c.side[1]);
  } else {
    c.side[0] = side.normalized();
    c.side[1] = c.span.n.cross(c.side[0]);
  }
  return c;
}

/// Chord, frame and metric of a span that has just been made of others. The corners that sampling has cut off are given
/// back: its curve has the length it is told.
void HoistCable::settleShape(State& s, int i, const Chord& chord, double arc) const {
  stateOf(s, i).chordEnd[0] = chord.span.end[0].point;
  stateOf(s, i).chordEnd[1] = chord.span.end[1].point;
  if (!waves()) return;
  stateOf(s, i).side = chord.side[0];
  double* u = editField(s, i, 0);
  WaveMetric metric;
  double now = arcOf({u, at(fieldNumbers())}, pieces(), chord.span.length, &metric);
  const double wished = arc - chord.span.length;
  if (!(wished > 1e-12 * arc) && now > chord.span.length) {  // as straight as it is told to be
    std::fill(u, u + fieldNumbers(), 0.0);
    now = arcOf({u, at(fieldNumbers())}, pieces(), chord.span.length, &metric);
  }
  for (int it = 0; it < 20 && std::fabs(now - arc) > 1e-14 * arc; ++it) {
    const double has = now - chord.span.length;
    if (!(wished > 1e-12 * arc) || !(has > 1e-12 * arc)) break;
    const double scale = std::sqrt(std::clamp(wished / has, 0.25, 4.0));
    for (int k = 0; k < fieldNumbers(); ++k) u[k] *= scale;
    now = arcOf({u, at(fieldNumbers())}, pieces(), chord.span.length, &metric);
  }
  stateOf(s, i).curve = metric;
  for (const int e : {0, 1}) stateOf(s, i).endSpeed[e] = stateOf(s, i).endOlder[e] = Vec3::Zero();
  if (!explicitWaves()) return;
  stateOf(s, i).madeWith = 0.0;
  keepShape(s, i);
}

/// A part of a span that hung, of this length: where it is too steep for a wave it hangs too.
void HoistCable::settleHung(State& s, int i, const Chord& chord, double arc) const {
  if (!hangs() || !(arc > 0.0) || steepness(s, i, chord, arc) >= 0) return;
  stateOf(s, i).hanging = true;
  stateOf(s, i).hangingHistory = 0;
  stateOf(s, i).hangingLength = std::max(arc, (1.0 + 1e-6) * chord.span.length);
  stateOf(s, i).hangingGrowth = 0.0;
  stateOf(s, i).curve.link = stateOf(s, i).hangingLength / pieces();
  stateOf(s, i).curve.slope = 1.0;
}

double HoistCable::arcNow(const Instant& now, const State& s, int i, int to) const {
  const double chord = chordOf(now, s, i, to).span.length;
  return spanArc(s, i, chord);
}

/// Where the cable comes to and leaves a link it may slip on, on the surface.
void HoistCable::keepPlaces(State& s, int i, const Chord& in, const Wrap& wrap) const {
  const ContactTravel entry = reeve::travelOf(in.span.end[1].place);
  stateOf(s, i).entry.s = entry.s;
  stateOf(s, i).entry.angle = entry.angle;
  stateOf(s, i).exit.s = entry.s + node(i).sigma * wrap.length;
  stateOf(s, i).exit.angle = entry.angle + node(i).sigma * wrap.angle;
}

/// The plane of a contact's normal and the ends of the span.
std::optional<WrapPlane> HoistCable::planeOfEnds(const Instant& now, const State& s, int contact, const Hit& hit,
                                                 const Chord& chord) const {
  const Mat3& r = now.rotation(candidates_[at(hit.body)].block);
  Vec3 along = r.transpose() * chord.span.n;
  along -= along.dot(hit.normal) * hit.normal;
  if (along.norm() < 0.1) return std::nullopt;
  const auto plane = planeAtContact(shapeOf(s, contact),
                                    {0.0, 0.0, stateOf(s, contact).place_B.vec(), hit.normal, along.normalized()});
  if (!plane || !sectionOutline(shapeOf(s, contact), *plane, settings_.material.radius)) return std::nullopt;
  return plane;
}

/// The span after a place becomes two, before and after a node that comes in. Returns the length it had, and what of it
/// is before the middle of the node.
std::pair<double, double> HoistCable::splitSpan(const Instant& now, State& s, int place, int via,
                                                const Cut& cut) const {
  const int from = nodeAt(s, place), to = nodeAt(s, place + 1);
  const Wrap& wrap = cut.wrap;
  double *old = curveRoom(now), *part = old + 3 * (curvePieces() + 1), *hanging = part + 3 * (curvePieces() + 1);
  const bool hung = waves() && stateOf(s, from).hanging;
  if (hung) curveInto(s, from, chordOf(now, s, from, to), hanging);
  const double length = stateOf(s, from).hangingLength;
  flatten(now, s, from, to);
  const Chord whole = chordOf(now, s, from, to);
  const double arc = hung ? length : spanArc(s, from, whole.span.length);
  routeOf(s).insert(place + 1, via);
  stateOf(s, from).stop = 0;
  stateOf(s, via).beginAfter(stateOf(s, from), now.time);
  stateOf(s, from).flows = 0;  // what they flow and weigh is new
  const Chord before = between(s, from, whole.span.end[0].point, cut.ends[0]),
              after = between(s, from, cut.ends[1], whole.span.end[1].point);
  const double half = 0.5 * wrap.length / arc, low = std::clamp(cut.fraction - half, 0.0, 1.0),
               high = std::clamp(cut.fraction + half, 0.0, 1.0);
  if (waves()) {
    for (int which = 0; which < (explicitWaves() ? 2 : 4); ++which) {
      if (hung && which == 0)
        std::copy(hanging, hanging + 3 * (pieces() + 1), old);
      else
        fieldToWorld(s, from, whole, which, old);
      resample(old, 0.0, low, part);
      fieldFromWorld(s, from, before, which, part);
      resample(old, high, 1.0, part);
      fieldFromWorld(s, via, after, which, part);
    }
  }
  double lengths[2] = {cut.fraction * arc - 0.5 * wrap.length, (1.0 - cut.fraction) * arc - 0.5 * wrap.length};
  if (waves() && !hung) {
    const std::size_t size = at(fieldNumbers());
    lengths[0] = arcOf({field(s, from, 0), size}, pieces(), before.span.length);
    lengths[1] = arcOf({field(s, via, 0), size}, pieces(), after.span.length);
    shareRoom(before.span.length, after.span.length, arc - wrap.length, lengths);
  }
  settleShape(s, from, before, lengths[0]);
  settleShape(s, via, after, lengths[1]);
  if (hung) {  // parts of a catenary are catenaries
    settleHung(s, from, before, lengths[0]);
    settleHung(s, via, after, lengths[1]);
  }
  stateOf(s, via).wrap = wrap;
  return {arc, lengths[0] + 0.5 * wrap.length};
}

bool HoistCable::insertNode(const Instant& now, State& s, int place, int contact, const Hit& hit) const {
  const int from = nodeAt(s, place), to = nodeAt(s, place + 1);
  stateOf(s, contact).body = hit.body;
  stateOf(s, contact).shape = hit.shape;
  stateOf(s, contact).wraps = hit.plane.has_value();
  stateOf(s, contact).height = hit.plane ? hit.plane->height : 0.0;
  stateOf(s, contact).normal_B = hit.plane ? hit.plane->normal_B : hit.normal;
  const int block = candidates_[at(hit.body)].block;
  stateOf(s, contact).place_B =
      hit.edge ? hit.place : Vec3(now.rotation(block).transpose() * (hit.point - now.position(block)));
  Wrap wrap;
  SpanGeometry first, second;
  const auto same = [&](int i) {  // beside a point of the same shape there is no room for a section
    return node(i).contact && stateOf(s, i).body == hit.body && stateOf(s, i).shape == hit.shape;
  };
  bool section = hit.plane && !same(from) && !same(to);
  const auto lay = [&](const WrapPlane& plane) {
    stateOf(s, contact).height = plane.height;
    stateOf(s, contact).normal_B = plane.normal_B;
    first = spanBetween(spanEnd(now, s, from), spanEnd(now, s, contact));
    second = spanBetween(spanEnd(now, s, contact), spanEnd(now, s, to));
    section = first.status == TangentStatus::ok && second.status == TangentStatus::ok;
    if (section)
      wrap = continueWrap(outlineOf(now, s, contact), node(contact).sigma, first.end[1].place, second.end[0].place,
                          Wrap{});
    // Straight lines to a section tell nothing of a cable that hangs steeply beside them: it lies on a point of it.
    section = section && std::fabs(wrap.angle) < mostBend;
    return section ? first.length + wrap.length + second.length : unbounded;
  };
  if (section) {
    // A curved cable may touch the body in another direction than that of its ends, and would have to be longer than it
    // is to lie in that plane.
    const Chord chord = chordOf(now, s, from, to);
    const double has = spanArc(s, from, chord.span.length), needs = lay(*hit.plane);
    if (needs > has) {
      const auto other = planeOfEnds(now, s, contact, hit, chord);
      if (other && !(lay(*other) < needs)) lay(*hit.plane);
    }
    const double path = first.length + second.length + wrap.length;
    // At an edge the nearest face may be the one beside that on which the cable was: a section there would ask for more
    // cable than there is, by more than what touches is inside.
    const Vec3 kept = sideOf(s, hit.body, hit.shape);
    const bool beside = !hit.behind && kept.squaredNorm() > 0.0 && hit.normal.dot(kept) < besideEdge;
    if (section && beside && path > has + 2.0 * (settings_.material.radius + hit.overlap)) return false;
    if (section && waves() && has > slackOnFace * path && crossed(shapeOf(s, contact), wrap)) {
      section = false;
      stateOf(s, contact).place_B = hit.place;
    }
  }
  // Straight lines pass by it, and the tension draws the cable clear of it: what has just left it does not come back.
  if (section && waves() && wrap.angle < 0.0 && hit.time == 0.0 && hit.drawnClear) return false;
  if (!section) {
    const bool steep = wrap.angle < 0.0 || same(from) || same(to) || stateOf(s, from).hanging;
    if (hit.plane && !(waves() && steep)) return false;  // nothing bends a span that far within a step
    wrap = Wrap{};
    stateOf(s, contact).wraps = false;
    stateOf(s, contact).normal_B = hit.normal;
  }
  // The new ends lie where the section would touch the cable now; they come to it within the step. What lies on the
  // section, by the straight lines to it, is no longer part of the curves.
  Cut cut{hit.fraction, {hit.point, hit.point}, wrap};
  if (section) {
    const LinkFrame frame = spanEnd(now, s, contact).frame;
    Vec3 near = hit.point;
    if (hit.behind) near += 10.0 * outlineOf(now, s, contact).reach() * (now.rotation(block) * hit.normal);
    const Vec3 gap = hit.point - frame.toWorld(outlineOf(now, s, contact).nearest(frame.toPlane(near)).point);
    cut.ends[0] = first.end[1].point + gap;
    cut.ends[1] = second.end[0].point + gap;
  }
  const auto [arc, before] = splitSpan(now, s, place, contact, cut);
  stateOf(s, contact).pulledFor = 0.0;
  stateOf(s, contact).loose = true;
  const bool holds = !slackAt(s, place) && (!(hit.plane || hit.edge) || section || !heldBeside(s, contact));
  stateOf(s, contact).loose = !holds;
  if (slipOf(s, contact) >= 0) partRun(now, s, place, arc, before / arc, wrap, first);
  return true;
}

/// A point of a body that the cable has come to lie straighter on becomes a section of it.
void HoistCable::layOnSection(const Instant& now, State& s, int place) const {
  const int from = nodeAt(s, place - 1), i = nodeAt(s, place), to = nodeAt(s, place + 1);
  const Shape& solid = shapeOf(s, i);
  if (std::holds_alternative<HalfSpace>(solid.geometry)) return;
  if (stateOf(s, from).hanging || stateOf(s, i).hanging) return;
  for (const int other : {from, to})
    if (node(other).contact && stateOf(s, other).body == stateOf(s, i).body &&
        stateOf(s, other).shape == stateOf(s, i).shape)
      return;
  const Chord in = chordOf(now, s, from, i), out = chordOf(now, s, i, to);
  const Vec3 normal_B = stateOf(s, i).normal_B.vec();
  const Mat3& r = now.rotation(mountOf(s, i).block);
  const double bend = math::acos(std::clamp(in.span.n.dot(out.span.n), -1.0, 1.0));
  if (bend > laidBend && (out.span.n - in.span.n).dot(r * normal_B) > 0.0) return;
  Vec3 along = r.transpose() * (in.span.n + out.span.n);
  along -= along.dot(normal_B) * normal_B;
  if (along.norm() < 0.1) return;
  const auto plane = planeAtContact(solid, {0.0, 0.0, stateOf(s, i).place_B.vec(), normal_B, along.normalized()});
  if (!plane || !sectionOutline(solid, *plane, settings_.material.radius)) return;
  const double arcs[2] = {spanArc(s, from, in.span.length), spanArc(s, i, out.span.length)};
  double *old = curveRoom(now), *part = old + 3 * (pieces() + 1);
  stateOf(s, i).wraps = true;
  stateOf(s, i).height = plane->height;
  stateOf(s, i).normal_B = plane->normal_B;
  const SpanGeometry first = spanBetween(spanEnd(now, s, from), spanEnd(now, s, i)),
                     second = spanBetween(spanEnd(now, s, i), spanEnd(now, s, to));
  Wrap wrap;
  if (first.status == TangentStatus::ok && second.status == TangentStatus::ok)
    wrap = continueWrap(outlineOf(now, s, i), node(i).sigma, first.end[1].place, second.end[0].place, Wrap{});
  // What the section holds on either side of the point comes from the span on that side.
  double covered[2] = {0.5 * wrap.length, 0.5 * wrap.length};
  const double apart[2] = {(first.end[1].point - in.span.end[1].point).norm(),
                           (second.end[0].point - in.span.end[1].point).norm()};
  if (wrap.length > 0.0 && apart[0] + apart[1] > 0.0)
    for (const int e : {0, 1}) covered[e] = wrap.length * apart[e] / (apart[0] + apart[1]);
  const bool lies =
      arcs[0] + arcs[1] > slackOnFace * (first.length + second.length + wrap.length) && crossed(solid, wrap);
  if (lies || first.status != TangentStatus::ok || second.status != TangentStatus::ok ||
      std::fabs(wrap.angle) > mostBend || covered[0] > 0.5 * arcs[0] || covered[1] > 0.5 * arcs[1]) {
    stateOf(s, i).wraps = false;
    stateOf(s, i).normal_B = normal_B;
    return;
  }
  double lengths[2];
  const auto chordTo = [&](int e) {
    return between(s, e == 0 ? from : i, e == 0 ? in.span.end[0].point : second.end[0].point,
                   e == 0 ? first.end[1].point : out.span.end[1].point);
  };
  for (const int e : {0, 1}) {
    const int span = e == 0 ? from : i;
    const Chord &was = e == 0 ? in : out, chord = chordTo(e);
    for (int which = 0; which < (explicitWaves() ? 2 : 4); ++which) {
      fieldToWorld(s, span, was, which, old);
      const double share = std::max(covered[e], 0.0) / arcs[e];
      resample(old, e == 0 ? 0.0 : share, e == 0 ? 1.0 - share : 1.0, part);
      fieldFromWorld(s, span, chord, which, part);
    }
    lengths[e] = arcs[e] - covered[e];
  }
  shareRoom(chordTo(0).span.length, chordTo(1).span.length, arcs[0] + arcs[1] - wrap.length, lengths);
  settleShape(s, from, chordTo(0), lengths[0]);
  settleShape(s, i, chordTo(1), lengths[1]);
  stateOf(s, i).wrap = wrap;
  if (!grips(s, i)) return;
  Chord comes;
  comes.span = first;
  keepPlaces(s, i, comes, wrap);
  int run = place - 1;
  while (!startsRun(s, run)) --run;
  stateOf(s, i).stored = wrap.length;
  const double before = arcs[0] - lengths[0];
  stateOf(s, nodeAt(s, run)).rest -= before;
  stateOf(s, i).rest -= wrap.length - before;
}

/// Two runs now: the rest length is where the arcs are.
void HoistCable::partRun(const Instant& now, State& s, int place, double arc, double fraction, const Wrap& wrap,
                         const SpanGeometry& in) const {
  int first = place;
  while (!startsRun(s, first)) --first;
  const int run = nodeAt(s, first), contact = nodeAt(s, place + 1);
  double before = fraction * arc, after = (1.0 - fraction) * arc;
  for (int k = first; k + 1 < count(s) && (k == first || k == place + 1 || !startsRun(s, k)); ++k) {
    const int i = nodeAt(s, k);
    double& side = k <= place ? before : after;
    if (k != place && k != place + 1) side += arcNow(now, s, i, nodeAt(s, k + 1));
    if (k > first && k != place + 1) side += stateOf(s, i).wrap.length;
  }
  const double payout = first == 0 ? payoutAt(s, now.time) : 0.0;
  const double rest = stateOf(s, run).rest + payout, share = after / (before + after);
  if (round(s, contact)) {
    Chord chord;
    chord.span = in;
    keepPlaces(s, contact, chord, wrap);
    stateOf(s, contact).stored = wrap.length;
  }
  const double lies = stateOf(s, contact).stored;
  stateOf(s, contact).rest = share * rest - 0.5 * lies;
  stateOf(s, run).rest = rest - stateOf(s, contact).rest - lies - payout;
  const auto divide = [share](double& first, double& second) {
    second = share * first;
    first *= 1.0 - share;
  };
  divide(stateOf(s, run).error, stateOf(s, contact).error);
  divide(stateOf(s, run).grown, stateOf(s, contact).grown);
  s.force[at(spanSlot(contact))] = s.force[at(spanSlot(run))];
  s.mode[at(spanSlot(contact))] = s.mode[at(spanSlot(run))];
  s.force[at(frictionSlot(contact))] = 0.0;
  s.mode[at(frictionSlot(contact))] = Mode::free;
}

void HoistCable::removeNode(const Instant& now, State& s, int place) const {
  const int from = nodeAt(s, place - 1), gone = nodeAt(s, place), to = nodeAt(s, place + 1);
  const bool hung = waves() && (stateOf(s, from).hanging || stateOf(s, gone).hanging);
  flatten(now, s, from, gone);
  flatten(now, s, gone, to);
  const Chord before = chordOf(now, s, from, gone), after = chordOf(now, s, gone, to);
  const double first = spanArc(s, from, before.span.length), second = spanArc(s, gone, after.span.length);
  const double lies = round(s, gone) ? (grips(s, gone) ? stateOf(s, gone).stored : stateOf(s, gone).wrap.length) : 0.0;
  if (waves()) {
    const int fields = explicitWaves() ? 2 : 4, n = pieces();
    // Straight lines that pass by a section cross before they come to it, and what is beyond is no part of the whole.
    const double beyond = std::max(-0.5 * lies, 0.0),
                 uses[2] = {std::max(1.0 - beyond / first, 0.0), std::max(1.0 - beyond / second, 0.0)};
    double *a = curveRoom(now), *b = a + 3 * (n + 1), *part = b + 3 * (n + 1);
    const Chord whole = between(s, from, before.span.end[0].point, after.span.end[1].point);
    const double share = uses[0] * first / (uses[0] * first + uses[1] * second);
    for (int which = 0; which < fields; ++which) {
      fieldToWorld(s, from, before, which, a);
      fieldToWorld(s, gone, after, which, b);
      for (int m = 0; m <= n; ++m) {
        const double x = static_cast<double>(m) / n;
        const bool left = x < share;
        const double wished = (left ? uses[0] * x / share : 1.0 - uses[1] * (1.0 - x) / (1.0 - share)) * n;
        const double y = wished > 0.0 ? std::min(wished, static_cast<double>(n)) : 0.0;  // also where it is no number
        const int k = std::min(static_cast<int>(y), n - 1);
        const double* source = left ? a : b;
        for (int c = 0; c < 3; ++c)
          part[3 * m + c] = source[3 * k + c] + (y - k) * (source[3 * k + 3 + c] - source[3 * k + c]);
      }
      fieldFromWorld(s, from, whole, which, part);
    }
  }
  if (slipOf(s, gone) >= 0) {
    int run = place - 1;
    while (!startsRun(s, run)) --run;
    const int r = nodeAt(s, run);
    stateOf(s, r).joinRun(stateOf(s, gone));
    s.force[at(spanSlot(r))] = std::min(s.force[at(spanSlot(r))], s.force[at(spanSlot(gone))]);
    if (s.mode[at(spanSlot(gone))] == Mode::free) s.mode[at(spanSlot(r))] = Mode::free;
  }
  for (const int row : {spanSlot(gone), frictionSlot(gone), stopSlot(gone), stopSlot(from)}) {
    s.force[at(row)] = 0.0;
    s.mode[at(row)] = Mode::free;
  }
  stateOf(s, from).flows = 0;
  stateOf(s, gone).endRun();
  stateOf(s, gone).stop = stateOf(s, gone).flows = 0;
  stateOf(s, from).stop = 0;
  routeOf(s).erase(place);
  const Chord chord = chordOf(now, s, from, to);
  settleShape(s, from, chord, first + second + lies);
  // Folded over what it leaves, it may be steeper than any wave.
  if (hung || stateOf(s, from).curve.slope >= tooSteep) settleHung(s, from, chord, first + second + lies);
}

}  // namespace reeve
