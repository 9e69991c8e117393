// Chains whose segments come and go: rings and branches, drums, merging and splitting, softening where they are
// touched.
#include "cables/chain_scenes.h"
#include "reeve/cables/chain/segment_motion.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"
#include "reeve/model/element.h"

namespace reeve::test {
namespace {

CableSettings wire(int segments, double density = 0.5) {
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = segments;
  c.collides = false;
  c.material.mass = density;
  c.material.axial = 1e5;
  c.material.bending = 0.02;
  c.material.torsion = 0.02;
  c.material.damping = 0.05;
  return c;
}

/// Sum of linear momentum, and of the moment of momentum about the origin, of all free blocks.
void totals(const World& w, Vec3& linear, Vec3& angular) {
  linear.setZero();
  angular.setZero();
  for (const Block& b : w.model().blocks) {
    if (!b.free || !b.rotates) continue;
    const SegmentMotion m = motionOf(w.state(), b);
    linear += m.p;
    angular += m.x.cross(m.p) + m.l;
  }
}

TEST(ChainRing, AClosedRingOfASpringyWireTakesACircleAndHasTheEnergyOfOne) {
  Description d = still(1.0 / 120);
  CableSettings c = wire(40);
  c.closed = true;
  c.material.bending = c.material.torsion = 2.0;
  c.material.damping = 0.2;
  for (const Vec2& p : {Vec2(1, 0.8), Vec2(0, 1.0), Vec2(-1, 0.8), Vec2(-1.2, 0), Vec2(-1, -0.8), Vec2(0, -1.0)})
    c.shape.push_back(Vec3(p.x(), p.y(), 0));
  c.route = {chainEnd("world", Vec3(1.2, 0, 0), EndHold::free), chainEnd("world", Vec3(1, -0.8, 0), EndHold::free)};
  d.cables.emplace_back("ring", c);
  World w = make(std::move(d));
  const double length = measure(w, "cables.ring.length"), radius = length / (2 * math::pi);
  run(w, 20.0);
  const auto line = cableOf(w).polyline;
  EXPECT_EQ(line.size(), 41u);
  EXPECT_NEAR((line.front() - line.back()).norm(), 0.0, 1e-12);
  Vec3 middle = Vec3::Zero();
  for (std::size_t i = 1; i < line.size(); ++i) middle += line[i] / 40.0;
  double least = 9.0, most = 0.0;
  for (const Vec3& p : line) least = std::min(least, (p - middle).norm()), most = std::max(most, (p - middle).norm());
  std::printf("ring: radius %.4f to %.4f, of a circle %.4f, energy %.4f of 2 pi^2 EI/L\n", least, most, radius,
              measure(w, "energy.elastic") * length / (2 * math::pi * math::pi * 2.0));
  EXPECT_LT(most - least, 0.005 * radius);
  EXPECT_NEAR(measure(w, "energy.elastic"), 2 * math::pi * math::pi * 2.0 / length, 0.005 * 19.7 / length * 2);
}

TEST(ChainRing, HungByOneLinkItsWeightIsAtTheLink) {
  Description d = heavy(1.0 / 120);
  CableSettings c = wire(24);
  c.closed = true;
  c.material.damping = 0.2;
  for (int i = 1; i < 12; ++i) c.shape.push_back(Vec3(0.4 * std::sin(0.5 * i), 0, 0.4 * std::cos(0.5 * i) - 0.4));
  c.route = {chainEnd("world"),
             chainEnd("world", Vec3(0.4 * std::sin(6.0), 0, 0.4 * std::cos(6.0) - 0.4), EndHold::free)};
  d.cables.emplace_back("ring", c);
  World w = make(std::move(d));
  run(w, 15.0);
  EXPECT_NEAR(measure(w, "cables.ring.links.0.force.z"), -5.0 * measure(w, "cables.ring.length"), 0.01);
}

TEST(ChainBranch, OnASegmentOfAnotherChainPullsAtThatSegment) {
  Description d = heavy(1.0 / 120);
  CableSettings main = wire(17), branch = wire(10);
  main.collides = branch.collides = true;
  main.material.damping = branch.material.damping = 0.2;
  main.length = 2.8;
  main.route = {chainEnd("world", Vec3(-1, 0, 0)), chainEnd("world", Vec3(1, 0, 0))};
  d.bodies.emplace_back("load", rigid(6.0, Vec3::Constant(0.1), Vec3(0, 0, -2.4)));
  branch.route = {chainEnd("main"), chainEnd("load")};
  branch.route[0].segment = 8;
  d.cables.emplace_back("main", main);
  d.cables.emplace_back("branch", branch);
  World w = make(std::move(d));
  run(w, 15.0);
  const double hung = 10.0 * (6.0 + 0.5 * measure(w, "cables.branch.length"));
  EXPECT_NEAR(measure(w, "cables.branch.links.0.force.z"), -hung, 0.002 * hung);
  EXPECT_NEAR(measure(w, "cables.main.links.0.force.z"), -0.5 * (hung + 10.0 * 0.5 * 2.8), 0.002 * hung);
  EXPECT_EQ(w.observe().contacts.size(), 0u);
}

TEST(ChainBranch, BadBranchesAreNamed) {
  const auto reason = [](auto change) {
    Description d = heavy(1.0 / 60);
    CableSettings main = wire(8), branch = wire(4);
    main.route = {chainEnd("world"), chainEnd("world", Vec3(1, 0, 0))};
    branch.route = {chainEnd("main"), chainEnd("world", Vec3(0.5, 0, -1))};
    branch.route[0].segment = 3;
    change(main, branch);
    d.cables.emplace_back("main", main);
    d.cables.emplace_back("branch", branch);
    const auto w = World::build(std::move(d));
    return w ? std::string("built") : w.error().path + ": " + w.error().reason;
  };
  EXPECT_EQ(reason([](auto&, auto&) {}), "built");
  EXPECT_EQ(reason([](auto&, CableSettings& b) { b.route[0].segment = 8; }),
            "/cables/branch/route/0/segment: 'main' has no such segment to hold on to");
  EXPECT_EQ(reason([](CableSettings& m, auto&) { m.merges = 2; }),
            "/cables/branch/route/0/segment: 'main' has no such segment to hold on to");
  EXPECT_EQ(reason([](CableSettings& m, auto&) { m.merges = 2, m.closed = true; }),
            "/cables/main/closed: a closed chain has no end to wind up, and its segments do not merge");
}

// ---- drums

/// 12 segments out, 20 on a drum of 0.25 m, a load below.
Description winch(double load, double inertia, double dt) {
  Description d = heavy(dt);
  RotorSettings drum;
  drum.radius = 0.25;
  drum.inertia = inertia;
  drum.axis = Vec3::UnitY();
  d.rotors.emplace_back("drum", drum);
  d.bodies.emplace_back("load", rigid(load, Vec3::Constant(0.02 * load), Vec3(0.25, 0, -1.2)));
  CableSettings c = wire(12, 2.0);
  c.material.axial = 1e6;
  c.material.damping = 0.01;
  LinkSettings spool;
  spool.type = LinkType::spool;
  spool.on = "drum";
  spool.side = 1;
  spool.stored = 2.0;
  c.route = {spool, chainEnd("load")};
  d.cables.emplace_back("chain", c);
  return d;
}

TEST(ChainDrum, ALoadThatPullsItOffFallsAsTheMassOfChainAndDrumTell) {
  // x'' (M + ρL + I/r²) = (M + ρ(l₀ + x)) g, so x = (M/ρ + l₀)(cosh kt − 1), k² = ρg/(M + ρL + I/r²).
  const double load = 5.0, inertia = 0.3, density = 2.0, out = 1.2, all = 3.2;
  World w = make(winch(load, inertia, 1.0 / 240));
  const double energy = measure(w, "energy.total");
  const double k = std::sqrt(density * 10.0 / (load + density * all + inertia / 0.0625));
  double worst = 0.0, drift = 0.0, length = 0.0;
  int segments = 0;
  for (int i = 1; i <= 150 && w.step().good; ++i) {
    const double t = i / 240.0, x = (load / density + out) * (std::cosh(k * t) - 1.0);
    worst = std::max(worst, std::fabs(-measure(w, "bodies.load.position.z") - 1.2 - x));
    drift = std::max(drift, std::fabs(measure(w, "energy.total") - energy));
    length = std::max(length, std::fabs(measure(w, "cables.chain.length") - all));
    segments = static_cast<int>(cableOf(w).spans.size());
  }
  const double fallen = -measure(w, "bodies.load.position.z") - 1.2, freed = load * 10 * fallen;
  std::printf("drum: fell %.3f m, off by at most %.4f m, energy drifts %.4f of %.1f J, length kept to %.1e, %d out\n",
              fallen, worst, drift, freed, length, segments);
  EXPECT_TRUE(w.verdict().good);
  EXPECT_GT(segments, 20);
  EXPECT_LT(worst, 0.01 * fallen);
  EXPECT_LT(length, 1e-12);
  EXPECT_LT(drift, 0.01 * freed);
}

TEST(ChainDrum, PaidOutAndTakenInAgainTheLoadIsWhereItWasAndSoIsTheTension) {
  Description d = winch(50.0, 2.0, 1.0 / 120);
  MotorSettings m;
  m.on = "drum";
  m.target.table = {Vec2(0.5, 0), Vec2(1, 3),    Vec2(2.5, 3), Vec2(3, 0),
                    Vec2(4, 0),   Vec2(4.5, -3), Vec2(6, -3),  Vec2(6.5, 0)};
  d.motors.emplace_back("winch", m);
  World w = make(std::move(d));
  run(w, 0.5);
  const double start = measure(w, "bodies.load.position.z");
  run(w, 3.0);
  const double low = measure(w, "bodies.load.position.z");
  EXPECT_NEAR(start - low, 0.25 * 6.0, 0.01);
  EXPECT_NEAR(measure(w, "cables.chain.links.0.stored"), 2.0 - 1.5, 0.11);
  const std::string saved = w.saveState();
  run(w, 4.5);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), start, 0.002);
  EXPECT_NEAR(measure(w, "motors.winch.force"), -0.25 * 10 * (50 + 2.0 * 1.2), 2.0);
  EXPECT_EQ(measure(w, "health.unconverged"), 0);
  // What sleeps and what is awake is part of the state.
  const std::uint64_t end = w.hash();
  ASSERT_TRUE(w.restoreState(saved));
  run(w, 4.5);
  EXPECT_EQ(w.hash(), end);
}

