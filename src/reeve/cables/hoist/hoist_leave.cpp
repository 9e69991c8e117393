// Contact nodes of a hoist cable (section 4.2): what presses them on, slid across their plane, removed.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/geometry/collide.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {
/// A contact is not given up where one span would be inside the shape by one part in so many of what is too deep.
constexpr double inwards = 4.0;
/// s, no longer a time is the press of a point on a slack cable taken of.
constexpr double longestMean = 0.01;
/// m/s: how fast a cable without inertia slides across its plane.
constexpr double fastest = 10.0;
}  // namespace

/// What the cable does to a contact, N, by the step that has just been made.
Vec3 HoistCable::pullAt(const Instant& now, int place) const {
  const HoistSpans& spans = now.cache<HoistCache>(*this).spans;
  const State& past = now.past();
  const int i = nodeAt(past, place), from = nodeAt(past, place - 1);
  Vec3 pull = Vec3::Zero();
  for (const int e : {0, 1}) {
    const int span = e == 0 ? i : from;
    int run = e == 0 ? place : place - 1;
    while (!startsRun(past, run)) --run;
    const double force = now.multiplier(spanSlot(nodeAt(past, run)));
    const HoistSpan& look = spans[span];
    const double weight = stateOf(past, span).hanging ? look.wave.out.along[e]
                          : e == 0                    ? endLift(look, 0)
                                                      : -endLift(look, 1);
    pull += (weight - (e == 0 ? 1.0 : -1.0) * look.wave.out.eta * force) * look.chord.span.n;
    for (int c = 0; c < 2; ++c) pull += look.wave.out.force[e][c] * look.chord.side[c];
  }
  return pull;
}

/// The tension of the span after a place, N.
double HoistCable::tensionOf(const State& s, int place) const {
  if (settings_.pull == PullForm::force) return stateOf(s).explicitTension;
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
  const double wave = std::min(stateOf(past, i).curve.link * std::sqrt(mass_ / tension), longestMean);
  return now.h / (now.h + wave);
}

/// What of a pull presses, and what of it leads across the plane of a section.
void HoistCable::keepPull(const Instant& now, State& s, int place, const Vec3& pull) const {
  const State& past = now.past();
  const int i = nodeAt(past, place);
  const Vec3 in = chordOf(now, past, nodeAt(past, place - 1), i).span.n,
             out = chordOf(now, past, i, nodeAt(past, place + 1)).span.n;
  const double press = -pull.dot(outwardAt(now, past, i, in, out)), before = stateOf(past, i).press;
  stateOf(s, i).press = before + newShare(now, place) * (press - before);
  stateOf(s, i).across = round(past, i) ? pull.dot(spanEnd(now, past, i).frame.normal) : 0.0;
}

/// Of the spans beside a contact.
Without HoistCable::without(const Instant& now, const State& s, int place) const {
  const int from = nodeAt(s, place - 1), i = nodeAt(s, place), n = pieces();
  double* points = curveRoom(now);
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
  double* points = curveRoom(now);
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

void HoistCable::leave(const Instant& now, State& s, Events& events) const {
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
      if (stateOf(s, i).press > -sticks || !passesOutside(now, s, k)) continue;
    } else if (round(s, i)) {
      if (stateOf(s, i).wrap.angle >= -1e-9) continue;
    } else {
      const Vec3 in = chordOf(now, s, nodeAt(s, k - 1), i).span.n, out = chordOf(now, s, i, nodeAt(s, k + 1)).span.n;
      if ((out - in).dot(outwardAt(now, s, i, in, out)) < 0.0) continue;
    }
    // The last point of a shape goes when the cable is clear of it, or it would be met again at once; or when it is
    // pulled off with more than the spans beside it weigh.
    const double weighs = pieces() * (linkMass(s, nodeAt(s, k - 1)) + linkMass(s, i)) * gravity_.norm();
    const bool pulledOff = stateOf(s, i).press <= -weighs;
    const bool last = whole && !round(s, i) && !std::holds_alternative<HalfSpace>(shapeOf(s, i).geometry) &&
                      !touchesBeside(s, i) && !pulledOff;
    if ((waves() && round(s, i) && !pulledOff) || last) {
      const State held = s;
      keepSide(now, s, k);
      removeNode(now, s, k);
      if (cutsInto(now, s, k - 1, stateOf(held, i).body, stateOf(held, i).shape, last)) {
        s = held;  // the longer links of one span would lie in the body
        continue;
      }
    } else {
      keepSide(now, s, k);
      removeNode(now, s, k);
    }
    --k;
    if (touchesBeside(s, i)) continue;  // told when the last point of a shape goes
    // One that has come in this very step was never there: tellContacts has not told of it.
    if (stateOf(s, i).born >= now.past().time) continue;
    events.add({now.time, this, i, EventKind::contactEnds});
  }
}

