// Strands: twist, holes that slide along a line of Lagrangian nodes, and what a run keeps.
#include "cables/strand_scenes.h"
#include "reeve/model/model.h"
#include "reeve/model/state.h"

namespace reeve::test {
namespace {

/// A disc on a wire: I θ̈ = −GJ θ/L.
Description torsionPendulum(double inertia, double torsion, double length, int nodes) {
  Description d = heavy(1.0 / 1000);
  BodySettings disc = rigid(2.0, Vec3(0.1, 0.1, inertia), Vec3(0, 0, -length));
  disc.angularVelocity = Vec3(0, 0, 20.0);
  d.bodies.emplace_back("disc", disc);
  LinkSettings top = attachTo("world"), bottom = attachTo("disc");
  top.hold = bottom.hold = EndHold::clamped;
  CableSettings& wire = addStrand(d, "wire", 0.01, {top, bottom});
  wire.material.torsion = torsion;
  wire.nodes = nodes;
  return d;
}

TEST(Strand, TwistedByADiscSwingsItBackThroughWholeTurns) {
  const double inertia = 0.02, torsion = 0.05, length = 1.5, w = std::sqrt(torsion / (length * inertia));
  for (const int nodes : {0, 3}) {
    World world = make(torsionPendulum(inertia, torsion, length, nodes));
    for (int k = 1; k <= 4; ++k) {
      run(world, 0.5 * M_PI / w);
      const double rate = 20.0 * std::cos(w * world.time());
      EXPECT_NEAR(measure(world, "bodies.disc.angular_velocity.z"), rate, 2e-3 * 20.0)
          << nodes << " nodes, " << world.time();
    }
    // More than two turns at the dead points.
    EXPECT_GT(20.0 / w, 4 * M_PI);
    EXPECT_NEAR(measure(world, "energy.total"),
                measure(make(torsionPendulum(inertia, torsion, length, nodes)), "energy.total"),
                1e-3 * 0.5 * inertia * 400);
  }
}

/// Twist passes over a wheel and through the turns of a guide: the disc at the end swings as on a straight wire.
TEST(Strand, TwistPassesWheelsAndGuides) {
  const double inertia = 0.02, torsion = 0.05, r = 0.1;
  for (const bool wheel : {true, false}) {
    Description d = heavy(1.0 / 1000);
    BodySettings disc = rigid(2.0, Vec3(0.1, 0.1, inertia), Vec3(r, 0, -1.5));
    disc.angularVelocity = Vec3(0, 0, 20.0);
    d.bodies.emplace_back("disc", disc);
    LinkSettings top = attachTo("world", wheel ? Vec3(-0.5, 0, r) : Vec3(r, 0.05, 0.6)), bottom = attachTo("disc");
    top.hold = bottom.hold = EndHold::clamped;
    std::vector<LinkSettings> route{top, bottom};
    if (wheel) {
      route.insert(route.begin() + 1, rollOn("world", Vec3::Zero(), r, 1, 0.0));
    } else {
      LinkSettings helix =
          guideOn("world", GuideShape::helix, Vec3::Zero(), Vec3::UnitZ(), r, {4 * M_PI}, {0.0}, false);
      helix.pitch = 0.2;
      route.insert(route.begin() + 1, helix);
    }
    addStrand(d, "wire", 0.01, route).material.torsion = torsion;
    World world = make(d);
    const double w = std::sqrt(torsion / (measure(world, "cables.wire.length") * inertia));
    for (int k = 1; k <= 4; ++k) {
      run(world, 0.5 * M_PI / w);
      EXPECT_NEAR(measure(world, "bodies.disc.angular_velocity.z"), 20.0 * std::cos(w * world.time()), 4e-3 * 20.0)
          << (wheel ? "wheel" : "helix") << ", " << world.time();
    }
  }
}

TEST(Strand, ThatIsNotClampedCarriesNoTwist) {
  Description d = torsionPendulum(0.02, 0.05, 1.5, 0);
  d.cables[0].second.route[0].hold = d.cables[0].second.route[1].hold = EndHold::pinned;
  World world = make(d);
  run(world, 1.0);
  EXPECT_NEAR(measure(world, "bodies.disc.angular_velocity.z"), 20.0, 1e-9);
  d.cables[0].second.route[0].hold = EndHold::clamped;
  EXPECT_FALSE(World::build(d));
  d.cables[0].second.route[1].hold = EndHold::clamped;
  d.cables[0].second.material.torsion = 0.0;
  EXPECT_FALSE(World::build(d));
}

Description pen(bool sliding, int nodes) {
  Description d = heavy(1.0 / 1000);
  BodySettings b = rigid(0.05, Vec3(4e-6, 1e-4, 1e-4), Vec3(-0.3, 0, -0.15));
  b.orientation = Quat(Eigen::AngleAxisd(0.32, Vec3::UnitY()));
  d.bodies.emplace_back("pen", b);
  CableSettings& s =
      addStrand(d, "string", 0.02,
                {attachTo("world", Vec3(-0.8, 0, 0.1)), tubeOn("pen", {Vec3(-0.08, 0, 0), Vec3(0.08, 0, 0)}),
                 attachTo("world", Vec3(0.8, 0, -0.1))});
  s.sliding = sliding;
  s.nodes = nodes;
  return d;
}

/// The largest change of the pen's velocity in a step beyond that of the step before, m/s.
double jolt(World& world, double seconds) {
  double largest = 0.0;
  Vec3 last = Vec3::Zero(), change = Vec3::Zero();
  const int steps = static_cast<int>(std::lround(seconds / world.description().settings.dt));
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(world.step().good);
    const Vec3 v(measure(world, "bodies.pen.velocity.x"), 0.0, measure(world, "bodies.pen.velocity.z"));
    if (k > 2) largest = std::max(largest, (v - last - change).norm());
    change = v - last;
    last = v;
  }
  return largest;
}

TEST(Strand, WithHolesThatSlideThrowsThePenAboutAndWithEulerianNodesNot) {
  World smooth = make(pen(false, 0)), bouncing = make(pen(true, 6));
  EXPECT_EQ(bouncing.observe().cables[0].second.eulerian, 0);
  const double calm = jolt(smooth, 1.0), thrown = jolt(bouncing, 1.0);
  EXPECT_LT(calm, 1e-3);
  EXPECT_GT(thrown, 20 * calm);
  EXPECT_NEAR(measure(bouncing, "cables.string.length"),
              bouncing.observe().cables[0].second.spans[0].rest + bouncing.observe().cables[0].second.spans[1].rest,
              1e-9);
}

/// A heavy strand flows through bent holes, tubes and over wheels that lean, all of them free in space: what turns the
/// material pushes them by ρ v², and all together keep momentum and energy.
TEST(Strand, FlowingThroughBentHolesInSpaceKeepsMomentumAndEnergy) {
  for (const int what : {0, 1, 2, 3}) {
    Description d = still(1.0 / 1000);
    addMass(d, "p", 0.3, Vec3(-1.5, 0.3, -1)).velocity = Vec3(-1.66, 0.3, -1.1);
    addMass(d, "q", 0.4, Vec3(1.5, -0.2, -1)).velocity = Vec3(-1.66, 0.2, 1.1);
    d.bodies.emplace_back("a", rigid(0.5, Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 0)));
    d.bodies[0].second.velocity = Vec3(0, 0, 1.5);
    LinkSettings link = through("a", Vec3(0.05, 0.02, 0.1));
    if (what == 1) link = tubeOn("a", {Vec3(-0.2, 0, 0), Vec3(0.0, 0.1, 0.1), Vec3(0.2, 0.0, 0.0)});
    if (what == 2) {
      link = rollOn("a", Vec3::Zero(), 0.2, 1, 0.0);
      link.axis = Vec3(0.2, 1.0, 0.3);
    }
    if (what == 3) {
      d.rotors.emplace_back("r", wheelAt(Vec3::Zero(), 0.2, 0.01, "a", Vec3(0.2, 1.0, 0.3)));
      d.rotors[0].second.rate = -10.0;  // as the strand runs: it does not come slack
      link = rollOver("r", 1);
    }
    addStrand(d, "rope", 0.5, {attachTo("p"), link, attachTo("q")});
    World world = make(d);
    const auto linear = [&] {  // every block's own three are moved by a displacement of everything
      Vec3 sum = Vec3::Zero();
      for (const Block& b : world.model().blocks)
        for (int k = 0; b.free && b.dof >= 3 && k < 3; ++k)
          sum[k] += world.state().p[static_cast<std::size_t>(b.v + k)];
      return sum;
    };
    run(world, 0.05);  // all spans have come taut: until then a catch takes what it takes
    const Vec3 start = linear();
    const double energy = measure(world, "energy.total"), before = measure(world, "cables.rope.spans.0.length");
    run(world, 0.3);
    EXPECT_GT(measure(world, "cables.rope.spans.0.length"), before + 0.2) << what;
    EXPECT_GT(measure(world, "cables.rope.spans.0.tension"), 0.05) << what;
    EXPECT_LT((linear() - start).norm(), 1e-9 * start.norm()) << what;
    EXPECT_NEAR(measure(world, "energy.total"), energy, 1e-6 * energy) << what;
  }
}

