// What a cable of joints looks like from outside.
#include <algorithm>
#include <array>
#include <cmath>

#include "reeve/cables/joints/joints_cable.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/scalar.h"

namespace reeve {

void JointsCable::view(const Instant& now, const State& s, std::vector<LinkView>& links,
                       std::vector<SpanView>& spans) const {
  links.clear();
  spans.clear();
  const auto route = routeOf(s);
  for (int k = 0; k < route.size(); ++k) {
    const int i = route[k];
    const Link& l = link(i);
    const LinkState& at = stateOf(s, i);
    LinkView v;
    v.type = l.type;
    v.on = &l.mount.name;
    v.slip = at.slip;
    v.stored = at.stored;
    if (l.round()) {
      const Outline& outline = outlineOf(now, s, i);
      const bool inside = closed_ || (k > 0 && k + 1 < route.size());
      v.wrap = inside                   ? at.wrap()
               : l.layers.many()        ? l.layers.angleOf(v.stored)
               : outline.radius() > 0.0 ? v.stored / outline.radius()
                                        : 0.0;
      v.radius = outline.isCircle() ? outline.radius() : 0.0;
      if (l.ends()) v.layers = l.layers.countOf(v.stored);
    }
    const bool slides = l.slip >= 0;
    v.mode = at.holds || l.type == LinkType::attach ? "fixed"
             : slides ? (s.mode[static_cast<std::size_t>(frictionSlot(i))] == Mode::free &&
                                 (l.friction > 0.0 || l.cleat != Cleat::off)
                             ? "sticking"
                             : "sliding")
                      : "rolling";
    links.push_back(v);
  }
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const SpanGeometry g = shapeOf(now, s, from, to).first;
    SpanView v;
    v.from = k;
    v.to = k + 1 == route.size() ? 0 : k + 1;
    v.start = g.end[0].point;
    v.end = g.end[1].point;
    v.length = g.length;
    const bool broken = stateOf(s, from).broken;
    const double rest = stateOf(s, from).rest;
    v.rest = broken ? rest + stateOf(s, to).tail : shownRest(s, from, to, g.length);
    if (broken) {
      v.parted = true;
      v.loose[0] = rest;
      v.loose[1] = stateOf(s, to).tail;
      v.length = v.rest;  // of cable; between the links is air
    }
    if (!broken && v.rest != rest) {  // the rest of it lies stretched on its links, in proportion
      const double a = clingsTo(s, from, true), b = clingsTo(s, to, false);
      links[static_cast<std::size_t>(v.from)].stored += (rest - v.rest) * a / (a + b);
      links[static_cast<std::size_t>(v.to)].stored += (rest - v.rest) * b / (a + b);
    }
    if (!broken) v.tension = std::max(-s.force[static_cast<std::size_t>(spanSlot(from))], 0.0);
    if (!broken && settings_.compression > 0.0)
      v.tension -= std::max(s.force[static_cast<std::size_t>(compressionSlot(from))], 0.0);
    // Before the first step no force is known; an elastic span tells its tension by its stretch.
    if (s.steps == 0 && canStretch() && !broken) v.tension = stretchTension(s, from, to, v.length);
    links[static_cast<std::size_t>(v.from)].exit = v.start;
    links[static_cast<std::size_t>(v.to)].entry = v.end;
    links[static_cast<std::size_t>(v.from)].force += v.tension * g.n;
    links[static_cast<std::size_t>(v.to)].force -= v.tension * g.n;
    if (weighs())
      for (const int end : {v.from, v.to})
        links[static_cast<std::size_t>(end)].force +=
            0.5 * settings_.material.mass * rest * now.model().description.settings.gravity;
    spans.push_back(v);
  }
  for (std::size_t k = 0; k < spans.size(); ++k) {
    // The bend at a point is the turn from one span to the next.
    LinkView& v = links[static_cast<std::size_t>(spans[k].from)];
    if (v.type != LinkType::pinhole && v.type != LinkType::sheath) continue;
    const SpanView& before = spans[k == 0 ? spans.size() - 1 : k - 1];
    const int i = route[static_cast<int>(k)];
    const SpanGeometry in = shapeOf(now, s, route[before.from], i).first,
                       out = shapeOf(now, s, i, route.next(static_cast<int>(k))).first;
    v.wrap = wrapAngle(now, s, i, in, out);
  }
}

