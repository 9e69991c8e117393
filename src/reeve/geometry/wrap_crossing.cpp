#include "reeve/geometry/wrap_crossing.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/scalar.h"

namespace reeve {
namespace {

Vec3 rotated(const Vec3& rotation, const Vec3& v) {
  const double angle = rotation.norm();
  if (angle == 0.0) return v;
  const Vec3 axis = rotation / angle;
  double sine = 0.0;
  double cosine = 0.0;
  math::sincos(angle, sine, cosine);
  return cosine * v + sine * axis.cross(v) + (1.0 - cosine) * axis.dot(v) * axis;
}

Vec3 toLocal(const LinkFrame& f, const Vec3& p) {
  const Vec3 d = p - f.origin;
  return {f.x.dot(d), f.y.dot(d), f.normal.dot(d)};
}

/// Distance of a point from the prism, and the direction away from it (zero inside).
struct Gap {
  double distance = 0.0;
  Vec3 away = Vec3::Zero();
};

Gap gapOf(const Outline& outline, double halfThickness, const Vec3& p) {
  const Outline::Approach beside = outline.approach(p.head<2>());
  const double side = std::max(beside.distance, 0.0);
  const double above = std::max(std::abs(p.z()) - halfThickness, 0.0);
  Gap gap{.distance = std::sqrt(side * side + above * above)};
  if (gap.distance == 0.0) return gap;
  if (side > 0.0) gap.away.head<2>() = beside.normal * side;
  gap.away.z() = p.z() < 0.0 ? -above : above;
  gap.away /= gap.distance;
  return gap;
}

/// Where on the segment the gap is smallest. It is convex along the segment: follow the sign of its slope.
struct Nearest {
  Gap gap{};
  double along = 0.0;
};

Nearest nearestOnSegment(const Outline& outline, double halfThickness, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  const auto at = [&](double t) { return gapOf(outline, halfThickness, a + t * d); };
  double low = 0.0;
  double high = 1.0;
  const Gap first = at(0.0);
  if (first.distance == 0.0 || first.away.dot(d) >= 0.0) return {first, 0.0};
  const Gap last = at(1.0);
  if (last.distance == 0.0 || last.away.dot(d) <= 0.0) return {last, 1.0};
  double slopeLow = first.away.dot(d);
  double slopeHigh = last.away.dot(d);
  Gap best = first;
  double along = 0.0;
  int kept = 0;
  // Secants by Illinois' rule, and a halving now and then: quick on smooth outlines, never slow on corners. The slope
  // left over must be small against the gap, or the direction `away` does not separate the whole segment.
  for (int step = 0; step < 60 && high - low > 1e-16; ++step) {
    const double secant = low + (high - low) * slopeLow / (slopeLow - slopeHigh);
    along = step % 4 != 3 && secant > low && secant < high ? secant : 0.5 * (low + high);
    best = at(along);
    const double slope = best.away.dot(d);
    if (best.distance == 0.0 || std::abs(slope) <= std::min(1e-9 * d.norm(), 1e-2 * best.distance)) break;
    if (slope < 0.0) {
      low = along;
      slopeLow = slope;
      if (kept < 0) slopeHigh *= 0.5;
      kept = -1;
    } else {
      high = along;
      slopeHigh = slope;
      if (kept > 0) slopeLow *= 0.5;
      kept = 1;
    }
  }
  return {best, along};
}

/// Which side of a → b the outline is on, by the smaller move that frees the segment.
Crossing sideOf(const Outline& outline, const Vec3& a, const Vec3& b, double along) {
  Crossing crossing{.along = along};
  const Vec2 d = (b - a).head<2>();
  const double length = d.norm();
  if (length <= 1e-12 * (b - a).norm()) return crossing;
  const Vec2 left(-d.y() / length, d.x() / length);
  const double base = left.dot(Vec2(a.head<2>()));
  const double overLeft = outline.supportValue(left) - base;
  const double overRight = outline.supportValue(-left) + base;
  crossing.sigma = overLeft >= overRight ? 1 : -1;
  crossing.depth = std::min(overLeft, overRight);
  return crossing;
}

/// A segment end as the turning link sees it.
struct LocalMotion {
  Vec3 position;
  Vec3 velocity;
};

LocalMotion localMotion(const LinkFrame& now, const MovingFrame& frame, const MovingPoint& p, double t) {
  const Vec3 d = p.start + t * (p.end - p.start);
  const Vec3 velocity = p.end - p.start - frame.translation - frame.rotation.cross(d - now.origin);
  return {toLocal(now, d), {now.x.dot(velocity), now.y.dot(velocity), now.normal.dot(velocity)}};
}

}  // namespace

double earliestClosing(double gap, double rate, double bend) {
  if (bend <= 0.0 && rate >= 0.0) return HUGE_VAL;
  // gap > 0, so the root is 2·gap / (√(rate² + 2·bend·gap) − rate), free of cancellation.
  const double root = std::sqrt(rate * rate + 2.0 * bend * gap) - rate;
  return root > 0.0 ? 2.0 * gap / root : HUGE_VAL;
}

std::optional<Crossing> segmentCrossesOutline(const Outline& outline, const LinkFrame& frame, double halfThickness,
                                              const Vec3& a, const Vec3& b) {
  const Vec3 p = toLocal(frame, a);
  const Vec3 q = toLocal(frame, b);
  // The part inside the slab.
  double low = 0.0;
  double high = 1.0;
  const double rise = q.z() - p.z();
  if (rise == 0.0) {
    if (std::abs(p.z()) > halfThickness) return std::nullopt;
  } else {
    const double t0 = (-halfThickness - p.z()) / rise;
    const double t1 = (halfThickness - p.z()) / rise;
    low = std::max(low, std::min(t0, t1));
    high = std::min(high, std::max(t0, t1));
    if (low > high) return std::nullopt;
  }
  const Vec3 d = q - p;
  const Vec3 inA = p + low * d;
  const Vec3 inB = p + high * d;
  const Nearest nearest = nearestOnSegment(outline, HUGE_VAL, inA, inB);
  if (nearest.gap.distance > 0.0) return std::nullopt;
  // The inside is one stretch around the point found; its ends by halving.
  const auto rim = [&](double outside, double inside) {
    if (outline.signedDistance((inA + outside * (inB - inA)).head<2>()) < 0.0) return outside;
    for (int halving = 0; halving < 50; ++halving) {
      const double t = 0.5 * (outside + inside);
      (outline.signedDistance((inA + t * (inB - inA)).head<2>()) < 0.0 ? inside : outside) = t;
    }
    return inside;
  };
  const double middle = 0.5 * (rim(0.0, nearest.along) + rim(1.0, nearest.along));
  return sideOf(outline, p, q, low + (high - low) * middle);
}

MovingFrame MovingFrame::between(const LinkFrame& from, const LinkFrame& to) {
  Mat3 r0;
  Mat3 r1;
  r0 << from.x, from.y, from.normal;
  r1 << to.x, to.y, to.normal;
  const Quat q(Mat3(r1 * r0.transpose()));
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  const Vec3 half = sign * Vec3(q.x(), q.y(), q.z());
  const double sine = half.norm();
  const double angle = 2.0 * math::atan2(sine, sign * q.w());
  return {from, to.origin - from.origin, sine > 0.0 ? Vec3(half * (angle / sine)) : Vec3(Vec3::Zero())};
}

LinkFrame MovingFrame::at(double t) const {
  const Vec3 turn = t * rotation;
  return {start.origin + t * translation, rotated(turn, start.x), rotated(turn, start.y), rotated(turn, start.normal)};
}

std::optional<SweptCrossing> sweptCrossing(const Outline& outline, const MovingFrame& given, double halfThickness,
                                           const MovingPoint& a, const MovingPoint& b, double tolerance) {
  MovingFrame frame = given;
  // A circle does not change by its spin: leave it out, or a fast wheel takes many small steps.
  if (outline.cornerCount() == 1 && frame.rotation.cross(frame.start.normal).norm() <= 1e-9) frame.rotation.setZero();
  const double turning = frame.rotation.norm();
  // Greatest acceleration seen from the turning frame: Coriolis 2ω|v| and centrifugal ω²|r|.
  double bend = 0.0;
  for (const MovingPoint& p : {a, b}) {
    const double speed = (p.end - p.start - frame.translation).norm();
    const double reach =
        std::max((p.start - frame.start.origin).norm(), (p.end - frame.start.origin - frame.translation).norm());
    bend = std::max(bend, 2.0 * turning * speed + turning * turning * reach);
  }
  double t = 0.0;
  Vec3 touching = Vec3::Zero();  // direction from the prism to the segment, just before they met
  for (int step = 0; step < 1000; ++step) {
    const LinkFrame now = frame.at(t);
    const LocalMotion pa = localMotion(now, frame, a, t);
    const LocalMotion pb = localMotion(now, frame, b, t);
    const Nearest nearest = nearestOnSegment(outline, halfThickness, pa.position, pb.position);
    const double distance = nearest.gap.distance;
    if (distance <= tolerance) {
      SweptCrossing hit{t, sideOf(outline, pa.position, pb.position, nearest.along)};
      hit.crossing.depth = std::max(hit.crossing.depth, 0.0);
      if (distance > 0.0) touching = nearest.gap.away;
      hit.crossing.onFace = std::abs(touching.z()) > 0.5;
      return hit;
    }
    // The gap along the fixed axis `away` bounds the true distance from below for as long as it is open.
    const Vec3 away = nearest.gap.away;
    const Vec3 witness = pa.position + nearest.along * (pb.position - pa.position);
    const double wall = away.dot(witness) - distance;
    const double open = std::min(away.dot(pa.position), away.dot(pb.position)) - wall;
    double wait = HUGE_VAL;
    if (open >= 0.5 * distance) {
      for (const LocalMotion& p : {pa, pb}) {
        wait = std::min(wait, earliestClosing(away.dot(p.position) - wall, away.dot(p.velocity), bend));
      }
    } else {
      // Very close, rounding tilts the axis and it no longer separates: no point moves faster than this, in any
      // direction.
      wait = distance / (std::max(pa.velocity.norm(), pb.velocity.norm()) + bend);
    }
    t += wait;
    touching = away;
    if (!(t <= 1.0)) return std::nullopt;
  }
  // Grazing for very long: what is nearest is taken as touching.
  const LinkFrame now = frame.at(t);
  return SweptCrossing{t, sideOf(outline, toLocal(now, a.start + t * (a.end - a.start)),
                                 toLocal(now, b.start + t * (b.end - b.start)), 0.5)};
}

}  // namespace reeve
