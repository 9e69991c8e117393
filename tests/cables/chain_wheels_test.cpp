// A chain over wheels, through eyes, on drums, as a belt: against closed forms.
#include <algorithm>

#include "cables/cable_scenes.h"
#include "reeve/math/scalar.h"
#include "reeve/world/build.h"
#include "support/allocations.h"

namespace reeve::test {
namespace {

CableSettings& addChain(Description& d, std::vector<LinkSettings> route, double density = 1e-4, int segments = 24) {
  CableSettings& c = addCable(d, "rope", std::move(route));
  c.model = CableModel::chain;
  c.segments = segments;
  c.material.mass = density;
  return c;
}

double speedOf(const World& w, const std::string& particle) {
  return measure(w, "particles." + particle + ".velocity.z");
}

double totalEnergy(const World& w) {
  return measure(w, "energy.kinetic") + measure(w, "energy.potential") + measure(w, "energy.elastic");
}

/// Two masses over a wheel of radius 0.2 m.
Description twoMasses(double left, double right, double inertia, double friction, double density = 1e-4) {
  Description d = heavy(1.0 / 240);
  addMass(d, "left", left, Vec3(-0.2, 0, -2.2));
  addMass(d, "right", right, Vec3(0.2, 0, -2.2));
  d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), 0.2, inertia));
  addChain(d, {attachTo("left"), rollOver("wheel", 1, friction), attachTo("right")}, density);
  return d;
}

TEST(ChainWheels, AtwoodTurnsTheWheelEitherWay) {
  const double inertia = 0.02, r = 0.2;
  for (const double heavier : {1.5, 0.75}) {
    World w = make(twoMasses(1.0, heavier, inertia, unbounded));
    const double a = 10 * (heavier - 1.0) / (1.0 + heavier + inertia / (r * r));
    run(w, 0.5);
    EXPECT_NEAR(speedOf(w, "left") / (a * 0.5), 1.0, 1e-3);
    EXPECT_NEAR(measure(w, "rotors.wheel.rate") * r / (a * 0.5), 1.0, 1e-3);
    EXPECT_NEAR(tension(w, 0) / (10 + a), 1.0, 1e-3);
    EXPECT_NEAR(tension(w, 1) / (heavier * (10 - a)), 1.0, 1e-3);
    EXPECT_NEAR(measure(w, "cables.rope.links.1.slip"), 0.0, 1e-9);
    EXPECT_EQ(measure(w, "health.unconverged"), 0);
  }
}

TEST(ChainWheels, OverAFreeAxleWithoutFrictionTheWheelStandsStill) {
  World w = make(twoMasses(1.0, 1.5, 0.02, 0.0));
  run(w, 0.5);
  EXPECT_NEAR(speedOf(w, "left") / (10 * 0.5 / 2.5 * 0.5), 1.0, 1e-3);
  EXPECT_EQ(measure(w, "rotors.wheel.rate"), 0.0);
  EXPECT_NEAR(measure(w, "cables.rope.links.1.slip"), 0.5 * 10 * 0.5 / 2.5 * 0.25, 2e-3);
}

TEST(ChainWheels, AHeavyChainRunsOffAsACosh) {
  // (2 m + ρ L + I/r²) x'' = 2 ρ g x, x from balance; L whole, what lies on the wheel included.
  const double rho = 0.5, inertia = 0.02, r = 0.2, x0 = 0.2;
  Description d = twoMasses(1.0, 1.0, inertia, unbounded, rho);
  d.particles[0].second.position.z() += x0;
  d.particles[1].second.position.z() -= x0;
  d.cables[0].second.segments = 40;
  World w = make(std::move(d));
  const double length = measure(w, "cables.rope.length");
  EXPECT_NEAR(length, 4.4 + math::pi * r, 1e-9);
  const double k = std::sqrt(2 * rho * 10 / (2.0 + rho * length + inertia / (r * r)));
  const double start = totalEnergy(w);
  double gain = 0.0;
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(w.step().good);
    gain = std::max(gain, std::fabs(totalEnergy(w) - start));
  }
  const double x = -measure(w, "particles.right.position.z") - 2.2, moved = x0 * std::cosh(k);
  std::printf("heavy chain over a wheel: %.4f m after 1 s, x0 cosh kt %.4f m, energy within %.1e J\n", x, moved, gain);
  EXPECT_NEAR((x - x0) / (moved - x0), 1.0, 0.01);
  EXPECT_LT(gain, 0.01 * 2 * rho * 10 * (moved * moved - x0 * x0) / 2);
  EXPECT_NEAR(measure(w, "cables.rope.length"), length, 1e-9);
}

