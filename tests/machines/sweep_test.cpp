// `sweep` on the machines that ship, without a word about iterations: the expectations of a scene are met.
#include "machines.h"
#include "reeve/record/expectation.h"

namespace reeve::test {
namespace {

/// Runs a scene to its last expectation; how many are not met.
int missed(Description d, std::string& what) {
  World world = make(std::move(d));
  auto watch = record::ExpectationWatch::build(world);
  if (!watch) return -1;
  watch->look(world);
  while (world.time() < watch->last() - 1e-9 && world.step().good) watch->look(world);
  int count = 0;
  for (const auto& result : watch->results())
    if (!result.met) {
      ++count;
      what += result.expectation.observe + " is " + std::to_string(result.measured.value_or(NAN)) + "; ";
    }
  return count;
}

TEST(Sweep, MeetsTheExpectationsOfMachinesByItself) {
  for (const char* scene :
       {"atwood",         "belt",       "bow",   "cable-car", "capstan",     "crane",          "differential-hoist",
        "elastic-001",    "elastic-01", "flips", "gear",      "gym",         "hand",           "hilbert2",
        "hilbert2-loose", "hybrid",     "links", "simple",    "simple-1000", "six-cable-seat", "skew-wheels",
        "split-merge",    "winch",      "yo-yo"}) {
    Description d = shipped(scene);
    d.settings.solver = SolverChoice::sweep;
    std::string what;
    EXPECT_EQ(missed(std::move(d), what), 0) << scene << ": " << what;
  }
}

TEST(Sweep, FirstOrderAccelerationsAreRightWithSubsteps) {
  // Euler's error of a path of 3 s is a half step of its speed: four substeps bring it within the second-order scene.
  for (const char* scene : {"tackle-16", "servin"}) {
    Description d = shipped(scene);
    d.settings.solver = SolverChoice::sweep;
    d.settings.substeps = 4;
    std::string what;
    EXPECT_EQ(missed(std::move(d), what), 0) << scene << ": " << what;
  }
}

TEST(Sweep, DragDoesNotLightenWhatHangsStill) {
  // An impulse meets mass and drag in an implicit step; with the mass alone the tension would be low by h d/m.
  Description d = shipped("links");
  d.settings.solver = SolverChoice::sweep;
  d.settings.dt = 1.0 / 30;
  World world = make(std::move(d));
  run(world, 20.0);
  EXPECT_NEAR(measure(world, "cables.rope.spans.2.tension"), 19.62, 1e-3);
}

TEST(Sweep, LightSegmentsUnderAHeavyLoadStretchButStayFinite) {
  // Segments of 0.05 kg that carry 200 kg are spun by more than half a turn in a step.
  for (const int iterations : {0, 10, 100}) {
    Description d = shipped("segments");
    for (auto& [name, body] : d.bodies) {
      if (body.mass == 0.1) body.mass = 0.05;
      if (body.mass == 20.0) body.mass = 200.0;
    }
    d.settings.solver = SolverChoice::sweep;
    d.settings.iterations = iterations;
    World world = make(std::move(d));
    run(world, 2.0);
  }
}

/// Largest relative error of the tensions of `simple`, and the longest stretch on the way.
double simpleError(int density, SolverChoice solver, int iterations, double& stretch) {
  Description d = shipped(density == 1 ? "simple" : "simple-1000");
  d.settings.solver = solver;
  d.settings.iterations = iterations;
  World world = make(std::move(d));
  stretch = 0.0;
  while (world.time() < world.description().settings.seconds - 1e-9 && world.step().good)
    for (const SpanObservation& span : cableOf(world).spans)
      stretch = std::max(stretch, span.length / span.rest - 1.0);
  double error = 0.0;
  const double wanted[] = {10, 20, 20, 20};
  for (int i = 0; i < 4; ++i)
    error = std::max(
        error,
        std::fabs(measure(world, "cables.rope.spans." + std::to_string(i) + ".tension") / (wanted[i] * density) - 1.0));
  return error;
}

TEST(Sweep, SimpleTensionsWithTenIterationsAndLengthsWithOne) {
  double stretch;
  EXPECT_LT(simpleError(1, SolverChoice::direct, 0, stretch), 1e-6);
  const double light = simpleError(1, SolverChoice::sweep, 10, stretch),
               heavy = simpleError(1000, SolverChoice::sweep, 10, stretch);
  EXPECT_LT(light, 5e-3);
  EXPECT_LT(heavy, 5e-3);
  EXPECT_NEAR(light, heavy, std::max(0.01 * light, 1e-12));
  simpleError(1, SolverChoice::sweep, 1, stretch);
  EXPECT_LT(stretch, 0.05);
}

}  // namespace
}  // namespace reeve::test