/// Without weight a strand is drawn round a corner at a constant speed, and goes on with it when its end is out.
TEST(Strand, WhoseFreeEndSlipsOutOfAHoleGoesOn) {
  Description d = still(1.0 / 1000);
  addMass(d, "load", 0.5, Vec3(0, 0, -0.5)).velocity = Vec3(0, 0, -1);
  addStrand(d, "rope", 0.1, {freeNode(Vec3(0.3, 0, 0), Vec3(-1, 0, 0)), through("world"), attachTo("load")});
  World world = make(d);
  const double length = measure(world, "cables.rope.length");
  world.step();
  const double energy = measure(world, "energy.total"), speed = measure(world, "particles.load.velocity.z");
  EXPECT_LT(speed, -0.9);  // what flows through the hole was not yet moving
  std::vector<Event> events;
  double out = 0.0;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(world.step().good) << world.verdict().reason;
    for (Event& e : world.takeEvents()) {
      out = world.time();
      events.push_back(e);
    }
    EXPECT_NEAR(measure(world, "cables.rope.length"), length, 1e-10);
  }
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].what, "the strand's free end has slipped out of this link");
  EXPECT_EQ(events[0].subject, "cables.rope.links.1");
  EXPECT_NEAR(out, 0.3 / -speed, 0.01);
  EXPECT_NEAR(measure(world, "energy.total"), energy, 1e-3 * energy);
  EXPECT_NEAR(measure(world, "particles.load.velocity.z"), speed, 1e-3);
}

