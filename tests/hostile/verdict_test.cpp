// "Good" means it: scenes without a solution, or stepped too coarsely, are called doubtful and say why.
#include <fstream>
#include <sstream>

#include "judged.h"

namespace reeve::test {
namespace {

using record::Finding, record::Trust;

const Finding* findingOf(const Judged& w, Finding::Kind kind) {
  for (const Finding& f : w.findings)
    if (f.kind == kind) return &f;
  return nullptr;
}

TEST(Verdict, RigidRopeBetweenKinematicEndsThatPartHasNoSolution) {
  const Judged w = stepped("rope_torn_by_kinematics", 1.0);
  const Finding* f = findingOf(w, Finding::Kind::stretch);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->level, Trust::doubtful);
  EXPECT_NE(f->reason.find("nothing that it holds can give way"), std::string::npos) << f->reason;
}

TEST(Verdict, BallJointsThatPullABodyApartAreNamedBoth) {
  const Judged w = stepped("body_torn_by_joints", 1.0);
  const Finding* f = findingOf(w, Finding::Kind::row);
  ASSERT_TRUE(f);
  EXPECT_NE((f->subject + f->reason).find("joints."), std::string::npos);
  EXPECT_NE(f->reason.find("there is no solution for"), std::string::npos) << f->reason;
}

TEST(Verdict, DrivesAgainstEachOtherAreNamedBoth) {
  const Judged w = stepped("two_motors_fight", 0.5);
  const Finding* f = findingOf(w, Finding::Kind::drive);
  ASSERT_TRUE(f);
  EXPECT_NEAR(f->worst, 3.0, 0.1) << "each asks for 3 m/s the other way";
  EXPECT_NE(f->reason.find("no solution with motors."), std::string::npos) << f->reason;
}

/// J that the verdict misses of a ball that falls, if it says so.
Trust levelOfFall(const std::string& ball, const std::string& more, double seconds) {
  auto scene = readScene(R"({"reeve": 1, "bodies": {"b": {"mass": 2, "shapes": [{"type": "sphere", "radius": 0.1}],
      "position": [0, 0, 1.1])" +
                             ball + "}" + more + "}}",
                         "ball");
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().reason);
  return judged(std::move(*scene), seconds).level();
}

TEST(Verdict, WhatBlowsAndTheAirTakeIsNotLost) {
  const std::string floor = R"(, "g": {"motion": "static", "shapes": [{"type": "half-space"}]})";
  for (const char* bounce : {"0.3", "0.7", "0.9"})
    EXPECT_EQ(levelOfFall(R"(, "restitution": )" + std::string(bounce), floor, 1.5), Trust::good) << bounce;
  EXPECT_EQ(levelOfFall(R"(, "drag_area": 0.05)", "", 8.0), Trust::good) << "terminal velocity 25 m/s";
}

/// An arm on a hinge, and what its drives are told.
Description armWith(const std::string& hinge, const std::string& motors) {
  auto scene = readScene(R"({"reeve": 1, "bodies": {"arm": {"mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0]}},
      "joints": {"h": {"type": "hinge", "a": "world", "b": "arm", "anchor": [0, 0, 0], "axis": [0, 1, 0])" +
                             hinge + R"(}}, "motors": {)" + motors + "}}",
                         "arm");
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().reason);
  return std::move(*scene);
}

TEST(Verdict, WhatADriveFightsIsNamed) {
  const std::string forward = R"("m": {"on": "h", "drive": "velocity", "target": 1})",
                    there = R"("m": {"on": "h", "drive": "position", "target": 1})",
                    back = R"(, "n": {"on": "h", "drive": "position", "target": -1})",
                    narrow = R"(, "lower": -0.2, "upper": 0.2)";
  struct Fight {
    std::string hinge, motors, words;
  };
  for (const Fight& fight :
       {Fight{"", there + back, "no solution with motors.n"}, Fight{"", forward + back, "no solution with motors.n"},
        Fight{narrow, forward, "no solution within the limits of joints.h"},
        Fight{narrow, there, "no solution within the limits of joints.h"}}) {
    const Judged w = judged(armWith(fight.hinge, fight.motors), 0.5);
    EXPECT_TRUE(std::ranges::any_of(w.findings, [&](const Finding& f) {
      return f.reason.find(fight.words) != std::string::npos;
    })) << fight.words;
    EXPECT_GE(w.level(), Trust::doubtful);
  }
}

