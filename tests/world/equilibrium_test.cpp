// States of rest, small motions about them.
#include <cmath>

#include "reeve/geometry/hanging.h"
#include "reeve/world/modes.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

TEST(Equilibrium, APendulumHangsAndALoadStretchesItsRopeByWeightOverStiffness) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("bob", rigid(2, Vec3(0.01, 0.01, 0.01), Vec3(0.6, 0, 0.8)));
  d.joints.emplace_back("hinge", joint(JointType::hinge, "world", "bob", Vec3::Zero()));
  d.bodies.emplace_back("load", rigid(50, Vec3(1, 1, 1), Vec3(3, 0, -4)));
  CableSettings c;
  c.route.resize(2);
  c.route[0].point = Vec3(3, 0, 0);
  c.route[1].on = "load";
  c.material.axial = 1e5;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const auto rest = w.equilibrium();
  ASSERT_TRUE(rest) << rest.error().reason;
  EXPECT_LT(rest->share, 1e-9);
  EXPECT_NEAR(measure(w, "bodies.bob.position.z"), -1.0, 1e-8);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), -4 * (1 + 500 / 1e5), 1e-8);
  EXPECT_NEAR(w.tensions()[0], 500.0, 1e-6);
  EXPECT_EQ(w.time(), 0.0);
  const double before = measure(w, "bodies.load.position.z");
  run(w, 2.0);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), before, 1e-6);
  EXPECT_NEAR(measure(w, "bodies.bob.position.x"), 0.0, 1e-6);
}

TEST(Equilibrium, ABodyOnARopeBetweenTwoWallsFindsItsAngle) {
  // A bead of 10 kg runs on a rope of 5 m between points 3 m apart: it rests in the middle, at 2 m below, and each half
  // pulls with W/2 over the sine of its slope.
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("bead", rigid(10, Vec3(0.1, 0.1, 0.1), Vec3(1.0, 0, -1.6)));
  CableSettings c;
  c.route.resize(3);
  c.route[1].type = LinkType::pinhole;
  c.route[1].on = "bead";
  c.route[1].friction = 0.0;
  c.route[2].point = Vec3(3, 0, 0);
  c.length = 5.0;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const auto rest = w.equilibrium();
  ASSERT_TRUE(rest) << rest.error().reason;
  EXPECT_NEAR(measure(w, "bodies.bead.position.x"), 1.5, 1e-6);
  EXPECT_NEAR(measure(w, "bodies.bead.position.z"), -2.0, 1e-6);
  EXPECT_NEAR(w.tensions()[0], 50 / 0.8, 1e-6);
}

TEST(Equilibrium, AStrandOfNodesBetweenWallsHasNoBodiesToWeigh) {
  Description d = heavy(1.0 / 240);
  CableSettings c;
  c.model = CableModel::strand;
  c.route.resize(2);
  c.route[1].point = Vec3(10, 0, 0);
  c.material.mass = 2.0;
  c.slack = 1.0;
  c.nodes = 40;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const auto rest = w.equilibrium();
  ASSERT_TRUE(rest) << rest.error().reason;
  EXPECT_LT(rest->share, 1e-9);
  // A catenary: its ends pull with the horizontal pull and half the weight. 40 nodes are near it.
  const HangingCurve exact = hangingCurve(Vec3::Zero(), Vec3(10, 0, 0), 11.0, Vec3(0, 0, -10));
  EXPECT_NEAR(measure(w, "cables.rope.tension"), std::hypot(20.0 * exact.parameter, 110.0), 0.02 * 170.0);
  const double before = measure(w, "cables.rope.tension");
  run(w, 2.0);
  EXPECT_NEAR(measure(w, "cables.rope.tension"), before, 1e-6 * before);
}

TEST(Equilibrium, WhereThereIsNoneSaysSoAndLeavesTheStateAlone) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("stone", rigid(2, Vec3(0.01, 0.01, 0.01)));
  World w = make(d);
  const std::uint64_t before = w.hash();
  const auto rest = w.equilibrium();
  ASSERT_FALSE(rest);
  EXPECT_NE(rest.error().reason.find("bodies.stone"), std::string::npos) << rest.error().reason;
  EXPECT_EQ(w.hash(), before);
}

