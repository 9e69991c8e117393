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
void WavyJoints::scaleTo(double* m, double chord, double arc) const {
  double* u = m + header;
  WaveMetric metric;
  double now = arcOf({u, at(numbers())}, pieces(), chord, &metric);
  for (int it = 0; it < 20 && std::fabs(now - arc) > 1e-14 * arc; ++it) {
    if (!(arc - chord > 1e-12 * arc) || !(now - chord > 1e-12 * arc)) break;
    const double scale = std::sqrt(std::clamp((arc - chord) / (now - chord), 0.25, 4.0));
    for (int k = 0; k < numbers(); ++k) u[k] *= scale;
    now = arcOf({u, at(numbers())}, pieces(), chord, &metric);
  }
  m[link_] = metric.link;
  m[eta_] = metric.eta;
  m[slope_] = metric.slope;
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
  middle.outline = &outlineOf(s, via);
  middle.sigma = stateOf(s, via).nearSense();
  SpanShape shape;
  shape.first = spanBetween(spanEnd(now, s, from, true), middle);
  shape.second = spanBetween(middle, spanEnd(now, s, to, false));
  if (shape.first.status != TangentStatus::ok || shape.second.status != TangentStatus::ok) return false;
  const Wrap wrap =
      continueWrap(outlineOf(s, via), middle.sigma, shape.first.end[1].place, shape.second.end[0].place, Wrap{});
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
  const double arc = pieces() * span(s.memory, from)[link_];
  const double least = ((in - a).norm() + 0.5 * wrap.length) / arc,
               most = 1.0 - ((b - out).norm() + 0.5 * wrap.length) / arc;
  if (least < most) fraction = std::clamp(fraction, least, most);
  LinkState &first = stateOf(s, from), &second = stateOf(s, via);
  const double total = first.rest;
  takeIn(s, place, via, shape);
  second.slip = second.turned = 0.0;
  first.rest = fraction * total - 0.5 * second.stored;
  second.rest = total - first.rest - second.stored;
  std::vector<double> old(span(s.memory, from), span(s.memory, from) + perSpan()), fresh(at(perSpan()));
  const double lies = second.stored;
  const double half = 0.5 * lies / arc;
  reset(fresh.data(), via, a, in);
  cut(old.data(), a, b, points, 0.0, fraction - half, a, in, fresh.data());
  scaleTo(fresh.data(), (in - a).norm(), fraction * arc - 0.5 * lies);
  std::copy(fresh.begin(), fresh.end(), span(s.memory, from));
  reset(fresh.data(), to, out, b);
  cut(old.data(), a, b, points, fraction + half, 1.0, out, b, fresh.data());
  scaleTo(fresh.data(), (b - out).norm(), (1.0 - fraction) * arc - 0.5 * lies);
  fresh[fresh_] = 1.0;
  std::copy(fresh.begin(), fresh.end(), span(s.memory, via));
  return true;
}

/// A part of a curve as that of a span of its own.
void WavyJoints::cut(const double* old, const Vec3& a, const Vec3& b, const double* points, double low, double high,
                     const Vec3& start, const Vec3& end, double* fresh) const {
  Looked look;
  look.n = (end - start).normalized();
  frame(fresh, look);
  fresh[newest_] = old[newest_];
  fresh[made_] = old[made_];
  for (int field = 0; field < 4; ++field)
    for (int i = 0; i <= pieces(); ++i) {
      const double share = low + (high - low) * i / pieces();
      const Vec3 v = field == 0 ? Vec3(alongCurve(points, pieces(), share) - start) : curve(old, a, b, share, field);
      for (int c = 0; c < 2; ++c)
        fresh[header + field * numbers() + 2 * i + c] =
            field == 0 && (i == 0 || i == pieces()) ? 0.0 : v.dot(look.side[c]);
    }
}

