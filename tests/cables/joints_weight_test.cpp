// The weight of a cable of joints: forces against differences of the potential, and machines in closed form.
#include "cables/cable_scenes.h"
#include "reeve/world/build.h"

namespace reeve::test {
namespace {

/// Forces are minus the gradient of the potential, coordinate by coordinate. 1e-6 of the weights: differences of second
/// order with a step of 1e-6 m leave 1e-9 of them.
void expectWeightIsGradient(Description d, const std::string& what) {
  auto built = build(std::move(d));
  ASSERT_TRUE(built) << what << ": " << built.error().path << built.error().reason;
  const Model& model = (*built)->model;
  const State& start = (*built)->start;
  const Element& cable = *(*built)->cables[0];
  Instant now;
  now.bind(model, start);
  now.rewind();
  const auto potential = [&](int coordinate, double by) {
    now.u.assign(static_cast<std::size_t>(model.velocities), 0.0);
    if (coordinate >= 0) now.u[static_cast<std::size_t>(coordinate)] = by;
    now.place(0.01, 0.01);
    now.evaluate();
    return cable.energy(now, start.force).potential;
  };
  potential(-1, 0.0);
  Forces forces;
  forces.force.assign(static_cast<std::size_t>(model.velocities), 0.0);
  cable.forces(now, forces);
  double largest = 0.0;
  for (const Block& block : model.blocks)
    for (int k = 0; block.free && k < block.dof; ++k) {
      const double step = 1e-5, slope = (potential(block.v + k, step) - potential(block.v + k, -step)) / (2 * step);
      EXPECT_NEAR(forces.force[static_cast<std::size_t>(block.v + k)], -slope, 1e-5) << what << " " << block.v + k;
      largest = std::max(largest, std::fabs(slope));
    }
  EXPECT_GT(largest, 1.0) << what;
}

Description weighing() {
  Description d = heavy(1.0 / 240);
  d.settings.gravity = Vec3(0.7, 0.4, -9.81);
  return d;
}

void giveWeight(CableSettings& c, double mass) {
  c.weight = true;
  c.material.mass = mass;
}

TEST(JointsWeight, IsTheGradientOfItsPotentialOnBodiesWheelsDrumsAndWhatSlides) {
  for (const double friction : {0.0, 0.2, unbounded}) {
    Description d = weighing();
    d.bodies.emplace_back("beam", rigid(5, Vec3(0.4, 0.5, 0.6), Vec3(0.1, 0, 0.3)));
    d.rotors.emplace_back("drum", wheelAt(Vec3(-1, 0, 0), 0.2, 0.1, "beam"));
    d.rotors.emplace_back("wheel", wheelAt(Vec3(1, 0, 0.2), 0.15, 0.1, "beam"));
    addMass(d, "load", 3, Vec3(1.4, 0, -2));
    giveWeight(addCable(d, "rope", {woundOn("drum", 1, 0.9), rollOver("wheel", 1, friction), attachTo("load")}), 1.5);
    expectWeightIsGradient(d, "drum and wheel on a beam");
  }
  Description d = weighing();
  d.bodies.emplace_back("log", rigid(5, Vec3(0.4, 0.5, 0.6), Vec3(0, 0, 1)));
  d.bodies.emplace_back("box", rigid(2, Vec3(0.1, 0.2, 0.3), Vec3(2, 0, 0)));
  addMass(d, "load", 3, Vec3(-0.5, 0, -2));
  LinkSettings drum = woundOn("box", 1, 0.3);
  drum.radius = 0.2;
  drum.axis = Vec3::UnitY();
  giveWeight(addCable(d, "rope", {attachTo("load"), rollOn("log", Vec3(0.1, 0, 0), 0.3, 1), drum}), 2.0);
  expectWeightIsGradient(d, "a drum and a wheel that are bodies");
  Description e = weighing();
  e.bodies.emplace_back("eye", rigid(2, Vec3(0.1, 0.2, 0.3), Vec3(0, 0, 0)));
  addMass(e, "a", 1, Vec3(-1, 0.3, -1));
  addMass(e, "b", 1, Vec3(1, 0, -2));
  giveWeight(addCable(e, "rope", {attachTo("a"), through("eye", Vec3(0.1, 0.2, 0.3)), attachTo("b")}), 2.0);
  expectWeightIsGradient(e, "through an eye");
}

TEST(JointsWeight, AWinchLiftsTheRopeToo) {
  // 10 kg on 20 m of 4 kg/m, by 10 m: M g h + m g (20² − 10²)/2 = 6867 J.
  Description d = heavy(1.0 / 240);
  d.settings.gravity = Vec3(0, 0, -9.81);
  d.rotors.emplace_back("drum", wheelAt(Vec3::Zero(), 0.1, 0.01));
  addMass(d, "load", 10.0, Vec3(0.1, 0, -20));
  giveWeight(addCable(d, "rope", {woundOn("drum", 1, 2.0), attachTo("load")}), 4.0);
  addMotor(d, "drum", DriveType::velocity, ramp({{0, 0}, {1, -10}, {10, -10}, {11, 0}, {30, 0}}));
  World w = make(d);
  const double before = measure(w, "energy.total");
  run(w, 12.0);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), -10.0, 2e-3);
  EXPECT_NEAR(measure(w, "motors.motor of drum.work"), 6867.0, 7.0);
  EXPECT_NEAR(measure(w, "energy.total") - before, 6867.0, 3.0);  // less what turns round on the drum: m g 2 r²
  EXPECT_NEAR(tension(w, 0), (10.0 + 4.0 * 5.0) * 9.81, 0.1);     // in the middle of 10 m
}

