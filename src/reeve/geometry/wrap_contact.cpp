#include "reeve/geometry/wrap_contact.h"

#include <algorithm>
#include <cmath>

#include "reeve/geometry/collide.h"
#include "reeve/geometry/hull.h"
#include "reeve/math/scalar.h"

namespace reeve {
namespace {

/// Beyond this cosine between normal and span the span touches with its end, and does not bend.
constexpr double endOn = 0.1;
/// A section thinner than this share of the shape only grazes it.
constexpr double grazing = 1e-3;
/// Round shapes cut nearly across are cut across: the kink's square is what enters the result.
constexpr double nearlyAcross = 1e-3;

Quat turnOf(const Vec3& rotation) {
  const double angle = rotation.norm();
  if (angle == 0.0) return Quat::Identity();
  double sine = 0.0;
  double cosine = 0.0;
  math::sincos(0.5 * angle, sine, cosine);
  const Vec3 v = rotation * (sine / angle);
  return Quat(cosine, v.x(), v.y(), v.z());
}

/// The end of a span as the turning body sees it.
struct Local {
  Vec3 position;
  Vec3 velocity;
};

Local localOf(const MovingPose& body, const Pose& now, const MovingPoint& p, double t) {
  const Vec3 x = p.start + t * (p.end - p.start);
  const Vec3 velocity = p.end - p.start - body.translation - body.rotation.cross(x - now.position);
  return {now.pointInverse(x), now.directionInverse(velocity)};
}

/// The axis of a shape of revolution; zero for others.
Vec3 axisOf(const Shape& shape) {
  const bool round =
      std::holds_alternative<Capsule>(shape.geometry) || std::holds_alternative<Cylinder>(shape.geometry);
  return round ? shape.local.direction(Vec3::UnitZ()) : Vec3(Vec3::Zero());
}

}  // namespace

Pose MovingPose::at(double t) const {
  return {start.position + t * translation, turnOf(t * rotation) * start.orientation};
}

std::optional<SpanContact> sweptContact(const Shape& shape, const MovingPose& body, const MovingPoint& a,
                                        const MovingPoint& b, double margin, bool aGoesOn, bool bGoesOn) {
  const double turning = body.rotation.norm();
  // Greatest acceleration seen from the turning body: Coriolis 2ω|v| and centrifugal ω²|r|.
  double bend = 0.0;
  for (const MovingPoint& p : {a, b}) {
    const double speed = (p.end - p.start - body.translation).norm();
    const double reach =
        std::max((p.start - body.start.position).norm(), (p.end - body.start.position - body.translation).norm());
    bend = std::max(bend, 2.0 * turning * speed + turning * turning * reach);
  }
  const double near = margin + 1e-9;
  double t = 0.0;
  for (int step = 0; step < 1200; ++step) {
    const Pose now = body.at(t);
    const Local pa = localOf(body, now, a, t);
    const Local pb = localOf(body, now, b, t);
    const Vec3 way = pb.position - pa.position;
    if (!(way.norm() > 1e-12)) return std::nullopt;
    const SegmentClosest c = closest(pa.position, pb.position, shape, Pose{});
    if (c.gap <= near) {
      SpanContact contact{t, c.gap, c.onShape, c.normal, way.normalized()};
      const double tilt = contact.normal.dot(contact.along);  // above zero the nearest end is a
      if (std::fabs(tilt) <= endOn || (tilt > 0.0 ? aGoesOn : bGoesOn)) return contact;
      t += 0.02;  // only an end: the rest of the span may still come
      if (t > 1.0) return std::nullopt;
      continue;
    }
    // The gap along the fixed axis bounds the true distance from below for as long as it is open.
    const double wall = c.normal.dot(c.onShape) + margin;
    const double open = c.gap - margin;
    double wait = HUGE_VAL;
    if (std::min(c.normal.dot(pa.position), c.normal.dot(pb.position)) - wall >= 0.5 * open) {
      for (const Local& p : {pa, pb})
        wait = std::min(wait, earliestClosing(c.normal.dot(p.position) - wall, c.normal.dot(p.velocity), bend));
    } else {
      wait = open / (std::max(pa.velocity.norm(), pb.velocity.norm()) + bend);
    }
    // Grazing for long, it goes on by a thousandth at least: what it steps into by so little is seen from inside.
    t += step < 50 ? wait : std::max(wait, 1e-3);
    if (!(t <= 1.0)) return std::nullopt;
  }
  return std::nullopt;
}

Vec3 middleOf(const Shape& shape) {
  const auto* hull = std::get_if<Hull>(&shape.geometry);
  if (const auto* prism = std::get_if<Prism>(&shape.geometry)) hull = &prism->hull;
  return hull ? shape.local.point(hull->centre) : shape.local.position;
}

LinkFrame planeFrame(const Shape& shape, const WrapPlane& plane) {
  return LinkFrame::fromNormal(middleOf(shape) + plane.height * plane.normal_B, plane.normal_B);
}

std::optional<Outline> sectionOutline(const Shape& shape, const WrapPlane& plane, double radius) {
  const LinkFrame frame = planeFrame(shape, plane);
  const Section section = crossSection(shape, frame.origin, plane.normal_B);
  if (section.kind == Section::Kind::circle) return Outline::circle(section.radius + radius);
  if (section.kind != Section::Kind::polygon) return std::nullopt;
  std::vector<Vec2> corners;
  for (const Vec3& p : section.polygon) corners.push_back(frame.toPlane(p));
  auto outline = Outline::hull(corners, radius);
  if (!outline || outline->cornerCount() < 3) return std::nullopt;
  return *outline;
}

std::optional<WrapPlane> planeAtContact(const Shape& shape, const SpanContact& contact) {
  if (std::holds_alternative<HalfSpace>(shape.geometry)) return std::nullopt;
  const Vec3 middle = middleOf(shape);
  const Vec3 axis = axisOf(shape);
  const Vec3 inward = contact.point - middle;
  for (const Vec3& up : {contact.normal, inward}) {
    Vec3 normal = up.cross(contact.along);
    if (!(normal.norm() > 1e-9 * up.norm())) continue;
    normal.normalize();
    if (normal.cross(axis).norm() < nearlyAcross && axis.norm() > 0.5) normal = normal.dot(axis) > 0.0 ? axis : -axis;
    const WrapPlane plane{normal, normal.dot(inward)};
    const auto outline = sectionOutline(shape, plane, 0.0);
    if (!outline) continue;
    const LinkFrame frame = planeFrame(shape, plane);
    const Vec3 side = contact.along.cross(normal).normalized();  // across the span, away from the shape
    const Vec2 across(frame.x.dot(side), frame.y.dot(side));
    const double thickness = outline->supportValue(across) + outline->supportValue(-across);
    if (thickness > grazing * inward.norm()) return plane;
  }
  return std::nullopt;
}

}  // namespace reeve
