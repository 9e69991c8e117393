#include "reeve/geometry/hanging.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "outline_random.h"

namespace reeve {
namespace {

using math::pi;

const Vec3 down(0.0, 0.0, -9.81);

double lengthOf(const std::vector<Vec3>& points) {
  double sum = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) sum += (points[i] - points[i - 1]).norm();
  return sum;
}

TEST(Hanging, BetweenEqualHeightsHasTheParameterAndSagOfTheClosedForm) {
  for (const double c : {0.05, 0.5, 2.0, 30.0, 1e3, 1e4}) {
    const double width = 3.0;
    const double length = 2.0 * c * std::sinh(width / (2.0 * c));
    const HangingCurve curve = hangingCurve(Vec3::Zero(), Vec3(width, 0.0, 0.0), length, down);
    ASSERT_EQ(curve.shape, HangingShape::catenary);
    // The length is known to one part in 10¹⁶, its excess over the width is (width/c)²/24 of it.
    const double lost = 1e-14 / std::min(1.0, std::pow(width / c, 2) / 24.0);
    EXPECT_NEAR(curve.parameter / c, 1.0, lost);
    const double half = std::sinh(width / (4.0 * c));
    EXPECT_NEAR(curve.dip() / (2.0 * c * half * half), 1.0, lost);
    EXPECT_NEAR(curve.at(0.5 * length).z(), -curve.dip(), 1e-12);
  }
}

TEST(Hanging, OverUnequalHeightsEndsWhereItShouldAndHasItsLengthTo1e9) {
  test::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 a = random.inCube(3.0);
    const Vec3 b = random.inCube(3.0);
    const double length = (b - a).norm() * (1.0 + std::pow(10.0, random.between(-9.0, 2.0)));
    const HangingCurve curve = hangingCurve(a, b, length, 9.81 * random.direction());
    ASSERT_EQ(curve.shape, HangingShape::catenary);
    EXPECT_NEAR((curve.at(0.0) - a).norm(), 0.0, 1e-10 * length);
    EXPECT_NEAR((curve.at(length) - b).norm(), 0.0, 1e-10 * length);
    // Between any two points of one catenary, length² = rise² + (2c sinh(width/2c))².
    const double c = curve.parameter;
    for (int k = 0; k < 16; ++k) {
      const Vec3 d = curve.at((k + 1) * length / 16.0) - curve.at(k * length / 16.0);
      const double rise = curve.up.dot(d);
      const double width = (d - rise * curve.up).norm();
      const double bow = 2.0 * c * std::sinh(width / (2.0 * c));
      EXPECT_NEAR(16.0 * std::sqrt(rise * rise + bow * bow) / length, 1.0, 1e-9);
    }
  }
}

