#include "reeve/math/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reeve/math/scalar.h"

namespace {

using reeve::Mat3;
using reeve::Quat;
using reeve::Vec3;

constexpr double rounding = 1e-15;  // a few units in the last place of 1

class Draw {
 public:
  double uniform(double a, double b) { return a + (b - a) * 0x1p-53 * static_cast<double>(generator_() >> 11); }
  Vec3 vector() {
    const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    return {x, y, z};
  }
  Vec3 direction() { return vector().normalized(); }

 private:
  std::mt19937_64 generator_{7};
};

double difference(const Quat& a, const Quat& b) {
  return std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
}

TEST(Skew, IsTheCrossProduct) {
  Draw draw;
  const Vec3 a = draw.vector(), b = draw.vector();
  EXPECT_LE((reeve::skew(a) * b - a.cross(b)).norm(), rounding);
}

TEST(RotationExp, TurnsAboutTheAxisByTheAngle) {
  const Vec3 turned = reeve::rotationExp(Vec3(0, 0, reeve::math::pi / 2)) * Vec3(1, 0, 0);
  EXPECT_LE((turned - Vec3(0, 1, 0)).norm(), rounding);
}

TEST(RotationExp, IsAUnitQuaternionAtEveryAngle) {
  Draw draw;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 theta = std::exp2(draw.uniform(-40, 5)) * draw.direction();
    EXPECT_NEAR(reeve::rotationExp(theta).norm(), 1, rounding);
  }
}

TEST(RotationExp, HasNoStepWhereTheSeriesEnds) {
  const double edge = std::sqrt(1e-3);
  for (const double angle : {edge * (1 - 1e-9), edge * (1 + 1e-9)}) {
    const Quat q = reeve::rotationExp(Vec3(angle, 0, 0));
    EXPECT_NEAR(q.x(), std::sin(angle / 2), 1e-17);
    EXPECT_NEAR(q.w(), std::cos(angle / 2), 2e-16);
  }
}

TEST(RotationLog, InvertsTheExponentialUpToHalfATurn) {
  Draw draw;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 theta = std::min(3.1415, std::exp2(draw.uniform(-40, 2))) * draw.direction();
    EXPECT_LE((reeve::rotationLog(reeve::rotationExp(theta)) - theta).norm(), 4 * rounding * theta.norm());
  }
}

TEST(RotationLog, TakesTheShortWayAndIgnoresTheSignOfTheQuaternion) {
  Draw draw;
  for (int i = 0; i < 1000; ++i) {
    const Quat q = reeve::rotationExp(draw.uniform(0, 12) * draw.direction());
    const Quat opposite(-q.w(), -q.x(), -q.y(), -q.z());
    EXPECT_LE(reeve::rotationLog(q).norm(), reeve::math::pi + rounding);
    EXPECT_EQ(reeve::rotationLog(q), reeve::rotationLog(opposite));
    EXPECT_LE(difference(reeve::rotationExp(reeve::rotationLog(q)), q), 3 * rounding);
  }
}

// exp(theta + T⁻¹ dphi) against exp(dphi) exp(theta); central differences of step 1e-5 leave an error near 1e-10 times
// the third derivative, which grows towards 2π.
TEST(LeftJacobianInverse, IsTheDerivativeOfTheRotationVectorUnderAWorldRotation) {
  Draw draw;
  const double h = 1e-5;
  for (const double angle : {1e-9, 1e-3, 0.0999, 0.1001, 1.0, 3.0, 4.5, 5.5}) {
    const Vec3 theta = angle * draw.direction();
    const Mat3 inverse = reeve::leftJacobianInverse(theta);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 dphi = Vec3::Zero();
      dphi[axis] = h;
      const Quat forward = reeve::rotationExp(theta + inverse * dphi),
                 back = reeve::rotationExp(theta - inverse * dphi);
      const Quat base = reeve::rotationExp(theta);
      const Vec3 turn = reeve::rotationLog(forward * base.conjugate()) - reeve::rotationLog(back * base.conjugate());
      EXPECT_LE((turn / (2 * h) - dphi / h).norm(), 2e-8) << "angle " << angle << ", axis " << axis;
    }
  }
}

TEST(LeftJacobianInverse, HasNoStepWhereTheSeriesEnds) {
  const Vec3 axis = Vec3(1, 2, -2) / 3;
  const Mat3 before = reeve::leftJacobianInverse((0.1 - 1e-12) * axis);
  const Mat3 after = reeve::leftJacobianInverse((0.1 + 1e-12) * axis);
  EXPECT_LE((before - after).norm(), 1e-11);
}

