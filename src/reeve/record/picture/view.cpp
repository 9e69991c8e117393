#include "reeve/record/picture/view.h"

#include <algorithm>
#include <cmath>

namespace reeve::record {
namespace {

/// Keeps squares of coordinates finite: farther than this nothing can be told apart in a picture anyway.
constexpr double horizon = 1e12;

Vec3 tamed(const Vec3& v) {
  return v.unaryExpr([](double x) { return std::isfinite(x) ? std::clamp(x, -horizon, horizon) : 0.0; });
}

}  // namespace

View::View(const Vec3& from) {
  Vec3 eye = tamed(from);
  eye = eye.norm() > 1e-9 ? Vec3(eye.normalized()) : Vec3(0, -1, 0);
  const Vec3 up = std::abs(eye.z()) > 0.999 ? Vec3::UnitY() : Vec3::UnitZ();
  const Vec3 right = up.cross(eye).normalized();
  turn_.row(0) = right;
  turn_.row(1) = -eye.cross(right);
  turn_.row(2) = eye;
}

void View::fit(const Rect& seen, const Rect& page) {
  const Vec2 extent = seen.size();
  const Vec2 room = page.size();
  double zoom = 1e300;
  for (int i : {0, 1})
    if (extent[i] > 0.0) zoom = std::min(zoom, room[i] / extent[i]);
  if (!(zoom < 1e300)) zoom = room.y() / 2.0;  // a single point: two meters of height
  shift_ = page.center() + (shift_ - seen.center()) * zoom;
  scale_ *= zoom;
}

void View::center(const Vec3& target_W, double scale, const Rect& page) {
  scale_ = scale;
  shift_ = page.center() - (turn_ * tamed(target_W)).head<2>() * scale;
}

Vec3 View::project(const Vec3& p_W) const {
  Vec3 p = turn_ * tamed(p_W) * scale_;
  p.head<2>() += shift_;
  return p;
}

Vec3 View::direction(const Vec3& d_W) const {
  const Vec3 d = tamed(d_W);
  const double length = d.norm();
  return length > 0.0 ? Vec3(turn_ * d / length) : Vec3(0, 0, 1);
}

std::optional<Vec3> namedView(std::string_view name) {
  if (name == "front") return Vec3(0, -1, 0);
  if (name == "back") return Vec3(0, 1, 0);
  if (name == "side" || name == "right") return Vec3(1, 0, 0);
  if (name == "left") return Vec3(-1, 0, 0);
  if (name == "top") return Vec3(0, 0, 1);
  if (name == "bottom") return Vec3(0, 0, -1);
  if (name == "iso") return Vec3(0.62, -1.0, 0.62);
  return std::nullopt;
}

}  // namespace reeve::record
