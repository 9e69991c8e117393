// The one evaluation of a cable of joints per trial, and what its common case writes: spans between circles in one
// plane. There the length is that of a closed form, its gradient ±n at the centres and ±σr on the turn of each wheel,
// and a wheel that is a rotor gives its body no moment about its own centre.
#include <algorithm>
#include <cmath>

#include "reeve/cables/body_turn.h"
#include "reeve/cables/joints/joints_cable.h"
#include "reeve/geometry/circle_span.h"
#include "reeve/geometry/span_stiffness.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// A patch to be added to: one of the last few if it is of the same pair, else a new one. Many spans end on one body.
std::size_t sharedPatch(PatchSet& set, int a, int b) {
  const std::size_t n = set.patches.size();
  for (std::size_t k = 1; k <= 3 && k <= n; ++k)
    if (set.patches[n - k].a == a && set.patches[n - k].b == b) return n - k;
  set.add(a, b);
  return n;
}

}  // namespace

ElementLayout JointsCable::layout() const {
  return {.slots = 5 * capacity(),
          .memory = memorySize(),
          .makeCache = makeCacheOf<JointsCache>,
          .readsCacheInBegin = false};
}

void JointsCable::placeWheel(const Instant& now, int i, JointsCache::Wheel& wheel) const {
  const Link& l = link(i);
  wheel.grown = 1.0;
  if (!l.wheel) {
    wheel.turn = turnOf(now, i);
    return;
  }
  const int block = l.mount.block;
  if (!wheel.placed) {
    const Mat3& r = now.rotation(block);
    wheel.frame = {now.position(block) + r * l.center_B, r * l.x_B, r * l.y_B, r * l.normal_B};
    wheel.placed = l.still;
  }
  if (!l.still) {
    const bool free = now.model().blocks[static_cast<std::size_t>(block)].free;
    wheel.bodyTurn =
        free ? turnAbout(now.turned(block), wheel.frame.normal) : bodyTurn(now, now.past(), i, wheel.frame.normal);
  }
  if (l.mount.rotor < 0) return;
  const double spin = now.u[static_cast<std::size_t>(now.model().blocks[static_cast<std::size_t>(l.mount.rotor)].v)];
  wheel.turn = (l.spinsBack ? -spin : spin) - wheel.bodyTurn;
}

/// Between two circles in one plane; false if they are not, or there is no tangent.
bool JointsCable::spanWheels(const Instant& now, JointsCache& cache, int from, int to, JointsCache::Span& span) const {
  const State& s = now.past();
  const LinkState* ends[2] = {&stateOf(s, from), &stateOf(s, to)};
  if (!link(from).wheel || !link(to).wheel || ends[0]->holds || ends[1]->holds || ends[0]->near != 0) return false;
  const JointsCache::Wheel* wheel[2] = {&cache.wheels[at(from)], &cache.wheels[at(to)]};
  const double radius[2] = {radiusOf(s, from), radiusOf(s, to)};
  CircleSpan found;
  if (!circleSpan({wheel[0]->frame, radius[0], ends[0]->sense()}, {wheel[1]->frame, radius[1], ends[1]->sense()},
                  found))
    return false;
  span.kind = JointsCache::Kind::wheels;
  span.length = found.length;
  span.n = found.n;
  for (int e = 0; e < 2; ++e) {
    const int sense = ends[e]->sense();
    const ContactTravel& before = ends[e]->contact(e == 0);
    span.arm[e] = found.arm[e];
    span.moment[e] = e == 0 ? -sense * radius[e] : sense * radius[e];
    const double angle = nearestTurn(math::atan2(found.facing[e].y(), found.facing[e].x()),
                                     before.angle - wheel[e]->bodyTurn, 2.0 * math::pi);
    span.travel[e] = {radius[e] * angle, angle};
    const double travelled = span.travel[e].s - before.s - radius[e] * wheel[e]->turn;
    span.paid[e] = e == 0 ? -sense * travelled : sense * travelled;
    const int i = e == 0 ? from : to;
    const double grown = windLayers(s, i, radius[e], span.paid[e], cache);
    if (link(i).mount.rotor >= 0) span.moment[e] *= grown;
  }
  return true;
}

/// What a drum pays out, with the radius growing or shrinking in the step. The span leaves it where it did at the start
/// of the step: the way from there round the drum and along the span is shortest at the true radius, so it is off in
/// second order only, and does not add up. Returns by how much the arm of its torque is longer than at the start.
double JointsCable::windLayers(const State& s, int i, double radius, double& paid, JointsCache& cache) const {
  const Link& l = link(i);
  if (!l.layers.many() || stateOf(s, i).holds) return 1.0;
  const double before = l.layers.angleOf(stateOf(s, i).stored), after = before - paid / radius;
  paid = l.layers.lengthAt(before) - l.layers.lengthAt(after);
  return cache.wheels[at(i)].grown = l.layers.radiusAt(after) / radius;
}

