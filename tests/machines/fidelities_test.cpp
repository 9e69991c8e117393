// One description, five fidelities: the word alone, lifts, periods, and what is told to move.
#include <algorithm>
#include <array>

#include "cables/cable_scenes.h"
#include "machines.h"
#include "reeve/math/scalar.h"
#include "reeve/scene/swap_model.h"

namespace reeve::test {
namespace {

constexpr const char* twelve[] = {
    "atwood",  "pulley", "tackle-16",          "gym",         "crane",    "elevator-compensated", "belt",
    "capstan", "winch",  "differential-hoist", "tower-crane", "peg-loads"};

TEST(ModelWord, AloneTakes59Of60MachinesAndTheOtherRefusalNamesLinkReasonAndRemedy) {
  int taken = 0;
  for (const char* name : twelve)
    for (const CableModel model : cableModels()) {
      Description d = shipped(name);
      for (auto& [cable, settings] : d.cables) settings.model = model;
      const auto built = buildNoting(std::move(d));
      taken += built ? 1 : 0;
      if (built) continue;
      EXPECT_EQ(std::string(name), "tower-crane");
      EXPECT_EQ(model, CableModel::particles);
      EXPECT_EQ(built.error().path, "/cables/hoist/candidates");
      EXPECT_FALSE(built.error().reason.empty());
      EXPECT_FALSE(built.error().remedy.empty());
    }
  EXPECT_EQ(taken, 59);
}

/// 10 kg on a rope of 4 m.
Description hanging(CableModel model) {
  Description d = heavy(1.0 / 480, 9.81);
  addMass(d, "load", 10.0, Vec3(0, 0, -4));
  CableSettings& c = addCable(d, "rope", {attachTo("world"), attachTo("load")});
  c.model = model;
  return d;
}

TEST(ModelWord, WhatAModelHasNoUseForIsLeftOutAndNotedButNotWhatWouldBeAnotherMachine) {
  Description d = hanging(CableModel::joints);
  d.cables[0].second.material.bending = 3.0;
  EXPECT_FALSE(World::build(d));  // a program is told at once
  const auto noted = buildNoting(d);
  ASSERT_TRUE(noted);
  ASSERT_EQ(noted->notes.size(), 1u);
  EXPECT_EQ(noted->notes[0].path, "/cables/rope/material/bending");
  EXPECT_EQ(noted->notes[0].remedy, "give winding, or use model strand");
  EXPECT_EQ(noted->world.description().cables[0].second.material.bending, 0.0);
  Description breaks = hanging(CableModel::hoist);
  breaks.cables[0].second.material.breaking = 500.0;
  const auto refused = buildNoting(breaks);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "/cables/rope/material/breaking");
}

TEST(ModelWord, AMassThatAModelNeedsIsLightAndLighterWhereTheCableRunsFasterThanItsLoad) {
  const auto chain = buildNoting(hanging(CableModel::chain));
  ASSERT_TRUE(chain);
  ASSERT_EQ(chain->notes.size(), 1u);
  EXPECT_EQ(chain->notes[0].path, "/cables/rope/material/mass");
  EXPECT_EQ(chain->world.description().cables[0].second.material.mass, 1e-3 * 10.0);
  const auto tackle = swapModel(shipped("tackle-16"), CableModel::strand);  // six falls in the moving block
  ASSERT_TRUE(tackle);
  EXPECT_NEAR(tackle->world.description().cables[0].second.material.mass, 1e-3 * 101.0 / (13 * 13), 1e-15);
}

struct Lifted {
  const char* scene;
  double seconds;
};
void PrintTo(const Lifted& machine, std::ostream* out) { *out << machine.scene; }

class Lifts : public testing::TestWithParam<Lifted> {};
INSTANTIATE_TEST_SUITE_P(Machines, Lifts,
                         testing::Values(Lifted{"atwood", 0.5}, Lifted{"pulley", 0.4}, Lifted{"tackle-16", 3.0},
                                         Lifted{"gym", 1.6}, Lifted{"capstan", 0.8}, Lifted{"winch", 2.0},
                                         Lifted{"differential-hoist", 1.0}, Lifted{"peg-loads", 0.8}),
                         [](const auto& each) {
                           std::string name = each.param.scene;
                           std::erase(name, '-');
                           return name;
                         });

std::vector<Vec3> placesOf(const World& w) {
  std::vector<Vec3> places;
  for (const auto& [name, body] : w.observe().bodies) places.push_back(body.position);
  for (const auto& [name, particle] : w.observe().particles) places.push_back(particle.position);
  return places;
}

/// joints meet the closed forms that the scenes expect; the others move everything as far within 1 %.
TEST_P(Lifts, AreWithinOnePercentInEveryModel) {
  std::vector<Vec3> start, moved;
  double worst = 0.0;
  for (const CableModel model : cableModels()) {
    auto swapped = swapModel(shipped(GetParam().scene), model);
    ASSERT_TRUE(swapped) << swapped.error().path;
    World& w = swapped->world;
    const std::vector<Vec3> from = placesOf(w);
    run(w, GetParam().seconds);
    const std::vector<Vec3> to = placesOf(w);
    if (model == CableModel::joints) start = from, moved = to;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const double way = (moved[i] - start[i]).norm();
      if (way < 1e-3) continue;
      EXPECT_LT((to[i] - moved[i]).norm() / way, 0.01) << modelName(model) << " " << i;
      worst = std::max(worst, (to[i] - moved[i]).norm() / way);
    }
  }
  std::printf("%s: lifts within %.2e of those of joints\n", GetParam().scene, worst);
}