/// A box comes up under a taut strand, lifts it, and goes down again.
TEST(Strand, LiesOnTheEdgesOfABoxItMeetsAndLeavesThem) {
  Description d = heavy(1.0 / 1000);
  Profile travel;
  travel.amplitude = 0.25;
  travel.frequency = 0.5;
  addMoved(d, "box", Vec3(0.1, 0, -0.15), Vec3::UnitZ(), travel);
  d.bodies.back().second.shapes.push_back(box(Vec3(0.2, 0.3, 0.2)));
  addMass(d, "load", 1.0, Vec3(1, 0, -1));
  CableSettings& rope = addStrand(
      d, "rope", 0.005, {attachTo("world", Vec3(-1, 0, 0)), through("world", Vec3(1, 0, 0)), attachTo("load")});
  rope.candidates = {"box"};  // it goes on swinging when an edge leaves it: a light one by little
  rope.material.radius = 1e-5;
  World world = make(d);
  const double length = measure(world, "cables.rope.length");
  int came = 0, left = 0;
  double worst = 0.0;
  for (int k = 0; k < 2000; ++k) {
    ASSERT_TRUE(world.step().good) << world.verdict().reason << " at " << world.time();
    for (const Event& e : world.takeEvents()) {
      came += e.what == "the strand comes to lie on a body after this link";
      left += e.what == "the strand leaves a body after this link";
    }
    const double top = measure(world, "bodies.box.position.z") + 0.1;
    const double over = top > 0.0 ? std::hypot(1.0, top) + 0.2 + std::hypot(0.8, top) - 2.0 : 0.0;
    if (k > 10) worst = std::max(worst, std::fabs(measure(world, "particles.load.position.z") + 1.0 - over));
    EXPECT_NEAR(measure(world, "cables.rope.length"), length, 1e-10);
  }
  EXPECT_GE(came, 2);
  EXPECT_EQ(came, left);
  EXPECT_LT(worst, 2e-3);
}

