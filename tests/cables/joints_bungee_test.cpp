// Cable that stretches to more than twice its length and runs over pegs, through eyes and round wheels: one tension
// where nothing rubs, no rest length lost, no energy won.
#include <numbers>

#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

constexpr double stiffness = 100.0;  // EA, N

enum class Over { eye, peg, wheel };

/// Two masses on a rubber cord over something at the origin. It starts at `strain`, T = EA · strain.
Description bungee(Over what, double strain, double left, double right, double friction = 0.0) {
  Description d = heavy(1.0 / 240);
  const double r = what == Over::eye ? 0.0 : 0.3;
  addMass(d, "left", left, Vec3(-r, 0, -2));
  addMass(d, "right", right, Vec3(r, 0, -2.5));
  LinkSettings middle = through("world", Vec3::Zero(), friction);
  if (what == Over::peg) middle = rollOn("world", Vec3::Zero(), r, 1, friction);
  if (what == Over::wheel) {
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), r, 1e-3));
    middle = rollOver("wheel", 1, friction);
  }
  CableSettings& c = addCable(d, "rope", {attachTo("left"), middle, attachTo("right")});
  c.material.axial = stiffness;
  c.tension = stiffness * strain;
  return d;
}

const char* word(Over what) { return what == Over::eye ? "eye" : what == Over::peg ? "peg" : "wheel"; }

Description by(bool swept, Description d) {
  d.settings.solver = swept ? SolverChoice::sweep : SolverChoice::direct;
  return d;
}

struct Seen {
  double unequal = 0.0, drift = 0.0, grown = -1e9;
  double iterations = 0.0;
  int events = 0;
};

/// Steps, and the worst of what must not be.
Seen watch(World& w, double seconds) {
  Seen seen;
  const double length = measure(w, "cables.rope.length"), energy = measure(w, "energy.total");
  const std::int64_t steps = std::llround(seconds / w.description().settings.dt);
  for (std::int64_t i = 0; i < steps; ++i) {
    EXPECT_TRUE(w.step().good) << w.verdict().culprit << w.verdict().reason << w.time();
    if (!w.verdict().good) break;
    const double a = measure(w, "cables.rope.spans.0.tension"), b = measure(w, "cables.rope.spans.1.tension");
    seen.unequal = std::max(seen.unequal, std::fabs(a - b) / std::max(a, b));
    seen.drift = std::max(seen.drift, std::fabs(measure(w, "cables.rope.length") / length - 1.0));
    seen.grown = std::max(seen.grown, measure(w, "energy.total") - energy);
    seen.iterations += measure(w, "health.iterations") / static_cast<double>(steps);
    seen.events += static_cast<int>(w.takeEvents().size());
  }
  return seen;
}

TEST(Bungee, AtTwoAndAHalfTimesItsLengthOverAPegAndThroughAnEyeItHasOneTension) {
  for (const bool swept : {false, true})
    for (const Over what : {Over::eye, Over::peg, Over::wheel})
      for (const double strain : {0.5, 1.5, 4.0}) {
        // In balance at the start, then the right mass is struck.
        const double mass = stiffness * strain / 10.0;
        Description d = bungee(what, strain, mass, mass);
        d.particles[1].second.velocity = Vec3(0, 0, 1.5);
        World w = make(by(swept, d));
        const Seen seen = watch(w, 1.0);
        EXPECT_LT(seen.unequal, 1e-6) << word(what) << swept << strain;
        EXPECT_LT(seen.drift, 1e-9) << word(what) << swept << strain;
        EXPECT_LT(seen.grown, 1e-3 * 0.5 * mass * 1.5 * 1.5) << word(what) << swept << strain;
        EXPECT_EQ(seen.events, 0);
      }
}

TEST(Bungee, HangsAtTheLengthThatItsWholeRestLengthStretchesTo) {
  for (const bool swept : {false, true})
    for (const Over what : {Over::eye, Over::peg, Over::wheel}) {
      // 150 % under 15 kg on either side, whatever it started from.
      Description d = bungee(what, 0.7, 15.0, 15.0);
      for (auto& [name, p] : d.particles) p.drag = 60.0;
      World w = make(by(swept, d));
      const Seen seen = watch(w, 10.0);
      EXPECT_LT(seen.unequal, 1e-6);
      EXPECT_LT(seen.drift, 1e-9);
      const double spans = measure(w, "cables.rope.spans.0.length") + measure(w, "cables.rope.spans.1.length");
      const double arc = what == Over::eye ? 0.0 : 0.3 * std::numbers::pi;
      EXPECT_NEAR((spans + arc) / measure(w, "cables.rope.length") / 2.5, 1.0, 1e-6) << word(what) << swept;
      EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension"), 150.0, 1e-3) << word(what) << swept;
      EXPECT_NEAR(measure(w, "cables.rope.spans.1.length") / measure(w, "cables.rope.spans.1.rest"), 2.5, 1e-5);
    }
}

TEST(Bungee, SwingingOverAPegOrThroughAnEyeItWinsNoEnergy) {
  for (const bool swept : {false, true})
    for (const Over what : {Over::eye, Over::peg})
      for (const double friction : {0.0, 0.2}) {
        Description d = bungee(what, 1.5, 15.0, 15.0, friction);
        d.particles[0].second.velocity = Vec3(-2, 0.3, 0.5);
        d.particles[1].second.velocity = Vec3(3, 0, 1);
        World w = make(by(swept, d));
        const double kinetic = measure(w, "energy.kinetic");
        const Seen seen = watch(w, 4.0);
        EXPECT_LT(seen.grown, 1e-3 * kinetic) << word(what) << swept << friction;
        EXPECT_LT(seen.drift, 1e-9);
      }
}

TEST(Bungee, RoundALightWheelThatItTurnsItConvergesAtAnyStretch) {
  for (const bool swept : {false, true})
    for (const double strain : {0.5, 1.5, 4.0}) {
      const double mass = stiffness * strain / 10.0;
      Description d = bungee(Over::wheel, strain, mass, mass, unbounded);
      d.particles[1].second.velocity = Vec3(0, 0, 1.5);
      World w = make(by(swept, d));
      const Seen seen = watch(w, 1.0);
      EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
      EXPECT_LT(seen.drift, 1e-9);
      EXPECT_LT(seen.iterations, 12.0);
    }
}

TEST(Bungee, WoundUpUntilNoRestLengthIsLeftItTellsAndStaysFinite) {
  for (const bool swept : {false, true})
    for (const bool perSpan : {false, true}) {
      Description d = still(1.0 / 240);
      d.rotors.emplace_back("drum", wheelAt(Vec3::Zero(), 0.2, 0.5));
      addMass(d, "held", 1e6, Vec3(-0.2, 0, -2));
      addMotor(d, "drum", DriveType::velocity, constant(10.0));
      CableSettings& c = addCable(d, "rope", {attachTo("held"), woundOn("drum", 1, 0.5)});
      if (perSpan)
        c.compliance = 0.1;
      else
        c.material.axial = stiffness;
      World w = make(by(swept, d));
      const double length = measure(w, "cables.rope.length");
      int told = 0;
      for (int i = 0; i < 480; ++i) {
        ASSERT_TRUE(w.step().good) << w.verdict().culprit << w.verdict().reason;
        for (const Event& e : w.takeEvents()) told += e.what.find("is overstretched") == 0;
        ASSERT_TRUE(std::isfinite(measure(w, "cables.rope.spans.0.tension")));
      }
      EXPECT_EQ(told, 1) << swept << perSpan;
      EXPECT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-9);
    }
}

}  // namespace
}  // namespace reeve::test
