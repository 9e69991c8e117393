// What lies at the links of a particle cable over wheels: its weight, its energy; and how the cable is seen.
#include "reeve/cables/particles/reeved_cable.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/scalar.h"

namespace reeve {

ReevedParticles::Lying ReevedParticles::lyingAt(const Instant& now, const State& s, int place) const {
  const auto route = routeOf(s);
  const int i = route[place];
  const bool entered = closed_ || place > 0, left = closed_ || place + 1 < route.size();
  Lying out;
  const Vec3 center = frameOf(now, s, i).origin;
  out.in = out.out = out.a = out.b = center;
  const auto reach = [&](int other, double rest) {
    return isBead(other) ? rest - 0.5 * spacing_ : passes(other) ? 0.5 * rest : rest;
  };
  if (entered) {
    const int before = route.before(place);
    const SpanGeometry span = shapeOf(now, s, before, i).first;
    if (span.status != TangentStatus::ok) return out;
    out.before = reach(before, stateOf(s, before).rest);
    out.in = span.end[1].point;
    out.a = out.in - out.before * span.n;
  }
  if (left) {
    const int after = route.next(place);
    const SpanGeometry span = shapeOf(now, s, i, after).first;
    if (span.status != TangentStatus::ok) return out;
    out.after = reach(after, stateOf(s, i).rest);
    out.out = span.end[0].point;
    out.b = out.out + out.after * span.n;
  }
  out.ok = true;
  return out;
}

void ReevedParticles::forces(const Instant& now, Forces& out) const {
  const State& s = now.past();
  const auto route = routeOf(s);
  const Vec3& gravity = now.model().description.settings.gravity;
  for (int k = 0; k < route.size(); ++k) {
    const int i = route[k];
    if (!passes(i) || stateOf(s, i).holds) continue;
    const Lying on = lyingAt(now, s, k);
    if (!on.ok) continue;
    const Link& l = link(i);
    const Block& body = now.model().blocks[at(l.mount.block)];
    const Vec3 weight = lump(s, i) * gravity;
    const Vec3 moment = (frameOf(now, s, i).origin - now.position(l.mount.block)).cross(weight);
    for (int c = 0; c < 3; ++c) {
      out.force[at(body.v + c)] += weight[c];
      if (body.rotates) out.force[at(body.v + 3 + c)] += moment[c];
    }
    const double along = settings_.material.mass * gravity.dot(on.b - on.a);
    if (l.slip >= 0) {
      out.force[at(now.model().blocks[at(l.slip)].v)] += along;
    } else if (l.mount.rotor >= 0 && now.model().blocks[at(l.mount.rotor)].free) {
      const double sense = stateOf(s, i).sense() * (l.spinsBack ? -1.0 : 1.0);
      out.force[at(now.model().blocks[at(l.mount.rotor)].v)] += sense * radiusOf(s, i) * along;
    }
  }
}

Energy ReevedParticles::energy(const Instant& now, std::span<const double> force) const {
  const State& s = now.past();
  const auto route = routeOf(s);
  const Vec3& gravity = now.model().description.settings.gravity;
  Energy sum{.elastic = elasticEnergy(now, force)};
  for (int k = 0; k < route.size(); ++k) {
    const int i = route[k];
    if (!passes(i)) continue;
    const Lying on = lyingAt(now, s, k);
    const double density = settings_.material.mass, legs = density * (on.before + on.after);
    // On an arc from a to b: the mean of its points.
    Vec3 middle = frameOf(now, s, i).origin;
    const LinkState& at = stateOf(s, i);
    const double from = at.entry.angle, to = at.exit.angle;
    if (link(i).outline.isCircle() && (closed_ || (k > 0 && k + 1 < route.size())) && std::fabs(to - from) > 1e-6) {
      const double r = link(i).outline.radius() / (to - from);
      middle = frameOf(now, s, i).toWorld(
          Vec2(r * (math::sin(to) - math::sin(from)), r * (math::cos(from) - math::cos(to))));
    }
    sum.potential -= 0.5 * density * gravity.dot(on.before * (on.in + on.a) + on.after * (on.out + on.b)) +
                     (lump(s, i) - legs) * gravity.dot(middle);
  }
  return sum;
}

std::string ReevedParticles::nameOf(ElementPart part, int index) const {
  if (part == ElementPart::row && isBead(index % capacity()))
    return name + ".particles." + std::to_string(index % capacity() - declared_);
  return JointsCable::nameOf(part, index);
}

/// Links and spans as the route has them: a span's tension is the mean along it.
void ReevedParticles::view(const Instant& now, const State& s, std::vector<LinkView>& links,
                           std::vector<SpanView>& spans) const {
  std::vector<LinkView> every;
  std::vector<SpanView> pieces;
  JointsCable::view(now, s, every, pieces);
  links.clear();
  spans.clear();
  const auto route = routeOf(s);
  for (int k = 0; k < route.size(); ++k)
    if (!isBead(route[k])) links.push_back(every[at(k)]);
  int link = -1, count = 0;
  const auto close = [&] {
    if (count == 0) return;
    SpanView& span = spans.back();
    span.tension /= count;
    span.to = closed_ && span.from + 1 == static_cast<int>(links.size()) ? 0 : span.from + 1;
    count = 0;
  };
  for (int k = 0; k < route.spans(); ++k) {
    const SpanView& piece = pieces[at(k)];
    if (!isBead(route[k])) {
      close();
      spans.push_back(piece);
      spans.back().from = ++link;
    } else {
      SpanView& span = spans.back();
      span.length += piece.length;
      span.rest += piece.rest;
      span.tension += piece.tension;
      span.end = piece.end;
    }
    ++count;
  }
  close();
}

void ReevedParticles::draw(const Instant& now, const State& s, std::vector<Vec3>& points,
                           std::vector<double>& tensions) const {
  points.clear();
  tensions.clear();
  const auto route = routeOf(s);
  const auto put = [&](const Vec3& p, double tension) {
    points.push_back(p);
    tensions.push_back(tension);
  };
  for (int k = 0; k < route.size(); ++k) {
    const int i = route[k];
    const LinkState& on = stateOf(s, i);
    const bool ends = !closed_ && (k == 0 || k + 1 == route.size());
    const int span = k < route.spans() ? i : route.before(k);
    const double tension = std::max(-s.force[at(spanSlot(span))], 0.0);
    if (!link(i).round() || on.holds) {
      put(spanEnd(now, s, i, k < route.spans()).frame.origin, tension);
      continue;
    }
    const double wound = drawnOn(now, s, i);
    const double from = !ends || k > 0 ? on.entry.s : on.exit.s - on.side * wound;
    const double to = !ends || k == 0 ? on.exit.s : on.entry.s + on.side * wound;
    addArc(now, s, i, from, to, points);
    tensions.resize(points.size(), tension);
  }
  if (closed_ && !points.empty()) put(points.front(), tensions.front());
}

const char* ReevedParticles::inspect(const State& state, const Inspection& how) const {
  if (const char* flaw = JointsCable::inspect(state, how)) return flaw;
  if (!how.outside) return nullptr;
  const auto route = routeOf(state);
  int declared = 0;
  for (int k = 0; k < route.size(); ++k)
    if (!isBead(route[k]) && route[k] != declared++) return "remembers its links in another order";
  const bool bare = isBead(route[0]) || (!closed_ && isBead(route[route.size() - 1]));
  return declared != declared_ || bare ? "remembers a route without all of its links" : nullptr;
}

}  // namespace reeve