/// Ten segments let go from the horizontal. What turns faster than a step can follow is damped, with the third power of
/// the step: at two substeps of 1/1000 s 6 % of the largest kinetic energy are gone after 5 s, at four half a
/// hundredth. Without a word about substeps steps are made in parts where they are needed.
TEST(Strand, OfManyNodesWhipsAboutWithoutLossInSubsteps) {
  struct Lost {
    double most, last;
  };
  const auto lost = [](int substeps, double seconds) {
    Description d = heavy(1.0 / 1000);
    d.settings.substeps = substeps;
    LinkSettings end = attachTo("world", Vec3(1, 0, 0));
    end.hold = EndHold::free;
    addStrand(d, "whip", 0.2, {attachTo("world"), end}).nodes = 9;
    World world = make(d);
    const double start = measure(world, "energy.total");
    double kinetic = 0.0, drift = 0.0;
    while (world.time() < seconds - 1e-9) {
      EXPECT_TRUE(world.step().good);
      kinetic = std::max(kinetic, measure(world, "energy.kinetic"));
      drift = std::max(drift, std::fabs(measure(world, "energy.total") - start));
    }
    return Lost{drift / kinetic, (start - measure(world, "energy.total")) / kinetic};
  };
  EXPECT_LT(lost(4, 10.0).most, 0.03);
  EXPECT_LT(lost(1, 5.0).most, 0.01);
  const double coarse = lost(2, 1.0).last, fine = lost(4, 1.0).last;  // before small differences have grown
  EXPECT_GT(coarse / fine, 6.0);
  EXPECT_LT(coarse, 1e-3);
}

/// A load on a beam hung in n falls, held by a weight at the end of the strand. The tensions stir: over so many falls
/// they magnify the rounding of the positions. Steps end all the same, with or without gravity to measure them by.
Description tackle(int n, bool weightless) {
  constexpr double r = 0.05, load = 1000.0, g = 10.0;
  Description d = heavy(1.0 / 100, weightless ? 0.0 : g);
  d.bodies.emplace_back("beam", rigid(load, Vec3(load, load, load), Vec3(r * n, 0, -1)));
  d.bodies.emplace_back("weight", rigid(1.05 * load / n, Vec3(0.1, 0.1, 0.1), Vec3(2 * r * n, 0, -1)));
  for (const auto& [name, body] : d.bodies) {
    ForceSettings pull;
    pull.on = name;
    pull.force = Vec3(0, 0, weightless ? -g * *body.mass : 0.0);
    d.forces.emplace_back("pull " + name, pull);
  }
  JointSettings rail;
  rail.type = JointType::slider;
  rail.b = "beam";
  rail.anchor = Vec3(r * n, 0, -1);
  rail.axis = Vec3::UnitZ();
  d.joints.emplace_back("rail", rail);
  std::vector<LinkSettings> route{attachTo("world")};
  for (int i = 0; i < n; ++i) {
    const bool low = i % 2 == 0;
    const double x = r * (1 + 2 * i);
    const std::string name = "p" + std::to_string(i);
    d.rotors.emplace_back(name, wheelAt(Vec3(low ? x - r * n : x, 0, 0), r, 1e-3, low ? "beam" : "world"));
    route.push_back(rollOver(name, low ? -1 : 1));
  }
  route.push_back(attachTo("weight"));
  addStrand(d, "rope", 0.1, route);
  return d;
}

TEST(Strand, OverThousandsOfSheavesTakesOneIterationThoughTensionsStir) {
  for (const bool weightless : {false, true}) {
    World world = make(tackle(2048, weightless));
    run(world, 0.05);
    double iterations = 0.0;
    for (int k = 0; k < 20; ++k) {
      ASSERT_TRUE(world.step().good);
      iterations += measure(world, "health.iterations");
    }
    EXPECT_LE(iterations, weightless ? 100 : 24) << weightless;
    EXPECT_EQ(measure(world, "health.unconverged"), 0.0);
    EXPECT_LT(measure(world, "bodies.weight.velocity.z"), 0.0);
  }
}

TEST(Strand, SavedAndRestoredGoesOnWithTheSameBits) {
  for (const bool sliding : {false, true}) {
    const Description d = pen(sliding, sliding ? 4 : 0);
    World whole = make(d), first = make(d), second = make(d);
    run(whole, 0.4);
    run(first, 0.2);
    ASSERT_TRUE(second.restoreState(first.saveState()));
    run(second, 0.2);
    EXPECT_EQ(second.hash(), whole.hash());
  }
}

}  // namespace
}  // namespace reeve::test
