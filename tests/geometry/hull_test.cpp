#include "reeve/geometry/hull.h"

#include <gtest/gtest.h>

#include <limits>

#include "collide_random.h"
#include "reeve/geometry/mass.h"

namespace reeve::collide_test {
namespace {

void expectHolds(const Hull& h, std::span<const Vec3> points, double tolerance) {
  for (const Hull::Face& f : h.faces) {
    EXPECT_NEAR(f.normal.norm(), 1, 1e-14);
    for (const Vec3& p : points) ASSERT_LE(f.normal.dot(p) - f.offset, tolerance);
    for (int i = 0; i < f.count; ++i)
      ASSERT_NEAR(f.normal.dot(h.vertices[h.corners[f.first + i]]), f.offset, tolerance);
  }
  EXPECT_EQ(h.vertices.size() + h.faces.size(), h.edges.size() + 2);
  for (const Hull::Edge& e : h.edges) EXPECT_NE(e.left, e.right);
}

TEST(Hull, CubeFromAGridOfPointsHasSixSquares) {
  std::vector<Vec3> grid;
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y)
      for (int z = 0; z < 5; ++z) grid.emplace_back(0.1 * x, 0.1 * y, 0.1 * z);
  Random random(3);
  for (int k = 0; k < 50; ++k) {
    const Pose place = random.pose(k < 25 ? 1 : 1000);
    std::vector<Vec3> turned;
    for (const Vec3& p : grid) turned.push_back(place.point(p));
    const auto h = convexHull(turned);
    ASSERT_TRUE(h) << describe(h.error());
    EXPECT_EQ(h->vertices.size(), 8u);
    EXPECT_EQ(h->faces.size(), 6u);
    EXPECT_EQ(h->edges.size(), 12u);
    expectHolds(*h, turned, 1e-9);
  }
}

TEST(Hull, HoldsEveryPointOfRandomCloudsAndSpheres) {
  Random random(4);
  for (int k = 0; k < 60; ++k) {
    std::vector<Vec3> points;
    const int n = 4 + k * 8;
    for (int i = 0; i < n; ++i) points.push_back(k % 2 ? random.vector(1) : random.direction());
    const auto h = convexHull(points);
    ASSERT_TRUE(h) << describe(h.error());
    expectHolds(*h, points, 1e-6);
    if (k % 2 == 0) {
      EXPECT_EQ(h->vertices.size(), points.size());
    }
  }
}

TEST(Hull, NoisyPrismOf24SidesKeepsItsTwoCaps) {
  Random random(5);
  std::vector<Vec3> points;
  for (int i = 0; i < 24; ++i)
    for (const double z : {-0.2, 0.2})
      points.push_back(Vec3(std::cos(i * M_PI / 12), std::sin(i * M_PI / 12), z) + random.vector(1e-9));
  const auto h = convexHull(points);
  ASSERT_TRUE(h);
  EXPECT_EQ(h->faces.size(), 26u);
  EXPECT_EQ(h->vertices.size(), 48u);
}

TEST(Hull, RefusesDegenerateInputAndSaysWhy) {
  const std::vector<Vec3> three = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(convexHull(three).error(), HullError::tooFewPoints);
  const std::vector<Vec3> flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.2, 0}};
  EXPECT_EQ(convexHull(flat).error(), HullError::coplanar);
  const std::vector<Vec3> line = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
  EXPECT_EQ(convexHull(line).error(), HullError::collinear);
  const std::vector<Vec3> same(9, Vec3(1, 2, 3));
  EXPECT_EQ(convexHull(same).error(), HullError::collinear);
  std::vector<Vec3> bad = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_EQ(convexHull(bad).error(), HullError::notFinite);
  const std::vector<Vec2> square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_EQ(makePrism(square, 0).error(), HullError::notPositive);
  EXPECT_EQ(makePrism(square, std::nan("")).error(), HullError::notFinite);
  std::vector<Vec2> round;
  for (int i = 0; i < 65; ++i) round.emplace_back(std::cos(i * 2 * M_PI / 65), std::sin(i * 2 * M_PI / 65));
  EXPECT_EQ(makePrism(round, 1).error(), HullError::tooManyCorners);
}

TEST(Hull, PlaneHullIsCounterClockwiseWithoutCollinearPoints) {
  const std::vector<Vec2> points = {{0, 0}, {2, 0}, {1, 0}, {2, 2}, {1, 1}, {0, 2}, {0, 1}, {2, 1}, {0, 0}, {1, 2}};
  const auto h = convexHull(points);
  ASSERT_TRUE(h);
  const std::vector<Vec2> expected = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  EXPECT_EQ(*h, expected);
  EXPECT_EQ(convexHull(std::vector<Vec2>{{0, 0}, {1, 1}, {2, 2}}).error(), HullError::collinear);
  EXPECT_EQ(convexHull(std::vector<Vec2>{{0, 0}, {1, 1}}).error(), HullError::tooFewPoints);
}

