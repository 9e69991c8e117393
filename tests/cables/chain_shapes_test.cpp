// Rest shapes, branches, loops and breaking.
#include "cables/chain_scenes.h"

namespace reeve::test {
namespace {

CableSettings springWire(int segments) {
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = segments;
  c.collides = false;
  c.material.mass = 0.5;
  c.material.axial = 1e5;
  c.material.bending = 1.0;
  c.material.torsion = 0.8;
  c.material.damping = 0.05;
  return c;
}

TEST(ChainShape, APreformedCoilStaysAsItIsAndAStraightWireWoundToACoilDoesNot) {
  for (const bool preformed : {true, false}) {
    Description d = still(1.0 / 120);
    CableSettings c = springWire(40);
    c.preformed = preformed;
    const auto helix = [](int i) { return Vec3(0.3 * std::cos(0.1 * i), 0.3 * std::sin(0.1 * i), 0.004 * i); };
    for (int i = 1; i < 120; ++i) c.shape.push_back(helix(i));
    c.route = {chainEnd("world", helix(0), EndHold::clamped), chainEnd("world", helix(120), EndHold::free)};
    d.cables.emplace_back("coil", c);
    World w = make(std::move(d));
    const auto before = cableOf(w).polyline;
    run(w, 1.0);
    const double moved = (cableOf(w).polyline.back() - before.back()).norm();
    if (preformed)
      EXPECT_LT(moved, 1e-9);
    else
      EXPECT_GT(moved, 0.3);
  }
}

TEST(ChainShape, RestTwistUnwindsAFreeEndByTwistedTimesLength) {
  Description d = still(1.0 / 120);
  d.bodies.emplace_back("tip", rigid(0.1, Vec3::Constant(1e-3), Vec3(1, 0, 0)));
  CableSettings c = springWire(10);
  c.material.damping = 0.2;
  c.twisted = 9.0;  // more than a turn over its metre
  c.route = {chainEnd("world", Vec3::Zero(), EndHold::clamped), chainEnd("tip", Vec3::Zero(), EndHold::clamped)};
  d.cables.emplace_back("wire", c);
  World w = make(std::move(d));
  EXPECT_NEAR(measure(w, "cables.wire.links.1.wrap"), -9.0, 1e-9);
  run(w, 6.0);
  EXPECT_NEAR(measure(w, "cables.wire.links.1.wrap"), 0.0, 0.01);
}

TEST(ChainShape, ABranchSharesItsLoadAndALoopOnOneBodyHangs) {
  Description d = heavy(1.0 / 60);
  d.bodies.emplace_back("knot", rigid(0.1, Vec3::Constant(1e-3), Vec3(0, 0, -1)));
  d.bodies.emplace_back("load", rigid(20.0, Vec3::Constant(0.5), Vec3(0, 0, -2)));
  CableSettings left = springWire(8), right = springWire(8), down = springWire(8), loop = springWire(16);
  for (CableSettings* c : {&left, &right, &down}) c->material.bending = c->material.torsion = 0.01;
  left.route = {chainEnd("world", Vec3(-1, 0, 0)), chainEnd("knot")};
  right.route = {chainEnd("world", Vec3(1, 0, 0)), chainEnd("knot")};
  down.route = {chainEnd("knot"), chainEnd("load")};
  loop.shape = {Vec3(0.3, 0, -2.3), Vec3(0, 0, -2.6), Vec3(-0.3, 0, -2.3)};
  loop.route = {chainEnd("load"), chainEnd("load")};
  d.cables.emplace_back("left", left);
  d.cables.emplace_back("right", right);
  d.cables.emplace_back("down", down);
  d.cables.emplace_back("loop", loop);
  World w = make(std::move(d));
  run(w, 10.0);
  const double below = 10.0 * (20.0 + 0.1 + 0.5 * (1.0 + measure(w, "cables.loop.length")));  // under the knot
  const double arms = 10.0 * 0.5 * std::sqrt(2.0);  // half of both arms' weight
  EXPECT_NEAR(measure(w, "cables.left.links.1.force.z") + measure(w, "cables.right.links.1.force.z"), below,
              0.02 * below);
  EXPECT_NEAR(measure(w, "cables.left.links.0.force.z"), -0.5 * (below + 2 * arms), 0.05 * below);
}

TEST(ChainBreak, AChainLoadedBeyondItsStrengthPartsAndSaysSo) {
  Description d = heavy(1.0 / 60);
  d.bodies.emplace_back("load", rigid(20.0, Vec3::Constant(0.5), Vec3(0, 0, -2)));
  CableSettings c = springWire(8);
  c.material.breaking = 150.0;
  c.route = {chainEnd("world"), chainEnd("load")};
  d.cables.emplace_back("wire", c);
  World w = make(std::move(d));
  run(w, 1.0);
  EXPECT_LT(measure(w, "bodies.load.position.z"), -4.0);
  const auto events = w.takeEvents();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front().what, "breaks");
}

TEST(ChainShape, ABoxHungByItsMiddleIsNotTouchedByTheSegmentsInsideIt) {
  Description d = heavy(1.0 / 120);
  BodySettings load = rigid(50.0, Vec3::Constant(0.75), Vec3(0.2, 0, -2));
  load.shapes.push_back(box(Vec3::Constant(0.3)));
  d.bodies.emplace_back("load", load);
  CableSettings c = springWire(20);
  c.collides = true;
  c.material.axial = 1e6;
  c.route = {chainEnd("world"), chainEnd("load")};
  d.cables.emplace_back("chain", c);
  World w = make(std::move(d));
  const double start = measure(w, "energy.total");
  double gain = 0.0;
  for (int i = 0; i < 240 && w.step().good; ++i) gain = std::max(gain, measure(w, "energy.total") - start);
  EXPECT_TRUE(w.verdict().good);
  EXPECT_LT(gain, 0.01);
  EXPECT_EQ(measure(w, "health.unconverged"), 0);
}

/// A weight on 2 m of an elastic chain, let go at its rest length.
Description bouncing(double damping, double stiffens) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("load", rigid(5.0, Vec3::Constant(0.1), Vec3(0, 0, -2)));
  CableSettings c = springWire(20);
  c.material.axial = 2e3;
  c.material.damping = damping;
  c.stiffens = stiffens;
  c.route = {chainEnd("world"), chainEnd("load")};
  d.cables.emplace_back("chain", c);
  return d;
}

