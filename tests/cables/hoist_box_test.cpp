// A slack cable let down on a box, ends lower than its top, and lifted again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cables/hoist_scenes.h"

namespace reeve::test {
namespace {

/// 0.8 kg/m between ends 4 m apart, lowered by 1.6 m: the top of the box is 1.5 m below where they start.
Description lowered(double wide, double length, double speed, double dt, double friction) {
  Description d = heavy(dt, 9.81);
  const double down = 1.6, there = 0.5 + down / speed;
  BodySettings lift;
  lift.motion = BodyMotion::kinematic;
  lift.prescribed.emplace();
  lift.prescribed->along = Vec3(0, 0, -1);
  lift.prescribed->travel.table = {Vec2(0.5, 0), Vec2(there, down), Vec2(there + 1, down), Vec2(there + 2, 0)};
  d.bodies.emplace_back("lift", lift);
  BodySettings crate;
  crate.motion = BodyMotion::fixed;
  crate.position = Vec3(2, 0, -2);
  crate.shapes.push_back(box(Vec3(wide, 1.5, 1.0)));
  d.bodies.emplace_back("crate", crate);
  CableSettings c = hoist(0.8, 1e6);
  c.length = length;
  c.waveDamping = 2.0;
  c.material.friction = friction;
  c.candidates = {"crate"};
  c.route = {hoistEnd("lift"), hoistEnd("lift", Vec3(4, 0, 0))};
  d.cables.emplace_back("c", c);
  return d;
}

TEST(HoistBox, a_slack_cable_let_down_on_a_box_is_not_pulled_taut_by_its_edges) {
  // The section took both edges in one step, with their length: 12 kN and 1.7 kJ of a cable that weighs 36 N.
  for (const double wide : {0.3, 0.6, 1.5})
    for (const double length : {4.2, 4.6})
      for (const double speed : {0.3, 0.8})
        for (const double friction : {0.0, 0.3}) {
          World w = make(lowered(wide, length, speed, 0.004, friction));
          const std::string what = std::to_string(wide) + " " + std::to_string(length) + " " + std::to_string(speed) +
                                   " " + std::to_string(friction);
          const double start = measure(w, "energy.total"), down = 0.5 + 1.6 / speed;
          double most = start, pulled = 0.0;
          int met = 0;
          while (w.time() < down + 2.5) {
            ASSERT_TRUE(w.step().good) << what;
            const double energy = measure(w, "energy.total");
            ASSERT_TRUE(std::isfinite(energy)) << what;
            most = std::max(most, energy);
            // While it comes down and lies; what the sudden start and end of the lift pull is no matter of contact.
            if (w.time() > 1.0 && w.time() < down + 1.0)
              for (const auto& span : cableOf(w).spans) pulled = std::max(pulled, span.tension);
            for (const Event& e : w.takeEvents()) met += e.what.starts_with("contact");
          }
          EXPECT_GT(met, 0) << what;
          EXPECT_LT(most, start + 10.0) << what;
          EXPECT_GT(pulled, 1.0) << what;
          EXPECT_LT(pulled, 300.0) << what;
        }
}

}  // namespace
}  // namespace reeve::test