/// s, between the first and the last of the upward crossings of zero.
double periodOf(World& w, const std::string& path, double seconds) {
  double first = -1.0, last = -1.0, before = measure(w, path);
  int count = 0;
  while (w.time() < seconds && w.step().good) {
    const double now = measure(w, path);
    if (before < 0.0 && now >= 0.0) {
      last = w.time() - w.description().settings.dt * now / (now - before);
      first = first < 0.0 ? last : first;
      ++count;
    }
    before = now;
  }
  return count > 1 ? (last - first) / (count - 1) : 0.0;
}

TEST(Periods, OfASwingAndOfABounceAreTheClosedFormsInEveryModel) {
  for (const CableModel model : cableModels()) {
    const auto swapped = [&](Description d, double axial) {
      d.cables[0].second.material.axial = axial;
      d.cables[0].second.material.mass = model == CableModel::joints ? 0.0 : 1e-3;
      d.cables[0].second.model = CableModel::joints;
      auto made = swapModel(d, model);
      EXPECT_TRUE(made) << modelName(model);
      return std::move(made->world);
    };
    Description aside = hanging(CableModel::joints);
    const double l = 2.0, angle = 0.1;
    aside.particles[0].second.position = l * Vec3(math::sin(angle), 0, -math::cos(angle));
    World swings = swapped(aside, 1e6), bounces = swapped(hanging(CableModel::joints), 2e4);
    const double swing = periodOf(swings, "particles.load.velocity.x", 9.0) /
                         (2 * math::pi * std::sqrt(l / 9.81) * (1 + angle * angle / 16));
    const double bounce =
        periodOf(bounces, "particles.load.velocity.z", 2.0) / (2 * math::pi * std::sqrt(10.0 * 4.0 / 2e4));
    std::printf("%s: swing %.5f, bounce %.5f of the closed form\n", modelName(model).data(), swing, bounce);
    EXPECT_NEAR(swing, 1.0, 0.001) << modelName(model);
    EXPECT_NEAR(bounce, 1.0, 0.001) << modelName(model);
  }
}