TEST(ChainWheels, APostHoldsAndSlipsByTheCapstanLawAt90And180And540Degrees) {
  const double mu = 0.3, r = 0.3;
  const auto scene = [&](double degrees, double share) {
    Description d = heavy(1.0 / 240);
    addFixed(d, "post");
    const bool quarter = degrees < 100;
    addMass(d, "left", 1.0, quarter ? Vec3(-2, 0, r) : Vec3(-r, 0, -2)).gravity = !quarter;
    if (quarter) {
      ForceSettings f;
      f.on = "left";
      f.force = Vec3(-10, 0, 0);
      d.forces.emplace_back("pull", f);
    }
    addMass(d, "right", share * std::exp(mu * degrees * math::pi / 180), Vec3(r, 0, -2));
    LinkSettings post = rollOn("post", Vec3::Zero(), r, 1, mu);
    post.turns = degrees > 360 ? 1 : 0;
    addChain(d, {attachTo("left"), post, attachTo("right")});
    return d;
  };
  for (const double degrees : {90.0, 180.0, 540.0}) {
    World holds = make(scene(degrees, 0.98));
    EXPECT_NEAR(measure(holds, "cables.rope.links.1.wrap"), degrees * math::pi / 180, 1e-9);
    run(holds, 0.5);
    EXPECT_LT(std::fabs(speedOf(holds, "right")), 1e-4) << degrees;
    World slips = make(scene(degrees, 1.02));
    run(slips, 0.5);
    const double a = 10 * 0.02 / 2.02;
    EXPECT_NEAR(speedOf(slips, "right") / (-0.5 * a), 1.0, 0.03) << degrees;
    World runs = make(scene(degrees, 2.0));
    run(runs, 0.25);
    EXPECT_NEAR(speedOf(runs, "right") / (-0.25 * 10.0 / 3.0), 1.0, 0.003) << degrees;
    EXPECT_NEAR(tension(runs, 1) / tension(runs, 0) / std::exp(mu * degrees * math::pi / 180), 1.0, 0.003) << degrees;
  }
}

TEST(ChainWheels, ATurningWheelSlipsUnderAHeldChain) {
  // A motor turns the wheel away from the held end: its rim bears what the capstan law leaves to that end.
  const double mu = 0.2, r = 0.2;
  Description d = heavy(1.0 / 240);
  addMass(d, "load", 3.0, Vec3(r, 0, -2));
  addFixed(d, "ground");
  d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), r, 0.02));
  addMotor(d, "wheel", DriveType::velocity, ramp({Vec2(0, 0), Vec2(0.5, -4)}));
  addChain(d, {attachTo("ground", Vec3(-r, 0, -2)), rollOver("wheel", 1, mu), attachTo("load")});
  World w = make(std::move(d));
  run(w, 1.5);
  const double held = 30.0 * std::exp(-mu * math::pi);
  EXPECT_NEAR(tension(w, 1), 30.0, 0.1);
  EXPECT_NEAR(tension(w, 0), held, 0.01 * held);
  EXPECT_NEAR(measure(w, "motors.motor of wheel.force"), -(30.0 - held) * r, 0.03);
}

TEST(ChainWheels, AnEyeHoldsAndSlipsByItsKink) {
  const double mu = 0.25;
  const auto scene = [&](double share) {
    Description d = heavy(1.0 / 240);
    addFixed(d, "ring");
    addMass(d, "left", 1.0, Vec3(-1, 0, -1));
    addMass(d, "right", share * std::exp(mu * math::pi), Vec3(0.0, 0, -1.5));
    d.particles[0].second.position = Vec3(0, 0, -1);
    addChain(d, {attachTo("left"), through("ring", Vec3::Zero(), mu), attachTo("right")});
    return d;
  };
  World holds = make(scene(0.98));
  run(holds, 0.5);
  EXPECT_LT(std::fabs(speedOf(holds, "right")), 1e-4);
  World slips = make(scene(1.5));
  run(slips, 0.4);
  EXPECT_NEAR(speedOf(slips, "right") / (-0.4 * 10 * 0.5 / 2.5), 1.0, 0.005);
  EXPECT_NEAR(tension(slips, 1) / tension(slips, 0) / std::exp(mu * math::pi), 1.0, 0.005);
  EXPECT_NEAR(measure(slips, "cables.rope.length"), 2.5, 1e-9);
}