/// Spans that were merged in this step take the curves of what they were made of, one after the other. What lay on the
/// links between them is between the curves too; where a cable lies on a link by its weight alone that is less than
/// nothing, and they reach past each other.
void WavyJoints::adopt(const Instant& now, const State& past, State& s) const {
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    double* m = span(s.memory, from);
    if (static_cast<int>(m[to_]) == to) continue;
    const SpanGeometry g = shapeOf(now, s, from, to).first;
    std::vector<double> fresh(at(perSpan()));
    reset(fresh.data(), to, g.end[0].point, g.end[1].point);
    // The spans of before between these links: where each begins along the whole, and how long it is.
    struct Source {
      int from;
      double start, arc, upto;
    };
    std::vector<Source> sources;
    double whole = 0.0;
    for (int j = 0, i = from; j < routeOf(past).spans() && i != to; ++j) {
      const int next = static_cast<int>(span(s.memory, i)[to_]);
      if (next < 0) break;
      const double arc = pieces() * span(s.memory, i)[link_];
      const double lies =
          next == to ? 0.0 : stateOf(s, next).side * (stateOf(s, next).exit.s - stateOf(s, next).entry.s);
      sources.push_back({i, whole, arc, whole + arc + 0.5 * lies});
      whole += arc + lies;
      i = next;
    }
    if (!sources.empty() && whole > 0.0) {
      Looked look;
      look.n = g.n;
      frame(fresh.data(), look);
      fresh[made_] = span(s.memory, from)[made_];
      const std::size_t each = at(3 * (pieces() + 1));
      std::vector<double> worlds(sources.size() * each);
      const auto ends = [](const double* old) {
        return std::pair(Vec3(old[start_], old[start_ + 1], old[start_ + 2]),
                         Vec3(old[end_], old[end_ + 1], old[end_ + 2]));
      };
      for (std::size_t j = 0; j < sources.size(); ++j) {
        const double* old = span(s.memory, sources[j].from);
        const auto [a, b] = ends(old);
        curveInto(old, a, b, worlds.data() + j * each);
      }
      for (int i = 0; i <= pieces(); ++i) {
        const double here = whole * i / pieces();
        std::size_t which = 0;
        while (which + 1 < sources.size() && here > sources[which].upto) ++which;
        const Source& source = sources[which];
        const double* old = span(s.memory, source.from);
        const auto [a, b] = ends(old);
        const double share = std::clamp((here - source.start) / source.arc, 0.0, 1.0);
        for (int field = 0; field < 4; ++field) {
          // Their increments in the order of this one's ring, which starts at 0.
          const int from_ = field == 0 ? 0 : 1 + (static_cast<int>(old[newest_]) + field - 1) % 3;
          const Vec3 v = field == 0 ? Vec3(alongCurve(worlds.data() + which * each, pieces(), share) - g.end[0].point)
                                    : curve(old, a, b, share, from_);
          for (int c = 0; c < 2; ++c)
            fresh[at(header + field * numbers() + 2 * i + c)] =
                field == 0 && (i == 0 || i == pieces()) ? 0.0 : v.dot(look.side[c]);
        }
      }
      const double under = stretchedArc(s, from);
      scaleTo(fresh.data(), g.length, under > 0.0 ? under : whole);
    }
    std::copy(fresh.begin(), fresh.end(), m);
  }
}

/// A span whose tangent has gone along a flat face within the step is a part of what it was: as long as its share of
/// the cable, and at rest.
void WavyJoints::cutShort(const Instant& now, State& s) const {
  const State& past = now.past();
  const auto route = routeOf(past);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    double* m = span(s.memory, from);
    if (!looked(now, from).jumped || !stateOf(s, from).routed || static_cast<int>(m[to_]) != to) continue;
    const double chord = (at3(m + end_, 0) - at3(m + start_, 0)).norm();
    const double arc = pieces() * m[link_] + stateOf(s, from).rest - stateOf(past, from).rest;
    std::fill_n(m + header + numbers(), 3 * numbers(), 0.0);
    scaleTo(m, chord, std::max(arc, chord));
  }
}

}  // namespace reeve
