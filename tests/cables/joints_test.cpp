// Cable joints against closed forms, under both solvers.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

/// Two masses over one wheel in the xz-plane. Seen along +y the plane's x axis and z axis turn clockwise (x towards
/// −z), so a cable that goes up on the left (−x), over the top and down on the right turns positively about +y.
Description atwood(double m1, double m2, double inertia, double r, double dt) {
  Description d = heavy(dt);
  addMass(d, "left", m1, Vec3(-r, 0, -5));
  addMass(d, "right", m2, Vec3(r, 0, -5));
  d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), r, inertia));
  addCable(d, "rope", {attachTo("left"), rollOver("wheel", 1), attachTo("right")});
  return d;
}

TEST(Atwood, AccelerationAndBothTensionsAreTheClosedFormUpToAMillionToOne) {
  for (const double m2 : {2.0, 1.001, 1e6, 1e-6}) {
    const double m1 = 1.0, inertia = 0.1, r = 0.3, dt = 1.0 / 240, j = inertia / (r * r), sum = m1 + m2 + j;
    World w = make(atwood(m1, m2, inertia, r, dt));
    run(w, 0.5);
    const double a = (m2 - m1) * 10 / sum;
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (a * 0.5), 1.0, 1e-6) << m2;
    EXPECT_NEAR(measure(w, "rotors.wheel.rate") / (a * 0.5 / r), 1.0, 1e-6);
    // T = m (g ± a), written without the difference of nearly equal numbers.
    EXPECT_NEAR(tension(w, 0) / (m1 * 10 * (2 * m2 + j) / sum), 1.0, 1e-6) << m2;
    EXPECT_NEAR(tension(w, 1) / (m2 * 10 * (2 * m1 + j) / sum), 1.0, 1e-6) << m2;
    EXPECT_NEAR((tension(w, 1) - tension(w, 0)) / (j * a), 1.0, 1e-6) << m2;
    EXPECT_NEAR(measure(w, "cables.rope.length"), 10 + M_PI * r, 1e-9);
  }
}

TEST(Atwood, AMillionToOneBetweenThreeNeighboursOnOneCable) {
  // A heavy mass, a light one below it on the same rope, over the wheel to a third: both ways round.
  for (const double light : {1e-6, 1e6}) {
    const double r = 0.3, top = 1.0, other = 2.0, inertia = 0.1, j = inertia / (r * r);
    Description d = atwood(top, other, inertia, r, 1.0 / 240);
    addMass(d, "lower", light, Vec3(-r, 0, -7));
    d.cables[0].second.route.insert(d.cables[0].second.route.begin(), attachTo("lower"));
    World w = make(d);
    run(w, 0.25);
    const double left = top + light, sum = left + other + j,
                 rise = (2 * other + j) * 10 / sum;  // g + a of the left side
    EXPECT_NEAR(tension(w, 0) / (light * rise), 1.0, 1e-6) << light;
    EXPECT_NEAR(tension(w, 1) / (left * rise), 1.0, 1e-6) << light;
    EXPECT_NEAR(tension(w, 2) / (other * (2 * left + j) * 10 / sum), 1.0, 1e-6) << light;
    EXPECT_NEAR(measure(w, "particles.lower.velocity.z") / ((other - left) * 10 / sum * 0.25), 1.0, 1e-6) << light;
  }
}

TEST(Atwood, UnderSweepsAccelerationIsWithinATenthOfAPercent) {
  for (const double m2 : {2.0, 10.0}) {
    const double m1 = 1.0, inertia = 0.1, r = 0.3, j = inertia / (r * r), a = (m2 - m1) * 10 / (m1 + m2 + j);
    World w = make(bySweeps(atwood(m1, m2, inertia, r, 1.0 / 60)));
    run(w, 0.5);
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (a * 0.5), 1.0, 1e-3) << m2;
    EXPECT_NEAR((tension(w, 1) - tension(w, 0)) / (j * a), 1.0, 1e-2) << m2;
    EXPECT_NEAR(measure(w, "cables.rope.length"), 10 + M_PI * r, 1e-9);
  }
}

