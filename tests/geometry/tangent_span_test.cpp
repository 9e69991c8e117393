#include "reeve/geometry/tangent_span.h"
#include "reeve/geometry/span_stiffness.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "outline_random.h"
#include "reeve/geometry/wrap.h"

namespace reeve {
namespace {

using Vec12 = Eigen::Matrix<double, 12, 1>;

/// Two links on two bodies, and E of equation (2) as a function of the bodies' twelve coordinates.
struct Scene {
  Outline outline1 = Outline::point();
  Outline outline2 = Outline::point();
  SpanLink link1;
  SpanLink link2;
  SpanMount mount1;
  SpanMount mount2;
  SpanGeometry span;

  bool settle() {
    link1.outline = &outline1;
    link2.outline = &outline2;
    span = spanBetween(link1, link2);
    return span.status == TangentStatus::ok;
  }

  SpanGeometry spanAt(const Vec12& q) const {
    SpanLink a = link1;
    SpanLink b = link2;
    a.frame = test::moved(link1.frame, mount1.reference, q.segment<3>(0), q.segment<3>(3));
    b.frame = test::moved(link2.frame, mount2.reference, q.segment<3>(6), q.segment<3>(9));
    return spanBetween(a, b);
  }

  /// ccw travel of a contact on its surface; a rotor's surface does not follow the body's turn.
  double travel(std::size_t i, const SpanGeometry& now, const Vec3& phi) const {
    const Outline& outline = i == 0 ? outline1 : outline2;
    const ContactTravel before = travelOf(span.end[i].place);
    const double turned = continueTravel(outline, now.end[i].place, before).s - before.s;
    const bool rotor = (i == 0 ? mount1 : mount2).rotor;
    return rotor ? turned + outline.radius() * turnAbout(phi, span.end[i].axis) : turned;
  }

  double energyLength(const Vec12& q) const {
    const SpanGeometry now = spanAt(q);
    return now.length + link1.sigma * travel(0, now, q.segment<3>(3)) - link2.sigma * travel(1, now, q.segment<3>(9));
  }

  /// Central difference of fourth order.
  double slope(const Vec12& direction, double h) const {
    return (8.0 * (energyLength(h * direction) - energyLength(-h * direction)) -
            (energyLength(2.0 * h * direction) - energyLength(-2.0 * h * direction))) /
           (12.0 * h);
  }

  double curvature(const Vec12& direction, double h) const {
    const double middle = energyLength(Vec12::Zero());
    const auto at = [&](double t) { return energyLength(t * direction) - middle; };
    return (16.0 * (at(h) + at(-h)) - (at(2.0 * h) + at(-2.0 * h))) / (12.0 * h * h);
  }

  bool sameCornersNearby(double h) const {
    for (int k = 0; k < 12; ++k) {
      for (const double sign : {-2.0, 2.0}) {
        const SpanGeometry now = spanAt(sign * h * Vec12::Unit(k));
        if (now.status != TangentStatus::ok) return false;
        for (std::size_t i = 0; i < 2; ++i) {
          if (now.end[i].place.corner != span.end[i].place.corner || now.end[i].onEdge != span.end[i].onEdge)
            return false;
        }
      }
    }
    return true;
  }

