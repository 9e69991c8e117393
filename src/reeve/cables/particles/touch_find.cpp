// Candidates and contacts.
#include <algorithm>
#include <cmath>

#include "reeve/cables/particles/touch.h"
#include "reeve/math/scalar.h"
#include "reeve/model/executor.h"

namespace reeve::particles {

namespace {
constexpr int candidateGrain = 64;  // candidates of a part
constexpr double nearBy = 0.5;      // radii: closer than this at the start, the normal is that of the start
constexpr double slop = 0.1;        // radii: looked for beyond what the motion reaches
constexpr double spare = 0.2;       // radii: how far a particle may be pulled aside before candidates are found anew
}  // namespace

void Touching::build() {
  segments_.clear();
  groups_.clear();
  boxes_.clear();
  for (std::size_t k = 0; k < skins.size(); ++k) {
    Skin& s = skins[k];
    s.bend.clear();
    for (int i = 0; s.self && i + 2 < s.count; ++i) {
      const double a = s.arc[at(i + 1)] - s.arc[at(i)], b = s.arc[at(i + 2)] - s.arc[at(i + 1)];
      const double turn = 0.5 * (a + b) / (2.0 * s.radius);
      s.bend.push_back(turn < math::pi ? std::sqrt(a * a + b * b + 2.0 * a * b * math::cos(turn)) : 0.0);
    }
    if (s.touch == TouchMode::none && !s.self) continue;
    for (int i = 0; i + 1 < s.count; ++i) {
      const int segment = static_cast<int>(segments_.size());
      segments_.push_back({s.first + i, s.first + i + 1, static_cast<int>(k), i});
      if (i > 0 && s.arc[at(i + 1)] - s.arc[at(segments_[at(groups_.back().first)].index)] <= s.radius) {
        groups_.back().last = segment;
        continue;
      }
      groups_.push_back({segment, segment});
      // Cables that do not meet themselves are one owner each; those that meet no cable belong to no other's mask.
      BroadphaseBox box;
      box.group = s.self ? 2u : 4u;
      box.mask = (s.touch == TouchMode::none ? 0u : 1u) | (s.self ? 2u : 0u);
      boxes_.push_back(box);
    }
  }
  if (segments_.empty()) return;
  for (const Obstacle& o : obstacles) {
    BroadphaseBox box;
    box.group = o.group != 0u ? 1u : 0u;
    // cables are of collision group 0
    box.mask = o.mask & 1u ? 6u : 0u;
    box.owner = 0;
    boxes_.push_back(box);
  }
}

MovingSegment Touching::moving(const Bundle& bundle, int segment) const {
  const Segment& s = segments_[at(segment)];
  const Points& p = bundle.points;
  return {p.x[at(s.a)], p.x[at(s.b)], p.u[at(s.a)], p.u[at(s.b)]};
}

MovingPose Touching::posed(const Bundle& bundle, const Obstacle& o) const {
  const Proxy& body = bundle.bodies[at(o.body)];
  return {{body.x, body.q}, body.moves ? body.movedBy(Vec3::Zero()) : Vec3(Vec3::Zero()), body.theta, o.reach};
}

/// Segments closer along the cable than half a turn of its smallest bend always look close.
bool Touching::near(int one, int two) const {
  const Segment &a = segments_[at(one)], &b = segments_[at(two)];
  if (a.skin != b.skin) return false;
  const Skin& s = skins[at(a.skin)];
  const int low = std::min(a.index, b.index), high = std::max(a.index, b.index);
  if (high - low < 2) return true;
  return s.arc[at(high)] - s.arc[at(low + 1)] < math::pi * s.radius;
}

/// All segments of one group to all of the other.
bool Touching::allNear(const Group& a, const Group& b) const {
  return near(a.first, b.last) && near(a.last, b.first) && near(a.first, b.first) && near(a.last, b.last);
}

Aabb Touching::reachOf(const Group& g) const {
  Aabb box = spans_[at(g.first)];
  for (int i = g.first + 1; i <= g.last; ++i) {
    box.lower = box.lower.cwiseMin(spans_[at(i)].lower);
    box.upper = box.upper.cwiseMax(spans_[at(i)].upper);
  }
  return box;
}

/// Two segments, if they may come to touch.
void Touching::pairOne(const Bundle& bundle, int one, int two) {
  if (near(one, two) || !spans_[at(one)].overlaps(spans_[at(two)])) return;
  const auto reaches = [&](int segment) {
    const Segment& s = segments_[at(segment)];
    return std::max(reach_[at(s.a)], reach_[at(s.b)]) + skins[at(s.skin)].radius;
  };
  const MovingSegment p = moving(bundle, one), q = moving(bundle, two);
  if (closestOnSegments(p.p0, p.p1, q.p0, q.p1).distance > reaches(one) + reaches(two)) return;
  Crossing& c = crossings_.emplace_back();
  c.one = one;
  c.two = two;
}

/// Those of two groups, the larger one halved while there is something to leave out.
void Touching::pairUp(const Bundle& bundle, Group a, Group b) {
  const int sizeA = a.last - a.first + 1, sizeB = b.last - b.first + 1;
  if (allNear(a, b)) return;
  if (sizeA == 1 && sizeB == 1) return pairOne(bundle, a.first, b.first);
  if (!reachOf(a).overlaps(reachOf(b))) return;
  if (sizeA >= sizeB) {
    const int middle = a.first + sizeA / 2;
    pairUp(bundle, {a.first, middle - 1}, b);
    pairUp(bundle, {middle, a.last}, b);
  } else {
    const int middle = b.first + sizeB / 2;
    pairUp(bundle, a, {b.first, middle - 1});
    pairUp(bundle, a, {middle, b.last});
  }
}

void Touching::confront(int group, int obstacle) {
  const int body = obstacles[at(obstacle)].body;
  const Group& g = groups_[at(group)];
  for (int i = g.first; i <= g.last; ++i) {
    const bool passes = std::any_of(spared.begin(), spared.end(), [&](const Spared& s) {
      return s.body == body && s.firstSegment <= i && i <= s.lastSegment;
    });
    if (passes || !spans_[at(i)].overlaps(boxes_[groups_.size() + at(obstacle)].box)) continue;
    Meet& m = meets_.emplace_back();
    m.segment = i;
    m.obstacle = obstacle;
  }
}

bool Touching::covered(const Bundle& bundle) const {
  const Points& p = bundle.points;
  for (std::size_t i = 0; i < seen_.size(); ++i)
    if ((p.x[i] + p.u[i] - seen_[i]).squaredNorm() > reach_[i] * reach_[i]) return false;
  return true;
}

void Touching::seek(const Bundle& bundle, const Vec3& gravity) {
  const Points& p = bundle.points;
  const double fall = gravity.norm() * pace * pace;
  seen_ = p.x;
  reach_.resize(p.x.size());
  for (const Skin& s : skins)
    for (int i = s.first; i < s.first + s.count; ++i)
      reach_[at(i)] = std::max(1.25 * p.v[at(i)].norm() * pace + fall + spare * s.radius, 1.5 * p.u[at(i)].norm());
  spans_.resize(segments_.size());
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    const Segment& s = segments_[k];
    const double ra = reach_[at(s.a)] + skins[at(s.skin)].radius, rb = reach_[at(s.b)] + skins[at(s.skin)].radius;
    spans_[k] = {(p.x[at(s.a)].array() - ra).matrix().cwiseMin((p.x[at(s.b)].array() - rb).matrix()),
                 (p.x[at(s.a)].array() + ra).matrix().cwiseMax((p.x[at(s.b)].array() + rb).matrix())};
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) boxes_[g].box = reachOf(groups_[g]);
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    const Obstacle& o = obstacles[k];
    const Proxy& body = bundle.bodies[at(o.body)];
    const double far = body.moves ? (1.5 * body.v.norm() + 1.5 * body.omega.norm() * o.reach) * pace + fall : 0.0;
    Aabb& box = boxes_[groups_.size() + k].box;
    box = bounds(*o.shape, {body.x, body.q});
    box.lower.array() -= far;
    box.upper.array() += far;
  }
  meets_.clear();
  crossings_.clear();
  for (Touch& t : touches_) t.crossing = -1;
  const int lines = static_cast<int>(groups_.size());
  for (const CandidatePair& pair : broadphase_.update(boxes_)) {
    if (pair.second < lines)
      pairUp(bundle, groups_[at(pair.first)], groups_[at(pair.second)]);
    else
      confront(pair.first, pair.second - lines);
  }
  fresh_ = true;
}

