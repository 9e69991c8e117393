// The five ways, sockets, orders and threads, states.
#include "particles_scenes.h"
#include "reeve/math/scalar.h"
#include "reeve/threads/threads.h"

namespace reeve::test {
namespace {

/// A rope with a load at its end, hanging still: its stretch.
double hangingStretch(ParticleWay way, int iterations, double dt, double seconds = 4.0) {
  Description d = heavy(dt, 9.81);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0, 0, -1), 20, false, true);
  c.particles.masses.assign(21, 0.01);
  c.particles.masses.back() = 0.2;
  c.particles.way = way;
  c.particles.iterations = iterations;
  c.particles.drag = 5.0;
  if (way == ParticleWay::xpbd) c.compliance = 2e-3, c.material.damping = 0.02;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, seconds);
  return -particleCable(w).position(w.state(), 20).z() - 1.0;
}

TEST(ParticleWays, XpbdStretchDoesNotHangOnIterationsOrStepAndTheOthersDo) {
  const double exact = [] {
    double sum = 0.0;
    for (int i = 0; i < 20; ++i) sum += 2e-3 * 9.81 * (0.2 + 0.01 * (19 - i));
    return sum;
  }();
  for (const double dt : {0.002}) {
    const double a = hangingStretch(ParticleWay::xpbd, 12, dt), b = hangingStretch(ParticleWay::xpbd, 25, dt);
    std::printf("xpbd dt %g: %.5f, %.5f (closed form %.5f)\n", dt, a, b, exact);
    EXPECT_NEAR(a / b, 1.0, 0.02);
    EXPECT_NEAR(b / exact, 1.0, 0.02);
  }
  for (const ParticleWay way : {ParticleWay::pbd, ParticleWay::jakobsen}) {
    const double a = hangingStretch(way, 12, 0.002), b = hangingStretch(way, 25, 0.002);
    std::printf("way %d: %.3e, %.3e\n", static_cast<int>(way), a, b);
    EXPECT_GT(a / b, 2.0);
  }
}

TEST(ParticleWays, SpringsGoBadWhenTooStiffAndSaySo) {
  Verdict verdicts[2];
  int i = 0;
  for (const double spring : {50.0, 1e6}) {
    Description d = heavy(0.005, 9.81);
    CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(1, 0, 0), 20, false, true);
    c.particles.way = ParticleWay::springs;
    c.particles.spring = spring;
    d.cables.emplace_back("rope", c);
    World w = make(d);
    for (int k = 0; k < 400 && w.step().good; ++k) {
    }
    for (int k = 0; k < 21; ++k) EXPECT_TRUE(particleCable(w).position(w.state(), k).allFinite());
    if (spring < 100.0) {
      EXPECT_GT(worstStretch(w), 0.05) << "soft springs are rubber";
    }
    verdicts[i++] = w.verdict();
  }
  EXPECT_TRUE(verdicts[0].good);
  EXPECT_FALSE(verdicts[1].good);
  EXPECT_EQ(verdicts[1].culprit, "cables.rope");
}

TEST(ParticleWays, StiffRepositioningStretchesMoreAndMore) {
  Description d = heavy(0.02, 9.81);
  CableSettings c = particleRope(Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), 20);
  c.particles.way = ParticleWay::stiff;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, 0.4);
  const double early = worstStretch(w);
  run(w, 1.2);
  EXPECT_GT(worstStretch(w), 1.5 * early);
}

TEST(ParticleWays, SocketLetsGoAtItsForce) {
  Description d = still(1.0 / 240);
  // A puller moves away slowly against a soft cable, so that the force grows steadily.
  BodySettings hand;
  hand.motion = BodyMotion::kinematic;
  hand.position = Vec3(1, 0, 0);
  hand.prescribed = MotionSettings{};
  hand.prescribed->travel.rate = 0.02;
  d.bodies.emplace_back("hand", hand);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0, 0, 0), 20);
  c.route[0].letsGo = 15.0;
  c.route[1] = held("hand");
  c.compliance = 1e-4;
  c.material.damping = 0.01;
  c.particles.direct = true;
  d.cables.emplace_back("lead", c);
  World w = make(d);
  double force = 0.0;
  bool gone = false;
  for (int k = 0; k < 2400 && !gone; ++k) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents())
      if (e.what == "lets go") gone = e.subject == "cables.lead.links.0";
    force = measure(w, "cables.lead.links.0.force.x");
  }
  ASSERT_TRUE(gone);
  std::printf("let go at %.4f N of 15\n", force);
  EXPECT_NEAR(force, 15.0, 0.02 * 15.0);
  EXPECT_EQ(measure(w, "cables.lead.links.0.holds"), 0.0);
  // What was stretched is the tension the pull says: 20 segments of 1e-4 m/N.
  EXPECT_NEAR((w.time() * 0.02) / (20 * 1e-4), 15.0, 0.02 * 15.0);
}