TEST(ChainDrum, WhenAllIsPaidOutItsEndStaysOnTheRimAndNoEnergyComesIn) {
  // What it stores is left out: the empty chain whips at a third of a radian a step, and its damping takes the error of
  // such rates for strain.
  World w = make(winch(5.0, 2.0, 1.0 / 120));
  const auto energy = [&] { return measure(w, "energy.kinetic") + measure(w, "energy.potential"); };
  const double start = energy();
  double gain = 0.0, lowest = 0.0, stored = 0.0;
  for (int i = 0; i < 480 && w.step().good; ++i) {
    gain = std::max(gain, energy() - start);
    lowest = std::min(lowest, measure(w, "bodies.load.position.z"));
    stored = std::min(stored, measure(w, "cables.chain.links.0.stored"));
  }
  std::printf("empty drum: load never below %.3f m, energy gained %.3f J, stored never below %.1e m\n", lowest, gain,
              stored);
  EXPECT_TRUE(w.verdict().good);
  EXPECT_GT(lowest, -3.2 - 0.25 - 0.01);  // the chain and the radius, and some strain
  EXPECT_LT(lowest, -3.2);
  EXPECT_GE(stored, 0.0);
  EXPECT_LT(gain, 2.0);  // of 200 J that the fall sets free
  const auto events = w.takeEvents();
  EXPECT_TRUE(std::ranges::any_of(events, [](const Event& e) { return e.what == "is all paid out"; }));
}

