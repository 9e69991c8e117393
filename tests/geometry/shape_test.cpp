#include "reeve/geometry/shape.h"

#include <gtest/gtest.h>

#include <limits>

#include "collide_random.h"

namespace reeve::collide_test {
namespace {

TEST(Shape, BoundsTouchTheShapeOnAllSixSides) {
  Random random(1);
  for (const Named& named : boundedShapes()) {
    for (int k = 0; k < 200; ++k) {
      Shape shape = named.shape;
      shape.local = random.pose(1);
      const Pose body = random.pose(3);
      const Aabb box = bounds(shape, body);
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3 e = Vec3::Unit(axis);
        const Vec3 high = body.point(support(shape, body.directionInverse(e))),
                   low = body.point(support(shape, body.directionInverse(-e)));
        EXPECT_NEAR(box.upper[axis], high[axis], 1e-13) << named.name;
        EXPECT_NEAR(box.lower[axis], low[axis], 1e-13) << named.name;
      }
    }
  }
}

TEST(Shape, HalfSpaceIsInfiniteButEndsAtItsPlaneWhenLevel) {
  const Aabb level = bounds({HalfSpace{}, {}}, {Vec3(1, 2, 3), Quat::Identity()});
  EXPECT_EQ(level.upper.z(), 3);
  EXPECT_EQ(level.upper.x(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(level.lower.z(), -std::numeric_limits<double>::infinity());
  Random random(2);
  const Aabb tilted = bounds({HalfSpace{}, {}}, random.pose(1));
  EXPECT_EQ(tilted.upper.z(), std::numeric_limits<double>::infinity());
}

TEST(Shape, CheckRefusesSizesThatAreNotPositiveOrNotFinite) {
  EXPECT_TRUE(check({Sphere{1}, {}}));
  EXPECT_EQ(check({Sphere{0}, {}}).error(), ShapeError::notPositive);
  EXPECT_EQ(check({Capsule{1, -1}, {}}).error(), ShapeError::notPositive);
  EXPECT_EQ(check({Cylinder{std::nan(""), 1}, {}}).error(), ShapeError::notFinite);
  EXPECT_EQ(check({Box{Vec3(1, 1, std::numeric_limits<double>::infinity())}, {}}).error(), ShapeError::notFinite);
  EXPECT_EQ(check({Hull{}, {}}).error(), ShapeError::degenerate);
  EXPECT_EQ(check({Sphere{1}, {Vec3::Zero(), Quat(0, 0, 0, 0)}}).error(), ShapeError::notFinite);
  for (const Named& named : boundedShapes()) EXPECT_TRUE(check(named.shape)) << named.name;
}

}  // namespace
}  // namespace reeve::collide_test
