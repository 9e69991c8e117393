// Integrals over many turns, against Gauss' rule on ever so many points; charts of one's own.
#include "reeve/geometry/turn_rule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/chart_frames.h"
#include "reeve/geometry/formula_chart.h"

namespace reeve::test {
namespace {

/// ∫ (1, α, α²) x ⊗ (x, x_u, x_v) and of x_uu with x: all that mass and forces are made of, as one list.
using Sums = Eigen::Matrix<double, 3, 36>;
void gather(const ChartPoint& p, double alpha, double weight, Sums& out) {
  const Vec3* factors[] = {&p.x, &p.du[0], &p.du[1], &p.duu[0]};
  for (int f = 0; f < 4; ++f)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          out(k, 9 * f + 3 * i + j) += weight * std::pow(alpha, k) * p.x[i] * (*factors[f])[j];
}

double missOf(const Chart& chart, const Vec2& u0, const Vec2& u1, int& points) {
  Sums fast = Sums::Zero(), slow = Sums::Zero();
  points = 0;
  everyTurnPoint(chart, u0, u1, [&](double alpha, double turn, double weight) {
    ++points;
    const ChartPoint p = chart.at(u0 + alpha * (u1 - u0));
    gather(turn == 0.0 ? p : turned(p, *chart.round(), turn), alpha, weight, fast);
  });
  const int parts = 1 + static_cast<int>((u1 - u0).cwiseAbs().maxCoeff());
  const GaussRule& rule = gaussRule(16);
  for (int k = 0; k < parts; ++k)
    for (std::size_t i = 0; i < 16; ++i) {
      const double alpha = (k + rule.at[i]) / parts;
      gather(chart.at(u0 + alpha * (u1 - u0)), alpha, rule.weight[i] / parts, slow);
    }
  return (fast - slow).norm() / slow.norm();
}

TEST(TurnRule, AnyNumberOfTurnsIsIntegratedToRoundingWithAsManyPoints) {
  const ChartFrame f = tilted();
  const auto helix = helixChart(f, 0.3, 0.01), cylinder = cylinderChart(f, 0.4), sphere = sphereChart(f, 0.5),
             torus = torusChart(f, 0.6, 0.2);
  for (const double turns : {3.0, 4.1, 30.3, 100.0, 1000.7}) {
    const double angle = 2 * M_PI * turns;
    int points = 0;
    EXPECT_LT(missOf(*helix, Vec2(0.4, 0), Vec2(0.4 - angle, 0), points), 1e-12) << turns;
    EXPECT_LE(points, 25) << turns;
    EXPECT_LT(missOf(*cylinder, Vec2(0.4, -0.1), Vec2(0.4 + angle, 0.3), points), 1e-12) << turns;
    EXPECT_LE(points, 25) << turns;
    EXPECT_LT(missOf(*sphere, Vec2(0.4, -1.1), Vec2(0.4 + angle, 1.3), points), 1e-11) << turns;
    EXPECT_LT(missOf(*torus, Vec2(0.4, -4.0), Vec2(0.4 - angle, 9.0), points), 1e-11) << turns;
    EXPECT_LT(missOf(*torus, Vec2(0.4, 1.0), Vec2(0.9, 1.0 + angle), points), 1e-11) << turns;
  }
}

double lengthOf(const Chart& chart, const Vec2& u0, const Vec2& u1) {
  double length = 0.0;
  everyLengthPoint(chart, u0, u1, [&](double alpha, double weight) {
    const ChartPoint p = chart.at(u0 + alpha * (u1 - u0));
    length += weight * (p.du[0] * (u1.x() - u0.x()) + p.du[1] * (u1.y() - u0.y())).norm();
  });
  return length;
}

TEST(TurnRule, LengthsOfManyTurnsAreThoseOfTheClosedForm) {
  const double angle = 2 * M_PI * 1000;
  EXPECT_NEAR(lengthOf(*helixChart(tilted(), 0.3, 0.01), Vec2(0, 0), Vec2(angle, 0)) /
                  (1000 * std::hypot(2 * M_PI * 0.3, 0.01)),
              1.0, 1e-14);
  EXPECT_NEAR(lengthOf(*cylinderChart(tilted(), 0.3), Vec2(0, 0), Vec2(angle, 2.0)) / std::hypot(0.3 * angle, 2.0), 1.0,
              1e-14);
  // Round the tube of a torus the mean circumference is that of its middle.
  EXPECT_NEAR(lengthOf(*torusChart(tilted(), 0.6, 0.2), Vec2(0.5, 0), Vec2(0.5, angle)) / (0.2 * angle), 1.0, 1e-12);
}

std::array<math::Formula, 3> three(const char* x, const char* y, const char* z) {
  return {*math::Formula::parse(x), *math::Formula::parse(y), *math::Formula::parse(z)};
}

TEST(OwnChart, AFormulaIsTheChartItWrites) {
  const ChartFrame f = tilted();
  const Vec2 from(0.2, -0.1), to(2.9, 0.4);
  const auto own = placedChart(f, formulaChart(three("0.3*cos(u)", "0.3*sin(u)", "v"), from, to));
  const auto built = cylinderChart(f, 0.3);
  EXPECT_EQ(own->dimension(), 2);
  EXPECT_EQ(faultOf(*own, from, to), "");
  for (const double alpha : {0.0, 0.3, 1.0}) {
    const ChartPoint a = own->at(from + alpha * (to - from)), b = built->at(from + alpha * (to - from));
    EXPECT_LT((a.x - b.x).norm(), 1e-15);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_LT((a.du[k] - b.du[k]).norm(), 1e-15);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_LT((a.duu[k] - b.duu[k]).norm(), 1e-15);
  }
  EXPECT_NEAR(lengthOf(*own, from, to), std::hypot(0.3 * 2.7, 0.5), 1e-13);
}

TEST(OwnChart, IsIntegratedAsFinelyAsItNeeds) {
  const Vec2 from(0, 0), to(1, 0);
  const auto wave = formulaChart(three("u", "0.01*sin(200*u)", "0"), from, to);
  EXPECT_EQ(wave->dimension(), 1);
  EXPECT_EQ(faultOf(*wave, from, to), "");
  EXPECT_GT(wave->points(to - from), 200);
}

class Wrong final : public Chart {
 public:
  explicit Wrong(int what) : what_(what) {}
  int dimension() const override { return 2; }
  int points(const Vec2&) const override { return what_ == 3 ? 2 : 24; }
  ChartPoint at(const Vec2& u) const override {
    ChartPoint p;
    p.x = Vec3(u.x(), u.y(), 0.1 * std::sin(3 * u.x()));
    p.du = {Vec3(1, 0, 0.3 * std::cos(3 * u.x()) * (what_ == 1 ? 1.01 : 1.0)), Vec3(0, 1, 0)};
    p.duu[0] = Vec3(0, 0, -0.9 * std::sin(3 * u.x()) * (what_ == 2 ? -1 : 1));
    return p;
  }

