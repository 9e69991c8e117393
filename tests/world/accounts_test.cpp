// Energies and the work done on them add up (model/accounts.h).
#include <cmath>
#include <functional>

#include "reeve/model/state.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

EnergyObservation accountAfter(World& w, double seconds) {
  while (w.time() < seconds - 1e-9)
    if (!w.step().good) break;
  EXPECT_TRUE(w.verdict().good) << w.verdict().reason;
  return w.observe().energy;
}

TEST(Accounts, dragTakesWhatAClosedFormSays) {
  // m v' = m g − c v and I ω' = −k ω: what is missing of the energy is what drag took.
  const double m = 2.0, c = 3.0, inertia = 0.5, k = 0.4, g = 10.0, t = 1.5, spin = 7.0;
  Description d = heavy(1.0 / 480, g);
  BodySettings body = rigid(m, Vec3(inertia, inertia, inertia));
  body.drag = c;
  body.angularDrag = k;
  body.angularVelocity = Vec3(0, spin, 0);
  d.bodies.emplace_back("stone", body);
  World w = make(d);
  const EnergyObservation e = accountAfter(w, t);
  const double v = m * g / c * (1 - std::exp(-c * t / m)), fell = m * g / c * t - m / c * v;
  const double wanted =
      m * g * fell - 0.5 * m * v * v + 0.5 * inertia * spin * spin * (1 - std::exp(-2 * k * t / inertia));
  EXPECT_NEAR(e.drag / -wanted, 1.0, 1e-4);
  EXPECT_NEAR(e.remains, 0.0, 1e-4 * wanted);
}

TEST(Accounts, windDoesWorkAndDragTakesSome) {
  // A light ball is blown up to the speed of the wind: F·u to drag, F·wind from the air.
  Description d = heavy(1.0 / 480, 0.0);
  d.settings.wind = Vec3(10, 0, 0);
  d.settings.air = 1.2;
  BodySettings ball = rigid(0.5, Vec3(1e-3, 1e-3, 1e-3));
  ball.dragArea = 0.5;
  d.bodies.emplace_back("ball", ball);
  World w = make(d);
  const EnergyObservation e = accountAfter(w, 1.0);
  // u' = −c u²/m, u(0) = 10: drag takes m/2 (u₀² − u²), the wind gives m wind (u₀ − u).
  const double c = 0.5 * 1.2 * 0.5, u = 10.0 / (1.0 + 10.0 * c / 0.5 * 1.0);
  EXPECT_NEAR(e.drag, -0.25 * (100.0 - u * u), 0.01);
  EXPECT_NEAR(e.applied, 0.5 * 10.0 * (10.0 - u), 0.02);
  EXPECT_NEAR(e.remains, 0.0, 0.01);
}

TEST(Accounts, aPushIsWorkAndNoDrift) {
  Description d = heavy(1.0 / 240, 0.0);
  d.bodies.emplace_back("sledge", rigid(2.0, Vec3(1, 1, 1)));
  World w = make(d);
  const BodyHandle sledge = w.body("sledge").value();
  ASSERT_TRUE(w.push(sledge, BodyPush{.force = Vec3(6, 0, 0), .held = true}));
  const EnergyObservation e = accountAfter(w, 2.0);
  EXPECT_NEAR(e.kinetic, 0.5 * 2.0 * 36.0, 1e-9);
  EXPECT_NEAR(e.applied, 36.0, 36.0 * 1.1 / 480);  // on the way of the steps, which begins half a step behind
  EXPECT_NEAR(e.remains, 0.0, 36.0 * 1.1 / 480);
}

TEST(Accounts, areSavedAndRestoredBitForBit) {
  Description d = heavy(1.0 / 240, 9.81);
  BodySettings body = rigid(1.0, Vec3(1, 1, 1));
  body.drag = 0.7;
  d.bodies.emplace_back("stone", body);
  World a = make(d), b = make(d);
  accountAfter(a, 0.5);
  ASSERT_TRUE(b.restoreState(a.saveState()));
  EXPECT_LT(accountAfter(a, 1.0).drag, 0.0);
  accountAfter(b, 1.0);
  EXPECT_TRUE(sameBits(a.state(), b.state()));
  EXPECT_EQ(a.observe().energy.drag, b.observe().energy.drag);
}

TEST(Accounts, whatIsSetWhileItRunsIsAppliedAndNoDrift) {
  Description d = heavy(1.0 / 240, 9.81);
  d.bodies.emplace_back("stone", rigid(1.0, Vec3(1, 1, 1)));
  World w = make(d);
  accountAfter(w, 0.1);
  Edit edit;
  edit.pose(w.body("stone").value(), Pose{Vec3(0, 0, 10), Quat::Identity()});
  const double before = w.observe().energy.total;
  ASSERT_TRUE(w.apply(edit));
  const EnergyObservation e = w.observe().energy;
  EXPECT_NEAR(e.applied, e.total - before, 1e-9);
  EXPECT_NEAR(e.remains, 0.0, 1e-4);
}

}  // namespace
}  // namespace reeve::test
