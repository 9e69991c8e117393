// States of rest, small motions about them.
#include <algorithm>
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

TEST(Equilibrium, FromACrestTheSearchGoesOnDownhill) {
  // Two rods balanced on each other on hinges: forces balance at the start, but not stably.
  Description d = heavy(1.0 / 240);
  for (int i = 0; i < 2; ++i) {
    const std::string name = "rod" + std::to_string(i);
    d.bodies.emplace_back(name, rigid(1, Vec3(0.09, 0.09, 0.01), Vec3(0, 0, 0.5 + i)));
    d.joints.emplace_back("h" + std::to_string(i), joint(JointType::hinge, i ? "rod0" : "world", name, Vec3(0, 0, i)));
  }
  World w = make(d);
  const auto rest = w.equilibrium();
  ASSERT_TRUE(rest) << rest.error().reason;
  EXPECT_TRUE(rest->examined);
  EXPECT_TRUE(rest->loose.empty());
  EXPECT_LT(rest->share, 1e-9);
  EXPECT_NEAR(measure(w, "bodies.rod0.position.z"), -0.5, 1e-8);
  EXPECT_NEAR(measure(w, "bodies.rod1.position.z"), -1.5, 1e-8);
}

TEST(Equilibrium, AMechanismThatRemainsIsNamed) {
  // A load on a rope hangs; a wheel beside it turns as it likes.
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("load", rigid(5, Vec3(1, 1, 1), Vec3(0.3, 0, -2)));
  CableSettings c;
  c.route.resize(2);
  c.route[1].on = "load";
  c.route[1].point = Vec3(0, 0, 0.2);
  d.cables.emplace_back("rope", c);
  RotorSettings wheel;
  wheel.position = Vec3(3, 0, 0);
  wheel.radius = 0.2;
  wheel.inertia = 0.1;
  d.rotors.emplace_back("idler", wheel);
  World w = make(d);
  const auto rest = w.equilibrium();
  ASSERT_TRUE(rest) << rest.error().reason;
  EXPECT_NE(std::ranges::find(rest->loose, "rotors.idler"), rest->loose.end());
  EXPECT_NE(std::ranges::find(rest->loose, "bodies.load"), rest->loose.end()) << "it may turn about the rope";
  EXPECT_EQ(rest->loose.size(), 2u);
}

/// A cable from the origin to a carriage on a level track, which is pulled away with `pull`.
Description pulledAway(CableModel model, double length, double density) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("carriage", rigid(5, Vec3(1, 1, 1), Vec3(0.9 * length, 0, 0)));
  JointSettings track = joint(JointType::slider, "world", "carriage", Vec3::Zero());
  track.axis = Vec3::UnitX();
  d.joints.emplace_back("track", track);
  CableSettings c;
  c.model = model;
  c.route.resize(2);
  c.route[1].on = "carriage";
  c.length = length;
  c.material.mass = density;
  d.cables.emplace_back("cable", c);
  return d;
}

double sagOf(const World& w) {
  double deepest = 0.0;
  for (const Vec3& p : w.observe().cables[0].second.polyline) deepest = std::min(deepest, p.z());
  return -deepest;
}

TEST(Equilibrium, AHangingChainSagsAsTheClosedFormOfItsLinks) {
  // n equal rigid links under a level pull H hang with slopes tan θ_k = (k − (n−1)/2) w/H, w the weight of a link.
  constexpr int n = 20;
  constexpr double length = 6.0, density = 3.0, weight = density * 10 * length / n, pull = 150.0;
  Description d = pulledAway(CableModel::chain, length, density);
  d.cables[0].second.segments = n;
  World w = make(d);
  ASSERT_TRUE(w.push(*w.body("carriage"), {.force = Vec3(pull, 0, 0), .held = true}));
  const auto rest = w.equilibrium();
  ASSERT_TRUE(rest) << rest.error().path << rest.error().reason;
  EXPECT_LT(rest->share, 1e-9);
  double width = 0.0, sag = 0.0;
  for (int k = 0; k < n; ++k) {
    const double slope = (k - 0.5 * (n - 1)) * weight / pull, link = length / n / std::hypot(1.0, slope);
    width += link;
    if (k < n / 2) sag -= link * slope;
  }
  EXPECT_NEAR(measure(w, "bodies.carriage.position.x"), width, 1e-7);
  EXPECT_NEAR(sagOf(w), sag, 1e-7);
}

TEST(Equilibrium, AHeavyHoistCableSagsAsACatenary) {
  // L = 2 a sinh(w / 2a), sag a (cosh(w / 2a) − 1), a = H/ρg.
  constexpr double length = 6.0, density = 2.0, pull = 60.0, a = pull / (density * 10);
  Description d = pulledAway(CableModel::hoist, length, density);
  d.cables[0].second.material.axial = 1e8;
  d.cables[0].second.subdivisions = 200;
  World w = make(d);
  ASSERT_TRUE(w.push(*w.body("carriage"), {.force = Vec3(pull, 0, 0), .held = true}));
  const auto rest = w.equilibrium();
  ASSERT_TRUE(rest) << rest.error().path << rest.error().reason;
  EXPECT_LT(rest->share, 1e-9);
  const double width = 2 * a * std::asinh(length / (2 * a));
  EXPECT_NEAR(measure(w, "bodies.carriage.position.x"), width, 1e-4 * width);
  EXPECT_NEAR(sagOf(w), a * (std::cosh(width / (2 * a)) - 1), 1e-3);
}

