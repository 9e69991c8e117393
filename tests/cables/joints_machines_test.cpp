// Machines with cable joints, against what mechanics says of them.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

double tension(const World& w, int span, const std::string& cable = "rope") {
  return measure(w, "cables." + cable + ".spans." + std::to_string(span) + ".tension");
}

/// Figure 12: two bodies on the left, one below the other, one of twice the volume on the right, over two cylinders.
Description simple(double density) {
  Description d = heavy(1.0 / 60);
  addMass(d, "lower", density, Vec3(-2.5, 0, -4));
  addMass(d, "upper", density, Vec3(-2.5, 0, -2));
  addMass(d, "right", 2 * density, Vec3(2.5, 0, -3));
  d.rotors.emplace_back("a", wheelAt(Vec3(-2, 0, 0), 0.5, 0.05 * density));
  d.rotors.emplace_back("b", wheelAt(Vec3(2, 0, 0), 0.5, 0.05 * density));
  addCable(d, "rope", {attachTo("lower"), attachTo("upper"), rollOver("a", 1), rollOver("b", 1), attachTo("right")});
  return d;
}

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
    for (const SpanObservation& s : w.observe().cables[0].second.spans)
      longest = std::max(longest, s.length / s.rest - 1.0);
  }
  EXPECT_LT(longest, 0.05);
}

TEST(Elastic, EverySpanIsLongerByTensionTimesCompliance) {
  Description d = simple(1.0);
  for (auto& [name, p] : d.particles) p.drag = 4.0;
  for (auto& [name, r] : d.rotors) r.damping = 0.5;
  d.cables[0].second.compliance = 0.01;
  d.settings.dt = 1.0 / 120;
  World w = make(d);
  run(w, 40.0);
  const double expected[] = {10, 20, 20, 20};
  for (int i = 0; i < 4; ++i) {
    const std::string span = "cables.rope.spans." + std::to_string(i);
    EXPECT_NEAR(tension(w, i) / expected[i], 1.0, 1e-3) << i;
    EXPECT_NEAR((measure(w, span + ".length") - measure(w, span + ".rest")) / (expected[i] * 0.01), 1.0, 1e-3) << i;
  }
}

/// Figure 16: two masses on drums of one shaft, radii 1 to 4.
Description gear(double ratio) {
  Description d = heavy(1.0 / 240);
  BodySettings shaft = rigid(2.0, Vec3(0.5, 0.5, 0.5), Vec3(0, 0, 0));
  d.bodies.emplace_back("shaft", shaft);
  d.joints.emplace_back("axle", joint(JointType::hinge, "world", "shaft", Vec3::Zero()));
  const double r = 0.2, R = 0.8;
  addMass(d, "small", ratio, Vec3(-r, 0, -3));
  addMass(d, "large", 1.0, Vec3(R, 0.0, -3));
  LinkSettings a = woundOn("shaft", -1, 5.0), b = woundOn("shaft", 1, 5.0);
  a.radius = r;
  b.radius = R;
  a.axis = b.axis = Vec3::UnitY();
  addCable(d, "inner", {a, attachTo("small")});
  addCable(d, "outer", {b, attachTo("large")});
  return d;
}

