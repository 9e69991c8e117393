#pragma once
// Convex solids in page coordinates: what they cover, how deep they lie, and how they are drawn.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reeve/record/palette.h"
#include "reeve/record/picture/stage.h"
#include "reeve/record/picture/view.h"
#include "reeve/record/svg.h"

namespace reeve::record {

struct Face {
  std::vector<Vec3> corners;
  Vec3 normal;  ///< outward
};

enum class SolidKind { sphere, capsule, cylinder, wheel, polyhedron };

struct Solid {
  SolidKind kind = SolidKind::sphere;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  ///< sphere: a is the center; capsule, cylinder, wheel: ends of the axis
  double radius = 0.0;
  std::vector<Face> faces;    ///< polyhedron
  Vec3 mark = Vec3::UnitX();  ///< a direction fixed to the solid, that shows how it turned (wheel: the first spoke)
  Colour fill;
  std::string owner;   ///< body, rotor or particle it belongs to
  std::string parent;  ///< of a wheel: the body that carries it
  bool fixed = false;  ///< never moves: may be cut off by the edge of the picture

  Rect bounds() const;
  /// Front and back depth of the solid under a point of the page.
  std::optional<std::pair<double, double>> depth(const Vec2& p) const;
  /// Points whose convex hull is (very nearly) the solid.
  std::vector<Vec3> outline() const;
};

/// The solid of a shape, or nothing for a half-space and for what has no extent at all.
std::optional<Solid> solidOf(const ShapeSettings& shape, const Pose& body, const View& view);
Solid wheelSolid(const Stage::Wheel& wheel, const View& view);

/// Draws solids; keeps the gradients they share. `prefix` keeps ids apart when several pictures share a page.
class SolidPainter {
 public:
  SolidPainter(Svg& svg, std::string prefix) : svg_(svg), prefix_(std::move(prefix)) {}
  void draw(const Solid& solid);

 private:
  void sphere(const Solid& solid);
  void capsule(const Solid& solid);
  void cylinder(const Solid& solid);
  void wheelFace(const Solid& solid, const Vec3& cap, const Vec3& axis);
  void polyhedron(const Solid& solid);
  std::string roundFill(const Colour& fill);
  std::string barrelFill(const Colour& fill, const Vec3& center, const Vec3& axis, double radius);

  Svg& svg_;
  std::string prefix_;
  std::vector<std::string> roundFills_;
  int gradients_ = 0;
};

/// Faces of the convex hull of points, coplanar ones merged. Empty when the points have no volume.
std::vector<Face> hullFaces(const std::vector<Vec3>& points);
/// Outline of the convex hull of points on the page, in order.
std::vector<Vec2> hullOutline(std::vector<Vec2> points);

/// The order in which to draw solids, the hidden ones first, so that each covers what lies behind it.
std::vector<std::size_t> paintingOrder(const std::vector<Solid>& solids);

}  // namespace reeve::record
