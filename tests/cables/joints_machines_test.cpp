// Machines with cable joints, against what mechanics says of them.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

TEST(Simple, SpansCarry10And20And20And20NewtonsAndAThousandTimesThat) {
  for (const double density : {1.0, 1000.0}) {
    World w = make(simple(density));
    run(w, 2.0);
    const double expected[] = {10, 20, 20, 20};
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(tension(w, i) / (expected[i] * density), 1.0, 1e-6) << i;
  }
}

/// The same, started wrong: slack in three spans and the right body on its way down. Once caught, equal weights move on
/// at one speed.
Description disturbed(double density) {
  Description d = simple(density);
  d.particles.back().second.velocity = Vec3(0, 0, -1);
  d.cables[0].second.slacks = {0.1, 0.05, 0.0, 0.2};
  return d;
}

TEST(Simple, OutOfBalanceItComesToTheSameTensionsUnderBothSolvers) {
  // direct to 1e-6; sweep with ten iterations to half a percent, with the same relative error whatever the density.
  double error[2][2][4];
  for (const bool swept : {false, true})
    for (int k = 0; k < 2; ++k) {
      const double density = k ? 1000.0 : 1.0;
      Description d = disturbed(density);
      if (swept) {
        d.settings.solver = SolverChoice::sweep;
        d.settings.iterations = 10;
      }
      World w = make(d);
      w.step();
      EXPECT_LT(tension(w, 3), 1.0 * density);  // slack at first: not the answer from the start
      run(w, 1.5);
      EXPECT_GT(std::fabs(measure(w, "particles.right.velocity.z")), 0.1);
      const double expected[] = {10, 20, 20, 20};
      for (int i = 0; i < 4; ++i) {
        error[swept][k][i] = tension(w, i) / (expected[i] * density) - 1.0;
        EXPECT_LT(std::fabs(error[swept][k][i]), swept ? 5e-3 : 1e-6) << i << " density " << density << swept;
      }
    }
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(error[1][0][i], error[1][1][i], 1e-2 * std::fabs(error[1][0][i]) + 1e-9) << i;
}

TEST(Simple, OneSweepAStepKeepsLengthsWithinFivePercent) {
  Description d = disturbed(1.0);
  d.settings.solver = SolverChoice::sweep;
  d.settings.iterations = 1;
  World w = make(d);
  double longest = 0.0;
  for (int n = 0; n < 90; ++n) {
    ASSERT_TRUE(w.step().good);
    for (const SpanObservation& s : cableOf(w).spans) longest = std::max(longest, s.length / s.rest - 1.0);
  }
  EXPECT_LT(longest, 0.05);
}

TEST(Slack, WheelsThatTurnOnceAndBackPullAgainExactlyThen) {
  // A driven wheel pays out one turn of cable and takes it back; the other wheel is pulled again just then, no sooner.
  for (const bool swept : {false, true}) {
    Description d = still(1.0 / 240);
    const double r = 0.3;
    d.rotors.emplace_back("driver", wheelAt(Vec3(-1, 0, 0), r, 0.1));
    d.rotors.emplace_back("driven", wheelAt(Vec3(1, 0, 0), r, 0.1));
    d.rotors.back().second.damping = 0.05;
    addMotor(d, "driver", DriveType::position, ramp({{0, 0}, {1, 2 * M_PI}, {2, 0}, {3, -1}}, false));
    // The exit of the driver takes up cable when the driver turns negatively.
    addCable(d, "rope", {woundOn("driver", 1, 5.0), woundOn("driven", 1, 5.0)});
    World w = make(swept ? bySweeps(d) : d);
    double turned = 0.0;
    while (w.time() < 2.5) {
      ASSERT_TRUE(w.step().good);
      const double angle = measure(w, "rotors.driver.angle");
      turned = std::max(turned, angle);
      if (angle > 1e-9) {
        ASSERT_EQ(tension(w, 0), 0.0) << w.time() << swept;
        ASSERT_NEAR(measure(w, "rotors.driven.angle"), 0.0, 1e-12);
        ASSERT_NEAR(measure(w, "cables.rope.spans.0.rest") - 2.0, r * angle, 1e-9);
      } else if (w.time() > 1.5 && angle < -0.01) {
        // From the step in which it passes its start the other wheel goes with it.
        ASSERT_NEAR(measure(w, "rotors.driven.angle"), angle, swept ? 1e-4 : 1e-9) << w.time();
        ASSERT_GT(tension(w, 0), 0.0);
      }
    }
    EXPECT_NEAR(turned, 2 * M_PI, 0.02);
  }
}

TEST(Winch, PayoutIsRadiusTimesTurnExactly) {
  Description d = heavy(1.0 / 240);
  const double r = 0.25;
  d.rotors.emplace_back("drum", wheelAt(Vec3(0, 0, 5), r, 0.5));
  addMass(d, "load", 100.0, Vec3(r, 0, 0));
  addMotor(d, "drum", DriveType::velocity, ramp({{0, 0}, {1, 2}, {4, 2}, {5, 0}}));
  addCable(d, "rope", {woundOn("drum", 1, 10.0), attachTo("load")});
  World w = make(d);
  run(w, 6.0);
  const double turn = measure(w, "rotors.drum.angle");
  EXPECT_NEAR(turn, 8.0, 1e-6);
  EXPECT_NEAR(measure(w, "cables.rope.links.0.stored"), 10.0 - r * turn, 1e-9);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), -r * turn, 1e-9);
  EXPECT_NEAR(tension(w, 0), 1000.0, 1e-3);
}

TEST(Rotor, OnAParentThatTurnsAsToldPaysOutByItsAbsoluteTurn) {
  // A drum locked to a carrier that turns three times and a half under it, and one that is free in its bearing.
  for (const bool locked : {true, false})
    for (const bool swept : {false, true}) {
      Description d = heavy(1.0 / 240);
      BodySettings carrier;
      carrier.motion = BodyMotion::kinematic;
      carrier.position = Vec3(0, 0, 5);
      MotionSettings m;
      m.about = Vec3::UnitY();
      m.turn = ramp({{0, 0}, {2, 7 * M_PI}});
      carrier.prescribed = m;
      d.bodies.emplace_back("carrier", carrier);
      d.rotors.emplace_back("drum", wheelAt(Vec3::Zero(), 0.1, 0.5, "carrier"));
      addMass(d, "load", 5.0, Vec3(0.1, 0, 4));
      if (locked) addMotor(d, "drum", DriveType::position, constant(0.0));
      addCable(d, "rope", {woundOn("drum", 1, 10.0), attachTo("load")});
      if (!locked) d.particles.back().second.gravity = false;
      World w = make(swept ? bySweeps(d) : d);
      run(w, 3.0);
      const double out = locked ? 0.1 * 7 * M_PI : 0.0;
      EXPECT_NEAR(measure(w, "cables.rope.links.0.stored"), 10.0 - out, swept && locked ? 2e-3 : 1e-9)
          << locked << swept;
      EXPECT_NEAR(measure(w, "particles.load.position.z"), 4.0 - out, swept && locked ? 2e-3 : 1e-9) << locked << swept;
      EXPECT_NEAR(measure(w, "cables.rope.length"), 11.0, 1e-9);
    }
}

}  // namespace
}  // namespace reeve::test
