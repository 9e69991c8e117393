#pragma once
// Outlines: the closed convex curves that cables run on, and the planes they lie in.
//
// An outline is the convex hull of a few corners, grown by a rounding radius r: every corner carries an arc of radius
// r, and straight edges join the arcs. One description covers all that a cable can touch:
//   a point            one corner,  r = 0      (attachment, pinhole)
//   a circle           one corner,  r > 0      (wheel, drum, post; the centre is the origin of the link's plane)
//   a polygon          n corners,   r = 0      (the cross section of a general body, cable joints section 3.2)
//   a rounded polygon  n corners,   r > 0      (the same under a cable of radius r)
//
// Two coordinates say where on an outline something is. Both grow counter-clockwise from a fixed mark and are periodic:
//   s      arc length [m], period = perimeter
//   angle  turning of the outward normal [rad], period = 2π; it grows on arcs and at sharp corners, not on edges
// The mark is the direction +x for a circle and the start of corner 0's arc for a polygon. Both coordinates wrap at the
// same place, so one integer counts turns for both.
#include <cstdint>
#include <expected>
#include <span>
#include <vector>

#include "reeve/math/types.h"

namespace reeve {

/// The plane of a link, placed in the world: axes x, y span it, normal = x × y. σ is seen along +normal (from its tip).
struct LinkFrame {
  Vec3 origin = Vec3::Zero();
  Vec3 x = Vec3::UnitX();
  Vec3 y = Vec3::UnitY();
  Vec3 normal = Vec3::UnitZ();

  /// The local xy-plane of a pose.
  static LinkFrame fromPose(const Pose& pose);
  /// Any plane with this unit normal: the x axis is chosen by a fixed rule.
  static LinkFrame fromNormal(const Vec3& origin, const Vec3& normal);

  Vec2 toPlane(const Vec3& p_W) const { return {x.dot(p_W - origin), y.dot(p_W - origin)}; }
  double height(const Vec3& p_W) const { return normal.dot(p_W - origin); }
  Vec3 toWorld(const Vec2& p) const { return origin + x * p.x() + y * p.y(); }
  Vec3 directionToWorld(const Vec2& d) const { return x * d.x() + y * d.y(); }
};

/// A place on an outline, in the coordinates of its plane.
struct BoundaryPoint {
  int corner = 0;               ///< whose arc, or sharp corner, it is on (an edge belongs to the corner it starts from)
  Vec2 point = Vec2::Zero();    ///< [m]
  Vec2 normal = Vec2::UnitX();  ///< outward, unit
  double s = 0.0;               ///< [m], in [0, perimeter]
  double angle = 0.0;           ///< [rad], in [0, 2π]
};

enum class OutlineError : std::uint8_t {
  noPoints,   ///< nothing given
  notFinite,  ///< a coordinate or the radius is not a finite number, or the radius is negative
  notConvex,  ///< the corners do not turn left everywhere, exactly once round
};

class Outline {
 public:
  static Outline point() { return circle(0.0); }
  /// Centred on the plane's origin. Needs a finite radius ≥ 0.
  static Outline circle(double radius);
  /// The same corners with arcs of another radius: a drum whose layers grow.
  void setRadius(double radius) {
    radius_ = radius;
    measure();
  }
  /// Corners counter-clockwise, strictly convex.
  static std::expected<Outline, OutlineError> polygon(std::span<const Vec2> corners, double rounding = 0.0);
  /// The convex hull of any points (the preparation of section 3.4). Two corners make a slot, one a circle.
  static std::expected<Outline, OutlineError> hull(std::span<const Vec2> points, double rounding = 0.0);

  int cornerCount() const { return static_cast<int>(corners_.size()); }
  const Vec2& corner(int k) const { return corners_[static_cast<std::size_t>(k)]; }
  double radius() const { return radius_; }
  bool isPoint() const { return corners_.size() == 1 && radius_ == 0.0; }
  bool isCircle() const { return corners_.size() == 1 && radius_ > 0.0; }
  double perimeter() const { return perimeter_; }
  /// Greatest distance of a boundary point from the plane's origin [m].
  double reach() const { return reach_; }

  /// The place at arc length s; any s, whole turns are dropped.
  BoundaryPoint at(double s) const;
  /// The place on a corner's arc with this outward unit normal; a normal outside the corner's cone is moved to its rim.
  BoundaryPoint onCorner(int corner, const Vec2& normal) const;
  /// The place whose outward normal has this angle coordinate; any angle, whole turns are dropped.
  BoundaryPoint atAngle(double angle) const;
  /// The boundary place nearest to p.
  BoundaryPoint nearest(const Vec2& p) const;

  /// The corner furthest along u. Climbs from the hint: a few steps with a good hint; without one (-1) O(log n).
  int support(const Vec2& u, int hint = -1) const;
  /// max u·x over the outline.
  double supportValue(const Vec2& u) const;

  /// Distance to the boundary [m], negative inside.
  double signedDistance(const Vec2& p) const { return approach(p).distance; }
  /// The same with the outward normal at the nearest place: the direction in which the distance grows.
  struct Approach {
    double distance = 0.0;  ///< [m]
    Vec2 normal = Vec2::UnitX();
    int corner = 0;      ///< at this corner if along is 0, else on the edge that starts there
    double along = 0.0;  ///< fraction of the edge, in [0, 1)
  };
  Approach approach(const Vec2& p) const;
  bool contains(const Vec2& p) const { return signedDistance(p) < 0.0; }

  /// What lies ahead of s, ccw or cw, up to where an arc or an edge ends: for walking along the outline.
  struct Piece {
    double length = 0.0;  ///< [m], > 0 unless the outline is a point
    bool arc = false;
  };
  Piece pieceAhead(double s, bool ccw) const;

  /// Signed ccw travel [m] from one place to another, both in [0, perimeter], plus whole turns the caller counted.
  double travel(double sFrom, double sTo, int turns) const { return sTo - sFrom + turns * perimeter_; }

 private:
  Outline() = default;
  void measure();
  int cornerAtLength(double s) const;
  int next(int k) const { return k + 1 == cornerCount() ? 0 : k + 1; }
  int previous(int k) const { return k == 0 ? cornerCount() - 1 : k - 1; }

  /// The arc of a corner: where it begins, and with which normal (that of the edge arriving there).
  struct Arc {
    Vec2 startNormal = Vec2::UnitX();
    double startAngle = 0.0;   ///< [rad]
    double turn = 0.0;         ///< [rad]
    double startLength = 0.0;  ///< [m]
    double edge = 0.0;         ///< length of the edge leaving this corner [m]
  };

  std::vector<Vec2> corners_;
  std::vector<Arc> arcs_;
  double radius_ = 0.0;
  double perimeter_ = 0.0;
  double reach_ = 0.0;
};

}  // namespace reeve
