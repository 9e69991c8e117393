// What a strand looks like from outside, and what it remembers after a step.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand.h"
#include "reeve/math/scalar.h"

namespace reeve {

void Strand::finish(const Instant& now, State& state, Events& events) const {
  const Page& page = glance(now);
  if (touches_ && goesThrough(now)) goneThrough(state) = true;
  everyTackle(page, [&](const Tackle& t, const Tackle::Now& tackle) {
    t.finish(tackle, tackleMemory(now.past()), tackleMemory(state));
  });
  everySegment(page.tackled, [&](int i) {
    const Segment& g = segments_[at(i)];
    const bool wheel0 = station(g.from).wheel, wheel1 = station(g.to).wheel;
    noticeStop(now, i, state, events);
    if (g.chart >= 0 || (!wheel0 && !wheel1)) return;
    const SpanNow& s = page.spans[at(i)];
    if (!s.ok) {
      events.add({now.time, element_, station(g.to).link, EventKind::tangentMissing});
      return;
    }
    restLength(state, i) = s.rest;
    // now.past() still holds the step's start, so both ends may be written as they are found.
    if (wheel0) {
      WheelMemory& kept = wheelMemory(state, station(g.from).index);
      kept.exitAngle = s.angle[0];
      kept.exitS = s.s[0];
    }
    if (wheel1) {
      WheelMemory& kept = wheelMemory(state, station(g.to).index);
      kept.entryAngle = s.angle[1];
      kept.entryS = s.s[1] - g.around;
    }
  });
  finishDrums(now, page, state, events);
  if (breaks_ >= 0) runOff(now, page, state, events);
  if (paid_ >= 0) {
    paidOf(state) += paidInStep(now);
    payMomentumOf(state) = payMomentum(now);
  }
  if (twist_.held) twistOf(state) = twistAngle(now, look(now));
  const auto lifts = [&](int st, double side, int wheel) {
    const auto wrap = [&](const State& s) {
      const WheelMemory& kept = wheelMemory(s, wheel);
      return side * (kept.exitAngle - kept.entryAngle);
    };
    if (wrap(state) < 0.0 && wrap(now.past()) >= 0.0)
      events.add({now.time, element_, station(st).link, EventKind::strandHeldDown});
  };
  everyWheel(page.tackled, [&](int st) {
    const Wheel& w = wheel(station(st).index);
    if (!w.drum) lifts(st, w.side, station(st).index);
  });
  everyTackle(page, [&](const Tackle& t, const Tackle::Now&) {
    for (int k = 0; k < t.count(); ++k) lifts(t.first + k, t.sheaves[at(k)].side, t.sheaves[at(k)].wheel);
  });
  for (int i = 0; !rollsOnly_ && i < wheelCount(); ++i)
    if (wheel(i).slip >= 0) wheelMemory(state, i).slid += now.u[at(now.model().blocks[at(wheel(i).slip)].v)];
}

double Strand::tensionOn(const Instant& now, const State& s, int k) const {
  const double told = -s.force[at(lengthSlot(k))];
  if (parted(s, k)) return 0.0;
  if (s.time > 0.0 || told != 0.0 || settings_.material.axial == unbounded) return told;
  const Segment& g = segments_[at(k)];
  std::array<Vec2, 2> gradient;
  const double length = g.chart >= 0 ? chartLength(now, g, gradient) : look(now).spans[at(k)].length;
  const double rest = g.chart >= 0 ? materialOn(now, g) : look(now).spans[at(k)].rest;
  const double strain = length / rest - 1.0;
  return g.unilateral && strain < 0.0 ? 0.0 : settings_.material.axial * strain;
}

void Strand::view(const Instant& now, const State& s, std::vector<LinkView>& links,
                  std::vector<SpanView>& spans) const {
  links.clear();
  spans.clear();
  for (int st = 0; st < stationCount(); ++st) {
    if (!station(st).named) continue;
    LinkView v;
    v.type = settings_.route[at(station(st).link)].type;
    v.on = &mounts_[at(station(st).link)].name;
    if (station(st).wheel) {
      const int i = station(st).index;
      const int side = wheel(i).drum ? static_cast<int>(drumMemory(s, wheel(i)).side) : wheel(i).side;
      v.wrap = side * (wheelMemory(s, i).exitAngle - wheelMemory(s, i).entryAngle);
      v.stored = wheelMemory(s, i).exitS - wheelMemory(s, i).entryS;
      v.slip = wheelMemory(s, i).slid;
      v.mode = wheel(i).drum && drumMemory(s, wheel(i)).holds                          ? "fixed"
               : wheel(i).slip < 0                                                     ? "rolling"
               : wheel(i).friction > 0.0 && s.mode[at(frictionSlot(st))] == Mode::free ? "sticking"
                                                                                       : "sliding";
    } else {
      const Node& n = node(station(st).index);
      v.slip = n.flow < 0 ? 0.0 : n.s - now.scalar(n.flow);
      v.wrap = turnAt(now, st);
      v.mode = n.gone >= 0 && lifted(now, n)                                    ? "off"
               : n.flow < 0                                                     ? "fixed"
               : n.friction > 0.0 && s.mode[at(frictionSlot(st))] == Mode::free ? "sticking"
                                                                                : "sliding";
    }
    links.push_back(v);
  }
  // A span reaches from one link to the next, over all segments between them.
  int link = -1;
  for (int k = 0; k < segmentCount(); ++k) {
    const Segment& g = segments_[at(k)];
    if (station(g.from).named) ++link;
    SpanView v;
    if (!station(g.from).named && !spans.empty()) {
      v = spans.back();
      spans.pop_back();
    }
    v.from = link;
    v.to = link + 1 == static_cast<int>(links.size()) ? 0 : link + 1;
    const double tension = tensionOn(now, s, k);
    if (g.chart >= 0) {
      std::array<Vec2, 2> gradient;
      v.length += chartLength(now, g, gradient);
      const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
      v.rest += materialAt(now, n1) + g.around - materialAt(now, n0);
      if (station(g.from).named) v.start = nodeMotion(now, station(g.from).index).x, v.tension = tension;
      v.end = nodeMotion(now, station(g.to).index).x;
    } else {
      const SpanNow& span = look(now).spans[at(k)];
      v.length += span.length;
      v.rest += span.rest;
      if (station(g.from).named) v.start = span.x[0], v.tension = tension;
      v.end = span.x[1];
      if (station(g.from).named) links[at(v.from)].exit = v.start, links[at(v.from)].force += tension * span.n;
      if (station(g.to).named) links[at(v.to)].entry = v.end, links[at(v.to)].force -= tension * span.n;
      if (span.parted) {
        v.parted = true;
        v.loose[0] += span.lump[0] * span.rest;
        v.loose[1] += span.lump[1] * span.rest;
        v.length += span.rest - span.length;  // of the strand; between the ends is air
      }
    }
    spans.push_back(v);
  }
  slideForces(now, s, links);
}

void Strand::draw(const Instant& now, const State& s, std::vector<Vec3>& points, std::vector<double>& tensions) const {
  points.clear();
  tensions.clear();
  const auto put = [&](const Vec3& x, double tension) {
    points.push_back(x);
    tensions.push_back(std::max(tension, 0.0));
  };
  const auto onWheel = [&](int i, double tension) {
    const LinkFrame frame = wheelFrame(now, wheel(i));
    const double from = wheelMemory(s, i).entryAngle, to = wheelMemory(s, i).exitAngle;
    const int pieces = 1 + static_cast<int>(std::min(std::fabs(to - from) * 8.0, 479.0));
    for (int j = 0; j <= pieces; ++j) {
      double sine, cosine;
      math::sincos(from + (to - from) * j / pieces, sine, cosine);
      put(frame.toWorld(wheel(i).outline.radius() * Vec2(cosine, sine)), tension);
    }
  };
  for (int k = 0; k < segmentCount(); ++k) {
    const Segment& g = segments_[at(k)];
    const double tension = tensionOn(now, s, k);
    if (station(g.from).wheel) onWheel(station(g.from).index, tension);
    if (g.chart >= 0) {
      // Twelve to a turn at least, as far as anybody can see.
      const int points = grounds_[at(g.chart)].chart->points(parameters(now, node(station(g.to).index)) -
                                                             parameters(now, node(station(g.from).index)));
      const int pieces = std::clamp(3 * points, 48, 4800);
      for (int j = 0; j <= pieces; ++j) put(chartEnd(now, g, static_cast<double>(j) / pieces).x, tension);
    } else {
      const SpanNow& span = look(now).spans[at(k)];
      put(span.x[0], tension);
      put(span.x[1], tension);
    }
    if (k + 1 == segmentCount() && !closed_ && station(g.to).wheel) onWheel(station(g.to).index, tension);
  }
}

Freedom Strand::freedom() const {
  Freedom f;
  for (const Node& n : nodes_) {
    if (n.block >= 0)
      f.lagrangian += n.place == Place::free    ? 3
                      : n.place == Place::chart ? grounds_[at(n.chart)].chart->dimension()
                                                : 1;
    if (n.flow >= 0) ++f.eulerian;
  }
  for (const Wheel& w : wheels_)
    if (w.slip >= 0) ++f.eulerian;
  return f;
}

}  // namespace reeve
