// Contacts held off, with friction.
#include <algorithm>
#include <cmath>

#include "reeve/cables/particles/touch.h"
#include "reeve/model/executor.h"

namespace reeve::particles {

namespace {
constexpr int contactGrain = 128;
/// m/s: what is inside a body comes out no faster. Its depth in a substep would be a velocity of depth/h, energy out of
/// nothing, and the more of it the smaller the step.
constexpr double comesOut = 0.1;
/// Where a held particle has more than the rest of a contact, the mount bears it: hardly anything there can give way,
/// and a rounding of the gap over next to no mobility would be any force at all.
constexpr double leastShare = 0.2;

/// The two sides of a contact: weights of up to four particles, or a body.
struct Sides {
  double ka, kb, kc = 0.0, kd = 0.0;
  explicit Sides(const Touch& t) : ka(1.0 - t.t), kb(t.t) {
    if (t.c >= 0) kc = 1.0 - t.s, kd = t.s;
  }
  /// Of a contact with a body: how much of it particles have that are not held.
  double freeShare(const Points& p, const Touch& t) const {
    return (p.w[at(t.a)] > 0.0 ? ka : 0.0) + (t.b != t.a && p.w[at(t.b)] > 0.0 ? kb : 0.0);
  }
  void push(Points& p, const Touch& t, const Vec3& impulse) const {
    const auto one = [&](int i, double share) {
      if (p.w[at(i)] > 0.0)
        p.u[at(i)] += (p.w[at(i)] * share) * impulse;
      else
        p.pressed[at(i)] += share * impulse;
    };
    one(t.a, ka);
    if (t.b != t.a) one(t.b, kb);
    if (t.c >= 0) one(t.c, -kc);
    if (t.c >= 0 && t.d != t.c) one(t.d, -kd);
  }
};
}  // namespace

void Touching::projectOne(Bundle& bundle, Touch& t, double h, bool last) const {
  Points& p = bundle.points;
  const Sides k(t);
  const Skin& skin = skins[at(t.skin)];
  Proxy* body = t.body >= 0 ? &bundle.bodies[at(t.body)] : nullptr;
  const Vec3 arm = body && body->moves ? body->armOf(t.local) : Vec3(Vec3::Zero());
  const auto slid = [&]() -> Vec3 {
    Vec3 d = k.ka * p.u[at(t.a)] + k.kb * p.u[at(t.b)];
    if (t.c >= 0) d -= k.kc * p.u[at(t.c)] + k.kd * p.u[at(t.d)];
    if (body && body->moves) d -= body->movedBy(t.local);
    return d;
  };
  if (t.body >= 0 && k.freeShare(p, t) < leastShare) return;
  double weight = p.w[at(t.a)] * k.ka * k.ka + p.w[at(t.b)] * k.kb * k.kb;
  if (t.c >= 0) weight += p.w[at(t.c)] * k.kc * k.kc + p.w[at(t.d)] * k.kd * k.kd;
  const auto weightAlong = [&](const Vec3& n) {
    return body && body->free ? weight + n.dot(body->mobility(arm) * n) : weight;
  };
  const auto apply = [&](const Vec3& impulse) {
    k.push(p, t, impulse);
    if (body) body->strike(arm, -impulse);
  };
  const double w = weightAlong(t.normal);
  if (!(w > 0.0)) return;
  const double start = body ? std::max(t.start, -comesOut * h) : t.start;
  const double gap = start + t.normal.dot(slid());
  const double change = std::max(-gap / w, -t.lambda);
  t.lambda += change;
  if (change != 0.0) apply(change * t.normal);
  if (last) return;
  if (skin.law == FrictionLaw::depth) {
    if (!(change > 0.0)) return;
    const double depth = change * w;
    for (const int i : {t.a, t.b}) {
      if (!(p.w[at(i)] > 0.0)) continue;
      const Vec3 way = p.u[at(i)] - p.shift[at(i)];
      const Vec3 along = way - t.normal * t.normal.dot(way);
      const double length = way.norm();
      if (along.norm() < skin.staticFriction)
        p.shift[at(i)] = p.u[at(i)];
      else if (length > 0.0)
        p.shift[at(i)] += way * (std::min(skin.slidingFriction * depth, length) / length);
    }
    return;
  }
  if (!(t.friction > 0.0)) return;
  Vec3 slip = slid();
  slip -= t.normal * t.normal.dot(slip);
  const double length = slip.norm();
  Vec3 wanted = t.grip;
  if (length > 0.0) wanted -= slip / weightAlong(slip / length);
  const double most = t.friction * t.lambda, size = wanted.norm();
  if (size > most) wanted *= size > 0.0 ? most / size : 0.0;
  const Vec3 more = wanted - t.grip;
  t.grip = wanted;
  if (more.squaredNorm() > 0.0) apply(more);
}

Touching::Done Touching::done(const Bundle& bundle, double h) const {
  const Points& p = bundle.points;
  Done sum;
  for (const Touch& t : touches_) {
    if (!(t.lambda > 0.0)) continue;
    const Sides k(t);
    const auto between = [&](const std::vector<Vec3>& of) {
      Vec3 d = k.ka * of[at(t.a)] + k.kb * of[at(t.b)];
      if (t.c >= 0) d -= k.kc * of[at(t.c)] + k.kd * of[at(t.d)];
      return d;
    };
    Vec3 before = between(p.v), after = (between(p.u) - between(p.shift)) / h;
    if (t.body >= 0 && bundle.bodies[at(t.body)].moves) {
      const Proxy& b = bundle.bodies[at(t.body)];
      const Vec3 own = b.movedBy(t.local) / h, was = !b.free     ? own
                                                     : b.rotates ? Vec3(b.v + b.omega.cross(b.q * t.local))
                                                                 : b.v;
      before -= was;
      after -= own;
      if (!b.free) sum.moved += (t.lambda * t.normal + t.grip).dot(own) / h;
    }
    const Vec3 mean = (0.5 / h) * (before + after);
    sum.blows += t.lambda * t.normal.dot(mean);
    sum.friction += t.grip.dot(mean);
  }
  return sum;
}

void Touching::offer(const Bundle& bundle, double h, Line& line) const {
  constexpr double stiff = 100.0;  // times the mass, and what a taut line resists being moved aside with
  line.contacts.clear();
  if (!line.chained()) return;
  const Points& p = bundle.points;
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const Touch& t = touches_[i];
    if (t.body < 0 || t.a < line.first || t.a >= line.first + line.count) continue;
    const Proxy& body = bundle.bodies[at(t.body)];
    // With friction the two solves would take turns after all, and not agree within any number of them.
    if (body.free || t.friction > 0.0 || skins[at(t.skin)].law != FrictionLaw::coulomb) continue;
    const Sides k(t);
    if (k.freeShare(p, t) < leastShare) continue;
    Vec3 slid = k.ka * p.u[at(t.a)] + k.kb * p.u[at(t.b)];
    if (body.moves) slid -= body.movedBy(t.local);
    ChainContact c;
    c.gap = std::max(t.start, -comesOut * h) + t.normal.dot(slid);
    const int j = t.a - line.first;
    const double pull =
        j < line.singles() ? std::max(line.guess[at(j)], 0.0) * h * h / line.distances[at(j)].rest : 0.0;
    c.k = stiff * (p.mass[at(t.a)] + pull);
    if (!(t.lambda - c.k * c.gap > 0.0)) continue;
    c.a = t.a;
    c.b = t.b;
    c.ka = k.ka;
    c.kb = t.b != t.a ? k.kb : 0.0;
    c.normal = t.normal;
    c.lambda = t.lambda;
    c.touch = static_cast<int>(i);
    line.contacts.push_back(c);
  }
}

