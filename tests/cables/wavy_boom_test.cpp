// A boom swung fast through a slack cable of joints with waves, held, and drawn back.
#include <gtest/gtest.h>

#include <cmath>

#include "cables/hoist_scenes.h"

namespace reeve::test {
namespace {

struct Boom {
  bool box = true;
  double dt = 1.0 / 60.0, friction = 0.0, length = 10.1, mass = 0.3;
};

/// 3.5 m across at 20 m/s, from one side of the chord of 10 m to 1 m beyond it; back at 5 m/s.
Description swept(const Boom& b) {
  Description d = heavy(b.dt, 9.81);
  BodySettings boom;
  boom.motion = BodyMotion::kinematic;
  boom.position = Vec3(4.2, -2.5, 0);
  boom.collides = false;
  ShapeSettings shape;
  shape.type = b.box ? ShapeType::box : ShapeType::capsule;
  shape.size = Vec3(0.1, 0.1, 4);
  shape.radius = 0.03;
  shape.length = 4.0;
  boom.shapes.push_back(shape);
  boom.prescribed.emplace();
  boom.prescribed->along = Vec3::UnitY();
  boom.prescribed->travel.table = {Vec2(0.2, 0), Vec2(0.375, 3.5), Vec2(0.675, 3.5), Vec2(1.375, 0)};
  d.bodies.emplace_back("boom", boom);
  CableSettings c = hoist(b.mass, 1e6, 20);
  c.model = CableModel::joints;
  c.waves = true;
  c.waveDamping = 1.0;
  c.length = b.length;
  c.material.damping = 0.005;
  c.material.friction = b.friction;
  c.candidates = {"boom"};
  c.route = {attachTo("world"), attachTo("world", Vec3(10, 0, 0))};
  d.cables.emplace_back("c", c);
  return d;
}

/// How far the cable is ahead of the boom's middle, where the boom is; the least if it passes there more than once.
double ahead(const World& w) {
  const Observation o = w.observe();
  const Vec3 boom = o.bodies[0].second.position;
  double least = 100.0;
  const auto& line = o.cables[0].second.polyline;
  for (std::size_t k = 0; k + 1 < line.size(); ++k) {
    const double a = line[k].x() - boom.x(), b = line[k + 1].x() - boom.x();
    if (a * b > 0.0 || a == b) continue;
    least = std::min(least, line[k].y() + a / (a - b) * (line[k + 1].y() - line[k].y()) - boom.y());
  }
  return least;
}

TEST(WavyBoom, a_cable_stays_on_the_side_of_the_boom_it_was_met_from) {
  // Slack ones are thrown off the boom, come back at it, hang and slap along it; taut ones spring back.
  for (const bool box : {true, false})
    for (const double dt : {1.0 / 60.0, 0.005})
      for (const double friction : {0.0, 0.3})
        for (const double length : {10.0, 10.02, 10.1, 10.2})
          for (const double mass : {0.3, 1.5}) {
            World w = make(swept({box, dt, friction, length, mass}));
            double least = 100.0;
            while (w.time() < 1.675) {
              ASSERT_TRUE(w.step().good);
              least = std::min(least, ahead(w));
            }
            EXPECT_GT(least, 0.0) << (box ? "box" : "capsule") << " dt " << dt << " friction " << friction << " length "
                                  << length << " mass " << mass;
            EXPECT_EQ(w.observe().cables[0].second.spans.size(), 1u);
          }
}

}  // namespace
}  // namespace reeve::test
