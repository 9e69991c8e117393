// The block Gauss-Seidel of section VI, chosen as a scene chooses it.
#include "cables/cable_scenes.h"
#include "cables/chain_scenes.h"

namespace reeve::test {
namespace {

Description pendulum(SolverChoice solver, double dt, double tilt = 0.3) {
  Description d = heavy(dt);
  d.settings.solver = solver;
  d.settings.iterations = solver == SolverChoice::blocks ? 3 : 0;
  const Vec3 down(std::sin(tilt), 0, -std::cos(tilt));
  d.bodies.emplace_back("load", rigid(20.0, Vec3::Constant(0.4), 2.0 * down));
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = 10;
  c.collides = false;
  c.material.mass = 1.0;
  c.material.axial = 1e6;
  c.material.bending = c.material.torsion = 20.0;
  c.route = {chainEnd("world"), chainEnd("load", Vec3::Zero(), EndHold::clamped)};
  d.cables.emplace_back("chain", c);
  return d;
}

TEST(ChainBlocks, OneCableIsOneGroupAndRefinedItSwingsAsDirectDoes) {
  World exact = make(pendulum(SolverChoice::direct, 1.0 / 480));
  run(exact, 2.0);
  double last = 0.0;
  for (const double dt : {1.0 / 240, 1.0 / 960}) {
    World w = make(pendulum(SolverChoice::blocks, dt));
    run(w, 2.0);
    const double off = std::fabs(measure(w, "bodies.load.position.x") - measure(exact, "bodies.load.position.x"));
    std::printf("blocks at dt %.5f: load off by %.5f m\n", dt, off);
    if (last > 0.0) {
      EXPECT_LT(off, 0.4 * last);  // first order
    }
    last = off;
  }
  EXPECT_LT(last, 0.005);
}

TEST(ChainBlocks, RopesOverPulleysGoSlackAndComeTaut) {
  // A weight thrown up on a rope of joints: slack while it flies, then caught.
  Description d = heavy(1.0 / 240);
  d.settings.solver = SolverChoice::blocks;
  addMass(d, "stone", 1.0, Vec3(0, 0, -2)).velocity = Vec3(0, 0, 4);
  CableSettings& rope = addCable(d, "rope", {attachTo("world"), attachTo("stone")});
  rope.material.axial = 1e5;
  rope.material.damping = 0.01;
  World w = make(std::move(d));
  run(w, 0.4);
  EXPECT_EQ(measure(w, "cables.rope.spans.0.tension"), 0.0);
  EXPECT_NEAR(measure(w, "particles.stone.position.z"), -2 + 4 * 0.4 - 0.5 * 10 * 0.16, 0.02);
  run(w, 3.0);
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension"), 10.0, 0.2);
  EXPECT_NEAR(measure(w, "particles.stone.position.z"), -2 - 2e-4, 1e-4);
}

TEST(ChainBlocks, ManyCablesCoupledLooselySettleWithFewRounds) {
  // Twenty chains side by side carry one plate; each is a group of its own.
  Description d = heavy(1.0 / 120);
  d.settings.solver = SolverChoice::blocks;
  d.settings.iterations = 3;
  d.bodies.emplace_back("plate", rigid(40.0, Vec3(5, 20, 20), Vec3(0, 0, -1)));
  for (int i = 0; i < 20; ++i) {
    CableSettings c;
    c.model = CableModel::chain;
    c.segments = 6;
    c.collides = false;
    c.material.mass = 0.5;
    c.material.axial = 2e4;
    c.material.bending = c.material.torsion = 0.5;
    c.material.damping = 0.05;
    const double x = 0.1 * i - 0.95;
    c.route = {chainEnd("world", Vec3(x, 0, 0)), chainEnd("plate", Vec3(x, 0, 0))};
    d.cables.emplace_back("c" + std::to_string(i), c);
  }
  World w = make(std::move(d));
  run(w, 6.0);
  double sum = 0.0;
  for (int i = 0; i < 20; ++i) sum += measure(w, "cables.c" + std::to_string(i) + ".links.1.force.z");
  std::printf("twenty chains carry %.3f N of %.3f\n", sum, 40 * 10 + 0.0);
  EXPECT_NEAR(sum, 400.0, 0.5);
  EXPECT_NEAR(measure(w, "cables.c3.links.1.force.z"), 20.0, 0.5);
}

// A ring is one group; a branch and what it hangs on are two, which 3 rounds do not bring together and 20 do.
TEST(ChainBlocks, ARingHangsRightWithThreeRoundsAndABranchWithTwenty) {
  for (const int rounds : {3, 20}) {
    Description d = heavy(1.0 / 120);
    d.settings.solver = SolverChoice::blocks;
    d.settings.iterations = rounds;
    d.bodies.emplace_back("load", rigid(6.0, Vec3::Constant(0.1), Vec3(-1, 0, -2.4)));
    CableSettings c;
    c.model = CableModel::chain;
    c.collides = false;
    c.material.mass = 0.5;
    c.material.axial = 5e4;
    c.material.bending = c.material.torsion = 0.02;
    c.material.damping = 0.1;
    CableSettings ring = c, main = c, branch = c;
    ring.closed = true;
    ring.segments = 24;
    ring.route = {chainEnd("world", Vec3(2, 0, 0)), chainEnd("world", Vec3(1.7, 0, -0.3), EndHold::free)};
    ring.shape = {Vec3(2.3, 0, -0.3), Vec3(2.42, 0, -0.6), Vec3(2.3, 0, -0.9),
                  Vec3(2, 0, -1.02),  Vec3(1.7, 0, -0.9),  Vec3(1.58, 0, -0.6)};
    main.segments = 17;
    main.length = 2.8;
    main.route = {chainEnd("world", Vec3(-2, 0, 0)), chainEnd("world")};
    branch.segments = 10;
    branch.route = {chainEnd("main"), chainEnd("load")};
    branch.route[0].segment = 8;
    d.cables = {{"ring", ring}, {"main", main}, {"branch", branch}};
    World w = make(std::move(d));
    run(w, 12.0);
    const double pull = measure(w, "cables.branch.links.0.force.z");
    const double weight = -10 * (6 + 0.5 * measure(w, "cables.branch.length"));
    std::printf("blocks, %d rounds: ring pulls %.3f N, branch %.2f N of %.2f\n", rounds,
                measure(w, "cables.ring.links.0.force.z"), pull, weight);
    EXPECT_NEAR(measure(w, "cables.ring.links.0.force.z"), -5 * measure(w, "cables.ring.length"), 0.05);
    EXPECT_NEAR(pull, weight, rounds == 20 ? 0.5 : unbounded);
  }
}

}  // namespace
}  // namespace reeve::test