  double worstRowError(double h) const {
    const std::array<double, 12> row = spanRow(span, spanGradient(span), mount1, mount2);
    double worst = 0.0;
    for (int k = 0; k < 12; ++k) {
      worst = std::max(worst, std::abs(slope(Vec12::Unit(k), h) - row[static_cast<std::size_t>(k)]));
    }
    return worst;
  }
};

enum class Kind { point, circle, polygon, rounded };

Outline make(Kind kind, test::Random& random) {
  switch (kind) {
    case Kind::circle:
      return Outline::circle(random.between(0.1, 1.0));
    case Kind::polygon:
      return random.hull(1.0);
    case Kind::rounded:
      return random.hull(0.7, 0.3);
    default:
      return Outline::point();
  }
}

Scene skewScene(Kind kind1, Kind kind2, double tilt, test::Random& random) {
  Scene scene;
  scene.outline1 = make(kind1, random);
  scene.outline2 = make(kind2, random);
  const Vec3 z = Vec3::UnitZ();
  scene.link1.sigma = random.sigma();
  scene.link2.sigma = random.sigma();
  const Vec3 origin1 = random.inCube(0.2);
  const Vec3 origin2{random.between(3.0, 6.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0)};
  const double facing = random.sigma();
  scene.link1.frame = LinkFrame::fromNormal(origin1, z + tilt * random.direction());
  scene.link2.frame = LinkFrame::fromNormal(origin2, facing * z + tilt * random.direction());
  scene.mount1.reference = scene.link1.frame.origin + random.inCube(0.5);
  scene.mount2.reference = scene.link2.frame.origin + random.inCube(0.5);
  return scene;
}

/// Both links in the plane z = 0, each seen from above or from below.
Scene planarScene(Kind kind1, Kind kind2, test::Random& random) {
  Scene scene = skewScene(kind1, kind2, 0.0, random);
  scene.link1.frame.origin.z() = 0.0;
  scene.link2.frame.origin.z() = 0.0;
  return scene;
}

TEST(Span, BetweenSkewPlanesMeetsBothTangencyConditionsTo1e13) {
  test::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    Scene scene = skewScene(Kind::circle, Kind::circle, random.between(0.0, 0.7), random);
    ASSERT_TRUE(scene.settle());
    EXPECT_LE(scene.span.iterations, 6);
    for (const SpanEnd& end : scene.span.end) {
      EXPECT_LE(std::abs(end.outward.dot(scene.span.n)), 1e-13);
      EXPECT_GT(end.tangent.dot(scene.span.n), 0.0);
      EXPECT_NEAR(end.kink, 1.0 - end.tangent.dot(scene.span.n), 1e-14);
    }
  }
}

TEST(Span, InCoincidingPlanesEqualsTheClosedFormAlsoSeenFromBehind) {
  test::Random random(2);
  for (int i = 0; i < 5000; ++i) {
    Scene scene = planarScene(Kind::circle, Kind::circle, random);
    ASSERT_TRUE(scene.settle());
    const double side1 = scene.link1.sigma * scene.link1.frame.normal.z();
    const double side2 = scene.link2.sigma * scene.link2.frame.normal.z();
    const CircleTangent t = circleTangent(scene.link1.frame.origin.head<2>(), side1 * scene.outline1.radius(),
                                          scene.link2.frame.origin.head<2>(), side2 * scene.outline2.radius());
    EXPECT_NEAR((scene.span.end[0].point.head<2>() - t.a1).norm(), 0.0, 1e-14);
    EXPECT_NEAR((scene.span.end[1].point.head<2>() - t.a2).norm(), 0.0, 1e-14);
    EXPECT_NEAR((scene.span.end[0].tangent - scene.span.n).norm(), 0.0, 1e-14);
    EXPECT_EQ(scene.span.iterations, 0);
  }
}

TEST(Span, SkewSearchRunsIntoThePlanarAnswerAsTheTiltVanishes) {
  test::Random random(3);
  for (int i = 0; i < 2000; ++i) {
    Scene scene = planarScene(i % 2 == 0 ? Kind::circle : Kind::rounded, Kind::circle, random);
    ASSERT_TRUE(scene.settle());
    Vec12 q = Vec12::Zero();
    q.segment<3>(3) = 1e-8 * random.direction();  // beyond the tolerance of coinciding planes
    q.segment<3>(9) = 1e-8 * random.direction();
    EXPECT_NEAR(scene.spanAt(q).length, scene.span.length, 1e-7);
    const std::array<double, 12> row = spanRow(scene.span, spanGradient(scene.span), scene.mount1, scene.mount2);
    double predicted = 0.0;
    for (int k = 0; k < 12; ++k) predicted += row[static_cast<std::size_t>(k)] * q(k);
    EXPECT_NEAR(scene.energyLength(q) - scene.span.length, predicted, 2e-14);
  }
}

TEST(SpanGradient, BetweenSkewCirclesEqualsFiniteDifferencesTo1e9InAllTwelveCoordinates) {
  test::Random random(4);
  double worst = 0.0;
  for (int i = 0; i < 1000; ++i) {
    Scene scene = skewScene(Kind::circle, Kind::circle, random.between(0.0, 0.6), random);
    ASSERT_TRUE(scene.settle());
    worst = std::max(worst, scene.worstRowError(5e-4));
  }
  EXPECT_LE(worst, 1e-9);
}

TEST(SpanGradient, PullingAlongNAloneIsWrongBetweenSkewCircles) {
  // The terms with μ are needed: without them the error is of the order κ²ρ/l, here several percent.
  test::Random random(5);
  double largest = 0.0;
  for (int i = 0; i < 200; ++i) {
    Scene scene = skewScene(Kind::circle, Kind::circle, 0.6, random);
    ASSERT_TRUE(scene.settle());
    largest = std::max(largest, (spanGradient(scene.span).pull[1] - scene.span.n).norm());
  }
  EXPECT_GT(largest, 0.03);
}

TEST(SpanGradient, WithPolygonsAndRoundedPolygonsEqualsFiniteDifferencesTo1e8) {
  test::Random random(6);
  int checked = 0;
  double worst = 0.0;
  for (int i = 0; i < 1500; ++i) {
    const Kind kinds[] = {Kind::point, Kind::circle, Kind::polygon, Kind::rounded};
    Scene scene = skewScene(kinds[i % 4], kinds[(i / 4) % 4], random.between(0.0, 0.5), random);
    ASSERT_TRUE(scene.settle());
    if (!scene.sameCornersNearby(2e-4)) continue;
    worst = std::max(worst, scene.worstRowError(2e-4));
    ++checked;
  }
  EXPECT_GT(checked, 1300);
  EXPECT_LE(worst, 1e-8);
}

TEST(SpanGradient, WhereTheCableTouchesInsideAnEdgeEqualsFiniteDifferencesTo1e8) {
  test::Random random(7);
  int checked = 0;
  for (int i = 0; i < 200000 && checked < 40; ++i) {
    const Kind kind = i % 2 == 0 ? Kind::circle : Kind::polygon;
    Scene scene = skewScene(kind, Kind::polygon, 0.9, random);
    if (!scene.settle() || !(scene.span.end[0].onEdge || scene.span.end[1].onEdge)) continue;
    // Where the contact runs fast, finite differences are not exact enough to judge.
    if (!scene.sameCornersNearby(1e-4) || spanGradient(scene.span).pull[1].norm() > 10.0) continue;
    EXPECT_LE(scene.worstRowError(1e-5), 1e-8);
    ++checked;
  }
  EXPECT_GE(checked, 20);
}

TEST(SpanGradient, InOnePlaneThePullIsNAtTheContactAndNothingElse) {
  test::Random random(8);
  for (int i = 0; i < 1000; ++i) {
    Scene scene = planarScene(Kind::circle, i % 2 == 0 ? Kind::circle : Kind::rounded, random);
    ASSERT_TRUE(scene.settle());
    const SpanGradient g = spanGradient(scene.span);
    EXPECT_NEAR((g.pull[0] + scene.span.n).norm(), 0.0, 1e-14);
    EXPECT_NEAR((g.moment[1] - (scene.span.end[1].point - scene.span.end[1].origin).cross(scene.span.n)).norm(), 0.0,
                1e-14);
  }
}

TEST(SpanGradient, TheSpinOfACircleGivesMinusSigmaROnExitAndPlusSigmaROnEntryWhateverThePlanes) {
  test::Random random(9);
  for (int i = 0; i < 5000; ++i) {
    Scene scene = skewScene(Kind::circle, Kind::circle, random.between(0.0, 0.7), random);
    ASSERT_TRUE(scene.settle());
    const SpanGradient g = spanGradient(scene.span);
    EXPECT_NEAR(g.spin[0], -scene.link1.sigma * scene.outline1.radius(), 1e-12);
    EXPECT_NEAR(g.spin[1], scene.link2.sigma * scene.outline2.radius(), 1e-12);
  }
}

TEST(SpanGradient, ARigidMotionOfBothBodiesTogetherChangesNothingTo1e13) {
  test::Random random(10);
  for (int i = 0; i < 2000; ++i) {
    Scene scene = skewScene(Kind::circle, Kind::rounded, 0.5, random);
    ASSERT_TRUE(scene.settle());
    const SpanGradient g = spanGradient(scene.span);
    EXPECT_NEAR((g.pull[0] + g.pull[1]).norm(), 0.0, 1e-15);
    const Vec3 total = g.moment[0] + g.moment[1] + scene.link1.frame.origin.cross(g.pull[0]) +
                       scene.link2.frame.origin.cross(g.pull[1]);
    EXPECT_NEAR(total.norm(), 0.0, 1e-13);
  }
}

TEST(SpanGradient, OfRotorsLeavesTheAxleMomentToTheSpin) {
  test::Random random(11);
  for (int i = 0; i < 300; ++i) {
    Scene scene = skewScene(Kind::circle, Kind::circle, 0.4, random);
    scene.mount1.rotor = true;
    scene.mount2.rotor = i % 2 == 0;
    ASSERT_TRUE(scene.settle());
    EXPECT_LE(scene.worstRowError(5e-4), 1e-9);
  }
}

Mat12 finiteHessian(const Scene& scene, double h) {
  Mat12 hessian;
  for (int i = 0; i < 12; ++i) hessian(i, i) = scene.curvature(Vec12::Unit(i), h);
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < i; ++j) {
      const double both = scene.curvature(Vec12::Unit(i) + Vec12::Unit(j), h);
      hessian(i, j) = hessian(j, i) = 0.5 * (both - hessian(i, i) - hessian(j, j));
    }
  }
  return hessian;
}

