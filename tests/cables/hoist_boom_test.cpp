// A boom swung fast into a slack hoist cable, held, and drawn back: the cable stays on the side it was met from.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "cables/hoist_scenes.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

struct Swing {
  ShapeType shape = ShapeType::box;
  double speed = 20.0, dt = 1.0 / 60.0, friction = 0.0, length = 10.1, mass = 0.3;

  double stops() const { return 0.2 + 3.5 / speed; }
  std::string what() const {
    std::ostringstream out;
    out << "shape " << static_cast<int>(shape) << ", " << speed << " m/s, dt " << dt << ", friction " << friction
        << ", length " << length << ", " << mass << " kg/m";
    return out.str();
  }
};

ShapeSettings bar(ShapeType type) {
  ShapeSettings shape;
  shape.type = type;
  shape.size = Vec3(0.1, 0.1, 6);  // 3 m to either side: the cable reaches 1.43 m at most
  shape.radius = type == ShapeType::capsule ? 0.03 : 0.05;
  shape.length = 6.0;
  return shape;
}

CableSettings slackCable(const Swing& b) {
  CableSettings c = hoist(b.mass, 1e6, 20);
  if (b.mass > 0.0) c.waveDamping = 1.0;
  c.length = b.length;
  c.material.damping = 0.005;
  c.material.friction = b.friction;
  c.candidates = {"boom"};
  return c;
}

/// Back at 5 m/s.
Description swung(const Swing& b) {
  Description d = heavy(b.dt, 9.81);
  d.bodies.emplace_back("boom", boomAcross(bar(b.shape), b.speed, 5.0));
  CableSettings c = slackCable(b);
  c.route = {attachTo("world"), attachTo("world", Vec3(10, 0, 0))};
  d.cables.emplace_back("c", c);
  return d;
}

/// The most that bending it round the boom can pull with, and what a pulse of that speed along it does: EA v/c.
double mostTension(const Swing& b) {
  const double reach = 1.05, path = std::hypot(4.2, reach) + std::hypot(5.8, reach);
  return 1.5 * (1e6 * std::max(path / b.length - 1.0, 0.0) + b.speed * std::sqrt(1e6 * std::max(b.mass, 0.05))) + 1e4;
}

void staysAhead(const Swing& b) {
  World w = make(swung(b));
  const auto energyIs = w.resolve("energy.total");
  double least = 100.0, tension = 0.0, held = 1e9, most = -1e9;
  while (w.time() < b.stops() + 1.2) {
    ASSERT_TRUE(w.step().good) << b.what();
    const Observation o = w.observe();
    least = std::min(least, aheadOf(o));
    for (const SpanObservation& s : o.cables[0].second.spans) tension = peak(tension, s.tension);
    if (w.time() < b.stops() - 1e-9 || w.time() > b.stops() + 0.3) continue;
    if (held == 1e9) held = w.read(*energyIs);
    most = peak(most, w.read(*energyIs));
  }
  EXPECT_GT(least, 0.0) << b.what();
  EXPECT_LT(tension, mostTension(b)) << b.what();
  EXPECT_LE(most, held) << "J, of a boom that stands; " << b.what();
  EXPECT_EQ(cableOf(w).spans.size(), 1u) << b.what();
  if (b.friction == 0.0) {
    EXPECT_EQ(measure(w, "health.unconverged"), 0.0) << b.what();
  }
}

TEST(HoistBoom, a_slack_cable_stays_on_the_side_it_was_met_from) {
  for (const double speed : {5.0, 10.0, 20.0})
    for (const double length : {10.1, 10.15, 10.4})
      for (const double mass : {0.3, 2.0})
        for (const double friction : {0.0, 0.3}) {
          staysAhead({ShapeType::capsule, speed, 0.01, friction, length, mass});
          staysAhead({ShapeType::cylinder, speed, 1.0 / 60.0, friction, length, mass});
          staysAhead({friction > 0.0 ? ShapeType::capsule : ShapeType::box, speed, 1.0 / 60.0, friction, length, mass});
        }
}

TEST(HoistBoom, at_thirty_and_sixty_metres_a_second_too) {
  for (const double speed : {30.0, 60.0})
    for (const double length : {10.0, 10.1, 10.4}) {
      staysAhead({ShapeType::capsule, speed, 1.0 / 60.0, 0.0, length, 2.0});
      staysAhead({ShapeType::cylinder, speed, 0.01, 0.3, length, 0.3});
    }
}

/// Without gravity, a bar of 20 kg flies at the middle of a slack cable between two loads of 50 kg.
Description struck(const Swing& b) {
  Description d = still(b.dt);
  BodySettings boom = rigid(20.0, Vec3(60, 60, 0.1), Vec3(4.8, -1.0, 0));
  boom.velocity = Vec3(0, b.speed, 0);
  boom.collides = false;
  boom.shapes.push_back(bar(b.shape));
  d.bodies.emplace_back("boom", boom);
  addMass(d, "left", 50.0, Vec3(0, 0, 0));
  addMass(d, "right", 50.0, Vec3(10, 0, 0));
  CableSettings c = slackCable(b);
  c.waveDamping = 0.0;
  c.slack = b.length - 10.0;
  c.length.reset();
  c.route = {attachTo("left"), attachTo("right")};
  d.cables.emplace_back("c", c);
  return d;
}

TEST(HoistBoom, a_free_boom_keeps_the_momentum_of_all_and_gains_nothing) {
  for (const ShapeType shape : {ShapeType::box, ShapeType::capsule})
    for (const double mass : {0.0, 0.3})
      for (const double friction : {0.0, 0.3}) {
        const Swing b{shape, 10.0, 0.005, friction, 10.0, mass};
        World w = make(struck(b));
        const double energy = measure(w, "energy.total");
        double most = energy, off = 0.0;
        std::vector<Vec3> before = cableOf(w).polyline;
        bool met = false;
        while (w.time() < 1.5) {
          ASSERT_TRUE(w.step().good) << b.what();
          most = peak(most, measure(w, "energy.total"));
          const Observation o = w.observe();
          const auto& line = o.cables[0].second.polyline;
          met = met || o.cables[0].second.spans.size() > 1;
          // The cable's own, of how its pieces have moved, where they are the same ones.
          Vec3 own = Vec3::Zero();
          const bool same = line.size() == before.size();
          for (std::size_t k = 0; same && k + 1 < line.size(); ++k)
            own += mass * (line[k + 1] - line[k]).norm() / (2.0 * b.dt) *
                   (line[k] + line[k + 1] - before[k] - before[k + 1]);
          before = line;
          Vec3 sum = 20.0 * o.bodies[0].second.velocity + own;
          for (const auto& [name, p] : o.particles) sum += 50.0 * p.velocity;
          if (same) off = peak(off, (sum - Vec3(0, 200.0, 0)).norm());
        }
        EXPECT_TRUE(met) << b.what();
        EXPECT_LT(off, mass > 0.0 ? 2.0 : 1e-9) << b.what();
        EXPECT_LT(most, 1.001 * energy) << b.what();
      }
}

}  // namespace
}  // namespace reeve::test