TEST(ChainWheels, AWinchOverASheaveLiftsByItsTurnAndTwentyMetresComeBack) {
  const double r = 0.25;
  Description d = heavy(1.0 / 120);
  addMass(d, "load", 100.0, Vec3(3.2, 0, -22));
  d.rotors.emplace_back("drum", wheelAt(Vec3(0, 0, -3), r, 0.5));
  d.rotors.emplace_back("sheave", wheelAt(Vec3(3, 0, 0), 0.2, 0.02));
  // 80 rad at r are 20 m.
  addMotor(d, "drum", DriveType::velocity,
           ramp({Vec2(0.5, 0), Vec2(1.7, -25), Vec2(3.7, -25), Vec2(4.9, 0), Vec2(5.2, 0), Vec2(6.4, 25), Vec2(8.4, 25),
                 Vec2(9.6, 0)}));
  addChain(d, {attachTo("load"), rollOver("sheave", -1), woundOn("drum", -1, 2.0)}, 0.01, 40);
  World w = make(std::move(d));
  const double whole = measure(w, "cables.rope.length"), start = measure(w, "particles.load.position.z"),
               stored = measure(w, "cables.rope.links.2.stored");
  EXPECT_NEAR(stored, 2.0, 1e-9);
  run(w, 5.1);
  const double moved = measure(w, "particles.load.position.z") - start, turn = measure(w, "rotors.drum.angle");
  std::printf("winch: %.4f m by %.4f rad of %.2f m, stored %.4f m, whole %.2e m off\n", moved, turn, r,
              measure(w, "cables.rope.links.2.stored"), measure(w, "cables.rope.length") - whole);
  EXPECT_NEAR(moved, -r * turn, 1e-3);
  EXPECT_NEAR(moved, 20.0, 1e-3);
  EXPECT_NEAR(measure(w, "cables.rope.links.2.stored"), 22.0, 1e-3);
  EXPECT_NEAR(tension(w, 0), 1000.0, 10.0);
  EXPECT_NEAR(measure(w, "cables.rope.length"), whole, 1e-6);
  run(w, 4.9);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), start, 1e-3);
  EXPECT_NEAR(measure(w, "cables.rope.links.2.stored"), stored, 1e-3);
  EXPECT_NEAR(measure(w, "cables.rope.length"), whole, 1e-6);
  EXPECT_EQ(measure(w, "health.unconverged"), 0);
}

TEST(ChainWheels, AMovingBlockHalvesThePullAndSavedItGoesOnBitForBit) {
  Description d = heavy(1.0 / 240);
  BodySettings hook = rigid(20.0, Vec3(0.3, 0.3, 0.3), Vec3(0, 0, -2));
  d.bodies.emplace_back("hook", hook);
  d.rotors.emplace_back("lower", wheelAt(Vec3::Zero(), 0.1, 0.01, "hook"));
  d.rotors.emplace_back("upper", wheelAt(Vec3(0.2, 0, 0), 0.1, 0.01));
  addMass(d, "counter", 10.4, Vec3(0.3, 0, -1));
  addChain(d, {attachTo("world", Vec3(-0.1, 0, 0)), rollOver("lower", -1), rollOver("upper", 1), attachTo("counter")},
           1e-3);
  World w = make(std::move(d));
  run(w, 0.5);
  // 2 T − M g = M a/2, m g − T = m a, wheels: the lower turns at v/2 = half of the rope's mean over its radius.
  const double lower = 0.01 / 0.01 * 0.25, upper = 0.01 / 0.01;
  const double a = 10 * (10.4 - 10.0) / (10.4 + 20.0 / 4 + lower + upper);
  EXPECT_NEAR(speedOf(w, "counter") / (-0.5 * a), 1.0, 0.01);
  EXPECT_NEAR(tension(w, 2) / (10.4 * (10 - a)), 1.0, 1e-3);
  const std::string saved = w.saveState();
  run(w, 0.5);
  const std::uint64_t end = w.hash();
  ASSERT_TRUE(w.restoreState(saved));
  run(w, 0.5);
  EXPECT_EQ(w.hash(), end);
}

