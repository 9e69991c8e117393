#pragma once
// Charts: parametric curves and surfaces x(u) with their first and second derivatives. A strand's node on a chart has
// the chart's parameters as its coordinates, so it is on the curve or surface exactly.
//
// Built in: plane, cylinder, sphere, torus; line, circle, helix, spline. Anything else that can give x, x_u and x_uu is
// a chart as well.
#include <array>
#include <memory>
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

class Chart {
 public:
  virtual ~Chart() = default;
  virtual int dimension() const = 0;  ///< 1: a curve, 2: a surface
  virtual ChartPoint at(const Vec2& u) const = 0;
  /// How many Gauss points integrate a path over this parameter difference.
  virtual int points(const Vec2& difference) const = 0;
  /// Whether a strand leaves it along a tangent: curved charts. A straight tube is left at its mouth.
  virtual bool curved() const = 0;
};

/// Where a built-in chart sits: its axis is the frame's z.
struct ChartFrame {
  Vec3 origin = Vec3::Zero();
  Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
};

std::unique_ptr<Chart> planeChart(const ChartFrame& f);                    ///< (x, y), m
std::unique_ptr<Chart> cylinderChart(const ChartFrame& f, double radius);  ///< (angle, height)
std::unique_ptr<Chart> sphereChart(const ChartFrame& f, double radius);    ///< (longitude, latitude)
std::unique_ptr<Chart> torusChart(const ChartFrame& f, double major,
                                  double minor);                         ///< (round the axis, round the tube)
std::unique_ptr<Chart> lineChart(const ChartFrame& f);                   ///< m along z
std::unique_ptr<Chart> circleChart(const ChartFrame& f, double radius);  ///< angle
std::unique_ptr<Chart> helixChart(const ChartFrame& f, double radius, double pitch);  ///< angle; pitch: m a turn
/// Through the points, C² (natural cubic); the parameter counts from 0 at the first, by the chord lengths.
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

}  // namespace reeve
