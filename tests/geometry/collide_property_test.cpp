// Properties that hold for every pair of shapes. The gap is the largest separation over all normals, so no sampled
// normal may beat it, and the reported normal must attain it: that needs no other library.
#include <gtest/gtest.h>

#include "collide_random.h"

namespace reeve::collide_test {
namespace {

/// A face is preferred to an edge within 1 % of the depth.
double slack(double gap) { return 1e-7 + 0.0101 * std::max(0.0, -gap); }

void expectSound(const Named& a, const Pose& A, const Named& b, const Pose& B, const Manifold& m, double margin) {
  for (int i = 0; i < m.count; ++i) {
    const ContactPoint& p = m.points[i];
    ASSERT_TRUE(p.pointA.allFinite() && p.pointB.allFinite() && p.normal.allFinite() && std::isfinite(p.gap))
        << a.name << " " << b.name;
    EXPECT_NEAR(p.normal.norm(), 1, 1e-12) << a.name << " " << b.name;
    EXPECT_LT((p.pointB - p.pointA - p.gap * p.normal).norm(), 1e-12);
    EXPECT_LT(p.gap, margin);
    for (int k = 0; k < i; ++k) EXPECT_NE(p.feature, m.points[k].feature) << a.name << " " << b.name << " " << m.count;
  }
  if (m.count == 0) return;
  const ContactPoint& p = m.points[deepest(m)];
  EXPECT_NEAR(separation(a.shape, A, b.shape, B, p.normal), p.gap, slack(p.gap)) << a.name << " " << b.name;
}

TEST(CollideAllPairs, NoNormalBeatsTheReportedGap) {
  const auto shapes = boundedShapes();
  Random random(51);
  for (const Named& a : shapes)
    for (const Named& b : shapes)
      for (int k = 0; k < 15; ++k) {
        const Pose A = random.pose(1), B{A.position + random.vector(0.9), random.rotation()};
        Manifold m;
        ASSERT_GT(collide(a.shape, A, b.shape, B, 10, m), 0);
        expectSound(a, A, b, B, m, 10);
        const double gap = m.points[deepest(m)].gap;
        EXPECT_LE(searchedGap(a.shape, A, b.shape, B, random), gap + slack(gap)) << a.name << " " << b.name << " " << k;
      }
}

TEST(CollideAllPairs, AlignedCoincidentAndTouchingPosesAreSoundToo) {
  const auto shapes = boundedShapes();
  Random random(52);
  const double s = std::sqrt(0.5);
  const std::vector<Quat> turns = {Quat(1, 0, 0, 0), Quat(s, s, 0, 0), Quat(s, 0, s, 0), Quat(s, 0, 0, s),
                                   Quat(0.5, 0.5, 0.5, 0.5)};
  const std::vector<Vec3> offsets = {Vec3(0, 0, 0),       Vec3(0.3, 0, 0),   Vec3(0, 0.5, 0),
                                     Vec3(0, 0, 0.6),     Vec3(0.6, 0.8, 0), Vec3(0, 0, 0.7),
                                     Vec3(0.4, 0.4, 0.4), Vec3(1e-14, 0, 0), Vec3(0, 1e-8, 1e-8)};
  for (const Named& a : shapes)
    for (const Named& b : shapes)
      for (const Quat& q : turns)
        for (const Vec3& offset : offsets) {
          const Pose A, B{offset, q};
          Manifold m;
          ASSERT_GT(collide(a.shape, A, b.shape, B, 10, m), 0) << a.name << " " << b.name;
          expectSound(a, A, b, B, m, 10);
          const double gap = m.points[deepest(m)].gap;
          double best = -10;
          for (int i = 0; i < 200; ++i) best = std::max(best, separation(a.shape, A, b.shape, B, random.direction()));
          for (int i = 0; i < 3; ++i)
            for (const double sign : {-1.0, 1.0})
              best = std::max(best, separation(a.shape, A, b.shape, B, sign * Vec3::Unit(i)));
          EXPECT_LE(best, gap + slack(gap))
              << a.name << " " << b.name << " offset " << offset.transpose() << " turn " << q.coeffs().transpose();
        }
}

TEST(CollideAllPairs, SwappingTheShapesFlipsTheNormalAndKeepsTheGap) {
  const auto shapes = boundedShapes();
  Random random(53);
  for (const Named& a : shapes)
    for (const Named& b : shapes)
      for (int k = 0; k < 30; ++k) {
        const Pose A = random.pose(1), B{A.position + random.vector(0.9), random.rotation()};
        const Closest ab = distance(a.shape, A, b.shape, B), ba = distance(b.shape, B, a.shape, A);
        EXPECT_NEAR(ab.gap, ba.gap, slack(ab.gap)) << a.name << " " << b.name;
        // Deep overlaps may have two equally good normals; shallow and separate ones do not.
        if (ab.gap > 1e-3) {
          EXPECT_LT((ab.normal + ba.normal).norm(), 1e-3) << a.name << " " << b.name << " " << ab.gap;
        }
      }
}

TEST(CollideAllPairs, ARigidMotionMovesTheContactsWithIt) {
  const auto shapes = boundedShapes();
  Random random(54);
  for (const Named& a : shapes)
    for (const Named& b : shapes)
      for (int k = 0; k < 20; ++k) {
        const Pose A = random.pose(1), B{A.position + random.vector(0.9), random.rotation()}, move = random.pose(5);
        Manifold here, there;
        collide(a.shape, A, b.shape, B, 0.05, here);
        collide(a.shape, move * A, b.shape, move * B, 0.05, there);
        if (here.count == 0) continue;
        ASSERT_GT(there.count, 0);
        const ContactPoint &p = here.points[deepest(here)], &q = there.points[deepest(there)];
        EXPECT_NEAR(p.gap, q.gap, 1e-9) << a.name << " " << b.name;
        EXPECT_LT((move.direction(p.normal) - q.normal).norm(), 1e-6) << a.name << " " << b.name;
      }
}

TEST(CollideAllPairs, TheGapChangesNoFasterThanTheShapesMove) {
  // Approach along a line in small steps: the gap is a distance, so it may change by the step and no more.
  const auto shapes = boundedShapes();
  Random random(55);
  for (const Named& a : shapes)
    for (const Named& b : shapes)
      for (int k = 0; k < 3; ++k) {
        const Pose A = random.pose(1);
        const Quat q = random.rotation();
        const Vec3 way = random.direction();
        double last = 0;
        for (int i = 0; i <= 100; ++i) {
          const double travel = 1.8 - 0.018 * i;
          const double gap = distance(a.shape, A, b.shape, {A.position + way * travel, q}).gap;
          if (i > 0) {
            EXPECT_LE(std::abs(gap - last), 0.018 + slack(gap)) << a.name << " " << b.name << " " << i;
          }
          last = gap;
        }
      }
}

TEST(CollideAllPairs, GapAndNormalPassThroughZeroSmoothly) {
  const auto shapes = boundedShapes();
  Random random(56);
  int touched = 0;
  for (const Named& a : shapes)
    for (const Named& b : shapes)
      for (int k = 0; k < 10; ++k) {
        const Pose A = random.pose(1);
        const Vec3 away = random.direction();
        Pose B{A.position + away * 2.5, random.rotation()};
        // Bring them to touch along a line that has nothing to do with the features that meet.
        const Vec3 way = (away + random.vector(0.2)).normalized();
        for (int i = 0; i < 200; ++i) B.position -= way * std::max(0.0, distance(a.shape, A, b.shape, B).gap);
        const Closest touching = distance(a.shape, A, b.shape, B);
        if (touching.gap > 1e-9) continue;  // grazed past each other
        ++touched;
        for (const double step : {-1e-5, -1e-7, -1e-9, 1e-9, 1e-7, 1e-5}) {
          const Closest c = distance(a.shape, A, b.shape, {B.position + touching.normal * step, B.orientation});
          EXPECT_NEAR(c.gap, touching.gap + step, 1e-10 + 1e-3 * std::abs(step))
              << a.name << " " << b.name << " " << k << " " << step;
          EXPECT_LT((c.normal - touching.normal).norm(), 1e-3) << a.name << " " << b.name << " " << k << " " << step;
        }
      }
  EXPECT_GT(touched, 300);
}

TEST(CollideAllPairs, HalfSpaceGapIsTheHeightOfTheLowestPoint) {
  Random random(57);
  const Named ground{"ground", {HalfSpace{}, {}}};
  for (const Named& b : boundedShapes())
    for (int k = 0; k < 100; ++k) {
      const Pose A = random.pose(1), B = random.pose(1);
      Manifold m;
      const Vec3 n = A.direction(Vec3::UnitZ());
      const double height = n.dot(B.point(support(b.shape, B.directionInverse(-n))) - A.position);
      const int count = collide(ground.shape, A, b.shape, B, 0.1, m);
      EXPECT_EQ(count > 0, height < 0.1);
      EXPECT_NEAR(distance(b.shape, B, ground.shape, A).gap, height, 1e-12) << b.name;
      for (int i = 0; i < count; ++i) EXPECT_LT((m.points[i].normal - n).norm(), 1e-14);
    }
  Manifold m;
  EXPECT_EQ(collide(ground.shape, {}, ground.shape, {}, 1, m), 0);
}

TEST(CollideAllPairs, ThinAndTinyShapesNeverGiveNaN) {
  Random random(58);
  const std::vector<Named> odd = {{"plate", {Box{Vec3(1, 1, 1e-4)}, {}}},  {"needle", {Capsule{1e-4, 1}, {}}},
                                  {"coin", {Cylinder{0.5, 1e-4}, {}}},     {"wire", {Cylinder{1e-4, 1}, {}}},
                                  {"grain", {Sphere{1e-5}, {}}},           {"house", {Box{Vec3(50, 50, 50)}, {}}},
                                  {"dot", {Box{Vec3::Constant(1e-5)}, {}}}};
  for (const Named& a : odd)
    for (const Named& b : odd)
      for (int k = 0; k < 60; ++k) {
        const Pose A = random.pose(0.1),
                   B{A.position + random.vector(k % 3 == 0 ? 1e-4 : 0.5), k % 2 ? random.rotation() : A.orientation};
        Manifold m;
        ASSERT_GT(collide(a.shape, A, b.shape, B, 200, m), 0) << a.name << " " << b.name;
        for (int i = 0; i < m.count; ++i) {
          ASSERT_TRUE(m.points[i].pointA.allFinite() && m.points[i].normal.allFinite() &&
                      std::isfinite(m.points[i].gap));
          EXPECT_NEAR(m.points[i].normal.norm(), 1, 1e-9);
        }
        const ContactPoint& p = m.points[deepest(m)];
        double best = -1000;
        for (int i = 0; i < 300; ++i) best = std::max(best, separation(a.shape, A, b.shape, B, random.direction()));
        EXPECT_LE(best, p.gap + 1e-5 + 0.0101 * std::abs(p.gap)) << a.name << " " << b.name << " " << k;
      }
}

}  // namespace
}  // namespace reeve::collide_test