TEST(Gear, RestsAtOneToFourAndTurnsTheRightWayBesideItUnderBothSolvers) {
  for (const bool swept : {false, true}) {
    const auto at = [&](double ratio, double seconds) {
      World w = make(swept ? bySweeps(gear(ratio)) : gear(ratio));
      run(w, seconds);
      return std::pair{measure(w, "particles.small.position.z") + 3, measure(w, "particles.large.position.z") + 3};
    };
    const auto [small, large] = at(4.0, 10.0);
    EXPECT_LT(std::fabs(small), 1e-6) << swept;
    EXPECT_LT(std::fabs(large), 1e-6) << swept;
    // α = (m₂R − m₁r) g/(m₁r² + m₂R² + I)
    for (const double ratio : {3.96, 4.04}) {
      const double r = 0.2, R = 0.8, inertia = 0.5, alpha = (R - ratio * r) * 10 / (ratio * r * r + R * R + inertia);
      const auto [rise, sink] = at(ratio, 1.0);
      EXPECT_NEAR(rise / (0.5 * alpha * r), 1.0, swept ? 0.02 : 1e-3) << ratio << swept;
      EXPECT_NEAR(sink / (-0.5 * alpha * R), 1.0, swept ? 0.02 : 1e-3) << ratio << swept;
    }
  }
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

TEST(Winch, AThousandRadiansASecondAtASixtiethWindTheRightLength) {
  Description d = still(1.0 / 60);
  d.rotors.emplace_back("drum", wheelAt(Vec3::Zero(), 0.1, 0.5));
  addMass(d, "load", 1.0, Vec3(5000, 0, 0.1));
  d.rotors.back().second.rate = -1000.0;
  addMotor(d, "drum", DriveType::velocity, constant(-1000.0));
  d.particles.back().second.velocity = Vec3(-100, 0, 0);
  addCable(d, "rope", {woundOn("drum", 1, 1.0), attachTo("load")});
  World w = make(d);
  run(w, 10.0);
  EXPECT_NEAR(measure(w, "rotors.drum.angle"), -1e4, 1e-6);
  EXPECT_NEAR(measure(w, "cables.rope.links.0.stored"), 1.0 + 1e3, 1e-6);
  // The same with a body that turns as a whole.
  Description e = still(1.0 / 60);
  BodySettings drum;
  drum.motion = BodyMotion::kinematic;
  MotionSettings m;
  m.about = Vec3::UnitY();
  m.turn.rate = -1000.0;
  drum.prescribed = m;
  e.bodies.emplace_back("drum", drum);
  addMass(e, "load", 1.0, Vec3(5000, 0, 0.1));
  e.particles.back().second.velocity = Vec3(-100, 0, 0);
  LinkSettings spool = woundOn("drum", 1, 1.0);
  spool.radius = 0.1;
  spool.axis = Vec3::UnitY();
  addCable(e, "rope", {spool, attachTo("load")});
  World v = make(e);
  run(v, 10.0);
  EXPECT_NEAR(measure(v, "cables.rope.links.0.stored"), 1.0 + 1e3, 1e-6);
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

TEST(Belt, AfterAThousandTurnsTheRatioIsThatOfTheRadii) {
  Description d = still(1.0 / 60);
  const double r1 = 0.1, r2 = 0.37;
  d.rotors.emplace_back("small", wheelAt(Vec3(-1, 0, 0), r1, 0.01));
  d.rotors.emplace_back("large", wheelAt(Vec3(1, 0, 0.2), r2, 0.2));
  addMotor(d, "small", DriveType::velocity, ramp({{0, 0}, {2, 300}}));
  d.rotors.back().second.damping = 0.01;
  CableSettings& belt = addCable(d, "belt", {rollOver("small", 1), rollOver("large", 1)});
  belt.closed = true;
  belt.material.axial = 1e5;
  belt.tension = 200.0;
  for (const bool swept : {false, true}) {
    World w = make(swept ? bySweeps(d) : d);
    const double length = measure(w, "cables.belt.length");
    run(w, 23.0);
    const double turns = measure(w, "rotors.small.angle");
    EXPECT_GT(turns, 2 * M_PI * (swept ? 990 : 1000));
    EXPECT_NEAR(measure(w, "rotors.large.angle") / turns / (r1 / r2), 1.0, 1e-6) << swept;
    EXPECT_NEAR(measure(w, "cables.belt.length") / length, 1.0, 1e-9);
  }
}

TEST(DifferentialHoist, LoadOverPullIsTwoRadiiOverTheirDifference) {
  // One rope: wound on the small drum of the upper block, down round the sheave of the hook, up over the large one and
  // down to the hand. Turning the block by θ winds Rθ on one side and pays rθ out on the other: the hook moves by half
  // the difference.
  const double R = 0.3, r = 0.25, load = 120.0;
  Description d = heavy(1.0 / 240);
  BodySettings block = rigid(1.0, Vec3(0.05, 0.05, 0.05));
  d.bodies.emplace_back("upper", block);
  d.joints.emplace_back("axle", joint(JointType::hinge, "world", "upper", Vec3::Zero()));
  const double lower = 0.5 * (R + r);
  BodySettings hook = rigid(load, Vec3(1, 1, 1), Vec3(-0.5 * (R - r), 0, -3));
  d.bodies.emplace_back("hook", hook);
  d.rotors.emplace_back("sheave", wheelAt(Vec3::Zero(), lower, 0.01, "hook"));
  const double pull = load * 10 * (R - r) / (2 * R);
  addMass(d, "hand", pull / 10.0, Vec3(R, 0, -2));
  LinkSettings big = rollOn("upper", Vec3::Zero(), R, 1);
  LinkSettings small = woundOn("upper", 1, 5.0);
  small.radius = r;
  small.axis = Vec3::UnitY();
  addCable(d, "chain", {small, rollOver("sheave", 1), big, attachTo("hand")});
  for (const bool swept : {false, true}) {
    World w = make(swept ? bySweeps(d) : d);
    run(w, 2.0);
    EXPECT_LT(std::fabs(measure(w, "bodies.hook.position.z") + 3), swept ? 1e-3 : 1e-6);
    EXPECT_NEAR(tension(w, 2, "chain") * 2 * R / (R - r) / (load * 10), 1.0, 1e-3) << swept;
    EXPECT_NEAR(tension(w, 0, "chain") / (load * 5), 1.0, swept ? 1e-3 : 1e-5) << swept;
  }
}

TEST(YoYo, UnwindsHoldsWindsUpTheOtherSideAndKeepsItsLength) {
  const double r = 0.05, m = 0.5, inertia = 0.005;
  Description d = heavy(1.0 / 480);
  BodySettings toy = rigid(m, Vec3(inertia, inertia, inertia), Vec3(0, 0, -0.2));
  d.bodies.emplace_back("toy", toy);
  LinkSettings drum = woundOn("toy", -1, 1.0, LinkType::hybrid);
  drum.radius = r;
  drum.axis = Vec3::UnitY();
  addCable(d, "string", {attachTo("world", Vec3(-r, 0, 0)), drum});
  World w = make(d);
  const double length = measure(w, "cables.string.length");
  const double a = 10 * m / (m + inertia / (r * r));
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "bodies.toy.velocity.z") / (-a * 0.5), 1.0, 1e-3);
  bool held = false, again = false;
  double worst = 0.0, lowest = 0.0, highest = -9.0, otherSide = 0.0;
  const double spin = measure(w, "bodies.toy.angular_velocity.y");
  for (int i = 0; i < 480 * 4; ++i) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) {
      held = held || e.what.find("holds") == 0;
      again = again || (held && e.what.find("rolls again") == 0);
    }
    worst = std::max(worst, std::fabs(measure(w, "cables.string.length") - length));
    const double z = measure(w, "bodies.toy.position.z");
    lowest = std::min(lowest, z);
    if (again) highest = std::max(highest, z);
    // Climbing while it spins on as it did on the way down: the string winds up on the other side of the drum.
    if (again && measure(w, "bodies.toy.velocity.z") > 0.1 && measure(w, "bodies.toy.angular_velocity.y") * spin > 0.0)
      otherSide = std::max(otherSide, measure(w, "cables.string.links.1.stored"));
  }
  EXPECT_TRUE(held);
  EXPECT_TRUE(again);
  EXPECT_LT(worst, 1e-12 * 480 * 4);
  EXPECT_NEAR(lowest, -1.2 - r, 0.01);
  EXPECT_GT(highest, -0.6);
  EXPECT_GT(otherSide, 0.5);
}

