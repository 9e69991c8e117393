// Points of a contact that are known stay while they hold as well as others.
#include "reeve/elements/contact_points.h"

#include <gtest/gtest.h>

#include <cmath>

namespace reeve::test {
namespace {

/// Two unit squares turned against each other by 0.1 rad overlap in eight corners.
Manifold turnedFaces() {
  Manifold m;
  m.count = 8;
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.25 * 3.14159265358979 * k + (k % 2 ? -0.34 : 0.34);
    ContactPoint& p = m.points[static_cast<std::size_t>(k)];
    p.pointA = p.pointB = 0.7 * Vec3(std::cos(angle), std::sin(angle), 0.0);
    p.normal = Vec3::UnitZ();
    p.gap = 0.0;
    p.feature = static_cast<std::uint32_t>(k);
  }
  return m;
}
using Known = std::array<bool, Manifold::capacity>;
constexpr Known everyOther{true, false, true, false, true, false, true, false};

TEST(ContactPoints, FourThatAreKnownStayThoughRoundingHasOthersDeeper) {
  Manifold m = turnedFaces();
  m.points[1].gap = -1e-8;
  ASSERT_TRUE(keepPoints(m, everyOther, 4));
  ASSERT_EQ(m.count, 4);
  for (std::uint32_t k = 0; k < 4; ++k) EXPECT_EQ(m.points[k].feature, 2 * k);
}

TEST(ContactPoints, TheyGoWhereABodyTipsOverThemByTwoMicrometres) {
  Manifold m = turnedFaces();
  m.points[1].gap = -2e-6;
  EXPECT_FALSE(keepPoints(m, everyOther, 4));
  EXPECT_EQ(m.count, 8);
}

TEST(ContactPoints, FourOnOneSideDoNotHold) {
  Manifold m = turnedFaces();
  EXPECT_FALSE(keepPoints(m, Known{true, true, true, true, false, false, false, false}, 4));
}

TEST(ContactPoints, ThreeAreTooFew) {
  Manifold m = turnedFaces();
  EXPECT_FALSE(keepPoints(m, Known{true, false, true, false, true, false, false, false}, 4));
}

}  // namespace
}  // namespace reeve::test
