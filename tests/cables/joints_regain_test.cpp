// Ends that fly into wheels and out again, wheels that swallow wheels: what a route cannot do is told as an event, and
// when the cable pulls again it wins no energy by it.
#include <random>

#include "cables/cable_scenes.h"
#include "reeve/model/model.h"
#include "reeve/model/state.h"

namespace reeve::test {
namespace {

/// The same numbers on every machine.
struct Odds {
  std::mt19937_64 engine;
  double operator()(double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) / 9007199254740992.0;
  }
  int side() { return (engine() >> 20) % 2 == 0 ? 1 : -1; }
};

/// Masses thrown at the wheels their cable runs over; some wheels fly themselves.
Description hostile(std::uint64_t seed) {
  Odds dice{std::mt19937_64(seed)};
  Description d = seed % 3 == 0 ? heavy(1.0 / 240) : still(1.0 / 240);
  const int wheels = 1 + static_cast<int>(seed % 3);
  std::vector<LinkSettings> route;
  const auto throwAt = [&](const char* name, double x) {
    const Vec3 target(dice(-0.5, wheels), 0, dice(-0.5, 0.5));
    const Vec3 start(x, 0, dice(-2, 2));
    addMass(d, name, dice(0.3, 3.0), start).velocity = dice(1, 12) * (target - start).normalized();
  };
  throwAt("first", -2.5);
  throwAt("last", wheels + 1.5);
  route.push_back(attachTo("first"));
  for (int i = 0; i < wheels; ++i) {
    const std::string name = "wheel" + std::to_string(i);
    std::string on = "world";
    Vec3 at(i * 1.3, 0, dice(-0.2, 0.2));
    if (dice(0, 1) < 0.4) {
      on = "carrier" + std::to_string(i);
      BodySettings b = rigid(dice(1, 5), Vec3(0.2, 0.2, 0.2), at);
      b.velocity = Vec3(dice(-4, 4), 0, dice(-4, 4));
      d.bodies.emplace_back(on, b);
      at = Vec3::Zero();
    }
    d.rotors.emplace_back(name, wheelAt(at, dice(0.2, 0.5), dice(0.01, 0.2), on));
    route.push_back(rollOver(name, dice.side(), dice(0, 1) < 0.3 ? dice(0, 0.5) : unbounded));
  }
  route.push_back(attachTo("last"));
  CableSettings& c = addCable(d, "rope", route);
  if (dice(0, 1) < 0.4) c.material.axial = 1e4;
  if (dice(0, 1) < 0.5) c.slack = dice(0, 0.3);
  return d;
}

struct Outcome {
  bool built = false;
  double won = 0.0;  ///< J above the start at any time, as a share of the kinetic energy it started with
  double drift = 0.0;
  int regained = 0;
};

Outcome throwOnce(std::uint64_t seed, bool swept) {
  Description d = hostile(seed);
  d.settings.solver = swept ? SolverChoice::sweep : SolverChoice::direct;
  Outcome out;
  auto built = World::build(std::move(d));
  if (!built) return out;  // a route that has no tangent to start with
  World w = std::move(*built);
  out.built = true;
  const double start = measure(w, "energy.total"), length = measure(w, "cables.rope.length"),
               scale = measure(w, "energy.kinetic");
  for (int i = 0; i < 240; ++i) {
    EXPECT_TRUE(w.step().good) << seed << swept << w.verdict().culprit << w.verdict().reason;
    if (!w.verdict().good) return out;
    for (const Event& e : w.takeEvents()) out.regained += e.what.find("a tangent again") != std::string::npos;
    out.won = std::max(out.won, (measure(w, "energy.total") - start) / scale);
  }
  out.drift = std::fabs(measure(w, "cables.rope.length") / length - 1.0);
  return out;
}

TEST(Regain, AHostileFamilyOfScenesWinsNoEnergyAndStaysFinite) {
  for (const bool swept : {false, true}) {
    int scenes = 0, regained = 0;
    std::vector<std::uint64_t> seeds{1106, 2222, 2263, 2503, 2510,
                                     2789, 2840, 4508, 5378};  // each won by a way of its own once
    for (std::uint64_t seed = 0; seed < 200; ++seed) seeds.push_back(seed);
    for (const std::uint64_t seed : seeds) {
      const Outcome out = throwOnce(seed, swept);
      scenes += out.built;
      regained += out.regained;
      EXPECT_LT(out.won, 1e-2) << seed << swept;
      EXPECT_LT(out.drift, 1e-9) << seed << swept;
    }
    EXPECT_GT(scenes, 180);
    EXPECT_GT(regained, 150);
  }
}

/// The same three times as fast, with eyes, friction everywhere and steps of a sixtieth: what has no mass is the first
/// to be flung where a step is not solved.
Description violent(std::uint64_t seed) {
  Description d = hostile(seed);
  Odds dice{std::mt19937_64(seed + 77)};
  for (LinkSettings& l : d.cables[0].second.route) {
    if (l.type != LinkType::roll) continue;
    l.friction = dice(0, 1) < 0.3 ? 0.0 : dice(0, 0.6);
    if (dice(0, 1) < 0.3) l = through("world", Vec3(dice(0, 2), 0, dice(-1, 1)), l.friction);
  }
  d.settings.dt = seed % 2 == 0 ? 1.0 / 60 : 1.0 / 240;
  for (auto& [name, p] : d.particles) p.velocity *= 3.0;
  return d;
}

TEST(Regain, CableThatSlidesIsNeverFlungHoweverViolentTheScene) {
  for (const bool swept : {false, true}) {
    int steps = 0;
    double fastest = 0.0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      Description d = violent(seed);
      d.settings.solver = swept ? SolverChoice::sweep : SolverChoice::direct;
      auto built = World::build(std::move(d));
      if (!built) continue;
      World w = std::move(*built);
      for (int i = 0; i < 120; ++i, ++steps) {
        ASSERT_TRUE(w.step().good) << seed << w.verdict().culprit << w.verdict().reason;
        for (const Block& b : w.model().blocks)
          if (b.massless) fastest = std::max(fastest, std::fabs(w.state().v[static_cast<std::size_t>(b.v)]));
      }
    }
    EXPECT_GT(steps, 10000);
    EXPECT_LT(fastest, 200.0) << swept;  // m/s; the masses have up to 36
  }
}

}  // namespace
}  // namespace reeve::test
