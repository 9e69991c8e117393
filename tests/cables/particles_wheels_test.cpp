// Particle cables over wheels, through eyes, on drums and closed, against closed forms.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

CableSettings& asParticles(CableSettings& c, double density, int segments = 24) {
  c.model = CableModel::particles;
  c.material.mass = density;
  c.segments = segments;
  return c;
}

Description reevedAtwood(double m1, double m2, double inertia, double r, double density, int segments = 24) {
  Description d = heavy(1.0 / 240);
  addMass(d, "left", m1, Vec3(-r, 0, -5));
  addMass(d, "right", m2, Vec3(r, 0, -5));
  d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), r, inertia));
  asParticles(addCable(d, "rope", {attachTo("left"), rollOver("wheel", 1), attachTo("right")}), density, segments);
  return d;
}

TEST(ParticleWheels, AtwoodWithALightCableIsTheClosedFormUpToAThousandToOne) {
  for (const double m2 : {2.0, 1.01, 1000.0}) {
    const double m1 = 1.0, inertia = 0.1, r = 0.3, j = inertia / (r * r), a = (m2 - m1) * 10 / (m1 + m2 + j);
    World w = make(reevedAtwood(m1, m2, inertia, r, 1e-6));
    run(w, 0.5);
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (a * 0.5), 1.0, 1e-3) << m2;
    EXPECT_NEAR(measure(w, "rotors.wheel.rate") / (a * 0.5 / r), 1.0, 1e-3) << m2;
    EXPECT_NEAR((tension(w, 1) - tension(w, 0)) / (j * a), 1.0, 1e-2) << m2;
    EXPECT_NEAR(measure(w, "cables.rope.length"), 10 + M_PI * r, 1e-9);
    EXPECT_EQ(w.observe().health.unconverged, 0);
  }
}

TEST(ParticleWheels, AtwoodWithAHeavyCableRunsAwayAsACosh) {
  // M ẍ = (m₂ − m₁) g + 2 ρ g x, M with the wheel's inertia and all of the cable, what lies on the wheel included.
  for (const int segments : {24, 60}) {
    const double m1 = 1.0, m2 = 1.2, inertia = 0.05, r = 0.3, density = 0.5, g = 10.0;
    World w = make(reevedAtwood(m1, m2, inertia, r, density, segments));
    const double mass = m1 + m2 + inertia / (r * r) + density * (10 + M_PI * r);
    const double a = (m2 - m1) * g / mass, c = std::sqrt(2 * density * g / mass), t = 1.2;
    run(w, t);
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (a / c * std::sinh(c * t)), 1.0, 0.01) << segments;
    EXPECT_NEAR(measure(w, "cables.rope.length"), 10 + M_PI * r, 1e-9);
  }
}

TEST(ParticleWheels, EnergyOfAHeavyAtwoodIsKept) {
  World w = make(reevedAtwood(1.0, 1.2, 0.05, 0.3, 0.5));
  const double start = measure(w, "energy.total"), potential = measure(w, "energy.potential");
  run(w, 1.2);
  const double turned = std::fabs(measure(w, "energy.potential") - potential);
  EXPECT_GT(turned, 0.5);
  EXPECT_LT(std::fabs(measure(w, "energy.total") - start), 0.01 * turned);
}

/// A post with a rope hung over it, `turns` of it whole, with `heavySide` kg against one.
Description capstanScene(double mu, double degrees, int turns, double heavySide) {
  Description d = heavy(1.0 / 240);
  const double r = 0.2;
  addFixed(d, "post");
  LinkSettings post = rollOn("post", Vec3::Zero(), r, 1, mu);
  post.turns = turns;
  addMass(d, "right", heavySide, Vec3(r, 0, -2));
  if (degrees == 90.0) {  // drawn from the left, level
    addMass(d, "left", 1.0, Vec3(-2, 0, r));
    d.particles.back().second.gravity = false;
    ForceSettings f;
    f.on = "left";
    f.force = Vec3(-10, 0, 0);
    d.forces.emplace_back("pull", f);
  } else {
    addMass(d, "left", 1.0, Vec3(-r, 0, -2));
  }
  asParticles(addCable(d, "rope", {attachTo("left"), post, attachTo("right")}), 1e-6);
  return d;
}