TEST(Modes, ACarriageOnAHeavyHoistCableFeelsTheStiffnessOfItsCatenary) {
  // The cable's waves hang along: the carriage feels dH/dw, L = 2 a sinh(w / 2a), a = H/ρg. Slopes are up to 0.1, and
  // what is left out is of the order of their squares.
  constexpr double length = 6.0, density = 2.0, pull = 600.0, weight = density * 10;
  Description d = pulledAway(CableModel::hoist, length, density);
  d.cables[0].second.material.axial = 1e8;
  d.cables[0].second.subdivisions = 50;
  World w = make(d);
  ASSERT_TRUE(w.push(*w.body("carriage"), {.force = Vec3(pull, 0, 0), .held = true}));
  ASSERT_TRUE(w.equilibrium());
  const auto l = w.linearise();
  ASSERT_TRUE(l) << l.error().reason;
  ASSERT_EQ(l->K.rows, 1);
  const auto width = [&](double h) { return 2 * h / weight * std::asinh(length * weight / (2 * h)); };
  const double stiffness = 2.0 / (width(pull + 1) - width(pull - 1));
  EXPECT_NEAR(l->K.at(0, 0), stiffness, 0.01 * stiffness);
}

TEST(Equilibrium, ASheaveThatHangsFromAnArmSwingsToHalfTheAngleOfItsRope) {
  // A rope from a load over a sheave to a winch that holds it, away at an angle; the sheave is light and hangs from a
  // rod on a hinge. Its rod bisects the two falls, which pull with the load's weight.
  Description d = heavy(1.0 / 240);
  constexpr double radius = 0.1, arm = 1.0;
  BodySettings block = rigid(1e-3, Vec3(1e-3, 1e-3, 1e-3), Vec3(0, 0, -arm));
  d.bodies.emplace_back("block", block);
  d.joints.emplace_back("pin", joint(JointType::hinge, "world", "block", Vec3::Zero()));
  d.bodies.emplace_back("load", rigid(100, Vec3(1, 1, 1), Vec3(radius, 0, -4)));
  RotorSettings sheave;
  sheave.on = "block";
  sheave.radius = radius;
  sheave.inertia = 1e-4;
  d.rotors.emplace_back("sheave", sheave);
  CableSettings c;
  c.route.resize(3);
  c.route[0].point = Vec3(-3, 0, -4);
  c.route[1].type = LinkType::roll;
  c.route[1].on = "sheave";
  c.route[2].on = "load";
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const auto rest = w.equilibrium();
  ASSERT_TRUE(rest) << rest.error().path << rest.error().reason;
  EXPECT_NEAR(w.tensions()[0], 1000.0, 0.02);  // the block weighs a gram
  EXPECT_NEAR(w.tensions()[1], 1000.0, 1e-6);
  const Observation seen = w.observe();
  const auto& spans = seen.cables[0].second.spans;
  const Vec3 back = (spans[0].start - spans[0].end).normalized(), down(0, 0, -1);
  const Vec3 rod = -seen.bodies[0].second.position.normalized();  // from the block up to its pin
  EXPECT_NEAR((rod + (back + down).normalized()).norm(), 0.0, 1e-4);
}

TEST(Equilibrium, ABlockOfTwelveFallsSharesItsLoad) {
  // Six sheaves above, six below: each fall pulls with a twelfth of the weight.
  Description d = heavy(1.0 / 240);
  constexpr int falls = 12;
  constexpr double radius = 0.1;
  d.bodies.emplace_back("hook", rigid(240, Vec3(40, 40, 40), Vec3(0, 0, -5)));
  RotorSettings sheave;
  sheave.radius = radius;
  sheave.inertia = 1e-3;
  CableSettings c;
  c.route.resize(falls + 1);
  // Falls go to and fro between x = r and x = −r.
  c.route[0].point = Vec3(radius, 0, 0);
  for (int i = 1; i < falls; ++i) {
    const bool lower = i % 2 == 1;
    sheave.on = lower ? "hook" : "world";
    d.rotors.emplace_back("s" + std::to_string(i), sheave);
    c.route[static_cast<std::size_t>(i)].type = LinkType::roll;
    c.route[static_cast<std::size_t>(i)].on = "s" + std::to_string(i);
  }
  c.route[falls].point = Vec3(-radius, 0, 0);
  c.material.axial = 1e6;
  d.cables.emplace_back("tackle", c);
  World w = make(d);
  const auto rest = w.equilibrium();
  ASSERT_TRUE(rest) << rest.error().path << rest.error().reason;
  EXPECT_LT(rest->share, 1e-9);
  for (const double t : w.tensions()) EXPECT_NEAR(t, 2400.0 / falls, 1e-6);
  const std::vector<double> before(w.positions().begin(), w.positions().end());
  run(w, 10.0);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(w.positions()[i], before[i], 1e-6);
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