/// What lies on a wheel between two places on its outline; on a drum its layers, as a spiral.
void JointsCable::addArc(const Instant& now, const State& s, int i, double from, double to,
                         std::vector<Vec3>& points) const {
  const Outline& outline = outlineOf(now, s, i);
  const LinkFrame frame = frameOf(now, s, i);
  const int pieces = 1 + static_cast<int>(std::min(std::fabs(to - from) / outline.perimeter() * 48.0, 479.0));
  const bool first = i == routeOf(s)[0];
  const double grown = link(i).layers.many() ? 1.0 - link(i).layers.radius / outline.radius() : 0.0;
  // Round a circle each point is the last one turned on: a sine and a cosine for each would be most of a report's cost.
  const bool round = outline.isCircle();
  const double turn = round ? (to - from) / pieces / outline.radius() : 0.0;
  const Vec2 rotation(math::cos(turn), math::sin(turn)), center = outline.corner(0);
  Vec2 arm = outline.at(from).point - center;
  for (int j = 0; j <= pieces; ++j) {
    const double buried = 1.0 * (first ? pieces - j : j) / pieces;
    const Vec2 p = round ? Vec2(center + arm) : outline.at(from + (to - from) * j / pieces).point;
    points.push_back(frame.toWorld((1.0 - grown * buried) * p));
    arm = Vec2(rotation.x() * arm.x() - rotation.y() * arm.y(), rotation.y() * arm.x() + rotation.x() * arm.y());
  }
}

/// m along the outline of a drum, of what is drawn of its winding: a turn of every layer.
double JointsCable::drawnOn(const Instant& now, const State& s, int i) const {
  const DrumLayers& layers = link(i).layers;
  const double round = outlineOf(now, s, i).perimeter(), stored = stateOf(s, i).stored;
  if (!layers.many()) return std::clamp(stored, 0.0, round);
  return round * std::clamp(layers.angleOf(stored) / (2.0 * math::pi), 0.0, 1.0 * layers.countOf(stored));
}

void JointsCable::draw(const Instant& now, const State& s, std::vector<Vec3>& points,
                       std::vector<double>& tensions) const {
  std::vector<LinkView> links;
  std::vector<SpanView> spans;
  view(now, s, links, spans);
  const auto route = routeOf(s);
  points.clear();
  tensions.clear();
  const Vec3& g = now.model().description.settings.gravity;
  const auto put = [&](const Vec3& p, double tension) {
    points.push_back(p);
    tensions.push_back(tension);
  };
  /// What lies on a wheel between two places on its outline.
  const auto putWrap = [&](int i, double from, double to, double tension) {
    addArc(now, s, i, from, to, points);
    tensions.resize(points.size(), tension);
  };
  const Vec3 down = g.norm() > 0.0 ? Vec3(g.normalized()) : Vec3(-Vec3::UnitZ());
  for (std::size_t k = 0; k < spans.size(); ++k) {
    const SpanView& span = spans[k];
    const double load = std::fabs(span.tension);
    const int i = route[static_cast<int>(k)];
    const LinkState& at = stateOf(s, i);
    // The part on the link before this span, then the span.
    const Link& l = link(i);
    if (l.round() && !at.holds)
      putWrap(i, closed_ || k > 0 ? at.entry.s : at.exit.s - at.side * drawnOn(now, s, i), at.exit.s, load);
    for (const Vec3& p : l.tube_B) put(now.point({l.mount.block, p}), load);
    if (at.broken) {
      // Two loose ends that hang straight down; a negative tension marks the gap between them.
      const double tail = stateOf(s, span.to < static_cast<int>(links.size()) ? route[span.to] : i).tail;
      put(span.start, 0.0);
      put(span.start + down * std::max(at.rest, 0.0), -1.0);
      put(span.end + down * std::max(tail, 0.0), 0.0);
      put(span.end, 0.0);
      continue;
    }
    if (!settings_.waves && span.rest > span.length * (1.0 + 1e-6) && span.tension == 0.0 && g.norm() > 0.0) {
      constexpr int samples = 25;
      std::array<Vec3, samples> curve;
      hangingPolyline(span.start, span.end, span.rest, g, curve);
      for (const Vec3& p : curve) put(p, 0.0);
      continue;
    }
    spanPoints(s, i, span, points);
    tensions.resize(points.size(), load);
  }
  const int last = route[route.size() - 1];
  if (!closed_ && link(last).round() && !stateOf(s, last).holds) {
    const double from = stateOf(s, last).entry.s;
    putWrap(last, from, from + stateOf(s, last).side * drawnOn(now, s, last), std::fabs(spans.back().tension));
  }
}

}  // namespace reeve
