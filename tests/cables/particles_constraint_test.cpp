// Constraints as plain functions: gradients, and projections without net impulse or torque.

#include "particles_scenes.h"
#include "reeve/cables/particles/constraint.h"
#include "reeve/cables/particles/line.h"
#include "support/dice.h"

namespace reeve::test {
namespace {

using particles::Bundle;
using particles::Constraint;
using particles::Line;

const auto distanceFunction = [](const auto& p) { return norm(p[1] - p[0]) - 0.4; };
const auto angleFunction = [](const auto& p) {
  const auto u = p[0] - p[1], v = p[2] - p[1];
  return acos(dot(u, v) / (norm(u) * norm(v))) - 0.7;
};

void compare(const Constraint& a, const Constraint& b, double tolerance) {
  Dice dice{11};
  double worst = 0.0;
  for (int i = 0; i < 200; ++i) {
    std::vector<Vec3> x, ga(a.points.size()), gb(a.points.size());
    for (std::size_t k = 0; k < a.points.size(); ++k) x.push_back(dice.vector(1.0));
    EXPECT_NEAR(a.value(x), b.value(x), 1e-9);
    a.gradient(x, ga);
    b.gradient(x, gb);
    double size = 1.0;
    for (const Vec3& g : ga) size = std::max(size, g.norm());
    for (std::size_t k = 0; k < ga.size(); ++k) worst = std::max(worst, (ga[k] - gb[k]).norm() / size);
  }
  EXPECT_LT(worst, tolerance);
}

TEST(ParticleConstraint, AutomaticGradientsMatchAnalyticOnes) {
  compare(Constraint::distance(0, 1, 0.4), Constraint::automatic({0, 1}, distanceFunction), 1e-12);
  compare(Constraint::angle(0, 1, 2, 0.7), Constraint::automatic({0, 1, 2}, angleFunction), 1e-12);
}

TEST(ParticleConstraint, CentralDifferencesMatchAnalyticGradients) {
  const Constraint d = Constraint::distance(0, 1, 0.4), a = Constraint::angle(0, 1, 2, 0.7);
  compare(d, Constraint::differences({0, 1}, d.value, 1e-5), 1e-6);
  compare(a, Constraint::differences({0, 1, 2}, a.value, 1e-5), 1e-6);
}

TEST(ParticleConstraint, ProjectionMeetsALinearFunctionAndItsCompliance) {
  const Constraint c = Constraint::above(0, Vec3(0, 0, 1), 0.5);
  std::vector<Vec3> x{Vec3(0.1, 0.2, 0.3)}, moves(1);
  const std::vector<double> w{2.0};
  double lambda = 0.0;
  c.project(x, w, 0.0, lambda, moves);
  EXPECT_LT((moves[0] - Vec3(0, 0, 0.2)).norm(), 1e-15);
  lambda = 0.0;
  c.project(x, w, 2.0, lambda, moves);  // equal give of mass and spring: half way
  EXPECT_NEAR(moves[0].z(), 0.1, 1e-15);
  x[0].z() = 0.9;
  lambda = 0.0;
  c.project(x, w, 0.0, lambda, moves);
  EXPECT_EQ(moves[0].norm(), 0.0);  // C ≥ 0 is met
}

TEST(ParticleConstraint, OwnFunctionAndHandWrittenSolverHoldACableInAWorld) {
  Description d = heavy(1.0 / 240, 9.81);
  CableSettings c = particleRope(Vec3(0, 0, 1), Vec3(1, 0, 1), 10);
  c.length = 1.2;
  // The middle stays at height 0.9 by a function, its neighbour on the plane x = 0.4 by hand.
  auto level = Constraint::automatic({5}, [](const auto& p) { return p[0].z - 0.9; });
  auto plane = Constraint::by({4}, [](std::span<const Vec3> x, std::span<const double>, std::span<Vec3> moves) {
    moves[0] = Vec3(0.4 - x[0].x(), 0, 0);
  });
  c.particles.constraints = {std::make_shared<Constraint>(level), std::make_shared<Constraint>(plane)};
  c.particles.iterations = 50;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, 0.5);
  EXPECT_NEAR(particleCable(w).position(w.state(), 5).z(), 0.9, 1e-3);
  EXPECT_NEAR(particleCable(w).position(w.state(), 4).x(), 0.4, 1e-3);
}

/// Net impulse and torque of one iteration on a random free line.
void balance(Line line, const char* what) {
  Dice dice{23};
  Bundle b;
  const int n = 12;
  b.points.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    b.points.x[i] = Vec3(0.1 * static_cast<double>(i), 0, 0) + dice.vector(0.05);
    b.points.mass[i] = line.way == ParticleWay::jakobsen ? 0.3 : dice.between(0.1, 2.0);
    b.points.w[i] = 1.0 / b.points.mass[i];
  }
  line.first = 0;
  line.count = n;
  for (int i = 0; i + 1 < n; ++i) line.distances.push_back({i, i + 1, 0.1, 1e-4, 0.7});
  for (int i = 0; i + 2 < n; ++i) line.distances.push_back({i, i + 2, 0.2, 1e-4, 0.7});
  line.arrange(b);
  line.prepare(b, 0.01, nullptr);
  // Every projection on its own: the torque is about where the particles are as it acts.
  Vec3 impulse = Vec3::Zero(), torque = Vec3::Zero();
  std::vector<Vec3> before = b.points.u;
  line.project(b, 0.01, 0, nullptr);
  double size = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 p = b.points.mass[i] * (b.points.u[i] - before[i]);
    impulse += p;
    size += p.norm();
  }
  EXPECT_LT(impulse.norm(), 1e-12 * size) << what;
  EXPECT_GT(size, 0.01);
  // One distance at a time gives the torque.
  for (std::size_t j = 0; j < line.distances.size(); ++j) {
    Line one = line;
    one.distances = {line.distances[j]};
    one.first = line.distances[j].a;
    one.count = 2;
    Bundle c = b;
    for (std::size_t i = 0; i < n; ++i) c.points.u[i] = 0.01 * dice.vector(1.0);
    one.distances[0].b = line.distances[j].b;
    one.arrange(c);
    one.prepare(c, 0.01, nullptr);
    const std::vector<Vec3> start = c.points.u;
    one.project(c, 0.01, 0, nullptr);
    impulse.setZero();
    torque.setZero();
    double most = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 p = c.points.mass[i] * (c.points.u[i] - start[i]);
      impulse += p;
      torque += (c.points.x[i] + start[i]).cross(p);
      most = std::max(most, p.norm());
    }
    EXPECT_LT(impulse.norm(), 1e-12 * most) << what;
    EXPECT_LT(torque.norm(), 1e-12 * most) << what;
    EXPECT_GT(most, 0.0);
  }
}

