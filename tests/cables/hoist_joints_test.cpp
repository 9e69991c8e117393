// Waves on the spans of a cable of joints.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cables/hoist_scenes.h"
#include "reeve/cables/hoist/hanging_span.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

CableSettings wavy(double mass, double axial, int subdivisions = 20) {
  CableSettings c = hoist(mass, axial, subdivisions);
  c.model = CableModel::joints;
  c.waves = true;
  return c;
}

TEST(WavyJoints, sag_of_a_span_is_the_parabola_s) {
  Description d = heavy(0.01, 9.81);
  CableSettings c = wavy(1.0, 1e7);
  c.waveDamping = 8.0;
  c.tension = 5000.0;
  c.route = {attachTo("world"), attachTo("world", Vec3(20, 0, 0))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  run(w, 6.0);
  const double tension = measure(w, "cables.c.spans.0.tension");
  EXPECT_NEAR(measure(w, "cables.c.spans.0.sag") / (9.81 * 400 / (8 * tension)), 1.0, 0.01);
}

TEST(WavyJoints, a_hanging_load_swings_as_on_a_hoist_cable) {
  double x[2];
  for (const bool joints : {false, true}) {
    Description d = heavy(0.01, 9.81);
    ParticleSettings p;
    p.mass = 100.0;
    p.position = Vec3(0.8, 0, -8);
    d.particles.emplace_back("load", p);
    CableSettings c = joints ? wavy(5.0, 1e7) : hoist(5.0, 1e7);
    c.tension = 120.0 * 9.81;
    c.route = {attachTo("world"), attachTo("load")};
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 5.0);
    x[joints ? 1 : 0] = measure(w, "particles.load.position.x");
  }
  EXPECT_NEAR(x[0], x[1], 2e-3);
}

TEST(WavyJoints, rolls_over_a_wheel_that_turns_and_keeps_its_length) {
  Description d = heavy(0.005, 9.81);
  d.bodies.emplace_back("left", rigid(100.0, Vec3::Constant(10), Vec3(-0.3, 0, -6)));
  d.bodies.emplace_back("right", rigid(110.0, Vec3::Constant(10), Vec3(0.3, 0, -6)));
  RotorSettings wheel;
  wheel.radius = 0.3;
  wheel.inertia = 1.0;
  d.rotors.emplace_back("wheel", wheel);
  CableSettings c = wavy(0.2, 1e7);
  c.waveDamping = 1.0;
  c.material.damping = 0.01;
  c.route = {attachTo("left"), rollOver("wheel", 1), attachTo("right")};
  d.cables.emplace_back("c", c);
  World w = make(d);
  const double total = measure(w, "cables.c.length");
  run(w, 2.0);
  // a = Δm g/(Σm + I/r²), the cable's own weight aside (it adds up to 1.2 kg a side and none of inertia along itself).
  const double fall = -6 - measure(w, "bodies.right.position.z");
  EXPECT_NEAR(fall, 0.5 * 10 * 9.81 / (210 + 1 / 0.09) * 4, 0.05);
  EXPECT_NEAR(measure(w, "cables.c.length"), total, 1e-9);
}

TEST(WavyJoints, a_split_keeps_the_curve_and_the_length) {
  // A post is driven into the middle of a heavy span; the cable is taken in by it and let go again.
  Description d = heavy(0.004, 9.81);
  BodySettings post;
  post.motion = BodyMotion::kinematic;
  post.position = Vec3(5, 0, 2);
  ShapeSettings bar;
  bar.type = ShapeType::cylinder;
  bar.radius = 0.2;
  bar.length = 2.0;
  bar.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));
  post.shapes.push_back(bar);
  post.prescribed.emplace();
  post.prescribed->along = Vec3::UnitZ();
  post.prescribed->travel.table = {Vec2(0.5, 0), Vec2(2.0, -2.6), Vec2(2.5, -2.6), Vec2(4, 0)};
  d.bodies.emplace_back("post", post);
  CableSettings c = wavy(1.0, 1e5);
  c.waveDamping = 3.0;
  c.tension = 2000.0;
  c.candidates = {"post"};
  c.route = {attachTo("world"), attachTo("world", Vec3(10, 0, 0))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  const double total = measure(w, "cables.c.length");
  std::size_t most = 0;
  double worst = 0.0;
  while (w.time() < 5.0) {
    ASSERT_TRUE(w.step().good);
    most = std::max(most, w.observe().cables[0].second.spans.size());
    worst = peak(worst, std::fabs(measure(w, "cables.c.length") - total));
  }
  EXPECT_EQ(most, 2u);
  EXPECT_EQ(w.observe().cables[0].second.spans.size(), 1u);
  EXPECT_LT(worst, 1e-9);
}

TEST(WavyJoints, a_split_sees_the_curved_span) {
  // 10.3 m over 10 m hang 1.07 m deep. A bar rises under the sag, stays well below the straight line between the ends,
  // and goes down again: the cable is lifted where it hangs, and its two halves hang beside the bar.
  Description d = heavy(0.005, 9.81);
  BodySettings post;
  post.motion = BodyMotion::kinematic;
  post.position = Vec3(5, 0, -2.05);
  ShapeSettings bar;
  bar.type = ShapeType::cylinder;
  bar.radius = 0.05;
  bar.length = 2.0;
  bar.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));
  post.shapes.push_back(bar);
  post.prescribed.emplace();
  post.prescribed->along = Vec3::UnitZ();
  post.prescribed->travel.table = {Vec2(8, 0), Vec2(12, 1.4), Vec2(16, 1.4), Vec2(20, 0)};
  d.bodies.emplace_back("post", post);
  CableSettings c = wavy(1.0, 1e6);
  c.waveDamping = 3.0;
  c.length = 10.3;
  c.material.friction = 0.0;
  c.candidates = {"post"};
  c.route = {attachTo("world"), attachTo("world", Vec3(10, 0, 0))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  const double total = measure(w, "cables.c.length");
  double worst = 0.0, splitAt = 0.0;
  while (w.time() < 24.0) {
    ASSERT_TRUE(w.step().good) << w.time();
    worst = peak(worst, std::fabs(measure(w, "cables.c.length") - total));
    for (const Event& e : w.takeEvents())
      if (e.what.starts_with("split") && splitAt == 0.0) splitAt = w.observe().bodies[0].second.position.z() + 0.05;
    if (std::fabs(w.time() - 16.0) > 1e-6) continue;
    const auto cable = w.observe().cables[0].second;
    ASSERT_EQ(cable.spans.size(), 2u);
    // On top of the bar, half of the cable on either side, each half a catenary of its own.
    EXPECT_NEAR(cable.spans[0].end.z(), -0.6, 0.01);
    const HangingSpan half = hangingSpan(5.0, -0.6, 0.5 * 10.3, 9.81 * 0.5 * 10.3);
    EXPECT_NEAR(cable.spans[0].tension / half.tension, 1.0, 0.03);
  }
  EXPECT_NEAR(splitAt, -1.075, 0.02);  // not at the straight line, which the bar never reaches
  EXPECT_EQ(w.observe().cables[0].second.spans.size(), 1u);
  EXPECT_NEAR(measure(w, "cables.c.spans.0.sag"), 1.075, 0.01);
  EXPECT_LT(worst, 1e-9);
}

}  // namespace
}  // namespace reeve::test