/// Contacts of the capsule with the shape, both where they are at t of their ways.
void Touching::contactsAt(const Bundle& bundle, Meet& m, double t, double margin) const {
  const Segment& s = segments_[at(m.segment)];
  const Skin& skin = skins[at(s.skin)];
  const Obstacle& o = obstacles[at(m.obstacle)];
  const MovingSegment way = moving(bundle, m.segment);
  const MovingPose pose = posed(bundle, o);
  const Vec3 a = way.a(t), b = way.b(t), leg = b - a;
  const double length = leg.norm();
  const Pose there = pose.at(t);
  const bool round = length < 1e-9 || skin.touch == TouchMode::points;
  const reeve::Shape shape =
      round ? reeve::Shape{Sphere{skin.radius}, Pose{}} : reeve::Shape{Capsule{skin.radius, 0.5 * length}, Pose{}};
  const Pose place = round ? Pose{a, Quat::Identity()} : Pose{0.5 * (a + b), fromTwoVectors(Vec3::UnitZ(), leg)};
  Manifold manifold;
  m.count = 0;
  if (collide(shape, place, *o.shape, there, margin, manifold) == 0) return;
  reduce(manifold, 2);
  for (int k = 0; k < std::min(manifold.count, 2); ++k) {
    const ContactPoint& p = manifold.points[at(k)];
    Touch& touch = m.found[m.count++];
    touch = Touch{};
    touch.a = s.a;
    touch.b = s.b;
    touch.skin = s.skin;
    touch.body = o.body;
    touch.normal = -p.normal;
    touch.t = round ? 0.0 : std::clamp((p.pointA - a).dot(leg) / (length * length), 0.0, 1.0);
    touch.local = there.pointInverse(p.pointB);
    const Vec3 x = way.p0 + touch.t * (way.p1 - way.p0);
    touch.start = touch.normal.dot(x - pose.start.point(touch.local)) - skin.radius;
    touch.friction = std::sqrt(skin.friction * o.friction);
  }
}

