// Free nodes that are put elsewhere in the midst of a wild motion: what the rope moves with stays as it was.
#include "cables/strand_scenes.h"
#include "reeve/cables/strand/strand_cable.h"
#include "reeve/solvers/solver.h"
#include "support/gauge.h"

namespace reeve::test {
namespace {

/// A rope drawn up through a hole, its free end thrown aside: the nodes come to the hole one after the other.
Description drawnIn(int nodes, double speed = 0.4) {
  Description d = heavy(1.0 / 1000);
  Profile travel;
  travel.rate = speed;
  addMoved(d, "hand", Vec3(0, 0, 0.2), Vec3::UnitZ(), travel).collides = false;
  std::vector<LinkSettings> route{attachTo("hand"), through("world")};
  for (int k = 1; k <= nodes; ++k) route.push_back(freeNode(Vec3(0.8, 0, -0.8) * k / (nodes + 1)));
  route.push_back(attachTo("world", Vec3(0.8, 0, -0.8)));
  route.back().hold = EndHold::free;
  addStrand(d, "rope", 0.2, route);
  return d;
}

/// What a strand has at an instant, from places and velocities of its nodes and the material between them.
struct Had {
  double kinetic = 0.0, potential = 0.0;  ///< J; potential with what is stored in bends and stretch
  Vec3 momentum = Vec3::Zero(), moment = Vec3::Zero();
  double longest = 0.0, fastest = 0.0;  ///< m, m/s: how wrong a segment's length is, and its rate
};
Had had(const Instant& now, const StrandCable& rope, double density) {
  Had out;
  const std::vector<double> s = rope.at(now).corners(now);  // of the start and the end of every segment
  double drawn = 0.0;                                       // ds/dt at the hole, the only place where material flows
  for (const Block& b : now.model().blocks)
    if (b.free && b.dof == 1) drawn = now.v[static_cast<std::size_t>(b.v)];
  std::vector<Strand::Motion> nodes;
  for (int i = 0; i < rope.built().nodeCount(); ++i) nodes.push_back(rope.at(now).nodeMotion(now, i));
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const Vec3 d = nodes[i + 1].x - nodes[i].x;
    const double material = s[2 * i + 1] - s[2 * i], mass = density * material;
    // Through the hole, the second node, material goes toward the hand.
    const Vec3 through = -drawn / material * d, a = i == 1 ? through : nodes[i].v,
               b = i == 0 ? through : nodes[i + 1].v;
    out.momentum += 0.5 * mass * (a + b);
    out.moment += mass / 6.0 * (nodes[i].x.cross(2.0 * a + b) + nodes[i + 1].x.cross(a + 2.0 * b));
  }
  const Energy energy = rope.energy(now, now.past().force);
  out.kinetic = energy.kinetic;
  out.potential = energy.potential;
  RowSet rows;
  rope.rows(now, rows);
  for (const Row& row : rows.rows) {
    if (row.level != Level::position || row.bounded()) continue;
    if (row.compliance > 0.0) out.potential += 0.5 * row.error * row.error / row.compliance;
    if (row.compliance > 0.0) continue;
    out.longest = std::max(out.longest, std::fabs(row.error));
    out.fastest = std::max(out.fastest, std::fabs(rowRate(rows, row, now.model().blocks, now.v)));
  }
  return out;
}

struct Resamplings {
  int count = 0;
  double kinetic = 0.0, momentum = 0.0, moment = 0.0;  ///< largest jump, of what there was
  double longest = 0.0, fastest = 0.0, potential = 0.0;
};
Resamplings follow(const Description& d, double seconds) {
  Resamplings out;
  World world = make(d);
  const StrandCable* rope = nullptr;
  for (const auto& e : world.model().elements)
    if (const auto* strand = dynamic_cast<const StrandCable*>(e.get())) rope = strand;
  while (world.time() < seconds - 1e-9) {
    // The same event as the world is about to have, on a copy of its state.
    State state = world.state();
    Instant now, after;
    Events events;
    now.bind(world.model(), state);
    now.rewind();
    now.evaluate();
    const Had was = had(now, *rope, 0.2);
    rope->begin(now, {d.settings.dt, NoGauge(), events}, state);
    if (!events.all().empty() && events.all()[0].kind == EventKind::nodeMoved) {
      after.bind(world.model(), state);
      after.rewind();
      after.evaluate();
      const Had is = had(after, *rope, 0.2);
      ++out.count;
      out.kinetic = std::max(out.kinetic, std::fabs(is.kinetic / was.kinetic - 1.0));
      out.momentum = std::max(out.momentum, (is.momentum - was.momentum).norm() / was.momentum.norm());
      out.moment = std::max(out.moment, (is.moment - was.moment).norm() / was.moment.norm());
      out.longest = std::max(out.longest, is.longest);
      out.fastest = std::max(out.fastest, is.fastest);
      out.potential = std::max(out.potential, std::fabs(is.potential - was.potential) / was.kinetic);
    }
    EXPECT_TRUE(world.step().good) << world.verdict().reason;
    if (!world.verdict().good) break;
  }
  return out;
}

void tell(const char* what, const Resamplings& e) {
  std::printf(
      "%s: %d nodes put elsewhere; kinetic energy changes by %.1e of itself, momentum %.1e, its moment %.1e, "
      "potential and elastic energy by %.1e of the kinetic\n",
      what, e.count, e.kinetic, e.momentum, e.moment, e.potential);
}

TEST(StrandResample, AWhippingRopeDrawnThroughAHoleKeepsKineticEnergyAndMomentum) {
  for (const int nodes : {6, 12, 30}) {
    const Resamplings e = follow(drawnIn(nodes), 1.5);
    tell(std::to_string(nodes).c_str(), e);
    EXPECT_GE(e.count, nodes / 2);
    EXPECT_LT(e.kinetic, 1e-12) << nodes;
    EXPECT_LT(e.momentum, 1e-12) << nodes;
    EXPECT_LT(e.moment, 1e-12) << nodes;
    EXPECT_LT(e.longest, 1e-12) << nodes;
    EXPECT_LT(e.fastest, 1e-11) << nodes;
    EXPECT_LT(e.potential, nodes == 6 ? 0.02 : 0.005) << nodes;  // a corner of coarse segments was cut
  }
}

/// The same with other material: what bends, what stretches, and mass at the nodes.
TEST(StrandResample, KeepsKineticEnergyWhateverTheRopeIsMadeOf) {
  for (const std::string what : {"bending", "axial", "lumped"}) {
    Description d = drawnIn(12);
    CableSettings& rope = d.cables[0].second;
    if (what == "bending") rope.material.bending = 1e-4;
    if (what == "axial") rope.material.axial = 1e4;
    rope.lumped = what == "lumped";
    const Resamplings e = follow(d, 1.0);
    tell(what.c_str(), e);
    EXPECT_GE(e.count, 6) << what;
    EXPECT_LT(e.kinetic, 1e-12) << what;
    if (what != "lumped") {
      EXPECT_LT(e.momentum, 1e-12) << what;
      EXPECT_LT(e.moment, 1e-12) << what;
    }
    EXPECT_LT(e.potential, what == "lumped" ? 0.1 : 0.02) << what;  // lumps go where nodes go
    EXPECT_LT(e.longest, 1e-12) << what;
    EXPECT_LT(e.fastest, 1e-11) << what;
  }
}

/// The hole is on a body that floats free: what it moves with is left alone, and the whole keeps its momentum.
TEST(StrandResample, AFloatingRopeKeepsItsMomentumExactly) {
  Description d = drawnIn(8);
  d.settings.gravity = Vec3::Zero();
  for (auto& [name, body] : d.bodies) {
    body.motion = BodyMotion::dynamic;
    body.prescribed.reset();
    body.mass = 0.3;
    body.inertia = Vec3(1e-3, 1e-3, 1e-3);
    body.velocity = Vec3(0, 0, 1.5);
  }
  BodySettings plate = rigid(0.5, Vec3(0.01, 0.01, 0.01));
  plate.collides = false;
  plate.angularVelocity = Vec3(0, 2, 0);
  d.bodies.emplace_back("plate", plate);
  d.cables[0].second.route[1].on = "plate";
  World world = make(d);
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    const State& s = world.state();
    for (const Block& b : world.model().blocks)
      for (int k = 0; b.free && b.dof >= 3 && k < 3; ++k) sum[k] += s.p[static_cast<std::size_t>(b.v + k)];
    return sum;
  };
  run(world, 0.001);
  const Vec3 start = momentum();
  int events = 0;
  while (world.time() < 0.6) {
    ASSERT_TRUE(world.step().good);
    for (const Event& e : world.takeEvents()) events += e.what == "a node was put where the strand is coarsest";
  }
  EXPECT_GE(events, 2);
  EXPECT_LT((momentum() - start).norm(), 1e-9 * start.norm());
}

}  // namespace
}  // namespace reeve::test
