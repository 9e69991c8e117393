// One description, several fidelities: twelve machines with their cables in other models, by changing the word alone.
#include <array>

#include "machines.h"
#include "reeve/scene/swap_model.h"
#include "support/soak.h"

namespace reeve::test {
namespace {

/// A machine of the table: how long it is looked at, and where a model cannot take it.
struct Swapped {
  const char* scene;
  double seconds;
  const char* strandRefusedAt;          ///< empty: it runs
  double within = 0.01;                 ///< of the tensions; with rope mass 2 %
  const char* particlesRefusedAt = "";  ///< empty: it runs
  double chainMore = 0.0;               ///< of the tensions, beyond that: docs/limits.md
};

constexpr std::array<Swapped, 12> twelve{
    {{"atwood", 0.5, ""},
     {"pulley", 0.4, ""},
     {"tackle-16", 0.3, ""},
     {"gym", 1.6, ""},
     {"crane", 3.0, "/cables/hoist/route/0/type", 0.01, "", 0.01},
     {"elevator-compensated", 0.4, ""},
     {"belt", 0.4, "", 0.01, "", 0.04},
     {"capstan", 0.4, ""},
     {"winch", 0.4, "/cables/rope/route/0/type"},
     {"differential-hoist", 0.4, "/cables/chain/route/0/type"},
     {"tower-crane", 0.3, "/cables/hoist/payout", 0.02, "/cables/hoist/candidates"},
     {"peg-loads", 0.4, ""}}};

void PrintTo(const Swapped& machine, std::ostream* out) { *out << machine.scene; }

/// Means over the second half of a run (in the first those that stretch settle), cable by cable, and where bodies end.
struct Seen {
  std::vector<double> tensions;
  std::vector<Vec3> places;
};

Seen watch(World& w, double seconds) {
  Seen seen;
  seen.tensions.assign(w.observe().cables.size(), 0.0);
  int looks = 0;
  for (int step = 0; w.time() < seconds; ++step) {
    EXPECT_TRUE(w.step().good);
    if (step % 4 != 3 || w.time() < 0.5 * seconds) continue;
    const Observation o = w.observe();
    ++looks;
    for (std::size_t c = 0; c < o.cables.size(); ++c) {
      const auto& spans = o.cables[c].second.spans;
      for (const SpanObservation& span : spans) seen.tensions[c] += span.tension / static_cast<double>(spans.size());
    }
  }
  for (double& t : seen.tensions) t /= looks;
  for (const auto& [name, body] : w.observe().bodies) seen.places.push_back(body.position);
  return seen;
}

class Swaps : public testing::TestWithParam<Swapped> {};

TEST_P(Swaps, TensionsAndPlacesAgreeWhateverTheModel) {
  const Swapped& machine = GetParam();
  const Description scene = shipped(machine.scene);
  auto joints = swapModel(scene, CableModel::joints);
  ASSERT_TRUE(joints) << machine.scene << joints.error().path << ": " << joints.error().reason;
  const Seen first = watch(joints->world, machine.seconds);
  for (const CableModel model : {CableModel::hoist, CableModel::strand, CableModel::chain, CableModel::particles}) {
    auto other = swapModel(scene, model);
    const std::string refused = model == CableModel::strand      ? machine.strandRefusedAt
                                : model == CableModel::particles ? machine.particlesRefusedAt
                                                                 : "";
    if (!refused.empty()) {
      ASSERT_FALSE(other) << machine.scene;
      EXPECT_EQ(other.error().path, refused);
      EXPECT_FALSE(other.error().reason.empty());
      EXPECT_FALSE(other.error().remedy.empty());
      continue;
    }
    ASSERT_TRUE(other) << machine.scene << " " << modelName(model) << ": " << other.error().path << " "
                       << other.error().reason;
    const Seen seen = watch(other->world, machine.seconds);
    const double within = machine.within + (model == CableModel::chain ? machine.chainMore : 0.0);
    ASSERT_EQ(seen.tensions.size(), first.tensions.size());
    double most = 0.0;
    for (const double t : first.tensions) most = std::max(most, t);
    for (std::size_t c = 0; c < seen.tensions.size(); ++c)  // a slack one may differ by a thousandth of the tightest
      EXPECT_NEAR(seen.tensions[c], first.tensions[c], within * first.tensions[c] + 1e-3 * most)
          << machine.scene << " " << modelName(model) << " cable " << c;
    for (std::size_t b = 0; b < seen.places.size(); ++b)
      EXPECT_LT((seen.places[b] - first.places[b]).norm(), 0.01) << machine.scene << " " << modelName(model);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Swaps, testing::ValuesIn(twelve), [](const auto& each) {
  std::string name = each.param.scene;
  std::erase(name, '-');
  return name;
});

/// A cable that has mass weighs in every model.
TEST(SwapOfWeight, ACableOfJointsWeighsWhatItDidInTheOtherModel) {
  auto swapped = swapModel(shipped("tower-crane"), CableModel::joints);
  ASSERT_TRUE(swapped);
  bool told = false;
  for (const Problem& note : swapped->notes) told = told || note.path == "/cables/hoist/weight";
  EXPECT_TRUE(told);
}

/// To leave out that an end is free would be another machine.
TEST(SwapOfWeight, AFreeEndIsRefusedWhereEndsAreHeld) {
  for (const CableModel model : {CableModel::joints, CableModel::hoist}) {
    const auto swapped = swapModel(shipped("peg"), model);
    ASSERT_FALSE(swapped);
    EXPECT_EQ(swapped.error().path, "/cables/rope/route/0/hold");
    EXPECT_NE(swapped.error().remedy.find("strand"), std::string::npos);
  }
}

/// The same motion, and the same changes of energy, in a frame that moves and 100 m further up.
TEST(Galilean, AThrownPairMovesTheSameInEveryModelWhateverTheFrame) {
  for (const CableModel model :
       {CableModel::joints, CableModel::hoist, CableModel::strand, CableModel::chain, CableModel::particles}) {
    struct Thrown {
      Vec3 apart;
      double change = 0.0, remains = 0.0;  // J
    };
    const auto thrown = [&](const Vec3& velocity, double height) {
      Description d = heavy(1.0 / 480, 9.81);
      for (const int e : {0, 1}) {
        BodySettings b = rigid(e == 0 ? 2.0 : 1.0, Vec3::Constant(0.01), Vec3(2.0 * e - 1.0, 0, height));
        b.velocity = velocity + Vec3(0, 0, e == 0 ? 3.0 : -3.0);
        b.angularVelocity = Vec3(0, 3, 0);
        d.bodies.emplace_back(e == 0 ? "a" : "b", b);
      }
      CableSettings c;
      c.model = model;
      c.material.mass = model == CableModel::joints ? 0.0 : 0.05;
      LinkSettings a, b;
      a.on = "a", b.on = "b";
      c.route = {a, b};
      d.cables.emplace_back("c", c);
      World w = make(d);
      const double start = measure(w, "energy.total");
      run(w, 0.8);
      const Observation seen = w.observe();
      if (model != CableModel::particles) {  // projections take energy
        EXPECT_NEAR(seen.energy.total, start, 1e-3 * std::fabs(start) + 0.02) << modelName(model);
      }
      return Thrown{seen.bodies[0].second.position - seen.bodies[1].second.position, seen.energy.total - start,
                    seen.energy.remains};
    };
    const Thrown still = thrown(Vec3::Zero(), 0.0), higher = thrown(Vec3::Zero(), 100.0);
    EXPECT_LT((thrown(Vec3(30, 0, 20), 0.0).apart - still.apart).norm(), 1e-5) << modelName(model);
    EXPECT_LT((higher.apart - still.apart).norm(), 1e-6) << modelName(model);
    EXPECT_NEAR(higher.change, still.change, 1e-5) << modelName(model);
    EXPECT_NEAR(higher.remains, still.remains, 1e-5) << modelName(model);
  }
}

}  // namespace
}  // namespace reeve::test