TEST(Hanging, TheCurveHangsInThePlaneOfGravityAndItsTensionFollowsFromHeightAlone) {
  // T² = H² + (weight)²: the slope grows linearly with length, tan θ = (s − s₀)/c.
  test::Random random(2);
  for (int i = 0; i < 300; ++i) {
    const Vec3 b(random.between(0.5, 3.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
    const double length = b.norm() * random.between(1.05, 3.0);
    const HangingCurve curve = hangingCurve(Vec3::Zero(), b, length, down);
    const double h = 1e-4 * length;
    const auto slope = [&](double s) {
      const Vec3 d = curve.at(s + h) - curve.at(s - h);
      return d.z() / d.head<2>().norm();
    };
    const double s0 = 0.3 * length;
    const double s1 = 0.7 * length;
    EXPECT_NEAR((slope(s1) - slope(s0)) * curve.parameter / (s1 - s0), 1.0, 1e-5);
  }
}

TEST(Hanging, PolylineHasTheAskedLengthTo1e9WithAnyNumberOfPointsFromThree) {
  test::Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 a = random.inCube(2.0);
    Vec3 b = random.inCube(2.0);
    if (i % 10 == 0) b = a;                                              // both ends together
    if (i % 10 == 1) b = a + Vec3(0.0, 0.0, random.between(-1.0, 1.0));  // above each other
    if (i % 10 == 2) b = a + Vec3(1e-9, 0.0, 0.5);
    const double length =
        (b - a).norm() * (1.0 + std::pow(10.0, random.between(-10.0, 1.0))) + (i % 10 == 0 ? 1.0 : 0.0);
    std::vector<Vec3> points(static_cast<std::size_t>(random.integer(3, 60)));
    hangingPolyline(a, b, length, down, points);
    EXPECT_EQ(points.front(), a);
    EXPECT_EQ(points.back(), b);
    EXPECT_NEAR(lengthOf(points) / length, 1.0, 1e-9) << i << " n " << points.size();
  }
}

TEST(Hanging, AnOpenFoldHasTheAskedLengthTo1e9AndLegsThatPartAtTheBottom) {
  test::Random random(5);
  for (int i = 0; i < 500; ++i) {
    const Vec3 a = random.inCube(2.0), b = a + Vec3(0.0, 0.0, i % 7 == 0 ? 0.0 : random.between(-2.0, 2.0));
    const double length = (b - a).norm() + std::pow(10.0, random.between(-6.0, 1.0));
    std::vector<Vec3> points(static_cast<std::size_t>(random.integer(4, 60)));
    hangingPolyline(a, b, length, down, points, asideOfFold);
    EXPECT_EQ(points.front(), a);
    EXPECT_EQ(points.back(), b);
    EXPECT_NEAR(lengthOf(points) / length, 1.0, 1e-9) << i << " n " << points.size();
    double aside = 0.0;
    for (const Vec3& p : points) aside = std::max(aside, (p - a).head<2>().norm());
    const double leg = 0.5 * (length - std::abs(b.z() - a.z())),
                 piece = length / static_cast<double>(points.size() - 1);
    if (leg > 4.0 * piece) {
      EXPECT_GT(aside, 0.4 * piece) << i;
    }
  }
}

TEST(Hanging, TautShortVerticalAndZeroSpansAreNumbers) {
  std::vector<Vec3> points(9);
  const Vec3 b(1.0, 0.0, 0.0);
  hangingPolyline(Vec3::Zero(), b, 0.5, down, points);  // too short: drawn straight
  EXPECT_NEAR(lengthOf(points), 1.0, 1e-15);
  hangingPolyline(Vec3::Zero(), b, 1.0, down, points);
  EXPECT_NEAR(points[4].x(), 0.5, 1e-15);
  hangingPolyline(Vec3::Zero(), Vec3::Zero(), 0.0, down, points);
  EXPECT_EQ(points[4].norm(), 0.0);
  hangingPolyline(Vec3::Zero(), b, 1.2, Vec3::Zero(), points);  // no gravity: as if it were −z
  EXPECT_NEAR(lengthOf(points), 1.2, 1e-9);
  EXPECT_LT(points[4].z(), -0.1);
  const HangingCurve folded = hangingCurve(Vec3::Zero(), Vec3(0.0, 0.0, 1.0), 3.0, down);
  EXPECT_EQ(folded.shape, HangingShape::folded);
  EXPECT_DOUBLE_EQ(folded.dip(), 1.0);
  EXPECT_NEAR((folded.at(1.0) - Vec3(0.0, 0.0, -1.0)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((folded.at(3.0) - Vec3(0.0, 0.0, 1.0)).norm(), 0.0, 1e-15);
}

TEST(Hanging, ANarrowCatenaryRunsIntoTheFoldedOne) {
  const Vec3 b(1e-10, 0.0, 0.4);
  const HangingCurve narrow = hangingCurve(Vec3::Zero(), b, 2.0, down);
  ASSERT_EQ(narrow.shape, HangingShape::catenary);
  EXPECT_NEAR(narrow.dip(), 0.8, 1e-9);
  EXPECT_NEAR(narrow.at(0.8).z(), -0.8, 1e-9);
  EXPECT_NEAR((narrow.at(2.0) - b).norm(), 0.0, 1e-12);
}

TEST(OutlinePath, FollowsCornersExactlyAndArcsInSteps) {
  const std::vector<Vec2> corners{{0.0, 0.0}, {2.0, 0.0}, {2.0, 1.0}, {0.0, 1.0}};
  const Outline square = *Outline::polygon(corners);
  std::vector<Vec3> points(32);
  const int n = outlinePath(square, LinkFrame{}, 0.5, 7.0, 0.1, points);
  ASSERT_EQ(n, 6);  // s = 0.5, the four corners at 2, 3, 5, 6, and 7.5
  points.resize(static_cast<std::size_t>(n));
  EXPECT_NEAR(lengthOf(points), 7.0, 1e-12);
  std::vector<Vec3> back(32);
  const int m = outlinePath(square, LinkFrame{}, 1.5, -7.0, 0.1, back);
  back.resize(static_cast<std::size_t>(m));
  EXPECT_NEAR(lengthOf(back), 7.0, 1e-12);
}

TEST(OutlinePath, ABufferTooSmallStillEndsAtTheLastPoint) {
  const Outline circle = Outline::circle(1.0);
  std::vector<Vec3> points(5);
  ASSERT_EQ(outlinePath(circle, LinkFrame{}, 0.0, 3.0, 0.1, points), 5);
  EXPECT_NEAR((points[4].head<2>() - circle.at(3.0).point).norm(), 0.0, 1e-15);
  EXPECT_EQ(outlinePath(circle, LinkFrame{}, 0.0, 3.0, 0.1, {}), 0);
}

TEST(OutlinePath, OnRoundedHullsHasTheWoundLengthToTheSagittaOfItsSteps) {
  test::Random random(4);
  for (int i = 0; i < 500; ++i) {
    const Outline o = i % 2 == 0 ? Outline::circle(0.5) : random.hull(1.0, 0.2);
    const double s = random.between(0.0, o.perimeter());
    const double length = random.sigma() * random.between(0.0, 3.0) * o.perimeter();
    std::vector<Vec3> points(4000);
    const int n = outlinePath(o, LinkFrame{}, s, length, 0.02, points);
    points.resize(static_cast<std::size_t>(n));
    EXPECT_NEAR(lengthOf(points), std::abs(length), 5e-4 * std::abs(length) + 1e-12);
    EXPECT_NEAR((points.back().head<2>() - o.at(s + length).point).norm(), 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace reeve
