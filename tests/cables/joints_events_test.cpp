// Splits, merges, breaks: cable is never created or lost, and tension passes them without a jump.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

TEST(Split, RestLengthIsConstantOverAHundredThousandStepsOfSplitsAndMerges) {
  Profile travel;
  travel.offset = 0.9;
  travel.amplitude = 0.3;
  travel.frequency = 2.0;
  Description d = stretched(travel, false, 0.1, Vec3(0, 0, 1), 0.2, 1.0 / 240);
  World w = make(d);
  const double length = measure(w, "cables.rope.length");
  int events = 0;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_TRUE(w.step().good) << w.verdict().culprit << w.verdict().reason << i;
    if (i % 50 == 0) events += static_cast<int>(w.takeEvents().size());
  }
  EXPECT_GT(events, 1000);
  EXPECT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-9);
}

TEST(Lost, WheelsThatTurnWhileASpanHasNoTangentKeepWhatLiesOnThemAndNoEnergyIsWon) {
  // A roller is driven into a wheel, so that the crossed span between them is lost, and out again, while a motor turns
  // the wheel: what it carries on at one side it must take from the other.
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = still(1.0 / 240);
    d.settings.solver = solver;
    addMoved(d, "arm", Vec3(1.5, 0, 0), Vec3(-1, 0, 0), ramp({{0, 0}, {1, 1.2}, {2, 1.2}, {3, 0}}));
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), 0.4, 0.1));
    d.rotors.emplace_back("roller", wheelAt(Vec3::Zero(), 0.3, 0.05, "arm"));
    addMotor(d, "wheel", DriveType::velocity, ramp({{0, 0}, {1, 3}, {2, 3}, {3, -2}}));
    addMass(d, "left", 1.0, Vec3(-0.4, 0, -5)).drag = 1.0;
    addMass(d, "right", 1.0, Vec3(1.2, 0, 5)).drag = 1.0;
    for (const auto& [name, force] : {std::pair{"left", -10.0}, std::pair{"right", 10.0}}) {
      ForceSettings f;
      f.on = name;
      f.force = Vec3(0, 0, force);
      d.forces.emplace_back(name, f);
    }
    addCable(d, "rope", {attachTo("left"), rollOver("wheel", 1), rollOver("roller", -1), attachTo("right")});
    World w = make(d);
    const double length = measure(w, "cables.rope.length");
    bool lost = false, back = false;
    int since = 99;
    double before = 0.0;
    for (int i = 0; i < 240 * 5; ++i) {
      ASSERT_TRUE(w.step().good);
      ++since;
      for (const Event& e : w.takeEvents()) {
        lost = lost || e.what.find("has no tangent") != std::string::npos;
        if (e.what.find("has a tangent again") == std::string::npos) continue;
        back = true;
        since = 0;
      }
      ASSERT_NEAR(measure(w, "cables.rope.length") / length, 1.0, 1e-9);
      for (const LinkObservation& l : cableOf(w).links)
        if (l.kind == "roll") {
          ASSERT_GE(l.stored, -1e-9) << l.on << w.time();
          ASSERT_NEAR(l.stored, l.wrap * (l.on == "wheel" ? 0.4 : 0.3), 1e-9) << l.on << w.time();
        }
      // In a step two forces of 10 N do 20 N · v · dt, v up to 10 m/s; what is drawn in would be felt at once.
      const double energy = measure(w, "energy.kinetic");
      if (since < 5) {
        ASSERT_LT(energy, before + 20.0 * 10.0 / 240) << w.time();
      }
      before = energy;
    }
    EXPECT_TRUE(lost);
    EXPECT_TRUE(back);
  }
}

std::string problemOf(Description d) {
  const auto world = World::build(std::move(d));
  return world ? "" : world.error().path + ": " + world.error().reason + "; " + world.error().remedy;
}

