#include "reeve/record/peaks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reeve/record/notes.h"
#include "reeve/record/table.h"
#include "reeve/scene/scene.h"

namespace reeve::record {
namespace {

World worldOf(const std::string& text) {
  auto scene = readScene(text, "peaks");
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().reason);
  auto world = World::build(std::move(*scene));
  EXPECT_TRUE(world) << (world ? "" : world.error().reason);
  return std::move(*world);
}

/// A pendulum of 1 kg on 1 m, let go at 60 degrees.
constexpr const char* pendulum = R"({"settings": {"dt": "1 ms"},
  "bodies": {"bob": {"position": [0.8660254037844386, 0, -0.5], "mass": 1, "inertia": [1e-3, 1e-3, 1e-3]}},
  "cables": {"string": {"route": [{"type": "attach"}, {"type": "attach", "on": "bob"}], "material": {"breaking": "100 N"}}}})";

const Peak& find(const std::vector<Peak>& peaks, const std::string& subject, const std::string& quantity) {
  for (const Peak& peak : peaks)
    if (peak.subject == subject && peak.quantity == quantity) return peak;
  ADD_FAILURE() << "no " << subject << " " << quantity;
  return peaks.front();
}

TEST(Peaks, aPendulumPullsHardestAtTheBottomAndThatIsWhatIsKept) {
  World world = worldOf(pendulum);
  PeakMeter meter(world);
  for (int i = 0; i < 2000; ++i) world.step(), meter.look(world);
  const auto peaks = meter.peaks();
  const Peak& tension = find(peaks, "cables.string", "tension");
  const double g = 9.81;
  EXPECT_NEAR(tension.largest, g * (3 - 2 * std::cos(M_PI / 3)), 1e-3);  // m g (3 - 2 cos a)
  EXPECT_NEAR(tension.smallest, g * std::cos(M_PI / 3), 1e-2);
  EXPECT_NEAR(tension.safety(), 100.0 / (2 * g), 1e-3);
  // At the bottom twice in 2 s: a quarter and three quarters of the period 2 pi sqrt(l/g) 1.0732.
  const double quarter = 0.25 * 2 * M_PI * std::sqrt(1 / g) * 1.07318;
  EXPECT_NEAR(std::min(std::abs(tension.at - quarter), std::abs(tension.at - 3 * quarter)), 0.0, 2e-3);
  EXPECT_NEAR(find(peaks, "bodies.bob", "speed").largest, std::sqrt(g), 1e-3);  // v^2 = 2 g l (1 - cos a)
  EXPECT_GT(tension.rms, tension.smallest);
  EXPECT_LT(tension.rms, tension.largest);
}

TEST(Peaks, powerOfAMotorIsForceTimesRate) {
  World world = worldOf(R"({"settings": {"gravity": [0, 0, 0], "dt": "1 ms"}, "rotors": {"wheel": {"inertia": 2}},
    "motors": {"engine": {"on": "wheel", "drive": "force", "target": 4}}})");
  PeakMeter meter(world);
  for (int i = 0; i < 1000; ++i) world.step(), meter.look(world);
  // 4 N m on 2 kg m²: 2 rad/s after 1 s, 8 W then.
  EXPECT_NEAR(find(meter.peaks(), "motors.engine", "power").largest, 8.0, 0.01);
  EXPECT_NEAR(find(meter.peaks(), "motors.engine", "torque").rms, 4.0, 1e-9);
}

TEST(Notes, tellOfABodyThatFellOutOfThePicture) {
  World world = worldOf(R"({"settings": {"dt": 0.01}, "bodies": {"stone": {"mass": 1, "inertia": [1, 1, 1]}}})");
  const Observation start = world.observe();
  for (int i = 0; i < 100; ++i) world.step();
  EXPECT_TRUE(endNotes(world.description(), start, world.observe()).empty());  // 5 m in a second
  for (int i = 0; i < 400; ++i) world.step();
  const auto notes = endNotes(world.description(), start, world.observe());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].subject, "bodies.stone");
  EXPECT_NE(notes[0].what.find("123 m"), std::string::npos) << notes[0].what;
}

TEST(Table, printsRoundingAsZeroAndAnglesInDegreesToo) {
  RunFacts facts;
  facts.peaks.push_back({"cables.a", "tension", "N", "a", 0, 5000, 1, 3000, 0, 10});
  Observation seen;
  seen.bodies.emplace_back("b", BodyObservation{{1, 3e-16, 0}, Quat::Identity(), {1e-12, 0, 0}, {0, 0, 0}});
  seen.rotors.emplace_back("w", RotorObservation{M_PI / 2, 2 * M_PI});
  std::string text;
  for (const Table& table : resultTables(facts, seen)) text += tableText(table);
  EXPECT_EQ(text.find("3e-16"), std::string::npos) << text;
  EXPECT_EQ(text.find("1e-12"), std::string::npos) << text;
  EXPECT_NE(text.find("  w         1.5708          90       6.2832         60\n"), std::string::npos) << text;
}

/// 100 kg on 10 m of rope of 1 MN, which begins without tension.
constexpr const char* hangs = R"({"settings": {"dt": "0.5 ms", "start": "START"},
  "bodies": {"load": {"position": [0, 0, -10.1], "mass": 100, "shapes": [{"type": "box", "size": [0.2, 0.2, 0.2]}]}},
  "cables": {"rope": {"route": [{"type": "attach"}, {"type": "attach", "on": "load", "point": [0, 0, 0.1]}],
    "material": {"axial": "1 MN", "damping": "5 ms", "breaking": "20 kN"}}}})";

TEST(Peaks, aRopeThatBeginsWithoutTensionIsJoltedToNearlyTwiceItsLoadAndTheNoteSaysSo) {
  for (const bool rests : {false, true}) {
    std::string text = hangs;
    text.replace(text.find("START"), 5, rests ? "equilibrium" : "described");
    World world = worldOf(text);
    const Observation start = world.observe();
    PeakMeter meter(world);
    for (int i = 0; i < 4000; ++i) world.step(), meter.look(world);
    const double weight = 981.0, largest = find(meter.peaks(), "cables.rope", "tension").largest;
    const auto notes = jolts(meter.peaks(), start, 2.0);
    if (rests) {
      EXPECT_NEAR(largest, weight, 1e-3 * weight);
      EXPECT_TRUE(notes.empty());
    } else {
      // Without damping 2 m g. With ζ = EA damping / (2 sqrt(EA m / L) L) = 0.079 it is m g (1 + exp(-π ζ)), to 1 %.
      const double ratio = 0.005 / 2.0 * std::sqrt(1e6 / (100.0 * 10.0));
      EXPECT_NEAR(largest, weight * (1.0 + std::exp(-3.14159265 * ratio / std::sqrt(1.0 - ratio * ratio))),
                  0.02 * weight);
      ASSERT_EQ(notes.size(), 1u);
      EXPECT_NE(notes[0].what.find("\"start\": \"equilibrium\""), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace reeve::record
