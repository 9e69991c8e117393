// Momentum, mass, weight and the velocity-dependent forces of a strand.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_cable.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// out += aᵀ f of everything that carries.
template <class Motion>
void spread(const Model& model, const Motion& m, const Vec3& f, std::span<double> out) {
  for (int i = 0; i < m.count; ++i) {
    const auto& c = m.carry[at(i)];
    const std::size_t v = at(model.blocks[at(c.block)].v);
    for (int k = 0; k < c.dof; ++k) out[v + at(k)] += c.a.col(k).dot(f);
  }
}

/// out += dᵀ f.
template <class Motion>
void spreadRate(const Model& model, const Motion& m, const Vec3& f, std::span<double> out) {
  for (int i = 0; i < m.count; ++i) {
    const auto& c = m.carry[at(i)];
    const std::size_t v = at(model.blocks[at(c.block)].v);
    for (int k = 0; k < c.dof; ++k) out[v + at(k)] += c.d.col(k).dot(f);
  }
}

template <class Carry>
void fill(const Carry& a, const Carry& b, double w, bool both, Patch& patch) {
  for (int r = 0; r < a.dof; ++r)
    for (int c = 0; c < b.dof; ++c) {
      patch.k(r, c) = w * a.a.col(r).dot(b.a.col(c));
      if (both) patch.k(r, c) += w * b.a.col(r).dot(a.a.col(c));
    }
}

/// M += w (AᵀB + BᵀA), or w AᵀA where both are one.
template <class Motion>
void couple(const Model& model, const Motion& a, const Motion& b, double w, bool same, PatchSet& out) {
  for (int i = 0; i < a.count; ++i)
    for (int j = same ? i : 0; j < b.count; ++j) {
      const auto &ca = a.carry[at(i)], &cb = b.carry[at(j)];
      if (!model.blocks[at(ca.block)].free && !model.blocks[at(cb.block)].free) continue;
      fill(ca, cb, w, !same && ca.block == cb.block, out.add(ca.block, cb.block));
    }
}

}  // namespace

template <class Visit>
void StrandCable::alongChart(const Instant& now, const Segment& g, Visit&& visit) const {
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  const double rest = materialAt(now, n1) + g.around - materialAt(now, n0);
  const Vec2 d = parameters(now, n1) - parameters(now, n0);
  const GaussRule& rule = gaussRule(grounds_[at(g.chart)].chart->points(d));
  for (int i = 0; i < rule.count; ++i) visit(chartEnd(now, g, rule.at[at(i)]), density_ * rest * rule.weight[at(i)]);
}

/// What lies on a wheel between two angles moves with its rim.
template <class Visit>
void StrandCable::alongWheel(const Instant& now, int i, double entry, double exit, Visit&& visit) const {
  const Wheel& w = wheel(i);
  const double wrap = w.side * (exit - entry);
  if (wrap <= 0.0) return;
  const LinkFrame frame = wheelFrame(now, w);
  const double radius = w.outline.radius();
  const Vec3 omega = now.angularVelocity(w.mount.block);
  const Vec3 centerRate = now.velocity(w.mount.block) + omega.cross(frame.origin - now.position(w.mount.block));
  const int pieces = 1 + static_cast<int>(wrap / (2.0 * math::pi));
  const GaussRule& rule = gaussRule(4 + static_cast<int>(wrap / pieces));
  for (int piece = 0; piece < pieces; ++piece)
    for (int k = 0; k < rule.count; ++k) {
      const double angle = entry + (exit - entry) * (piece + rule.at[at(k)]) / pieces;
      double sine, cosine;
      math::sincos(angle, sine, cosine);
      const Vec3 arm = radius * frame.directionToWorld(Vec2(cosine, sine));
      const Vec3 tangent = w.side * frame.directionToWorld(Vec2(-sine, cosine));
      End end;
      end.x = frame.origin + arm;
      addRim(now, w, arm, Vec3::Zero(), tangent, Vec3::Zero(), end);
      finishEnd(now, end);
      // The arm follows the material: now that its velocity is known, so is its rate.
      const Vec3 armRate = end.m - centerRate, normalRate = omega.cross(frame.normal);
      const Vec3 tangentRate = w.side * (normalRate.cross(arm) + frame.normal.cross(armRate)) / radius;
      for (int c = 0; c < end.count; ++c) end.carry[at(c)].a.setZero(), end.carry[at(c)].d.setZero();
      addRim(now, w, arm, armRate, tangent, tangentRate, end);
      visit(end, density_ * radius * wrap / pieces * rule.weight[at(k)]);
    }
}

/// Calls point(end, mass) for what is integrated by points and pair(straight) for straight segments.
template <class Point, class Pair>
void StrandCable::everyMass(const Instant& now, Point&& point, Pair&& pair) const {
  double entry = 0.0, firstExit = 0.0;
  bool touched = false;  // a segment led onto the wheel at hand
  for (const Segment& g : segments_) {
    if (g.chart >= 0) {
      alongChart(now, g, point);
      touched = false;
      continue;
    }
    const Straight s = straight(now, g);
    if (station(g.from).wheel) {
      if (g.from == 0) firstExit = s.angle[0];
      if (touched && s.ok) alongWheel(now, station(g.from).index, entry, s.angle[0], point);
    }
    touched = s.ok;
    entry = s.angle[1];
    if (s.ok && s.rest > 0.0) pair(s);
  }
  if (closed_ && station(0).wheel && touched) alongWheel(now, station(0).index, entry, firstExit, point);
}

