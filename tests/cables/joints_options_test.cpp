// What a route may ask for besides its links: weight, bending resistance, compression, lengths, candidates in space;
// and the same machines under the other solver.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

TEST(RestLength, IsAsGivenOrMeasuredOrSuchThatTheStartTensionIsAsAsked) {
  const auto scene = [] {
    Description d = still(1.0 / 240);
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), 0.5, 0.1));
    CableSettings& c = addCable(
        d, "rope", {attachTo("world", Vec3(-0.5, 0, -3)), rollOver("wheel", 1), attachTo("world", Vec3(0.5, 0, -4))});
    c.material.axial = 1e4;
    return d;
  };
  const double path = 3 + 0.5 * M_PI + 4;
  Description given = scene();
  given.cables[0].second.length = 12.0;
  EXPECT_NEAR(measure(make(given), "cables.rope.length"), 12.0, 1e-12);
  EXPECT_NEAR(measure(make(scene()), "cables.rope.length"), path, 1e-12);
  Description taut = scene();
  taut.cables[0].second.tension = 250.0;
  World w = make(taut);
  EXPECT_NEAR(tension(w, 0), 250.0, 1e-8);
  run(w, 0.1);
  EXPECT_NEAR(tension(w, 0), 250.0, 1e-6);
  EXPECT_NEAR(tension(w, 1), 250.0, 1e-6);
}

TEST(Drawing, ASlackSpanHangsAsACurveOfItsOwnLength) {
  Description d = heavy(1.0 / 240);
  addCable(d, "rope", {attachTo("world", Vec3(-1, 0, 0)), attachTo("world", Vec3(1, 0, 0.5))}).length = 3.0;
  World w = make(d);
  run(w, 0.1);
  const Observation o = w.observe();
  double length = 0.0;
  const auto& line = o.cables[0].second.polyline;
  for (std::size_t i = 1; i < line.size(); ++i) length += (line[i] - line[i - 1]).norm();
  EXPECT_NEAR(length, 3.0, 1e-8);
}

/// A span along x with a weight over a wheel, and a body that comes down on it.
Description pressed(ShapeSettings shape, Vec3 place, Quat turn) {
  Description d = heavy(1.0 / 240);
  BodySettings& b = addMoved(d, "body", place, Vec3(0, 0, -1), ramp({{0, 0}, {2, 1.0}, {3, 1.0}, {5, 0}}));
  b.shapes.push_back(std::move(shape));
  b.orientation = turn;
  d.rotors.emplace_back("wheel", wheelAt(Vec3(3, 0, -0.3), 0.3, 0.01));
  addMass(d, "load", 10.0, Vec3(3.3, 0, -6)).drag = 40.0;
  CableSettings& c = addCable(d, "rope", {attachTo("world", Vec3(-3, 0, 0)), rollOver("wheel", 1), attachTo("load")});
  c.material.axial = 1e6;
  c.material.friction = 0.0;
  c.tension = 100.0;
  c.candidates = {"body"};
  return d;
}

TEST(Candidate, ASphereABoxAndALeaningCylinderAreTakenInAndLetGo) {
  ShapeSettings leaning = cylinderAlongY(0.2, 2.0);
  const struct {
    const char* what;
    ShapeSettings shape;
    Vec3 place;
    Quat turn;
    double lift;
  } cases[] = {
      {"sphere", sphere(0.3), Vec3(0, 0, 0.8), Quat::Identity(), 0.3},
      {"box", box(Vec3(0.6, 0.8, 0.4)), Vec3(0, 0, 0.7), Quat::Identity(), 0.2},
      {"cylinder off its middle", cylinderAlongY(0.2, 2.0), Vec3(0, 0.6, 0.7), Quat::Identity(), 0.2},
      {"leaning cylinder", leaning, Vec3(0, 0, 0.7), Quat(std::cos(0.2), 0, 0, std::sin(0.2)), 0.2},
  };
  for (const auto& c : cases) {
    World w = make(pressed(c.shape, c.place, c.turn));
    const double length = measure(w, "cables.rope.length"), start = measure(w, "particles.load.position.z");
    int splits = 0, merges = 0;
    double most = -99.0;
    for (int i = 0; i < 240 * 6; ++i) {
      ASSERT_TRUE(w.step().good) << c.what;
      for (const Event& e : w.takeEvents()) {
        splits += e.what.find("split") == 0;
        merges += e.what.find("merge") == 0;
      }
      ASSERT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-9) << c.what;
      most = std::max(most, measure(w, "particles.load.position.z"));
    }
    EXPECT_GE(splits, 1) << c.what;
    EXPECT_EQ(splits, merges) << c.what;
    // Pressed down by about half a metre in the middle of six: the load rises by about 2(√(9 + 0.5²) − 3).
    EXPECT_GT(most - start, 0.05) << c.what;
    EXPECT_LT(most - start, 0.35) << c.what;
    EXPECT_NEAR(measure(w, "particles.load.position.z"), start, 2e-2) << c.what;
  }
}