/// A hand that is told to rise by 5 m does the work of what it lifts, whatever the cable is made of.
TEST(ToldMotion, LiftsARopeAndWhatHangsOnItByTheirWeightInEveryModel) {
  const double rho = 2.0, way = 5.0, g = 9.81;
  for (const CableModel model : cableModels())
    for (const bool wheel : {false, true}) {
      Description d = heavy(1.0 / 240, g);
      BodySettings hand;
      hand.motion = BodyMotion::kinematic;
      MotionSettings up;
      up.along = Vec3::UnitZ();
      up.travel = ramp({{0.5, 0}, {4.5, way}});
      up.travel.smooth = true;
      hand.prescribed = up;
      d.bodies.emplace_back("hand", hand);
      double mass = 10.0 + rho * 10.0;
      addMass(d, "load", 10.0, wheel ? Vec3(-0.3, 0, -5) : Vec3(0, 0, -10));
      std::vector<LinkSettings> route = {attachTo("hand"), attachTo("load")};
      if (wheel) {
        addMass(d, "other", 10.0, Vec3(0.3, 0, -5));
        RotorSettings sheave;
        sheave.on = "hand";
        sheave.radius = 0.3;
        sheave.inertia = 0.05;
        d.rotors.emplace_back("wheel", sheave);
        route = {attachTo("load"), rollOver("wheel", 1), attachTo("other")};
        mass = 20.0 + rho * (10.0 + 0.3 * math::pi);
      }
      CableSettings& c = addCable(d, "rope", route);
      c.model = model;
      c.material.mass = rho;
      c.weight = model == CableModel::joints;
      if (model == CableModel::hoist) c.material.axial = 1e6, c.material.damping = 0.01;
      World w = make(d);
      run(w, 5.0);
      const EnergyObservation e = w.observe().energy;
      const double wanted = mass * g * way;
      std::printf("%s%s: told %.3f J of %.3f J, remains %.1e J\n", modelName(model).data(),
                  wheel ? " over a wheel" : "", e.moved, wanted, e.remains);
      EXPECT_NEAR(e.moved / wanted, 1.0, 2e-3) << modelName(model) << wheel;
      EXPECT_LT(std::fabs(e.remains), 2e-3 * wanted) << modelName(model) << wheel;
    }
}

/// Reeled in by 5 m: m g h + ρ g (L² − (L − h)²)/2, as high up as you like.
TEST(ToldMotion, ReelsInARopeAgainstItsWeightInEveryModelWhateverTheOrigin) {
  const double rho = 2.0, way = 5.0, length = 10.0, g = 9.81;
  const double wanted = 10.0 * g * way + 0.5 * rho * g * (length * length - (length - way) * (length - way));
  for (const CableModel model : {CableModel::joints, CableModel::strand, CableModel::hoist})
    for (const double height : {0.0, 100.0}) {
      Description d = heavy(1.0 / 240, g);
      addMass(d, "load", 10.0, Vec3(0, 0, height - length));
      CableSettings& c = addCable(d, "rope", {attachTo("world", Vec3(0, 0, height)), attachTo("load")});
      c.model = model;
      c.material.mass = rho;
      c.weight = model == CableModel::joints;
      if (model == CableModel::hoist) c.material.axial = 1e6, c.material.damping = 0.01;
      c.payout = ramp({{0.5, 0}, {4.5, -way}});
      c.payout.smooth = true;
      World w = make(d);
      const double start = measure(w, "energy.total");
      run(w, 5.0);
      const EnergyObservation e = w.observe().energy;
      std::printf("%s: told %.3f J of %.3f J, remains %.1e J\n", modelName(model).data(), e.moved, wanted, e.remains);
      EXPECT_NEAR(e.moved / wanted, 1.0, 2e-3) << modelName(model);
      EXPECT_NEAR((measure(w, "energy.total") - start) / wanted, 1.0, 2e-3) << modelName(model);
      EXPECT_LT(std::fabs(e.remains), 1e-3 * wanted) << modelName(model);
    }
}

}  // namespace
}  // namespace reeve::test