TEST(ChainDrum, WhenNoMoreCanBeWoundUpTheLoadIsCarriedRoundWithTheRim) {
  Description d = winch(20.0, 2.0, 1.0 / 120);
  MotorSettings m;
  m.on = "drum";
  m.target.table = {Vec2(0, 0), Vec2(0.5, -3)};
  d.motors.emplace_back("winch", m);
  World w = make(std::move(d));
  double stored = 0.0, away = 0.0;
  for (int i = 0; i < 720 && w.step().good; ++i) {
    stored = std::max(stored, measure(w, "cables.chain.links.0.stored"));
    if (i > 300)
      away = std::max(away, std::hypot(measure(w, "bodies.load.position.x"), measure(w, "bodies.load.position.z")));
  }
  EXPECT_TRUE(w.verdict().good);
  EXPECT_NEAR(stored, 3.1, 1e-3);      // all but one segment
  EXPECT_LT(away, 0.25 + 0.1 + 1e-3);  // on the rim, with that one
}

TEST(ChainDrum, RefusesWhatCannotBeWound) {
  const auto reason = [](auto change) {
    Description d = winch(5.0, 1.0, 1.0 / 60);
    change(d);
    const auto w = World::build(std::move(d));
    return w ? std::string("built") : w.error().path + ": " + w.error().reason;
  };
  EXPECT_EQ(reason([](Description&) {}), "built");
  EXPECT_EQ(reason([](Description& d) { std::swap(d.cables[0].second.route[0], d.cables[0].second.route[1]); }),
            "built");
  EXPECT_EQ(reason([](Description& d) {
              d.bodies.emplace_back("trolley", rigid(9.0, Vec3(1, 1, 1)));
              d.rotors[0].second.on = "trolley";
            }),
            "built");
  EXPECT_EQ(reason([](Description& d) { d.cables[0].second.preformed = true; }),
            "/cables/chain/preformed: a bent rest shape can be neither wound up nor merged");
  EXPECT_EQ(reason([](Description& d) {
              BodySettings crane;
              crane.motion = BodyMotion::kinematic;
              crane.prescribed.emplace();
              crane.prescribed->turn.rate = 1.0;
              d.bodies.emplace_back("crane", crane);
              d.rotors[0].second.on = "crane";
            }),
            "built");
  EXPECT_EQ(reason([](Description& d) { d.cables.emplace_back("second", d.cables[0].second); }), "built");
  EXPECT_EQ(reason([](Description& d) { d.cables[0].second.payout.rate = 1.0; }),
            "/cables/chain/payout: this chain is paid out by the drum it begins on");
  EXPECT_EQ(reason([](Description& d) { d.bodies[0].second.position = Vec3(0.1, 0, -0.1); }),
            "/cables/chain/route/1: the chain would begin inside its drum");
}

