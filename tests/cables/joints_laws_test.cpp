// What a cable obeys whatever solves it: weight, winding, compression, stretch, tubes, prisms, planes, breaking.
#include "cables/solvers.h"

namespace reeve::test {
namespace {

class Weight : public BothSolvers {};
class Winding : public BothSolvers {};
class Compression : public BothSolvers {};
class Elastic : public BothSolvers {};
class Sheath : public BothSolvers {};
class Polygon : public BothSolvers {};
class Skew : public BothSolvers {};
class Break : public BothSolvers {};
REEVE_BOTH_SOLVERS(Weight);
REEVE_BOTH_SOLVERS(Winding);
REEVE_BOTH_SOLVERS(Compression);
REEVE_BOTH_SOLVERS(Elastic);
REEVE_BOTH_SOLVERS(Sheath);
REEVE_BOTH_SOLVERS(Polygon);
REEVE_BOTH_SOLVERS(Skew);
REEVE_BOTH_SOLVERS(Break);

TEST_P(Weight, HalfOfAHangingRopePullsAtEachEnd) {
  Description d = heavy(1.0 / 240);
  addMass(d, "load", 5.0, Vec3(0, 0, -10));
  CableSettings& c = addCable(d, "rope", {attachTo("world"), attachTo("load")});
  c.weight = true;
  c.material.mass = 1.0;
  World w = solved(d);
  run(w, 0.5);
  EXPECT_NEAR(tension(w, 0), 5.0 * 10 + 0.5 * 10 * 1.0 * 10, 1e-6);
}

TEST_P(Winding, TheTorqueThatOpposesBendingSlowsAndHolds) {
  // a = ((m₂ − m₁) g − τ/r)/(m₁ + m₂ + I/r²), and nothing moves while the torque is more than the weights can turn.
  const double r = 0.3, inertia = 0.1;
  for (const double torque : {0.5, 1.0, 2.9, 3.1, 4.0}) {
    Description d = heavy(1.0 / 240);
    addMass(d, "left", 1.0, Vec3(-r, 0, -5));
    addMass(d, "right", 2.0, Vec3(r, 0, -5));
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), r, inertia));
    addCable(d, "rope", {attachTo("left"), rollOver("wheel", 1), attachTo("right")}).winding = torque;
    World w = solved(d);
    run(w, 0.5);
    const double a = std::max((10.0 - torque / r) / (3.0 + inertia / (r * r)), 0.0);
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z"), 0.5 * a, 1e-6) << torque;
    EXPECT_NEAR(tension(w, 0), 10.0 + a, 1e-5) << torque;
    EXPECT_NEAR(tension(w, 1) - tension(w, 0), a > 0.0 ? torque / r + inertia * a / (r * r) : 10.0, 1e-5) << torque;
  }
}

TEST_P(Winding, OpposesADrumAtEitherEndOfTheCable) {
  // A weight unwinds a drum: a = (m g − τ/r)/(m + I/r²), whether the cable begins or ends on it.
  const double r = 0.2, inertia = 0.1, mass = 3.0, torque = 1.5;
  for (const bool last : {false, true}) {
    Description d = heavy(1.0 / 240);
    addMass(d, "load", mass, Vec3(r, 0, -2));
    d.rotors.emplace_back("drum", wheelAt(Vec3::Zero(), r, inertia));
    std::vector<LinkSettings> route{woundOn("drum", last ? -1 : 1, 5.0), attachTo("load")};
    if (last) std::swap(route[0], route[1]);
    addCable(d, "rope", std::move(route)).winding = torque;
    World w = solved(d);
    run(w, 0.5);
    const double a = (mass * 10 - torque / r) / (mass + inertia / (r * r));
    EXPECT_NEAR(-measure(w, "particles.load.velocity.z"), 0.5 * a, 1e-6) << last;
    EXPECT_NEAR(tension(w, 0), mass * (10 - a), 1e-5) << last;
  }
}

TEST_P(Compression, AStrutOfTheGivenFractionHoldsUpAWeight) {
  Description d = heavy(1.0 / 240);
  addMass(d, "load", 2.0, Vec3(0, 0, 1)).drag = 20.0;
  CableSettings& c = addCable(d, "rope", {attachTo("world"), attachTo("load")});
  c.material.axial = 1e4;
  c.compression = 0.5;
  World w = solved(d);
  run(w, 5.0);
  EXPECT_NEAR(1.0 - measure(w, "particles.load.position.z"), 20.0 / (0.5 * 1e4), 1e-6);
  // It tells that it pushes, and on what.
  const CableObservation strut = w.observe().cables[0].second;
  EXPECT_NEAR(strut.spans[0].tension, -20.0, 1e-4);
  EXPECT_FALSE(strut.spans[0].slack);
  EXPECT_NEAR(strut.links[1].force.z(), 20.0, 1e-4);
  EXPECT_EQ(strut.polyline.size(), 2u);  // straight, not hanging
}