/// A cable over a fixed drum, passed by `turns`; the heavy side carries `factor` times what the light one can hold.
Description drum(double turns, double mu, double factor) {
  const double r = 0.3, kappa = std::exp(mu * 2 * M_PI * turns);
  Description d = heavy(1.0 / 240);
  addFixed(d, "post");
  addMass(d, "left", 1.0, turns == 0.25 ? Vec3(-5, 0, r) : Vec3(-r, 0, -5));
  addMass(d, "right", kappa * factor, Vec3(r, 0, -5));
  if (turns == 0.25) {
    // A quarter turn: the light side is held by a horizontal force instead of gravity.
    d.particles.front().second.gravity = false;
    ForceSettings f;
    f.on = "left";
    f.force = Vec3(-10, 0, 0);
    d.forces.emplace_back("f", f);
  }
  LinkSettings over = rollOn("post", Vec3::Zero(), r, 1, mu);
  over.turns = turns > 1.0 ? 1 : 0;
  addCable(d, "rope", {attachTo("left"), over, attachTo("right")});
  return d;
}

TEST(Capstan, HoldsBelowAndSlipsAboveTheExponentialUnderBothSolvers) {
  for (const bool swept : {false, true})
    for (const double turns : {0.25, 0.5, 1.5}) {
      const auto chosen = [&](Description d) { return swept ? bySweeps(std::move(d)) : d; };
      World held = make(chosen(drum(turns, 0.3, 0.99)));
      run(held, 0.5);
      EXPECT_LT(std::fabs(measure(held, "particles.right.velocity.z")), swept ? 1e-4 : 1e-6) << turns << swept;
      EXPECT_LT(std::fabs(measure(held, "cables.rope.links.1.slip")), 1e-4) << turns << swept;
      World slipping = make(chosen(drum(turns, 0.3, 1.01)));
      run(slipping, 0.5);
      // 10 (1.01 − 1)/(1.01 + 1) = 0.0498 m/s²
      EXPECT_NEAR(-measure(slipping, "particles.right.velocity.z") / (0.1 / 2.01 * 0.5), 1.0, swept ? 0.05 : 1e-3)
          << turns << swept;
    }
}

TEST(Capstan, SlidesWithTheClosedFormAccelerationUnderBothSolvers) {
  for (const bool swept : {false, true})
    for (const double turns : {0.25, 0.5, 1.5}) {
      const double mu = 0.3, kappa = std::exp(mu * 2 * M_PI * turns);
      World w = make(swept ? bySweeps(drum(turns, mu, 2.0)) : drum(turns, mu, 2.0));
      run(w, 0.5);
      const double m2 = 2 * kappa, a = 10 * (m2 - kappa) / (m2 + kappa);
      EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (a * 0.5), 1.0, 1e-3) << turns << swept;
      EXPECT_NEAR(tension(w, 1) / tension(w, 0) / kappa, 1.0, swept ? 1e-3 : 1e-6) << turns << swept;
      EXPECT_NEAR(measure(w, "cables.rope.links.1.slip"), 0.5 * a * 0.25, swept ? 1e-2 : 1e-3) << turns << swept;
      EXPECT_NEAR(measure(w, "cables.rope.length"), measure(make(drum(turns, mu, 2.0)), "cables.rope.length"), 1e-9);
    }
}

TEST(Pinhole, OneTensionOnBothSidesUnderBothSolvers) {
  for (const bool swept : {false, true}) {
    Description d = heavy(1.0 / 240);
    addMass(d, "left", 1.0, Vec3(0, 0, -5));
    addMass(d, "right", 3.0, Vec3(0, 0, -4));
    addCable(d, "rope", {attachTo("left"), through("world"), attachTo("right")});
    World w = make(swept ? bySweeps(d) : d);
    run(w, 0.5);
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (10 * 2.0 / 4.0 * 0.5), 1.0, swept ? 1e-3 : 1e-6);
    EXPECT_NEAR(tension(w, 0) / tension(w, 1), 1.0, swept ? 1e-3 : 1e-7);
    EXPECT_NEAR(measure(w, "cables.rope.length"), 9.0, 1e-9);
  }
}

}  // namespace
}  // namespace reeve::test