TEST(Verdict, WhatPullsOrPressesWithoutASolutionIsNamed) {
  struct Fight {
    const char *scene, *words;
  };
  for (const Fight& fight :
       {Fight{"winch_on_fixed_rope", "there is no solution with cables.r, which it winds and which cannot stretch"},
        Fight{"rope_torn_mass_between", "there is no solution for cables.c, cables.d together"},
        Fight{"ball_pressed_flat", "bodies.ram has prescribed motion"},
        Fight{"motor_through_wall", "motors.m has no limit"}}) {
    const Judged w = stepped(fight.scene, 1.0);
    EXPECT_TRUE(std::ranges::any_of(w.findings,
                                    [&](const Finding& f) { return f.reason.find(fight.words) != std::string::npos; }))
        << fight.scene << (w.findings.empty() ? "" : w.findings[0].reason);
  }
}

TEST(Verdict, GainsFromNothingAreDoubtfulInShortRunsToo) {
  // Boxes in one place are thrown apart in the first step: told after three steps, and not for a run that falls.
  Description scene = hostile("coincident_load_pendulum24");
  const double dt = scene.settings.dt;
  EXPECT_GE(judged(std::move(scene), 3 * dt).level(), Trust::doubtful);
  Description falls;
  BodySettings stone;
  stone.mass = 1.0;
  stone.inertia = Vec3(1, 1, 1);
  falls.bodies.emplace_back("stone", stone);
  EXPECT_EQ(judged(std::move(falls), 0.02).level(), Trust::good);
}

TEST(Verdict, GainsThatLastAFewStepsAreDoubtful) {
  // A particle cable draws its load up to a bar: for six steps there is 1.8 J more than at the start, of 10 J turned
  // over.
  EXPECT_GE(stepped("particles_drawn_up_to_a_bar", 0.8334).level(), Trust::doubtful);
  EXPECT_EQ(stepped("particles_over_a_bar", 0.8334).level(), Trust::good);
}

TEST(Verdict, ScenesWithoutASolutionAreDoubtfulOrBad) {
  for (const auto& [name, seconds] :
       std::initializer_list<std::pair<const char*, double>>{{"rope_torn_mass_between", 1.0},
                                                             {"motor_through_wall", 1.0},
                                                             {"ball_pressed_flat", 1.0},
                                                             {"winch_on_fixed_rope", 1.0},
                                                             {"body_chain_ratio_1e12", 0.15},
                                                             {"finger_stretches_particles", 0.3}}) {
    const Judged w = stepped(name, seconds);
    EXPECT_GE(w.level(), Trust::doubtful) << name;
  }
}

/// What a scene should show at its end, or else it must say that it is doubtful.
struct Wanted {
  const char* scene;
  double seconds;
  const char* path;
  double low, high;
};

TEST(Verdict, HostileScenesAreRightOrDoubtful) {
  for (const Wanted& want : {Wanted{"rolling_wheel_sinks", 5.0, "bodies.c.position.z", 0.29, 0.31},
                             Wanted{"cart_sinks", 3.0, "bodies.cart.position.z", 0.28, 0.32},
                             Wanted{"can_down_slope", 2.0, "bodies.c.velocity.x", 2.13, 2.35},
                             Wanted{"box_on_spinning_cylinder", 1.0, "bodies.b.position.z", 1.3, 1.4},
                             Wanted{"cylinder_tumbles_through_floor", 2.0, "bodies.c.position.z", 0.05, 0.3},
                             Wanted{"stack_ratio_1e9", 1.0, "bodies.a.position.z", 0.49, 0.51},
                             Wanted{"stack_ratio_1e12", 1.0, "bodies.a.position.z", 0.49, 0.51},
                             Wanted{"particles_start_in_slab", 1.0, "energy.kinetic", 0.0, 4.0},
                             Wanted{"table_thick_cable", 0.5, "energy.kinetic", 0.0, 0.1},
                             Wanted{"coincident_bodies_simple1000", 1.0, "energy.kinetic", 0.0, 5e4}}) {
    const Judged w = stepped(want.scene, want.seconds);
    const double seen = measure(w.world, want.path);
    if (w.level() >= Trust::doubtful) continue;
    EXPECT_GE(seen, want.low) << want.scene << " " << want.path;
    EXPECT_LE(seen, want.high) << want.scene << " " << want.path;
  }
}

TEST(Verdict, SpansWithLessThanNoRestLengthAreDoubtful) {
  for (const auto& [name, seconds] : std::initializer_list<std::pair<const char*, double>>{
           {"split_merge_negative_rest", 0.9167}, {"blocks_rest_runs_away", 0.25}}) {
    const Judged w = stepped(name, seconds);
    double least = 0.0;
    for (const auto& [cable, seen] : w.world.observe().cables)
      for (const SpanObservation& s : seen.spans) least = std::min(least, s.rest);
    EXPECT_TRUE(least > -0.01 || w.level() >= Trust::doubtful) << name << " " << least;
  }
}

