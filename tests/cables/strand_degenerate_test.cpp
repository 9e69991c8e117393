// Strands where something comes to nothing: nodes that meet, segments that are used up, ends that come to a wheel. Each
// is refused at the start with a place and a remedy, or told as an event and gone through without a gain of energy.
#include <map>

#include "cables/strand_scenes.h"
#include "support/dice.h"
#include "support/soak.h"

namespace reeve::test {
namespace {

/// Runs, counts events, and watches energy and material.
struct Followed {
  std::map<std::string, int> events;
  double gained = 0.0, kinetic = 0.0, stretched = 0.0;
  bool good = true;
};
Followed follow(World& world, double seconds) {
  Followed out;
  const double length = measure(world, "cables.rope.length");
  double energy = 0.0;
  for (int k = 0; world.time() < seconds - 1e-9; ++k) {
    out.good = world.step().good;
    if (!out.good) break;
    for (const Event& e : world.takeEvents()) ++out.events[e.what];
    if (k == 2) energy = measure(world, "energy.total");
    out.kinetic = std::max(out.kinetic, measure(world, "energy.kinetic"));
    if (k > 2) out.gained = std::max(out.gained, measure(world, "energy.total") - energy);
    out.stretched = std::max(out.stretched, std::fabs(measure(world, "cables.rope.length") - length));
  }
  return out;
}
void expectClean(const Followed& w) {
  EXPECT_TRUE(w.good);
  EXPECT_LT(w.gained, 0.01 * w.kinetic);
  EXPECT_LT(w.stretched, 1e-9);
}

/// A heavy load draws a light one up to the sheave, and at its speed over it: points do not collide with rims.
TEST(StrandDegenerate, ALoadDrawnUpToAWheelKeepsItsTangentAndWinsNoEnergy) {
  for (const double lean : {0.0, 0.3}) {
    Description d = heavy(1.0 / 1000);
    d.rotors.emplace_back("sheave", wheelAt(Vec3::Zero(), 0.1, 1e-3, "world", Vec3(lean, 1, 0)));
    addMass(d, "light", 0.5, Vec3(-0.1, 0, -0.5));
    addMass(d, "heavy", 2.0, Vec3(0.1, 0, -0.5));
    addStrand(d, "rope", 0.1, {attachTo("light"), rollOver("sheave", 1), attachTo("heavy")});
    World world = make(d);
    const Followed w = follow(world, 1.0);
    expectClean(w);
    EXPECT_EQ(w.events.count("the span before this link has no tangent"), 0u) << lean;
  }
}

/// The hand goes up past the wheel: what is on it would be less than nothing.
TEST(StrandDegenerate, AStrandThatWouldLiftOffAWheelIsToldAndHeldDown) {
  Description d = heavy(1.0 / 1000);
  Profile travel;
  travel.rate = 1.0;
  addMoved(d, "hand", Vec3(-1.0, 0, -0.5), Vec3::UnitZ(), travel);
  addMass(d, "load", 1.0, Vec3(0.9, 0, -0.3));
  addStrand(d, "rope", 0.1,
            {attachTo("hand"), rollOn("world", Vec3::Zero(), 0.1, 1, 0.0), through("world", Vec3(0.8, 0, 0.1)),
             attachTo("load")});
  World world = make(d);
  const Followed w = follow(world, 0.9);
  EXPECT_TRUE(w.good);
  EXPECT_EQ(w.events.count("the strand would lift off this wheel: it is held down"), 1u);
  EXPECT_LT(w.stretched, 1e-9);
}

/// Two rings on one hoop, and a strand that is drawn straight between them by a hand that goes up.
TEST(StrandDegenerate, RingsOnOneHoopMeetWithoutPassing) {
  Description d = heavy(1.0 / 1000);
  addMass(d, "load", 1.0, Vec3(-1, 0, -0.7));
  Profile travel;
  travel.rate = 1.0;
  addMoved(d, "hand", Vec3(1, 0, -0.3), Vec3::UnitZ(), travel);
  const auto hoop = [](double angle) {
    return guideOn("world", GuideShape::circle, Vec3::Zero(), Vec3::UnitY(), 0.3, {angle});
  };
  addStrand(d, "rope", 0.1,
            {attachTo("load"), through("world", Vec3(-1, 0, 0.25)), hoop(-1.7), hoop(-1.0), attachTo("hand")});
  World world = make(d);
  const Followed w = follow(world, 1.0);
  EXPECT_TRUE(w.good);
  EXPECT_LT(w.stretched, 1e-9);
  for (const auto& [what, count] : w.events) std::printf("%5d %s\n", count, what.c_str());
  EXPECT_EQ(w.events.count("it has met the link before it"), 1u);
  EXPECT_EQ(measure(world, "health.unconverged"), 0.0);
}

TEST(StrandDegenerate, WhatHasNoLengthAtTheStartIsRefusedWithAPlaceAndARemedy) {
  const auto problem = [](std::vector<LinkSettings> route, double slack = 0.0) {
    Description d = heavy(1.0 / 1000);
    addMass(d, "load", 1.0, Vec3(1, 0, 0));
    addStrand(d, "rope", 0.1, std::move(route)).slack = slack;
    const auto world = World::build(d);
    if (world) return std::string();
    EXPECT_FALSE(world.error().remedy.empty());
    return world.error().path + ": " + world.error().reason;
  };
  const Vec3 here(0.2, 0, 0);
  EXPECT_EQ(problem({attachTo("world", here), through("world", here), attachTo("load")}),
            "/cables/rope/route/1: the span before it has no length");
  EXPECT_EQ(problem({attachTo("world"), through("world", here), through("world", here), attachTo("load")}),
            "/cables/rope/route/2: the span before it has no length");
  EXPECT_EQ(problem({attachTo("world"), tubeOn("world", {here, here}), attachTo("load")}),
            "/cables/rope/route/1/path: a sheath needs a path of some length");
  EXPECT_EQ(problem({attachTo("world", Vec3(0.05, 0, 0)), rollOn("world", Vec3::Zero(), 0.1, 1), attachTo("load")}),
            "/cables/rope/route/1: there is no tangent from the link before it with these sides");
  LinkSettings end = attachTo("world", here);
  end.hold = EndHold::free;
  EXPECT_EQ(problem({attachTo("world"), end}, 0.1),
            "/cables/rope/slack: every span of this strand ends in a free node, which keeps it straight");
  EXPECT_EQ(problem({attachTo("world"),
                     guideOn("world", GuideShape::circle, Vec3(0.5, 0, 0), Vec3::UnitY(), 0.1, {1.0}, {1.0}, false),
                     attachTo("load")}),
            "/cables/rope/route/1: the strand has no length before this link");
}

/// Random holes, tubes, free nodes and attachments, thrown about: material is kept, and energy is won by none that did
/// not say that a step went wrong.
Description thrown(unsigned seed) {
  Dice dice{seed * 7919u + 17u};
  for (int k = 0; k < 8; ++k) dice.share();
  Description d = heavy(1.0 / 500);
  const auto end = [&](double x) {
    const double what = dice.share();
    LinkSettings l = attachTo("world", Vec3(x, dice.between(-0.3, 0.3), dice.between(-0.5, 0.5)));
    if (what < 0.3) l.hold = EndHold::free;
    if (what > 0.6) {
      const std::string name = "end" + std::to_string(static_cast<int>(x));
      addMass(d, name, dice.between(0.05, 2.0), l.point).velocity = dice.vector(2.0);
      l = attachTo(name);
    }
    return l;
  };
  std::vector<LinkSettings> route{end(-1.0)};
  const int count = 1 + static_cast<int>(4 * dice.share());
  for (int k = 0; k < count; ++k) {
    const Vec3 x(0.8 * k, dice.between(-0.2, 0.2), dice.between(-0.4, 0.4));
    std::string on = "world";
    Vec3 here = x;
    if (dice.share() < 0.5) {
      on = "body" + std::to_string(k);
      BodySettings b = rigid(dice.between(0.1, 2.0), Vec3(0.02, 0.03, 0.02), x);
      b.velocity = dice.vector(1.0);
      b.angularVelocity = dice.vector(2.0);
      d.bodies.emplace_back(on, b);
      here = dice.vector(0.1);
    }
    const double what = dice.share();
    if (what < 0.5)
      route.push_back(through(on, here, dice.share() < 0.3 ? 0.3 : 0.0));
    else if (what < 0.7)
      route.push_back(tubeOn(on, {here, here + dice.vector(0.2), here + Vec3(0.2, 0, 0)}));
    else if (what < 0.85)
      route.push_back(freeNode(x, dice.vector(1.0)));
    else
      route.push_back(attachTo(on, here));
  }
  route.push_back(end(0.8 * count));
  CableSettings& c = addStrand(d, "rope", dice.between(0.02, 0.5), route);
  if (dice.share() < 0.3) c.slack = dice.between(0.0, 0.3);
  if (dice.share() < 0.2) c.material.axial = 1e4;
  if (dice.share() < 0.2) c.material.bending = 0.01;
  if (dice.share() < 0.2) c.material.drag = 0.1;
  return d;
}

TEST(StrandDegenerate, RoutesByDiceRunOrAreToldToGoWrong) {
  int ran = 0, went = 0;
  std::map<std::string, int> said;
  for (unsigned seed = 1; seed <= (soaking() ? 80u : 20u); ++seed) {
    auto world = World::build(thrown(seed));
    if (!world) {
      EXPECT_FALSE(world.error().path.empty() || world.error().remedy.empty()) << seed;
      ++said["refused: " + world.error().reason];
      continue;
    }
    const Followed w = follow(*world, 0.5);
    ++ran;
    for (const auto& [what, count] : w.events) said[what] += count;
    const bool wrong = measure(*world, "health.unconverged") > 0.0;
    went += wrong || !w.good;
    if (!w.good) {
      EXPECT_FALSE(world->verdict().reason.empty()) << seed;
    }
    if (wrong) continue;
    EXPECT_TRUE(w.good) << seed;
    EXPECT_LT(w.gained, 0.02 * w.kinetic + 1e-9) << seed;
    if (world->description().cables[0].second.material.axial == unbounded) {
      EXPECT_LT(w.stretched, 1e-9) << seed;
    }
  }
  for (const auto& [what, count] : said) std::printf("%5d %s\n", count, what.c_str());
  std::printf("%d ran, %d of them with a step that did not converge\n", ran, went);
  EXPECT_EQ(went, 0);
}

}  // namespace
}  // namespace reeve::test