TEST_P(Elastic, EverySpanIsLongerByTensionTimesCompliance) {
  Description d = simple(1.0);
  for (auto& [name, p] : d.particles) p.drag = 4.0;
  for (auto& [name, r] : d.rotors) r.damping = 0.5;
  d.cables[0].second.compliance = 0.01;
  d.settings.dt = 1.0 / 120;
  World w = solved(d);
  run(w, 40.0);
  const double expected[] = {10, 20, 20, 20};
  for (int i = 0; i < 4; ++i) {
    const std::string span = "cables.rope.spans." + std::to_string(i);
    EXPECT_NEAR(tension(w, i) / expected[i], 1.0, 1e-3) << i;
    EXPECT_NEAR((measure(w, span + ".length") - measure(w, span + ".rest")) / (expected[i] * 0.01), 1.0, 1e-3) << i;
  }
}

TEST_P(Sheath, CarriesThePullRoundTheCornerWithTheFrictionOfItsBends) {
  // Bowden cable: a quarter bend twice. Frictionless: one tension. With μ: exp(μ·bend) while it slides.
  for (const double mu : {0.0, 0.2}) {
    Description d = heavy(1.0 / 240);
    LinkSettings tube;
    tube.type = LinkType::sheath;
    tube.friction = mu;
    tube.path = {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(1, 0, 0)};
    addMass(d, "left", 1.0, Vec3(0, 0, -2));
    addMass(d, "right", 4.0, Vec3(1, 0, -2));
    CableSettings& c = addCable(d, "rope", {attachTo("left"), tube, attachTo("right")});
    c.material.axial = unbounded;
    World w = solved(d);
    EXPECT_NEAR(measure(w, "cables.rope.length"), 7.0, 1e-12);
    run(w, 0.5);
    const double kappa = std::exp(mu * M_PI), a = 10 * (4 - kappa) / (4 + kappa);
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (a * 0.5), 1.0, 1e-3) << mu;
    EXPECT_NEAR(tension(w, 1) / tension(w, 0) / kappa, 1.0, 1e-6) << mu;
    EXPECT_NEAR(measure(w, "cables.rope.length"), 7.0, 1e-9);
  }
}

TEST_P(Polygon, RollingASquarePrismConservesLengthAndPaysOutItsPerimeterATurn) {
  Description d = heavy(1.0 / 240);
  BodySettings prism;
  prism.motion = BodyMotion::kinematic;
  prism.shapes.push_back(box(Vec3(0.4, 0.2, 0.4)));
  MotionSettings m;
  m.about = Vec3::UnitY();
  m.turn = ramp({{0, 0}, {4, 4 * M_PI}}, true);
  prism.prescribed = m;
  prism.position = Vec3(0, 0, 3);
  d.bodies.emplace_back("prism", prism);
  addMass(d, "left", 1.0, Vec3(-2.0, 0, -3)).drag = 2.0;
  addMass(d, "right", 1.0, Vec3(0.2, 0, 0)).drag = 2.0;
  LinkSettings over = rollOver("prism", 1);
  over.shape = 0;
  over.axis = Vec3::UnitY();
  addFixed(d, "floor");
  d.rotors.emplace_back("idler", wheelAt(Vec3(-1.9, 0, 3), 0.1, 0.01));
  addCable(d, "rope", {attachTo("left"), rollOver("idler", 1), over, attachTo("right")});
  World w = solved(d);
  const double length = measure(w, "cables.rope.length");
  run(w, 6.0);
  EXPECT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-12);
  // Two turns took 2·1.6 m from the left and gave it to the right.
  EXPECT_NEAR(measure(w, "particles.right.position.z"), -3.2, 1e-2);
  EXPECT_NEAR(measure(w, "particles.left.position.z"), 0.2, 1e-2);
}

