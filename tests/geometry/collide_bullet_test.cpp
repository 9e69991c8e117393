// Bullet (float64, all margins zero) as an oracle. Compiled only where Bullet is installed.
#ifdef REEVE_HAVE_BULLET
#include <gtest/gtest.h>

#include <memory>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

#include "collide_random.h"

namespace reeve::collide_test {
namespace {

std::unique_ptr<btConvexShape> toBullet(const Geometry& g) {
  struct Visitor {
    std::unique_ptr<btConvexShape> operator()(const Sphere& s) const {
      return std::make_unique<btSphereShape>(s.radius);
    }
    std::unique_ptr<btConvexShape> operator()(const Capsule& c) const {
      return std::make_unique<btCapsuleShapeZ>(c.radius, 2 * c.halfLength);
    }
    std::unique_ptr<btConvexShape> operator()(const Cylinder& c) const {
      return bare(std::make_unique<btCylinderShapeZ>(btVector3(c.radius, c.radius, c.halfLength)));
    }
    std::unique_ptr<btConvexShape> operator()(const Box& b) const {
      return bare(std::make_unique<btBoxShape>(btVector3(b.half.x(), b.half.y(), b.half.z())));
    }
    std::unique_ptr<btConvexShape> operator()(const Hull& h) const {
      auto shape = std::make_unique<btConvexHullShape>();
      for (const Vec3& v : h.vertices) shape->addPoint(btVector3(v.x(), v.y(), v.z()));
      return bare(std::move(shape));
    }
    std::unique_ptr<btConvexShape> operator()(const Prism& p) const { return (*this)(p.hull); }
    std::unique_ptr<btConvexShape> operator()(const HalfSpace&) const { return nullptr; }
    static std::unique_ptr<btConvexShape> bare(std::unique_ptr<btConvexShape> s) {
      s->setMargin(0);
      return s;
    }
  };
  return std::visit(Visitor{}, g);
}

btTransform toBullet(const Pose& p) {
  return btTransform(btQuaternion(p.orientation.x(), p.orientation.y(), p.orientation.z(), p.orientation.w()),
                     btVector3(p.position.x(), p.position.y(), p.position.z()));
}

/// Bullet's GJK sometimes stops 1 cm too far out and its EPA reports depths that its own normal does not attain (a
/// sphere in a capsule, known in closed form, by a factor of six). So what is compared is the separation along
/// Bullet's normal, which is exact whatever Bullet made of it: it may never beat ours, and nearly always equals it.
TEST(AgainstBullet, NoBulletNormalBeatsOursAnd97PercentAgreeTo1e3) {
  const auto shapes = boundedShapes();
  Random random(61);
  int apart = 0, overlapping = 0, agree = 0;
  for (const Named& a : shapes)
    for (const Named& b : shapes) {
      const auto ba = toBullet(a.shape.geometry), bb = toBullet(b.shape.geometry);
      for (int k = 0; k < 100; ++k) {
        const Pose A = random.pose(1), B{A.position + random.vector(1), random.rotation()};
        const Closest ours = distance(a.shape, A, b.shape, B);
        const btTransform ta = toBullet(A), tb = toBullet(B);
        const btVector3 guess = tb.getOrigin() - ta.getOrigin();
        btGjkEpaSolver2::sResults theirs;
        const bool found = ours.gap > 0 ? btGjkEpaSolver2::Distance(ba.get(), ta, bb.get(), tb, guess, theirs)
                                        : btGjkEpaSolver2::Penetration(ba.get(), ta, bb.get(), tb, guess, theirs);
        // Bullet leaves its normal in the frame of a.
        const Vec3 normal = A.direction(Vec3(theirs.normal.x(), theirs.normal.y(), theirs.normal.z()));
        if (!found || !(normal.norm() > 0.5)) continue;
        const double gap = std::max(separation(a.shape, A, b.shape, B, normal.normalized()),
                                    separation(a.shape, A, b.shape, B, -normal.normalized()));
        EXPECT_LE(gap, ours.gap + 1e-7 + 0.0101 * std::max(0.0, -ours.gap)) << a.name << " " << b.name << " " << k;
        ++(ours.gap > 0 ? apart : overlapping);
        agree += std::abs(gap - ours.gap) < 1e-3 + 0.011 * std::max(0.0, -ours.gap);
      }
    }
  EXPECT_GT(apart, 1000);
  EXPECT_GT(overlapping, 1000);
  EXPECT_GT(agree, 0.97 * (apart + overlapping)) << apart << " apart, " << overlapping << " overlapping";
}

}  // namespace
}  // namespace reeve::collide_test
#endif
