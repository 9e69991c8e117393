// What a hoist cable looks like from outside.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/scalar.h"

namespace reeve {

/// Node m of a span's curve. Along the chord it lies where the links before it reach.
Vec3 HoistCable::curvePoint(const State& s, int i, const Chord& chord, int m) const {
  const double share = static_cast<double>(m) / pieces();
  if (stateOf(s, i).hanging) {
    const LyingCurve curve = hangingAt(chord.span.end[0].point, chord.span.end[1].point, stateOf(s, i).hangingLength);
    return curve.at(share * curve.length);
  }
  const double* u = field(s, i, 0);
  return chord.span.end[0].point + share * chord.span.length * chord.span.n + u[2 * m] * chord.side[0] +
         u[2 * m + 1] * chord.side[1];
}

/// What a span pulls its end e with, world frame, where the tension of its run is T: along its first or last link, and
/// half of that link's weight.
Vec3 HoistCable::pullOn(const State& s, int i, const Chord& chord, double T, int e) const {
  const Vec3& n = chord.span.n;
  if (!carriesAlong()) return (e == 0 ? T : -T) * n;
  if (stateOf(s, i).hanging) {
    const Hang hang = hangOf(s, i, chord);
    const LyingSpan span = lyingSpan(hang.width, hang.heights, stateOf(s, i).hangingLength, hang.weight,
                                     {.floor = overFloor(), .trace = lyingTrace * stateOf(s, i).hangingLength});
    return (e == 0 ? 1.0 : -1.0) * span.horizontal * hang.across / hang.width * hang.way - span.vertical[e] * hang.up;
  }
  const int m = pieces();
  const double* u = field(s, i, 0);
  const double link = stateOf(s, i).curve.link, mu = linkMass(s, i), own = ownTension(s, i, T);
  if (own <= 0.0 || link <= 0.0) return Vec3::Zero();
  const double drop = stateOf(s, i).offset.chordFall,
               pull = stateOf(s, i).curve.eta * own + (e == 0 ? 0.5 : -0.5) * drop * (m - 1) / m;
  const Vec3 aside = u[e == 0 ? 2 : 2 * m - 2] * chord.side[0] + u[e == 0 ? 3 : 2 * m - 1] * chord.side[1];
  const double extent = std::sqrt(std::max(link * link - aside.squaredNorm(), 0.04 * link * link));
  const Vec3 across = gravity_ - gravity_.dot(n) * n;
  return (e == 0 ? 1.0 : -1.0) * pull * n + pull / extent * aside + 0.5 * (drop / m * n + mu * across);
}

void HoistCable::curveOf(const Instant& now, const State& s, int from, int to, std::vector<Vec3>& points) const {
  const Chord chord = chordOf(now, s, from, to);
  const SpanGeometry& span = chord.span;
  points.push_back(span.end[0].point);
  if (waves() && stateOf(s, from).hanging) {
    for (int m = 1; m < pieces(); ++m) points.push_back(curvePoint(s, from, chord, m));
  } else if (waves()) {
    const int n = pieces();
    const double* u = field(s, from, 0);
    WaveMetric metric;
    arcOf({u, at(fieldNumbers())}, n, span.length, &metric);
    double along = 0.0;
    for (int m = 1; m < n; ++m) {
      const double x = u[2 * m] - u[2 * m - 2], y = u[2 * m + 1] - u[2 * m - 1];
      along += std::sqrt(std::max(metric.link * metric.link - x * x - y * y, 0.0));
      points.push_back(span.end[0].point + std::min(along, span.length) * span.n + u[2 * m] * chord.side[0] +
                       u[2 * m + 1] * chord.side[1]);
    }
  }
  points.push_back(span.end[1].point);
}

/// A closed cable ends on the wheel it begins on: that is one link, and the order is that of the scene.
void HoistCable::view(const Instant& now, const State& s, std::vector<LinkView>& links,
                      std::vector<SpanView>& spans) const {
  viewOpen(now, s, links, spans);
  if (!settings_.closed) return;
  LinkView &first = links.front(), &last = links.back();
  first.stored += last.stored;
  first.wrap = first.stored / node(0).outline.radius();
  first.force += last.force;
  first.entry = last.entry;
  links.pop_back();
  const int n = static_cast<int>(links.size());
  const int turned = n + 1 == declared_ ? turned_ : 0;  // contacts are not of the scene's route
  std::rotate(links.begin(), links.end() - turned, links.end());
  std::rotate(spans.begin(), spans.end() - turned, spans.end());
  for (SpanView& span : spans) {
    span.from = (span.from + turned) % n;
    span.to = (span.to + turned) % n;
  }
}

void HoistCable::viewOpen(const Instant& now, const State& s, std::vector<LinkView>& links,
                          std::vector<SpanView>& spans) const {
  links.clear();
  spans.clear();
  const int count = this->count(s);
  double tension = 0.0, rest = 0.0, path = 0.0;
  Vec3 arriving = Vec3::Zero();  // what the span before pulls a link with
  int first = 0;
  const auto share = [&](int end) {
    // One run: its rest length is where its arcs are.
    for (int k = first; k < end; ++k) spans[at(k)].rest = path > 0.0 ? rest * spans[at(k)].length / path : 0.0;
  };
  for (int k = 0; k < count; ++k) {
    const int i = nodeAt(s, k);
    const Node& n = node(i);
    LinkView v;
    v.force = arriving;
    v.type = n.type;
    v.on = &mountOf(s, i).name;
    v.slip = stateOf(s, i).slipped;
    v.wrap = stateOf(s, i).wrap.angle;
    v.stored = grips(s, i) ? stateOf(s, i).stored : stateOf(s, i).wrap.length;
    v.mode = n.type == LinkType::attach                                                     ? "fixed"
             : n.contact                                                                    ? "touching"
             : n.type == LinkType::spool || n.closes || n.friction == unbounded             ? "rolling"
             : n.slip >= 0 && s.mode[at(frictionSlot(i))] == Mode::free && n.friction > 0.0 ? "sticking"
                                                                                            : "sliding";
    links.push_back(v);
    if (k + 1 == count) break;
    if (startsRun(s, k)) {
      if (k > 0) share(k);
      first = k;
      path = 0.0;
      rest = stateOf(s, i).rest + (k == 0 ? payoutAt(s, now.time) : 0.0);
      tension =
          settings_.pull == PullForm::force ? stateOf(s).explicitTension : std::max(-s.force[at(spanSlot(i))], 0.0);
    } else if (round(s, i)) {
      rest -= stateOf(s, i).wrap.length;
    }
    const Chord chord = chordOf(now, s, i, nodeAt(s, k + 1));
    SpanView span;
    span.from = k;
    span.to = k + 1;
    span.start = chord.span.end[0].point;
    span.end = chord.span.end[1].point;
    span.length = chord.span.length;
    if (waves()) {
      const double* u = field(s, i, 0);
      span.length = spanArc(s, i, chord.span.length);
      const bool hung = stateOf(s, i).hanging;
      for (int m = 1; m < pieces(); ++m) {
        const Vec3 d = hung ? Vec3(curvePoint(s, i, chord, m) - span.start) : Vec3(u[2 * m], u[2 * m + 1], 0.0);
        span.sag = std::max(span.sag, hung ? Vec3(d - d.dot(chord.span.n) * chord.span.n).norm() : d.norm());
      }
    }
    path += span.length;
    span.tension = carriesAlong() ? meanTension(s, i, tension) : tension;
    links[at(k)].exit = span.start;
    links[at(k)].force += pullOn(s, i, chord, tension, 0);
    arriving = pullOn(s, i, chord, tension, 1);
    spans.push_back(span);
  }
  share(count - 1);
  for (const SpanView& span : spans) links[at(span.to)].entry = span.end;
  for (int k = 1; k + 1 < count; ++k)
    if (!round(s, nodeAt(s, k))) {
      const Vec3 a = (spans[at(k - 1)].end - spans[at(k - 1)].start).normalized(),
                 b = (spans[at(k)].end - spans[at(k)].start).normalized();
      links[at(k)].wrap = math::acos(std::clamp(a.dot(b), -1.0, 1.0));
    }
  if (s.steps == 0 && settings_.pull == PullForm::row && !spans.empty()) {
    // Before the first step no force is known; an elastic cable tells it by its stretch.
    double length = 0.0, rests = 0.0;
    for (const SpanView& span : spans) length += span.length, rests += span.rest;
    const double soft = settings_.compliance ? *settings_.compliance * static_cast<double>(spans.size())
                                             : complianceOf(s, nodeAt(s, 0), rests);
    if (soft > 0.0)
      for (SpanView& span : spans) span.tension = std::max(0.0, (length - rests) / soft);
  }
}

void HoistCable::draw(const Instant& now, const State& s, std::vector<Vec3>& points,
                      std::vector<double>& tensions) const {
  std::vector<LinkView> links;
  std::vector<SpanView> spans;
  viewOpen(now, s, links, spans);
  points.clear();
  tensions.clear();
  for (int k = 0; k + 1 < count(s); ++k) {
    const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
    const Chord chord = chordOf(now, s, from, to);
    const Node& n = node(from);
    if (round(s, from)) {
      const Outline& outline = outlineOf(now, s, from);
      // What lies on the wheel, ending where the span begins.
      const double wound =
          std::clamp(k == 0 ? stateOf(s, from).stored : stateOf(s, from).wrap.length, 0.0, outline.perimeter());
      const LinkFrame frame = spanEnd(now, s, from).frame;
      const double to_ = chord.span.end[0].place.s, from_ = to_ - n.sigma * wound;
      const int pieces = 1 + static_cast<int>(std::clamp(wound / outline.perimeter() * 48.0, 0.0, 47.0));
      for (int j = 0; j <= pieces; ++j)
        points.push_back(frame.toWorld(outline.at(from_ + (to_ - from_) * j / pieces).point));
    }
    curveOf(now, s, from, to, points);
    tensions.resize(points.size(), spans[at(k)].tension);
  }
}

}  // namespace reeve
