// Closed forms and manifolds of single pairs. The properties of all pairs are in collide_property_test.cpp.
#include "reeve/geometry/collide.h"

#include <gtest/gtest.h>

#include "collide_random.h"

namespace reeve::collide_test {
namespace {

const Quat quarterX(std::sqrt(0.5), std::sqrt(0.5), 0, 0);  // z turns to −y
const Quat quarterY(std::sqrt(0.5), 0, std::sqrt(0.5), 0);  // z turns to x

Pose at(double x, double y, double z, const Quat& q = Quat::Identity()) { return {Vec3(x, y, z), q}; }

TEST(Collide, SpheresTouchAlongTheLineOfCentres) {
  Manifold m;
  ASSERT_EQ(collide({Sphere{1}, {}}, at(0, 0, 0), {Sphere{0.5}, {}}, at(0, 0, 1.4), 0.01, m), 1);
  EXPECT_NEAR(m.points[0].gap, -0.1, 1e-15);
  EXPECT_NEAR(m.points[0].pointA.z(), 1, 1e-15);
  EXPECT_NEAR(m.points[0].pointB.z(), 0.9, 1e-15);
  EXPECT_EQ(collide({Sphere{1}, {}}, at(0, 0, 0), {Sphere{0.5}, {}}, at(0, 0, 1.52), 0.01, m), 0);
  ASSERT_EQ(collide({Sphere{1}, {}}, at(0, 0, 0), {Sphere{0.5}, {}}, at(0, 0, 0), 0.01, m), 1);
  EXPECT_NEAR(m.points[0].gap, -1.5, 1e-15);
}

TEST(Collide, LocalPosesPlaceShapesOnTheirBodies) {
  Manifold m;
  const Shape offset{Sphere{1}, at(0, 0, 3)};
  ASSERT_EQ(collide(offset, at(0, 0, 0, quarterY), {Sphere{1}, {}}, at(4.5, 0, 0), 0.01, m), 1);
  EXPECT_NEAR(m.points[0].gap, -0.5, 1e-14);
}

/// Every bounded shape standing on the ground and on a box face, with the points that stability needs.
struct Resting {
  const char* name;
  Shape shape;
  Quat orientation;
  double height;  // of the origin above the ground
  int points;
};

std::vector<Resting> resting() {
  const std::vector<Vec2> square = {{-0.2, -0.2}, {0.2, -0.2}, {0.2, 0.2}, {-0.2, 0.2}};
  return {{"sphere", {Sphere{0.3}, {}}, Quat::Identity(), 0.3, 1},
          {"capsule lying", {Capsule{0.1, 0.3}, {}}, quarterY, 0.1, 2},
          {"capsule standing", {Capsule{0.1, 0.3}, {}}, Quat::Identity(), 0.4, 1},
          {"cylinder standing", {Cylinder{0.2, 0.3}, {}}, Quat::Identity(), 0.3, 4},
          {"cylinder lying", {Cylinder{0.2, 0.3}, {}}, quarterX, 0.2, 2},
          {"box", {Box{Vec3(0.1, 0.2, 0.3)}, {}}, Quat::Identity(), 0.3, 4},
          {"box on its side", {Box{Vec3(0.1, 0.2, 0.3)}, {}}, quarterX, 0.2, 4},
          {"prism", {*makePrism(square, 0.3), {}}, Quat::Identity(), 0.3, 4},
          {"prism on its side", {*makePrism(square, 0.3), {}}, quarterY, 0.2, 4}};
}

TEST(Collide, RestingShapesGetAFullManifoldOnTheGroundAndOnABox) {
  for (const Resting& r : resting()) {
    for (const double gap : {-1e-3, -1e-9, 0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3}) {
      Manifold ground, table;
      const Pose pose = at(0.1, -0.05, r.height + gap, r.orientation);
      collide({HalfSpace{}, {}}, at(0, 0, 0), r.shape, pose, 0.01, ground);
      collide(r.shape, pose, {Box{Vec3(2, 2, 0.5)}, {}}, at(0, 0, -0.5), 0.01, table);
      const int standing = std::string(r.name) == "capsule standing" ? 1 : r.points;
      EXPECT_EQ(ground.count, standing) << r.name << " " << gap;
      EXPECT_EQ(table.count, standing) << r.name << " " << gap;
      for (int i = 0; i < ground.count; ++i) EXPECT_NEAR(ground.points[i].gap, gap, 1e-12) << r.name;
      for (int i = 0; i < table.count; ++i) {
        EXPECT_NEAR(table.points[i].gap, gap, 1e-12) << r.name << " " << gap;
        EXPECT_NEAR(table.points[i].normal.z(), -1, 1e-12) << r.name << " " << gap;
      }
    }
  }
}

TEST(Collide, AlmostFlatBoxKeepsFourPointsWhicheverWayItLeans) {
  Random random(31);
  for (int k = 0; k < 300; ++k) {
    const Vec3 lean = random.vector(1e-4);
    Quat q(1, 0.5 * lean.x(), 0.5 * lean.y(), random.uniform(-0.7, 0.7));
    q.normalize();
    Manifold m;
    const double gap = random.uniform(-1e-5, 1e-5);
    // Overhanging: two of the four points are crossings of edges.
    const int n = collide({Box{Vec3(0.5, 0.5, 0.5)}, {}}, at(0, 0, 0), {Box{Vec3(0.5, 0.5, 0.5)}, {}},
                          at(0.4, 0.1, 1 + gap, q), 0.01, m);
    EXPECT_GE(n, 4);
    for (int i = 0; i < n; ++i) EXPECT_GT(m.points[i].normal.z(), 1 - 1e-6);
  }
}

TEST(Collide, FeatureNamesStayTheSameWhileABoxSlidesAndRocks) {
  Manifold first, later;
  const Shape box{Box{Vec3(0.5, 0.5, 0.5)}, {}}, floor{Box{Vec3(3, 3, 0.5)}, {}};
  collide(floor, at(0, 0, -0.5), box, at(0, 0, 0.4999), 0.02, first);
  ASSERT_EQ(first.count, 4);
  for (int k = 1; k < 50; ++k) {
    Quat q(1, 1e-3 * (k % 3 - 1), 1e-3 * (k % 5 - 2), 0.01 * k);
    q.normalize();
    collide(floor, at(0, 0, -0.5), box, at(0.01 * k, -0.02 * k, 0.4999), 0.02, later);
    ASSERT_EQ(later.count, 4);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(first.points[i].feature, later.points[i].feature);
  }
}

TEST(Collide, CylindersStackedEndToEndTouchAllRound) {
  for (const double gap : {-1e-4, 0.0, 1e-9, 1e-4}) {
    Manifold m;
    const Shape drum{Cylinder{0.3, 0.2}, {}};
    const int n = collide(drum, at(0, 0, 0), drum, at(0.1, 0.05, 0.4 + gap), 0.01, m);
    EXPECT_GE(n, 4);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(m.points[i].gap, gap, 1e-12);
    // Side by side, axes parallel: a line, so two points.
    EXPECT_EQ(collide(drum, at(0, 0, 0), drum, at(0.6 + gap, 0, 0.1), 0.01, m), 2);
    EXPECT_NEAR(m.points[0].gap, gap, 1e-12);
  }
}

TEST(Collide, CylinderHangingOverATableEdgeIsHeldUpToTheEdge) {
  Manifold m;
  const Shape drum{Cylinder{0.3, 0.2}, {}}, table{Box{Vec3(1, 1, 0.5)}, {}};
  const int n = collide(table, at(0, 0, -0.5), drum, at(0.9, 0, 0.2), 0.01, m);
  ASSERT_GE(n, 3);
  double farthest = 0;
  for (int i = 0; i < n; ++i) farthest = std::max(farthest, m.points[i].pointA.x());
  EXPECT_NEAR(farthest, 1, 1e-6);
}

TEST(Collide, ParallelCapsulesTouchAtBothEndsAndCrossedOnesOnce) {
  Manifold m;
  const Shape rod{Capsule{0.1, 0.5}, {}};
  ASSERT_EQ(collide(rod, at(0, 0, 0), rod, at(0.2, 0, 0.3), 0.01, m), 2);
  EXPECT_NEAR(std::abs(m.points[0].pointA.z() - m.points[1].pointA.z()), 0.7, 1e-12);
  EXPECT_EQ(collide(rod, at(0, 0, 0), rod, at(0.2, 0, 0, quarterX), 0.01, m), 1);
  EXPECT_EQ(collide(rod, at(0, 0, 0), rod, at(0, 0, 0), 0.01, m), 2);
  EXPECT_NEAR(m.points[0].gap, -0.2, 1e-15);
}

TEST(Collide, TiltedCylinderRimOnABoxEdgeIsExactThroughZeroGap) {
  // The rim of a leaning drum meets the edge of a box: the gap must pass zero smoothly, the normal must not jump.
  const Shape drum{Cylinder{0.4, 0.2}, {}}, box{Box{Vec3(0.5, 1, 0.5)}, {}};
  const Quat lean(std::cos(0.3), 0.2 * std::sin(0.3), std::sin(0.3) * std::sqrt(0.96), 0);
  const Closest far = distance(box, at(0, 0, 0), drum, at(0.7, 0.1, 0.75, lean));
  Vec3 last = far.normal;
  for (int k = -20; k <= 20; ++k) {
    const double target = k == 0 ? 0 : (k < 0 ? -1 : 1) * std::pow(10.0, -10 + std::abs(k) * 0.35);
    const Pose pose{Vec3(0.7, 0.1, 0.75) + far.normal * (target - far.gap), lean};
    const Closest c = distance(box, at(0, 0, 0), drum, pose);
    EXPECT_NEAR(c.gap, target, 1e-9 + 1e-3 * std::abs(target)) << k;
    if (std::abs(target) < 1e-4) {
      EXPECT_LT((c.normal - last).norm(), 1e-3) << k;
    }
  }
}

TEST(Collide, ReduceKeepsTheDeepestPoint) {
  Manifold m;
  Quat q(1, 1e-3, 2e-3, 0.4);
  q.normalize();
  ASSERT_GT(
      collide({Box{Vec3::Constant(0.5)}, {}}, at(0, 0, 0), {Box{Vec3::Constant(0.5)}, {}}, at(0, 0, 1, q), 0.1, m), 4);
  const double gap = m.points[deepest(m)].gap;
  reduce(m, 4);
  EXPECT_LE(m.count, 4);
  EXPECT_GE(m.count, 3);
  EXPECT_EQ(m.points[deepest(m)].gap, gap);
}

TEST(Collide, SegmentAgainstCylinderGivesItsDistance) {
  const SegmentClosest c = closest(Vec3(-1, 0.7, 0.1), Vec3(1, 0.7, 0.1), {Cylinder{0.5, 1}, {}}, at(0, 0, 0));
  EXPECT_NEAR(c.gap, 0.2, 1e-9);
  EXPECT_NEAR(c.fraction, 0.5, 1e-4);
  EXPECT_LT((c.onShape - Vec3(0, 0.5, 0.1)).norm(), 1e-4);
  const SegmentClosest point = closest(Vec3(0, 2, 0), Vec3(0, 2, 0), {Box{Vec3::Ones()}, {}}, at(0, 0, 0));
  EXPECT_NEAR(point.gap, 1, 1e-15);
  const SegmentClosest under = closest(Vec3(0, 0, -1), Vec3(0, 0, 3), {HalfSpace{}, {}}, at(0, 0, 0));
  EXPECT_NEAR(under.gap, -1, 1e-15);
  EXPECT_EQ(under.fraction, 0);
}

TEST(Raycast, HitsAgreeWithDistanceForEveryShape) {
  Random random(41);
  for (const Named& named : boundedShapes()) {
    int hits = 0;
    for (int k = 0; k < 400; ++k) {
      const Pose body = random.pose(1);
      const Vec3 from = body.position + random.vector(2), to = body.position + random.vector(0.7);
      const auto hit = raycast(named.shape, body, from, to);
      const SegmentClosest span = closest(from, to, named.shape, body);
      EXPECT_EQ(hit.has_value(), span.gap < 0) << named.name << " " << span.gap;
      if (!hit) continue;
      ++hits;
      const double onSurface = closest(hit->point, hit->point, named.shape, body).gap;
      if (hit->fraction > 0) {
        EXPECT_NEAR(onSurface, 0, 1e-12) << named.name;
        EXPECT_LT(hit->normal.dot(to - from), 1e-12);
        EXPECT_NEAR(hit->normal.norm(), 1, 1e-12);
      } else {
        EXPECT_LE(onSurface, 1e-12);
      }
    }
    EXPECT_GT(hits, 60) << named.name;
  }
}

TEST(Raycast, GroundIsHitFromAboveAndFromInside) {
  const auto hit = raycast({HalfSpace{}, {}}, at(0, 0, 1), Vec3(0, 0, 3), Vec3(4, 0, -1));
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->fraction, 0.5, 1e-15);
  EXPECT_LT((hit->point - Vec3(2, 0, 1)).norm(), 1e-15);
  EXPECT_NEAR(hit->normal.z(), 1, 1e-15);
  EXPECT_EQ(raycast({HalfSpace{}, {}}, at(0, 0, 1), Vec3(0, 0, 0.5), Vec3(0, 0, 3))->fraction, 0);
  EXPECT_FALSE(raycast({HalfSpace{}, {}}, at(0, 0, 1), Vec3(0, 0, 2), Vec3(0, 0, 3)));
}

}  // namespace
}  // namespace reeve::collide_test