TEST(ChainEnergy, NeverGrowsWhereNothingIsDoneStiffeningAndDampedChainsIncluded) {
  for (const double damping : {0.0, 0.05})
    for (const double stiffens : {0.0, 1000.0, 100.0}) {
      World w = make(bouncing(damping, stiffens));
      const double start = measure(w, "energy.total");
      double gain = 0.0, elastic = 0.0;
      for (int i = 0; i < 2400 && w.step().good; ++i) {
        gain = std::max(gain, measure(w, "energy.total") - start);
        elastic = std::max(elastic, measure(w, "energy.elastic"));
      }
      std::printf("bouncing, damping %g s, stiffens %g N: gains %.1e J, stores up to %.2f J, %g unconverged\n", damping,
                  stiffens, gain, elastic, measure(w, "health.unconverged"));
      EXPECT_TRUE(w.verdict().good);
      EXPECT_LT(gain, 0.02 * elastic);
      EXPECT_GT(elastic, 0.5);
    }
}

/// A weight on 2 m of a clamped, springy chain that stiffens, tossed up and aside.
Description tossed(double bending, double stiffens, double dt) {
  Description d = heavy(dt);
  d.bodies.emplace_back("load", rigid(5.0, Vec3::Constant(0.1), Vec3(0, 0, -2)));
  d.bodies.back().second.velocity = Vec3(2, 0, 3);
  CableSettings c = springWire(6);
  c.material.mass = 0.2;
  c.material.axial = 2e3;
  c.material.bending = c.material.torsion = bending;
  c.material.damping = 0.0;
  c.stiffens = stiffens;
  c.route = {chainEnd("world", Vec3::Zero(), EndHold::clamped), chainEnd("load", Vec3::Zero(), EndHold::clamped)};
  d.cables.emplace_back("chain", c);
  return d;
}

