// The capstan law where it is not one fixed drum: drums in series, wheels that turn and slip, eyes. Under either
// solver.
#include "cables/solvers.h"

namespace reeve::test {
namespace {

class Friction : public BothSolvers {};
REEVE_BOTH_SOLVERS(Friction);

TEST_P(Friction, TwelveDrumsInSeriesHoldAndSlipLikeOneWithTheSumOfTheAngles) {
  // Half a turn about each of them: the sum of the wraps is what counts.
  const double mu = 0.1, r = 0.1;
  const auto scene = [&](double heavySide) {
    Description d = heavy(1.0 / 240);
    addFixed(d, "posts");
    std::vector<LinkSettings> route{attachTo("left")};
    // Up, over, down, under and so on.
    for (int i = 0; i < 12; ++i)
      route.push_back(rollOn("posts", Vec3(0.2 * i, 0, i % 2 ? -1.0 : 0.0), r, i % 2 ? -1 : 1, mu));
    addMass(d, "left", 1.0, Vec3(-r, 0, -3));
    addMass(d, "right", heavySide, Vec3(0.2 * 11 + r, 0, 3));
    d.particles.back().second.gravity = false;
    ForceSettings f;
    f.on = "right";
    f.force = Vec3(0, 0, heavySide * 10);
    d.forces.emplace_back("pull", f);
    route.push_back(attachTo("right"));
    CableSettings& c = addCable(d, "rope", route);
    c.material.axial = 1e8;
    return d;
  };
  const double kappa = std::exp(mu * 12 * M_PI);
  World held = solved(scene(0.99 * kappa));
  run(held, 1.0);
  EXPECT_LT(std::fabs(measure(held, "particles.right.velocity.z")), 1e-3);
  EXPECT_LT(std::fabs(measure(held, "cables.rope.links.12.slip")), 1e-3);
  // 10 (1.01 − 1)/(1.01 + 1) m/s², from the gain of speed: at the start the rope comes taut with a jerk.
  World just = solved(scene(1.01 * kappa));
  run(just, 1.0);
  const double early = measure(just, "particles.right.velocity.z");
  run(just, 1.0);
  EXPECT_NEAR((measure(just, "particles.right.velocity.z") - early) / (10 * 0.01 / 2.01), 1.0, 1e-3);
  World slips = solved(scene(2.0 * kappa));
  double angle = 0.0;
  run(slips, 0.5);
  for (int i = 1; i <= 12; ++i) angle += measure(slips, "cables.rope.links." + std::to_string(i) + ".wrap");
  EXPECT_NEAR(angle, 12 * M_PI, 1e-6);
  const double a = 10 * (2.0 - 1.0) / (2.0 + 1.0);
  EXPECT_NEAR(measure(slips, "particles.right.velocity.z") / (a * 0.5), 1.0, 1e-3);
  // Sweeps end when one moves a millionth of what the first moved; twelve drums in a row add that up.
  EXPECT_NEAR(tension(slips, 12) / tension(slips, 0) / kappa, 1.0, swept() ? 1e-5 : 1e-6);
}

TEST_P(Friction, ABrakedWheelAFreeWheelAndAPostAreTheSameLaw) {
  const double mu = 0.3, kappa = std::exp(mu * M_PI), r = 0.3;
  // The last two slip while they turn: slower than the rope, without and with a brake.
  const struct {
    double brake, m2, inertia = 0.1;
  } cases[] = {{1e9, 3.0},  {1.0, 3.0}, {1.0, 1.3},       {5.0, 2.0},
               {2.0, 20.0}, {0.0, 1.5}, {0.0, 20.0, 5.0}, {3.0, 20.0, 5.0}};
  for (const auto& c : cases) {
    Description d = heavy(1.0 / 240);
    addMass(d, "left", 1.0, Vec3(-r, 0, -5));
    addMass(d, "right", c.m2, Vec3(r, 0, -5));
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), r, c.inertia));
    d.rotors.back().second.brake = c.brake;
    addCable(d, "rope", {attachTo("left"), rollOver("wheel", 1, mu), attachTo("right")});
    World w = solved(d);
    run(w, 0.5);
    // It turns with the rope unless the ratio of the tensions that asks for is more than κ. Then the rope slides with
    // the acceleration of a fixed drum, and T₂ − T₁ = (κ − 1) T₁ turns the wheel as far as the brake lets it.
    double a = std::max(((c.m2 - 1) * 10 - c.brake / r) / (1 + c.m2 + c.inertia / (r * r)), 0.0);
    const double ratio = c.m2 * (10 - a) / (10 + a);
    double alpha = a / r;
    if (ratio > kappa) {
      a = 10 * (c.m2 - kappa) / (c.m2 + kappa);
      alpha = std::max((r * (kappa - 1) * (10 + a) - c.brake) / c.inertia, 0.0);
    }
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z"), a * 0.5, 1e-3 * a + 1e-6) << c.brake << " " << c.m2;
    EXPECT_NEAR(measure(w, "rotors.wheel.rate"), alpha * 0.5, 1e-3 * alpha + 1e-6) << c.brake << " " << c.m2;
  }
}

