// Strands whose ends are wound on drums, paid out, or break.
#include "cables/strand_bench.h"

namespace reeve::test {
namespace {

/// A load on a strand from a drum of radius 0.2 m in fixed bearings; `stored` m on it, 3 m free.
Description windlass(double density, double stored, double inertia, double mass, double dt = 1.0 / 480) {
  Description d = heavy(dt);
  d.rotors.emplace_back("drum", wheelAt(Vec3(0, 0, 4), 0.2, inertia));
  addMass(d, "load", mass, Vec3(0.2, 0, 1));
  addStrand(d, "rope", density, {woundOn("drum", 1, stored), attachTo("load")});
  return d;
}

double lengthOf(const World& w) { return measure(w, "cables.rope.stored") + measure(w, "cables.rope.spans.0.rest"); }

/// Mass, momentum, forces and rows of a drum's strand against differences of where its material is: at the first end
/// and the last, on a rotor of a free body, on the body itself, and held where all is off.
TEST(StrandDrum, MomentumMassAndForcesAreThoseOfTheMaterial) {
  for (const bool first : {true, false})
    for (const bool rotor : {true, false}) {
      Description d = still(1.0 / 240);
      BodySettings frame = rigid(2, Vec3(0.3, 0.2, 0.4), Vec3(0, 0, 1));
      d.bodies.emplace_back("frame", frame);
      addMass(d, "load", 1.0, Vec3(0.9, 0, -1));
      if (rotor) d.rotors.emplace_back("drum", wheelAt(Vec3(0.1, 0, 0.05), 0.2, 0.1, "frame"));
      LinkSettings on = woundOn(rotor ? "drum" : "frame", 1, 0.7);
      if (!rotor) on.radius = 0.2, on.axis = Vec3::UnitY(), on.point = Vec3(0.1, 0, 0.05);
      std::vector<LinkSettings> route = {on, through("world", Vec3(0.8, 0, 0.5)), attachTo("load")};
      if (!first) {
        std::reverse(route.begin(), route.end());
        route.back().side = -1;
      }
      addStrand(d, "rope", 0.7, route);
      for (const unsigned seed : {1u, 2u}) {
        Bench bench(d, std::string(first ? "first" : "last") + (rotor ? " rotor" : " body"), seed, true);
        bench.momentumAndMassComeFromTheEnergy();
        bench.energyAndForcesComeFromThePlacesOfTheMaterial(0.7);
        bench.rowsAreGradients();
      }
    }
}

/// The load turns the drum: z'' = (m + ρ l) g/(m + ρ (l + w) + I/r²) with l free and w wound, in whole turns. (The gap
/// that opens on the drum weighs as much as what comes off: it falls evenly at first, less of φ³/6.)
TEST(StrandDrum, AFallingLoadTurnsTheDrumByTheClosedForm) {
  const double rho = 0.5, stored = 4 * 2 * M_PI * 0.2, inertia = 0.1, m = 2.0, g = 10.0, r = 0.2;
  World w = make(windlass(rho, stored, inertia, m));
  const double length = lengthOf(w), energy = measure(w, "energy.total");
  run(w, 0.1);
  const double a = (m + rho * 3.0) * g / (m + rho * (3.0 + stored) + inertia / (r * r));
  const double t = w.time(), fall = 0.5 * a * t * t;
  EXPECT_NEAR(1.0 - measure(w, "particles.load.position.z"), fall, 1e-4 * fall);
  EXPECT_NEAR(measure(w, "rotors.drum.rate"), a * t / r, 1e-4 * a * t / r);
  run(w, 0.8);
  EXPECT_NEAR(lengthOf(w), length, 1e-12);
  EXPECT_NEAR(measure(w, "energy.total"), energy, 1e-4 * measure(w, "energy.kinetic"));
}

/// Wound by a motor: radius times turn, and its work is what the load and the rope have won.
TEST(StrandDrum, AWinchLiftsByRadiusTimesTurn) {
  Description d = windlass(0.1, 3.0, 0.4, 25.0);
  addMotor(d, "drum", DriveType::velocity, ramp({Vec2(0, 0), Vec2(0.5, -4), Vec2(1.0, -4), Vec2(1.5, 0)}));
  World w = make(d);
  const double length = lengthOf(w);
  run(w, 2.0);
  const double turned = -measure(w, "rotors.drum.angle");
  EXPECT_NEAR(measure(w, "cables.rope.stored"), 3.0 + 0.2 * turned, 1e-10);
  EXPECT_NEAR(lengthOf(w), length, 1e-12);
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension"), 250.0 + 0.5 * 0.1 * 10 * (3.0 - 0.2 * turned), 0.05);
}

/// All comes off: the strand is held at the drum's rim, the drum goes on turning and winds it on the other way round.
TEST(StrandDrum, AllComesOffAndIsWoundOnAgainTheOtherWay) {
  for (const double axial : {unbounded, 1e5}) {
    Description d = windlass(0.05, 0.5, 0.3, 2.0, 1.0 / 1000);
    d.cables.back().second.material.axial = axial;
    if (axial < unbounded) d.cables.back().second.tension = 20.0;
    World w = make(d);
    const double length = lengthOf(w), energy = measure(w, "energy.total");
    double least = 1.0, kinetic = 0.0;
    for (int k = 0; k < 3000; ++k) {
      ASSERT_TRUE(w.step().good);
      least = std::min(least, measure(w, "cables.rope.stored"));
      kinetic = std::max(kinetic, measure(w, "energy.kinetic"));
      ASSERT_NEAR(lengthOf(w), length, 1e-10) << w.time();
    }
    EXPECT_EQ(least, 0.0);
    EXPECT_GT(measure(w, "cables.rope.stored"), 0.0);
    EXPECT_NEAR(measure(w, "energy.total"), energy, 0.01 * kinetic) << axial;
  }
}

/// A soft rope wound on under load, and let off again: what it was stretched by is wound on with it.
TEST(StrandDrum, AStretchedRopeKeepsTheEnergyOfItsStrain) {
  Description d = windlass(0.001, 1.0, 0.1, 20.0, 1.0 / 480);
  CableSettings& rope = d.cables.back().second;
  rope.material.axial = 2000.0;
  rope.tension = 200.0;
  addMotor(d, "drum", DriveType::velocity, ramp({Vec2(0, 0), Vec2(1, -3), Vec2(2, -3), Vec2(3, 0)}));
  World w = make(d);
  const double start = measure(w, "energy.total"), length = lengthOf(w);
  run(w, 4.0);
  const double work = measure(w, "motors.motor of drum.work"), last = measure(w, "rotors.drum.angle");
  const double wound = -0.2 * last, strain = 0.1;  // 200 N on 2000 N
  EXPECT_NEAR(lengthOf(w), length, 1e-10);
  EXPECT_NEAR(measure(w, "cables.rope.stored") - 1.0, wound / (1 + strain), 0.01 * wound);
  EXPECT_NEAR(measure(w, "energy.total") - start, work, 0.01 * work);
  EXPECT_NEAR(work, 200.0 * wound, 0.02 * work);  // the drum is turned against the tension alone
}

/// Paid out and reeled in at an attached end: by just so much the load goes down and up.
TEST(StrandDrum, PayoutLowersTheLoadByWhatIsPaidOut) {
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("wheel", wheelAt(Vec3(0, 0, 4), 0.2, 0.01));
  addMass(d, "load", 2.0, Vec3(0.2, 0, 1));
  addStrand(d, "rope", 0.05, {attachTo("world", Vec3(-2, 0, 4.2)), rollOver("wheel", 1), attachTo("load")});
  d.cables.back().second.payout = ramp({Vec2(0, 0), Vec2(1, 0.8), Vec2(2, -0.5)});
  World w = make(d);
  const double length = measure(w, "cables.rope.length");
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), 0.2, 1e-6);
  EXPECT_NEAR(measure(w, "cables.rope.length"), length + 0.8, 1e-9);
  run(w, 1.2);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), 1.5, 1e-6);
  EXPECT_NEAR(measure(w, "cables.rope.length"), length - 0.5, 1e-9);
}