TEST(Hull, ExtrudedPolygonHasSidesPlusTwoFaces) {
  const std::vector<Vec2> five = {{1, 0}, {0.3, 0.9}, {-0.8, 0.6}, {-0.8, -0.6}, {0.3, -0.9}};
  const auto prism = makePrism(five, 0.5);
  ASSERT_TRUE(prism);
  const Hull& h = std::get<Prism>(*prism).hull;
  EXPECT_EQ(h.faces.size(), 7u);
  EXPECT_EQ(h.edges.size(), 15u);
  expectHolds(h, h.vertices, 1e-12);
}

double area(const Section& s, const Vec3& normal) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < s.polygon.size(); ++i) sum += s.polygon[i].cross(s.polygon[(i + 1) % s.polygon.size()]);
  return 0.5 * sum.dot(normal.normalized());
}

TEST(Section, RoundShapesCutAcrossTheirAxisGiveExactCircles) {
  const Pose place{Vec3(1, 2, 3), Quat(0.5, 0.5, 0.5, 0.5)};  // the axis z turns to x
  const Section drum = crossSection({Cylinder{0.7, 2}, place}, Vec3(1.5, 0, 0), Vec3(2, 0, 0));
  ASSERT_EQ(drum.kind, Section::Kind::circle);
  EXPECT_NEAR(drum.radius, 0.7, 1e-15);
  EXPECT_LT((drum.centre - Vec3(1.5, 2, 3)).norm(), 1e-14);
  const Section tip = crossSection({Capsule{0.5, 1}, {}}, Vec3(0, 0, 1.3), Vec3::UnitZ());
  ASSERT_EQ(tip.kind, Section::Kind::circle);
  EXPECT_NEAR(tip.radius, 0.4, 1e-15);
  const Section ball = crossSection({Sphere{1}, {}}, Vec3(0, 0.6, 0), Vec3(0, -3, 0));
  EXPECT_NEAR(ball.radius, 0.8, 1e-15);
  EXPECT_EQ(crossSection({Sphere{1}, {}}, Vec3(0, 1.1, 0), Vec3::UnitY()).kind, Section::Kind::empty);
  EXPECT_EQ(crossSection({HalfSpace{}, {}}, Vec3::Zero(), Vec3::UnitY()).kind, Section::Kind::unbounded);
}

TEST(Section, ObliqueCylinderGivesAnEllipseOfAreaPiAB) {
  const Vec3 normal = Vec3(1, 0, 2).normalized();
  const Section s = crossSection({Cylinder{0.5, 2}, {}}, Vec3::Zero(), normal, 500);
  ASSERT_EQ(s.kind, Section::Kind::polygon);
  // Semi-axes r and r / cos(tilt). An inscribed polygon of 1000 points misses 7e-6 of the area.
  EXPECT_NEAR(area(s, normal), M_PI * 0.25 / normal.z(), 2e-5);
}

TEST(Section, LengthwiseCutsAreARectangleAndAStadium) {
  const Section rect = crossSection({Cylinder{0.5, 2}, {}}, Vec3(0.3, 0, 0), Vec3::UnitX());
  ASSERT_EQ(rect.polygon.size(), 4u);
  EXPECT_NEAR(area(rect, Vec3::UnitX()), 4 * 0.8, 1e-13);
  const Section stadium = crossSection({Capsule{0.5, 2}, {}}, Vec3::Zero(), Vec3::UnitY(), 500);
  EXPECT_NEAR(area(stadium, Vec3::UnitY()), 4 * 1 + M_PI * 0.25, 1e-4);
}

TEST(Section, BoxAcrossItsDiagonalIsARegularHexagon) {
  const Section s = crossSection({Box{Vec3::Constant(1)}, {}}, Vec3::Zero(), Vec3::Ones());
  ASSERT_EQ(s.polygon.size(), 6u);
  EXPECT_NEAR(area(s, Vec3::Ones()), 3 * std::sqrt(3.0), 1e-13);
  for (const Vec3& p : s.polygon) EXPECT_NEAR(p.norm(), std::sqrt(2.0), 1e-14);
}

TEST(Section, AreasIntegrateToTheVolumeOfEveryShape) {
  Random random(9);
  for (const Named& named : boundedShapes()) {
    Shape shape = named.shape;
    shape.local = random.pose(0.5);
    const Vec3 n = random.direction();
    const double low = n.dot(support(shape, -n)), high = n.dot(support(shape, n));
    constexpr int slices = 400;
    double sum = 0;
    for (int i = 0; i < slices; ++i) {
      const Section s = crossSection(shape, n * (low + (high - low) * (i + 0.5) / slices), n, 100);
      sum += s.kind == Section::Kind::circle ? M_PI * s.radius * s.radius : area(s, n);
      for (const Vec3& p : s.polygon) EXPECT_NEAR(n.dot(p), low + (high - low) * (i + 0.5) / slices, 1e-12);
    }
    EXPECT_NEAR(sum * (high - low) / slices / volume(shape), 1, 1e-3) << named.name;
  }
}

}  // namespace
}  // namespace reeve::collide_test