TEST(ChainWheels, ABeltKeepsItsTensionTurnsAsItsRadiiAndCreepsAsItStretches) {
  // The driver takes the belt in at the tight side's strain, the driven wheel at the slack side's.
  Description d = still(1.0 / 240);
  d.rotors.emplace_back("motor", wheelAt(Vec3(-0.8, 0, 1), 0.1, 0.005));
  d.rotors.emplace_back("fan", wheelAt(Vec3(0.8, 0, 1.1), 0.35, 0.5)).second.damping = 0.5;
  addMotor(d, "motor", DriveType::velocity, ramp({Vec2(0, 0), Vec2(1, 60)}));
  CableSettings& c = addChain(d, {rollOver("motor", 1), rollOver("fan", 1)}, 1e-3);
  c.closed = true;
  c.tension = 150;
  c.material.axial = 20000;
  c.material.damping = 0.005;
  World w = make(std::move(d));
  const double whole = measure(w, "cables.rope.length");
  run(w, 5.0);
  const double tight = std::max(tension(w, 0), tension(w, 1)), slack = std::min(tension(w, 0), tension(w, 1));
  const double rate = measure(w, "rotors.fan.rate");
  std::printf("belt: tight %.3f N, slack %.3f N, fan %.5f rad/s, of the radii %.5f\n", tight, slack, rate, 60 / 3.5);
  // All of it is as long as it was: Σ (T − 150 N) over the way it has that tension is 0, on wheels that of their entry.
  const double spans = measure(w, "cables.rope.spans.0.length"), onMotor = measure(w, "cables.rope.links.0.stored"),
               onFan = measure(w, "cables.rope.links.1.stored");
  const double off = spans * (tight + slack - 300) + onMotor * (tight - 150) + onFan * (slack - 150);
  EXPECT_NEAR(off / (2 * spans + onMotor + onFan), 0.0, 0.005 * 150);
  EXPECT_NEAR((tight - slack) * 0.35, 0.5 * rate, 0.01 * 0.5 * rate);
  EXPECT_NEAR(rate * 3.5 / 60, (1 + slack / 20000) / (1 + tight / 20000), 2e-4);
  EXPECT_NEAR(measure(w, "cables.rope.length"), whole, 0.003 * whole);
  EXPECT_EQ(measure(w, "health.unconverged"), 0);
}

TEST(ChainWheels, TenThousandTimesTheMassOfASegmentHangsStill) {
  for (const double ratio : {1e4, 1e6}) {
    const double density = 1000.0 / (4.4 + 0.2 * math::pi) * 24 / ratio;
    World w = make(twoMasses(1000.0, 1000.0, 0.02, unbounded, density));
    run(w, 0.5);
    EXPECT_NEAR(tension(w, 0), 1e4, 0.01 * 1e4);
    EXPECT_NEAR(speedOf(w, "left"), 0.0, 1e-6);
    EXPECT_EQ(measure(w, "health.unconverged"), 0);
  }
}

TEST(ChainWheels, AHeldEndStopsAtItsWheel) {
  Description d = twoMasses(1.0, 3.0, 0.02, unbounded, 0.01);
  World w = make(std::move(d));
  double highest = -9.0;
  for (int i = 0; i < 480; ++i) {
    ASSERT_TRUE(w.step().good);
    highest = std::max(highest, measure(w, "particles.left.position.z"));
  }
  EXPECT_LT(highest, 0.5);  // it is thrown up beside the wheel, and stays there
  EXPECT_LT(std::fabs(speedOf(w, "right")), 3.0);
  EXPECT_LT(-measure(w, "particles.right.position.z"), 4.4 + 0.4);
}

TEST(ChainWheels, PaidOutAtItsFirstLinkItIsLongerByThat) {
  Description d = heavy(1.0 / 240);
  addMass(d, "load", 50.0, Vec3(1.1, 0, -2));
  addFixed(d, "post");
  CableSettings& c = addChain(
      d, {attachTo("world", Vec3(0, 0, -1)), rollOn("post", Vec3(1, 0, 0), 0.1, 1, 0.0), attachTo("load")}, 0.01);
  c.payout = ramp({Vec2(0.2, 0), Vec2(1.2, 1.5), Vec2(1.5, 1.5), Vec2(2.5, -0.5)});
  World w = make(std::move(d));
  run(w, 1.5);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), -3.5, 0.002);
  run(w, 1.5);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), -1.5, 0.002);
  EXPECT_NEAR(tension(w, 1), 500.0, 1.0);
}

