// A joint and a cable model from outside the library: described, built, stepped and measured like any other.
#include "install/toys.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

/// A body on a slope of 30 degrees, without friction.
Description slope() {
  Description d = heavy(1e-3);
  d.bodies.emplace_back("sledge", rigid(2.0, Vec3(1, 1, 1)));
  JointSettings j;
  j.extension = "plane";
  j.b = "sledge";
  j.axis = Vec3(0.5, 0, std::sqrt(0.75));
  d.joints.emplace_back("slope", j);
  return d;
}

Description hanging(double mass, double start) {
  Description d = heavy(1e-3);
  d.bodies.emplace_back("load", rigid(mass, Vec3(1, 1, 1), Vec3(0, 0, -start)));
  CableSettings c;
  c.extension = "spring";
  c.route.resize(2);
  c.route[1].on = "load";
  c.length = 2.0;
  c.material.axial = 1000.0;
  d.cables.emplace_back("spring", c);
  return d;
}

TEST(Extensions, AJointOfOnesOwnLetsASledgeDownASlope) {
  auto world = World::build(slope(), toys::extensions());
  ASSERT_TRUE(world) << world.error().reason;
  run(*world, 1.0);
  // a = g sin 30° = 5 m/s² along the slope.
  EXPECT_NEAR(measure(*world, "bodies.sledge.position.x"), 2.5 * std::sqrt(0.75), 1e-6);
  EXPECT_NEAR(measure(*world, "bodies.sledge.position.z"), -2.5 * 0.5, 1e-6);
}

TEST(Extensions, ACableOfOnesOwnSwingsALoadAtItsFrequency) {
  // k = EA/L = 500 N/m; 5 kg stretch it by 0.1 m, and from 0.15 m it swings by 0.05 m with ω = 10/s.
  auto world = World::build(hanging(5.0, 2.15), toys::extensions());
  ASSERT_TRUE(world) << world.error().reason;
  run(*world, 0.314);
  const double t = world->time();
  EXPECT_NEAR(measure(*world, "bodies.load.position.z"), -2.1 - 0.05 * std::cos(10.0 * t), 1e-5);
  EXPECT_NEAR(measure(*world, "cables.spring.spans.0.tension"), 500.0 * (0.1 + 0.05 * std::cos(10.0 * t)), 1e-2);
  EXPECT_EQ(world->observe().cables[0].second.model, "spring");
}

TEST(Extensions, AStateIsSavedAndRestoredBitForBit) {
  auto world = World::build(hanging(5.0, 2.15), toys::extensions());
  ASSERT_TRUE(world);
  run(*world, 0.1);
  const auto saved = world->saveState();
  run(*world, 0.1);
  const auto hash = world->hash();
  ASSERT_TRUE(world->restoreState(saved));
  run(*world, 0.1);
  EXPECT_EQ(world->hash(), hash);
}

TEST(Extensions, WhatNobodyRegisteredIsRefusedByName) {
  auto world = World::build(slope());
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().path, "/joints/slope");
  EXPECT_NE(world.error().reason.find("'plane'"), std::string::npos);
  auto other = World::build(hanging(1.0, 2.0));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().path, "/cables/spring");
}

}  // namespace
}  // namespace reeve::test
