// A slack cable comes taut at speed: what jumps is the velocity, and the tension that is told is the finite force.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

enum class Solving { direct, sweep, substeps };
constexpr Solving everyWay[] = {Solving::direct, Solving::sweep, Solving::substeps};

Description by(Solving way, Description d) {
  if (way == Solving::direct) d.settings.solver = SolverChoice::direct;
  if (way == Solving::sweep) d.settings.solver = SolverChoice::sweep;
  if (way == Solving::substeps) d = bySweeps(d);
  return d;
}

struct Caught {
  bool taut = false;
  double highest = -99.0;  ///< m/s, upwards, from the catch on
  double most = 0.0;       ///< N, in any span
  bool parted = false;
};

/// Runs and watches particle "falling" and every span of every cable.
Caught fall(World& w, double seconds) {
  Caught out;
  const std::int64_t steps = std::llround(seconds / w.description().settings.dt);
  for (std::int64_t i = 0; i < steps; ++i) {
    EXPECT_TRUE(w.step().good) << w.verdict().culprit << w.verdict().reason;
    for (const Event& e : w.takeEvents()) out.parted = out.parted || e.what.find("parts") == 0;
    const Observation seen = w.observe();
    for (const auto& [name, cable] : seen.cables)
      for (const SpanObservation& span : cable.spans) {
        out.most = std::max(out.most, span.tension);
        out.taut = out.taut || span.tension > 1e-9;
      }
    if (out.taut) out.highest = std::max(out.highest, measure(w, "particles.falling.velocity.z"));
  }
  return out;
}

TEST(Catch, AFallingMassIsCaughtWithoutReboundAndWithoutASpikeInAnySpan) {
  for (const Solving way : everyWay)
    for (const double dt : {1.0 / 60, 1.0 / 240, 1.0 / 1000})
      for (const double slack : {0.3, 1.0, 1.7}) {
        Description d = heavy(dt);
        d.rotors.emplace_back("wheel", wheelAt(Vec3(0, 0, 0), 0.2, 0.05));
        addMass(d, "falling", 1.0, Vec3(0.2, 0, -1));
        CableSettings& c =
            addCable(d, "rope", {attachTo("world", Vec3(-0.2, 0, -2)), rollOver("wheel", 1), attachTo("falling")});
        c.slacks = {0.0, slack};
        World w = make(by(way, d));
        const Caught seen = fall(w, 1.0);
        EXPECT_TRUE(seen.taut);
        EXPECT_LT(seen.highest, 1e-6);
        EXPECT_LT(seen.most, 10.0 + 1e-3) << static_cast<int>(way) << " " << dt << " " << slack;
        EXPECT_NEAR(measure(w, "particles.falling.position.z"), -1.0 - slack, 1e-6);
        EXPECT_NEAR(measure(w, "cables.rope.spans.1.tension"), 10.0, 1e-3);
      }
}

/// A mass that falls freely until its rope over an eye or a wheel takes another one along.
TEST(Catch, TheOtherMassIsTakenAlongAtTheSpeedMomentumAsksFor) {
  for (const Solving way : everyWay)
    for (const bool wheel : {false, true}) {
      Description d = heavy(1.0 / 240);
      addMass(d, "falling", 1.0, Vec3(0.2, 0, -1));
      addMass(d, "other", 3.0, Vec3(-0.2, 0, -4)).gravity = false;
      LinkSettings middle = through("world");
      if (wheel) {
        d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), 0.2, 0.2 * 0.2 * 2.0));
        middle = rollOver("wheel", -1);
      }
      d.particles[0].second.position.x() = d.particles[1].second.position.x() = 0.0;
      if (wheel) {
        d.particles[0].second.position.x() = 0.2;
        d.particles[1].second.position.x() = -0.2;
      }
      CableSettings& c = addCable(d, "rope", {attachTo("falling"), middle, attachTo("other")});
      c.slacks = {0.45, 0.0};
      World w = make(by(way, d));
      const Caught seen = fall(w, 0.6);
      // 3 m/s after 0.45 m, taken to 3/(1 + 3 + I/r²), then a = g/(1 + 3 + I/r²).
      const double inertia = 4.0 + (wheel ? 2.0 : 0.0), a = 10.0 / inertia;
      EXPECT_NEAR(-measure(w, "particles.falling.velocity.z"), 3.0 / inertia + a * 0.3, 0.02 * 3.0 / inertia)
          << static_cast<int>(way) << wheel;
      EXPECT_NEAR(measure(w, "particles.other.velocity.z"), -measure(w, "particles.falling.velocity.z"), 1e-6);
      EXPECT_NEAR(seen.most, 10.0 - a, 1e-3) << static_cast<int>(way) << wheel;
      EXPECT_NEAR(measure(w, "cables.rope.spans.1.tension"), 3.0 * a, 1e-3);
    }
}

/// At a speed v a rope that stretches is caught with v √(EA m/L) + m g and somewhat more: energy gives
/// T = m g + √((m g)² + v² EA m/L) at the lowest point.
double peakOf(double mass, double speed, double axial, double length) {
  const double weight = 10.0 * mass;
  return weight + std::sqrt(weight * weight + speed * speed * axial * mass / length);
}