/// A rope that bears 30 N holds 2 kg at rest and parts when a second load jerks at it; then both fall.
TEST(StrandDrum, ItBreaksWhereItIsPulledTooHard) {
  for (const int nodes : {0, 4}) {
    Description d = heavy(1.0 / 480);
    addMass(d, "load", 2.0, Vec3(0, 0, -1));
    addStrand(d, "rope", 0.05, {attachTo("world"), attachTo("load")});
    CableSettings& rope = d.cables.back().second;
    rope.nodes = nodes;
    rope.material.breaking = 30.0;
    World holds = make(d);
    run(holds, 0.5);
    EXPECT_NEAR(measure(holds, "particles.load.position.z"), -1.0, 1e-9);
    d.cables.back().second.material.breaking = 19.0;
    World parts = make(d);
    run(parts, 0.5);
    const double t = parts.time(), fall = -1.0 - measure(parts, "particles.load.position.z");
    EXPECT_NEAR(fall, 0.5 * 10.0 * t * t, 0.03 * fall) << nodes;
    EXPECT_NEAR(measure(parts, "cables.rope.length"), 1.0, 1e-9);
    EXPECT_EQ(measure(parts, "cables.rope.spans.0.tension"), 0.0);
  }
}

/// Broken over a wheel, the loose end runs off it, and the other load falls freely from then on.
TEST(StrandDrum, ALooseEndRunsOffAWheel) {
  Description d = heavy(1.0 / 480);
  d.rotors.emplace_back("wheel", wheelAt(Vec3(0, 0, 2), 0.2, 0.001));
  addMass(d, "light", 1.0, Vec3(-0.2, 0, 1));
  addMass(d, "heavy", 3.0, Vec3(0.2, 0, 1));
  addStrand(d, "rope", 0.02, {attachTo("light"), rollOver("wheel", 1), attachTo("heavy")});
  d.cables.back().second.material.breaking = 14.0;  // of 15 N
  World w = make(d);
  bool off = false;
  for (int k = 0; k < 600; ++k) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) off = off || e.what.find("off") != std::string::npos;
  }
  EXPECT_TRUE(off);
  for (const char* load : {"light", "heavy"})
    EXPECT_NEAR(measure(w, std::string("particles.") + load + ".velocity.z"), -10.0 * w.time(), 0.5) << load;
}

}  // namespace
}  // namespace reeve::test