/// Tells of contacts that have come before this step and outlived it, once for each shape.
void HoistCable::tellContacts(const Instant& now, const State& s, Events& events) const {
  const State& past = now.past();
  for (int k = 1; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    if (!node(i).contact || stateOf(s, i).born < past.time) continue;
    bool first = true, seen = false;
    for (int m = 1; m + 1 < count(past); ++m) {
      const int j = nodeAt(past, m);
      seen = seen || j == i;
      if (j == i || !node(j).contact || !stateOf(past, j).onSameShape(stateOf(past, i))) continue;
      first = first && seen && stateOf(past, j).born >= past.time;
    }
    if (first) events.add({past.time, this, i, EventKind::contactBegins});
  }
}

void HoistCable::slideContacts(const Instant& now, State& s, Events& events) const {
  for (int k = 1; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    if (!node(i).contact || !round(s, i) || slideAside(now, s, k)) continue;
    keepSide(now, s, k);
    removeNode(now, s, k);
    events.add({now.time, this, i, EventKind::slidOff});
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
    across = stateOf(s, i).across;
    into = std::max(stateOf(s, i).press, 0.0);
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
  const double path = l1 + l2 + stateOf(s, i).wrap.length;
  Chord first, second;
  Wrap wrap;
  bool shorter = false;
  const double most = staysOn(solid, was, across > 0.0 ? far : -far), least = 0.1 * std::fabs(most);
  for (double moves = most; !shorter && std::fabs(moves) > least; moves *= 0.5) {
    stateOf(s, i).height = was.height + moves;
    first = chordOf(now, s, from, i);
    second = chordOf(now, s, i, to);
    wrap = wrapOf(now, s, i, first.span, second.span);
    const double longer = first.span.length + second.span.length + wrap.length - path;
    shorter = tension * (longer + bent * moves) < across * moves;
  }
  const bool stays = std::fabs(most) >= far;
  if (!shorter) {
    stateOf(s, i).height = was.height;
    return stays;
  }
  const double more = wrap.length - stateOf(s, i).wrap.length;
  stateOf(s, from).chordEnd[1] = first.span.end[1].point;
  stateOf(s, i).chordEnd[0] = second.span.end[0].point;
  stateOf(s, i).wrap = wrap;
  if (!grips(s, i)) return stays;
  keepPlaces(s, i, first, wrap);
  int run = place - 1;
  while (!startsRun(s, run)) --run;
  // What was passed on to the other side of it, so that both tensions stay.
  const double passed = 0.5 * (first.span.length - l1 - second.span.length + l2);
  stateOf(s, i).stored += more;
  stateOf(s, nodeAt(s, run)).rest += passed - 0.5 * more;
  stateOf(s, i).rest -= passed + 0.5 * more;
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
      if (k > first && round(s, i) && !grips(s, i)) length += stateOf(s, i).wrap.length;
      ++k;
    } while (k + 1 < count(s) && !startsRun(s, k));
    const double payout = first == 0 ? payoutAt(s, now.time) : 0.0;
    stateOf(s, run).error = length - stateOf(s, run).rest - payout;
    first = k;
  }
}

}  // namespace reeve
