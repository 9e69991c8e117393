// Saved states are data from outside: what was changed is refused with the reason, and nothing that is let in crashes.
#include <algorithm>
#include <cstdlib>

#include "fuzz/mutate.h"
#include "reeve/model/state.h"
#include "reeve/world/take_over.h"
#include "support/dice.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

Description swing(double length) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("ground", ground());
  BodySettings load;
  load.position = Vec3(0, 0, 2);
  load.mass = 2.0;
  load.shapes.push_back(sphere(0.1));
  d.bodies.emplace_back("load", load);
  RotorSettings wheel;
  wheel.position = Vec3(-0.5, 0, 3);
  wheel.mass = 0.5;
  d.rotors.emplace_back("wheel", wheel);
  CableSettings c;
  c.route.resize(3);
  c.route[0].point = Vec3(-1.0, 0, 3.0 - length);
  c.route[1].type = LinkType::roll;
  c.route[1].on = "wheel";
  c.route[2].on = "load";
  d.cables.emplace_back("rope", c);
  return d;
}

TEST(HostileState, WithOneChangedDigitIsRefused) {
  World w = make(swing(1.0)), other = make(swing(1.0));
  run(w, 0.1);
  const std::string good = w.saveState();
  ASSERT_TRUE(other.restoreState(good));
  Dice dice{7};
  const std::size_t body = good.find("check ");
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    char& c = text[std::min(text.size() - 1,
                            body + static_cast<std::size_t>(dice.share() * static_cast<double>(text.size() - body)))];
    if (c == ' ' || c == '\n') continue;
    c = c == '0' ? '1' : '0';
    const auto restored = other.restoreState(text);
    ASSERT_FALSE(restored) << i;
    EXPECT_NE(restored.error().reason.find("damaged"), std::string::npos) << restored.error().reason;
    EXPECT_EQ(other.hash(), w.hash());
  }
}

TEST(HostileState, OfAnotherSceneIsRefusedWithTheReason) {
  World w = make(swing(1.0)), longer = make(swing(1.2));
  run(w, 0.1);
  const auto same = longer.restoreState(w.saveState());
  ASSERT_FALSE(same);
  EXPECT_NE(same.error().reason.find("names and sizes are the same"), std::string::npos) << same.error().reason;
  Description more = swing(1.0);
  more.particles.emplace_back("extra", ParticleSettings{});
  const auto other = make(more).restoreState(w.saveState());
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().reason.find("particles.extra of this scene is not in it"), std::string::npos)
      << other.error().reason;
}

TEST(HostileState, CommandsOfPartsThatAreNotThereAreRefused) {
  World w = make(swing(1.0)), other = make(swing(1.0));
  ASSERT_TRUE(w.set(*w.parameter("bodies.load.mass"), 3.0));
  ASSERT_TRUE(w.push(*w.body("load"), BodyPush{.force = Vec3(1, 0, 0), .held = true}));
  run(w, 0.1);
  ASSERT_TRUE(other.restoreState(textOf(w.state())));
  EXPECT_EQ(other.hash(), w.hash());
  const auto refused = [&](const State& s) { return !other.restoreState(textOf(s)) && other.hash() == w.hash(); };
  ASSERT_EQ(w.state().overrides.size(), 1u);
  for (const std::int64_t key :
       {std::int64_t{-1000}, std::int64_t{-3000000000}, INT64_MIN, INT64_MAX, std::int64_t{1} << 40}) {
    State s = w.state();
    s.overrides[0].key = key;
    EXPECT_TRUE(refused(s)) << key;
  }
  for (const double mass : {0.0, -1.0, unbounded}) {
    State s = w.state();
    s.overrides[0].value = mass;
    EXPECT_TRUE(refused(s)) << mass;
  }
  State twice = w.state();
  twice.overrides.push_back(twice.overrides[0]);
  EXPECT_TRUE(refused(twice));
  State nobody = w.state();
  nobody.pushes.at(0).block = 1000;
  EXPECT_TRUE(refused(nobody));
}

