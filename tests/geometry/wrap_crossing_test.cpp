#include "reeve/geometry/wrap_crossing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "outline_random.h"

namespace reeve {
namespace {

using math::pi;

TEST(Crossing, ASegmentThroughADiscIsFoundWithSideDepthAndMiddle) {
  const Outline disc = Outline::circle(1.0);
  const LinkFrame frame;
  const auto above = segmentCrossesOutline(disc, frame, 0.1, Vec3(-4.0, 0.9, 0.0), Vec3(4.0, 0.9, 0.0));
  ASSERT_TRUE(above);
  EXPECT_EQ(above->sigma, -1);  // the disc is right of a cable running in +x above its centre
  EXPECT_NEAR(above->depth, 0.1, 1e-14);
  EXPECT_NEAR(above->along, 0.5, 1e-12);
  const auto below = segmentCrossesOutline(disc, frame, 0.1, Vec3(-4.0, -0.9, 0.0), Vec3(4.0, -0.9, 0.0));
  ASSERT_TRUE(below);
  EXPECT_EQ(below->sigma, 1);
  EXPECT_FALSE(segmentCrossesOutline(disc, frame, 0.1, Vec3(-4.0, 1.01, 0.0), Vec3(4.0, 1.01, 0.0)));
  EXPECT_FALSE(segmentCrossesOutline(disc, frame, 0.1, Vec3(-4.0, 0.0, 0.2), Vec3(4.0, 0.0, 0.2)));
  EXPECT_FALSE(segmentCrossesOutline(disc, frame, 0.1, Vec3(-4.0, 0.0, 0.0), Vec3(-1.5, 0.0, 0.0)));
  EXPECT_TRUE(segmentCrossesOutline(disc, frame, HUGE_VAL, Vec3(-4.0, 0.0, 9.0), Vec3(4.0, 0.0, 7.0)));
}

TEST(Crossing, TheSideGivesTheOrientationWhoseTwoSpansLeaveTheDiscOnThatSide) {
  const Outline disc = Outline::circle(1.0);
  // Seen from behind the same cable has the other orientation.
  LinkFrame behind;
  behind.y = -behind.y;
  behind.normal = -behind.normal;
  const auto crossing = segmentCrossesOutline(disc, behind, 0.1, Vec3(-4.0, 0.9, 0.0), Vec3(4.0, 0.9, 0.0));
  ASSERT_TRUE(crossing);
  EXPECT_EQ(crossing->sigma, 1);
}

TEST(Crossing, OnRandomHullsAgreesWithTestingManyPointsOfTheSegment) {
  test::Random random(1);
  for (int i = 0; i < 5000; ++i) {
    const Outline o = random.hull(1.0, 0.1);
    const LinkFrame frame = random.frame(0.3);
    const double half = random.between(0.05, 0.5);
    const Vec3 a = 3.0 * random.direction();
    const Vec3 b = -a + random.inCube(1.5);
    bool inside = false;
    double deepest = 1e9;
    for (int k = 0; k <= 400; ++k) {
      const Vec3 p = a + (b - a) * (k / 400.0);
      const double d = std::max(o.signedDistance(frame.toPlane(p)), std::abs(frame.height(p)) - half);
      deepest = std::min(deepest, d);
      if (d < 0.0) inside = true;
    }
    if (std::abs(deepest) < 0.02) continue;  // too close to call by sampling
    EXPECT_EQ(segmentCrossesOutline(o, frame, half, a, b).has_value(), inside);
  }
}

TEST(SweptCrossing, APostOf5MillimetresAt100MetresPerSecondIsMetAtTheRightTimeAndSide) {
  const Outline post = Outline::circle(0.005);
  const MovingPoint a{Vec3(-1.0, 0.0, 0.0), Vec3(-1.0, 0.0, 0.0)};
  const MovingPoint b{Vec3(1.0, 0.0, 0.0), Vec3(1.0, 0.0, 0.0)};
  for (const double speed : {100.0, -100.0, 1e5}) {
    // One step of 1/60 s; the span is halfway.
    const double way = speed / 60.0;
    MovingFrame frame;
    frame.start.origin = Vec3(0.2, -0.5 * way, 0.0);
    frame.translation = Vec3(0.0, way, 0.0);
    frame.rotation = Vec3(0.0, 0.0, 300.0);
    const auto hit = sweptCrossing(post, frame, HUGE_VAL, a, b);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->time, 0.5 - 0.005 / std::abs(way), 1e-8);
    EXPECT_EQ(hit->crossing.sigma, speed > 0.0 ? -1 : 1);  // a post that comes from below lies right of the cable
    EXPECT_NEAR(hit->crossing.along, 0.6, 1e-6);
    // The end positions alone show nothing.
    EXPECT_FALSE(segmentCrossesOutline(post, frame.at(0.0), HUGE_VAL, a.start, b.start));
    EXPECT_FALSE(segmentCrossesOutline(post, frame.at(1.0), HUGE_VAL, a.end, b.end));
  }
}

TEST(SweptCrossing, AMissByOneMicrometreIsAMissAndATouchByOneIsATouch) {
  const Outline post = Outline::circle(0.1);
  for (const double margin : {1e-6, -1e-6}) {
    MovingFrame frame;
    frame.start.origin = Vec3(1.1 + margin, -5.0, 0.0);
    frame.translation = Vec3(0.0, 10.0, 0.0);
    const MovingPoint a{Vec3(-1.0, 0.0, 0.0), Vec3(-1.0, 0.0, 0.0)};
    const MovingPoint b{Vec3(1.0, 0.0, 0.0), Vec3(1.0, 0.0, 0.0)};
    EXPECT_EQ(sweptCrossing(post, frame, 0.5, a, b).has_value(), margin < 0.0);
  }
}

TEST(SweptCrossing, ATurningBarHitsASpanAtTheAngleFoundByHand) {
  // A slot of length 2 and radius 0.1 turns about its middle through 90° towards the line x = 0.5.
  const std::vector<Vec2> ends{{-1.0, 0.0}, {1.0, 0.0}};
  const Outline bar = *Outline::polygon(ends, 0.1);
  MovingFrame frame;
  frame.start = test::moved(LinkFrame{}, Vec3::Zero(), Vec3::Zero(), Vec3(0.0, 0.0, 0.5 * pi));
  frame.rotation = Vec3(0.0, 0.0, -0.5 * pi);
  const MovingPoint a{Vec3(0.5, -3.0, 0.0), Vec3(0.5, -3.0, 0.0)};
  const MovingPoint b{Vec3(0.5, 3.0, 0.0), Vec3(0.5, 3.0, 0.0)};
  const auto hit = sweptCrossing(bar, frame, 0.2, a, b);
  ASSERT_TRUE(hit);
  // The end circle reaches x = 0.5 when its centre has turned to x = 0.4.
  EXPECT_NEAR(hit->time, std::asin(0.4) / (0.5 * pi), 1e-7);
  EXPECT_FALSE(hit->crossing.onFace);
}

TEST(SweptCrossing, ADiscThatComesDownFlatOnASpanReportsItsFace) {
  const Outline disc = Outline::circle(1.0);
  MovingFrame frame;
  frame.start.origin = Vec3(0.0, 0.0, 2.0);
  frame.translation = Vec3(0.0, 0.0, -4.0);
  const MovingPoint a{Vec3(-3.0, 0.2, 0.0), Vec3(-3.0, 0.2, 0.0)};
  const MovingPoint b{Vec3(3.0, 0.2, 0.0), Vec3(3.0, 0.2, 0.0)};
  const auto hit = sweptCrossing(disc, frame, 0.1, a, b);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->time, 1.9 / 4.0, 1e-9);
  EXPECT_TRUE(hit->crossing.onFace);
}