TEST(ParticleConstraint, ProjectionsHaveNoNetImpulseAndNoNetTorque) {
  Line line;
  for (const ParticleWay way : {ParticleWay::jakobsen, ParticleWay::pbd, ParticleWay::xpbd}) {
    line.way = way;
    for (const SolveOrder order : {SolveOrder::along, SolveOrder::coloured}) {
      line.order = order;
      balance(line, "projection");
    }
  }
}

TEST(ParticleConstraint, DirectSolveMeetsAllDistancesThatSweepsApproach) {
  Dice dice{31};
  for (const bool doubles : {false, true}) {
    Bundle start;
    const int n = 40;
    start.points.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      start.points.x[i] = Vec3(0.1 * static_cast<double>(i), 0.1 * static_cast<double>(i % 2), 0) + dice.vector(0.01);
      start.points.mass[i] = dice.between(0.5, 2.0);
      start.points.w[i] = i == 0 ? 0.0 : 1.0 / start.points.mass[i];
    }
    Line line;
    line.way = ParticleWay::xpbd;
    line.count = n;
    line.iterations = 100000;
    for (int i = 0; i + 1 < n; ++i) line.distances.push_back({i, i + 1, 0.13, 1e-4, 1.0});
    for (int i = 0; doubles && i + 2 < n; ++i) line.distances.push_back({i, i + 2, 0.19, 1e-4, 1.0});
    Bundle swept = start, solved = start;
    Line direct = line;
    direct.direct = true;
    for (auto [l, b, iterations] : {std::tuple{&line, &swept, 20000}, std::tuple{&direct, &solved, 12}}) {
      l->arrange(*b);
      l->prepare(*b, 0.01, nullptr);
      for (int it = 0; it < iterations; ++it) l->project(*b, 0.01, it, nullptr);
    }
    // Both meet C + α̃ λ = 0; that and W Jᵀ λ is what they mean, though sums of λ along the way differ a little.
    for (std::size_t j = 0; j < line.distances.size(); ++j) {
      const auto& c = line.distances[j];
      for (const auto& [l, b] : {std::pair{&line, &swept}, std::pair{&direct, &solved}}) {
        const double length = (b->points.x[static_cast<std::size_t>(c.b)] + b->points.u[static_cast<std::size_t>(c.b)] -
                               b->points.x[static_cast<std::size_t>(c.a)] - b->points.u[static_cast<std::size_t>(c.a)])
                                  .norm();
        EXPECT_NEAR(length - c.rest + 1.0 * l->lambda[j], 0.0, 1e-9) << j << (doubles ? " doubles" : "");
      }
    }
  }
}

}  // namespace
}  // namespace reeve::test
