// Slack cables of joints with waves, let down on bodies that stand still, and taken up again.
#include <gtest/gtest.h>

#include <string>

#include "cables/hoist_scenes.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

struct Lowered {
  const char* name = "";
  ShapeType type = ShapeType::box;
  Vec3 size = Vec3(1, 1.5, 1);
  double radius = 0.5;
  double length = 4.6, down = 1.6, speed = 0.8, dt = 0.005, friction = 0.3;
};

/// Ends 4 m apart, over a body whose top is 1.5 m below them.
Description lowered(const Lowered& l) {
  Description d = heavy(l.dt, 9.81);
  ShapeSettings shape;
  shape.type = l.type;
  shape.size = l.size;
  shape.radius = l.radius;
  shape.length = 2.0;
  if (l.type == ShapeType::cylinder) shape.orientation = Quat(Eigen::AngleAxisd(1.5707963267948966, Vec3::UnitX()));
  BodySettings below;
  below.motion = BodyMotion::fixed;
  below.position = Vec3(2, 0, -2);
  below.collides = false;
  below.shapes.push_back(shape);
  d.bodies.emplace_back("below", below);
  BodySettings bar;
  bar.motion = BodyMotion::kinematic;
  bar.prescribed.emplace();
  bar.prescribed->along = -Vec3::UnitZ();
  const double there = 0.5 + l.down / l.speed;
  bar.prescribed->travel.table = {Vec2(0.5, 0), Vec2(there, l.down), Vec2(there + 1.0, l.down), Vec2(there + 2.0, 0)};
  d.bodies.emplace_back("bar", bar);
  CableSettings c = hoist(0.8, 1e6, 20);
  c.model = CableModel::joints;
  c.waves = true;
  c.waveDamping = 2.0;
  c.length = l.length;
  c.material.friction = l.friction;
  c.candidates = {"below"};
  c.route = {attachTo("bar"), attachTo("bar", Vec3(4, 0, 0))};
  d.cables.emplace_back("c", c);
  return d;
}

TEST(WavyLowered, a_slack_cable_let_down_on_a_body_gains_nothing) {
  const auto box = [](const char* name, double width) {
    Lowered l;
    l.name = name;
    l.size = Vec3(width, 1.5, 1.0);
    return l;
  };
  Lowered cylinder, ball, slow = box("slow", 1.5), less = box("shorter", 1.0), above = box("stays above", 1.0), round,
                          fine;
  cylinder.name = "cylinder", cylinder.type = ShapeType::cylinder;
  ball.name = "ball", ball.type = ShapeType::sphere;
  round = cylinder, round.name = "slow cylinder", round.speed = 0.2;
  fine = cylinder, fine.name = "cylinder at 1 ms", fine.dt = 0.001;
  slow.speed = 0.2;
  less.length = 4.2;
  above.down = 1.0;
  for (const Lowered& l : {box("box 0.6", 0.6), box("box 1", 1.0), slow, less, above, cylinder, ball, round, fine}) {
    World w = make(lowered(l));
    const double start = w.observe().energy.total;
    double most = start, tension = 0.0;
    while (w.time() < 0.5 + l.down / l.speed + 3.0) {
      const bool good = w.step().good;
      ASSERT_TRUE(good) << l.name;
      const Observation o = w.observe();
      most = peak(most, o.energy.total);
      for (const auto& span : o.cables[0].second.spans) tension = peak(tension, span.tension);
    }
    // Lifting its ends, which begins at once, is worth 5 J and 360 N; at 1 ms 584 N.
    EXPECT_LT(most - start, 10.0) << l.name;
    EXPECT_LT(tension, 700.0) << l.name;
    EXPECT_EQ(w.observe().cables[0].second.spans.size(), 1u) << l.name;
    EXPECT_NEAR(w.observe().cables[0].second.length, l.length, 1e-9) << l.name;
    // It hangs through what it lies on, and that is told.
    bool told = false;
    for (const auto& event : w.takeEvents()) {
      EXPECT_EQ(event.what.find("passes"), std::string::npos) << l.name;
      told = told || event.what.find("is sunk into") != std::string::npos;
    }
    EXPECT_TRUE(told) << l.name;
  }
}

}  // namespace
}  // namespace reeve::test
