#include "reeve/geometry/tangent_span.h"

#include <algorithm>
#include <cmath>

namespace reeve {
namespace {

constexpr double coplanarTolerance = 1e-9;  // its square is what enters the result
constexpr int maxIterations = 60;

/// A contact while it is being searched for.
struct Contact {
  bool found = false;
  int corner = 0;
  Vec2 normal = Vec2::UnitX();  // in the link's plane
  Vec3 point = Vec3::Zero();    // in the world
  bool onEdge = false;
};

Contact contactAt(const SpanLink& link, int corner, const Vec2& normal) {
  const Vec2 p = link.outline->corner(corner) + link.outline->radius() * normal;
  return {true, corner, normal, link.frame.toWorld(p), false};
}

/// The tangent point seen from a target, projected into the link's plane. The cable enters if it comes from the target.
Contact contactSeenFrom(const SpanLink& link, const Vec3& target, bool entering, int hint) {
  if (link.outline->isPoint()) return {true, 0, Vec2::UnitX(), link.frame.origin, false};
  const Side side = (link.sigma > 0) == entering ? Side::left : Side::right;
  const ExtremePoint e = extremePoint(*link.outline, link.frame.toPlane(target), side, hint);
  if (!e.found) return {};
  return {true, e.corner, e.normal, link.frame.toWorld(e.point), false};
}

SpanEnd describe(const SpanLink& link, const Contact& contact, const Vec3& n) {
  SpanEnd end;
  end.point = contact.point;
  end.axis = link.frame.normal;
  end.origin = link.frame.origin;
  end.tangent = n;
  if (link.outline->isPoint()) return end;
  end.onEdge = contact.onEdge;
  end.place = contact.onEdge ? link.outline->nearest(link.frame.toPlane(contact.point))
                             : link.outline->onCorner(contact.corner, contact.normal);
  end.outward = link.frame.directionToWorld(contact.normal);
  end.tangent = link.sigma * end.axis.cross(end.outward);
  end.bendRadius = link.outline->radius();
  const double across = n.dot(end.axis);
  end.kink = across * across / (1.0 + n.dot(end.tangent));  // = 1 − n·τ without cancellation, as n·ν = 0
  return end;
}

SpanGeometry assemble(const SpanLink& link1, const SpanLink& link2, const Contact& c1, const Contact& c2) {
  SpanGeometry span;
  const Vec3 d = c2.point - c1.point;
  span.length = d.norm();
  if (!c1.found || !c2.found || !(span.length > 0.0)) return span;
  span.n = d / span.length;
  span.end[0] = describe(link1, c1, span.n);
  span.end[1] = describe(link2, c2, span.n);
  // A span that leaves along a link's axis has no direction in its plane.
  if (span.n.dot(span.end[0].tangent) > 1e-6 && span.n.dot(span.end[1].tangent) > 1e-6) span.status = TangentStatus::ok;
  return span;
}

bool coplanar(const SpanLink& link1, const SpanLink& link2) {
  const double size =
      link1.outline->reach() + link2.outline->reach() + (link2.frame.origin - link1.frame.origin).norm();
  return link1.frame.normal.cross(link2.frame.normal).norm() <= coplanarTolerance &&
         std::abs(link1.frame.height(link2.frame.origin)) <= coplanarTolerance * size;
}

SpanGeometry coplanarSpan(const SpanLink& link1, const SpanLink& link2) {
  const LinkFrame& f1 = link1.frame;
  const LinkFrame& f2 = link2.frame;
  const bool facing = f1.normal.dot(f2.normal) > 0.0;
  PlacedOutline placed1{.outline = link1.outline, .sigma = link1.sigma, .hint = link1.hint};
  PlacedOutline placed2{.outline = link2.outline, .sigma = facing ? link2.sigma : -link2.sigma, .hint = link2.hint};
  placed2.position = f1.toPlane(f2.origin);
  placed2.axes << f1.x.dot(f2.x), f1.x.dot(f2.y), f1.y.dot(f2.x), f1.y.dot(f2.y);
  const PlanarTangent t = planarTangent(placed1, placed2);
  if (t.status != TangentStatus::ok) return {.status = t.status};
  const Vec2 normal2 = placed2.axes.transpose() * (placed2.sigma * t.w);
  return assemble(link1, link2, contactAt(link1, t.corner1, link1.sigma * t.w),
                  contactAt(link2, t.corner2, normal2.normalized()));
}

/// The slope of ν₁·(a₂−a₁) as a₁ moves along its arc and a₂ follows, from equations (4). [1 per m]·[m]
double slopeOnArc(const SpanGeometry& s) {
  const SpanEnd& e1 = s.end[0];
  const SpanEnd& e2 = s.end[1];
  const double follow = e2.bendRadius * e2.outward.dot(e1.tangent) / (s.length * e2.tangent.dot(s.n));
  return s.length * e1.tangent.dot(s.n) / e1.bendRadius + e1.outward.dot(e2.tangent) * follow;
}

/// A first contact on link 2 from which link 1 can be seen: its origin, or some place on its outline.
Contact firstContact(const SpanLink& link1, const SpanLink& link2) {
  const double perimeter = link2.outline->perimeter();
  for (int trial = 0; trial <= 8; ++trial) {
    const Vec3 target =
        trial == 0 ? link2.frame.origin : link2.frame.toWorld(link2.outline->at(perimeter * (trial - 1) / 8.0).point);
    const Contact c1 = contactSeenFrom(link1, target, false, link1.hint);
    if (!c1.found) continue;
    const Contact c2 = contactSeenFrom(link2, c1.point, true, link2.hint);
    if (c2.found) return c2;
  }
  return {};
}

/// c1 moved along its arc by Newton's method, c2 being the contact that follows from it.
Contact newtonContact(const SpanLink& link1, const SpanGeometry& guess, const Contact& c1) {
  const SpanEnd& e1 = guess.end[0];
  const double residual = e1.outward.dot(guess.end[1].point - e1.point);
  const double turn = -residual / (slopeOnArc(guess) * e1.bendRadius);
  if (!(std::abs(turn) < 0.5)) return {};
  // Turning the normal along the running direction, to second order, is enough: the next step corrects it.
  const Vec2 along(link1.frame.x.dot(e1.tangent), link1.frame.y.dot(e1.tangent));
  return contactAt(link1, c1.corner, (c1.normal + turn * along).normalized());
}

/// The signed short way from s0 to s1.
double shortWay(const Outline& outline, double s0, double s1) {
  const double travel = outline.travel(s0, s1, 0);
  return outline.travel(s0, s1, travel > 0.5 * outline.perimeter() ? -1 : travel < -0.5 * outline.perimeter() ? 1 : 0);
}

/// Rays from corner to corner can take turns between skew planes: from A on outline 1 the alternation leads to B, from
/// B back to A. Then the common tangent touches inside an edge (the corners are right, had they been rounded). It is
/// found by halving the way from A to B: either outline 1 is touched inside its edge, or outline 2 where the ray
/// changes corner.
SpanGeometry edgeSpan(const SpanLink& link1, const SpanLink& link2, const Contact& a, const Contact& b) {
  const Outline& outline1 = *link1.outline;
  const double start = outline1.onCorner(a.corner, a.normal).s;
  const double way = shortWay(outline1, start, outline1.onCorner(b.corner, b.normal).s);
  const auto placeAt = [&](double t) { return outline1.at(start + t * way); };
  const auto contact2At = [&](double t) {
    return contactSeenFrom(link2, link1.frame.toWorld(placeAt(t).point), true, -1);
  };
  const SpanGeometry failed{.status = TangentStatus::notConverged};
  double low = 0.0;
  double high = 1.0;
  for (int halving = 0; halving < 60; ++halving) {
    const double t = 0.5 * (low + high);
    const Contact c2 = contact2At(t);
    if (!c2.found) return failed;
    const Contact ray = contactSeenFrom(link1, c2.point, false, -1);
    if (!ray.found) return failed;
    const double ahead = shortWay(outline1, start + t * way, outline1.onCorner(ray.corner, ray.normal).s);
    (ahead * way > 0.0 ? low : high) = t;
  }
  const Contact p = contact2At(low);
  const Contact q = contact2At(high);
  if (!p.found || !q.found) return failed;
  const BoundaryPoint place = placeAt(low);
  Contact c1{true, place.corner, place.normal, link1.frame.toWorld(place.point), false};
  c1.onEdge = (place.point - outline1.onCorner(place.corner, place.normal).point).norm() > 1e-12 * outline1.perimeter();
  Contact c2 = p;
  const Vec3 jump = q.point - p.point;
  if (jump.norm() > 1e-9 * link2.outline->perimeter()) {
    const Vec3 normal1 = link1.frame.directionToWorld(place.normal);
    const double across = normal1.dot(jump);
    const double t = across == 0.0 ? 0.0 : normal1.dot(c1.point - p.point) / across;
    c2.point += std::clamp(t, 0.0, 1.0) * jump;
    c2.onEdge = true;
  }
  SpanGeometry span = assemble(link1, link2, c1, c2);
  span.iterations = maxIterations;
  for (const SpanEnd& end : span.end) {
    if (std::abs(end.outward.dot(span.n)) > 1e-9) span.status = TangentStatus::notConverged;
  }
  return span;
}

SpanGeometry skewSpan(const SpanLink& link1, const SpanLink& link2) {
  Contact c2 = firstContact(link1, link2);
  if (!c2.found) return {};
  Contact c1 = contactSeenFrom(link1, c2.point, false, link1.hint);
  double lastMove = -1.0;
  Contact ray;
  for (int iteration = 1; iteration <= maxIterations && c1.found; ++iteration) {
    c2 = contactSeenFrom(link2, c1.point, true, c2.corner);
    if (!c2.found) return {};
    ray = contactSeenFrom(link1, c2.point, false, c1.corner);
    if (!ray.found) return {};
    const double move = (ray.point - c1.point).norm();
    const double scale = (c2.point - ray.point).norm() + link1.outline->radius();
    // Rounding ends the search: no move, or moves too small to go on shrinking.
    if (move <= 1e-15 * scale || (move <= 1e-13 * scale && lastMove >= 0.0 && move >= 0.5 * lastMove)) {
      SpanGeometry span = assemble(link1, link2, ray, c2);
      span.iterations = iteration;
      return span;
    }
    Contact refined;
    if (ray.corner == c1.corner && link1.outline->radius() > 0.0 && (lastMove < 0.0 || move < 0.5 * lastMove)) {
      refined = newtonContact(link1, assemble(link1, link2, c1, c2), c1);
    }
    if (iteration == maxIterations) return edgeSpan(link1, link2, c1, ray);
    c1 = refined.found ? refined : ray;
    lastMove = move;
  }
  return {};
}

}  // namespace

SpanGeometry spanBetween(const SpanLink& link1, const SpanLink& link2) {
  const bool point1 = link1.outline->isPoint();
  const bool point2 = link2.outline->isPoint();
  if (point1 || point2) {
    // The point end does not move, so one ray to the other end is exact, in or out of its plane.
    const Contact c1 = contactSeenFrom(link1, link2.frame.origin, false, link1.hint);
    const Contact c2 = contactSeenFrom(link2, link1.frame.origin, true, link2.hint);
    return assemble(link1, link2, c1, c2);
  }
  return coplanar(link1, link2) ? coplanarSpan(link1, link2) : skewSpan(link1, link2);
}

}  // namespace reeve