TEST(SweptCrossing, NeverSkipsWhatFineSamplingFindsIn10000RandomSweeps) {
  test::Random random(2);
  int hits = 0;
  for (int i = 0; i < 10000; ++i) {
    const Outline o = i % 2 == 0 ? Outline::circle(random.between(0.05, 0.5)) : random.hull(0.5, 0.02);
    MovingFrame frame;
    const Vec3 from = 3.0 * random.direction();
    frame.start = LinkFrame::fromNormal(from, random.direction());
    frame.translation = -random.between(0.5, 3.0) * from;
    frame.translation += random.inCube(1.0);
    frame.rotation = random.inCube(3.0);
    const MovingPoint a{random.inCube(1.0) - Vec3(2.0, 0.0, 0.0), random.inCube(1.0) - Vec3(2.0, 0.0, 0.0)};
    const MovingPoint b{random.inCube(1.0) + Vec3(2.0, 0.0, 0.0), random.inCube(1.0) + Vec3(2.0, 0.0, 0.0)};
    const double half = 0.2;
    double first = 2.0;
    const int n = 100;
    for (int k = 0; k <= n && first > 1.0; ++k) {
      const double t = static_cast<double>(k) / n;
      if (segmentCrossesOutline(o, frame.at(t), half, a.start + t * (a.end - a.start),
                                b.start + t * (b.end - b.start))) {
        first = t;
      }
    }
    const auto hit = sweptCrossing(o, frame, half, a, b);
    if (first <= 1.0) {
      ASSERT_TRUE(hit) << i;
      EXPECT_LE(hit->time, first + 1e-9) << i;
      ++hits;
    }
    if (hit && hit->time > 0.0) {
      // What is reported as a touch is one, to the spacing of these samples.
      const double t = hit->time;
      const Vec3 p = a.start + t * (a.end - a.start);
      const Vec3 q = b.start + t * (b.end - b.start);
      const LinkFrame f = frame.at(t);
      double nearest = 1e9;
      for (int k = 0; k <= 500; ++k) {
        const Vec3 x = p + (q - p) * (k / 500.0);
        const double side = std::max(o.signedDistance(f.toPlane(x)), 0.0);
        const double above = std::max(std::abs(f.height(x)) - half, 0.0);
        nearest = std::min(nearest, std::sqrt(side * side + above * above));
      }
      EXPECT_LE(nearest, 8e-3) << i;
    }
  }
  EXPECT_GT(hits, 2000);
}

TEST(MovingFrame, BetweenTwoPlacementsEndsAtTheSecondTo1e14) {
  test::Random random(3);
  for (int i = 0; i < 500; ++i) {
    const LinkFrame f = random.frame(1.0);
    const LinkFrame g = random.frame(1.0);
    const LinkFrame end = MovingFrame::between(f, g).at(1.0);
    EXPECT_NEAR((end.x - g.x).norm() + (end.normal - g.normal).norm() + (end.origin - g.origin).norm(), 0.0, 1e-14);
  }
}

}  // namespace
}  // namespace reeve
