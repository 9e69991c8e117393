// A span that is used up: its end comes to stand at the next link, an event tells of it, and nothing becomes infinite.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

struct Stopped {
  int stops = 0, runs = 0;
  double stopped = -1.0;  ///< s
  double drift = 0.0, most = 0.0;
};

/// Runs, and keeps an eye on everything that could go wrong on the way.
Stopped watchStops(World& w, double seconds) {
  Stopped out;
  const double length = measure(w, "cables.rope.length");
  const std::int64_t steps = std::llround(seconds / w.description().settings.dt);
  for (std::int64_t i = 0; i < steps; ++i) {
    EXPECT_TRUE(w.step().good) << w.verdict().culprit << w.verdict().reason;
    if (!w.verdict().good) return out;
    for (const Event& e : w.takeEvents()) {
      if (e.what.find("stops") == 0 && ++out.stops == 1) out.stopped = w.time();
      out.runs += e.what.find("runs again") == 0;
    }
    out.drift = std::max(out.drift, std::fabs(measure(w, "cables.rope.length") / length - 1.0));
    const Observation o = w.observe();
    for (const SpanObservation& span : o.cables[0].second.spans) {
      EXPECT_TRUE(std::isfinite(span.tension) && std::isfinite(span.length));
      EXPECT_GE(span.rest, 0.0);
      out.most = std::max(out.most, span.tension);
    }
  }
  return out;
}

Description chosen(Description d, bool swept) {
  if (!swept) return d;
  d.settings.solver = SolverChoice::sweep;
  d.settings.substeps = 8;
  d.settings.iterations = 10;
  return d;
}

TEST(Stop, AMassDrawnUpToAnEyeStandsThereUnderTheTensionOfTheOtherSide) {
  for (const bool swept : {false, true}) {
    Description d = heavy(1.0 / 240);
    addMass(d, "light", 1.0, Vec3(0, 0, -0.5));
    addMass(d, "heavy", 3.0, Vec3(0, 0.001, -2));
    addCable(d, "rope", {attachTo("light"), through("world"), attachTo("heavy")});
    World w = make(chosen(d, swept));
    const Stopped seen = watchStops(w, 2.0);
    EXPECT_EQ(seen.stops, 1);
    EXPECT_EQ(seen.runs, 0);
    EXPECT_NEAR(seen.stopped, std::sqrt(2 * 0.5 / 5.0), 0.01);
    EXPECT_LT(seen.drift, 1e-9);
    EXPECT_NEAR(measure(w, "particles.light.position.z"), 0.0, 0.011);
    EXPECT_NEAR(measure(w, "particles.heavy.velocity.z"), 0.0, 1e-6);
    // The rope carries the heavy mass; what the light one does not weigh, the eye pushes.
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(measure(w, "cables.rope.spans." + std::to_string(i) + ".tension"), 30.0, swept ? 0.05 : 1e-3)
          << swept;
    if (!swept) {
      EXPECT_LT(seen.most, 30.1);
    }
  }
}

TEST(Stop, ItRunsAgainWhenTheOtherSideLetsGo) {
  Description d = heavy(1.0 / 240);
  addMass(d, "light", 1.0, Vec3(0, 0, -0.2));
  addMass(d, "heavy", 0.5, Vec3(0, 0.001, -2));
  ForceSettings pull;
  pull.on = "heavy";
  pull.force = Vec3(0, 0, -20);
  pull.scale = ramp({{0, 1}, {1, 1}, {1.01, 0}});
  d.forces.emplace_back("pull", pull);
  addCable(d, "rope", {attachTo("light"), through("world"), attachTo("heavy")});
  World w = make(d);
  const Stopped seen = watchStops(w, 1.5);
  EXPECT_EQ(seen.stops, 1);
  EXPECT_EQ(seen.runs, 1);
  EXPECT_LT(seen.drift, 1e-9);
  // Now the heavier of the two, it falls: a = g (1 − 0.5)/1.5.
  EXPECT_NEAR(-measure(w, "particles.light.velocity.z") / (10.0 / 3.0 * 0.49), 1.0, 0.02);
}

TEST(Stop, AMassDrawnUpToAWheelIsCarriedOverItLikeAKnotAndTheWheelIsLeft) {
  for (const bool swept : {false, true}) {
    Description d = heavy(1.0 / 240);
    d.rotors.emplace_back("drum", wheelAt(Vec3(-2, 0, 0), 0.2, 0.2));
    d.rotors.emplace_back("sheave", wheelAt(Vec3(0, 0, 2), 0.2, 0.02));
    addMass(d, "hook", 10.0, Vec3(0.2, 0, 1.0)).drag = 20.0;
    addMotor(d, "drum", DriveType::velocity, constant(-1.0)).maxForce = 40.0;
    CableSettings& c = addCable(d, "rope", {woundOn("drum", 1, 1.0), rollOver("sheave", 1), attachTo("hook")});
    c.material.axial = 1e5;
    c.tension = 100.0;
    World w = make(chosen(d, swept));
    Stopped seen = watchStops(w, 4.9);
    EXPECT_EQ(seen.stops, 0) << swept;  // 1 m at 0.2 m/s
    seen = watchStops(w, 0.5);
    EXPECT_EQ(seen.stops, 1) << swept;
    const double z = measure(w, "particles.hook.position.z");
    EXPECT_NEAR(std::hypot(measure(w, "particles.hook.position.x"), z - 2), 0.2, 0.01) << swept;
    EXPECT_LT(seen.most, 1.1 * 40.0 / 0.2) << swept;  // what the motor has
    seen = watchStops(w, 5.0);
    EXPECT_LT(seen.drift, 1e-9);
    EXPECT_EQ(w.observe().cables[0].second.links.size(), 2u) << swept;
  }
}

TEST(Stop, ASlackRopeStopsNothingThatPassesTheEye) {
  Description d = heavy(1.0 / 240);
  addMass(d, "falling", 1.0, Vec3(0.001, 0, 1.0));
  addMass(d, "other", 1.0, Vec3(0, 0.3, -2)).gravity = false;
  CableSettings& c = addCable(d, "rope", {attachTo("falling"), through("world"), attachTo("other")});
  c.slacks = {3.0, 0.5};
  World w = make(d);
  const Stopped seen = watchStops(w, 0.7);
  EXPECT_EQ(seen.stops, 0);
  EXPECT_NEAR(measure(w, "particles.falling.position.z"), 1.0 - 5 * 0.49, 1e-6);
}

}  // namespace
}  // namespace reeve::test
