#include "reeve/cables/hoist/hanging_span.h"

#include <algorithm>
#include <cmath>

#include "reeve/geometry/hanging.h"
#include "reeve/math/scalar.h"

namespace reeve {

HangingSpan hangingSpan(double across, double rise, double length, double weight) {
  const double chord = std::sqrt(across * across + rise * rise), l = std::max(length, (1.0 + 1e-9) * chord);
  const HangingCurve curve = hangingCurve(Vec3::Zero(), Vec3(across, 0, rise), l, Vec3(0, 0, -1));
  const double c = curve.parameter, t0 = curve.tilt - curve.halfWidth, t1 = curve.tilt + curve.halfWidth;
  const double e0 = math::exp(t0), e1 = math::exp(t1);
  const double s0 = 0.5 * (e0 - 1.0 / e0), c0 = 0.5 * (e0 + 1.0 / e0), s1 = 0.5 * (e1 - 1.0 / e1),
               c1 = 0.5 * (e1 + 1.0 / e1);
  HangingSpan out;
  const double w = weight / l, per = weight / (l * l), sum = 0.5 * (t1 - t0) + 0.5 * (s1 * c1 - s0 * c0);
  out.horizontal = w * c;
  out.vertical = w * c * s1;
  out.tension = per * c * c * sum;
  out.cosine[0] = (across + rise * s0) / (chord * c0);
  out.cosine[1] = (across + rise * s1) / (chord * c1);
  // (1) differentiated by (c, τ₀, τ₁), and turned round.
  Mat3 by;
  by << t1 - t0, -c, c, c1 - c0, -c * s0, c * s1, s1 - s0, -c * c0, c * c1;
  const Mat3 p = by.inverse();
  for (int k = 0; k < 3; ++k) {
    const double dc = p(0, k), d0 = p(1, k), d1 = p(2, k), dw = k == 2 ? -w / l : 0.0;
    const double dh = w * dc + c * dw;
    out.hessian(0, k) = dh;
    out.hessian(1, k) = s1 * dh + out.horizontal * c1 * d1;
    out.hessian(2, k) =
        (k == 2 ? 2.0 * out.tension / l : 0.0) - per * (2.0 * c * sum * dc + c * c * (c1 * c1 * d1 - c0 * c0 * d0));
  }
  out.hessian = (0.5 * (out.hessian + out.hessian.transpose())).eval();
  return out;
}

}  // namespace reeve