void Touching::meet(const Bundle& bundle, Meet& m) const {
  const Segment& s = segments_[at(m.segment)];
  const Skin& skin = skins[at(s.skin)];
  const Obstacle& o = obstacles[at(m.obstacle)];
  m.count = 0;
  MovingSegment way = moving(bundle, m.segment);
  const MovingPose pose = posed(bundle, o);
  if (skin.touch == TouchMode::points) {
    // A particle of every segment, where it is going to be; the last segment's second one is not looked at.
    contactsAt(bundle, m, 1.0, 0.0);
    return;
  }
  m.gap = closest(way.p0, way.p1, *o.shape, pose.start).gap;
  const double r = skin.radius, gap = m.gap - r;
  const double bound = approachBound(way, pose);
  if (gap > bound + slop * r) return;
  if (skin.touch == TouchMode::discrete) return contactsAt(bundle, m, 1.0, slop * r);
  if (gap <= nearBy * r) return contactsAt(bundle, m, 0.0, std::max(gap, 0.0) + bound + slop * r);
  const double t = timeOfTouch(way, *o.shape, pose, r, m.gap, touchSlack * r);
  contactsAt(bundle, m, t < 0.0 ? 1.0 : t, slop * r);
}

void Touching::touchAt(const Bundle& bundle, Crossing& c, double t) const {
  const Segment &s = segments_[at(c.one)], &o = segments_[at(c.two)];
  const MovingSegment a = moving(bundle, c.one), b = moving(bundle, c.two);
  const SegmentPair pair = closestOnSegments(a.a(t), a.b(t), b.a(t), b.b(t));
  c.count = 1;
  Touch& touch = c.found;
  touch = Touch{};
  touch.a = s.a;
  touch.b = s.b;
  touch.t = pair.s;
  touch.c = o.a;
  touch.d = o.b;
  touch.s = pair.t;
  touch.skin = s.skin;
  if (pair.distance > 1e-12) {
    touch.normal = pair.apart / pair.distance;
  } else {
    // Exactly crossing: part them across both.
    const Vec3 across = (a.p1 - a.p0).cross(b.p1 - b.p0);
    touch.normal = across.norm() > 1e-12 ? Vec3(across.normalized()) : Vec3(Vec3::UnitZ());
  }
  const Vec3 x = a.p0 + pair.s * (a.p1 - a.p0), y = b.p0 + pair.t * (b.p1 - b.p0);
  touch.start = touch.normal.dot(x - y) - skins[at(s.skin)].radius - skins[at(o.skin)].radius;
  touch.friction = std::sqrt(skins[at(s.skin)].friction * skins[at(o.skin)].friction);
}