void Touching::take(const Line& line) {
  for (const ChainContact& c : line.contacts) {
    touches_[at(c.touch)].lambda += c.change;
  }
}

void Touching::warm(Bundle& bundle) {
  for (Touch& t : touches_) {
    if (t.crossing < 0) continue;
    const Crossing& c = crossings_[at(t.crossing)];
    if (!(c.lambda > 0.0) || skins[at(t.skin)].law != FrictionLaw::coulomb) continue;
    t.lambda = c.lambda;
    t.grip = c.grip - t.normal * t.normal.dot(c.grip);
    Sides(t).push(bundle.points, t, t.lambda * t.normal + t.grip);
  }
}

void Touching::remember() {
  for (Crossing& c : crossings_) c.lambda = 0.0;
  for (const Touch& t : touches_) {
    if (t.crossing < 0) continue;
    crossings_[at(t.crossing)].lambda = t.lambda;
    crossings_[at(t.crossing)].grip = t.grip;
  }
}

void Touching::project(Bundle& bundle, double h, bool last, Executor* executor) {
  if (touches_.empty()) return;
  if (!coloured) {
    for (Touch& t : touches_) projectOne(bundle, t, h, last);
    return;
  }
  for (const std::vector<int>& colour : colours_)
    forRanges(executor, static_cast<int>(colour.size()), contactGrain, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) projectOne(bundle, touches_[at(colour[at(i)])], h, last);
    });
  for (const int i : rest_) projectOne(bundle, touches_[at(i)], h, last);
}

}  // namespace reeve::particles
