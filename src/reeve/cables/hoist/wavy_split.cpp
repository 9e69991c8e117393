// What becomes of the curves and lengths of a cable of joints when spans are split, merged, and cut short.
#include <algorithm>
#include <cmath>
#include <utility>

#include "reeve/cables/hoist/wavy_joints.h"

namespace reeve {

namespace {
/// Further from a section than this share of its size, beyond its motion in a step, a span does not come to lie on it.
constexpr double nearShare = 0.2;
}  // namespace

/// Sampling cuts corners off: its curve gets the length it is told.
void WavyJoints::scaleTo(WaveSpan m, double chord, double arc) const {
  double* u = m.u();
  WaveMetric metric;
  double now = arcOf({u, at(numbers())}, pieces(), chord, &metric);
  for (int it = 0; it < 20 && std::fabs(now - arc) > 1e-14 * arc; ++it) {
    if (!(arc - chord > 1e-12 * arc) || !(now - chord > 1e-12 * arc)) break;
    const double scale = std::sqrt(std::clamp((arc - chord) / (now - chord), 0.25, 4.0));
    for (int k = 0; k < numbers(); ++k) u[k] *= scale;
    now = arcOf({u, at(numbers())}, pieces(), chord, &metric);
  }
  m->shape = metric;
}

/// How long the span after a link is under its tension; 0 if it is slack.
double WavyJoints::stretchedArc(const State& s, int i) const {
  const double tension = std::max(-s.force[at(spanSlot(i))], 0.0), rest = stateOf(s, i).rest;
  return tension > 0.0 ? rest + tension * complianceOf(s, i, {rest, 0.0}) : 0.0;
}

/// Splits a span at a link its curve is about to lie on, with the curve and the rest length where they are.
bool WavyJoints::takeInCurve(const Instant& now, State& s, int place, int via, const Ways& ways, double h) const {
  const double* points = ways.points;
  const int from = routeOf(s)[place], to = routeOf(s).next(place);
  SpanLink middle;
  middle.frame = frameOf(now, s, via);
  middle.outline = &outlineOf(now, s, via);
  middle.sigma = stateOf(s, via).nearSense();
  SpanShape shape;
  shape.first = spanBetween(spanEnd(now, s, from, true), middle);
  shape.second = spanBetween(middle, spanEnd(now, s, to, false));
  if (shape.first.status != TangentStatus::ok || shape.second.status != TangentStatus::ok) return false;
  const Wrap wrap =
      continueWrap(outlineOf(now, s, via), middle.sigma, shape.first.end[1].place, shape.second.end[0].place, Wrap{});
  if (std::fabs(wrap.angle) > mostBend) return false;
  shape.bent = true;
  shape.length = shape.first.length + wrap.length + shape.second.length;
  // Where on the curve: next to the middle of the contact.
  const SpanGeometry whole = shapeOf(now, s, from, to).first;
  const Vec3 contact = 0.5 * (shape.first.end[1].point + shape.second.end[0].point);
  double nearest = unbounded, fraction = 0.5;
  for (int m = 0; m < pieces(); ++m) {
    const Vec3 a = at3(points, m), d = at3(points, m + 1) - a;
    const double t = std::clamp(d.dot(contact - a) / std::max(d.squaredNorm(), 1e-300), 0.0, 1.0);
    const double far = (contact - a - t * d).norm();
    if (far >= nearest) continue;
    nearest = far;
    fraction = (m + t) / pieces();
  }
  if (fraction <= 0.0 || fraction >= 1.0) return false;
  // The new ends lie where the link would touch the curve now, and go to it within the step.
  const Vec3 a = whole.end[0].point, b = whole.end[1].point, here = alongCurve(points, pieces(), fraction);
  const Vec3 gap = here - middle.frame.toWorld(middle.outline->nearest(middle.frame.toPlane(here)).point);
  double goes = h * velocityAt(now, via, here).norm() + alongCurve(ways.moves, pieces(), fraction).norm();
  if (ways.drawn) goes += alongCurve(ways.drawn, pieces(), fraction).norm();
  if (gap.norm() > nearShare * middle.outline->reach() + goes) return false;
  // Both parts have their length: what one would lack is found in the other, and where both would, it cannot lie there.
  const Vec3 in = shape.first.end[1].point + gap, out = shape.second.end[0].point + gap;
  const double arc = waveOf(s, from).arc();
  const double least = ((in - a).norm() + 0.5 * wrap.length) / arc,
               most = 1.0 - ((b - out).norm() + 0.5 * wrap.length) / arc;
  if (least < most) fraction = std::clamp(fraction, least, most);
  LinkState &first = stateOf(s, from), &second = stateOf(s, via);
  const double total = first.rest;
  takeIn(now, s, place, via, shape);
  second.slip = second.turned = 0.0;
  first.rest = fraction * total - 0.5 * second.stored;
  second.rest = total - first.rest - second.stored;
  const WaveSpan before = waveOf(s, from), after = waveOf(s, via);
  std::vector<double> kept(before.data(), before.data() + perSpan());
  const ConstWaveSpan old(kept.data(), pieces());
  const double lies = second.stored;
  const double half = 0.5 * lies / arc;
  reset(before, via, a, in);
  cutWave(old, a, b, points, 0.0, fraction - half, a, in, before);
  scaleTo(before, (in - a).norm(), fraction * arc - 0.5 * lies);
  reset(after, to, out, b);
  cutWave(old, a, b, points, fraction + half, 1.0, out, b, after);
  scaleTo(after, (b - out).norm(), (1.0 - fraction) * arc - 0.5 * lies);
  after->inserted = true;
  return true;
}

/// A part of a curve as that of a span of its own.
void WavyJoints::cutWave(ConstWaveSpan old, const Vec3& a, const Vec3& b, const double* points, double low, double high,
                         const Vec3& start, const Vec3& end, WaveSpan fresh) const {
  WaveSpanCache look;
  look.n = (end - start).normalized();
  frame(fresh, look);
  fresh->newest = old->newest;
  fresh->madeWith = old->madeWith;
  for (int field = 0; field < 4; ++field)
    for (int i = 0; i <= pieces(); ++i) {
      const double share = low + (high - low) * i / pieces();
      const Vec3 v = field == 0 ? Vec3(alongCurve(points, pieces(), share) - start) : curve(old, a, b, share, field);
      for (int c = 0; c < 2; ++c)
        fresh.field(field)[2 * i + c] = field == 0 && (i == 0 || i == pieces()) ? 0.0 : v.dot(look.side[c]);
    }
}

/// Spans that were merged in this step take the curves of what they were made of, one after the other. What lay on the
/// links between them is between the curves too; where a cable lies on a link by its weight alone that is less than
/// nothing, and they reach past each other.
void WavyJoints::adopt(const Instant& now, const State& past, State& s) const {
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const WaveSpan m = waveOf(s, from);
    if (m->to == to) continue;
    const SpanGeometry g = shapeOf(now, s, from, to).first;
    std::vector<double> room(at(perSpan()));
    const WaveSpan fresh(room.data(), pieces());
    reset(fresh, to, g.end[0].point, g.end[1].point);
    // The spans of before between these links: where each begins along the whole, and how long it is.
    struct Source {
      int from;
      double start, arc, upto;
    };
    std::vector<Source> sources;
    double whole = 0.0;
    for (int j = 0, i = from; j < routeOf(past).spans() && i != to; ++j) {
      const int next = waveOf(s, i)->to;
      if (next < 0) break;
      const double arc = waveOf(s, i).arc();
      const double lies =
          next == to ? 0.0 : stateOf(s, next).side * (stateOf(s, next).exit.s - stateOf(s, next).entry.s);
      sources.push_back({i, whole, arc, whole + arc + 0.5 * lies});
      whole += arc + lies;
      i = next;
    }
    if (!sources.empty() && whole > 0.0) {
      WaveSpanCache look;
      look.n = g.n;
      frame(fresh, look);
      fresh->madeWith = waveOf(s, from)->madeWith;
      const std::size_t each = at(3 * (pieces() + 1));
      std::vector<double> worlds(sources.size() * each);
      const auto ends = [](ConstWaveSpan old) { return std::pair(old->start.vec(), old->end.vec()); };
      for (std::size_t j = 0; j < sources.size(); ++j) {
        const ConstWaveSpan old = waveOf(s, sources[j].from);
        const auto [a, b] = ends(old);
        curveInto(old, a, b, worlds.data() + j * each);
      }
      for (int i = 0; i <= pieces(); ++i) {
        const double here = whole * i / pieces();
        std::size_t which = 0;
        while (which + 1 < sources.size() && here > sources[which].upto) ++which;
        const Source& source = sources[which];
        const ConstWaveSpan old = waveOf(s, source.from);
        const auto [a, b] = ends(old);
        const double share = std::clamp((here - source.start) / source.arc, 0.0, 1.0);
        for (int field = 0; field < 4; ++field) {
          // Their increments in the order of this one's ring, which starts at 0.
          const int from_ = field == 0 ? 0 : old.increment(field - 1);
          const Vec3 v = field == 0 ? Vec3(alongCurve(worlds.data() + which * each, pieces(), share) - g.end[0].point)
                                    : curve(old, a, b, share, from_);
          for (int c = 0; c < 2; ++c)
            fresh.field(field)[2 * i + c] = field == 0 && (i == 0 || i == pieces()) ? 0.0 : v.dot(look.side[c]);
        }
      }
      const double under = stretchedArc(s, from);
      scaleTo(fresh, g.length, under > 0.0 ? under : whole);
    }
    m.copyFrom(fresh);
  }
}

/// A span whose tangent has gone along a flat face within the step is a part of what it was: as long as its share of
/// the cable, and at rest.
void WavyJoints::cutShort(const Instant& now, State& s) const {
  const State& past = now.past();
  const auto route = routeOf(past);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const WaveSpan m = waveOf(s, from);
    if (!spanAt(now, from).jumped || !stateOf(s, from).routed || m->to != to) continue;
    const double chord = (m->end.vec() - m->start.vec()).norm();
    const double arc = m.arc() + stateOf(s, from).rest - stateOf(past, from).rest;
    std::fill_n(m.field(1), 3 * numbers(), 0.0);
    scaleTo(m, chord, std::max(arc, chord));
  }
}

}  // namespace reeve