void StrandCable::momentum(const Instant& now, std::span<double> p) const {
  const Model& m = now.model();
  everyMass(
      now, [&](const End& e, double mass) { spread(m, e, mass * e.m, p); },
      [&](const Straight& g) {
        const double mass = density_ * g.rest;
        if (settings_.lumped) {
          spread(m, g.a, g.lumpA * mass * g.a.m, p);
          spread(m, g.b, g.lumpB * mass * g.b.m, p);
          return;
        }
        spread(m, g.a, mass * (g.a.m / 3.0 + g.b.m / 6.0), p);
        spread(m, g.b, mass * (g.a.m / 6.0 + g.b.m / 3.0), p);
      });
}

void StrandCable::mass(const Instant& now, PatchSet& out) const {
  const Model& m = now.model();
  everyMass(
      now, [&](const End& e, double mass) { couple(m, e, e, mass, true, out); },
      [&](const Straight& g) {
        const double mass = density_ * g.rest;
        if (settings_.lumped) {
          couple(m, g.a, g.a, g.lumpA * mass, true, out);
          couple(m, g.b, g.b, g.lumpB * mass, true, out);
          return;
        }
        couple(m, g.a, g.a, mass / 3.0, true, out);
        couple(m, g.b, g.b, mass / 3.0, true, out);
        couple(m, g.a, g.b, mass / 6.0, false, out);
      });
}

void StrandCable::forces(const Instant& now, Forces& out) const {
  const Model& m = now.model();
  const Vec3& gravity = m.description.settings.gravity;
  std::span<double> f = out.force;
  addDrag(now, out);
  everyMass(
      now,
      [&](const End& e, double mass) {
        spread(m, e, mass * gravity, f);
        spreadRate(m, e, mass * e.m, f);
      },
      [&](const Straight& g) {
        const double mass = density_ * g.rest;
        const Vec3 &m0 = g.a.m, &m1 = g.b.m;
        if (settings_.lumped) {
          spread(m, g.a, g.lumpA * mass * gravity, f);
          spread(m, g.b, g.lumpB * mass * gravity, f);
          spreadRate(m, g.a, g.lumpA * mass * m0, f);
          spreadRate(m, g.b, g.lumpB * mass * m1, f);
          return;
        }
        spread(m, g.a, 0.5 * mass * gravity, f);
        spread(m, g.b, 0.5 * mass * gravity, f);
        spreadRate(m, g.a, mass * (m0 / 3.0 + m1 / 6.0), f);
        spreadRate(m, g.b, mass * (m0 / 6.0 + m1 / 3.0), f);
        // α̇ (A₁ − A₀) and what flows over the ends. Over a rim J and ẋ are the same on both sides, so what leaves one
        // segment enters the next and neither is counted.
        const double r0 = g.a.sRate, r1 = g.b.sRate;
        const Vec3 b = -density_ * ((r0 * m0 + r1 * m1) / 3.0 + (r0 * m1 + r1 * m0) / 6.0);
        spread(m, g.a, -b, f);
        spread(m, g.b, b, f);
      });
  for (const Segment& g : segments_) {
    if (g.chart >= 0) {
      const End a = chartEnd(now, g, 0.0), b = chartEnd(now, g, 1.0);
      spread(m, a, -density_ * a.sRate * a.m, f);
      spread(m, b, density_ * b.sRate * b.m, f);
      continue;
    }
    const Straight straightSegment = straight(now, g);
    if (!straightSegment.ok || settings_.lumped) continue;
    const End &a = straightSegment.a, &b = straightSegment.b;
    if (!station(g.from).wheel) spread(m, a, -density_ * a.sRate * a.m, f);
    if (!station(g.to).wheel) spread(m, b, density_ * b.sRate * b.m, f);
    // A stretched segment also pushes material out of itself: ½ EA ε².
    if (settings_.material.axial == unbounded) continue;
    const double strain = straightSegment.length / straightSegment.rest - 1.0;
    const double push = 0.5 * settings_.material.axial * strain * strain;
    const auto pushOut = [&](int st, double sign) {
      const int block = station(st).wheel ? wheel(station(st).index).slip : node(station(st).index).flow;
      if (block >= 0) f[at(m.blocks[at(block)].v)] += (station(st).wheel ? -sign : sign) * push;
    };
    if (straightSegment.length > straightSegment.rest || !g.unilateral) {
      pushOut(g.from, -1.0);
      pushOut(g.to, 1.0);
    }
  }
}

double StrandCable::kinetic(const Instant& now) const {
  double sum = 0.0;
  everyMass(
      now, [&](const End& e, double mass) { sum += 0.5 * mass * e.m.squaredNorm(); },
      [&](const Straight& g) {
        const double mass = density_ * g.rest;
        sum += settings_.lumped ? 0.5 * mass * (g.lumpA * g.a.m.squaredNorm() + g.lumpB * g.b.m.squaredNorm())
                                : mass / 6.0 * (g.a.m.squaredNorm() + g.a.m.dot(g.b.m) + g.b.m.squaredNorm());
      });
  return sum;
}

double StrandCable::potential(const Instant& now) const {
  double sum = 0.0;
  const Vec3& gravity = now.model().description.settings.gravity;
  everyMass(
      now, [&](const End& e, double mass) { sum -= mass * gravity.dot(e.x); },
      [&](const Straight& g) {
        const double a = settings_.lumped ? g.lumpA : 0.5, b = settings_.lumped ? g.lumpB : 0.5;
        sum -= density_ * g.rest * gravity.dot(a * g.a.x + b * g.b.x);
      });
  return sum;
}

}  // namespace reeve
