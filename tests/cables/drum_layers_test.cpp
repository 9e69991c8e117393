// Drums between flanges, which wind in layers, in every model that takes them.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

constexpr double pi = 3.14159265358979323846;

LinkSettings betweenFlanges(int side, double stored) {
  LinkSettings l = woundOn("drum", side, stored);
  l.flanges = 0.12;  // six turns of 20 mm
  return l;
}

void asModel(CableSettings& c, CableModel model) {
  c.model = model;
  c.material.radius = 0.01;
  if (model == CableModel::chain || model == CableModel::particles) c.material.mass = 1e-4, c.segments = 12;
}

/// A load on a rope that comes from a drum of radius 0.2 m, six turns wide, and goes over a wheel 24 m above it.
Description hoistOf(CableModel model, double stored, bool first) {
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("drum", wheelAt(Vec3(0, 0, 0), 0.2, 0.5));
  d.rotors.emplace_back("wheel", wheelAt(Vec3(4, 0, 24), 0.3, 0.1));
  addMass(d, "load", 100.0, Vec3(4.3, 0, 2));
  std::vector<LinkSettings> route = {betweenFlanges(1, stored), rollOver("wheel", 1), attachTo("load")};
  if (!first) {
    std::reverse(route.begin(), route.end());
    route[1].side = route[2].side = -1;
  }
  asModel(addCable(d, "rope", route), model);
  return d;
}

std::string drumOf(bool first) { return first ? "cables.rope.links.0" : "cables.rope.links.2"; }

class Layers : public testing::TestWithParam<CableModel> {};
INSTANTIATE_TEST_SUITE_P(Models, Layers,
                         testing::Values(CableModel::joints, CableModel::hoist, CableModel::chain,
                                         CableModel::particles),
                         [](const auto& each) {
                           return std::string(each.param == CableModel::joints  ? "joints"
                                              : each.param == CableModel::hoist ? "hoist"
                                              : each.param == CableModel::chain ? "chain"
                                                                                : "particles");
                         });

TEST_P(Layers, TwentyMetresInThreeLayersAndOffAgainLoseNoLength) {
  for (const bool first : {true, false}) {
    Description d = hoistOf(GetParam(), 0.5, first);
    // 92.5 rad in 5.625 s, and back.
    addMotor(d, "drum", DriveType::velocity,
             ramp({{0, 0}, {1, -20}, {4.625, -20}, {5.625, 0}, {6, 0}, {7, 20}, {10.625, 20}, {11.625, 0}}));
    World w = make(d);
    const double start = measure(w, drumOf(first) + ".stored"), length = measure(w, "cables.rope.length");
    const double full = measure(w, "particles.load.position.z");
    run(w, 5.8);
    const double wound = 12 * pi * (0.20 + 0.22) + (95.0 - 24 * pi) * 0.24;
    EXPECT_GT(wound - start, 20.0);
    // Off a drum that has grown by 0.04 m the rope leaves 0.04/24 rad further round.
    EXPECT_NEAR(measure(w, drumOf(first) + ".stored"), wound, 0.25 * 0.04 / 24 * 1.1);
    EXPECT_EQ(measure(w, drumOf(first) + ".layers"), 3.0);
    EXPECT_NEAR(measure(w, drumOf(first) + ".radius"), 0.24, 1e-12);
    run(w, 12.5 - w.time());
    EXPECT_NEAR(measure(w, "rotors.drum.angle"), 0.0, 1e-9);
    EXPECT_NEAR(measure(w, "cables.rope.length"), length, 1e-9);
    // Segments and particles between drum and wheel swing across by a micrometre or so.
    const bool swings = GetParam() == CableModel::chain || GetParam() == CableModel::particles;
    EXPECT_NEAR(measure(w, drumOf(first) + ".stored"), start, swings ? 5e-6 : 1e-9);
    EXPECT_NEAR(measure(w, "particles.load.position.z"), full, 1e-5);  // it swings a little
    EXPECT_LT(std::fabs(measure(w, "energy.remains")), 1e-3 * 100 * 10 * 20);
    EXPECT_EQ(measure(w, drumOf(first) + ".layers"), 1.0);
  }
}