TEST(Candidate, ACylinderThatPassesBesideTheSpanIsNotTakenIn) {
  World w = make(pressed(cylinderAlongY(0.2, 0.5), Vec3(0, 0.4, 0.7), Quat::Identity()));
  for (int i = 0; i < 240 * 4; ++i) {
    ASSERT_TRUE(w.step().good);
    EXPECT_TRUE(w.takeEvents().empty());
  }
}

TEST(Hybrid, KeepsItsLengthOverAHundredThousandStepsOfSwitching) {
  Description d = heavy(1.0 / 480);
  d.bodies.emplace_back("toy", rigid(0.5, Vec3(0.005, 0.005, 0.005), Vec3(0, 0, -0.2)));
  LinkSettings drum = woundOn("toy", -1, 0.3, LinkType::hybrid);
  drum.radius = 0.05;
  drum.axis = Vec3::UnitY();
  addCable(d, "rope", {attachTo("world", Vec3(-0.05, 0, 0)), drum});
  World w = make(d);
  const double length = measure(w, "cables.rope.length");
  int switches = 0;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_TRUE(w.step().good);
    if (i % 100 == 0) switches += static_cast<int>(w.takeEvents().size());
  }
  EXPECT_GT(switches, 20);
  EXPECT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-9);
}

Description swept(Description d) {
  d.settings.solver = SolverChoice::sweep;
  d.settings.substeps = 8;
  d.settings.iterations = 10;
  return d;
}

TEST(Sweep, WindsAndPaysOutTheSameLengthsAsDirect) {
  Description d = swept(heavy(1.0 / 60));
  d.rotors.emplace_back("drum", wheelAt(Vec3(0, 0, 5), 0.25, 0.5));
  addMass(d, "load", 10.0, Vec3(0.25, 0, 0));
  addMotor(d, "drum", DriveType::velocity, ramp({{0, 0}, {1, 2}, {4, 2}, {5, 0}}));
  addCable(d, "rope", {woundOn("drum", 1, 10.0), attachTo("load")});
  World w = make(d);
  run(w, 6.0);
  const double turn = measure(w, "rotors.drum.angle");
  EXPECT_NEAR(turn, 8.0, 1e-2);
  EXPECT_NEAR(measure(w, "cables.rope.links.0.stored"), 10.0 - 0.25 * turn, 1e-9);
  EXPECT_NEAR(measure(w, "particles.load.position.z"), -0.25 * turn, 1e-3);
  EXPECT_NEAR(tension(w, 0), 100.0, 0.5);
}

TEST(Sweep, SplitsMergesAndSwitchesConserveLength) {
  Description d = swept(pressed(cylinderAlongY(0.2, 2.0), Vec3(0, 0, 0.7), Quat::Identity()));
  World w = make(d);
  const double length = measure(w, "cables.rope.length");
  int splits = 0, merges = 0;
  for (int i = 0; i < 240 * 6; ++i) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) {
      splits += e.what.find("split") == 0;
      merges += e.what.find("merge") == 0;
    }
    ASSERT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-9);
  }
  EXPECT_GE(splits, 1);
  EXPECT_EQ(splits, merges);
  Description y = swept(heavy(1.0 / 240));
  y.bodies.emplace_back("toy", rigid(0.5, Vec3(0.005, 0.005, 0.005), Vec3(0, 0, -0.2)));
  LinkSettings drum = woundOn("toy", -1, 0.6, LinkType::hybrid);
  drum.radius = 0.05;
  drum.axis = Vec3::UnitY();
  addCable(y, "rope", {attachTo("world", Vec3(-0.05, 0, 0)), drum});
  World toy = make(y);
  bool held = false, again = false;
  double lowest = 0.0;
  for (int i = 0; i < 240 * 3; ++i) {
    ASSERT_TRUE(toy.step().good);
    for (const Event& e : toy.takeEvents()) {
      held = held || e.what.find("holds") == 0;
      again = again || (held && e.what.find("rolls") == 0);
    }
    lowest = std::min(lowest, measure(toy, "bodies.toy.position.z"));
  }
  EXPECT_TRUE(held && again);
  EXPECT_NEAR(lowest, -0.85, 0.02);
  EXPECT_NEAR(measure(toy, "cables.rope.length"), 0.8, 1e-9);
}

}  // namespace
}  // namespace reeve::test
