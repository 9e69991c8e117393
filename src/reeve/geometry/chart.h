#pragma once
// Charts: parametric curves and surfaces x(u) with their first and second derivatives. A strand's node on a chart has
// the chart's parameters as its coordinates, so it is on the curve or surface exactly.
//
// Built in: plane, cylinder, sphere, torus; line, circle, helix, spline; formulas (formula_chart.h). Anything else that
// can give x, x_u and x_uu is a chart as well: derive from Chart and hand it to a link (LinkSettings::chart).
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "reeve/math/types.h"

namespace reeve {

/// x and its derivatives at one place. Curves use the first parameter only.
struct ChartPoint {
  Vec3 x = Vec3::Zero();
  std::array<Vec3, 2> du{Vec3::Zero(), Vec3::Zero()};  ///< x_u, x_v
  /// x_uu, x_uv, x_vv
  std::array<Vec3, 3> duu{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
};

/// Where a built-in chart sits: its axis is the frame's z.
struct ChartFrame {
  Vec3 origin = Vec3::Zero();
  Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
};

class Chart {
 public:
  virtual ~Chart() = default;
  virtual int dimension() const = 0;  ///< 1: a curve, 2: a surface
  virtual ChartPoint at(const Vec2& u) const = 0;
  /// How many Gauss points integrate a path over this parameter difference, between breaks: x·x and the like. As many
  /// as it takes; what is more than one rule has is divided among several.
  virtual int points(const Vec2& /*difference*/) const { return 24; }
  /// Parameters of a curve, in order, where a derivative jumps: knots of splines, corners of tubes.
  virtual std::span<const double> breaks() const { return {}; }
  /// Whether a strand leaves it along a tangent: curved charts. A straight tube is left at its mouth.
  virtual bool curved() const { return true; }
  /// The axis of a chart whose x(u + δ, v) is x(u, v) turned by δ about it, and raised in proportion to δ; null for
  /// others. Any number of turns is then integrated at the same cost (turn_rule.h).
  virtual const ChartFrame* round() const { return nullptr; }
  /// Whether |dx/dα| is constant along every straight line of parameters: plane, line, circle, helix, cylinder.
  virtual bool even() const { return false; }
  /// Of a parameter difference what a path can have, for the number of points: beyond it is a trial of the solver that
  /// has gone astray, which is not to take forever.
  virtual Vec2 reach(const Vec2& difference) const { return difference; }
};

std::unique_ptr<Chart> planeChart(const ChartFrame& f);                    ///< (x, y), m
std::unique_ptr<Chart> cylinderChart(const ChartFrame& f, double radius);  ///< (angle, height)
/// (longitude, latitude). No path on it turns by more than `most`, rad: see reach().
std::unique_ptr<Chart> sphereChart(const ChartFrame& f, double radius, double most = 1e9);
std::unique_ptr<Chart> torusChart(const ChartFrame& f, double major,
                                  double minor);        ///< (round the axis, round the tube)
std::unique_ptr<Chart> lineChart(const ChartFrame& f);  ///< m along z
/// What stands off the rim of a disc at 45 degrees, outward and along the axis: (angle, m from the rim)
std::unique_ptr<Chart> rimChart(const ChartFrame& f, double radius);
std::unique_ptr<Chart> circleChart(const ChartFrame& f, double radius);               ///< angle
std::unique_ptr<Chart> helixChart(const ChartFrame& f, double radius, double pitch);  ///< angle; pitch: m a turn
/// Through the points, C² (natural cubic, straight beyond its ends); the parameter counts from 0 at the first, by the
/// chord lengths.
std::unique_ptr<Chart> splineChart(std::vector<Vec3> points);
/// The broken line through the points; the parameter is the arc length.
std::unique_ptr<Chart> tubeChart(std::vector<Vec3> points);

/// The nodes and weights of Gauss' rule on [0, 1], n = 1 to 64.
struct GaussRule {
  static constexpr int most = 64;
  int count = 0;
  std::array<double, most> at{}, weight{};
};
const GaussRule& gaussRule(int n);

/// Calls visit(α₀, α₁) for the pieces of a path from u0 to u1 between breaks.
template <class Visit>
void everyPiece(const Chart& chart, const Vec2& u0, const Vec2& u1, Visit&& visit) {
  const std::span<const double> breaks = chart.breaks();
  const double d = u1.x() - u0.x();
  double last = 0.0;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    const double alpha = (breaks[d > 0.0 ? i : breaks.size() - 1 - i] - u0.x()) / d;
    if (!(alpha > last && alpha < 1.0)) continue;
    visit(last, alpha);
    last = alpha;
  }
  visit(last, 1.0);
}

/// What every part of a divided path has beyond its share of the points.
inline constexpr int spareGaussPoints = 8;

/// Calls visit(α, weight) for the Gauss points of a path; the weights add up to 1.
template <class Visit>
void everyGaussPoint(const Chart& chart, const Vec2& u0, const Vec2& u1, Visit&& visit) {
  everyPiece(chart, u0, u1, [&](double a, double b) {
    const int wanted = chart.points((b - a) * (u1 - u0)), parts = 1 + wanted / (GaussRule::most - spareGaussPoints);
    const GaussRule& rule = gaussRule(parts == 1 ? wanted : wanted / parts + spareGaussPoints);
    const double share = (b - a) / parts;
    for (int part = 0; part < parts; ++part)
      for (int i = 0; i < rule.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        visit(a + share * (part + rule.at[k]), share * rule.weight[k]);
      }
  });
}

/// The same for the length of a path and its gradient, which along an even chart are linear in α.
template <class Visit>
void everyLengthPoint(const Chart& chart, const Vec2& u0, const Vec2& u1, Visit&& visit) {
  if (!chart.even()) return everyGaussPoint(chart, u0, u1, visit);
  const GaussRule& rule = gaussRule(2);
  for (std::size_t k = 0; k < 2; ++k) visit(rule.at[k], rule.weight[k]);
}

}  // namespace reeve