// ---- merging

TEST(ChainMerge, MomentaOfPartsAndWholeAreTheSameNowAndAStepBefore) {
  SegmentMotion part[2], whole;
  for (int k = 0; k < 2; ++k) {
    part[k].mass = 1.0 + k;
    part[k].inertia_B = Vec3(0.1 + 0.1 * k, 0.1 + 0.1 * k, 0.01).asDiagonal();
    part[k].q = rotationExp(Vec3(0.3, 0.2 * k, 0.1));
    part[k].x = Vec3(0.1 * k, 0.5, 1.0 * k);
    part[k].u = Vec3(0.01, 0.02 * k, 0.0);
    part[k].theta = Vec3(0.02, 0.01 * k, 0.03);
    part[k].p = Vec3(1, 2 + k, 3);
    part[k].l = Vec3(0.1, 0.2, 0.3 * k);
    part[k].pOld = Vec3(1.1, 2 - k, 3.2);
    part[k].lOld = Vec3(0.2, 0.1, 0.1 * k);
  }
  whole.mass = 3.0;
  whole.inertia_B = Vec3(0.9, 0.9, 0.02).asDiagonal();
  const auto sums = [](const SegmentMotion* m, int n) {
    Eigen::Matrix<double, 12, 1> s = Eigen::Matrix<double, 12, 1>::Zero();
    for (int k = 0; k < n; ++k) {
      s.segment<3>(0) += m[k].p;
      s.segment<3>(3) += m[k].x.cross(m[k].p) + m[k].l;
      s.segment<3>(6) += m[k].pOld;
      s.segment<3>(9) += m[k].xOld().cross(m[k].pOld) + m[k].lOld;
    }
    return s;
  };
  const auto before = sums(part, 2);
  joinMotion(part, rotationExp(Vec3(0.3, 0.1, 0.1)), whole);
  EXPECT_LT((sums(&whole, 1) - before).norm(), 1e-14);
  const Vec3 axis = whole.q * Vec3::UnitZ(), places[2] = {-0.6 * axis, 0.3 * axis};
  const Quat turned[2] = {rotationExp(0.2 * axis), rotationExp(-0.1 * axis)};
  divideMotion(whole, places, turned, part);
  EXPECT_LT((sums(part, 2) - before).norm(), 1e-13);
}

