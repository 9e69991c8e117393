#include "reeve/cables/hoist/lying_span.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hanging_span.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// Flatter legs than this (s/c) take the first terms of the series of arsinh.
constexpr double flatLeg = 1e-2;

double arsinh(double q) {
  if (q < flatLeg) return q * (1.0 - q * q * (1.0 / 6.0 - q * q * (3.0 / 40.0 - q * q * (15.0 / 336.0))));
  return math::log(q + std::sqrt(q * q + 1.0));
}

/// One leg, (1), and what (2) needs of it.
struct Leg {
  double h = 0.0, s = 0.0, x = 0.0, more = 0.0;  ///< more: s − x
  double byC = 0.0;                              ///< ∂(s − x)/∂c
  Leg(double height, double c) : h(height), s(std::sqrt(h * h + 2.0 * c * h)) {
    const double q = c > 0.0 ? s / c : 0.0;
    if (!(c > 0.0)) {
      more = h;
    } else if (q < flatLeg) {
      const double q2 = q * q;
      x = c * arsinh(q);
      more = s * q2 * (1.0 / 6.0 - q2 * (3.0 / 40.0 - q2 * (15.0 / 336.0)));
      // 2h/s − x/c, h = c (√(1 + q²) − 1) = c q²/2 (1 − q²/4 + q⁴/8 − …)
      byC = q * q2 * (-1.0 / 12.0 + q2 * (1.0 / 20.0 - q2 * (15.0 / 448.0)));
    } else {
      x = c * arsinh(q);
      more = s - x;
      byC = 2.0 * h / s - x / c;
    }
  }
};

/// (2).
double parameterOf(double a, double b, double surplus) {
  // Legs that are nearly flat: s − x = √2/3 h^{3/2}/√c. It is more than the root, and Newton on a falling convex
  // function in log c comes down to it or is halved.
  const double root = std::sqrt(2.0) / 3.0 * (a * std::sqrt(a) + b * std::sqrt(b)) / surplus;
  double low = 1e-14 * (a + b), high = root * root + a + b, c = root * root;
  for (int it = 0; it < 100; ++it) {
    const Leg one(a, c), two(b, c);
    const double value = one.more + two.more - surplus;
    (value > 0.0 ? low : high) = c;
    const double slope = one.byC + two.byC;
    double next = slope < 0.0 ? c - value / slope : 0.0;
    if (!(next > low && next < high)) next = std::sqrt(low * high);
    const bool done = std::fabs(next - c) <= 1e-15 * c;
    c = next;
    if (done || high <= low * (1.0 + 1e-15)) break;
  }
  return c;
}

LyingSpan hangingFree(double across, const double (&heights)[2], double length, double weight) {
  const HangingSpan span = hangingSpan(across, heights[1] - heights[0], length, weight);
  LyingSpan out;
  out.horizontal = span.horizontal;
  out.vertical[0] = weight - span.vertical;
  out.vertical[1] = span.vertical;
  out.tension = span.tension;
  // (X, v, L) by (X, a, b, L): v = b − a.
  Eigen::Matrix<double, 3, 4> by;
  by << 1, 0, 0, 0, 0, -1, 1, 0, 0, 0, 0, 1;
  out.hessian = by.transpose() * span.hessian * by;
  return out;
}

}  // namespace

double clearance(double across, const double (&heights)[2], double length) {
  const double rise = heights[1] - heights[0], least = std::min(heights[0], heights[1]);
  if (least > length) return least - length;  // it cannot reach the floor
  const HangingCurve curve = hangingCurve(Vec3::Zero(), Vec3(across, 0, rise), length, Vec3(0, 0, -1));
  return least - (curve.shape == HangingShape::straight ? 0.0 : curve.dip());
}