 private:
  int what_;
};

TEST(OwnChart, FaultsAreFoundAndSaid) {
  const Vec2 from(0.1, 0), to(0.9, 0.5);
  EXPECT_EQ(faultOf(Wrong(0), from, to), "");
  EXPECT_EQ(faultOf(Wrong(1), from, to).substr(0, 34), "its derivative x_u is not that of ");
  EXPECT_EQ(faultOf(Wrong(2), from, to).substr(0, 35), "its derivative x_uu is not that of ");
  EXPECT_EQ(faultOf(Wrong(3), from, to), "its 2 points from start to end are too few for what it does there");
  EXPECT_EQ(faultOf(*formulaChart(three("u", "log(u - 0.5)", "v"), from, to), from, to).substr(0, 28),
            "it is not a finite number at");
  EXPECT_EQ(faultOf(*formulaChart(three("u", "v", "u + v"), from, to), from, to), "");
  EXPECT_EQ(faultOf(*formulaChart(three("u + v", "u + v", "1"), from, to), from, to).substr(0, 30),
            "its directions x_u and x_v run");
  EXPECT_EQ(faultOf(*formulaChart(three("1", "2", "3"), from, to), from, to).substr(0, 30),
            "its direction x_u vanishes at ");
}

}  // namespace
}  // namespace reeve::test
