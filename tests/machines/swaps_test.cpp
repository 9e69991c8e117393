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
};

constexpr std::array<Swapped, 12> twelve{{{"atwood", 0.5, ""},
                                          {"pulley", 0.4, ""},
                                          {"tackle-16", 0.3, ""},
                                          {"gym", 1.6, ""},
                                          {"crane", 3.0, ""},
                                          {"elevator-compensated", 0.4, ""},
                                          {"belt", 0.4, ""},
                                          {"capstan", 0.4, ""},
                                          {"winch", 0.4, ""},
                                          {"differential-hoist", 0.4, ""},
                                          {"tower-crane", 0.3, "", 0.02, "/cables/hoist/candidates"},
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
    const double within = machine.within;
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

constexpr CableModel everyModel[] = {CableModel::joints, CableModel::hoist, CableModel::strand, CableModel::chain,
                                     CableModel::particles};

/// The same motion, and the same changes of energy, in a frame that moves and 100 m further up.
TEST(Galilean, AThrownPairMovesTheSameInEveryModelWhateverTheFrame) {
  struct Thrown {
    Vec3 apart;
    double change = 0.0;  ///< J, of the energy
  };
  for (const CableModel model : everyModel) {
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
      return Thrown{w.observe().bodies[0].second.position - w.observe().bodies[1].second.position,
                    measure(w, "energy.total") - start};
    };
    const Thrown still = thrown(Vec3::Zero(), 0.0);
    // Of 86 J; positions of particles take 1 % of it in their steps of first order.
    EXPECT_LT(std::fabs(still.change), model == CableModel::particles ? 0.9 : 0.02) << modelName(model);
    for (const auto& [velocity, height] : {std::pair(Vec3(30, 0, 20), 0.0), std::pair(Vec3(0, 0, 0), 100.0)}) {
      const Thrown other = thrown(velocity, height);
      EXPECT_LT((other.apart - still.apart).norm(), 1e-9) << modelName(model);
      EXPECT_NEAR(other.change, still.change, model == CableModel::hoist ? 0.03 : 1e-6) << modelName(model);
    }
  }
}

/// Two loads over a wheel, on a carriage that stands, or runs at 30 m/s, or stands 100 m further up.
TEST(Galilean, AnAtwoodMachineOnACarriageMovesTheSameInEveryModel) {
  for (const CableModel model : everyModel) {
    double remains = 0.0;
    const auto apart = [&](double speed, double height) {
      Description d = heavy(1.0 / 480, 9.81);
      BodySettings carriage;
      carriage.motion = BodyMotion::kinematic;
      carriage.position = Vec3(0, 0, height);
      MotionSettings along;
      along.along = Vec3::UnitX();
      along.travel.rate = speed;
      carriage.prescribed = along;
      d.bodies.emplace_back("carriage", carriage);
      RotorSettings wheel;
      wheel.on = "carriage";
      wheel.radius = 0.3;
      wheel.inertia = 0.05;
      d.rotors.emplace_back("wheel", wheel);
      CableSettings c;
      c.model = model;
      c.material.mass = 0.05;
      c.weight = model == CableModel::joints;
      c.route.resize(3);
      for (const int e : {0, 1}) {
        ParticleSettings load;
        load.position = Vec3(e == 0 ? -0.3 : 0.3, 0, height - 3.0);
        load.velocity = Vec3(speed, 0, 0);
        load.mass = e == 0 ? 1.0 : 1.5;
        d.particles.emplace_back(e == 0 ? "left" : "right", load);
        c.route[e == 0 ? 0 : 2].on = e == 0 ? "left" : "right";
      }
      c.route[1].type = LinkType::roll;
      c.route[1].on = "wheel";
      d.cables.emplace_back("c", c);
      World w = make(d);
      run(w, 0.5);
      remains = measure(w, "energy.remains");
      return Vec3(w.observe().particles[1].second.position - w.observe().particles[0].second.position);
    };
    const Vec3 still = apart(0.0, 0.0);
    const double left = remains;
    EXPECT_LT(still.z(), -0.3) << modelName(model);
    EXPECT_LT((apart(30.0, 0.0) - still).norm(), 1e-5) << modelName(model);
    EXPECT_LT((apart(0.0, 100.0) - still).norm(), 1e-9) << modelName(model);
    EXPECT_NEAR(remains, left, 1e-6) << modelName(model);
  }
}

}  // namespace
}  // namespace reeve::test