Description caughtElastic(double dt, double axial, bool eye) {
  Description d = heavy(dt);
  addMass(d, "falling", 1.0, Vec3(0, 0, -1));
  // Rope of 2.25 m, fallen 1.25 m: 5 m/s.
  CableSettings& c =
      eye ? addCable(d, "rope", {attachTo("world", Vec3(0, 0.001, -1)), through("world"), attachTo("falling")})
          : addCable(d, "rope", {attachTo("world"), attachTo("falling")});
  c.slack = 1.25;
  c.material.axial = axial;
  return d;
}

TEST(Catch, ARopeThatStretchesPullsAsMuchAsItsStiffnessMakesOfTheSpeed) {
  for (const bool eye : {false, true})
    for (const Solving way : {Solving::direct, Solving::sweep}) {
      const double axial = 300.0, length = eye ? 3.25 : 2.25;
      double last = 1.0;
      for (const double dt : {1.0 / 240, 1.0 / 1000, 1.0 / 4000}) {
        World w = make(by(way, caughtElastic(dt, axial, eye)));
        const double error = fall(w, 1.2).most / peakOf(1.0, 5.0, axial, length) - 1.0;
        EXPECT_LT(std::fabs(error), way == Solving::direct ? 0.01 : 12.0 * dt) << eye << static_cast<int>(way) << dt;
        EXPECT_LT(std::fabs(error), last + 1e-4);
        last = std::fabs(error);
      }
    }
}

TEST(Catch, BreakingFollowsTheFiniteTensionWhateverTheStep) {
  for (const Solving way : {Solving::direct, Solving::sweep})
    for (const double dt : {1.0 / 240, 1.0 / 1000}) {
      const double peak = peakOf(1.0, 5.0, 300.0, 2.25);
      for (const double share : {0.9, 1.1}) {
        Description d = caughtElastic(dt, 300.0, false);
        d.cables[0].second.material.breaking = share * peak;
        World w = make(by(way, d));
        EXPECT_EQ(fall(w, 1.2).parted, share < 1.0) << static_cast<int>(way) << dt << share;
      }
      // One that cannot stretch would see an infinite force for no time: it is judged by what it carries before and
      // after.
      for (const double breaking : {9.9, 10.1}) {
        Description d = caughtElastic(dt, unbounded, false);
        d.cables[0].second.material.breaking = breaking;
        World w = make(by(way, d));
        EXPECT_EQ(fall(w, 1.2).parted, breaking < 10.0) << static_cast<int>(way) << dt << breaking;
      }
    }
}

TEST(Catch, ADamperDoesNotPullBeforeTheCableIsTautAndMakesNoEnergy) {
  for (const Solving way : everyWay)
    for (const CableModel model : {CableModel::joints, CableModel::hoist})
      for (const double mass : {0.0, 0.05})
        for (const double damping : {0.005, 0.1}) {
          // Waves are for `direct`; a damper of more than its step on a light cable that whips still shows a gain for a
          // while.
          if (mass > 0.0 && (model == CableModel::joints || way != Solving::direct || damping > 0.05)) continue;
          Description d = by(way, heavy(0.004));
          addMass(d, "falling", 10.0, Vec3(1, 0, -2));
          d.particles.back().second.velocity = Vec3(0, 0, 8);
          CableSettings& c = addCable(d, "rope", {attachTo("world"), attachTo("falling")});
          c.model = model;
          c.length = 2.4;
          c.material.axial = 1e6;
          c.material.damping = damping;
          c.material.mass = mass;
          World w = make(d);
          const double start = measure(w, "energy.total");
          double gain = 0.0, early = 0.0;
          for (int i = 0; i < 1250; ++i) {
            ASSERT_TRUE(w.step().good);
            gain = std::max(gain, measure(w, "energy.total") - start);
            const SpanObservation span = w.observe().cables[0].second.spans[0];
            if (mass == 0.0 && span.length < span.rest - 1e-9) early = std::max(early, span.tension);
          }
          const std::string what = std::to_string(static_cast<int>(way)) + " " +
                                   std::to_string(static_cast<int>(model)) + " mass " + std::to_string(mass) +
                                   " damping " + std::to_string(damping);
          EXPECT_EQ(early, 0.0) << what;
          // Of 320 J in motion; a light cable with waves whips, and is followed with an error of its own.
          EXPECT_LT(gain, mass > 0.0 ? 7.0 : 1.0) << what;
        }
}

TEST(Catch, ByBlocksADamperTakesTheSwingOutOfATautCableAndPullsNoSlackOne) {
  const auto run = [](double slack, double damping) {
    Description d = heavy(0.002);
    d.settings.solver = SolverChoice::blocks;
    addMass(d, "falling", 10.0, Vec3(0, 0, -2));
    CableSettings& c = addCable(d, "rope", {attachTo("world"), attachTo("falling")});
    c.length = 2.0 + slack;
    c.material.axial = 2e4;
    c.material.damping = damping;
    World w = make(d);
    double early = 0.0, late = 0.0;
    for (int i = 0; i < 1000; ++i) {
      EXPECT_TRUE(w.step().good);
      const SpanObservation span = cableOf(w).spans[0];
      if (span.length < span.rest - 1e-9) early = std::max(early, span.tension);
      if (i > 900) late = std::max(late, std::fabs(measure(w, "particles.falling.velocity.z")));
    }
    return std::pair{early, late};
  };
  EXPECT_EQ(run(0.5, 0.1).first, 0.0);
  EXPECT_LT(run(0.0, 0.02).second, 1e-3);
}

}  // namespace
}  // namespace reeve::test
