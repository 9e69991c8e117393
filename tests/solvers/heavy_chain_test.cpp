// The scene every engine tried fails: a light chain with a heavy load, dropped from horizontal.
#include "support/scenes.h"

namespace reeve::test {
namespace {

struct Swing {
  double stretch = 0.0;  // worst joint error over the run, in link lengths
  double gain = 0.0;     // most energy above the start, in M g L
  double kept = 0.0;     // energy of the swing left at the end: 1 is all
  double iterations = 0.0;
  double backward = 0.0;
};

Swing drop(Description d, double load, double seconds) {
  World w = make(std::move(d));
  const double swing = load * 10.0 * 12.0;
  const double start = measure(w, "energy.total");
  Swing s;
  const std::int64_t steps = std::llround(seconds / w.description().settings.dt);
  const auto total = w.resolve("energy.total");
  double iterations = 0.0;
  for (std::int64_t i = 0; i < steps && w.step().good; ++i) {
    const HealthObservation h = w.observe().health;
    s.stretch = std::max(s.stretch, h.worstError / 0.5);
    s.gain = std::max(s.gain, (w.read(*total) - start) / swing);
    s.backward = std::max(s.backward, h.residual);
    iterations += h.iterations;
  }
  EXPECT_TRUE(w.verdict().good) << w.verdict().reason;
  s.iterations = iterations / static_cast<double>(steps);
  s.kept = 1.0 + (w.read(*total) - start) / swing;  // at the lowest point at rest the energy is −M g L
  std::printf("load %g: stretch %.1e gain %.1e kept %.4f iterations %.2f backward %.1e unconverged %lld\n", load,
              s.stretch, s.gain, s.kept, s.iterations, s.backward,
              static_cast<long long>(w.observe().health.unconverged));
  return s;
}

void expectSound(const Swing& s, double load) {
  EXPECT_LT(s.stretch, 1e-6);
  EXPECT_LT(s.gain, 1e-3);
  EXPECT_LT(s.backward, 1e-12);
  if (load >= 1e4) {
    EXPECT_GT(s.kept, 0.98);
  }
}

class HeavyChain : public ::testing::TestWithParam<double> {};

TEST_P(HeavyChain, ParticlesHoldToAMillionthAndKeepTheirSwing) {
  expectSound(drop(particleChain(24, GetParam(), 1.0 / 60), GetParam(), 30.0), GetParam());
}

TEST_P(HeavyChain, RigidLinksOnBallJointsHoldToAMillionthAndKeepTheirSwing) {
  expectSound(drop(rodChain(24, GetParam(), 1.0 / 60), GetParam(), 30.0), GetParam());
}

INSTANTIATE_TEST_SUITE_P(LoadPerLink, HeavyChain, ::testing::Values(1e2, 1e4, 1e6));

}  // namespace
}  // namespace reeve::test
