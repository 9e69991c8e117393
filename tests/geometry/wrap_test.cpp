#include "reeve/geometry/wrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "outline_random.h"

namespace reeve {
namespace {

using math::pi;

constexpr double degree = pi / 180.0;

BoundaryPoint onCircle(const Outline& circle, double angle) { return circle.atAngle(angle); }

TEST(Wrap, AngleAndLengthOnACircleAreRightInAllQuadrantsBothWaysAndWithTurns) {
  const Outline wheel = Outline::circle(0.5);
  for (int from = 0; from < 360; from += 15) {
    for (int sweep = 5; sweep < 360; sweep += 10) {
      for (const int sigma : {1, -1}) {
        for (int turns = 0; turns < 3; ++turns) {
          const BoundaryPoint entry = onCircle(wheel, from * degree);
          const BoundaryPoint exit = onCircle(wheel, (from + sigma * sweep) * degree);
          const Wrap wrap = wrapBetween(wheel, sigma, entry, exit, turns);
          EXPECT_NEAR(wrap.angle, (sweep + 360 * turns) * degree, 1e-13);
          EXPECT_NEAR(wrap.length, 0.5 * (sweep + 360 * turns) * degree, 1e-13);
        }
      }
    }
  }
}

TEST(Wrap, OnASquareACableThatTurnsBy62DegreesAtOneCornerStoresNoLength) {
  const std::vector<Vec2> corners{{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
  const Outline square = *Outline::polygon(corners);
  const Outline point = Outline::point();
  SpanLink from{.outline = &point};
  SpanLink over{.outline = &square, .sigma = 1};
  SpanLink to{.outline = &point};
  // Up past the right side to the corner (1, 1), then left over the top.
  from.frame.origin = Vec3(2.0, -3.0, 0.0);
  to.frame.origin = Vec3(-3.0, 2.0, 0.0);
  const SpanGeometry in = spanBetween(from, over);
  const SpanGeometry out = spanBetween(over, to);
  ASSERT_EQ(in.end[1].place.corner, out.end[0].place.corner);
  const Wrap wrap = wrapBetween(square, 1, in.end[1].place, out.end[0].place);
  EXPECT_EQ(wrap.length, 0.0);
  EXPECT_NEAR(wrap.angle, 0.5 * pi - 2.0 * std::atan(0.25), 1e-14);
}

TEST(Wrap, OnRandomHullsTheAngleIsThatBetweenTheSpansAndTheLengthIsAlongTheCorners) {
  test::Random random(1);
  const Outline point = Outline::point();
  for (int i = 0; i < 5000; ++i) {
    const Outline o = random.hull(1.0, i % 2 == 0 ? 0.0 : 0.2);
    SpanLink over{.outline = &o, .sigma = random.sigma()};
    SpanLink from{.outline = &point};
    SpanLink to{.outline = &point};
    const double a = random.between(0.0, 6.28);
    const double b = random.between(0.0, 6.28);
    from.frame.origin = random.between(2.0, 5.0) * Vec3(std::cos(a), std::sin(a), 0.0);
    to.frame.origin = random.between(2.0, 5.0) * Vec3(std::cos(b), std::sin(b), 0.0);
    const SpanGeometry in = spanBetween(from, over);
    const SpanGeometry out = spanBetween(over, to);
    ASSERT_EQ(in.status, TangentStatus::ok);
    const Wrap wrap = wrapBetween(o, over.sigma, in.end[1].place, out.end[0].place);
    double turn = over.sigma * std::atan2(in.n.cross(out.n).z(), in.n.dot(out.n));
    if (turn < 0.0) turn += 2.0 * pi;
    EXPECT_NEAR(std::abs(std::remainder(wrap.angle - turn, 2.0 * pi)), 0.0, 1e-13);
    const Vec2 reached = o.at(in.end[1].place.s + over.sigma * wrap.length).point;
    EXPECT_NEAR((reached - out.end[0].place.point).norm(), 0.0, 1e-13);
    EXPECT_GE(wrap.length, -1e-14);
    EXPECT_LE(wrap.length, o.perimeter());
  }
}

TEST(Wrap, StoredLengthGoesThroughZeroToNegativeWhenTheTangentPointsPass) {
  // A wheel of 0.5 m is lowered away from a cable between (−2, 0) and (2, 0) that ran over its top.
  const Outline wheel = Outline::circle(0.5);
  const Outline point = Outline::point();
  SpanLink from{.outline = &point};
  SpanLink to{.outline = &point};
  from.frame.origin = Vec3(-2.0, 0.0, 0.0);
  to.frame.origin = Vec3(2.0, 0.0, 0.0);
  SpanLink over{.outline = &wheel, .sigma = -1};
  Wrap wrap{0.5, 1.0};
  double last = 10.0;
  for (double height = -0.1; height > -1.0; height -= 0.01) {
    over.frame.origin = Vec3(0.0, height, 0.0);
    const SpanGeometry in = spanBetween(from, over);
    const SpanGeometry out = spanBetween(over, to);
    wrap = continueWrap(wheel, -1, in.end[1].place, out.end[0].place, wrap);
    EXPECT_LT(wrap.angle, last);
    EXPECT_LT(last == 10.0 ? 0.0 : last - wrap.angle, 0.1);
    EXPECT_NEAR(wrap.length, 0.5 * wrap.angle, 1e-13);
    EXPECT_EQ(wrap.angle > 0.0, height > -0.5);
    last = wrap.angle;
  }
  EXPECT_LT(last, -0.4);
}

TEST(Wrap, OnACornerTheAngleBecomesNegativeThoughNoLengthIsStored) {
  const std::vector<Vec2> corners{{-1.0, -1.0}, {1.0, -1.0}, {0.0, 1.0}};
  const Outline wedge = *Outline::polygon(corners);
  const Outline point = Outline::point();
  SpanLink from{.outline = &point};
  SpanLink to{.outline = &point};
  from.frame.origin = Vec3(-2.0, 0.0, 0.0);
  to.frame.origin = Vec3(2.0, 0.0, 0.0);
  SpanLink over{.outline = &wedge, .sigma = -1};
  Wrap wrap{0.0, 0.5};
  for (double height = -0.9; height > -1.1; height -= 0.01) {
    over.frame.origin = Vec3(0.0, height, 0.0);
    wrap = continueWrap(wedge, -1, spanBetween(from, over).end[1].place, spanBetween(over, to).end[0].place, wrap);
    EXPECT_EQ(wrap.length, 0.0);
    EXPECT_NEAR(wrap.angle, 2.0 * std::atan((1.0 + height) / 2.0), 1e-13);
  }
}

TEST(Travel, AWheelThatSpins40TurnsAStepPaysOutExactlyRadiusTimesTurn) {
  const Outline drum = Outline::circle(0.3);
  const LinkFrame frame;
  const BoundaryPoint still = drum.atAngle(1.0);
  ContactTravel travel = travelOf(still);
  double turned = 0.0;
  for (int step = 0; step < 100; ++step) {
    const double spin = 2.0 * pi * 40.0 + 0.123;
    turned += spin;
    // The contact stays where it is in space, so it goes back on the drum.
    travel = continueTravel(drum, drum.atAngle(1.0 - turned), travel, turnAbout(spin * frame.normal, frame.normal));
  }
  EXPECT_NEAR(travel.s, 0.3 * (1.0 - turned), 1e-9);
  EXPECT_NEAR(paidOut(1, SpanSide::exit, travel.s - still.s), 0.3 * turned, 1e-9);
}

TEST(Travel, OnATurningPolygonEveryTurnGivesOnePerimeterAlsoAcrossTheMark) {
  test::Random random(2);
  const Outline point = Outline::point();
  for (int trial = 0; trial < 200; ++trial) {
    const Outline o = random.hull(1.0, trial % 2 == 0 ? 0.0 : 0.1);
    SpanLink reel{.outline = &o, .sigma = random.sigma()};
    SpanLink to{.outline = &point};
    to.frame.origin = Vec3(4.0, 1.0, 0.0);
    const double step = random.sigma() * random.between(0.05, 14.0);
    const SpanGeometry first = spanBetween(reel, to);
    ContactTravel travel = travelOf(first.end[0].place);
    const double start = travel.s;
    double angle = 0.0;
    SpanGeometry now = first;
    for (int k = 0; k < 50; ++k) {
      angle += step;
      reel.frame = test::moved(LinkFrame{}, Vec3::Zero(), Vec3::Zero(), Vec3(0.0, 0.0, angle));
      now = spanBetween(reel, to);
      travel = continueTravel(o, now.end[0].place, travel, step);
    }
    // Back to a whole number of turns: exactly that many perimeters.
    const double whole = 2.0 * pi * std::round(angle / (2.0 * pi));
    reel.frame = LinkFrame{};
    travel = continueTravel(o, spanBetween(reel, to).end[0].place, travel, whole - angle);
    EXPECT_NEAR(travel.s - start, -std::round(angle / (2.0 * pi)) * o.perimeter(), 1e-10);
  }
}

TEST(Travel, TurnBetweenFramesIsTheSpinWhenTheAxisStaysAndKeepsToTheExpectedTurn) {
  test::Random random(3);
  for (int i = 0; i < 500; ++i) {
    const LinkFrame f = LinkFrame::fromNormal(Vec3::Zero(), random.direction());
    const double spin = random.between(-50.0, 50.0);
    const LinkFrame g = test::moved(f, Vec3::Zero(), Vec3::Zero(), spin * f.normal);
    EXPECT_NEAR(turnBetween(f, g, spin + random.between(-3.0, 3.0)), spin, 1e-12);
    // A tilt about an axis in the plane is no turn.
    EXPECT_NEAR(turnBetween(f, test::moved(f, Vec3::Zero(), Vec3::Zero(), 0.8 * f.y)), 0.0, 1e-14);
  }
}

TEST(Flow, BetweenTwoSpansAndAMovingSpinningOutlineConservesTheCableTo1e11Over2000Steps) {
  test::Random random(4);
  const Outline point = Outline::point();
  for (int trial = 0; trial < 8; ++trial) {
    const Outline o = trial % 2 == 0 ? Outline::circle(0.6) : random.hull(0.7, trial % 4 == 1 ? 0.0 : 0.1);
    SpanLink reel{.outline = &o, .sigma = trial < 4 ? 1 : -1};
    SpanLink left{.outline = &point};
    SpanLink right{.outline = &point};
    left.frame.origin = Vec3(-3.0, reel.sigma * 0.5, 0.0);
    right.frame.origin = Vec3(3.0, reel.sigma * 0.5, 0.0);
    SpanGeometry in = spanBetween(left, reel);
    SpanGeometry out = spanBetween(reel, right);
    double restIn = in.length;
    double restOut = out.length;
    ContactTravel entry = travelOf(in.end[1].place);
    ContactTravel exit = travelOf(out.end[0].place);
    Wrap wrap = wrapBetween(o, reel.sigma, in.end[1].place, out.end[0].place, 5);
    const double total = restIn + wrap.length + restOut;
    double angle = 0.0;
    for (int step = 0; step < 2000; ++step) {
      const double spin = random.between(-9.0, 9.0);
      angle += spin;
      const Vec3 center(0.3 * std::sin(0.1 * step), 0.3 * std::cos(0.07 * step), 0.0);
      reel.frame = test::moved(LinkFrame{}, Vec3::Zero(), center, Vec3(0.0, 0.0, angle));
      in = spanBetween(left, reel);
      out = spanBetween(reel, right);
      const ContactTravel nextEntry = continueTravel(o, in.end[1].place, entry, spin);
      const ContactTravel nextExit = continueTravel(o, out.end[0].place, exit, spin);
      restIn += paidOut(reel.sigma, SpanSide::entry, nextEntry.s - entry.s);
      restOut += paidOut(reel.sigma, SpanSide::exit, nextExit.s - exit.s);
      entry = nextEntry;
      exit = nextExit;
      // The stored length is measured afresh, from the contact points.
      wrap = continueWrap(o, reel.sigma, in.end[1].place, out.end[0].place, wrap);
      ASSERT_NEAR(restIn + wrap.length + restOut, total, 1e-11);
    }
  }
}

}  // namespace
}  // namespace reeve