TEST(ParticleWheels, ACapstanHoldsAndSlipsWithinThreePercentOfTheLaw) {
  const double mu = 0.3;
  const struct {
    double degrees;
    int turns;
  } cases[] = {{90.0, 0}, {180.0, 0}, {540.0, 1}};
  for (const auto& c : cases) {
    const double kappa = std::exp(mu * c.degrees * M_PI / 180);
    World holds = make(capstanScene(mu, c.degrees, c.turns, 0.97 * kappa));
    run(holds, 0.5);
    EXPECT_LT(std::fabs(measure(holds, "particles.right.velocity.z")), 2e-3) << c.degrees;
    World slips = make(capstanScene(mu, c.degrees, c.turns, 1.03 * kappa));
    run(slips, 0.5);
    EXPECT_LT(measure(slips, "particles.right.velocity.z"), -0.02) << c.degrees;
    World fast = make(capstanScene(mu, c.degrees, c.turns, 2.0 * kappa));
    run(fast, 0.3);
    // a = (m₂ − κ m₁) g/(m₂ + κ m₁)
    EXPECT_NEAR(measure(fast, "particles.right.velocity.z") / (-10.0 / 3 * 0.3), 1.0, 0.01) << c.degrees;
    EXPECT_NEAR(tension(fast, 1) / tension(fast, 0) / kappa, 1.0, 0.01) << c.degrees;
  }
}

TEST(ParticleWheels, ACableThatNeverSlipsIsDrivenByItsWheelBothWays) {
  for (const double rate : {3.0, -3.0}) {
    Description d = reevedAtwood(5.0, 5.0, 0.1, 0.3, 0.01);
    addMotor(d, "wheel", DriveType::velocity, ramp({{0, 0}, {0.2, rate}, {9, rate}}));
    World w = make(d);
    run(w, 1.0);
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z"), rate * 0.3, 1e-3) << rate;
    EXPECT_NEAR(measure(w, "particles.left.velocity.z"), rate * 0.3, 1e-3) << rate;
  }
}

TEST(ParticleWheels, AnEyeHoldsByTheCapstanLawToo) {
  // Over an eye, straight down on both sides but for 0.2 m: 180 degrees less a little.
  const auto eye = [](double mu, double heavySide) {
    Description d = heavy(1.0 / 240);
    addMass(d, "left", 1.0, Vec3(-2, 0, 0));
    d.particles.back().second.gravity = false;
    ForceSettings f;
    f.on = "left";
    f.force = Vec3(-10, 0, 0);
    d.forces.emplace_back("pull", f);
    addMass(d, "right", heavySide, Vec3(0, 0, -2));
    asParticles(addCable(d, "rope", {attachTo("left"), through("world", Vec3::Zero(), mu), attachTo("right")}), 1e-6);
    return d;
  };
  const double mu = 0.4, kappa = std::exp(mu * M_PI / 2);
  World holds = make(eye(mu, 0.97 * kappa)), slips = make(eye(mu, 2 * kappa)), smooth = make(eye(0.0, 3.0));
  run(holds, 0.5);
  EXPECT_LT(std::fabs(measure(holds, "particles.right.velocity.z")), 2e-3);
  run(slips, 0.4);
  EXPECT_NEAR(measure(slips, "particles.right.velocity.z") / (-10.0 / 3 * 0.4), 1.0, 0.01);
  run(smooth, 0.4);  // 3 kg against 10 N and 1 kg, 0.4 m through the eye: beads come and go
  EXPECT_NEAR(measure(smooth, "particles.right.velocity.z") / (-(30.0 - 10.0) / 4 * 0.4), 1.0, 0.01);
  EXPECT_NEAR(measure(smooth, "cables.rope.length"), 4.0, 1e-9);
}