TEST_P(Layers, TheLoadIsAStepFasterInEveryLayer) {
  Description d = hoistOf(GetParam(), 0.5, true);
  addMotor(d, "drum", DriveType::velocity, ramp({{0, 0}, {1, -12}}));
  World w = make(d);
  const double middles[] = {18.0, 56.0, 94.0};  // rad of rope in the middle of its layers
  for (int k = 0; k < 3; ++k) {
    run(w, (middles[k] - 2.5) / 12 + 0.5 - w.time());
    EXPECT_NEAR(measure(w, "particles.load.velocity.z"), 12 * (0.2 + 0.02 * k), 5e-3) << k;
    EXPECT_NEAR(measure(w, "cables.rope.links.0.layers"), k + 1.0, 0.0);
  }
}

/// What falls from a free drum turns it: ω² (I + m r²)/2 = m g × what has come off, r the radius it comes off at.
TEST_P(Layers, AFallingLoadTurnsTheDrumAndEnergyIsKept) {
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("drum", wheelAt(Vec3(0, 0, 24), 0.2, 0.5));
  addMass(d, "load", 100.0, Vec3(0.24, 0, 22));
  asModel(addCable(d, "rope", {betweenFlanges(1, 20.0), attachTo("load")}), GetParam());
  World w = make(d);
  const double stored = measure(w, "cables.rope.links.0.stored");
  double most = 0.0;
  while (w.time() < 1.9) {
    ASSERT_TRUE(w.step().good);
    const double off = stored - measure(w, "cables.rope.links.0.stored"), rate = measure(w, "rotors.drum.rate");
    const double r = measure(w, "cables.rope.links.0.radius");
    if (off < 1.0) continue;
    const double expected = std::sqrt(2 * 100 * 10 * off / (0.5 + 100 * r * r));
    EXPECT_NEAR(rate / expected, 1.0, 1e-2) << off;  // the load swings as the drum becomes thinner
    most = std::max(most, off);
  }
  EXPECT_GT(most, 10.0);  // three layers, two changes of them
  EXPECT_LT(measure(w, "cables.rope.links.0.radius"), 0.22 + 1e-9);
  EXPECT_LT(std::fabs(measure(w, "energy.remains")), 1e-3 * 100 * 10 * most);
}

std::string refusal(Description d) {
  const auto world = World::build(std::move(d));
  return world ? "" : world.error().path + ": " + world.error().reason + "; " + world.error().remedy;
}

TEST(LayersRefused, WithTheLinkTheReasonAndARemedy) {
  Description strand = hoistOf(CableModel::strand, 0.5, true);
  strand.cables[0].second.material.mass = 1.0;
  EXPECT_NE(refusal(strand).find("/cables/rope/route/0/flanges: a drum of a strand winds in one layer"),
            std::string::npos);
  Description hoist = hoistOf(CableModel::hoist, 0.5, true);
  hoist.cables[0].second.material.mass = 1.0;
  EXPECT_NE(refusal(hoist).find("use model joints"), std::string::npos);
  Description narrow = hoistOf(CableModel::joints, 0.5, true);
  narrow.cables[0].second.route[0].flanges = 0.015;
  EXPECT_NE(refusal(narrow).find("/cables/rope/route/0/flanges: there is no room for one turn"), std::string::npos);
  Description open = hoistOf(CableModel::joints, 0.5, true);
  open.cables[0].second.route[0].flanges.reset();
  open.cables[0].second.route[0].rise = 0.02;
  EXPECT_NE(refusal(open).find("/cables/rope/route/0/rise: without flanges"), std::string::npos);
}

}  // namespace
}  // namespace reeve::test