TEST(BadRoute, IsRefusedWithItsPlaceAndARemedy) {
  const auto scene = [](std::vector<LinkSettings> route) {
    Description d = heavy(1.0 / 240);
    addMass(d, "p", 1.0, Vec3(-3, 0, 0));
    addMass(d, "q", 1.0, Vec3(3, 0, 0));
    addMass(d, "inner", 1.0, Vec3(0.1, 0, 0));
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), 0.5, 0.1));
    d.rotors.emplace_back("close", wheelAt(Vec3(0.7, 0, 0), 0.5, 0.1));
    addFixed(d, "post");
    addCable(d, "rope", std::move(route));
    return d;
  };
  EXPECT_NE(problemOf(scene({attachTo("inner"), rollOver("wheel", 1), attachTo("q")})).find("no tangent"),
            std::string::npos);
  EXPECT_NE(
      problemOf(scene({attachTo("p"), rollOver("wheel", 1), rollOver("close", -1), attachTo("q")})).find("no tangent"),
      std::string::npos);
  // A link inside a body: a point in a wheel, and one in the shape the cable is to run on.
  EXPECT_NE(problemOf(scene({attachTo("p"), rollOver("wheel", 1), through("world", Vec3(0.2, 0, 0)), attachTo("q")}))
                .find("inside"),
            std::string::npos);
  {
    Description d = scene({attachTo("p"), rollOver("block", 1), attachTo("inner")});
    addFixed(d, "block").shapes.push_back(box(Vec3(1, 1, 1)));
    d.cables[0].second.route[1].shape = 0;
    EXPECT_EQ(problemOf(d).find("/cables/rope/route/2"), 0u) << problemOf(d);
    EXPECT_NE(problemOf(d).find("inside"), std::string::npos);
  }
  for (const double height : {0.0, 0.3, -0.45}) {
    LinkSettings waiting = rollOn("post", Vec3(0, 0, height), 0.5, 1, 0.0);
    waiting.active = false;
    EXPECT_NE(problemOf(scene({attachTo("p"), waiting, attachTo("q")})).find("starts across"), std::string::npos);
    waiting.point.z() = 0.51;
    EXPECT_EQ(problemOf(scene({attachTo("p"), waiting, attachTo("q")})), "");
  }
  EXPECT_NE(problemOf(scene({attachTo("p"), rollOver("post", 1), attachTo("q")})).find("radius"), std::string::npos);
  EXPECT_NE(
      problemOf(scene({attachTo("p"), rollOver("wheel", 1), rollOver("wheel", -1), attachTo("q")})).find("same wheel"),
      std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), rollOver("nowhere", 1), attachTo("q")})).find("nowhere"),
            std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), rollOver("wheel", 1)})).find("cannot end"), std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), woundOn("wheel", 1, 1.0), attachTo("q")})).find("middle"),
            std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), rollOver("q", 1), attachTo("q")})).find("particle"), std::string::npos);
  Description closed = scene({attachTo("p"), rollOver("wheel", 1), attachTo("q")});
  closed.cables[0].second.closed = true;
  EXPECT_NE(problemOf(closed).find("closed"), std::string::npos);
  Description tight = scene({attachTo("p"), rollOver("wheel", 1), attachTo("q")});
  tight.cables[0].second.length = 1.0;
  EXPECT_NE(problemOf(tight).find("shorter"), std::string::npos);
  EXPECT_NE(problemOf(scene({attachTo("p"), attachTo("p")})).find("move them apart"), std::string::npos);
  // What would have no effect beside something else.
  Description twice = scene({attachTo("p"), attachTo("q")});
  twice.cables[0].second.length = 20.0;
  EXPECT_EQ(problemOf(twice), "");
  twice.cables[0].second.slack = 1.0;
  EXPECT_EQ(problemOf(twice).find("/cables/rope/slack:"), 0u) << problemOf(twice);
  twice.cables[0].second.slack = 0.0;
  twice.cables[0].second.slacks = {1.0};
  EXPECT_EQ(problemOf(twice).find("/cables/rope/slacks:"), 0u) << problemOf(twice);
  Description soft = scene({attachTo("p"), attachTo("q")});
  soft.cables[0].second.compliance = 0.01;
  EXPECT_EQ(problemOf(soft), "");
  soft.cables[0].second.material.axial = 1e5;
  EXPECT_EQ(problemOf(soft).find("/cables/rope/compliance:"), 0u) << problemOf(soft);
}

