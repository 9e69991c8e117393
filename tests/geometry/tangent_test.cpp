#include "reeve/geometry/tangent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "outline_random.h"

namespace reeve {
namespace {

Eigen::Matrix2d turnBy(double angle) {
  Eigen::Matrix2d r;
  r << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  return r;
}

/// How far outline i reaches over the line through a with right-hand normal w, on the side where it must not be.
double overreach(const PlacedOutline& link, const Vec2& w, const Vec2& a) {
  double most = -1e300;
  for (int k = 0; k < link.outline->cornerCount(); ++k) {
    most = std::max(most, link.sigma * w.dot(link.corner(k) - a) + link.outline->radius());
  }
  return most;
}

/// Every pair of corners is tried; the one whose line leaves both outlines on their sides is the tangent.
bool bruteForce(const PlacedOutline& link1, const PlacedOutline& link2, CircleTangent& best) {
  double least = 1e300;
  for (int i = 0; i < link1.outline->cornerCount(); ++i) {
    for (int j = 0; j < link2.outline->cornerCount(); ++j) {
      const CircleTangent t =
          circleTangent(link1.corner(i), link1.signedRadius(), link2.corner(j), link2.signedRadius());
      if (!t.found) continue;
      const double over = std::max(overreach(link1, t.w, t.a1), overreach(link2, t.w, t.a2));
      if (over < least) {
        least = over;
        best = t;
      }
    }
  }
  return least < 1e-12;
}

TEST(CircleTangent, FourTangentsOfTwoUnitCirclesFourApartAreKnown) {
  const Vec2 p1(0.0, 0.0);
  const Vec2 p2(4.0, 0.0);
  const CircleTangent lower = circleTangent(p1, 1.0, p2, 1.0);
  EXPECT_NEAR((lower.a1 - Vec2(0.0, -1.0)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((lower.a2 - Vec2(4.0, -1.0)).norm(), 0.0, 1e-15);
  const CircleTangent upper = circleTangent(p1, -1.0, p2, -1.0);
  EXPECT_NEAR((upper.a1 - Vec2(0.0, 1.0)).norm(), 0.0, 1e-15);
  const CircleTangent rising = circleTangent(p1, 1.0, p2, -1.0);  // c = 1/2
  EXPECT_NEAR((rising.a1 - Vec2(0.5, -std::sqrt(0.75))).norm(), 0.0, 1e-15);
  EXPECT_NEAR((rising.a2 - Vec2(3.5, std::sqrt(0.75))).norm(), 0.0, 1e-15);
  const CircleTangent falling = circleTangent(p1, -1.0, p2, 1.0);
  EXPECT_NEAR((falling.a1 - Vec2(0.5, std::sqrt(0.75))).norm(), 0.0, 1e-15);
}

TEST(CircleTangent, ThereIsNoneInsideAnotherCircleOrBetweenOverlappingOnesCrossed) {
  EXPECT_FALSE(circleTangent({0.0, 0.0}, 1.0, {0.5, 0.0}, 2.0).found);
  EXPECT_FALSE(circleTangent({0.0, 0.0}, 1.0, {1.5, 0.0}, -1.0).found);
  EXPECT_TRUE(circleTangent({0.0, 0.0}, 1.0, {1.5, 0.0}, 1.0).found);
  EXPECT_FALSE(circleTangent({0.0, 0.0}, 0.0, {0.0, 0.0}, 0.0).found);
}

TEST(CircleTangent, LengthIsTheRootOfDistanceSquaredLessRadiusDifferenceSquared) {
  test::Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const double r1 = random.sigma() * random.between(0.0, 1.0);
    const double r2 = random.sigma() * random.between(0.0, 1.0);
    const Vec2 p2{random.between(2.5, 6.0), random.between(-3.0, 3.0)};
    const CircleTangent t = circleTangent(Vec2::Zero(), r1, p2, r2);
    EXPECT_NEAR((t.a2 - t.a1).norm(), std::sqrt(p2.squaredNorm() - (r1 - r2) * (r1 - r2)), 1e-14);
    EXPECT_NEAR(t.w.dot(t.a2 - t.a1), 0.0, 1e-14);
  }
}

TEST(PlanarTangent, RaysOfFigure6ReachTheClosedFormOnCirclesToOnePartIn1e14) {
  test::Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const Outline c1 = Outline::circle(random.between(0.0, 1.0));
    const Outline c2 = Outline::circle(random.between(0.0, 1.0));
    PlacedOutline l1{.outline = &c1, .sigma = random.sigma()};
    PlacedOutline l2{.outline = &c2, .sigma = random.sigma()};
    l2.position = Vec2{random.between(2.1, 6.0), random.between(-3.0, 3.0)};
    const PlanarTangent rays = planarTangentByRays(l1, l2);
    ASSERT_EQ(rays.status, TangentStatus::ok);
    const CircleTangent exact = circleTangent(l1.position, l1.signedRadius(), l2.position, l2.signedRadius());
    const double length = (exact.a2 - exact.a1).norm();
    EXPECT_LE((rays.a1 - exact.a1).norm(), 1e-14 * std::max(length, 1.0));
    EXPECT_LE((rays.a2 - exact.a2).norm(), 1e-14 * std::max(length, 1.0));
    const PlanarTangent closed = planarTangent(l1, l2);
    EXPECT_EQ(closed.a1, exact.a1);
  }
}

TEST(PlanarTangent, OnRandomHullsEqualsBruteForceIn100000CasesWithAllFourOrientations) {
  test::Random random(3);
  for (int i = 0; i < 25000; ++i) {
    const double rounding1 = i % 4 == 1 ? random.between(0.0, 0.3) : 0.0;
    const double rounding2 = i % 4 >= 2 ? random.between(0.0, 0.3) : 0.0;
    const Outline o1 = i % 8 == 7 ? Outline::circle(random.between(0.01, 0.9)) : random.hull(1.0, rounding1);
    const Outline o2 = random.hull(1.0, rounding2);
    PlacedOutline l1{.outline = &o1, .axes = turnBy(random.between(0.0, 6.3))};
    PlacedOutline l2{.outline = &o2, .axes = turnBy(random.between(0.0, 6.3))};
    const double bearing = random.between(0.0, 6.3);
    // At least 2√2 + 0.6 apart: disjoint. From nearly touching to far.
    l2.position = random.between(3.45, i % 2 == 0 ? 3.5 : 20.0) * Vec2(std::cos(bearing), std::sin(bearing));
    if (i % 3 == 0) l2.axes.col(1) *= -1.0;  // a plane seen from behind
    l1.hint = random.integer(0, o1.cornerCount() - 1);
    l2.hint = random.integer(0, o2.cornerCount() - 1);
    for (int orientation = 0; orientation < 4; ++orientation) {
      l1.sigma = orientation % 2 == 0 ? 1 : -1;
      l2.sigma = orientation / 2 == 0 ? 1 : -1;
      CircleTangent exact;
      ASSERT_TRUE(bruteForce(l1, l2, exact));
      const PlanarTangent t = planarTangent(l1, l2);
      ASSERT_EQ(t.status, TangentStatus::ok);
      ASSERT_LE((t.a1 - exact.a1).norm() + (t.a2 - exact.a2).norm(), 1e-13);
      const PlanarTangent rays = planarTangentByRays(l1, l2);
      ASSERT_EQ(rays.status, TangentStatus::ok);
      ASSERT_LE((rays.a1 - exact.a1).norm() + (rays.a2 - exact.a2).norm(), 1e-12);
    }
  }
}

TEST(PlanarTangent, HullsThatAlmostTouchStillEqualBruteForce) {
  test::Random random(4);
  int cases = 0;
  while (cases < 20000) {
    const Outline o1 = random.hull(1.0);
    const Outline o2 = random.hull(1.0);
    PlacedOutline l1{.outline = &o1, .sigma = random.sigma()};
    PlacedOutline l2{.outline = &o2, .sigma = random.sigma()};
    const double bearing = random.between(0.0, 6.3);
    const Vec2 u(std::cos(bearing), std::sin(bearing));
    // Separated along u by 1e-6 to 1e-1.
    const double gap = std::pow(10.0, random.between(-6.0, -1.0));
    l2.position = u * (o1.supportValue(u) + o2.supportValue(-u) + gap);
    CircleTangent exact;
    ASSERT_TRUE(bruteForce(l1, l2, exact));
    const PlanarTangent t = planarTangent(l1, l2);
    ASSERT_EQ(t.status, TangentStatus::ok);
    ASSERT_LE((t.a1 - exact.a1).norm() + (t.a2 - exact.a2).norm(), 1e-9);
    ++cases;
  }
}

TEST(PlanarTangent, OneEndInsideTheOtherOutlineIsReportedAndNotInvented) {
  const std::vector<Vec2> corners{{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
  const Outline square = *Outline::polygon(corners);
  const Outline point = Outline::point();
  PlacedOutline outside{.outline = &point, .position = {0.2, 0.1}};
  PlacedOutline around{.outline = &square};
  EXPECT_NE(planarTangent(outside, around).status, TangentStatus::ok);
  EXPECT_NE(planarTangent(around, outside).status, TangentStatus::ok);
  EXPECT_FALSE(extremePoint(square, {0.2, 0.1}, Side::left).found);
  EXPECT_FALSE(extremePoint(Outline::circle(1.0), {0.2, 0.1}, Side::left).found);
}

TEST(ExtremePoint, SeenFromTheRightOfASquareTheOutlineIsLeftOfTheRayToItsUpperCorner) {
  const std::vector<Vec2> corners{{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
  const Outline square = *Outline::polygon(corners);
  // Looking left from (3, 0), the outline is on the left of the ray that passes above it.
  EXPECT_EQ(extremePoint(square, {3.0, 0.0}, Side::left).point, Vec2(1.0, 1.0));
  EXPECT_EQ(extremePoint(square, {3.0, 0.0}, Side::right).point, Vec2(1.0, -1.0));
}

TEST(ExtremePoint, OnAHullOf1000CornersEqualsTheBestOfAllFromAnyHint) {
  test::Random random(5);
  std::vector<Vec2> points;
  for (int k = 0; k < 1000; ++k) points.push_back({std::cos(0.00628 * k), 2.0 * std::sin(0.00628 * k)});
  const Outline o = *Outline::hull(points);
  ASSERT_GT(o.cornerCount(), 900);
  for (int i = 0; i < 200; ++i) {
    const double bearing = random.between(0.0, 6.3);
    const Vec2 p = random.between(2.5, 9.0) * Vec2(std::cos(bearing), std::sin(bearing));
    const ExtremePoint e = extremePoint(o, p, Side::left, random.integer(-1, o.cornerCount() - 1));
    ASSERT_TRUE(e.found);
    for (int k = 0; k < o.cornerCount(); ++k) EXPECT_LE(e.normal.dot(o.corner(k) - e.point), 1e-14);
  }
}

}  // namespace
}  // namespace reeve
