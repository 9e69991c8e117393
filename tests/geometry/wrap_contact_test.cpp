// When a moving span first touches a moving shape, and the plane in which it will lie on it.
#include "reeve/geometry/wrap_contact.h"

#include <gtest/gtest.h>

#include "geometry/collide_random.h"

namespace reeve {
namespace {

using collide_test::Random;

struct Flight {
  MovingPose body;
  MovingPoint a, b;
  double gapAt(const Shape& shape, double t) const {
    return closest(a.start + t * (a.end - a.start), b.start + t * (b.end - b.start), shape, body.at(t)).gap;
  }
};

Flight anyFlight(Random& random) {
  Flight f;
  f.body.start = random.pose(1.0);
  f.body.translation = random.vector(3.0);
  f.body.rotation = random.vector(2.0);
  const Vec3 middle = random.direction() * 1.5, half = random.direction() * 3.0;
  const Vec3 drift = random.vector(1.0);
  f.a = {middle - half, middle - half + drift};
  f.b = {middle + half, middle + half + drift + random.vector(0.3)};
  return f;
}

TEST(SweptContact, IsTheFirstTimeTheGapIsClosedInThousandsOfFlights) {
  Random random(5);
  const double margin = 0.01;
  int met = 0, missed = 0, exact = 0;
  for (const auto& [name, shape] : collide_test::boundedShapes())
    for (int trial = 0; trial < 800; ++trial) {
      const Flight f = anyFlight(random);
      const auto contact = sweptContact(shape, f.body, f.a, f.b, margin);
      constexpr int samples = 400;
      int first = 0;
      double least = 1.0;
      while (first <= samples) {
        const double gap = f.gapAt(shape, static_cast<double>(first) / samples);
        least = std::min(least, gap);
        if (gap <= margin) break;
        ++first;
      }
      if (contact) {
        ++met;
        // Nothing before it but a touch with an end, and touching then.
        const double t = static_cast<double>(first) / samples;
        const Vec3 a = f.a.start + t * (f.a.end - f.a.start), b = f.b.start + t * (f.b.end - f.b.start);
        const bool byEnd = std::fabs(closest(a, b, shape, f.body.at(t)).normal.dot((b - a).normalized())) > 0.05;
        EXPECT_TRUE(byEnd || t > contact->time - 0.021) << name << trial;
        EXPECT_LE(f.gapAt(shape, contact->time), margin + 1e-7) << name << trial;
        exact += contact->time > 0.0 && std::fabs(f.gapAt(shape, contact->time) - margin) < 1e-7;
      } else if (first <= samples) {
        // Only where an end touches first, and the span would not bend.
        const double t = static_cast<double>(first) / samples;
        const Vec3 a = f.a.start + t * (f.a.end - f.a.start), b = f.b.start + t * (f.b.end - f.b.start);
        const SegmentClosest c = closest(a, b, shape, f.body.at(t));
        EXPECT_GT(std::fabs(c.normal.dot((b - a).normalized())), 0.05) << name << trial;
      } else {
        ++missed;
        EXPECT_GT(least, margin);
      }
    }
  EXPECT_GT(met, 800);
  EXPECT_GT(exact, 400);
  EXPECT_GT(missed, 300);
}

TEST(PlaneAtContact, HoldsTheSpanAndTheContactAndCutsTheShapeThere) {
  Random random(6);
  int laid = 0;
  for (const auto& [name, shape] : collide_test::boundedShapes())
    for (int trial = 0; trial < 800; ++trial) {
      const Flight f = anyFlight(random);
      const auto contact = sweptContact(shape, f.body, f.a, f.b, 1e-6);
      if (!contact || contact->time == 0.0) continue;
      const auto plane = planeAtContact(shape, *contact);
      ASSERT_TRUE(plane.has_value()) << name << trial;
      ++laid;
      EXPECT_NEAR(plane->normal_B.norm(), 1.0, 1e-12);
      EXPECT_LT(std::fabs(plane->normal_B.dot(contact->along)), 1.1e-3) << name << trial;
      const LinkFrame frame = planeFrame(shape, *plane);
      EXPECT_LT(std::fabs(frame.height(contact->point)), 1e-9) << name << trial;
      const auto outline = sectionOutline(shape, *plane, 0.0);
      ASSERT_TRUE(outline.has_value()) << name << trial;
      // The contact is on the section's rim (round ones are inscribed polygons), and the section is left of the span.
      EXPECT_NEAR(outline->signedDistance(frame.toPlane(contact->point)), 0.0, 1e-3) << name << trial;
      const Vec2 along(frame.x.dot(contact->along), frame.y.dot(contact->along)), right(along.y(), -along.x());
      // An end that touches first may stand at up to six degrees to the normal.
      if (std::fabs(contact->normal.dot(contact->along)) > 1e-6) continue;
      EXPECT_NEAR(outline->supportValue(right), right.dot(frame.toPlane(contact->point)), 1e-3) << name << trial;
    }
  EXPECT_GT(laid, 400);
}

TEST(PlaneAtContact, ARodMetStraightAcrossIsACircleAndAlongItsLengthARectangle) {
  const Shape rod{Cylinder{0.2, 0.5}, {}};
  const SpanContact across{0.0, 0.0, Vec3(0.2, 0, 0.1), Vec3::UnitX(), Vec3::UnitY()};
  const auto circle = planeAtContact(rod, across);
  ASSERT_TRUE(circle.has_value());
  EXPECT_NEAR(circle->height * circle->normal_B.z(), 0.1, 1e-12);
  EXPECT_TRUE(sectionOutline(rod, *circle, 0.01)->isCircle());
  EXPECT_NEAR(sectionOutline(rod, *circle, 0.01)->radius(), 0.21, 1e-12);
  const SpanContact lengthwise{0.0, 0.0, Vec3(0.2, 0, 0.1), Vec3::UnitX(), Vec3::UnitZ()};
  const auto flat = planeAtContact(rod, lengthwise);
  ASSERT_TRUE(flat.has_value());
  EXPECT_NEAR(sectionOutline(rod, *flat, 0.0)->perimeter(), 2 * (0.4 + 1.0), 1e-12);
  EXPECT_FALSE(planeAtContact(Shape{HalfSpace{}, {}}, across).has_value());
}

}  // namespace
}  // namespace reeve
