// Cables over many wheels that turn together under no load: every span is taut, none pulls.
#include <cmath>

#include "machines.h"

namespace reeve::test {
namespace {

struct Passage {
  int unconverged = 0;
  double iterations = 0.0;  ///< a step, mean
};

Passage through(World& world, double seconds) {
  Passage run;
  const Observable iterations = *world.resolve("health.iterations"), left = *world.resolve("health.unconverged");
  const std::int64_t before = world.steps();
  while (world.time() < seconds - 1e-9) {
    EXPECT_TRUE(world.step().good) << world.verdict().culprit;
    if (!world.verdict().good) break;
    run.iterations += world.read(iterations);
  }
  run.iterations /= static_cast<double>(world.steps() - before);
  run.unconverged = static_cast<int>(world.read(left));
  return run;
}

TEST(Hilbert, EveryStepOfAMinuteConvergesInFewIterations) {
  // Also when the cable is used up, after 50 s, and the motor stalls against 64 wheels.
  for (const char* scene : {"hilbert2", "hilbert2-loose"}) {
    World world = make(shipped(scene));
    const Passage run = through(world, 60.0);
    EXPECT_EQ(run.unconverged, 0) << scene;
    EXPECT_LT(run.iterations, 1.5) << scene;
    const double torque = world.description().motors[0].second.maxForce;
    EXPECT_NEAR(measure(world, "cables.cable.spans.62.tension"), torque / 0.3, 1e-6 * torque) << scene;
    EXPECT_NEAR(measure(world, "rotors.w63.rate"), 0.0, 1e-6) << scene;
  }
}

TEST(Hilbert, FiveHundredWheelsToo) {
  World world = make(shipped("hilbert3"));
  const Passage run = through(world, 10.0);
  EXPECT_EQ(run.unconverged, 0);
  EXPECT_LT(run.iterations, 1.5);
}

TEST(Hilbert, AMotorThatStartsAtFullSpeedGivesNoMore) {
  // The second-order difference carries a sudden start on: without a jump the wheels would end at 6 rad/s.
  World world = make(shipped("hilbert2"));
  through(world, 0.6);
  for (const char* wheel : {"w1", "w20", "w63"})
    EXPECT_NEAR(std::fabs(measure(world, std::string("rotors.") + wheel + ".rate")), 4.0, 1e-9) << wheel;
}

}  // namespace
}  // namespace reeve::test
