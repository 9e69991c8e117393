// Wheels that keep a cable, and those that do not. A groove holds the cable in the plane of its wheel whatever the
// fleet angle. A wheel without one (`groove: false`) is a plain cylinder: the cable lies in its middle until it would
// slide all the way to the edge. There, half a width aside, its pull along the axle is still more than friction holds,
//     |(n_out − n_in)·a| > μ |(n_out − n_in) − a a·(n_out − n_in)|,
// with a the axle, n the directions of its spans from the edge, and μ the link's friction, or the material's where the
// cable never slips along the wheel. Then it is off, if the straight way between its neighbors passes beside the wheel.
#include <algorithm>
#include <cmath>

#include "reeve/cables/joints/joints_cable.h"
#include "reeve/geometry/collide.h"

namespace reeve {

namespace {

/// Whether a line keeps out of a wheel: of its part between the two sides no point is nearer to the axle than the rim.
bool passesBeside(const LinkFrame& wheel, double radius, double half, const Vec3& from, const Vec3& to) {
  const double a = wheel.height(from), b = wheel.height(to);
  double first = 0.0, last = 1.0;
  if (a != b) {
    const double low = (-half - a) / (b - a), high = (half - a) / (b - a);
    first = std::max(first, std::min(low, high));
    last = std::min(last, std::max(low, high));
  } else if (std::fabs(a) > half) {
    return true;
  }
  if (first >= last) return true;
  const Vec2 start = wheel.toPlane(from), way = wheel.toPlane(to) - start;
  const double nearest = way.squaredNorm() > 0.0 ? std::clamp(-start.dot(way) / way.squaredNorm(), first, last) : first;
  return (start + nearest * way).norm() > radius;
}

/// What a cable pulls at a link: across its plane, and in it.
struct SidePull {
  double across = 0.0, into = 0.0;
};
SidePull sidePull(const Vec3& normal, const SpanGeometry& in, const SpanGeometry& out) {
  const Vec3 pull = out.n - in.n;
  return {pull.dot(normal), (pull - normal * pull.dot(normal)).norm()};
}

}  // namespace

/// A candidate that has moved or turned out of the plane it was met in: its wrap in that plane may go on for ever while
/// the body is long gone. The rope would slide off sideways where it pulls more across the plane than into the body; it
/// is let go there as soon as the straight line between its neighbours is clear of the shape. A body that has been
/// pushed further than it is thick is clear of that line too, but the rope lies behind it and pulls in the plane.
bool JointsCable::isClear(const Instant& now, const State& s, int before, int i, int after) const {
  const Link& l = link(i);
  if (!l.found && l.keeps) return false;
  const SpanGeometry in = shapeOf(now, s, before, i).first, out = shapeOf(now, s, i, after).first;
  if (in.status != TangentStatus::ok || out.status != TangentStatus::ok) return false;
  const LinkFrame frame = frameOf(now, s, i);
  const SidePull pull = sidePull(frame.normal, in, out);
  if (l.found ? std::fabs(pull.across) < 1e-6 || std::fabs(pull.across) <= pull.into
              : !slidesOffEdge(now, s, before, i, after, pull.across))
    return false;
  const SpanGeometry straight = spanBetween(spanEnd(now, s, before, true), spanEnd(now, s, after, false));
  if (straight.status != TangentStatus::ok) return false;
  const Vec3 &from = straight.end[0].point, &to = straight.end[1].point;
  if (!l.found) return passesBeside(frame, radiusOf(s, i), l.groove, from, to);
  return closest(from, to, *l.found, now.pose(l.mount.block)).gap > settings_.material.radius;
}

/// Of a wheel without a groove that is pulled at across its plane, one way or the other.
bool JointsCable::slidesOffEdge(const Instant& now, const State& s, int before, int i, int after, double across) const {
  const Link& l = link(i);
  SpanLink edge = spanEnd(now, s, i, false);
  edge.frame.origin += (across < 0.0 ? -l.groove : l.groove) * edge.frame.normal;
  const SpanGeometry in = spanBetween(spanEnd(now, s, before, true), edge),
                     out = spanBetween(edge, spanEnd(now, s, after, false));
  if (in.status != TangentStatus::ok || out.status != TangentStatus::ok) return false;
  const SidePull pull = sidePull(edge.frame.normal, in, out);
  const double holds = l.friction < unbounded ? value(s, linkFriction_ + i, l.friction) : settings_.material.friction;
  return pull.across * across > 0.0 && std::fabs(pull.across) > holds * pull.into;
}

}  // namespace reeve
