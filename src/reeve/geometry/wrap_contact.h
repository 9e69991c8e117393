#pragma once
// A straight span meets a body it was not told about: when, where, and in which plane it will lie on it.
//
// A link declared in the route has a plane and an outline from the start. A candidate body has neither: both are found
// at the moment of contact. There the span, of direction d, touches the shape at p with outward normal n (n ⊥ d). The
// cable will be bent in the plane that contains both,
//      m = n × d,   through p,
// so that the shape lies on the left of the running cable seen from the tip of m: σ = +1. The section of the shape by
// that plane, grown by the cable's radius, is what the cable runs on. Before contact the straight span lies in the
// plane and touches the section, so the path is continuous with its gradient as the bend begins.
#include <optional>

#include "reeve/geometry/outline.h"
#include "reeve/geometry/shape.h"
#include "reeve/geometry/wrap_crossing.h"

namespace reeve {

/// A body during a step: its origin moves straight, its orientation turns at a constant rate by exp(rotation).
struct MovingPose {
  Pose start{};
  Vec3 translation = Vec3::Zero();  ///< [m]
  Vec3 rotation = Vec3::Zero();     ///< rotation vector in the world [rad], any number of turns

  Pose at(double t) const;
};

/// A span at the moment it touches a shape; everything in the body's frame at that moment.
struct SpanContact {
  double time = 0.0;  ///< in [0, 1]
  double gap = 0.0;   ///< [m]; negative if it began inside
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  ///< unit, outward
  Vec3 along = Vec3::Zero();   ///< unit, from a to b
};

/// The first time the segment comes as near to the shape as `margin` (the cable's radius), by conservative advancement:
/// nothing is skipped however fast it moves. None where it does not, where it only touches with an end (after an end
/// the time is known to a fiftieth), or where the segment has no length. Of a curve's pieces: `aGoesOn`, `bGoesOn` tell
/// that the cable goes on beyond that end, so that touching there counts (normal and direction are not square then).
std::optional<SpanContact> sweptContact(const Shape& shape, const MovingPose& body, const MovingPoint& a,
                                        const MovingPoint& b, double margin, bool aGoesOn = false,
                                        bool bGoesOn = false);

/// A plane on a body: normal, and height above the shape's middle.
struct WrapPlane {
  Vec3 normal_B = Vec3::UnitY();  ///< unit; σ = +1 about it
  double height = 0.0;            ///< [m]
};

/// A point inside the shape, on its body: the origin of its planes is the foot of this point.
Vec3 middleOf(const Shape& shape);

/// The plane frame on the body.
LinkFrame planeFrame(const Shape& shape, const WrapPlane& plane);

/// The section of the shape by the plane, grown by the cable's radius. None if it is empty or degenerate.
std::optional<Outline> sectionOutline(const Shape& shape, const WrapPlane& plane, double radius);

/// The plane in which a span that touches lies on the shape. Round shapes cut within a milliradian of straight across
/// are cut straight across, in a circle. Where the plane of d and n only grazes the shape (a span along an edge), the
/// plane of d and the shape's middle is taken. None for half-spaces.
std::optional<WrapPlane> planeAtContact(const Shape& shape, const SpanContact& contact);

}  // namespace reeve