TEST(HostileState, WithFewerModesThanForcesIsNotTakenOver) {
  World w = make(swing(1.0)), other = make(swing(1.0));
  run(w, 0.1);
  const std::string saved = w.saveState();
  const std::vector<std::size_t> places = fuzz::wordsOf(saved);
  // The count of modes, wherever it is: every small number of the state becomes less, and a word goes for it.
  int refused = 0;
  for (const std::size_t place : places) {
    const std::uint64_t count = std::strtoull(saved.substr(place, 16).c_str(), nullptr, 16);
    if (count == 0 || count > 100) continue;
    std::string text = saved;
    text.replace(place, 16, math::hex(count - 1));
    text.erase(place + 17, 17);
    fuzz::fit(text);
    refused += !takeOver(other, text);
  }
  EXPECT_GE(refused, 5);
}

enum class Remembered { joints, hoist, chain, chainOverWheel, particlesOverWheel };

class HostileMemory : public testing::TestWithParam<Remembered> {};

/// Numbers that an index, a count or a mode cannot be, in the place of each that a cable remembers, one by one, with
/// the checksum right: refused, or the world goes on and can be looked at. One test for each, so that all are tried
/// under sanitizers too, where long tests are left out.
TEST_P(HostileMemory, WithAnyNumberChangedIsRefusedOrRuns) {
  using enum Remembered;
  const Remembered each = GetParam();
  const CableModel model = each == joints               ? CableModel::joints
                           : each == hoist              ? CableModel::hoist
                           : each == particlesOverWheel ? CableModel::particles
                                                        : CableModel::chain;
  Description d = swing(1.0);
  CableSettings& c = d.cables[0].second;
  c.model = model;
  if (model != CableModel::joints) c.material.mass = 0.2;
  if (model == CableModel::hoist) c.route[1].friction = 0.0;  // one tension runs over its pulleys
  if (each == chain) {
    c.route.erase(c.route.begin() + 1);
    c.segments = 4;
    c.merges = 2;
  }
  World w = make(d), other = make(d);
  run(w, 0.1);
  int refused = 0, taken = 0;
  for (std::size_t place = 0; place < w.state().memory.size(); ++place)
    for (const double number : {-1.0, 0.5, 3.0, 1e9}) {
      State changed = w.state();
      changed.memory[place] = number;
      const bool let = other.restoreState(textOf(changed)).has_value();
      ++(let ? taken : refused);
      if (!let) continue;
      other.step();
      other.observe();
    }
  EXPECT_GT(refused, 3);
  EXPECT_GT(taken, 3);
}

INSTANTIATE_TEST_SUITE_P(Cables, HostileMemory,
                         testing::Values(Remembered::joints, Remembered::hoist, Remembered::chain,
                                         Remembered::chainOverWheel, Remembered::particlesOverWheel));

TEST(HostileState, IsTakenOverByNameIntoAChangedScene) {
  World w = make(swing(1.0));
  run(w, 0.5);
  Description more = swing(1.0);
  more.particles.emplace_back("extra", ParticleSettings{});
  World changed = make(more);
  const auto taken = takeOver(changed, w.saveState());
  ASSERT_TRUE(taken) << taken.error().reason;
  EXPECT_EQ(taken->left, std::vector<std::string>{"particles.extra"});
  EXPECT_EQ(measure(changed, "bodies.load.position.z"), measure(w, "bodies.load.position.z"));
  EXPECT_EQ(measure(changed, "rotors.wheel.rate"), measure(w, "rotors.wheel.rate"));
  EXPECT_DOUBLE_EQ(changed.time(), w.time());
  run(w, 0.5);
  run(changed, 0.5);
  EXPECT_NEAR(measure(changed, "bodies.load.position.z"), measure(w, "bodies.load.position.z"), 1e-3);
}

}  // namespace
}  // namespace reeve::test
