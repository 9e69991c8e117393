#pragma once
// Integrals along a path that goes round an axis many times, at a cost that does not grow with the turns.
//
// What is integrated along a chart (x, x·x, x_u·x_v …) hangs on two things: slowly on α, the share of the way, and by
// sines and cosines of up to twice the angle φ(α) = φ₀ + α Δ about the axis. Taken apart,
//     f(α, φ) = Σ F_m(α) e^{imφ},  m = −2 … 2,
// five turns ψ_j = 2πj/5 at one α tell the F_m, and n values of α tell each F_m as a polynomial Σ F_m(α_i) L_i(α). The
// rest is closed: with Gauss' points α_i = a + h τ_i, weights w_i, x_i = 2τ_i − 1 and z = m Δ h/2,
//     ∫ L_i e^{im(φ − φ_i)} dα = h w_i e^{2iz(½ − τ_i)} Σ_k (2k + 1) P_k(x_i) iᵏ j_k(z),
// P_k Legendre's polynomials and j_k the spherical Bessel functions, of which these are the transforms. So f is asked
// at (α_i, φ_i + ψ_j), which is the point of the chart at α_i turned by ψ_j about the axis.
#include "reeve/geometry/chart.h"

namespace reeve {

/// A chart's point turned by an angle about the axis of its frame.
ChartPoint turned(const ChartPoint& p, const ChartFrame& frame, double angle);

/// Weights of the rule on a piece of length `share` of the path, over which it turns by `angle`.
class TurnRule {
 public:
  static constexpr int phases = 5, most = 24;
  /// `count` polynomials; |angle| above 2·count (the recursion of j_k is stable there).
  TurnRule(int count, double angle, double share);
  int count() const { return count_; }
  double place(int i) const;      ///< τ_i
  static double turn(int phase);  ///< ψ_j
  double weight(int i, int phase) const { return weight_[static_cast<std::size_t>(i * phases + phase)]; }

 private:
  int count_;
  std::array<double, most * phases> weight_{};
};

/// How a path is divided for the rule; no parts: Gauss' rule is better.
struct TurnPlan {
  int parts = 0, count = 0;
};
TurnPlan turnPlan(const Chart& chart, const Vec2& difference);

/// Calls visit(α, turn, weight) for points that integrate whatever is bilinear in places and directions of the chart
/// along a path; `turn` is what the chart's point at α is to be turned by about its axis.
template <class Visit>
void everyTurnPoint(const Chart& chart, const Vec2& u0, const Vec2& u1, Visit&& visit) {
  const TurnPlan plan = turnPlan(chart, u1 - u0);
  if (plan.parts == 0)
    return everyGaussPoint(chart, u0, u1, [&](double alpha, double weight) { visit(alpha, 0.0, weight); });
  const double share = 1.0 / plan.parts;
  const TurnRule rule(plan.count, share * (u1.x() - u0.x()), share);
  for (int part = 0; part < plan.parts; ++part)
    for (int i = 0; i < rule.count(); ++i)
      for (int j = 0; j < TurnRule::phases; ++j)
        visit(share * (part + rule.place(i)), TurnRule::turn(j), rule.weight(i, j));
}

}  // namespace reeve