TEST(BadRoute, NoLinkMayStartInsideABodyTheCableMayMeet) {
  const auto scene = [](Vec3 body, std::vector<LinkSettings> route) {
    Description d = heavy(1.0 / 240);
    addMass(d, "p", 1.0, Vec3(-3, 0, 0));
    addMass(d, "q", 1.0, Vec3(3, 0, 0));
    d.rotors.emplace_back("wheel", wheelAt(Vec3(0, 0, 1), 0.2, 0.1));
    addFixed(d, "block", body).shapes.push_back(box(Vec3(1, 1, 1)));
    addCable(d, "rope", std::move(route)).candidates = {"block"};
    return d;
  };
  const std::vector<LinkSettings> straight{attachTo("p"), attachTo("q")};
  const std::vector<LinkSettings> bent{attachTo("p"), through("world", Vec3(0, 0, 1)), attachTo("q")};
  const std::vector<LinkSettings> rolled{attachTo("p"), rollOver("wheel", 1), attachTo("q")};
  const auto expectRefused = [&](const Description& d, const std::string& path, const std::string& reason) {
    const std::string problem = problemOf(d);
    EXPECT_EQ(problem.find(path + ":"), 0u) << problem;
    EXPECT_NE(problem.find(reason), std::string::npos) << problem;
    EXPECT_NE(problem.find("candidates"), std::string::npos) << problem;
  };
  expectRefused(scene(Vec3(-3.2, 0, 0.2), straight), "/cables/rope/route/0", "starts inside 'block'");
  expectRefused(scene(Vec3(3.2, 0, 0.2), straight), "/cables/rope/route/1", "starts inside 'block'");
  expectRefused(scene(Vec3(0, 0, 1.2), bent), "/cables/rope/route/1", "starts inside 'block'");
  expectRefused(scene(Vec3(0, 0, 1.2), rolled), "/cables/rope/route/1", "starts inside 'block'");
  EXPECT_EQ(problemOf(scene(Vec3(0, 0, 0.51), straight)), "");
  EXPECT_EQ(problemOf(scene(Vec3(0, 0, 0.5), straight)), "");  // it may touch
  // Fixed to the body itself it may start anywhere on it.
  EXPECT_EQ(problemOf(scene(Vec3(0, 0, 0.2), {attachTo("p"), attachTo("block")})), "");
}

TEST(BadRoute, AnEndThatFliesIntoABodyTheCableMayMeetIsAnEvent) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = still(1.0 / 240);
    d.settings.solver = solver;
    addMass(d, "p", 1.0, Vec3(-3, 0, 0)).velocity = Vec3(4, 0, 0);
    addMass(d, "q", 1.0, Vec3(-3, 0, 4));
    addFixed(d, "block").shapes.push_back(box(Vec3(1, 1, 1)));
    CableSettings& c = addCable(d, "rope", {attachTo("p"), attachTo("q")});
    c.slack = 10.0;
    c.candidates = {"block"};
    World w = make(d);
    int told = 0;
    double when = 0.0;
    for (int i = 0; i < 480; ++i) {
      ASSERT_TRUE(w.step().good);
      for (const Event& e : w.takeEvents()) {
        if (e.what.find("is inside a body") != 0) continue;
        EXPECT_EQ(e.subject, "cables.rope.links.0");
        when = e.time;
        ++told;
      }
    }
    EXPECT_EQ(told, 1);
    EXPECT_NEAR(when, 2.5 / 4.0, 0.02);
  }
}

TEST(BadRoute, ABodyThatLiesAcrossTheCableFromTheStartIsAnEventAndNoBlow) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = still(1.0 / 240);
    d.settings.solver = solver;
    addMass(d, "p", 1.0, Vec3(-3, 0, 0));
    addMass(d, "q", 1.0, Vec3(3, 0, 0));
    addFixed(d, "block", Vec3(0, 0, 0.1)).shapes.push_back(box(Vec3(1, 1, 1)));
    addCable(d, "rope", {attachTo("p"), attachTo("q")}).candidates = {"block"};
    World w = make(d);
    int told = 0;
    for (int i = 0; i < 240; ++i) {
      ASSERT_TRUE(w.step().good);
      for (const Event& e : w.takeEvents()) told += e.what.find("lies across the cable") == 0;
    }
    EXPECT_EQ(told, 1);
    EXPECT_LT(measure(w, "energy.kinetic"), 1e-12);
  }
}