/// A rope through an eye, turned in it by `angle`. The light side is drawn by 10 N, straight away from the eye; on the
/// heavy one hangs `factor` times what friction can hold.
Description eye(double angle, double mu, double factor) {
  Description d = heavy(1.0 / 240);
  const Vec3 in(std::sin(angle), 0, -std::cos(angle));  // direction of the rope that comes to the eye; it leaves down
  ParticleSettings& light = addMass(d, "light", 1.0, -5.0 * in);
  light.gravity = false;
  ForceSettings f;
  f.on = "light";
  f.force = -10.0 * in;
  d.forces.emplace_back("pull", f);
  addMass(d, "heavy", std::exp(mu * angle) * factor, Vec3(0, 0, -4));
  addCable(d, "rope", {attachTo("light"), through("world", Vec3::Zero(), mu), attachTo("heavy")});
  return d;
}

TEST_P(Friction, AnEyeHoldsAndSlipsByTheAngleOfTheKink) {
  const double mu = 0.3;
  for (const double angle : {M_PI / 6, M_PI / 2, M_PI}) {
    World held = solved(eye(angle, mu, 0.99));
    run(held, 0.5);
    EXPECT_LT(std::fabs(measure(held, "particles.heavy.velocity.z")), 1e-6) << angle;
    EXPECT_LT(std::fabs(measure(held, "cables.rope.links.1.slip")), 1e-6) << angle;
    EXPECT_NEAR(tension(held, 0), 10.0, 1e-5) << angle;
    EXPECT_NEAR(tension(held, 1) / (9.9 * std::exp(mu * angle)), 1.0, 1e-6) << angle;
    // a = 10 (f − 1)/(f + 1) with f times the mass that friction just holds.
    for (const double factor : {1.01, 2.0}) {
      World slips = solved(eye(angle, mu, factor));
      const double length = measure(slips, "cables.rope.length"), a = 10 * (factor - 1) / (factor + 1);
      run(slips, 0.5);
      EXPECT_NEAR(-measure(slips, "particles.heavy.velocity.z") / (a * 0.5), 1.0, 1e-3) << angle << " " << factor;
      EXPECT_NEAR(tension(slips, 1) / tension(slips, 0) / std::exp(mu * angle), 1.0, 1e-6) << angle << " " << factor;
      // Half a step of the speed is what Euler's path is longer by.
      const double path = 0.5 * a * 0.25 * (swept() ? 1.0 + 1.0 / 120 : 1.0);
      EXPECT_NEAR(measure(slips, "cables.rope.links.1.slip") / path, 1.0, 1e-3) << angle << " " << factor;
      EXPECT_NEAR(measure(slips, "cables.rope.length") / length, 1.0, 1e-9);
    }
  }
}

}  // namespace
}  // namespace reeve::test