/// A rope over a wheel with a little more on one side: ẍ = k² x, k² = 2 m g/(2 M + I/r²).
TEST(JointsWeight, ARopeRunsOverAWheelAsTheHyperbolicCosineAndKeepsItsEnergy) {
  for (const double friction : {0.0, unbounded}) {
    Description d = heavy(1.0 / 1000);
    const double inertia = 0.02, r = 0.1, mass = 3.0, m = 2.0, x0 = 0.1;
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), r, inertia));
    addMass(d, "a", mass, Vec3(-r, 0, -5 + x0));
    addMass(d, "b", mass, Vec3(r, 0, -5 - x0));
    giveWeight(addCable(d, "rope", {attachTo("a"), rollOver("wheel", 1, friction), attachTo("b")}), m);
    World w = make(d);
    const double before = measure(w, "energy.total");
    run(w, 1.0);
    const double turning = friction == 0.0 ? 0.0 : inertia / (r * r);
    const double k = std::sqrt(2 * m * 10 / (2 * mass + turning)), x = x0 * std::cosh(k * 1.0);
    EXPECT_NEAR((-5 - measure(w, "particles.b.position.z")) / x, 1.0, 1e-3) << friction;
    EXPECT_NEAR(measure(w, "energy.total") - before, 0.0, 1e-3 * measure(w, "energy.kinetic")) << friction;
  }
}

/// The capstan law is of the tensions at the peg: (M₁ + m l₁)/(M₂ + m l₂) = e^{μπ}.
TEST(JointsWeight, ARopeOverAPegSlipsByTheWeightsThatHangThere) {
  const double mu = 0.2, m = 2.0, l2 = 2.0, mass = 1.0, limit = std::exp(mu * M_PI);
  for (const double share : {0.98, 1.02}) {
    const double l1 = (share * limit * (mass + m * l2) - mass) / m;
    Description d = heavy(1.0 / 240);
    addMass(d, "a", mass, Vec3(-0.1, 0, -l1));
    addMass(d, "b", mass, Vec3(0.1, 0, -l2));
    giveWeight(addCable(d, "rope", {attachTo("a"), rollOn("world", Vec3::Zero(), 0.1, 1, mu), attachTo("b")}), m);
    World w = make(d);
    run(w, 1.0);
    const double slipped = -l1 - measure(w, "particles.a.position.z");
    if (share < 1.0)
      EXPECT_NEAR(slipped, 0.0, 1e-4);
    else
      EXPECT_GT(slipped, 0.02);
  }
}

TEST(JointsPayout, ReelsInAtTheFirstEndByItsTableAndStopsWhereTheDrumIsEmpty) {
  // Half a metre a second over a pulley lifts by as much; paid out again it gives what the drum has.
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), 0.1, 0.01));
  addMass(d, "load", 3.0, Vec3(0.1, 0, -5));
  CableSettings& c = addCable(d, "rope", {attachTo("world", Vec3(-4, 0, 0.1)), rollOver("wheel", 1), attachTo("load")});
  c.payout.table = {Vec2(0, 0), Vec2(2, -1), Vec2(6, 3)};
  c.drum = 1.5;
  World w = make(d);
  const double length = measure(w, "cables.rope.length");
  run(w, 2.0);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), -4.0, 1e-6);
  EXPECT_NEAR(measure(w, "cables.rope.length"), length - 1.0, 1e-9);
  run(w, 4.0);
  EXPECT_NEAR(measure(w, "cables.rope.length"), length + 1.5, 1e-9);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), -6.5, 1e-3);
}

}  // namespace
}  // namespace reeve::test
