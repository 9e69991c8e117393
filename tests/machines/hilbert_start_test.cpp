// How a pull travels along a cable over 64 wheels: at once where it is taut, wheel by wheel where it is loose.
#include "machines.h"

namespace reeve::test {
namespace {

/// The step in which each wheel of the route first turns, by its place in the route; −1 if it never does.
std::vector<std::int64_t> firstTurns(World& world) {
  std::vector<Observable> rates;
  for (const LinkSettings& link : world.description().cables.front().second.route)
    rates.push_back(*world.resolve("rotors." + link.on + ".rate"));
  std::vector<std::int64_t> first(rates.size(), -1);
  while (world.time() < world.description().settings.seconds - 1e-9) {
    EXPECT_TRUE(world.step().good) << world.verdict().culprit;
    if (!world.verdict().good) break;
    for (std::size_t i = 0; i < rates.size(); ++i)
      if (first[i] < 0 && std::fabs(world.read(rates[i])) > 1e-9) first[i] = world.steps();
  }
  return first;
}

/// The step after the motor starts, which is at half a second in these scenes.
std::int64_t firstStepOfTheMotor(const Description& d) {
  return std::llround(d.motors.front().second.target.table[1].x() / d.settings.dt) + 1;
}

TEST(HilbertStart, TautEveryWheelTurnsInTheStepAfterTheMotorStarts) {
  for (const char* scene : {"hilbert2", "hilbert3"}) {
    Description d = shipped(scene);
    d.settings.solver = SolverChoice::direct;
    d.settings.seconds = 1.0;
    World world = make(d);
    const auto first = firstTurns(world);
    EXPECT_EQ(first.size(), scene == std::string("hilbert2") ? 64u : 512u);
    for (std::size_t i = 0; i < first.size(); ++i)
      EXPECT_EQ(first[i], firstStepOfTheMotor(d)) << scene << " wheel " << i;
  }
}

TEST(HilbertStart, SweepsThatCutElsewhereEverySecondTimeKeepSpansOfFiveHundredWheelsShort) {
  // 511 rows are eight parts. Cut always in the same places, ten sweeps left 5.5 % of a span and a hundred 1.7 %.
  for (const auto& [sweeps, share] : {std::pair{10, 0.03}, std::pair{100, 0.006}}) {
    Description d = shipped("hilbert3");
    d.settings.solver = SolverChoice::sweep;
    d.settings.iterations = sweeps;
    World world = make(d);
    double worst = 0.0;
    while (world.time() < 0.8 && world.step().good)
      for (const SpanObservation& span : cableOf(world).spans)
        worst = std::max(worst, span.length / span.rest - 1.0);
    EXPECT_LT(worst, share) << sweeps;
    EXPECT_GT(worst, 1e-4) << sweeps;  // a jerk at one end: there is something to keep
  }
}

TEST(HilbertStart, LooseTheyStartOneByOneInRouteOrder) {
  // Each span has some slack, and the motor takes in 4 · 0.3 m/s: wheel i turns when the slack of i spans is in.
  Description d = shipped("hilbert2-loose");
  d.settings.solver = SolverChoice::direct;
  World world = make(d);
  const std::vector<SpanObservation> spans = world.observe().cables.front().second.spans;
  const auto first = firstTurns(world);
  ASSERT_EQ(first.size(), spans.size() + 1);
  EXPECT_EQ(first[0], firstStepOfTheMotor(d));
  const double speed = 4.0 * 0.3 * d.settings.dt;  // m a step
  double slack = 0.0;
  for (std::size_t i = 1; i < first.size(); ++i) {
    EXPECT_GT(first[i], first[i - 1]) << i;
    slack += spans[i - 1].rest - spans[i - 1].length;
    const double wanted = static_cast<double>(first[0]) - 1.0 + slack / speed;
    EXPECT_NEAR(static_cast<double>(first[i]), std::ceil(wanted - 1e-6), 1.0) << i;
  }
}

}  // namespace
}  // namespace reeve::test