LyingSpan lyingSpan(double across, const double (&heights)[2], double length, double weight, const Resting& on) {
  auto [floor, trace] = on;
  const double rise = heights[1] - heights[0];
  const double l = std::max(length, (1.0 + 1e-9) * std::sqrt(across * across + rise * rise));
  if (!floor || clearance(across, heights, l) >= 0.0) return hangingFree(across, heights, l, weight);
  LyingSpan out;
  out.lies = true;
  if (!(trace > 0.0)) trace = lyingTrace * l;
  // A trace above the floor, smoothly, so that an end may be lifted off it: with its derivatives.
  double h[2], first[2], second[2];
  for (int e = 0; e < 2; ++e) {
    const double root = std::sqrt(heights[e] * heights[e] + trace * trace);
    h[e] = heights[e] > 0.0 ? 0.5 * (heights[e] + root) : 0.5 * trace * trace / (root - heights[e]);
    first[e] = h[e] / root;
    second[e] = 0.5 * trace * trace / (root * root * root);
  }
  const double surplus = l - across;
  const double c = surplus < h[0] + h[1] ? parameterOf(h[0], h[1], surplus) : 0.0;
  const Leg legs[2] = {Leg(h[0], c), Leg(h[1], c)};
  const double w = weight / l;
  double sum = 0.0;
  for (int e = 0; e < 2; ++e) {
    sum += 0.5 * (legs[e].s * (h[e] - c) + c * legs[e].x);
    out.legs[e] = legs[e].s;
    out.widths[e] = legs[e].x;
    out.vertical[e] = w * legs[e].s * first[e];
  }
  out.parameter = c;
  out.heap = std::max(surplus - h[0] - h[1], 0.0);
  out.horizontal = w * c;
  out.tension = w * (c + sum / l);
  // c by (X, a, b, L), from (2).
  Eigen::Vector4d dc = Eigen::Vector4d::Zero(), forces(c, legs[0].s, legs[1].s, -c);
  if (c > 0.0) dc = Eigen::Vector4d(-1.0, -h[0] / legs[0].s, -h[1] / legs[1].s, 1.0) / (legs[0].byC + legs[1].byC);
  Eigen::Matrix4d& k = out.hessian;
  k.row(0) = w * dc;
  k(0, 3) -= w * c / l;
  for (int e = 0; e < 2; ++e) {
    k.row(1 + e) = w * (h[e] / legs[e].s) * dc;
    k(1 + e, 1 + e) += w * (h[e] + c) / legs[e].s;
    k(1 + e, 3) -= w * legs[e].s / l;
  }
  k.row(3) = -w * (dc + forces / l);
  k(3, 3) += w * (c + 2.0 * sum / l) / l;
  const Eigen::Vector4d chain(1.0, first[0], first[1], 1.0);
  k = (0.5 * (k + k.transpose())).eval();
  k = (chain.asDiagonal() * k * chain.asDiagonal()).eval();
  for (int e = 0; e < 2; ++e) k(1 + e, 1 + e) += w * legs[e].s * second[e];
  return out;
}

Vec3 LyingCurve::at(double fromStart) const {
  if (!lies) return free.at(fromStart);
  for (int e = 0; e < 2; ++e) {
    const double left = span.legs[e] - (e == 0 ? fromStart : length - fromStart), c = span.parameter;
    if (!(left > 0.0)) continue;
    const double z = std::sqrt(c * c + left * left) - c, x = c > 0.0 ? c * arsinh(left / c) : 0.0;
    return foot[e] + z * up + (e == 0 ? -narrow : narrow) * x * across;
  }
  const double on = length - span.legs[0] - span.legs[1];
  const double share = on > 0.0 ? std::clamp((fromStart - span.legs[0]) / on, 0.0, 1.0) : 0.5;
  return foot[0] + share * (foot[1] - foot[0]);
}

LyingCurve lyingCurve(const Vec3& start, const Vec3& end, double length, const Vec3& gravity, double floor,
                      double width) {
  LyingCurve out;
  out.length = length;
  out.up = gravity.squaredNorm() > 0.0 ? Vec3(-gravity.normalized()) : Vec3::UnitZ();
  const double heights[2] = {start.dot(out.up) - floor, end.dot(out.up) - floor};
  out.lies = std::isfinite(floor) && clearance(width, heights, length) < 0.0;
  if (!out.lies) {
    out.free = hangingCurve(start, end, length, gravity);
    return out;
  }
  out.span = lyingSpan(width, heights, length, 1.0);
  const Vec3 way = end - start - (heights[1] - heights[0]) * out.up;
  const double apart = way.norm();
  if (apart > 0.0) out.across = way / apart;
  out.narrow = apart / width;
  for (int e = 0; e < 2; ++e)
    out.foot[e] = (e == 0 ? start : end) - heights[e] * out.up +
                  (e == 0 ? 1.0 : -1.0) * out.narrow * out.span.widths[e] * out.across;
  return out;
}

}  // namespace reeve
