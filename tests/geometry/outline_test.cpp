#include "reeve/geometry/outline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "outline_random.h"

namespace reeve {
namespace {

using math::pi;

std::vector<Vec2> square() { return {{0.0, 0.0}, {2.0, 0.0}, {2.0, 1.0}, {0.0, 1.0}}; }

TEST(Outline, PerimeterOfCirclePolygonSlotAndRoundedPolygon) {
  EXPECT_DOUBLE_EQ(Outline::circle(0.5).perimeter(), pi);
  EXPECT_DOUBLE_EQ(Outline::polygon(square())->perimeter(), 6.0);
  EXPECT_NEAR(Outline::polygon(square(), 0.25)->perimeter(), 6.0 + 0.5 * pi, 1e-14);
  const std::vector<Vec2> slot{{-1.0, 0.0}, {1.0, 0.0}};
  EXPECT_NEAR(Outline::polygon(slot, 0.5)->perimeter(), 4.0 + pi, 1e-14);
  EXPECT_EQ(Outline::point().perimeter(), 0.0);
}

TEST(Outline, RefusesNothingNotANumberClockwiseAndStarShapedCorners) {
  EXPECT_EQ(Outline::polygon({}).error(), OutlineError::noPoints);
  const std::vector<Vec2> clockwise{{0.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}};
  EXPECT_EQ(Outline::polygon(clockwise).error(), OutlineError::notConvex);
  const std::vector<Vec2> broken{{0.0, 0.0}, {1.0, std::nan("")}, {1.0, 1.0}};
  EXPECT_EQ(Outline::hull(broken).error(), OutlineError::notFinite);
  EXPECT_EQ(Outline::polygon(square(), -1.0).error(), OutlineError::notFinite);
  std::vector<Vec2> star;
  for (int k = 0; k < 5; ++k) star.push_back({std::cos(4.0 * pi * k / 5.0), std::sin(4.0 * pi * k / 5.0)});
  EXPECT_EQ(Outline::polygon(star).error(), OutlineError::notConvex);
}

TEST(Outline, HullKeepsTheCornersAndDropsWhatIsInsideOrOnAnEdge) {
  std::vector<Vec2> points = square();
  points.push_back({1.0, 0.5});
  points.push_back({1.0, 0.0});
  points.push_back({2.0, 0.0});
  const Outline o = *Outline::hull(points);
  EXPECT_EQ(o.cornerCount(), 4);
  EXPECT_DOUBLE_EQ(o.perimeter(), 6.0);
}

TEST(Outline, EveryPlaceHasTheCoordinatesItWasFoundBy) {
  test::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Outline o = i % 3 == 0 ? Outline::circle(random.between(0.1, 2.0)) : random.hull(1.0, i % 3 == 1 ? 0.0 : 0.3);
    const double s = random.between(0.0, o.perimeter());
    const BoundaryPoint p = o.at(s);
    EXPECT_NEAR(o.signedDistance(p.point), 0.0, 1e-14);
    EXPECT_NEAR(o.nearest(p.point).s, s, 1e-12);
    EXPECT_NEAR(o.at(s + 3.0 * o.perimeter()).s, s, 1e-13);
    const BoundaryPoint q = o.atAngle(p.angle);
    EXPECT_NEAR(q.normal.dot(p.normal), 1.0, 1e-14);
  }
}

TEST(Outline, ArcLengthIsTheLengthOfAFinePolylineToOnePartInAMillion) {
  test::Random random(2);
  for (int i = 0; i < 20; ++i) {
    const Outline o = random.hull(1.0, 0.2);
    double sum = 0.0;
    const int n = 4000;
    for (int k = 0; k < n; ++k) {
      const double s = o.perimeter() * k / n;
      sum += (o.at(s + o.perimeter() / n).point - o.at(s).point).norm();
    }
    EXPECT_NEAR(sum / o.perimeter(), 1.0, 1e-6);
  }
}

TEST(Outline, SupportFromAnyHintEqualsTheBestOfAllCorners) {
  test::Random random(3);
  for (int i = 0; i < 5000; ++i) {
    const Outline o = random.hull(1.0);
    const double a = random.between(0.0, 2.0 * pi);
    const Vec2 u(std::cos(a), std::sin(a));
    double best = -10.0;
    for (int k = 0; k < o.cornerCount(); ++k) best = std::max(best, u.dot(o.corner(k)));
    EXPECT_EQ(u.dot(o.corner(o.support(u))), best);
    EXPECT_EQ(u.dot(o.corner(o.support(u, random.integer(0, o.cornerCount() - 1)))), best);
  }
}

TEST(Outline, DistanceInsideASquareIsToTheNearestEdgeAndOutsideToTheNearestPoint) {
  const Outline o = *Outline::polygon(square());
  EXPECT_DOUBLE_EQ(o.signedDistance({1.0, 0.25}), -0.25);
  EXPECT_DOUBLE_EQ(o.signedDistance({5.0, 5.0}), 5.0);
  EXPECT_DOUBLE_EQ(o.signedDistance({1.0, -2.0}), 2.0);
  EXPECT_TRUE(o.contains({1.9, 0.9}));
  EXPECT_FALSE(o.contains({2.1, 0.9}));
  const Outline rounded = *Outline::polygon(square(), 0.5);
  EXPECT_DOUBLE_EQ(rounded.signedDistance({5.0, 5.0}), 4.5);
  EXPECT_DOUBLE_EQ(rounded.signedDistance({1.0, 0.25}), -0.75);
}

TEST(Outline, TravelIsTakenAsCountedAndNeverShortened) {
  const Outline o = Outline::circle(1.0);
  EXPECT_DOUBLE_EQ(o.travel(0.1, 6.0, 0), 5.9);  // almost a turn, not −0.38
  EXPECT_DOUBLE_EQ(o.travel(0.1, 6.0, -3), 5.9 - 6.0 * pi);
}

TEST(Outline, AFrameFromAnyNormalIsRightHandedAndOrthonormal) {
  test::Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const LinkFrame f = random.frame(5.0);
    EXPECT_NEAR((f.x.cross(f.y) - f.normal).norm(), 0.0, 1e-15);
    EXPECT_NEAR(f.x.dot(f.normal), 0.0, 1e-15);
    const Vec2 p = random.inSquare(1.0);
    EXPECT_NEAR((f.toPlane(f.toWorld(p)) - p).norm(), 0.0, 1e-14);
  }
}

}  // namespace
}  // namespace reeve