TEST_P(Skew, WheelsInDifferentPlanesKeepLengthAndEnergy) {
  // The cable comes to the second wheel at an angle to its plane; the pull that follows from the length is not quite
  // along the span there, and only so does it do no work of its own.
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("a", wheelAt(Vec3(0, 0, 3), 0.2, 0.02));
  d.rotors.emplace_back("b", wheelAt(Vec3(1.5, 0.3, 3.1), 0.25, 0.02, "world", Vec3(0.3, 1, 0.1).normalized()));
  addMass(d, "left", 1.0, Vec3(-0.2, 0, 1));
  addMass(d, "right", 1.2, Vec3(1.75, 0.2, 1));
  addCable(d, "rope", {attachTo("left"), rollOver("a", 1), rollOver("b", 1), attachTo("right")});
  World w = solved(d);
  const double length = measure(w, "cables.rope.length"), energy = measure(w, "energy.total");
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-12);
  EXPECT_LT(measure(w, "particles.right.position.z"), 0.9);
  EXPECT_GT(measure(w, "particles.left.position.z"), 1.1);
  const double kinetic = measure(w, "energy.kinetic");
  EXPECT_GT(kinetic, 0.5);
  // Euler's path under a constant acceleration is longer by half a step of the speed, 1/240 of a second's fall.
  EXPECT_NEAR((measure(w, "energy.total") - energy) / kinetic, 0.0, swept() ? 1.0 / 100 : 1e-4);
}

TEST_P(Break, TheSpanPartsBothEndsGoOnAndNoCableIsLost) {
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("drum", wheelAt(Vec3(0, 0, 0), 0.2, 0.5));
  d.rotors.emplace_back("sheave", wheelAt(Vec3(2, 0, 0), 0.2, 0.01));
  addMass(d, "load", 10.0, Vec3(2.2, 0, -1));
  addMotor(d, "drum", DriveType::velocity, ramp({{0, 0}, {0.5, 0}, {1, -4}}));
  CableSettings& c = addCable(d, "rope", {woundOn("drum", 1, 3.0), rollOver("sheave", 1), attachTo("load")});
  c.material.axial = 1e5;
  c.material.breaking = 105.0;
  c.tension = 100.0;
  World w = solved(d);
  const double length = measure(w, "cables.rope.length");
  bool parted = false, ranOff = false, told = false;
  for (int i = 0; i < 240 * 3; ++i) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) {
      parted = parted || e.what.find("parts") == 0;
      ranOff = ranOff || e.what.find("runs off") == 0;
    }
    ASSERT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-12);
    for (const SpanObservation& s : cableOf(w).spans) {
      told = told || s.parted;
      if (s.parted) {
        ASSERT_NEAR(s.loose[0] + s.loose[1], s.rest, 1e-12);
      }
    }
  }
  EXPECT_TRUE(told);
  EXPECT_TRUE(parted);
  EXPECT_TRUE(ranOff);
  EXPECT_LT(measure(w, "particles.load.velocity.z"), -10.0);
}

TEST_P(Break, AClosedBeltPartsRunsOffItsPulleysAndDrivesNoMore) {
  Description d = still(1.0 / 240);
  d.rotors.emplace_back("driver", wheelAt(Vec3(-1, 0, 0), 0.2, 0.05));
  d.rotors.emplace_back("idler", wheelAt(Vec3(0, 0, 0.8), 0.1, 0.01));
  d.rotors.emplace_back("driven", wheelAt(Vec3(1, 0, 0), 0.3, 0.5));
  d.rotors.back().second.brake = 0.0;
  addMotor(d, "driver", DriveType::velocity, ramp({{0, 0}, {0.2, 10}, {1.0, 10}, {1.1, 400}, {3, 400}}));
  CableSettings& c = addCable(d, "rope", {rollOver("driver", 1), rollOver("idler", 1), rollOver("driven", 1)});
  c.closed = true;
  c.material.axial = 1e4;
  c.material.damping = 0.02;
  c.material.breaking = 400.0;
  c.tension = 100.0;
  World w = solved(d);
  const double length = measure(w, "cables.rope.length");
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "rotors.driven.rate"), 10 * 0.2 / 0.3, 0.05);
  int parted = 0;
  double rate = 0.0, most = 0.0;
  for (int i = 0; i < 240 * 2; ++i) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) parted += e.what.find("parts") == 0;
    if (i == 240) rate = measure(w, "rotors.driven.rate");
    ASSERT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-12);
    const Observation o = w.observe();
    for (const SpanObservation& s : o.cables[0].second.spans) {
      ASSERT_TRUE(std::isfinite(s.tension) && std::isfinite(s.rest));
      if (i > 240) most = std::max(most, s.tension);
    }
  }
  EXPECT_EQ(parted, 1);
  // What is left of it runs off: nothing pulls, and the driven pulley coasts.
  EXPECT_EQ(most, 0.0);
  EXPECT_NEAR(measure(w, "rotors.driven.rate"), rate, 1e-9);
}

}  // namespace
}  // namespace reeve::test