void JointsCable::evaluateSpan(const Instant& now, JointsCache& cache, int from, int to) const {
  const State& s = now.past();
  JointsCache::Span& span = cache.spans[at(from)];
  const int via = stateOf(s, from).via();
  span.movable = movable(now.model(), from) || movable(now.model(), to) || (via >= 0 && movable(now.model(), via));
  cache.fixed = cache.fixed || !span.movable;
  if (const StillSpan* still = stillSpan(s, from, to); still && !stateOf(s, from).broken) {
    span.kind = JointsCache::Kind::still;
    span.length = still->span.length;
    for (int e = 0; e < 2; ++e) {
      const int i = e == 0 ? from : to;
      const double rim =
          link(i).mount.rotor >= 0 && link(i).round() ? -link(i).outline.radius() * cache.wheels[at(i)].turn : 0.0;
      span.paid[e] = paidOut(stateOf(s, i).sense(), e == 0 ? SpanSide::exit : SpanSide::entry, rim);
    }
    return;
  }
  if (spanWheels(now, cache, from, to, span)) return;
  span.kind = JointsCache::Kind::other;
  span.shape = static_cast<int>(cache.shapes.size());
  const SpanShape& shape = cache.shapes.emplace_back(shapeOf(now, s, from, to));
  span.length = shape.length;
  if (shape.first.status != TangentStatus::ok) return;
  for (int e = 0; e < 2; ++e) {
    const int i = e == 0 ? from : to;
    span.paid[e] = 0.0;
    if (!link(i).round() || stateOf(s, i).holds) continue;
    const ContactTravel& before = stateOf(s, i).contact(e == 0);
    span.travel[e] = travelNow(now, s, i, e == 0 ? shape.start() : shape.end(), e == 0);
    span.paid[e] = paidOut(stateOf(s, i).sense(), e == 0 ? SpanSide::exit : SpanSide::entry,
                           span.travel[e].s - before.s - radiusOf(s, i) * cache.wheels[at(i)].turn);
    windLayers(s, i, radiusOf(s, i), span.paid[e], cache);
  }
}

void JointsCable::evaluate(const Instant& now, ElementCache& room) const {
  JointsCache& cache = static_cast<JointsCache&>(room);
  const auto route = routeOf(now.past());
  cache.wheels.resize(links_.size());
  cache.spans.resize(links_.size());
  cache.shapes.clear();
  cache.fixed = false;
  for (int k = 0; k < route.size(); ++k) placeWheel(now, route[k], cache.wheels[at(route[k])]);
  for (int k = 0; k < route.spans(); ++k) evaluateSpan(now, cache, route[k], route.next(k));
}

/// The entries of a span between wheels. What never moves has none.
void JointsCable::pushWheels(const Instant& now, const JointsCache& cache, int from, int to,
                             const JointsCache::Span& span, RowSet& out) const {
  const int other = link(from).still ? -1 : link(from).mount.block, rotor = link(from).mount.rotor;
  for (int e = 0; e < 2; ++e) {
    const Link& l = link(e == 0 ? from : to);
    const JointsCache::Wheel& wheel = cache.wheels[at(e == 0 ? from : to)];
    const int block = l.mount.block;
    if (l.mount.rotor >= 0) {
      const double axial = l.spinsBack ? -span.moment[e] : span.moment[e];
      e == 0 || l.mount.rotor != rotor ? out.freshEntry(l.mount.rotor, axial) : out.entry(l.mount.rotor, axial);
    }
    if (l.still) continue;
    const Vec3 pull = e == 0 ? Vec3(-span.n) : span.n;
    Vec3 moment = (wheel.frame.origin - now.position(block)).cross(pull);
    if (l.mount.rotor < 0) moment += span.moment[e] * wheel.frame.normal;
    e == 0 || block != other ? out.freshEntry(block, pull, moment) : out.entry(block, pull, moment);
  }
}

void JointsCable::patchWheels(const Instant& now, const JointsCache& cache, int from, int to,
                              const JointsCache::Span& span, double tension, PatchSet& out) const {
  const int a = link(from).mount.block, b = link(to).mount.block;
  const bool freeA = now.model().blocks[at(a)].free, freeB = now.model().blocks[at(b)].free;
  if (!freeA && !freeB) return;
  if (a == b) {
    SpanLine line;
    line.length = span.length;
    line.n = span.n;
    for (int e = 0; e < 2; ++e) {
      const LinkFrame& frame = cache.wheels[at(e == 0 ? from : to)].frame;
      line.end[e] = {frame.origin + span.arm[e], frame.origin, frame.normal};
    }
    return addSpanPatches(now, from, to, line, tension, out);
  }
  const std::size_t k11 = freeA ? sharedPatch(out, a, a) : 0, k22 = freeB ? sharedPatch(out, b, b) : 0,
                    k12 = freeA && freeB ? sharedPatch(out, a, b) : 0;
  const auto end = [&](int i, int e) {
    return CircleEnd{cache.wheels[at(i)].frame.origin - now.position(link(i).mount.block), span.arm[e],
                     radiusOf(now.past(), i), link(i).mount.rotor >= 0};
  };
  addCircleStiffness(span.n, span.length, std::max(tension, 0.0), {end(from, 0), end(to, 1)},
                     freeA ? &out.patches[k11].k : nullptr, freeB ? &out.patches[k22].k : nullptr,
                     freeA && freeB ? &out.patches[k12].k : nullptr);
}

/// Of two bodies, or of one that both ends are on.
void JointsCable::addSpanPatches(const Instant& now, int from, int to, const SpanLine& line, double tension,
                                 PatchSet& out) const {
  const int a = link(from).mount.block, b = link(to).mount.block;
  const bool freeA = now.model().blocks[at(a)].free, freeB = now.model().blocks[at(b)].free;
  if (!freeA && !freeB) return;
  const bool both = freeA && freeB;
  Mat6 k11, k22, k12;
  spanStiffnessPositive(line, tension > 0.0 ? tension : 0.0, mountOf(now, from), mountOf(now, to),
                        freeA ? &k11 : nullptr, freeB ? &k22 : nullptr, both ? &k12 : nullptr);
  if (a == b) {
    out.patches[sharedPatch(out, a, a)].k += k11 + k22 + k12 + k12.transpose();
    return;
  }
  if (freeA) out.patches[sharedPatch(out, a, a)].k += k11;
  if (freeB) out.patches[sharedPatch(out, b, b)].k += k22;
  if (both) out.patches[sharedPatch(out, a, b)].k += k12;
}

}  // namespace reeve