TEST(ChainEnergy, NeverGrowsBecauseALoadStiffensWhatIsBent) {
  for (const double bending : {5.0, 50.0})
    for (const double stiffens : {10.0, 50.0, 500.0})
      for (const double dt : {1.0 / 240, 1.0 / 960}) {
        World w = make(tossed(bending, stiffens, dt));
        const double start = measure(w, "energy.total");
        double gain = 0.0;
        while (w.time() < 4.0 && w.step().good) gain = std::max(gain, measure(w, "energy.total") - start);
        std::printf("tossed, EI %g, stiffens %g N, dt %g: gains %.1e J, %g unconverged\n", bending, stiffens, dt, gain,
                    measure(w, "health.unconverged"));
        EXPECT_TRUE(w.verdict().good);
        // Of 32 J in motion. What seven joints may take as straight, 0.02 rad, is 0.1 J at most.
        EXPECT_LT(gain, 0.3);
      }
}

TEST(ChainEnergy, AStrokeDoesNotThrowADampedChainOutOfShape) {
  Description d = heavy(1.0 / 960);
  d.bodies.emplace_back("ground", ground());
  BodySettings low = rigid(300.0, Vec3::Constant(20), Vec3(0, 0, 0.35));
  low.velocity = Vec3(0.3, 0, 0);
  low.shapes.push_back(box(Vec3::Constant(0.6)));
  d.bodies.emplace_back("low", low);
  d.bodies.emplace_back("top", rigid(100.0, Vec3::Constant(5), Vec3(0, 0, 2.75)));
  CableSettings c = springWire(20);
  c.material = MaterialSettings{};
  c.material.mass = 3.0;
  c.material.radius = 0.02;
  c.material.axial = 5e5;
  c.material.bending = c.material.torsion = 100.0;
  c.material.damping = 0.01;
  c.collides = true;
  c.route = {chainEnd("top", Vec3(0, 0, -0.2), EndHold::clamped), chainEnd("low", Vec3(0, 0, 0.3), EndHold::clamped)};
  d.cables.emplace_back("chain", c);
  World w = make(std::move(d));
  double most = 0.0, rise = 0.0, before = measure(w, "energy.total");
  while (w.time() < 0.8 && w.step().good) {
    const double total = measure(w, "energy.total");
    rise = std::max(rise, total - before);
    most = std::max(most, measure(w, "energy.elastic"));
    before = total;
  }
  std::printf("struck: elastic up to %.1f J of 208 J of fall, a step gains %.2e J\n", most, rise);
  EXPECT_LT(most, 208.0);
  EXPECT_LT(rise, 1.0);
}

TEST(ChainEnergy, OfAStretchedStartIsToldFromTheStart) {
  Description d = still(1.0 / 240);
  CableSettings c = springWire(10);
  c.length = 2.0;
  c.material.axial = 1000.0;
  c.route = {chainEnd("world"), chainEnd("world", Vec3(2.2, 0, 0))};
  d.cables.emplace_back("chain", c);
  World w = make(std::move(d));
  EXPECT_NEAR(measure(w, "energy.elastic"), 0.5 * 1000.0 * 0.2 * 0.2 / 2.0, 1e-9);
  run(w, 0.1);
  EXPECT_NEAR(measure(w, "energy.elastic"), 0.5 * 1000.0 * 0.2 * 0.2 / 2.0, 1e-9);
}