/// Largest difference between an entry of a position row and the central difference of its error, at the start.
double worstGradient(Description d) {
  const auto built = build(std::move(d));
  EXPECT_TRUE(built) << (built ? "" : built.error().reason);
  const Model& model = (*built)->model;
  for (Topology t; const Element* e : model.acting)
    e->topology((*built)->start, t), applyTopology(t, (*built)->model.blocks);
  Instant now;
  now.bind(model, (*built)->start);
  now.rewind();
  const auto rowsFor = [&](std::size_t shifted, double by) {
    now.u.assign(static_cast<std::size_t>(model.velocities), 0.0);
    now.u[shifted] = by;
    now.place(0.01, 0.01);
    now.evaluate();
    RowSet rows;
    (*built)->cables[0]->rows(now, rows);
    return rows;
  };
  double worst = 0.0;
  constexpr double step = 1e-6;
  for (std::size_t b = 0; b < model.blocks.size(); ++b)
    for (int k = 0; model.blocks[b].free && k < model.blocks[b].dof; ++k) {
      const std::size_t i = static_cast<std::size_t>(model.blocks[b].v + k);
      const RowSet rows = rowsFor(i, 0.0), plus = rowsFor(i, step), minus = rowsFor(i, -step);
      for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        if (rows.rows[r].level != Level::position) continue;
        double entry = 0.0;
        for (int e = rows.rows[r].first; e < rows.rows[r].first + rows.rows[r].count; ++e)
          if (rows.entries[static_cast<std::size_t>(e)].block == static_cast<int>(b))
            entry += rows.entries[static_cast<std::size_t>(e)].j[k];
        worst = std::max(worst, std::fabs(entry - (plus.rows[r].error - minus.rows[r].error) / (2 * step)));
      }
    }
  return worst;
}

TEST(ChainWheels, RowsAreTheGradientOfTheirErrors) {
  const auto scene = [](double aside) {
    Description d = heavy(1.0 / 240);
    BodySettings a = rigid(1, Vec3(0.1, 0.2, 0.3), Vec3(0, 0, 0)), b = rigid(2, Vec3(0.3, 0.2, 0.4), Vec3(2, 0, 0.4));
    a.center = Vec3(0.05, 0.02, -0.03);
    d.bodies.emplace_back("a", a);
    d.bodies.emplace_back("b", b);
    d.rotors.emplace_back("wheel", wheelAt(Vec3(0.1, 0, 0.05), 0.3, 0.1, "a"));
    d.rotors.emplace_back("drum", wheelAt(Vec3(5, aside, 0), 0.2, 0.1));
    addMass(d, "p", 1.0, Vec3(-2, aside, -1));
    addChain(d, {attachTo("p"), rollOver("wheel", 1), rollOn("b", Vec3(0.2, 0, 0), 0.25, -1),
                 through("world", Vec3(3.5, 0, -0.3), 0.2), woundOn("drum", -1, 1.3)});
    return d;
  };
  EXPECT_LT(worstGradient(scene(0.0)), 1e-7);
  // Out of the plane of the wheel what carries it has terms of the order of the kink, which Newton makes up for.
  const double kinked = worstGradient(scene(0.1));
  std::printf("gradient: kinked by 0.05 rad, off by %.1e\n", kinked);
  EXPECT_LT(kinked, 0.02);
}

TEST(ChainWheels, AWarmStepAllocatesNothing) {
  World w = make(twoMasses(1.0, 1.001, 0.02, 0.5));
  run(w, 0.2);
  w.takeEvents();
  const long before = allocations();
  for (int i = 0; i < 20; ++i) w.step();
  EXPECT_EQ(allocations() - before, 0);
}

TEST(ChainWheels, WhatItCannotBeIsRefusedByPlaceReasonAndRemedy) {
  const auto refused = [](auto&& change) {
    Description d = twoMasses(1.0, 1.5, 0.02, unbounded);
    change(d.cables[0].second);
    const auto w = World::build(std::move(d));
    EXPECT_FALSE(w.has_value());
    return w ? Problem{} : w.error();
  };
  EXPECT_EQ(refused([](CableSettings& c) { c.material.mass = 0.0; }).path, "/cables/rope/material/mass");
  EXPECT_EQ(refused([](CableSettings& c) { c.slack = 0.5; }).path, "/cables/rope/slack");
  EXPECT_EQ(refused([](CableSettings& c) { c.merges = 2; }).path, "/cables/rope/merges");
  EXPECT_EQ(refused([](CableSettings& c) { c.route[0].hold = EndHold::clamped; }).path, "/cables/rope/route/0/hold");
  EXPECT_EQ(refused([](CableSettings& c) { c.route[1].type = LinkType::spool; }).path, "/cables/rope/route/1/type");
  EXPECT_EQ(refused([](CableSettings& c) { c.material.breaking = 100.0; }).path, "/cables/rope/material/breaking");
}

}  // namespace
}  // namespace reeve::test