TEST(ChainMerge, AFreeChainKeepsBothMomentaWhereItMergesAndSplits) {
  // A taut whirling chain between two bodies; where it merges and splits no step may change what it does otherwise.
  Description d = still(1.0 / 240);
  BodySettings a = rigid(2.0, Vec3::Constant(0.05), Vec3(-1, 0, 0)),
               b = rigid(2.0, Vec3::Constant(0.05), Vec3(1, 0, 0));
  a.velocity = Vec3(0.1, -2, 0);
  b.velocity = Vec3(0.1, 2, 0.3);
  d.bodies.emplace_back("a", a);
  d.bodies.emplace_back("b", b);
  CableSettings c = wire(32);
  c.material.damping = 0.0;
  c.merges = 3;
  c.route = {chainEnd("a"), chainEnd("b")};
  d.cables.emplace_back("chain", c);
  World w = make(std::move(d));
  Vec3 p0, l0, p, l;
  double linear = 0.0, angular = 0.0;
  int changes = 0, least = 99;
  totals(w, p0, l0);
  int before = static_cast<int>(cableOf(w).spans.size());
  for (int i = 0; i < 480 && w.step().good; ++i) {
    const int now = static_cast<int>(cableOf(w).spans.size());
    changes += now != before ? 1 : 0;
    least = std::min(least, now);
    before = now;
    totals(w, p, l);
    linear = std::max(linear, (p - p0).norm() / p0.norm());
    angular = std::max(angular, (l - l0).norm() / l0.norm());
  }
  std::printf("merging: %d steps change it, %d spans at least of 33; linear momentum to %.1e, angular to %.1e\n",
              changes, least, linear, angular);
  EXPECT_TRUE(w.verdict().good);
  EXPECT_GT(changes, 2);
  EXPECT_LT(least, 20);
  EXPECT_LT(linear, 1e-12);
  EXPECT_LT(angular, 2e-4);  // what the second-order difference loses of the orbit without merging: see ChainMomentum
}

// ---- softening where it is touched

TEST(ChainTouch, WhereItIsTouchedItBendsWithTheShareOfItsStiffnessThatWasAsked) {
  // An arch pushed up from below by a sphere at its crown: where the stiffness is taken off, there it bends.
  double bent[2];
  for (int k = 0; k < 2; ++k) {
    Description d = still(1.0 / 120);
    BodySettings ball;
    ball.motion = BodyMotion::kinematic;
    ball.position = Vec3(0, 0, 0.1);
    ball.friction = 0.0;
    ball.shapes.emplace_back();
    ball.shapes[0].radius = 0.1;
    ball.prescribed.emplace();
    ball.prescribed->along = Vec3(0, 0, 1);
    ball.prescribed->travel.table = {Vec2(0, 0), Vec2(2, 0.1)};
    ball.prescribed->travel.smooth = true;
    d.bodies.emplace_back("ball", ball);
    CableSettings c = wire(21);
    c.collides = true;
    c.material.radius = 0.01;
    c.material.bending = c.material.torsion = 5.0;
    c.material.damping = 0.1;
    c.material.friction = 0.0;
    c.touchedBend = k == 0 ? 1.0 : 0.1;
    c.route = {chainEnd("world", Vec3(-1, 0, 0)), chainEnd("world", Vec3(1, 0, 0))};
    for (int i = 1; i < 40; ++i) c.shape.push_back(Vec3(-1 + 0.05 * i, 0, 0.25 * std::sin(math::pi * i / 40.0)));
    d.cables.emplace_back("rod", c);
    World w = make(std::move(d));
    run(w, 6.0);
    // Joint i joins segments i − 1 and i: its bend over its moment is ℓ/EI where nothing touches.
    const int slot = w.model().elements.back()->slot;
    const auto axis = [&](std::size_t segment) -> Vec3 {
      return motionOf(w.state(), w.model().blocks[w.model().blocks.size() - 21 + segment]).q * Vec3::UnitZ();
    };
    for (const std::size_t i : {10u, 4u}) {
      const double* f = &w.state().force[static_cast<std::size_t>(slot) + 6 * i + 3];
      const double compliance = std::asin(axis(i - 1).cross(axis(i)).norm()) / std::hypot(f[0], f[1]);
      const double length = cableOf(w).spans[i].rest;
      const double expected = length / 5.0 / (i == 10u && k == 1 ? 0.1 : 1.0);
      EXPECT_NEAR(compliance, expected, 1e-3 * expected) << "joint " << i;
      if (i == 10u) bent[k] = compliance;
    }
  }
  std::printf("touched: bend over moment %.4f, with a tenth of the stiffness there %.4f rad/(N m)\n", bent[0], bent[1]);
}

}  // namespace
}  // namespace reeve::test
