// Projections without net impulse and net torque: double distances, contacts, constraints of one's own, bodies.

#include "particles_scenes.h"
#include "reeve/cables/particles/constraint.h"
#include "reeve/cables/particles/line.h"
#include "reeve/cables/particles/touch.h"
#include "support/dice.h"

namespace reeve::test {
namespace {

using particles::Bundle;
using particles::Constraint;
using particles::Line;

/// Sum of impulses, of their moments about the origin, and the largest impulse.
struct Net {
  Vec3 impulse = Vec3::Zero(), torque = Vec3::Zero();
  double largest = 0.0;
  void add(const Vec3& at, const Vec3& p) {
    impulse += p;
    torque += at.cross(p);
    largest = std::max(largest, p.norm());
  }
  void expectNone(const std::string& what) const {
    EXPECT_GT(largest, 0.0) << what;
    EXPECT_LT(impulse.norm(), 1e-12 * largest) << what;
    EXPECT_LT(torque.norm(), 1e-12 * largest) << what;
  }
};

constexpr ParticleWay projecting[] = {ParticleWay::jakobsen, ParticleWay::pbd, ParticleWay::xpbd};

Bundle crooked(int n, Dice& dice) {
  Bundle b;
  b.points.resize(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    b.points.x[i] = Vec3(0.1 * static_cast<double>(i), 0, 0) + dice.vector(0.05);
    b.points.mass[i] = dice.between(0.1, 2.0);
    b.points.w[i] = 1.0 / b.points.mass[i];
    b.points.u[i] = 0.01 * dice.vector(1.0);
  }
  return b;
}

TEST(ParticleBalance, EveryDoubleDistanceAlone) {
  Dice dice{5};
  for (const ParticleWay way : projecting)
    for (int i = 0; i < 10; ++i) {
      Bundle b = crooked(3, dice);
      Line line;
      line.way = way;
      line.count = 3;
      // The singles are as long as they are; only the double pulls, with its own factor and compliance.
      const auto apart = [&](int p, int q) {
        const auto& x = b.points;
        return (x.x[static_cast<std::size_t>(q)] + x.u[static_cast<std::size_t>(q)] - x.x[static_cast<std::size_t>(p)] -
                x.u[static_cast<std::size_t>(p)])
            .norm();
      };
      line.distances = {{0, 1, apart(0, 1), 0, 1}, {1, 2, apart(1, 2), 0, 1}, {0, 2, 0.3, 1e-4, 0.7}};
      line.arrange(b);
      line.prepare(b, 0.01, nullptr);
      const std::vector<Vec3> start = b.points.u;
      // Along the cable the order is single, double, single: the first has no error, the last must not act.
      line.distances[1].rest = 0.0;
      line.distances[1].stiffness = 0.0;
      if (way == ParticleWay::xpbd) line.distances[1].rest = apart(1, 2), line.distances[1].compliance = 1e30;
      line.project(b, 0.01, 0, nullptr);
      EXPECT_GT(std::fabs(line.lambda[2]), 1e-4) << "the double must pull";
      EXPECT_LT(std::fabs(line.lambda[0]), 1e-15);
      EXPECT_LT(std::fabs(line.lambda[1]), 1e-15);
      Net net;
      for (std::size_t k = 0; k < 3; ++k)
        net.add(b.points.x[k] + start[k], b.points.mass[k] * (b.points.u[k] - start[k]));
      net.expectNone("double, way " + std::to_string(static_cast<int>(way)));
    }
}

/// Two straight cables crossing at some angle, closer than they may be.
TEST(ParticleBalance, ContactsOfCablesWithEachOther) {
  Dice dice{7};
  int met = 0;
  for (int i = 0; i < 50; ++i) {
    Bundle b;
    b.points.resize(4);
    const double turn = dice.between(0.2, 1.0), lift = dice.between(0.005, 0.0075);
    b.points.x = {Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0), Vec3(-0.05, -0.1 * turn, lift), Vec3(0.06, 0.1, lift)};
    for (std::size_t k = 0; k < 4; ++k) {
      b.points.x[k] += 0.001 * dice.vector(1.0);
      b.points.mass[k] = dice.between(0.1, 2.0);
      b.points.w[k] = 1.0 / b.points.mass[k];
    }
    particles::Touching touching;
    for (const int first : {0, 2}) {
      particles::Skin& s = touching.skins.emplace_back();
      s.first = first;
      s.count = 2;
      s.radius = 0.005;
      s.self = true;
      s.arc = {0.0, 0.2};
    }
    touching.pace = 0.01;
    touching.build();
    touching.find(b, Vec3::Zero(), nullptr);
    if (touching.touches().empty()) continue;
    ++met;
    touching.project(b, 0.01, false, nullptr);
    Net net;
    // The normal is that of the start of the substep: about there it has no moment.
    for (std::size_t k = 0; k < 4; ++k) net.add(b.points.x[k], b.points.mass[k] * b.points.u[k]);
    net.expectNone("crossing cables");
    EXPECT_GT(touching.touches()[0].lambda, 0.0);
  }
  EXPECT_GT(met, 40);
}

particles::Proxy freeBall() {
  particles::Proxy ball;
  ball.rotates = ball.free = ball.moves = true;
  ball.mass = 0.4;
  ball.w = 1.0 / ball.mass;
  ball.inertia_B = Vec3(0.01, 0.02, 0.03).asDiagonal();
  ball.inverse_W = ball.inertia_B.inverse();
  return ball;
}

TEST(ParticleBalance, ContactsOfACableWithABodyThatIsFree) {
  Dice dice{9};
  const Shape shape{Sphere{0.1}, Pose{Vec3(0.02, 0.01, 0), Quat::Identity()}};
  int met = 0;
  for (int i = 0; i < 50; ++i) {
    Bundle b;
    b.points.resize(2);
    b.points.x = {Vec3(-0.3, 0, 0.1) + 0.01 * dice.vector(1.0), Vec3(0.3, 0, 0.1) + 0.01 * dice.vector(1.0)};
    for (std::size_t k = 0; k < 2; ++k) {
      b.points.mass[k] = dice.between(0.1, 2.0);
      b.points.w[k] = 1.0 / b.points.mass[k];
    }
    b.bodies = {freeBall()};
    particles::Touching touching;
    particles::Skin& s = touching.skins.emplace_back();
    s.count = 2;
    s.radius = 0.005;
    s.arc = {0.0, 0.6};
    particles::Obstacle& o = touching.obstacles.emplace_back();
    o.shape = &shape;
    o.reach = 0.13;
    touching.pace = 0.01;
    touching.build();
    touching.find(b, Vec3::Zero(), nullptr);
    if (touching.touches().empty() || touching.touches()[0].start >= 0.0) continue;
    ++met;
    touching.project(b, 0.01, false, nullptr);
    Net net;
    for (std::size_t k = 0; k < 2; ++k) net.add(b.points.x[k], b.points.mass[k] * b.points.u[k]);
    net.add(b.bodies[0].x, b.bodies[0].got);
    net.torque += b.bodies[0].gotMoment;
    net.expectNone("cable on a ball");
  }
  EXPECT_GT(met, 20);
}

TEST(ParticleBalance, DistancesThatPullAtABody) {
  Dice dice{13};
  for (const ParticleWay way : projecting)
    for (int i = 0; i < 10; ++i) {
      Bundle b = crooked(2, dice);
      b.points.u[0].setZero();
      b.bodies = {freeBall()};
      b.bodies[0].x = b.points.x[0] - Vec3(0.03, -0.02, 0.05);
      b.points.w[0] = 0.0;
      b.points.mount[0] = 0;
      particles::Mount mount;
      mount.local = b.points.x[0] - b.bodies[0].x;
      b.mounts = {mount};
      Line line;
      line.way = way;
      line.count = 2;
      line.distances = {{0, 1, 0.2, 1e-4, 0.7}};
      line.arrange(b);
      line.prepare(b, 0.01, nullptr);
      const Vec3 start = b.points.u[1];
      line.project(b, 0.01, 0, nullptr);
      Net net;
      net.add(b.points.x[1] + start, b.points.mass[1] * (b.points.u[1] - start));
      net.add(b.bodies[0].x, b.bodies[0].got);
      net.torque += b.bodies[0].gotMoment;
      net.expectNone("distance to a body");
    }
}

/// Projects random points; the net impulse and torque about where they are.
Net projected(const Constraint& c, Dice& dice, double alpha) {
  const std::size_t n = c.points.size();
  std::vector<Vec3> x, moves(n);
  std::vector<double> w;
  for (std::size_t k = 0; k < n; ++k) {
    x.push_back(dice.vector(1.0));
    w.push_back(dice.between(0.5, 10.0));
  }
  double lambda = 0.0;
  c.project(x, w, alpha, lambda, moves);
  Net net;
  for (std::size_t k = 0; k < n; ++k) net.add(x[k], moves[k] / w[k]);
  return net;
}

TEST(ParticleBalance, ConstraintsOfOnesOwnThatOnlySeeHowPointsLieToEachOther) {
  // Moving or turning all points leaves these as they are: distance, angle, area, volume, distance of two midpoints.
  const auto angle = [](const auto& p) {
    const auto u = p[0] - p[1], v = p[2] - p[1];
    return acos(dot(u, v) / (norm(u) * norm(v))) - 0.7;
  };
  const auto area = [](const auto& p) { return 0.5 * norm(cross(p[1] - p[0], p[2] - p[0])) - 0.3; };
  const auto volume = [](const auto& p) { return dot(cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0]) - 0.2; };
  const auto midpoints = [](const auto& p) { return norm(0.5 * (p[0] + p[1]) - 0.5 * (p[2] + p[3])) - 0.5; };
  const Constraint invariant[] = {Constraint::distance(0, 1, 0.4),
                                  Constraint::angle(0, 1, 2, 0.7),
                                  Constraint::automatic({0, 1, 2}, angle),
                                  Constraint::automatic({0, 1, 2}, area),
                                  Constraint::automatic({0, 1, 2, 3}, volume),
                                  Constraint::automatic({0, 1, 2, 3}, midpoints)};
  Dice dice{17};
  for (std::size_t k = 0; k < std::size(invariant); ++k)
    for (const double alpha : {0.0, 0.3})
      for (int i = 0; i < 50; ++i) projected(invariant[k], dice, alpha).expectNone("constraint " + std::to_string(k));
  // One that sees where a point is does push and turn: the check above can fail.
  const Net pushed = projected(Constraint::automatic({0}, [](const auto& p) { return p[0].z - 9.0; }), dice, 0.0);
  EXPECT_GT(pushed.impulse.norm(), 0.9 * pushed.largest);
  // By differences the balance is as good as the gradient.
  const Constraint d = Constraint::distance(0, 1, 0.4), rough = Constraint::differences({0, 1}, d.value, 1e-5);
  const Net net = projected(rough, dice, 0.0);
  EXPECT_LT(net.impulse.norm(), 1e-6 * net.largest);
  EXPECT_LT(net.torque.norm(), 1e-6 * net.largest);
}

TEST(ParticleBalance, AFreeCableWithConstraintsOfItsOwnKeepsItsMomentum) {
  Description d = still(1e-3);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(1, 0, 0), 20, true, true);
  c.shape = {Vec3(0.3, 0.2, 0.1), Vec3(0.6, -0.2, 0)};
  c.particles.velocity = Vec3(0.1, 0, 0);
  auto near = Constraint::automatic({0, 20}, [](const auto& p) { return norm(p[1] - p[0]) - 0.5; });
  near.compliance = 1e-4;
  auto bend = Constraint::angle(5, 10, 15, 1.5);
  bend.compliance = 0.1;
  c.particles.constraints = {std::make_shared<Constraint>(near), std::make_shared<Constraint>(bend)};
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const ParticleCable& rope = particleCable(w);
  const Vec3 before = rope.linearMomentum(w.state());
  run(w, 1.0);
  EXPECT_LT((rope.linearMomentum(w.state()) - before).norm(), 1e-12);
  EXPECT_GT((rope.velocity(w.state(), 0) - Vec3(0.1, 0, 0)).norm(), 0.01) << "it must move within itself";
}

}  // namespace
}  // namespace reeve::test