TEST(Capstan, TwelveDrumsInSeriesHoldAndSlipLikeOneWithTheSumOfTheAngles) {
  // Posts on a ring, each passed by 90 degrees: 12 drums, the total wrap is what counts.
  const double mu = 0.1, r = 0.1;
  const auto scene = [&](double heavySide) {
    Description d = heavy(1.0 / 240);
    addFixed(d, "posts");
    std::vector<LinkSettings> route{attachTo("left")};
    // Up, over, down, under...: alternating wheels at one height, the cable weaving with half turns.
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
  World held = make(scene(0.99 * kappa));
  run(held, 1.0);
  EXPECT_LT(std::fabs(measure(held, "particles.right.velocity.z")), 1e-3);
  EXPECT_LT(std::fabs(measure(held, "cables.rope.links.12.slip")), 1e-3);
  // 10 (1.01 − 1)/(1.01 + 1) m/s², from the gain of speed: at the start the rope comes taut with a jerk.
  World just = make(scene(1.01 * kappa));
  run(just, 1.0);
  const double early = measure(just, "particles.right.velocity.z");
  run(just, 1.0);
  EXPECT_NEAR((measure(just, "particles.right.velocity.z") - early) / (10 * 0.01 / 2.01), 1.0, 1e-3);
  World slips = make(scene(2.0 * kappa));
  double angle = 0.0;
  run(slips, 0.5);
  for (int i = 1; i <= 12; ++i) angle += measure(slips, "cables.rope.links." + std::to_string(i) + ".wrap");
  EXPECT_NEAR(angle, 12 * M_PI, 1e-6);
  const double a = 10 * (2.0 - 1.0) / (2.0 + 1.0);
  EXPECT_NEAR(measure(slips, "particles.right.velocity.z") / (a * 0.5), 1.0, 1e-3);
  EXPECT_NEAR(tension(slips, 12) / tension(slips, 0) / kappa, 1.0, 1e-6);
}

TEST(Capstan, ABrakedWheelAFreeWheelAndAPostAreTheSameLaw) {
  const double mu = 0.3, kappa = std::exp(mu * M_PI), r = 0.3, inertia = 0.1;
  const struct {
    double brake, m2;
  } cases[] = {{1e9, 3.0}, {1.0, 3.0}, {1.0, 1.3}, {5.0, 2.0}, {2.0, 20.0}, {0.0, 1.5}};
  for (const auto& c : cases) {
    Description d = heavy(1.0 / 240);
    addMass(d, "left", 1.0, Vec3(-r, 0, -5));
    addMass(d, "right", c.m2, Vec3(r, 0, -5));
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), r, inertia));
    d.rotors.back().second.brake = c.brake;
    addCable(d, "rope", {attachTo("left"), rollOver("wheel", 1, mu), attachTo("right")});
    World w = make(d);
    run(w, 0.5);
    double a = std::max(((c.m2 - 1) * 10 - c.brake / r) / (1 + c.m2 + inertia / (r * r)), 0.0);
    const double ratio = c.m2 * (10 - a) / (10 + a);
    double alpha = a / r;
    if (ratio > kappa) {
      a = 10 * (c.m2 - kappa) / (c.m2 + kappa);
      alpha = std::max((r * (kappa - 1) * (10 + a) - c.brake) / inertia, 0.0);
    }
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z"), a * 0.5, 1e-3 * a + 1e-6) << c.brake << " " << c.m2;
    EXPECT_NEAR(measure(w, "rotors.wheel.rate"), alpha * 0.5, 1e-3 * alpha + 1e-6) << c.brake << " " << c.m2;
  }
}

