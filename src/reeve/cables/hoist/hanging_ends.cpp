#include "reeve/cables/hoist/hanging_ends.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hanging_span.h"

namespace reeve {

namespace {
/// A span whose hanging curve is steeper to its chord than this (cosine) at either end hangs; one that hangs becomes a
/// wave again when it is flatter than that.
constexpr double steepCosine = 0.25, flatCosine = 0.4;
/// Ends above each other are taken as this share of the length apart.
constexpr double leastApart = 1e-3;
}  // namespace

HangingEnds hangingEnds(const Vec3& first, const Vec3& second, const Vec3& gravity, double length) {
  HangingEnds out;
  out.up = -gravity.normalized();
  const Vec3 d = second - first;
  out.rise = d.dot(out.up);
  const Vec3 level = d - out.rise * out.up;
  out.across = level.norm();
  out.way = out.across > 0.0 ? Vec3(level / out.across) : Vec3::Zero();
  const double least = leastApart * length;
  out.width = std::sqrt(out.across * out.across + least * least);
  out.chord = std::sqrt(out.width * out.width + out.rise * out.rise);
  return out;
}

int steepnessOf(const HangingEnds& ends, double length) {
  if (length < (1.0 + 1e-6) * ends.chord) return 1;
  const HangingSpan span = hangingSpan(ends.width, ends.rise, length, 1.0);
  const double least = std::min(span.cosine[0], span.cosine[1]);
  return least < steepCosine ? -1 : least > flatCosine ? 1 : 0;
}

HangingPull hangingPull(const HangingEnds& ends, const LyingSpan& span, double give, double count) {
  HangingPull out;
  // X by the ends' distance: X = √(x² + least²).
  const double lean = ends.across / ends.width, bend = (1.0 - lean * lean) / ends.width;
  const Vec3 wide = lean * ends.way, side = ends.up.cross(ends.way);
  const Eigen::Matrix4d& e = span.hessian;
  // By the places of the first end and the second: X falls and rises along `wide`, a and b along `up`.
  const Mat3 turn =
      span.horizontal * (bend * ends.way * ends.way.transpose() + 1.0 / ends.width * side * side.transpose());
  const Vec3 byLength[2] = {-e(0, 3) * wide + e(1, 3) * ends.up, e(0, 3) * wide + e(2, 3) * ends.up};
  const Mat3 ww = wide * wide.transpose(), wu = wide * ends.up.transpose(), uu = ends.up * ends.up.transpose();
  const double shared = give / (count * count);
  out.stiffness[0] = e(0, 0) * ww + e(1, 1) * uu - e(0, 1) * (wu + wu.transpose()) + turn -
                     shared * byLength[0] * byLength[0].transpose();
  out.stiffness[1] = e(0, 0) * ww + e(2, 2) * uu + e(0, 2) * (wu + wu.transpose()) + turn -
                     shared * byLength[1] * byLength[1].transpose();
  out.between = -e(0, 0) * ww - e(0, 2) * wu + e(0, 1) * wu.transpose() + e(1, 2) * uu - turn -
                shared * byLength[0] * byLength[1].transpose();
  for (int end = 0; end < 2; ++end) out.pull[end] = -give / count * byLength[end];
  out.on[0] = span.horizontal * wide - span.vertical[0] * ends.up;
  out.on[1] = -span.horizontal * wide - span.vertical[1] * ends.up;
  return out;
}

double hangingEnergy(const HangingEnds& ends, double length, double weight) {
  // E is homogeneous: E = H X + V v − T L by Euler.
  const HangingSpan span = hangingSpan(ends.width, ends.rise, length, weight);
  return span.horizontal * ends.width + span.vertical * ends.rise - span.tension * length;
}

}  // namespace reeve