TEST(Verdict, EnergyThatOnlyTheStepsTakeIsDoubtful) {
  // A free body that turns by 0.4 rad in a step.
  const Judged w = stepped("tennis_racket_100", 20.0);
  const double start = make(hostile("tennis_racket_100")).observe().energy.total;
  const double end = w.world.observe().energy.total;
  EXPECT_TRUE(std::fabs(end / start - 1.0) < 0.1 || w.level() >= Trust::doubtful) << end / start;
}

TEST(Restitution, OfOneKeepsTheEnergyOfABallFor20Seconds) {
  // 45 bounces from 0.9 m, at any step: v² = v₀² + 2 g s gives the speed of the blow, and the history after it weighs.
  for (const double dt : {1.0 / 30, 1.0 / 60, 1.0 / 240, 1.0 / 1000}) {
    Description scene = hostile("bounce_e1");
    scene.settings.dt = dt;
    const Judged w = judged(std::move(scene), 20.0);
    EXPECT_NEAR(measure(w.world, "energy.total"), 9.81, 0.01 * 9.81) << "dt " << dt;
    EXPECT_EQ(w.level(), Trust::good) << "dt " << dt;
  }
}

TEST(Restitution, OfHalfLeavesAQuarterOfTheEnergyOfABounce) {
  Description scene = hostile("bounce_e1");
  scene.bodies[0].second.restitution = scene.bodies[1].second.restitution = 0.5;
  World w = make(std::move(scene));
  run(w, 0.6);  // touches at 0.428 s with 0.9 m behind it, and then it flies
  EXPECT_NEAR(measure(w, "energy.total") - 9.81 * 0.1, 0.25 * 9.81 * 0.9, 0.02);
}

TEST(Verdict, BodiesInOnePlaceThatAreThrownApartAreDoubtful) {
  EXPECT_GE(stepped("coincident_load_pendulum24", 0.333).level(), Trust::doubtful);
}

TEST(Numbers, ACompliantBallJointStoresKxx2) {
  // Let go at rest, 10 kg on 1e3 N/m: after a time t it is x below, and ½ k x² of what it lost is in the spring.
  World w = make(hostile("compliant_joint_no_elastic"));
  const double start = measure(w, "energy.total");
  run(w, 0.2);
  const double x = 2.0 - measure(w, "bodies.b.position.z");
  EXPECT_GT(x, 0.05);
  EXPECT_NEAR(measure(w, "energy.elastic"), 0.5 * 1e3 * x * x, 1e-9);
  EXPECT_NEAR(measure(w, "energy.total") - start, 0.0, 0.01);  // BDF2 takes a little: ω h = 0.01
}

TEST(Numbers, NoSpanOfAChainThatIsWoundUpIsShorterThanNothing) {
  std::ifstream file(sourceDir() + "/scenes/chain-winch.json");
  std::stringstream text;
  text << file.rdbuf();
  World w = make(*readScene(text.str(), "chain-winch"));
  double least = 1.0, off = 0.0;
  while (w.time() < 4.0 && w.step().good) {
    const CableObservation cable = cableOf(w);
    double sum = cable.stored;
    for (const SpanObservation& s : cable.spans) {
      least = std::min(least, s.rest);
      sum += s.rest;
      EXPECT_NEAR(s.length, s.rest, 0.01 * 0.15 + 1e-9);  // segments of 0.15 m, stretched by 500 N
    }
    off = std::max(off, std::fabs(sum - cable.length));
  }
  EXPECT_GE(least, 0.0);
  EXPECT_LT(off, 1e-12);
}

TEST(Numbers, TheSpanOfABrokenCableIsAsLongAsItsLooseEnds) {
  Judged w = stepped("waved_joints_break_span_2300m", 0.25);
  for (const SpanObservation& s : cableOf(w.world).spans)
    EXPECT_TRUE(!s.parted || std::fabs(s.length - s.loose[0] - s.loose[1]) < 1e-9) << s.length;
}

TEST(Verdict, AThresholdCanBeTakenAway) {
  EXPECT_EQ(stepped("rope_torn_by_kinematics", 1.0, {.error = unbounded, .stretch = unbounded}).level(), Trust::good);
}

TEST(Chain, MoreStoredThanCanBeHeldIsRefusedBeforeMemoryIsTaken) {
  const auto world = World::build(hostile("chain_stored_1e9_segv"));
  ASSERT_FALSE(world);
  EXPECT_NE(world.error().reason.find("100000 segments"), std::string::npos) << world.error().reason;
}

}  // namespace
}  // namespace reeve::test
