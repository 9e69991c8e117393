#include "reeve/geometry/turn_rule.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/at.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// Polynomials of α: what is linear in α three times over, with some to spare; and where a second angle runs along, by
/// at most half a turn, its sines too (to 1e-13).
constexpr int evenCount = 5, bentCount = 22;
constexpr double bentTurn = math::pi;

using Terms = std::array<double, TurnRule::most>;

/// P_k(x), k < count.
Terms legendre(double x, int count) {
  Terms p{};
  p[0] = 1.0;
  p[1] = x;
  for (int k = 1; k + 1 < count; ++k) p[at(k + 1)] = ((2.0 * k + 1.0) * x * p[at(k)] - k * p[at(k - 1)]) / (k + 1.0);
  return p;
}

/// j_k(z), k < count ≤ |z|.
Terms bessel(double z, int count) {
  double sine, cosine;
  math::sincos(z, sine, cosine);
  Terms j{};
  j[0] = sine / z;
  j[1] = (j[0] - cosine) / z;
  for (int k = 1; k + 1 < count; ++k) j[at(k + 1)] = (2.0 * k + 1.0) / z * j[at(k)] - j[at(k - 1)];
  return j;
}

}  // namespace

ChartPoint turned(const ChartPoint& p, const ChartFrame& frame, double angle) {
  double sine, cosine;
  math::sincos(angle, sine, cosine);
  const auto turn = [&](const Vec3& v) {
    const Vec3 along = frame.z * frame.z.dot(v), across = v - along;
    return Vec3(along + cosine * across + sine * frame.z.cross(across));
  };
  ChartPoint out;
  out.x = frame.origin + turn(p.x - frame.origin);
  for (std::size_t k = 0; k < p.du.size(); ++k) out.du[k] = turn(p.du[k]);
  for (std::size_t k = 0; k < p.duu.size(); ++k) out.duu[k] = turn(p.duu[k]);
  return out;
}

TurnRule::TurnRule(int count, double angle, double share) : count_(count) {
  const GaussRule& gauss = gaussRule(count);
  const std::array<Terms, 2> transforms{bessel(0.5 * angle, count), bessel(angle, count)};
  for (int i = 0; i < count; ++i) {
    const Terms p = legendre(2.0 * gauss.at[at(i)] - 1.0, count);
    for (int j = 0; j < phases; ++j) weight_[at(i * phases + j)] = share * gauss.weight[at(i)] / phases;
    for (int m = 1; m <= 2; ++m) {
      double real = 0.0, imaginary = 0.0;  // Σ (2k + 1) P_k iᵏ j_k
      for (int k = 0; k < count; ++k) {
        const double term = (2.0 * k + 1.0) * p[at(k)] * transforms[at(m - 1)][at(k)];
        (k % 2 == 0 ? real : imaginary) += k % 4 < 2 ? term : -term;
      }
      for (int j = 0; j < phases; ++j) {
        double sine, cosine;
        math::sincos(m * (angle * (0.5 - gauss.at[at(i)]) - turn(j)), sine, cosine);
        weight_[at(i * phases + j)] += 2.0 * share * gauss.weight[at(i)] / phases * (cosine * real - sine * imaginary);
      }
    }
  }
}

double TurnRule::place(int i) const { return gaussRule(count_).at[at(i)]; }
double TurnRule::turn(int phase) { return 2.0 * math::pi * phase / phases; }

TurnPlan turnPlan(const Chart& chart, const Vec2& difference) {
  if (!chart.round() || !std::isfinite(difference.x()) || !std::isfinite(difference.y())) return {};
  const Vec2 d = chart.reach(difference);
  const bool straight = chart.even() || d.y() == 0.0;
  const int parts = straight ? 1 : 1 + static_cast<int>(std::min(std::fabs(d.y()) / bentTurn, 1e5));
  const int count = straight ? evenCount : bentCount;
  // Below this Gauss' rule has no more points, or the recursion of j_k loses digits.
  const double least = straight ? 25.0 : 4.0 * bentCount;
  return std::fabs(d.x()) / parts > least ? TurnPlan{parts, count} : TurnPlan{};
}

}  // namespace reeve