TEST(Polygon, RollingASquarePrismConservesLengthAndPaysOutItsPerimeterATurn) {
  Description d = heavy(1.0 / 240);
  BodySettings prism;
  prism.motion = BodyMotion::kinematic;
  prism.shapes.push_back(box(Vec3(0.4, 0.2, 0.4)));
  MotionSettings m;
  m.about = Vec3::UnitY();
  m.turn = ramp({{0, 0}, {4, 4 * M_PI}}, true);
  prism.prescribed = m;
  prism.position = Vec3(0, 0, 3);
  d.bodies.emplace_back("prism", prism);
  addMass(d, "left", 1.0, Vec3(-2.0, 0, -3)).drag = 2.0;
  addMass(d, "right", 1.0, Vec3(0.2, 0, 0)).drag = 2.0;
  LinkSettings over = rollOver("prism", 1);
  over.shape = 0;
  over.axis = Vec3::UnitY();
  addFixed(d, "floor");
  d.rotors.emplace_back("idler", wheelAt(Vec3(-1.9, 0, 3), 0.1, 0.01));
  addCable(d, "rope", {attachTo("left"), rollOver("idler", 1), over, attachTo("right")});
  World w = make(d);
  const double length = measure(w, "cables.rope.length");
  run(w, 6.0);
  EXPECT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-12);
  // Two turns took 2·1.6 m from the left and gave it to the right.
  EXPECT_NEAR(measure(w, "particles.right.position.z"), -3.2, 1e-2);
  EXPECT_NEAR(measure(w, "particles.left.position.z"), 0.2, 1e-2);
}

TEST(Skew, WheelsInDifferentPlanesKeepLengthAndBalance) {
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("a", wheelAt(Vec3(0, 0, 3), 0.2, 0.02));
  d.rotors.emplace_back("b", wheelAt(Vec3(1.5, 0.3, 3.1), 0.25, 0.02, "world", Vec3(0.3, 1, 0.1).normalized()));
  addMass(d, "left", 1.0, Vec3(-0.2, 0, 1)).drag = 1.0;
  addMass(d, "right", 1.2, Vec3(1.75, 0.2, 1)).drag = 1.0;
  addCable(d, "rope", {attachTo("left"), rollOver("a", 1), rollOver("b", 1), attachTo("right")});
  World w = make(d);
  const double length = measure(w, "cables.rope.length");
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-12);
  EXPECT_LT(measure(w, "particles.right.position.z"), 0.9);
  EXPECT_GT(measure(w, "particles.left.position.z"), 1.1);
}

TEST(Sheath, CarriesThePullRoundTheCornerWithTheFrictionOfItsBends) {
  // Bowden cable: a quarter bend. Frictionless: one tension. With μ: exp(μ·bend) while it slides.
  for (const double mu : {0.0, 0.2}) {
    Description d = heavy(1.0 / 240);
    LinkSettings tube;
    tube.type = LinkType::sheath;
    tube.friction = mu;
    tube.path = {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(1, 0, 0)};
    addMass(d, "left", 1.0, Vec3(0, 0, -2));
    addMass(d, "right", 4.0, Vec3(1, 0, -2));
    CableSettings& c = addCable(d, "rope", {attachTo("left"), tube, attachTo("right")});
    c.material.axial = unbounded;
    World w = make(d);
    EXPECT_NEAR(measure(w, "cables.rope.length"), 7.0, 1e-12);
    run(w, 0.5);
    const double kappa = std::exp(mu * M_PI), a = 10 * (4 - kappa) / (4 + kappa);
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (a * 0.5), 1.0, 1e-3) << mu;
    EXPECT_NEAR(measure(w, "cables.rope.length"), 7.0, 1e-9);
  }
}

}  // namespace
}  // namespace reeve::test