TEST(ChainPoints, AClosedOneHoldsItsLastPointToItsFirst) {
  Description d = still(1.0 / 240);
  CableSettings c;
  c.model = CableModel::chain;
  c.closed = true;
  c.material.bending = 5.0;
  for (int i = 0; i < 6; ++i) {
    const double a = i * 3.14159265358979 / 3;
    ParticleSettings p;
    p.position = Vec3(std::cos(a), std::sin(a), 0.1 * (i % 2));
    p.velocity = 2.0 * Vec3(-std::sin(a), std::cos(a), 0.2 * (i % 3));
    p.mass = 1.0 + 0.2 * i;
    d.particles.emplace_back("p" + std::to_string(i), p);
    c.route.push_back(chainEnd("p" + std::to_string(i)));
  }
  d.cables.emplace_back("ring", c);
  World w = make(std::move(d));
  EXPECT_EQ(cableOf(w).spans.size(), 6u);
  run(w, 2.0);
  for (const auto& span : cableOf(w).spans) EXPECT_NEAR(span.length, span.rest, 1e-9);
  EXPECT_EQ(measure(w, "health.unconverged"), 0);
}

TEST(ChainErrors, FieldsWithoutEffectAreRefused) {
  const auto reason = [](bool points, auto change) {
    Description d = heavy(1.0 / 60);
    CableSettings c = springWire(4);
    c.route = {chainEnd("world"), chainEnd("world", Vec3(1, 0, 0))};
    if (points) {
      c = CableSettings{};
      c.model = CableModel::chain;
      c.route = {chainEnd("world"), chainEnd("world", Vec3(1, 0, 0)), chainEnd("world", Vec3(2, 0, 0))};
    }
    change(c);
    d.cables.emplace_back("c", c);
    const auto w = World::build(std::move(d));
    return w ? std::string("built") : w.error().path;
  };
  for (const bool points : {false, true}) {
    EXPECT_EQ(reason(points, [](CableSettings&) {}), "built");
    EXPECT_EQ(reason(points, [](CableSettings& c) { c.compression = 0.5; }), "/cables/c/compression");
    EXPECT_EQ(reason(points, [](CableSettings& c) { c.payout.rate = 1.0; }), "/cables/c/payout");
    EXPECT_EQ(reason(points, [](CableSettings& c) { c.particles.iterations = 3; }), "/cables/c/particles");
    EXPECT_EQ(reason(points, [](CableSettings& c) { c.material.drag = 1.0; }), "/cables/c/material/drag");
    EXPECT_EQ(reason(points, [](CableSettings& c) { c.route[1].letsGo = 5.0; }), "/cables/c/route/1/lets_go");
    EXPECT_EQ(reason(points, [](CableSettings& c) { c.length = 1.0, c.slack = 0.1; }), "/cables/c/slack");
  }
  EXPECT_EQ(reason(true, [](CableSettings& c) { c.segments = 7; }), "/cables/c/segments");
  EXPECT_EQ(reason(true, [](CableSettings& c) { c.material.young = 1e9; }), "/cables/c/material/young");
  EXPECT_EQ(reason(true, [](CableSettings& c) { c.material.breaking = 1.0; }), "/cables/c/material/breaking");
  EXPECT_EQ(reason(true, [](CableSettings& c) { c.route[1].hold = EndHold::clamped; }), "/cables/c/route/1/hold");
  EXPECT_EQ(reason(false, [](CableSettings& c) { c.tension = 5.0, c.material.axial = unbounded; }),
            "/cables/c/tension");
  EXPECT_EQ(reason(false, [](CableSettings& c) { c.segments = 1, c.length = 1.5; }), "/cables/c/segments");
  EXPECT_EQ(reason(false, [](CableSettings& c) { c.twisted = 1e6; }), "/cables/c/twisted");
}

}  // namespace
}  // namespace reeve::test