TEST(SpanStiffness, BetweenPointsOnBodiesIsTheSecondDerivativeTo1e8) {
  test::Random random(12);
  for (int i = 0; i < 50; ++i) {
    Scene scene = skewScene(Kind::point, Kind::point, 0.5, random);
    ASSERT_TRUE(scene.settle());
    const Mat12 k = spanStiffness(scene.span, 1.0, scene.mount1, scene.mount2);
    EXPECT_LE((k - finiteHessian(scene, 2e-3)).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(SpanStiffness, BetweenCirclesInOnePlaneIsTheSecondDerivativeInAllDirectionsOfSpaceTo1e7) {
  test::Random random(13);
  for (int i = 0; i < 50; ++i) {
    Scene scene = planarScene(Kind::circle, i % 3 == 0 ? Kind::point : Kind::circle, random);
    ASSERT_TRUE(scene.settle());
    const Mat12 k = spanStiffness(scene.span, 1.0, scene.mount1, scene.mount2);
    EXPECT_LE((k - finiteHessian(scene, 2e-3)).cwiseAbs().maxCoeff(), 1e-7);
  }
}

TEST(SpanStiffness, AtAxlesIsTensionOverLengthAcrossTheSpanWithoutSpinCoupling) {
  test::Random random(14);
  for (int i = 0; i < 200; ++i) {
    Scene scene = planarScene(Kind::circle, Kind::circle, random);
    scene.mount1.reference = scene.link1.frame.origin;
    scene.mount2.reference = scene.link2.frame.origin;
    ASSERT_TRUE(scene.settle());
    const double tension = random.between(1.0, 1e3);
    const Mat3 expected = spanTransverse(scene.span, tension);
    EXPECT_NEAR(expected.trace(), 2.0 * tension / scene.span.length, 1e-12 * tension);
    for (const auto& stiffness : {spanStiffness, spanStiffnessPositive}) {
      const Mat12 k = stiffness(scene.span, tension, scene.mount1, scene.mount2);
      EXPECT_LE((k.block<3, 3>(0, 0) - expected).norm(), 1e-12 * tension);
      EXPECT_LE((k.block<3, 3>(0, 6) + expected).norm(), 1e-12 * tension);
    }
    const Mat12 k = spanStiffness(scene.span, tension, scene.mount1, scene.mount2);
    EXPECT_LE((k.block<12, 3>(0, 3) * Vec3::UnitZ()).norm(), 1e-12 * tension);
    EXPECT_LE((k.block<12, 3>(0, 9) * Vec3::UnitZ()).norm(), 1e-12 * tension);
  }
}

TEST(SpanStiffness, ThePositivePartIsPositiveAndNeverBelowTheExactOne) {
  test::Random random(15);
  for (int i = 0; i < 500; ++i) {
    Scene scene = i % 2 == 0 ? skewScene(Kind::circle, Kind::point, 0.4, random)
                             : skewScene(Kind::rounded, Kind::circle, 0.4, random);
    ASSERT_TRUE(scene.settle());
    scene.mount1.rotor = i % 3 == 0;
    if (i % 5 == 0) scene.mount2.reference = scene.span.end[1].point + random.sigma() * scene.span.n;  // lever along n
    const Mat12 k = spanStiffness(scene.span, 1.0, scene.mount1, scene.mount2);
    const Mat12 positive = spanStiffnessPositive(scene.span, 1.0, scene.mount1, scene.mount2);
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat12>(positive).eigenvalues().minCoeff(), -1e-13);
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat12>(positive - k).eigenvalues().minCoeff(), -1e-13);
    EXPECT_LE((positive - positive.transpose()).norm(), 1e-14);
  }
}

TEST(SpanStiffness, BetweenCirclesInClosedFormIsTheGeneralOneTo1e12) {
  test::Random random(17);
  for (int i = 0; i < 500; ++i) {
    Scene scene = planarScene(Kind::circle, Kind::circle, random);
    scene.mount1.rotor = i % 2 == 0;
    scene.mount2.rotor = i % 3 == 0;
    ASSERT_TRUE(scene.settle());
    const double tension = random.between(1.0, 1e3);
    const auto end = [&](int e) {
      const SpanMount& mount = e == 0 ? scene.mount1 : scene.mount2;
      const SpanEnd& at = scene.span.end[static_cast<std::size_t>(e)];
      return CircleEnd{at.origin - mount.reference, at.point - at.origin, (at.point - at.origin).norm(), mount.rotor};
    };
    Mat6 k11 = Mat6::Zero(), k22 = Mat6::Zero(), k12 = Mat6::Zero();
    addCircleStiffness(scene.span.n, scene.span.length, tension, {end(0), end(1)}, &k11, &k22, &k12);
    Mat12 k;
    k << k11, k12, k12.transpose(), k22;
    const Mat12 general = spanStiffnessPositive(scene.span, tension, scene.mount1, scene.mount2);
    EXPECT_LE((k - general).cwiseAbs().maxCoeff(), 1e-12 * (tension + general.cwiseAbs().maxCoeff()));
  }
}

TEST(Span, AHintNeverChangesTheAnswer) {
  test::Random random(16);
  for (int i = 0; i < 3000; ++i) {
    Scene scene = skewScene(Kind::rounded, Kind::polygon, 0.3, random);
    ASSERT_TRUE(scene.settle());
    scene.link1.hint = random.integer(0, scene.outline1.cornerCount() - 1);
    scene.link2.hint = random.integer(0, scene.outline2.cornerCount() - 1);
    const SpanGeometry again = spanBetween(scene.link1, scene.link2);
    EXPECT_NEAR((again.end[0].point - scene.span.end[0].point).norm(), 0.0, 1e-12);
    EXPECT_NEAR((again.end[1].point - scene.span.end[1].point).norm(), 0.0, 1e-12);
  }
}

TEST(Span, FramesThatAreNotNumbersGiveNoTangentAndEnd) {
  test::Random random(17);
  for (int i = 0; i < 16; ++i) {
    const Kind kinds[] = {Kind::point, Kind::circle, Kind::polygon, Kind::rounded};
    Scene scene = skewScene(kinds[i % 4], kinds[i / 4], 0.3, random);
    scene.link2.frame.origin.x() = std::nan("");
    EXPECT_FALSE(scene.settle());
  }
}

TEST(Span, AnEndInsideTheOtherOutlineOrAboveItsDiscHasNoTangent) {
  const Outline disc = Outline::circle(1.0);
  const Outline point = Outline::point();
  SpanLink wheel{.outline = &disc};
  SpanLink above{.outline = &point};
  above.frame.origin = Vec3(0.3, 0.0, 2.0);
  EXPECT_EQ(spanBetween(wheel, above).status, TangentStatus::noTangent);
  EXPECT_EQ(spanBetween(above, wheel).status, TangentStatus::noTangent);
  EXPECT_EQ(spanBetween(above, above).status, TangentStatus::noTangent);
}

}  // namespace
}  // namespace reeve
