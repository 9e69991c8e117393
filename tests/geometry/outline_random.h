#pragma once
// Random outlines, frames and motions for the tests of the cable's path. The generator is fixed, so failures repeat.
#include <cstdint>
#include <vector>

#include "reeve/geometry/outline.h"
#include "reeve/math/scalar.h"

namespace reeve::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {  // splitmix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  double between(double low, double high) { return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53); }
  int integer(int low, int high) { return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1)); }
  int sigma() { return integer(0, 1) * 2 - 1; }
  Vec2 inSquare(double half) { return {between(-half, half), between(-half, half)}; }
  Vec3 inCube(double half) { return {between(-half, half), between(-half, half), between(-half, half)}; }
  Vec3 direction() {
    Vec3 v;
    do {
      v = inCube(1.0);
    } while (v.norm() > 1.0 || v.norm() < 0.1);
    return v.normalized();
  }
  /// A plane of any direction with its origin in a cube. (Its own statements: the order of arguments differs by
  /// compiler.)
  LinkFrame frame(double half) {
    const Vec3 origin = inCube(half);
    return LinkFrame::fromNormal(origin, direction());
  }
  /// A hull of 3 to 12 random points in a square of this half width.
  Outline hull(double half, double rounding = 0.0) {
    std::vector<Vec2> points;
    for (int k = integer(3, 12); k > 0; --k) points.push_back(inSquare(half));
    return *Outline::hull(points, rounding);
  }

 private:
  std::uint64_t state_;
};

inline Mat3 rotationBy(const Vec3& v) {
  const double angle = v.norm();
  if (angle == 0.0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, v / angle).toRotationMatrix();
}

/// The frame carried by a body that moves by a displacement of its reference point and a rotation exp(φ) about it.
inline LinkFrame moved(const LinkFrame& f, const Vec3& reference, const Vec3& displacement, const Vec3& phi) {
  const Mat3 r = rotationBy(phi);
  return {reference + displacement + r * (f.origin - reference), r * f.x, r * f.y, r * f.normal};
}

}  // namespace reeve::test