TEST(ParticleWays, SocketTakesItsPlugBackAfterItWasAway) {
  Description d = still(1.0 / 240);
  BodySettings hand;
  hand.motion = BodyMotion::kinematic;
  hand.position = Vec3(0.5, 0, 0);
  hand.prescribed = MotionSettings{};
  hand.prescribed->travel.table = {Vec2(0, 0), Vec2(1, 0.3), Vec2(3, -0.2), Vec2(4, -0.2)};
  d.bodies.emplace_back("hand", hand);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0, 0, 0), 10);
  c.route[0].letsGo = 10.0;
  c.route[0].plugsIn = 0.02;
  c.route[1] = held("hand");
  c.compliance = 1e-4;
  c.particles.drag = 500.0;  // so that it trails behind the hand
  c.particles.doubles = DoubleRest::straight;
  c.particles.doubleCompliance = 1e-3;
  c.particles.direct = true;
  d.cables.emplace_back("lead", c);
  World w = make(d);
  std::vector<std::string> said;
  for (int k = 0; k < 4 * 240; ++k) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) said.push_back(e.what);
  }
  ASSERT_GE(said.size(), 2u);
  EXPECT_EQ(said[0], "lets go");
  EXPECT_EQ(said[1], "plugs in");
}

Description tangle(SolveOrder order) {
  Description d = heavy(1.0 / 240, 9.81);
  d.bodies.emplace_back("ground", ground());
  BodySettings ball;
  ball.motion = BodyMotion::fixed;
  ball.position = Vec3(0, 0, 0.5);
  ball.shapes = {sphere(0.2)};
  d.bodies.emplace_back("ball", ball);
  BodySettings block = rigid(0.3, Vec3::Constant(1e-3), Vec3(0.5, 0.4, 1.0));
  block.shapes = {box(Vec3::Constant(0.1))};
  d.bodies.emplace_back("block", block);
  CableSettings a = particleRope(Vec3(-1, 0, 1.0), Vec3(1, 0.1, 1.0), 1500, true, true);
  a.material.radius = 0.002;
  CableSettings b = particleRope(Vec3(0, -1, 1.2), Vec3(0, 0, 0), 1200);
  b.material.radius = 0.002;
  b.route[0].hold = EndHold::free;
  b.route[1] = held("block");
  for (CableSettings* c : {&a, &b}) {
    c->collides = true;
    c->particles.self = true;
    c->particles.order = order;
    c->particles.substeps = 2;
    c->particles.iterations = 6;
  }
  b.particles.direct = order == SolveOrder::along;
  d.cables.emplace_back("a", a);
  d.cables.emplace_back("b", b);
  return d;
}

TEST(ParticleWays, OneTwoAndFourThreadsGiveTheSameBits) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {0, 1, 2, 4}) {
    World w = make(tangle(SolveOrder::coloured));
    Threads pool(std::max(threads, 1));
    if (threads > 0) w.runWith(&pool);
    run(w, 0.4);
    hashes.push_back(w.hash());
    w.runWith(nullptr);
  }
  for (const std::uint64_t h : hashes) EXPECT_EQ(h, hashes[0]);
}

TEST(ParticleWays, SavedStateGoesOnBitForBit) {
  World w = make(tangle(SolveOrder::along));
  run(w, 0.2);
  World other = make(tangle(SolveOrder::along));
  ASSERT_TRUE(other.restoreState(w.saveState()));
  run(w, 0.1);
  run(other, 0.1);
  EXPECT_EQ(w.hash(), other.hash());
}

TEST(ParticleWays, OrdersAgreeWhenConverged) {
  double sag[3], stretch[3];
  for (const SolveOrder order : {SolveOrder::along, SolveOrder::coloured, SolveOrder::chunks}) {
    Description d = heavy(1.0 / 240, 9.81);
    CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0.8, 0, 0), 20);
    c.length = 1.0;
    c.particles.order = order;
    c.particles.iterations = 300;
    c.particles.drag = 20.0;
    d.cables.emplace_back("rope", c);
    World w = make(d);
    run(w, 2.0);
    sag[static_cast<int>(order)] = particleCable(w).position(w.state(), 10).z();
    stretch[static_cast<int>(order)] = worstStretch(w);
  }
  EXPECT_NEAR(sag[1] / sag[0], 1.0, 0.01);
  std::printf("sag along %.4f, coloured %.4f, chunks %.4f m; stretch %.1e, %.1e, %.1e\n", sag[0], sag[1], sag[2],
              stretch[0], stretch[1], stretch[2]);
  EXPECT_NEAR(sag[2] / sag[0], 1.0, 0.01);
  for (const double s : stretch) EXPECT_LT(s, 1e-4);
}

}  // namespace
}  // namespace reeve::test
