// A boom swung fast through a slack cable of joints with waves, held, and drawn back.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "cables/hoist_scenes.h"

namespace reeve::test {
namespace {

struct Boom {
  bool box = true;
  double dt = 1.0 / 60.0, friction = 0.0, length = 10.1, mass = 0.3;
  double speed = 20.0, back = 5.0;  ///< m/s
};

/// When it has come across, and when it goes back again, s.
double across(const Boom& b) { return 0.2 + 3.5 / b.speed; }
double returns(const Boom& b) { return across(b) + 0.3; }
double ends(const Boom& b) { return returns(b) + 3.5 / b.back; }

Description swept(const Boom& b) {
  Description d = heavy(b.dt, 9.81);
  ShapeSettings shape;
  shape.type = b.box ? ShapeType::box : ShapeType::capsule;
  shape.size = Vec3(0.1, 0.1, 4);
  shape.radius = 0.03;
  shape.length = 4.0;
  d.bodies.emplace_back("boom", boomAcross(shape, b.speed, b.back));
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

/// What a cable does while the boom comes, and after that, when the boom rests and goes away.
struct Watched {
  double ahead = 100.0;              ///< m, the least
  double most = -1e300;              ///< J, the largest energy
  double gained = 0.0;               ///< J, at the boom's rest and way back, from the lowest energy before it
  double pulled = 0.0, pulls = 0.0;  ///< N, the largest tension before the boom goes back, and after it has left
  std::size_t spans = 0;
};

Watched watch(const Boom& b) {
  World w = make(swept(b));
  Watched seen;
  double lowest = 1e300;
  while (w.time() < ends(b) + 0.3) {
    const bool good = w.step().good;
    EXPECT_TRUE(good);
    if (!good) break;
    const Observation o = w.observe();
    seen.ahead = std::min(seen.ahead, aheadOf(w.observe()));
    seen.most = std::max(seen.most, o.energy.total);
    double pull = 0.0;
    for (const auto& span : o.cables[0].second.spans) pull = std::max(pull, span.tension);
    // The chord is at y = 0: 0.1 m beyond it the boom has left it.
    const bool gone = w.time() > returns(b) && o.bodies[0].second.position.y() < -0.1;
    if (w.time() <= returns(b)) seen.pulled = std::max(seen.pulled, pull);
    if (gone) seen.pulls = std::max(seen.pulls, pull);
    if (w.time() <= across(b) + 1.01 * b.dt) continue;
    lowest = std::min(lowest, o.energy.total);
    seen.gained = std::max(seen.gained, o.energy.total - lowest);
  }
  seen.spans = w.observe().cables[0].second.spans.size();
  return seen;
}

std::string told(const Boom& b) {
  std::ostringstream out;
  out << (b.box ? "box" : "capsule") << " dt " << b.dt << " friction " << b.friction << " length " << b.length
      << " mass " << b.mass << " at " << b.speed << " m/s, back at " << b.back;
  return out.str();
}

TEST(WavyBoom, a_cable_stays_on_the_side_of_the_boom_it_was_met_from) {
  // Slack ones are thrown off the boom, come back at it, hang and slap along it; taut ones spring back.
  for (const bool box : {true, false})
    for (const double dt : {1.0 / 60.0, 0.005})
      for (const double friction : {0.0, 0.3})
        for (const double length : {10.0, 10.02, 10.1, 10.2})
          for (const double mass : {0.3, 1.5}) {
            const Boom b{box, dt, friction, length, mass};
            const Watched seen = watch(b);
            EXPECT_GT(seen.ahead, 0.0) << told(b);
            EXPECT_EQ(seen.spans, 1u) << told(b);
            EXPECT_LT(seen.gained, 10.0) << told(b) << " of " << seen.most;
          }
}

TEST(WavyBoom, a_boom_drawn_back_only_takes) {
  // It cannot pull at the cable it leaves: that stays where its tension and weight hold it.
  for (const bool box : {true, false})
    for (const double dt : {1.0 / 60.0, 0.004})
      for (const double speed : {0.5, 2.0, 5.0})
        for (const double length : {9.98, 10.0, 10.05})
          for (const double mass : {0.3, 1.5}) {
            const Boom b{box, dt, 0.2, length, mass, speed, speed};
            const Watched seen = watch(b);
            EXPECT_GT(seen.ahead, 0.0) << told(b);
            EXPECT_EQ(seen.spans, 1u) << told(b);
            EXPECT_LT(seen.gained, 10.0) << told(b) << " of " << seen.most;
            EXPECT_LT(seen.pulls, seen.pulled) << told(b);
          }
}

}  // namespace
}  // namespace reeve::test
