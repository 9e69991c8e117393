// The published explicit scheme where it would blow up: stiff cables, long steps.
#include <gtest/gtest.h>

#include <cmath>

#include "cables/hoist_scenes.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

/// A level span of 10 m over a point, and a load under it that starts aside and slack.
Description slung(double axial, double dt, double load, PullForm pull) {
  Description d = heavy(dt, g);
  d.bodies.emplace_back("load", rigid(load, Vec3::Constant(0.015 * load), Vec3(12, 0, -4)));
  CableSettings c = hoist(1.0, axial);
  c.waveScheme = WaveScheme::explicitly;
  c.waveDamping = 0.5;
  c.slack = 0.2;
  c.pull = pull;
  c.route = {hoistEnd("world"), hoistPoint("world", Vec3(10, 0, 0)), hoistEnd("load")};
  d.cables.emplace_back("c", c);
  return d;
}

TEST(HoistExplicit, a_stiff_cable_never_throws_its_load) {
  for (const PullForm pull : {PullForm::row, PullForm::force})
    for (const double axial : {1e6, 1e8, 1e9, 1e10})
      for (const double dt : {0.01, 1.0 / 240, 0.001, 0.0005}) {
        for (const double load : {5.0, 20.0, 100.0}) {
          World w = make(slung(axial, dt, load, pull));
          const double start = measure(w, "energy.kinetic") + measure(w, "energy.potential");
          double high = -10.0, most = -1e9;
          for (int i = 0; i * dt < 5.0; ++i) {
            ASSERT_TRUE(w.step().good);
            high = peak(high, measure(w, "bodies.load.position.z"));
            most = peak(most, measure(w, "energy.kinetic") + measure(w, "energy.potential"));
          }
          // It swings on less than 5 m of cable: nothing may lift it above where it began by more than the level span
          // can by falling to where the load's weight holds it, each time the waves are begun again. Before: 500 m.
          const double weight = load * g, span = 1.0 * g * 10.0, sag = span * 10.0 / (8.0 * weight);
          const double falls = 2.0 / 3.0 * sag * span;
          EXPECT_LT(high, -3.0 + falls / weight) << axial << " N, " << dt << " s, " << load << " kg";
          EXPECT_LT(most - start, 0.2 * weight * 4.5 + falls) << axial << " N, " << dt << " s, " << load << " kg";
        }
      }
}

TEST(HoistExplicit, the_published_force_neither_feeds_nor_damps_a_swing) {
  // 100 kg on a spring of 40 kN/m, ωh = 0.04: its amplitude after 50 periods. With the force of the start of the step
  // it would have grown by e^{ω²ht/2} = 500 times.
  Description d = heavy(0.002, 0.0);
  ParticleSettings p;
  p.mass = 100.0;
  p.position = Vec3(0, 0, -5);
  d.particles.emplace_back("load", p);
  CableSettings c = hoist(0.0, 2e5);
  c.tension = 4000.0;
  c.pull = PullForm::force;
  c.route = {hoistEnd("world"), hoistEnd("load")};
  ForceSettings f;
  f.on = "load";
  f.force = Vec3(0, 0, -3000.0);
  d.cables.emplace_back("c", c);
  d.forces.emplace_back("pull", f);
  World w = make(d);
  const double period = 2 * 3.14159265358979 / std::sqrt(2e5 / (5.0 / 1.02) / 100.0);
  const auto swing = [&](double seconds) {
    double low = 1e9, high = -1e9;
    for (const double end = w.time() + seconds; w.time() < end;) {
      EXPECT_TRUE(w.step().good);
      const double z = measure(w, "particles.load.position.z");
      low = std::min(low, z), high = peak(high, z);
    }
    return 0.5 * (high - low);
  };
  const double first = swing(2 * period);
  swing(46 * period);
  EXPECT_NEAR(swing(2 * period) / first, 1.0, 0.2);
  EXPECT_NEAR(first, 1000.0 / (2e5 / (5.0 / 1.02)), 0.01 * first);
}

TEST(HoistExplicit, a_force_too_stiff_for_the_step_is_limited_and_says_so) {
  Description d = slung(1e9, 0.005, 100.0, PullForm::force);
  d.cables[0].second.material.mass = 0.0;
  d.cables[0].second.material.damping = 0.02;
  d.bodies[0].second.position = Vec3(10, 0, -4.5);
  World w = make(d);
  int told = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) told += e.what.find("limited") != std::string::npos;
  }
  EXPECT_EQ(told, 1);
  EXPECT_NEAR(measure(w, "cables.c.spans.1.tension"), 100 * g, 1e-3 * 100 * g);
}

}  // namespace
}  // namespace reeve::test
