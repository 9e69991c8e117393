#include "reeve/geometry/mass.h"

#include <gtest/gtest.h>

#include "collide_random.h"

namespace reeve::collide_test {
namespace {

void expectNear(const Mat3& a, const Mat3& b, double tolerance) {
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), tolerance) << a << "\n\n" << b;
}

TEST(Mass, ClosedFormsOfRoundShapes) {
  const MassProperties ball = massOf({Sphere{2}, {}}, 3);
  EXPECT_NEAR(ball.mass, 3 * 4.0 / 3.0 * M_PI * 8, 1e-12);
  EXPECT_NEAR(ball.inertia(0, 0), 0.4 * ball.mass * 4, 1e-11);
  const MassProperties rod = massOf({Cylinder{0.5, 2}, {}}, 7);
  EXPECT_NEAR(rod.mass, 7 * M_PI * 0.25 * 4, 1e-12);
  EXPECT_NEAR(rod.inertia(2, 2), 0.5 * rod.mass * 0.25, 1e-12);
  EXPECT_NEAR(rod.inertia(0, 0), rod.mass * (3 * 0.25 + 16) / 12, 1e-11);
  // A capsule of no length is a ball; a very thin one is a rod.
  const MassProperties stub = massOf({Capsule{2, 1e-12}, {}}, 3);
  expectNear(stub.inertia, ball.inertia, 1e-8);
}

TEST(Mass, BoxAndItsHullAgreeTo1e13) {
  const Vec3 half(0.3, 0.5, 0.7);
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1 ? 0.3 : -0.3, i & 2 ? 0.5 : -0.5, i & 4 ? 0.7 : -0.7);
  const MassProperties box = massOf({Box{half}, {}}, 2), hull = massOf({*makeHull(corners), {}}, 2);
  EXPECT_NEAR(box.mass, 2 * 8 * 0.3 * 0.5 * 0.7, 1e-14);
  EXPECT_NEAR(box.inertia(0, 0), box.mass * (0.25 + 0.49) / 3, 1e-14);
  EXPECT_NEAR(hull.mass, box.mass, 1e-13);
  EXPECT_LT(hull.centre.norm(), 1e-14);
  expectNear(hull.inertia, box.inertia, 1e-13);
  const std::vector<Vec2> square = {{-0.3, -0.5}, {0.3, -0.5}, {0.3, 0.5}, {-0.3, 0.5}};
  expectNear(massOf({*makePrism(square, 0.7), {}}, 2).inertia, box.inertia, 1e-13);
}

TEST(Mass, TetrahedronHasVolumeOneSixthAndCentroidAtTheMean) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const MassProperties m = massOf({*makeHull(corners), {}}, 1);
  EXPECT_NEAR(m.mass, 1.0 / 6, 1e-15);
  EXPECT_LT((m.centre - Vec3::Constant(0.25)).norm(), 1e-15);
  // About the centroid: Ixx = m (3/80 + 3/80), Ixy = m/80.
  EXPECT_NEAR(m.inertia(0, 0), m.mass * 6 / 80, 1e-15);
  EXPECT_NEAR(m.inertia(0, 1), m.mass / 80, 1e-15);
}

/// A point is inside when no ray is needed to reach it.
bool inside(const Shape& s, const Vec3& p) {
  const auto hit = raycast(s, {}, p, p + Vec3(1e-9, 0, 0));
  return hit && hit->fraction == 0;
}

TEST(Mass, MonteCarloAgreesWithinItsOwnErrorForEveryShape) {
  Random random(5);
  for (const Named& named : boundedShapes()) {
    Shape shape = named.shape;
    shape.local = random.pose(0.3);
    const MassProperties exact = massOf(shape, 1);
    const Aabb box = bounds(shape, {});
    const Vec3 width = box.upper - box.lower;
    constexpr int samples = 200000;
    double hits = 0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    for (int i = 0; i < samples; ++i) {
      const Vec3 p = box.lower + (Vec3::Constant(0.5) + random.vector(0.5)).cwiseProduct(width);
      if (!inside(shape, p)) continue;
      ++hits;
      first += p;
      second += pointInertia(p - exact.centre);
    }
    const double v = width.prod() / samples;
    EXPECT_NEAR(hits * v / exact.mass, 1, 0.015) << named.name;
    EXPECT_LT((first / hits - exact.centre).norm(), 0.01) << named.name;
    expectNear(second * v / exact.inertia.trace(), exact.inertia / exact.inertia.trace(), 0.01);
  }
}

TEST(Mass, HalvesOfABoxMakeTheBox) {
  Random random(6);
  const Pose place = random.pose(2);
  const Shape whole{Box{Vec3(1, 0.5, 0.25)}, place};
  const std::vector<Shape> halves = {{Box{Vec3(0.5, 0.5, 0.25)}, place * Pose{Vec3(-0.5, 0, 0), Quat::Identity()}},
                                     {Box{Vec3(0.5, 0.5, 0.25)}, place * Pose{Vec3(0.5, 0, 0), Quat::Identity()}}};
  const MassProperties a = massOf(whole, 10), b = massOf(halves, 10);
  EXPECT_NEAR(a.mass, b.mass, 1e-12);
  EXPECT_LT((a.centre - b.centre).norm(), 1e-14);
  expectNear(a.inertia, b.inertia, 1e-12);
}

TEST(Mass, ParallelAxesAddMassTimesDistanceSquared) {
  const MassProperties m = massOf({Sphere{1}, {Vec3(1, 2, 3), Quat::Identity()}}, 1);
  const Mat3 about = inertiaAbout(m, Vec3(1, 2, 0));
  EXPECT_NEAR(about(0, 0) - m.inertia(0, 0), 9 * m.mass, 1e-12);
  EXPECT_NEAR(about(2, 2) - m.inertia(2, 2), 0, 1e-12);
  EXPECT_NEAR(scaledTo(m, 5).inertia(1, 1), 0.4 * 5, 1e-12);
  EXPECT_EQ(massOf({HalfSpace{}, {}}, 1000).mass, 0);
}

}  // namespace
}  // namespace reeve::collide_test
