// Charts: derivatives against finite differences, lengths against closed forms.
#include "reeve/geometry/chart.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/chart_frames.h"

namespace reeve::test {
namespace {

std::vector<std::pair<const char*, std::unique_ptr<Chart>>> allCharts() {
  std::vector<std::pair<const char*, std::unique_ptr<Chart>>> all;
  const ChartFrame f = tilted();
  all.emplace_back("plane", planeChart(f));
  all.emplace_back("cylinder", cylinderChart(f, 0.4));
  all.emplace_back("sphere", sphereChart(f, 0.5));
  all.emplace_back("torus", torusChart(f, 0.6, 0.2));
  all.emplace_back("line", lineChart(f));
  all.emplace_back("circle", circleChart(f, 0.4));
  all.emplace_back("helix", helixChart(f, 0.3, 0.8));
  all.emplace_back("spline", splineChart({{0, 0, 0}, {0.5, 0.2, 0}, {0.8, 0.1, 0.4}, {1.2, 0.6, 0.3}}));
  all.emplace_back("tube", tubeChart({{0, 0, 0}, {0.5, 0.2, 0}, {0.8, 0.1, 0.4}}));
  return all;
}

TEST(Chart, DerivativesAgreeWithFiniteDifferences) {
  for (const auto& [name, chart] : allCharts())
    for (const Vec2& u : {Vec2(0.3, 0.2), Vec2(0.45, -0.7), Vec2(0.71, 1.1)})
      for (int k = 0; k < chart->dimension(); ++k) {
        constexpr double step = 1e-5;
        Vec2 e = Vec2::Zero();
        e[k] = step;
        const ChartPoint plus = chart->at(u + e), minus = chart->at(u - e), here = chart->at(u);
        const std::size_t i = static_cast<std::size_t>(k);
        EXPECT_LT(((plus.x - minus.x) / (2 * step) - here.du[i]).norm(), 1e-9) << name << " du " << k;
        for (int m = 0; m < chart->dimension(); ++m) {
          const std::size_t j = static_cast<std::size_t>(m);
          EXPECT_LT(((plus.du[j] - minus.du[j]) / (2 * step) - here.duu[i + j]).norm(), 1e-8)
              << name << " duu " << k << m;
        }
      }
}

TEST(Chart, SplineIsSmoothAcrossItsKnots) {
  const std::vector<Vec3> points{{0, 0, 0}, {0.5, 0.2, 0}, {0.8, 0.1, 0.4}, {1.2, 0.6, 0.3}};
  const auto chart = splineChart(points);
  const double knot = (points[1] - points[0]).norm();
  const ChartPoint before = chart->at(Vec2(knot - 1e-9, 0)), after = chart->at(Vec2(knot + 1e-9, 0));
  EXPECT_LT((before.x - points[1]).norm(), 1e-8);
  EXPECT_LT((before.du[0] - after.du[0]).norm(), 1e-7);
  EXPECT_LT((before.duu[0] - after.duu[0]).norm(), 1e-6);
}

TEST(Chart, GaussRulesIntegratePolynomialsOfTheirDegree) {
  for (int n = 1; n <= GaussRule::most; ++n) {
    const GaussRule& rule = gaussRule(n);
    ASSERT_EQ(rule.count, n);
    for (int power = 0; power < 2 * n; ++power) {
      double sum = 0.0;
      for (int i = 0; i < n; ++i)
        sum += rule.weight[static_cast<std::size_t>(i)] * std::pow(rule.at[static_cast<std::size_t>(i)], power);
      EXPECT_NEAR(sum, 1.0 / (power + 1), 1e-13) << n << " points, power " << power;
    }
  }
}

}  // namespace
}  // namespace reeve::test
