// What a chain over wheels looks like from outside: links and spans of its route, as those of a cable of joints.
#include <algorithm>
#include <cmath>

#include "reeve/cables/chain/route_chain.h"
#include "reeve/math/scalar.h"

namespace reeve {

void RouteChain::view(const Instant& now, const State& state, std::vector<LinkView>& links,
                      std::vector<SpanView>& spans) const {
  links.clear();
  spans.clear();
  for (int i = 0; i < linkCount(); ++i) {
    const Link& l = link(i);
    LinkView& v = links.emplace_back();
    v.type = l.type;
    v.on = &l.mount.name;
    v.holds = l.flow >= 0 || l.hold != EndHold::free;
    v.mode = !v.holds ? "free" : "fixed";
    if (l.flow < 0 || l.type == LinkType::attach) continue;
    v.stored = storedOn(now, state, i);
    v.wrap = l.layers.many() ? l.layers.angleOf(v.stored) : l.stores ? v.stored / l.radius : wrapOf(now, state, i);
    v.radius = l.radius;
    if (l.stores && !l.paid) {
      v.radius = tangent(now, state, exitOf(i) >= 0 ? exitOf(i) : entryOf(i)).radius;
      v.layers = l.layers.countOf(v.stored);
    }
    const double rim = l.mount.rotor >= 0 ? l.side * l.radius * l.spin * now.scalar(l.mount.rotor) : 0.0;
    v.slip = now.scalar(l.flow) - rim - linkMemory(state, i).grip;
    const bool sticks = l.friction > 0.0 && state.mode[at(gripSlot(i))] == Mode::free;
    v.mode = l.friction == unbounded ? "rolling" : sticks ? "sticking" : "sliding";
  }
  for (int k = 0; k < spanCount(); ++k) {
    SpanView& v = spans.emplace_back();
    v.from = span(k).from;
    v.to = span(k).to;
    double pull[2] = {0.0, 0.0}, inside = 0.0;  // material of its first and last segment that is in the span
    Vec3 place[2];
    for (const int side : {0, 1}) {
      const int e = 2 * k + side, own = block(segmentAt(state, e));
      pull[side] = tensionAt(now, state, state.force, e);
      const Vec3 along = now.rotation(own).col(2);
      place[side] = now.position(own) + (side == 0 ? -0.5 : 0.5) * length_ * along;
      if (runs(e)) {
        const Tangent t = tangent(now, state, e);
        place[side] = t.point;
        inside += (side == 0 ? -t.offset : t.offset) - 0.5 * length_;
      }
      const Vec3 force = runs(e) ? Vec3(axesAt(now.model(), state, e) * vectorAt(state.force, endSlot(e)))
                                 : vectorAt(state.force, endSlot(e));
      LinkView& at = links[static_cast<std::size_t>(linkAt(e))];
      (side == 0 ? at.exit : at.entry) = place[side];
      at.force += runs(e) || side == 0 ? Vec3(-force) : force;
    }
    v.start = place[0];
    v.end = place[1];
    v.length = (v.end - v.start).norm();
    int count = 1;
    for (int i = spanMemory(state, k).first; after(state, i) >= 0; i = after(state, i)) ++count;
    v.rest = count * length_ + inside;
    v.tension = !runs(2 * k) && !held(2 * k)           ? pull[1]
                : !runs(2 * k + 1) && !held(2 * k + 1) ? pull[0]
                                                       : 0.5 * (pull[0] + pull[1]);
    const Vec3 chord = v.length > 0.0 ? Vec3((v.end - v.start) / v.length) : Vec3(Vec3::Zero());
    for (int i = spanMemory(state, k).first; after(state, i) >= 0; i = after(state, i)) {
      const Vec3 p = now.point({block(i), Vec3(0, 0, 0.5 * length_)}) - v.start;
      v.sag = std::max(v.sag, (p - chord * chord.dot(p)).norm());
    }
  }
}

void RouteChain::draw(const Instant& now, const State& state, std::vector<Vec3>& points,
                      std::vector<double>& tensions) const {
  points.clear();
  tensions.clear();
  constexpr double arcStep = math::pi / 12.0;
  const auto put = [&](const Vec3& p, double t) {
    points.push_back(p);
    tensions.push_back(std::fabs(t));
  };
  const auto endPlace = [&](int e) {
    if (runs(e)) return tangent(now, state, e).point;
    return Vec3(now.point({block(segmentAt(state, e)), Vec3(0, 0, (arrives(e) ? 0.5 : -0.5) * length_)}));
  };
  for (int k = 0; k < spanCount(); ++k) {
    put(endPlace(2 * k), tensionAt(now, state, state.force, 2 * k));
    for (int i = spanMemory(state, k).first; after(state, i) >= 0; i = after(state, i)) {
      const int next = after(state, i);
      const Vec3 end = now.point({block(i), Vec3(0, 0, 0.5 * length_)}),
                 begin = now.point({block(next), Vec3(0, 0, -0.5 * length_)});
      const Vec3 along = (now.rotation(block(i)).col(2) + now.rotation(block(next)).col(2)).normalized();
      put(0.5 * (end + begin), vectorAt(state.force, jointSlot(i)).dot(along));
    }
    const double pull = tensionAt(now, state, state.force, 2 * k + 1);
    put(endPlace(2 * k + 1), pull);
    const int i = span(k).to;
    if (exitOf(i) < 0 || link(i).flow < 0 || link(i).radius == 0.0) continue;
    const Tangent a = tangent(now, state, 2 * k + 1), b = tangent(now, state, exitOf(i));
    const double angle = b.angle - a.angle, after = tensionAt(now, state, state.force, exitOf(i));
    const int steps = static_cast<int>(std::min(std::fabs(angle) / arcStep, 480.0));
    const Vec3 arm = a.point - a.centre, across = a.axle.cross(arm);
    for (int s = 1; s <= steps; ++s) {
      const double share = s / (steps + 1.0), turn = share * angle;
      put(a.centre + math::cos(turn) * arm + math::sin(turn) * across, pull + share * (after - pull));
    }
  }
  if (settings_.closed) put(endPlace(0), tensionAt(now, state, state.force, 0));
}

}  // namespace reeve