TEST(ParticleWheels, AWinchWorksAgainstTheWeightOfItsCable) {
  // m g h + ρ g (L² − (L − h)²)/2: 10 kg on 20 m of 4 kg/m, hoisted by 10 m.
  Description d = heavy(1.0 / 240, 9.81);
  d.rotors.emplace_back("drum", wheelAt(Vec3::Zero(), 0.25, 1.0));
  addMass(d, "load", 10.0, Vec3(0.25, 0, -20));
  LinkSettings drum = woundOn("drum", 1, 1.0);
  asParticles(addCable(d, "rope", {drum, attachTo("load")}), 4.0, 40);
  addMotor(d, "drum", DriveType::velocity, ramp({{0, 0}, {1, -10}, {4, -10}, {5, 0}, {9, 0}}));
  World w = make(d);
  const double potential = measure(w, "energy.potential");
  run(w, 5.0);
  const double h = measure(w, "particles.load.position.z") + 20.0;
  EXPECT_NEAR(h, 10.0, 0.02);
  const double work = 10 * 9.81 * h + 4 * 9.81 * (400 - (20 - h) * (20 - h)) / 2;
  EXPECT_NEAR((measure(w, "energy.potential") - potential) / work, 1.0, 0.005);
  EXPECT_NEAR(measure(w, "cables.rope.length"), 21.0, 1e-9);
  // What the drum bears at rest is the load and what still hangs.
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "cables.rope.links.0.force.z") / (-9.81 * (10 + 4 * (20 - h))), 1.0, 0.02);
}

TEST(ParticleWheels, ADrumThatWindsAndPaysOutLosesNoLength) {
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("drum", wheelAt(Vec3::Zero(), 0.1, 0.1));
  addMass(d, "load", 5.0, Vec3(0.1, 0, -6));
  asParticles(addCable(d, "rope", {woundOn("drum", 1, 2.0), attachTo("load")}), 0.2, 30);
  // 40 rad in and 40 rad out again: 4 m each way.
  Profile p = ramp({{0, 0}, {0.5, -20}, {2, -20}, {2.5, 0}, {3, 20}, {4.5, 20}, {5, 0}, {9, 0}});
  addMotor(d, "drum", DriveType::velocity, p);
  World w = make(d);
  double highest = -6.0;
  for (int i = 0; i < 1320 && w.step().good; ++i) {
    EXPECT_NEAR(measure(w, "cables.rope.length"), 8.0, 1e-9);
    highest = std::max(highest, measure(w, "particles.load.position.z"));
  }
  EXPECT_NEAR(highest, -6.0 + 4.0, 0.01);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), -6.0, 2e-3);
}

TEST(ParticleWheels, ABeltTurnsTheOtherWheelByTheRatioOfTheRadii) {
  for (const double rate : {5.0, -5.0}) {
    Description d = still(1.0 / 240);
    d.rotors.emplace_back("small", wheelAt(Vec3::Zero(), 0.1, 0.1));
    d.rotors.emplace_back("large", wheelAt(Vec3(1, 0, 0), 0.3, 0.2));
    CableSettings& belt = asParticles(addCable(d, "belt", {rollOver("small", 1), rollOver("large", 1)}), 0.05);
    belt.closed = true;
    belt.material.axial = 1e5;
    belt.material.damping = 0.01;
    belt.tension = 50.0;
    addMotor(d, "small", DriveType::velocity, ramp({{0, 0}, {0.5, rate}, {9, rate}}));
    World w = make(d);
    const double length = measure(w, "cables.belt.length");
    run(w, 2.0);
    EXPECT_NEAR(measure(w, "rotors.large.rate") / (rate / 3), 1.0, 5e-3);
    EXPECT_NEAR(measure(w, "cables.belt.length"), length, 1e-9);
  }
}

TEST(ParticleWheels, ARestoredStateGoesOnWithTheSameBits) {
  World a = make(reevedAtwood(1.0, 3.0, 0.1, 0.3, 0.5));
  run(a, 0.3);
  World b = make(reevedAtwood(1.0, 3.0, 0.1, 0.3, 0.5));
  ASSERT_TRUE(b.restoreState(a.saveState()));
  run(a, 0.3);
  run(b, 0.3);
  EXPECT_EQ(a.hash(), b.hash());
}

TEST(ParticleWheels, RefusalsNameLinkReasonAndRemedy) {
  Description d = reevedAtwood(1.0, 2.0, 0.1, 0.3, 0.1);
  d.cables[0].second.route[1].active = false;
  const auto waits = World::build(d);
  ASSERT_FALSE(waits);
  EXPECT_EQ(waits.error().path, "/cables/rope/route/1/active");
  d.cables[0].second.route[1].active = true;
  d.cables[0].second.particles.way = ParticleWay::springs;
  const auto springs = World::build(d);
  ASSERT_FALSE(springs);
  EXPECT_EQ(springs.error().path, "/cables/rope/particles/way");
}

}  // namespace
}  // namespace reeve::test