TEST(Equilibrium, ASceneMayStartThereAndResetGoesBackThere) {
  Description d = heavy(1.0 / 240);
  d.settings.start = StartChoice::equilibrium;
  d.bodies.emplace_back("bob", rigid(2, Vec3(0.01, 0.01, 0.01), Vec3(0.6, 0, 0.8)));
  d.joints.emplace_back("hinge", joint(JointType::hinge, "world", "bob", Vec3::Zero()));
  World w = make(d);
  EXPECT_NEAR(measure(w, "bodies.bob.position.z"), -1.0, 1e-8);
  const std::uint64_t start = w.hash();
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "bodies.bob.position.x"), 0.0, 1e-8);
  w.reset();
  EXPECT_EQ(w.hash(), start);

  d.joints.clear();
  const auto none = World::build(d);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().path, "/settings/start");
  EXPECT_NE(none.error().reason.find("bodies.bob"), std::string::npos) << none.error().reason;
}

/// Frequencies of a world at rest, Hz, rising.
std::vector<double> frequencies(World& w) {
  EXPECT_TRUE(w.equilibrium());
  const auto modes = w.modes();
  EXPECT_TRUE(modes);
  std::vector<double> out;
  for (const NaturalMode& m : *modes) out.push_back(m.frequency);
  return out;
}

TEST(Modes, OfAPhysicalPendulumAndADoublePendulum) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("bob", rigid(2, Vec3(0.3, 0.3, 0.3), Vec3(0, 0, -1)));
  d.joints.emplace_back("hinge", joint(JointType::hinge, "world", "bob", Vec3::Zero()));
  World w = make(d);
  const auto f = frequencies(w);
  ASSERT_EQ(f.size(), 1u);
  EXPECT_NEAR(f[0], std::sqrt(2 * 10 * 1 / (0.3 + 2)) / (2 * M_PI), 1e-7);

  Description two = heavy(1.0 / 240);  // two point masses on rods of 1 m: ω² = (2 ± √2) g/l
  for (int i = 0; i < 2; ++i) {
    ParticleSettings p;
    p.position = Vec3(0, 0, -1 - i);
    two.particles.emplace_back("p" + std::to_string(i), p);
    two.joints.emplace_back("j" + std::to_string(i),
                            joint(JointType::distance, i ? "p0" : "world", "p" + std::to_string(i), Vec3::Zero()));
  }
  two.settings.solver = SolverChoice::direct;
  World pair = make(two);
  const auto g = frequencies(pair);
  ASSERT_EQ(g.size(), 4u);  // two planes
  EXPECT_NEAR(g[0], std::sqrt((2 - std::sqrt(2.0)) * 10) / (2 * M_PI), 1e-6);
  EXPECT_NEAR(g[3], std::sqrt((2 + std::sqrt(2.0)) * 10) / (2 * M_PI), 1e-6);
}

TEST(Modes, OfALoadOnAStretchyRopeAndItsDamping) {
  Description d = heavy(1.0 / 240);
  ParticleSettings p;
  p.mass = 50;
  p.position = Vec3(0, 0, -4);
  d.particles.emplace_back("load", p);
  CableSettings c;
  c.route.resize(2);
  c.route[1].on = "load";
  c.material.axial = 1e5;
  c.material.damping = 0.002;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  ASSERT_TRUE(w.equilibrium());
  const auto modes = w.modes();
  ASSERT_TRUE(modes);
  ASSERT_EQ(modes->size(), 3u);
  const double bounce = std::sqrt(1e5 / (4 * 50)), length = 4 * (1 + 500 / 1e5);
  EXPECT_NEAR((*modes)[0].frequency, std::sqrt(10 / length) / (2 * M_PI), 1e-6);
  EXPECT_NEAR((*modes)[2].frequency, bounce / (2 * M_PI), 1e-5);
  EXPECT_NEAR((*modes)[2].damping, 0.5 * 0.002 * bounce, 1e-6);
}

TEST(Modes, AnUprightPendulumIsUnstable) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("bob", rigid(2, Vec3(0.3, 0.3, 0.3), Vec3(0, 0, 1)));
  d.joints.emplace_back("hinge", joint(JointType::hinge, "world", "bob", Vec3::Zero()));
  World w = make(d);
  const auto modes = w.modes();
  ASSERT_TRUE(modes);
  EXPECT_NEAR((*modes)[0].frequency, -std::sqrt(2 * 10 * 1 / (0.3 + 2)) / (2 * M_PI), 1e-7);
}

}  // namespace
}  // namespace reeve::test
