// What lies on the wheels and drums of a hoist cable: it weighs, and is inert.
#include <gtest/gtest.h>

#include <cmath>

#include "cables/hoist_scenes.h"

namespace reeve::test {
namespace {

TEST(HoistLying, a_load_unwinds_a_heavy_cable_from_its_drum) {
  // All of it goes at one speed, in the fall or on the rim: M x¨ = g (m + ρ x), M = m + ρ L + I/r², so that
  // x = (x₀ + m/ρ) cosh kt − m/ρ with k² = ρ g/M. The energy stays.
  const double r = 0.1, m = 5.0, density = 2.0, inertia = 0.05, below = 1.0, stored = 6.0;
  Description d = heavy(0.001, g);
  d.bodies.emplace_back("load", rigid(m, Vec3::Constant(0.1), Vec3(r, 0, -below)));
  RotorSettings drum;
  drum.radius = r;
  drum.inertia = inertia;
  d.rotors.emplace_back("drum", drum);
  CableSettings c = hoist(density, 1e7);
  c.material.damping = 0.002;
  LinkSettings spool = hoistEnd("drum");
  spool.type = LinkType::spool;
  spool.side = 1;
  spool.stored = stored;
  c.route = {spool, hoistEnd("load")};
  d.cables.emplace_back("c", c);
  World w = make(d);
  const double start = measure(w, "energy.total");
  run(w, 0.8);
  const double all = m + density * (below + stored) + inertia / (r * r), k = std::sqrt(density * g / all);
  const double wanted = (below + m / density) * (std::cosh(0.8 * k) - 1.0), kinetic = measure(w, "energy.kinetic");
  EXPECT_NEAR(-measure(w, "bodies.load.position.z") - below, wanted, 0.005 * wanted);
  EXPECT_NEAR(measure(w, "energy.total"), start, 0.005 * kinetic);
}

TEST(HoistLying, the_ends_of_a_bight_carry_all_of_a_cable_with_the_wheel_in_it) {
  // A wheel of 0.2 m and 4 kg hangs in two falls of 2 m of 1.5 kg/m: together the ends hold (4 + 1.5 (4 + π 0.2)) g.
  const double r = 0.2, m = 4.0, density = 1.5;
  Description d = heavy(0.002, g);
  d.bodies.emplace_back("block", rigid(m, Vec3::Constant(0.1), Vec3(0, 0, -2)));
  CableSettings c = hoist(density, 1e6);
  c.material.damping = 0.02;
  c.route = {hoistEnd("world", Vec3(-r, 0, 0)), hoistWheel("block", Vec3::Zero(), r, -1),
             hoistEnd("world", Vec3(r, 0, 0))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  run(w, 2.0);
  double held = 0.0;
  for (const char* link : {"0", "2"}) held -= measure(w, std::string("cables.c.links.") + link + ".force.z");
  EXPECT_NEAR(std::fabs(held), (m + density * (4.0 + M_PI * r)) * g, 0.01 * m * g);
}

TEST(HoistLying, a_light_block_that_falls_in_a_slack_heavy_bight_wins_nothing) {
  // The cable on it counted as energy that falls, and neither weighed nor was inert.
  Description d = heavy(0.001, g);
  d.bodies.emplace_back("block", rigid(1.0, Vec3::Constant(0.1), Vec3(0, 0, -2)));
  CableSettings c = hoist(2.0, unbounded);
  c.slack = 3.0;
  c.route = {hoistEnd("world", Vec3(-0.2, 0, 0)), hoistWheel("block", Vec3::Zero(), 0.2, -1),
             hoistEnd("world", Vec3(0.2, 0, 0))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  const double start = measure(w, "energy.total");
  double most = start;
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(w.step().good);
    most = std::max(most, measure(w, "energy.total"));
  }
  EXPECT_LT(most - start, 0.01 * measure(w, "energy.kinetic"));
}

}  // namespace
}  // namespace reeve::test
