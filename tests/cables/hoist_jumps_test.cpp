// Heavy hoist cables where something happens at once: a drum runs empty, a slack start, a wheel that is left.
#include <algorithm>

#include "cables/hoist_scenes.h"

namespace reeve::test {
namespace {

bool told(World& w, const std::string& words) {
  const auto events = w.takeEvents();
  return std::any_of(events.begin(), events.end(),
                     [&](const Event& e) { return e.what.find(words) != std::string::npos; });
}

TEST(HoistJumps, a_drum_that_runs_empty_stops_its_load_and_throws_nothing_back) {
  // 5 kg pull 1.5 m off a drum that turns freely; then they hang where the drum is empty, and the drum turns on.
  for (const double axial : {unbounded, 1e5}) {
    Description d = heavy(1.0 / 240, g);
    d.rotors.emplace_back("drum", wheelAt(Vec3::Zero(), 0.1, 0.05));
    d.bodies.emplace_back("load", rigid(5.0, Vec3::Constant(0.1), Vec3(0.1, 0, -1)));
    CableSettings c = hoist(0.1, axial);
    LinkSettings spool = hoistEnd("drum");
    spool.type = LinkType::spool;
    spool.side = 1;
    spool.stored = 1.5;
    c.route = {spool, hoistEnd("load")};
    d.cables.emplace_back("c", c);
    World w = make(d);
    const double start = measure(w, "energy.total"), length = measure(w, "cables.c.length");
    bool empty = false;
    double most = start;
    for (int i = 0; i < 480; ++i) {
      ASSERT_TRUE(w.step().good);
      empty = empty || told(w, "drum is empty");
      most = std::max(most, measure(w, "energy.total"));
      EXPECT_NEAR(measure(w, "cables.c.length"), length, 1e-9);
    }
    EXPECT_TRUE(empty);
    EXPECT_LT(most - start, 0.01 * 5.0 * g * 1.5);
    // No more than what a step gives too much, and the stretch.
    EXPECT_GT(measure(w, "bodies.load.position.z"), -2.5 - 0.02 - 0.003);
    EXPECT_GT(measure(w, "rotors.drum.rate"), 1.0);
  }
}

TEST(HoistJumps, a_slack_cable_of_several_runs_starts_as_it_hangs) {
  // Rest length used to be shared by the path, the slack by how spans sag: the middle run pulled at 900 N.
  Description d = heavy(1.0 / 240, g);
  d.bodies.emplace_back("load", rigid(2.0, Vec3::Constant(0.03), Vec3(1.6, 0, 1.2)));
  CableSettings c = hoist(0.4, unbounded);
  c.slack = 0.25;
  LinkSettings eye = hoistPoint("world", Vec3(2.4, 0, 3.8));
  eye.friction = 0.24;
  c.route = {hoistEnd("world", Vec3(0, 0, 3.4)),     hoistPoint("world", Vec3(0.7, 0, 3.3)), hoistPoint("load"), eye,
             hoistPoint("world", Vec3(3.3, 0, 1.6)), hoistEnd("world", Vec3(4.1, 0, 3.3))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  const double start = measure(w, "energy.total"), length = measure(w, "cables.c.length");
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(w.step().good);
    // In 3 steps 2 kg fall 0.8 mm.
    EXPECT_LT(measure(w, "energy.kinetic"), 0.05);
    EXPECT_NEAR(measure(w, "energy.total"), start, 0.01);
  }
  EXPECT_NEAR(measure(w, "cables.c.length"), length, 1e-9);
}

TEST(HoistJumps, a_wheel_is_left_by_what_is_drawn_straight_past_it_and_taken_in_again) {
  // A wheel on a slider under a level rope: it rises 0.3 m into the rope, goes down below it, and rises again.
  Description d = heavy(1.0 / 240, g);
  BodySettings lift = rigid(5.0, Vec3::Constant(0.1), Vec3(1.5, 0, 0.1));
  lift.motion = BodyMotion::kinematic;
  lift.prescribed.emplace();
  lift.prescribed->along = -Vec3::UnitZ();
  lift.prescribed->travel.table = {Vec2(0.1, 0), Vec2(0.6, 0.6), Vec2(1.1, 0.6), Vec2(1.6, 0)};
  d.bodies.emplace_back("lift", lift);
  d.bodies.emplace_back("load", rigid(20.0, Vec3::Constant(0.1), Vec3(3.1, 0, -1)));
  CableSettings c = hoist(0.05, 1e5);
  c.material.damping = 0.01;
  c.route = {hoistEnd("world"), hoistWheel("lift", Vec3::Zero(), 0.1, 1), hoistWheel("world", Vec3(3, 0, -0.1), 0.1, 1),
             hoistEnd("load")};
  d.cables.emplace_back("c", c);
  World w = make(d);
  const double length = measure(w, "cables.c.length");
  bool left = false, back = false;
  for (int i = 0; i < 480; ++i) {
    ASSERT_TRUE(w.step().good);
    const auto events = w.takeEvents();
    for (const Event& e : events) {
      left = left || e.what.find("the cable has left it") != std::string::npos;
      back = back || (left && e.what.find("has come to lie on it") != std::string::npos);
    }
    if (i == 230) {  // the wheel is 0.4 m below the rope
      EXPECT_EQ(w.observe().cables[0].second.links.size(), 3u);
    }
    EXPECT_NEAR(measure(w, "cables.c.length"), length, 1e-9);
  }
  EXPECT_TRUE(left);
  EXPECT_TRUE(back);
  EXPECT_EQ(w.observe().cables[0].second.links.size(), 4u);
  EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
}

}  // namespace
}  // namespace reeve::test
