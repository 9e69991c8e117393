// Hoist cables over sheaves with radius: a block of four falls.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cables/hoist_scenes.h"

namespace reeve::test {
namespace {

/// Four upright falls over two sheaves on the beam and two on the hook, all of radius r; the winch is to the left.
Description block(double r, double dt) {
  Description d = heavy(dt, 9.81);
  d.bodies.emplace_back("hook", rigid(500.0, Vec3::Constant(500), Vec3(0, 0, -6)));
  d.joints.emplace_back("guide", joint(JointType::slider, "world", "hook", Vec3(0, 0, -6), Vec3::UnitZ()));
  CableSettings c = hoist(0.0, 1e7, 10);
  c.material.damping = 0.02;
  c.route = {hoistEnd("world", Vec3(-5, 0, r)),
             hoistWheel("world", Vec3::Zero(), r, 1),
             hoistWheel("hook", Vec3(2 * r, 0, 0), r, -1),
             hoistWheel("world", Vec3(4 * r, 0, 0), r, 1),
             hoistWheel("hook", Vec3(6 * r, 0, 0), r, -1),
             hoistEnd("world", Vec3(7 * r, 0, 0))};
  d.cables.emplace_back("c", c);
  return d;
}

TEST(HoistSheaves, a_block_of_four_falls_over_real_sheaves_carries_a_quarter) {
  World w = make(block(0.15, 0.005));
  const double r = 0.15, length = 5 + 4 * 6.0 + r * (0.5 + 3.0) * std::numbers::pi;
  EXPECT_NEAR(measure(w, "cables.c.length"), length, 1e-9);
  run(w, 4.0);
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(measure(w, "cables.c.spans." + std::to_string(i) + ".tension") * 4 / (500 * 9.81), 1.0, 1e-3) << i;
  EXPECT_NEAR(measure(w, "cables.c.length"), length, 1e-9);
}

TEST(HoistSheaves, reeling_over_real_sheaves_lifts_at_a_quarter) {
  Description d = block(0.15, 0.005);
  d.cables[0].second.payout.table = {Vec2(0, 0), Vec2(1, -0.2), Vec2(5, -1.8)};
  World w = make(d);
  run(w, 3.0);
  const double z = measure(w, "bodies.hook.position.z");
  run(w, 2.0);
  EXPECT_NEAR((measure(w, "bodies.hook.position.z") - z) / 2.0, 0.1, 1e-4);
}

}  // namespace
}  // namespace reeve::test