TEST(BadRoute, AWheelThatSwallowsAnEndAtRunTimeIsAnEventNotANaNAndNoEnergyIsWon) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = still(1.0 / 240);
    d.settings.solver = solver;
    addMass(d, "p", 1.0, Vec3(-2, 0, 0.5)).velocity = Vec3(4, 0, -1.0);
    d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), 0.5, 0.1));
    addMass(d, "q", 1.0, Vec3(2, 0, 0.5));
    addCable(d, "rope", {attachTo("p"), rollOver("wheel", 1), attachTo("q")});
    World w = make(d);
    const double energy = measure(w, "energy.kinetic");
    bool told = false, back = false;
    for (int i = 0; i < 480; ++i) {
      ASSERT_TRUE(w.step().good);
      for (const Event& e : w.takeEvents()) {
        told = told || e.what.find("no tangent") != std::string::npos;
        back = back || e.what.find("has a tangent again") != std::string::npos;
      }
      ASSERT_TRUE(std::isfinite(measure(w, "particles.q.position.x")));
      ASSERT_LT(measure(w, "energy.kinetic"), energy * (1.0 + 1e-9)) << w.time();
    }
    EXPECT_TRUE(told);
    EXPECT_TRUE(back);
  }
}

TEST(Names, OfRowsAndOfCableThatSlidesAreThoseOfTheScene) {
  // An eye drawn along a rope faster than the scene allows: the cable in it is what exceeds the bounds.
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = still(1.0 / 240);
    d.settings.solver = solver;
    d.settings.bounds = 5.0;
    addMoved(d, "eye", Vec3(0, 0, 0.5), Vec3(1, 0, 0), ramp({{0, 0}, {0.2, 2.0}}));
    CableSettings& c =
        addCable(d, "rope", {attachTo("world", Vec3(-3, 0, 0)), through("eye"), attachTo("world", Vec3(3, 0, 0))});
    c.material.axial = 1e3;
    c.tension = 10.0;
    World w = make(d);
    while (w.time() < 0.2 && w.step().good) {
    }
    EXPECT_EQ(w.verdict().culprit, "cables.rope.links.1 (cable that slides over it)");
  }
}

TEST(Names, AChainThatSweepsDoNotSolveSaysSoStaysFiniteAndNamesItsWorstRow) {
  // Four thousand times the mass of a bead on a hundred of them; a part of a machine has 32 rows at most.
  Description d = heavy(1.0 / 60);
  d.settings.solver = SolverChoice::sweep;
  d.settings.iterations = 20;
  const int beads = 100;
  std::string last = "world";
  for (int i = 0; i <= beads; ++i) {
    const std::string name = "bead" + std::to_string(i);
    addMass(d, name, i == beads ? 200.0 : 0.05, Vec3(0.06 * (i + 1), 0, -0.08 * (i + 1)));
    addCable(d, "string" + std::to_string(i), {attachTo(last), attachTo(name)});
    last = name;
  }
  World w = make(d);
  for (int i = 0; i < 120; ++i) ASSERT_TRUE(w.step().good) << w.verdict().culprit << w.verdict().reason;
  EXPECT_GT(measure(w, "health.unconverged"), 50.0);
  const std::string worst = w.observe().health.worst;
  EXPECT_EQ(worst.find("cables.string"), 0u) << worst;
  EXPECT_NE(worst.find(".links.0 (span after it)"), std::string::npos) << worst;
  EXPECT_TRUE(std::isfinite(w.observe().health.worstError));
  // Direct solves it.
  d.settings.solver = SolverChoice::direct;
  d.settings.iterations = 0;
  World exact = make(d);
  run(exact, 1.0);
  EXPECT_EQ(measure(exact, "health.unconverged"), 0.0);
  EXPECT_LT(exact.observe().health.worstError, 1e-9);
}

}  // namespace
}  // namespace reeve::test