TEST(LeftJacobianInverse, StaysFiniteAtAndBeyondAFullTurn) {
  for (const double angle : {2 * reeve::math::pi, 7.0, 4 * reeve::math::pi, 1e6}) {
    EXPECT_TRUE(reeve::leftJacobianInverse(Vec3(angle, 0, 0)).allFinite()) << angle;
  }
}

TEST(OrthonormalBasis, IsRightHandedAndOrthonormalForEveryDirection) {
  Draw draw;
  for (int i = 0; i < 1000; ++i) {
    Vec3 n = draw.direction();
    if (i < 6) n = (i % 2 ? 1.0 : -1.0) * Vec3::Unit(i / 2);
    if (i == 6) n = Vec3(1, 0, -0.0);
    Vec3 t1, t2;
    reeve::orthonormalBasis(n, t1, t2);
    EXPECT_LE((t1.cross(t2) - n).norm(), rounding);
    EXPECT_NEAR(t1.norm(), 1, rounding);
    EXPECT_NEAR(t2.norm(), 1, rounding);
    EXPECT_NEAR(t1.dot(n), 0, rounding);
  }
}

TEST(FromTwoVectors, TurnsTheOneIntoTheOtherWhateverTheirLengths) {
  Draw draw;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a = draw.vector(), b = draw.vector();
    const double scale = std::exp2(draw.uniform(-500, 500));
    const Quat q = reeve::fromTwoVectors(scale * a, b);
    EXPECT_LE((q * a.normalized() - b.normalized()).norm(), 3 * rounding);
    EXPECT_NEAR(q.norm(), 1, rounding);
  }
}

TEST(FromTwoVectors, IsExactForNearlyOppositeVectors) {
  Draw draw;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a = draw.direction();
    const Vec3 b = (-a + std::exp2(draw.uniform(-70, -1)) * draw.direction()).normalized();
    const Quat q = reeve::fromTwoVectors(a, b);
    EXPECT_LE((q * a - b).norm(), 3 * rounding);
    EXPECT_NEAR(q.norm(), 1, rounding);
  }
}

TEST(FromTwoVectors, IsTheSmallestRotation) {
  Draw draw;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 a = draw.direction(), b = draw.direction();
    const double angle = reeve::math::atan2(a.cross(b).norm(), a.dot(b));
    EXPECT_NEAR(reeve::rotationLog(reeve::fromTwoVectors(a, b)).norm(), angle, 1e-14);
  }
}

TEST(FromTwoVectors, HandlesOppositeEqualAndZeroVectors) {
  for (int i = 0; i < 3; ++i) {
    const Vec3 a = Vec3::Unit(i);
    EXPECT_LE((reeve::fromTwoVectors(a, -a) * a + a).norm(), rounding);
    EXPECT_LE(difference(reeve::fromTwoVectors(a, 5 * a), Quat::Identity()), rounding);
  }
  EXPECT_EQ(reeve::fromTwoVectors(Vec3::Zero(), Vec3(1, 0, 0)).w(), 1);
}

TEST(EigenSymmetric, RebuildsTheMatrixFromARotationAndRisingValues) {
  Draw draw;
  for (int i = 0; i < 1000; ++i) {
    Mat3 a;
    a << draw.vector(), draw.vector(), draw.vector();
    a = (a + a.transpose()).eval() * std::exp2(draw.uniform(-200, 200));
    if (i % 3 == 0) a(0, 1) = a(1, 0) *= 1e-9;
    Vec3 values;
    const Mat3 v = reeve::eigenSymmetric(a, values);
    EXPECT_LE((v * values.asDiagonal() * v.transpose() - a).norm(), 8 * rounding * a.norm());
    EXPECT_LE((v.transpose() * v - Mat3::Identity()).norm(), 4 * rounding);
    EXPECT_NEAR(v.determinant(), 1, 4 * rounding);
    EXPECT_LE(values[0], values[1]);
    EXPECT_LE(values[1], values[2]);
  }
}

TEST(EigenSymmetric, FindsTheKnownValuesOfABrickAndOfEqualAxes) {
  Vec3 values;
  const Mat3 v = reeve::eigenSymmetric(Vec3(3, 1, 2).asDiagonal(), values);
  EXPECT_EQ(values, Vec3(1, 2, 3));
  EXPECT_NEAR(std::abs(v(1, 0)), 1, rounding);
  reeve::eigenSymmetric(Mat3::Identity() * 4, values);
  EXPECT_EQ(values, Vec3(4, 4, 4));
  reeve::eigenSymmetric(Mat3::Zero(), values);
  EXPECT_EQ(values, Vec3(0, 0, 0));
}

}  // namespace
