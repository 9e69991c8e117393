// The ways that came out of the solve, followed again.
#include <algorithm>

#include "reeve/cables/particles/touch.h"

namespace reeve::particles {

namespace {
constexpr double core = 0.8;  // radii: ways that come closer than this are solved again; half of it is never passed
}  // namespace

bool Touching::check(const Bundle& bundle, Executor*) {
  if (segments_.empty()) return false;
  if (!covered(bundle)) {
    // Something was pulled beyond its reach: there may be more to meet on its way.
    seek(bundle, gravity_);
    for (Meet& m : meets_) {
      const MovingSegment way = moving(bundle, m.segment);
      m.gap =
          closest(way.p0, way.p1, *obstacles[at(m.obstacle)].shape, posed(bundle, obstacles[at(m.obstacle)]).start).gap;
    }
    for (Crossing& c : crossings_) {
      const MovingSegment a = moving(bundle, c.one), b = moving(bundle, c.two);
      c.gap = closestOnSegments(a.p0, a.p1, b.p0, b.p1).distance;
    }
  }
  const std::size_t before = touches_.size();
  for (Meet& m : meets_) {
    const Skin& skin = skins[at(segments_[at(m.segment)].skin)];
    if (skin.touch != TouchMode::swept) continue;
    const MovingSegment way = moving(bundle, m.segment);
    const MovingPose pose = posed(bundle, obstacles[at(m.obstacle)]);
    const double radius = std::min(core * skin.radius, 0.8 * m.gap);
    if (!(m.gap > 0.0) || m.gap - radius > approachBound(way, pose)) continue;
    const double t = timeOfTouch(way, *obstacles[at(m.obstacle)].shape, pose, radius, m.gap, touchSlack * radius);
    if (t < 0.0) continue;
    contactsAt(bundle, m, t, skin.radius);
    for (int k = 0; k < m.count; ++k) touches_.push_back(m.found[k]);
  }
  for (Crossing& c : crossings_) {
    const MovingSegment a = moving(bundle, c.one), b = moving(bundle, c.two);
    const double r = skins[at(segments_[at(c.one)].skin)].radius + skins[at(segments_[at(c.two)].skin)].radius;
    const double radius = std::min(core * r, 0.8 * c.gap);
    if (!(c.gap > 0.0) || c.gap - radius > approachBound(a, b)) continue;
    const double t = timeOfTouch(a, b, radius, c.gap, touchSlack * radius);
    if (t < 0.0) continue;
    touchAt(bundle, c, t);
    touches_.push_back(c.found);
  }
  if (touches_.size() == before) return false;
  if (coloured) colour(bundle);
  return true;
}

void Touching::restrain(Bundle& bundle) {
  Points& p = bundle.points;
  // Held back against what it would pass: a share of the motion relative to `shared` is left.
  const auto hold = [&](int i, const Vec3& shared, double share) {
    if (p.w[at(i)] > 0.0) p.u[at(i)] = shared + share * (p.u[at(i)] - shared);
  };
  for (int round = 0; round < 6; ++round) {
    bool clean = true;
    const double share = round < 5 ? 0.8 : 0.0;
    for (const Meet& m : meets_) {
      const Segment& segment = segments_[at(m.segment)];
      const Skin& skin = skins[at(segment.skin)];
      if (skin.touch != TouchMode::swept || !(m.gap > 0.0)) continue;
      const MovingSegment way = moving(bundle, m.segment);
      const Obstacle& o = obstacles[at(m.obstacle)];
      const MovingPose pose = posed(bundle, o);
      const double radius = std::min(0.5 * core * skin.radius, 0.25 * m.gap);
      if (m.gap - radius > approachBound(way, pose)) continue;
      const double t = timeOfTouch(way, *o.shape, pose, radius, m.gap, touchSlack * radius);
      if (t < 0.0) continue;
      const Proxy& body = bundle.bodies[at(o.body)];
      for (const int i : {segment.a, segment.b}) {
        const Vec3 with = body.moves ? body.movedBy(body.q.conjugate() * (p.x[at(i)] - body.x)) : Vec3(Vec3::Zero());
        hold(i, with, share * t);
      }
      ++restrained;
      clean = false;
    }
    for (const Crossing& c : crossings_) {
      const MovingSegment a = moving(bundle, c.one), b = moving(bundle, c.two);
      const Segment &one = segments_[at(c.one)], &two = segments_[at(c.two)];
      const double r = skins[at(one.skin)].radius + skins[at(two.skin)].radius;
      const double radius = std::min(0.5 * core * r, 0.9 * c.gap);
      if (!(c.gap > 0.0) || c.gap - radius > approachBound(a, b)) continue;
      const double t = timeOfTouch(a, b, radius, c.gap, touchSlack * radius);
      if (t < 0.0) continue;
      // About the motion of all four together: their momentum stays.
      Vec3 sum = Vec3::Zero();
      double mass = 0.0;
      for (const int i : {one.a, one.b, two.a, two.b}) sum += p.mass[at(i)] * p.u[at(i)], mass += p.mass[at(i)];
      for (const int i : {one.a, one.b, two.a, two.b}) hold(i, sum / mass, share * t);
      ++restrained;
      clean = false;
    }
    if (clean) return;
  }
}

}  // namespace reeve::particles
