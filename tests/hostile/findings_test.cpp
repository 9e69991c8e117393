// Every scene that once went wrong is in this table, and is right, refused with the reason, or called doubtful or bad.
#include <algorithm>
#include <filesystem>
#include <set>

#include "fuzz/mutate.h"
#include "judged.h"
#include "support/halves.h"
#include "support/soak.h"

namespace reeve::test {
namespace {

/// `halves`: what mattered is that it goes on after a restore as it would have (halves_test.cpp has more places).
enum class Fate { right, refused, doubted, rightOrDoubted, halves };

struct Known {
  const char* scene;
  Fate fate = Fate::right;
  double seconds = 0.0;
  const char* path = "";  ///< what shows that it is right, within these
  double low = -unbounded, high = unbounded;
  SolverChoice solver = SolverChoice::automatic;
  double dt = 0.0;  ///< s; 0: the scene's
};

using enum Fate;
const Known known[] = {
    {"ball_around_chain", rightOrDoubted, 0.2, "energy.total", 0.0, 54.5},
    {"ball_pressed_flat", doubted, 1.0},
    {"blocks_rest_runs_away", doubted, 0.25},
    {"body_chain_ratio_1e12", doubted, 0.15},
    {"body_torn_by_joints", doubted, 1.0},
    {"bounce_e1", right, 20.0, "energy.total", 9.71, 9.91},
    {"box_on_spinning_cylinder", right, 1.0, "bodies.b.position.z", 1.3, 1.4},
    {"can_down_slope", right, 2.0, "bodies.c.velocity.x", 2.13, 2.35},
    {"cart_sinks", right, 3.0, "bodies.cart.position.z", 0.28, 0.32},
    {"chain_first_step_gain", right, 0.00416, "energy.kinetic", 0.0, 938.3},
    {"chain_hit_2000ms_hangs", rightOrDoubted, 0.005, "energy.kinetic", 0.0, 2.0e6},
    {"chain_stored_1e9_segv", refused},
    {"chain_stored_3e4_slow", refused},
    {"coincident_bodies_simple1000", rightOrDoubted, 1.0, "energy.kinetic", 0.0, 5e4},
    {"coincident_load_pendulum24", doubted, 0.333},
    {"compliant_joint_no_elastic", right, 0.2, "energy.total", 196.19, 196.21},
    {"cylinder_tumbles_through_floor", right, 2.0, "bodies.c.position.z", 0.05, 0.3},
    {"finger_stretches_particles", doubted, 0.3},
    {"finger_through_strand", rightOrDoubted, 0.03, "cables.c.spans.1.length", 0.1, 2.0},
    {"heap48", rightOrDoubted, 0.05, "health.unconverged", 0.0, 0.0},
    {"motor_through_wall", doubted, 1.0},
    {"particles_drawn_up_to_a_bar", doubted, 0.8334},
    {"particles_over_a_bar", right, 0.8334, "energy.remains", -10.0, 0.1},
    {"particles_start_in_slab", rightOrDoubted, 1.0, "energy.kinetic", 0.0, 4.0},
    {"pendulum24_two_chains_slow", rightOrDoubted, 0.05, "energy.total", -unbounded, 1.0},
    {"restore_differs_249", halves},
    {"restore_differs_285", halves},
    {"restore_differs_356", halves},
    {"restore_differs_446", halves},
    {"restore_differs_860", halves},
    {"restore_differs_9970", rightOrDoubted, 0.2, "energy.total", -300.0, 0.0},
    {"rolling_wheel_sinks", right, 5.0, "bodies.c.position.z", 0.29, 0.31},
    {"rope_torn_by_kinematics", doubted, 1.0},
    {"rope_torn_mass_between", doubted, 1.0},
    {"split_merge_negative_rest", doubted, 0.9167},
    {"stack_ratio_1e12", right, 1.0, "bodies.a.position.z", 0.49, 0.51},
    {"stack_ratio_1e9", right, 1.0, "bodies.a.position.z", 0.49, 0.51},
    {"table_thick_cable", rightOrDoubted, 0.5, "energy.kinetic", 0.0, 0.1},
    {"tennis_racket_100", doubted, 20.0},
    {"terminal_escape_in_name", right, 0.1, "energy.total", 68.6, 68.7},
    {"tower_blocks", rightOrDoubted, 2.0, "energy.kinetic", 0.0, 0.01, SolverChoice::blocks, 1.0 / 120},
    {"two_motors_fight", doubted, 0.5},
    {"waved_joints_break_span_2300m", right, 0.25, "energy.total", -2.0, 1.0},
    {"winch_on_fixed_rope", doubted, 1.0},
    {"winch_starts_hard", right, 0.2, "bodies.load.position.z", 0.979, 0.981},
    // Cables.
    {"c_press_strand_wheel_20000", rightOrDoubted, 0.6, "bodies.load.position.z", 0.9, 1.3},
    {"c_slip_joints_0_99", right, 3.0, "rotors.w2.rate", 1.19, 1.21, SolverChoice::sweep},
    {"defect_arc_stretch_joints", right, 0.1, "bodies.load.position.z", 1.9981, 1.9986},
    {"defect_damping_start_distance", right, 0.2, "energy.total", 0.0, 0.126},
    {"defect_damping_start_joints", right, 0.2, "energy.total", 0.0, 0.126},
    {"defect_damping_start_strand", right, 0.2, "energy.total", 0.0, 0.127},
    {"defect_joints_276_sweep", rightOrDoubted, 3.0, "energy.total", 0.0, 598.0, SolverChoice::sweep},
    {"defect_joints_446_sweep", rightOrDoubted, 3.0, "energy.total", 0.0, 402.0, SolverChoice::sweep},
    {"defect_joints_50", rightOrDoubted, 3.0, "energy.total", 0.0, 564.0},
    {"defect_joints_5_sweep", rightOrDoubted, 3.0, "energy.total", 0.0, 734.0, SolverChoice::sweep},
    {"defect_particles_inside", rightOrDoubted, 0.5, "energy.kinetic", 0.0, 0.01},
    {"defect_split_offset_0_02", right, 3.0, "energy.total", 98.0, 100.3},
    {"defect_split_offset_0_3", right, 3.0, "energy.total", 98.0, 98.2},
    {"defect_strand_134", right, 3.0, "energy.total", 0.0, 77.3},
    {"defect_strand_136", right, 3.0, "energy.total", 0.0, 344.0},
    {"defect_strand_195", right, 3.0, "energy.total", 0.0, 351.0},
    {"elastica_strand_in_a_tube_1", right, 6.0, "particles.tip.position.z", -0.307, -0.297},
    {"f6_bungee_2000", rightOrDoubted, 1.0, "energy.total", 0.0, 500.0},
    {"h_12_0_05_up_strand", right, 2.5, "cables.rope.spans.0.tension", 668.0, 677.0},
    {"parked_chain", right, 1.0, "bodies.box.position.z", 0.1, 0.125},
    {"sink_chain_10000", right, 0.2, "bodies.a.position.z", -2.01, -1.99},
    {"snatch_below_chain", right, 0.3, "bodies.load.position.z", -1.96, -1.92},
    {"socket_on_ground", right, 0.5, "cables.c.links.0.force.x", -1.0, 1.0},
    {"strand_line_guide", right, 1.0, "particles.tip.position.z", -1.01, -0.99},
    {"tagline_particles_side", right, 1.0, "bodies.box.position.z", 0.0, 0.6},
    {"thrown_joints_waves", right, 1.0, "energy.total", 404.9, 405.1},
    {"thrown_strand_nodes", right, 1.0, "energy.total", 404.9, 405.1},
    {"tow_particles_level", right, 2.0, "cables.c.links.0.force.x", -29.5, -28.5},
};

class Findings : public testing::TestWithParam<Known> {};

TEST_P(Findings, AreRightRefusedOrDoubtful) {
  const Known& k = GetParam();
  Description scene = hostile(k.scene);
  if (k.dt > 0.0) scene.settings.dt = k.dt;
  if (k.solver != SolverChoice::automatic) scene.settings.solver = k.solver;
  const auto built = World::build(scene);
  if (k.fate == Fate::refused) {
    ASSERT_FALSE(built);
    EXPECT_FALSE(built.error().reason.empty());
    return;
  }
  ASSERT_TRUE(built) << built.error().reason;
  if (k.fate == Fate::halves) {
    EXPECT_TRUE(compareHalves(scene, 24, {7, 15}).same());
    return;
  }
  const Judged w = judged(std::move(scene), k.seconds);
  if (k.fate == Fate::doubted) {
    EXPECT_GE(w.level(), record::Trust::doubtful);
  }
  if (k.fate == Fate::right) {
    EXPECT_EQ(w.level(), record::Trust::good);
  }
  if (*k.path == '\0' || w.level() >= record::Trust::doubtful) return;
  EXPECT_GE(measure(w.world, k.path), k.low) << k.path;
  EXPECT_LE(measure(w.world, k.path), k.high) << k.path;
}

INSTANTIATE_TEST_SUITE_P(Scenes, Findings, testing::ValuesIn(known),
                         [](const auto& info) { return std::string(info.param.scene); });

TEST(FindingsTable, HasEveryScene) {
  std::set<std::string> there, here;
  for (const auto& file : std::filesystem::directory_iterator(sourceDir() + "/tests/hostile/scenes"))
    there.insert(file.path().stem().string());
  for (const Known& k : known) here.insert(k.scene);
  EXPECT_EQ(there, here);
}

/// The scenes whose changed states once crashed or went on with numbers that are none.
TEST(FindingsTable, ChangedStatesOfTheseScenesAreRefusedOrRun) {
  Dice dice{11};
  int refused = 0, taken = 0;
  for (const char* name :
       {"atwood", "belt", "capstan", "chain-drive-8", "compound-pulley", "elastic-001", "elastic-01", "gym",
        "heavy-chain", "hilbert2-loose", "long-span", "school-bench", "six-cable-seat", "skew-wheels", "table-edge"}) {
    std::ifstream file(sourceDir() + "/scenes/" + name + ".json");
    std::stringstream text;
    text << file.rdbuf();
    auto scene = readScene(text.str(), name);
    ASSERT_TRUE(scene) << name;
    World w = make(*scene), other = make(std::move(*scene));
    for (int i = 0; i < 5; ++i) w.step();
    const std::string saved = w.saveState();
    for (int i = 0; i < shareOf(160); ++i) {
      const bool let = other.restoreState(fuzz::mutatedState(saved, dice, true)).has_value();
      ++(let ? taken : refused);
      if (!let) continue;
      for (int k = 0; k < 2 && other.verdict().good; ++k) other.step();
      if (other.examine().good) {
        EXPECT_FALSE(std::isnan(other.observe().energy.total)) << name;
      }
    }
    EXPECT_FALSE(other.restoreState("reeve-state 3\n3fb9999999999999 0000000000000018 3f71111111111111")) << name;
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(taken, 20);
}

}  // namespace
}  // namespace reeve::test