void Touching::cross(const Bundle& bundle, Crossing& c) const {
  c.count = 0;
  const MovingSegment a = moving(bundle, c.one), b = moving(bundle, c.two);
  const double r = skins[at(segments_[at(c.one)].skin)].radius + skins[at(segments_[at(c.two)].skin)].radius;
  const SegmentPair pair = closestOnSegments(a.p0, a.p1, b.p0, b.p1);
  c.gap = pair.distance;
  const double gap = c.gap - r, bound = approachBound(a, b);
  if (gap > bound + 0.5 * slop * r) return;
  if (gap <= 0.5 * nearBy * r) return touchAt(bundle, c, 0.0);
  const double t = timeOfTouch(a, b, r, c.gap, 0.5 * touchSlack * r);
  touchAt(bundle, c, t < 0.0 ? 1.0 : t);
}

void Touching::find(const Bundle& bundle, const Vec3& gravity, Executor* executor) {
  touches_.clear();
  gravity_ = gravity;
  if (segments_.empty()) return;
  if (!fresh_ || !covered(bundle)) seek(bundle, gravity);
  forRanges(executor, static_cast<int>(meets_.size()), candidateGrain, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) meet(bundle, meets_[at(k)]);
  });
  forRanges(executor, static_cast<int>(crossings_.size()), candidateGrain, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) cross(bundle, crossings_[at(k)]);
  });
  for (const Meet& m : meets_)
    for (int k = 0; k < m.count; ++k) touches_.push_back(m.found[k]);
  for (std::size_t k = 0; k < crossings_.size(); ++k) {
    if (crossings_[k].count == 0) continue;
    touches_.push_back(crossings_[k].found);
    touches_.back().crossing = static_cast<int>(k);
  }
  limitBends(bundle);
  if (coloured) colour(bundle);
}

void Touching::limitBends(const Bundle& bundle) {
  const Points& p = bundle.points;
  for (std::size_t k = 0; k < skins.size(); ++k)
    for (std::size_t i = 0; i < skins[k].bend.size(); ++i) {
      const int a = skins[k].first + static_cast<int>(i), c = a + 2;
      const double least = skins[k].bend[i];
      const Vec3 now = p.x[at(a)] - p.x[at(c)], then = now + p.u[at(a)] - p.u[at(c)];
      if (!(least > 0.0) || then.squaredNorm() > 1.1 * least * least) continue;
      const double length = now.norm();
      if (!(length > 1e-12)) continue;
      Touch& touch = touches_.emplace_back();
      touch.a = touch.b = a;
      touch.c = touch.d = c;
      touch.skin = static_cast<int>(k);
      touch.normal = now / length;
      touch.start = length - least;
    }
}

/// No two contacts of a colour share a particle; those with a body that moves come one after the other at the end.
void Touching::colour(const Bundle& bundle) {
  for (auto& c : colours_) c.clear();
  rest_.clear();
  taken_.assign(bundle.points.x.size(), 0);
  for (std::size_t k = 0; k < touches_.size(); ++k) {
    const Touch& t = touches_[k];
    std::uint64_t used = taken_[at(t.a)] | taken_[at(t.b)];
    if (t.c >= 0) used |= taken_[at(t.c)] | taken_[at(t.d)];
    int colour = 0;
    while (colour < 64 && (used >> colour & 1u)) ++colour;
    if (colour == 64 || (t.body >= 0 && bundle.bodies[at(t.body)].free)) {
      rest_.push_back(static_cast<int>(k));
      continue;
    }
    const std::uint64_t bit = std::uint64_t{1} << colour;
    taken_[at(t.a)] |= bit;
    taken_[at(t.b)] |= bit;
    if (t.c >= 0) taken_[at(t.c)] |= bit, taken_[at(t.d)] |= bit;
    if (static_cast<int>(colours_.size()) <= colour) colours_.resize(at(colour + 1));
    colours_[at(colour)].push_back(static_cast<int>(k));
  }
}

}  // namespace reeve::particles
