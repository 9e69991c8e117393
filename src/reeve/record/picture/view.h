#pragma once
// Orthographic projection of the world onto a page.
//
// Page coordinates are pixels: x to the right, y down, z towards the eye. The map from the world is a rotation (with
// one axis flipped), one scale and a shift, so lengths and angles keep their meaning in page coordinates as well.
#include <optional>
#include <string_view>

#include "reeve/math/types.h"

namespace reeve::record {

/// An upright rectangle on the page. Empty until something was included.
struct Rect {
  Vec2 low = Vec2::Constant(1e300), high = Vec2::Constant(-1e300);

  bool empty() const { return low.x() > high.x() || low.y() > high.y(); }
  Vec2 size() const { return empty() ? Vec2(0, 0) : Vec2(high - low); }
  Vec2 center() const { return empty() ? Vec2(0, 0) : Vec2((low + high) / 2); }
  void include(const Vec2& p) { low = low.cwiseMin(p), high = high.cwiseMax(p); }
  void include(const Rect& r) { low = low.cwiseMin(r.low), high = high.cwiseMax(r.high); }
  bool contains(const Vec2& p) const { return (p.array() >= low.array()).all() && (p.array() <= high.array()).all(); }
  Rect grown(double by) const { return {low - Vec2::Constant(by), high + Vec2::Constant(by)}; }
  Rect intersection(const Rect& r) const { return {low.cwiseMax(r.low), high.cwiseMin(r.high)}; }
};

class View {
 public:
  /// Looks at the origin from direction `from` (target to eye) at one pixel per meter. World z points up the page;
  /// looking along z, world y does.
  explicit View(const Vec3& from);

  /// Moves and scales so that `seen`, in the page coordinates of now, is centered in `page` and as large as fits.
  void fit(const Rect& seen, const Rect& page);
  /// Puts a point of the world in the middle of `page`, at `scale` pixels per meter.
  void center(const Vec3& target_W, double scale, const Rect& page);

  Vec3 project(const Vec3& p_W) const;
  /// Page direction of a unit world direction; unit too.
  Vec3 direction(const Vec3& d_W) const;
  double scale() const { return scale_; }

 private:
  Mat3 turn_;
  double scale_ = 1.0;
  Vec2 shift_ = Vec2::Zero();
};

/// The direction to the eye of a named view: front, back, left, right, side, top, bottom, iso.
std::optional<Vec3> namedView(std::string_view name);

}  // namespace reeve::record
