#include "reeve/record/drag_meter.h"

#include "support/scenes.h"

namespace reeve::test {
namespace {

TEST(DragMeter, accountsForWhatFallsAndWhatSpins) {
  // m v' = m g − c v and I ω' = −k ω: what is missing of the energy is what drag took.
  const double m = 2.0, c = 3.0, inertia = 0.5, k = 0.4, g = 10.0, t = 1.5, spin = 7.0;
  Description d = heavy(1.0 / 480, g);
  BodySettings body = rigid(m, Vec3(inertia, inertia, inertia));
  body.drag = c;
  body.angularDrag = k;
  body.angularVelocity = Vec3(0, spin, 0);
  d.bodies.emplace_back("stone", body);
  ParticleSettings dust;
  dust.mass = 1.0;
  dust.position = Vec3(5, 0, 0);
  d.particles.emplace_back("no drag", dust);
  World w = make(d);
  record::DragMeter meter(w);
  while (w.time() < t - 1e-9) {
    ASSERT_TRUE(w.step().good);
    meter.look(w);
  }
  const double v = m * g / c * (1 - std::exp(-c * t / m)), fell = m * g / c * t - m / c * v;
  const double wanted =
      m * g * fell - 0.5 * m * v * v + 0.5 * inertia * spin * spin * (1 - std::exp(-2 * k * t / inertia));
  EXPECT_NEAR(meter.taken() / wanted, 1.0, 1e-4);
}

}  // namespace
}  // namespace reeve::test
