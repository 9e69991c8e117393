// A hoist cable's state is all of it: saved and restored in the middle of anything it goes on bit for bit; and a warm
// step allocates nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cables/hoist_scenes.h"
#include "support/allocations.h"

namespace reeve::test {
namespace {

/// A load swings on a cable that is reeled in over a pulley, which rubs where `friction` is given.
Description winch(double mass, WaveScheme scheme, PullForm pull, double friction) {
  Description d = heavy(1.0 / 240, 9.81);
  d.bodies.emplace_back("load", rigid(300.0, Vec3::Constant(30), Vec3(2.5, 0.3, -5)));
  CableSettings c = hoist(mass, 2e5, 13);
  c.waveScheme = scheme;
  c.pull = pull;
  c.material.damping = 0.01;
  c.waveDamping = 0.5;
  c.tension = 300.0 * 9.81;
  c.payout.table = {Vec2(0, 0), Vec2(2, -0.5)};
  LinkSettings wheel = hoistWheel("world", Vec3(2, 0, 0), 0.2, 1);
  if (friction > 0.0) wheel.friction = friction;
  c.route = {hoistEnd("world", Vec3(-1, 0, -1)), wheel, hoistEnd("load")};
  d.cables.emplace_back("c", c);
  return d;
}

/// A boom swings into a hanging cable, stays a while and goes back.
Description struck(double friction) {
  Description d = winch(0.5, WaveScheme::implicitly, PullForm::row, 0.0);
  d.cables[0].second.payout = {};
  BodySettings boom;
  boom.motion = BodyMotion::kinematic;
  boom.position = Vec3(1, 0, -2.5);
  ShapeSettings bar;
  bar.type = ShapeType::capsule;
  bar.radius = 0.05;
  bar.length = 2.0;
  bar.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));
  boom.shapes.push_back(bar);
  boom.prescribed.emplace();
  boom.prescribed->along = Vec3::UnitX();
  boom.prescribed->travel.table = {Vec2(0.1, 0), Vec2(0.6, 1.8), Vec2(0.9, 1.8), Vec2(1.4, 0)};
  d.bodies.emplace_back("boom", boom);
  d.cables[0].second.candidates = {"boom"};
  d.cables[0].second.material.friction = friction;
  return d;
}

std::vector<std::pair<std::string, Description>> machines() {
  using enum WaveScheme;
  return {{"massless", winch(0.0, implicitly, PullForm::row, 0.0)},
          {"implicit", winch(0.5, implicitly, PullForm::row, 0.0)},
          {"implicit with friction", winch(0.5, implicitly, PullForm::row, 0.2)},
          {"explicit", winch(0.5, explicitly, PullForm::row, 0.0)},
          {"published", winch(0.5, explicitly, PullForm::force, 0.0)},
          {"struck", struck(0.0)},
          {"struck with friction", struck(0.3)}};
}

TEST(HoistState, saved_and_restored_it_goes_on_bit_for_bit) {
  for (const auto& [name, d] : machines()) {
    World first = make(d);
    while (first.time() < 1.6) {
      const std::string saved = first.saveState();
      World second = make(d);
      ASSERT_TRUE(second.restoreState(saved)) << name;
      EXPECT_EQ(first.hash(), second.hash()) << name << " at " << first.time();
      for (int i = 0; i < 31; ++i) {
        ASSERT_TRUE(first.step().good) << name << " at " << first.time() << ": " << first.verdict().reason;
        ASSERT_TRUE(second.step().good) << name;
      }
      ASSERT_EQ(first.hash(), second.hash()) << name << " at " << first.time();
      // Back in the same world, too: nothing it has worked out since may matter.
      ASSERT_TRUE(second.restoreState(saved)) << name;
      for (int i = 0; i < 31; ++i) second.step();
      ASSERT_EQ(first.hash(), second.hash()) << name << " again, at " << first.time();
    }
  }
}

TEST(HoistState, a_warm_step_allocates_nothing) {
  for (const auto& [name, d] : machines()) {
    if (!d.cables[0].second.candidates.empty()) continue;  // a node that comes or goes is told as an event
    World w = make(d);
    run(w, 0.5);
    w.takeEvents();
    const long before = allocations();
    for (int i = 0; i < 100; ++i) w.step();
    EXPECT_EQ(allocations() - before, 0) << name;
    EXPECT_TRUE(w.verdict().good) << name;
  }
}

TEST(HoistState, a_warm_step_round_a_contact_allocates_nothing) {
  for (const double friction : {0.0, 0.3}) {
    Description d = struck(friction);
    // Without friction in one plane: a section that slides along the bar is laid anew now and then.
    if (friction == 0.0) d.bodies[0].second.position.y() = 0.0;
    World w = make(d);
    run(w, 0.7);  // the boom stands from 0.6 to 0.9 s, the cable bent round it
    EXPECT_FALSE(w.takeEvents().empty()) << "nothing was met";
    const long before = allocations();
    for (int i = 0; i < 24; ++i) w.step();
    EXPECT_EQ(allocations() - before, 0) << friction;
    EXPECT_TRUE(w.takeEvents().empty()) << friction;
    EXPECT_TRUE(w.verdict().good);
  }
}

}  // namespace
}  // namespace reeve::test
