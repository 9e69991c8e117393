// Strands against closed forms, and against cable joints where the strand has next to no mass.
#include "cables/strand_scenes.h"
#include "reeve/cables/cable.h"
#include "reeve/world/build.h"
#include "support/gauge.h"

namespace reeve::test {
namespace {

Description tableEdge(double length, double hanging, double g) {
  Description d = heavy(1.0 / 1000, g);
  addStrand(
      d, "rope", 0.5,
      {guideOn("world", GuideShape::line, Vec3::Zero(), Vec3::UnitX(), 0, {hanging - length}, {}, false),
       through("world"), guideOn("world", GuideShape::line, Vec3::Zero(), Vec3(0, 0, -1), 0, {hanging}, {}, false)});
  for (LinkSettings& l : d.cables[0].second.route) l.radius.reset();
  return d;
}

TEST(Strand, SlidesOffATableAsTheHyperbolicCosine) {
  const double L = 1.0, x0 = 0.2, g = 10.0, w = std::sqrt(g / L);
  World world = make(tableEdge(L, x0, g));
  const double energy = measure(world, "energy.total");
  for (int k = 1; k <= 4; ++k) {
    run(world, 0.12);
    const double x = x0 * std::cosh(w * world.time());
    EXPECT_NEAR(measure(world, "cables.rope.spans.1.length"), x, 1e-4 * x) << world.time();
    // From nothing at its end to ρ (L − x) ẍ at the edge: a segment's tension is the mean.
    EXPECT_NEAR(measure(world, "cables.rope.spans.0.tension"), 0.25 * (L - x) * w * w * x, 5e-3 * (L - x) * w * w * x);
    EXPECT_NEAR(measure(world, "cables.rope.length"), L, 1e-10);
  }
  EXPECT_NEAR(measure(world, "energy.total"), energy, 1e-5 * measure(world, "energy.kinetic"));
}

TEST(Strand, RunsOffAPegAsTheHyperbolicCosine) {
  const double r = 0.05, half = 0.9, L = 2 * half + M_PI * r, x0 = 0.05 * L, g = 10.0, w = std::sqrt(2 * g / L);
  Description d = heavy(1.0 / 1000, g);
  LinkSettings left = attachTo("world", Vec3(-r, 0, -half + x0)), right = attachTo("world", Vec3(r, 0, -half - x0));
  left.hold = right.hold = EndHold::free;
  addStrand(d, "rope", 0.4, {left, rollOn("world", Vec3::Zero(), r, 1, 0.0), right});
  World world = make(d);
  const double end = std::acosh(0.35 * L / x0) / w;
  for (int k = 1; k <= 5; ++k) {
    run(world, end / 5);
    const double x = x0 * std::cosh(w * world.time());
    EXPECT_NEAR(measure(world, "cables.rope.spans.1.length") - half, x, 2e-3 * x) << world.time();
  }
  EXPECT_NEAR(measure(world, "cables.rope.length"), L, 1e-10);
}

TEST(Strand, WhirledAndDrawnInKeepsItsAngularMomentum) {
  const double rho = 0.5, rate = 2.0, pull = 0.3;
  Description d = still(1.0 / 1000);
  Profile travel;
  travel.rate = pull;
  addMoved(d, "puller", Vec3(0, 0, -0.5), Vec3(0, 0, -1), travel);
  addStrand(d, "rope", rho, {attachTo("puller"), through("world"), freeNode(Vec3(1, 0, 0), Vec3(-pull, rate, 0))});
  World world = make(d);
  for (int k = 1; k <= 5; ++k) {
    run(world, 0.2);
    const double l = measure(world, "cables.rope.spans.1.length");
    EXPECT_NEAR(l, 1 - pull * world.time(), 1e-9);
    const double turning = measure(world, "energy.kinetic") - 0.5 * rho * 1.5 * pull * pull;
    EXPECT_NEAR(std::sqrt(6 * turning / (rho * l * l * l)), rate / (l * l * l), 1e-3 * rate / (l * l * l));
  }
}

TEST(Strand, OfBeadsOnlyHasNoPlaceOfItsOwn) {
  Description d = heavy(1.0 / 1000);
  d.settings.gravity.setZero();  // a straight string that cannot stretch could carry no weight
  std::vector<LinkSettings> route{attachTo("world", Vec3(-1, 0, 0))};
  for (int i = 0; i < 13; ++i) {
    const std::string name = "bead" + std::to_string(i);
    d.bodies.emplace_back(name, rigid(0.1, Vec3(1e-5, 1e-4, 1e-4), Vec3(-0.9 + 0.15 * i, 0, 0)));
    d.bodies.back().second.collides = false;
    route.push_back(tubeOn(name, {Vec3(-0.03, 0, 0), Vec3(0.03, 0, 0)}));
  }
  route.push_back(attachTo("world", Vec3(1.2, 0, 0)));
  addStrand(d, "string", 0.05, route);
  World world = make(d);
  const Observation seen = world.observe();
  EXPECT_EQ(seen.cables[0].second.lagrangian, 0);
  EXPECT_EQ(seen.cables[0].second.eulerian, 26);
  run(world, 0.2);
  EXPECT_NEAR(measure(world, "cables.string.length"), 2.2, 1e-10);
}

Description tubeOnAWire(double node, bool lumped) {
  Description d = heavy(1.0 / 1000);
  d.bodies.emplace_back("tube", rigid(0.02, Vec3(1e-5, 1e-4, 1e-4), Vec3(0, 0, -0.3)));
  LinkSettings inside = guideOn("tube", GuideShape::line, Vec3::Zero(), Vec3::UnitX(), 0, {node}, {}, false);
  inside.radius.reset();
  addStrand(d, "wire", 0.2,
            {attachTo("world", Vec3(-0.5, 0, 0)), through("tube", Vec3(-0.2, 0, 0)), inside,
             through("tube", Vec3(0.2, 0, 0)), attachTo("world", Vec3(0.5, 0, 0))})
      .lumped = lumped;
  return d;
}

TEST(Strand, InATubeBalancesWhereverItsNodeIsUnlessMassIsLumped) {
  for (const double node : {-0.15, -0.05, 0.0, 0.1}) {
    World world = make(tubeOnAWire(node, false));
    run(world, 0.5);
    EXPECT_NEAR(measure(world, "bodies.tube.orientation.y"), 0.0, 1e-9) << node;
    EXPECT_NEAR(measure(world, "bodies.tube.position.z"), -0.3, 1e-9) << node;
  }
  World lumped = make(tubeOnAWire(-0.15, true));
  run(lumped, 0.5);
  EXPECT_GT(std::fabs(measure(lumped, "bodies.tube.orientation.y")), 1e-3);
  World middle = make(tubeOnAWire(0.0, true));
  run(middle, 0.5);
  EXPECT_NEAR(measure(middle, "bodies.tube.orientation.y"), 0.0, 1e-9);
}

TEST(Strand, StopsWhereItsEndComesToAHole) {
  // A rope slides off a table until its end is at the edge.
  World world = make(tableEdge(1.0, 0.45, 10.0));
  double lowest = 1.0, energy = measure(world, "energy.total");
  std::vector<Event> events;
  for (int k = 0; k < 1500; ++k) {
    ASSERT_TRUE(world.step().good) << world.verdict().reason;
    lowest = std::min(lowest, measure(world, "cables.rope.spans.0.rest"));
    const double now = measure(world, "energy.total");
    EXPECT_LT(now, energy + 1e-3) << world.time();
    energy = std::min(energy, now);
    for (Event& e : world.takeEvents()) events.push_back(e);
  }
  EXPECT_GT(lowest, 0.0);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].what, "the strand's end has come to this link");
  EXPECT_EQ(events[0].subject, "cables.rope.links.1");
  EXPECT_NEAR(measure(world, "cables.rope.length"), 1.0, 1e-10);
  EXPECT_NEAR(measure(world, "energy.kinetic"), 0.0, 1e-9);
  // It hangs from the hole: from its whole weight there to nothing at its end, in the mean half of it.
  EXPECT_NEAR(measure(world, "cables.rope.spans.1.tension"), 0.5 * 0.5 * 10 * 1.0, 0.01);
}

TEST(Strand, HolesOnOneStrandMeetWithoutPassing) {
  Description d = heavy(1.0 / 1000);
  for (const double x : {-0.4, 0.4}) {
    BodySettings b = rigid(0.5, Vec3(1e-3, 1e-3, 1e-3), Vec3(x, 0, -0.3));
    b.collides = false;
    d.bodies.emplace_back(x < 0 ? "left" : "right", b);
  }
  addStrand(
      d, "s", 0.05,
      {attachTo("world", Vec3(-0.6, 0, 0)), through("left"), through("right"), attachTo("world", Vec3(0.6, 0, 0))});
  World world = make(d);
  const double start = measure(world, "energy.total");
  bool met = false;
  for (int k = 0; k < 3000; ++k) {
    ASSERT_TRUE(world.step().good);
    for (const Event& e : world.takeEvents()) met = met || e.what == "it has met the link before it";
    EXPECT_GT(measure(world, "cables.s.spans.1.rest"), 0.0);
  }
  EXPECT_TRUE(met);
  EXPECT_LT(measure(world, "energy.total"), start + 1e-3);
}

TEST(Strand, NodesArePutElsewhereAsMaterialFlowsThroughAHole) {
  // A rope with free nodes is drawn through a hole: its nodes come to the hole one after the other.
  Description d = heavy(1.0 / 1000);
  Profile travel;
  travel.rate = 0.4;
  addMoved(d, "puller", Vec3(0, 0, 0.2), Vec3(0, 0, 1), travel);
  CableSettings& c = addStrand(d, "rope", 0.2, {attachTo("puller"), through("world"), freeNode(Vec3(0.3, 0, -1.2))});
  c.nodes = 6;
  World world = make(d);
  const double length = measure(world, "cables.rope.length");
  int moved = 0;
  double stretch = 0.0;
  for (int k = 0; k < 1500; ++k) {
    ASSERT_TRUE(world.step().good) << world.verdict().reason;
    for (const Event& e : world.takeEvents()) moved += e.what == "a node was put where the strand is coarsest";
    EXPECT_NEAR(measure(world, "cables.rope.length"), length, 1e-10);
    stretch = std::max(stretch, measure(world, "health.worst_error"));
  }
  EXPECT_GT(moved, 2);
  EXPECT_LT(stretch, 1e-9);
  EXPECT_LT(measure(world, "energy.kinetic"), 0.5);
}

TEST(Strand, PuttingANodeElsewhereKeepsKineticEnergyAndLengths) {
  // On an arc of 2 m radius that turns about the hole; the first node is 1 cm from it.
  Description d = still(1.0 / 1000);
  std::vector<LinkSettings> route{attachTo("world", Vec3(0, 0, 0.3)), through("world")};
  const double radius = 2.0, rate = 1.0;
  for (const double arc : {0.01, 0.2, 0.4, 0.6, 0.9, 1.1}) {
    const double angle = arc / radius;
    const Vec3 x(radius * std::sin(angle), 0, -radius * (1 - std::cos(angle)));
    route.push_back(freeNode(x, Vec3(0, rate, 0).cross(x)));
  }
  addStrand(d, "rope", 0.2, route).finest = 0.02;
  auto built = build(d);
  ASSERT_TRUE(built);
  const Cable& cable = *(*built)->cables[0];
  State state = (*built)->start;
  Instant now;
  now.bind((*built)->model, (*built)->start);
  now.rewind();
  now.evaluate();
  Events events;
  cable.begin(now, {d.settings.dt, NoGauge(), events}, state);
  ASSERT_EQ(events.all().size(), 1u);
  Instant after;
  after.bind((*built)->model, state);
  after.rewind();
  after.evaluate();
  const double energy = cable.energy(now, state.force).kinetic;
  EXPECT_NEAR(cable.energy(after, state.force).kinetic, energy, 1e-6 * energy);
  RowSet rows;
  cable.rows(after, rows);
  for (const Row& row : rows.rows)
    if (row.level == Level::position && row.lower < 0.0) {
      EXPECT_NEAR(row.error, 0.0, 1e-12);
    }
}

Description machine(const std::string& which) {
  Description d = heavy(1.0 / 240);
  const auto hang = [&](const std::string& name, double mass, Vec3 at) {
    d.bodies.emplace_back(name, rigid(mass, Vec3(0.01, 0.01, 0.01), at));
    d.bodies.back().second.collides = false;
  };
  if (which == "atwood") {
    hang("a", 1.0, Vec3(-0.1, 0, -1));
    hang("b", 2.0, Vec3(0.1, 0, -1));
    d.rotors.emplace_back("w", wheelAt(Vec3::Zero(), 0.1, 0.005));
    addCable(d, "rope", {attachTo("a"), rollOver("w", 1), attachTo("b")});
  } else if (which == "pulley") {
    hang("load", 4.0, Vec3(0.1, 0, -1));
    hang("b", 2.5, Vec3(0.4, 0, -0.6));
    d.rotors.emplace_back("low", wheelAt(Vec3::Zero(), 0.1, 0.004, "load"));
    d.rotors.emplace_back("high", wheelAt(Vec3(0.3, 0, 0), 0.1, 0.005));
    addCable(d, "rope", {attachTo("world"), rollOver("low", -1), rollOver("high", 1), attachTo("b")});
  } else {
    hang("heavy", 19.0, Vec3(-0.25, 0, -1));
    hang("light", 5.2, Vec3(1, 0, -1));
    addMass(d, "tail1", 0.2, Vec3(0.25, 0, -1));
    addMass(d, "tail4", 0.2, Vec3(-1, 0, -1));
    d.bodies.emplace_back("drum", rigid(8, Vec3(1, 2, 1)));
    d.joints.emplace_back("axle", joint(JointType::hinge, "world", "drum", Vec3::Zero()));
    addCable(d, "inner", {attachTo("heavy"), rollOn("drum", Vec3::Zero(), 0.25, 1), attachTo("tail1")});
    addCable(d, "outer", {attachTo("tail4"), rollOn("drum", Vec3::Zero(), 1.0, 1), attachTo("light")});
  }
  return d;
}

TEST(Strand, AgreesWithCableJointsAsItsMassGoesToZero) {
  for (const auto& [which, observe] :
       {std::pair{"atwood", "bodies.b.velocity.z"}, std::pair{"pulley", "bodies.b.velocity.z"},
        std::pair{"gear", "bodies.light.velocity.z"}}) {
    World joints = make(machine(which));
    run(joints, 0.5);
    const double wanted = measure(joints, observe);
    ASSERT_GT(std::fabs(wanted), 0.01) << which;
    double last = 1.0;
    for (const double mass : {1e-2, 1e-4}) {
      Description d = machine(which);
      for (auto& [name, cable] : d.cables) {
        cable.model = CableModel::strand;
        cable.material.mass = mass;
      }
      World strand = make(d);
      run(strand, 0.5);
      const double off = std::fabs(measure(strand, observe) / wanted - 1);
      EXPECT_LT(off, last) << which;
      last = off;
    }
    EXPECT_LT(last, 1e-3) << which;
  }
}

TEST(Strand, ObeysTheCapstanLaw) {
  const double mu = 0.3, kappa = std::exp(mu * M_PI);
  for (const double share : {0.99, 1.02}) {
    Description d = heavy(1.0 / 240);
    addMass(d, "light", 1.0, Vec3(-0.1, 0, -1));
    addMass(d, "heavy", share * kappa, Vec3(0.1, 0, -1));
    addStrand(d, "rope", 1e-4, {attachTo("light"), rollOn("world", Vec3::Zero(), 0.1, 1, mu), attachTo("heavy")});
    World world = make(d);
    run(world, 0.5);
    const double v = -measure(world, "particles.heavy.velocity.z");
    // Slipping: T_hi = κ T_lo, so a = g (M − κ)/(M + κ).
    const double slips = share < 1 ? 0.0 : 0.5 * 10 * (share - 1) / (share + 1);
    EXPECT_NEAR(v, slips, 1e-3 * slips + 1e-4);
  }
}

TEST(Strand, RefusesRoutesItCannotRepresent) {
  const auto refused = [](std::vector<LinkSettings> route, const std::string& path, double mass = 0.1) {
    Description d = heavy(1.0 / 240);
    addMass(d, "p", 1.0, Vec3(1, 0, 0));
    d.rotors.emplace_back("w", wheelAt(Vec3(0.5, 0, 0.5), 0.1, 0.01));
    addStrand(d, "s", mass, std::move(route));
    const auto world = World::build(d);
    ASSERT_FALSE(world) << path;
    EXPECT_EQ(world.error().path, "/cables/s" + path) << world.error().reason;
    EXPECT_FALSE(world.error().remedy.empty());
  };
  refused({attachTo("world"), attachTo("p")}, "/material/mass", 0.0);
  refused({attachTo("world"), through("p")}, "/route/1/type");
  refused({attachTo("world"), woundOn("w", 1, 1.0), attachTo("p")}, "/route/1/type");
  refused({attachTo("world"), attachTo("world")}, "/route/1");
  refused({attachTo("world"), rideOn("other"), attachTo("p")}, "/route/1/on");
  refused({attachTo("world"), guideOn("world", GuideShape::cylinder, Vec3::Zero(), Vec3::UnitZ(), 0.0, {0, 0}),
           attachTo("p")},
          "/route/1/radius");
  refused({attachTo("world"), guideOn("w", GuideShape::circle, Vec3::Zero(), Vec3::UnitZ(), 0.1, {0}), attachTo("p")},
          "/route/1/on");
  refused({attachTo("world"), tubeOn("p", {Vec3::Zero()}), attachTo("p")}, "/route/1/path");
  LinkSettings between = rideOn("s");
  between.between = true;
  refused({attachTo("world"), between, attachTo("p")}, "/route/1/on");
}

/// In the xy-plane, as angles on a guide about z count from x to y.
Description upright(double dt) {
  Description d = still(dt);
  d.settings.gravity = Vec3(0, -10, 0);
  return d;
}

TEST(Strand, HeldFastByAGuideTurnsItAsAWheel) {
  for (const double friction : {unbounded, 0.0}) {
    Description d = upright(1.0 / 1000);
    const double r = 0.1, inertia = 0.01;
    d.bodies.emplace_back("drum", rigid(1, Vec3(inertia, inertia, inertia)));
    d.joints.emplace_back("axle", joint(JointType::hinge, "world", "drum", Vec3::Zero(), Vec3::UnitZ()));
    addMass(d, "light", 1.0, Vec3(-r, -1, 0));
    addMass(d, "heavy", 2.0, Vec3(r, -1, 0));
    LinkSettings guide = guideOn("drum", GuideShape::cylinder, Vec3::Zero(), Vec3::UnitZ(), r, {3.1, 0}, {0.1, 0});
    guide.friction = friction;
    addStrand(d, "rope", 1e-4, {attachTo("light"), guide, attachTo("heavy")});
    World world = make(d);
    run(world, 0.3);
    const double turned = friction > 0.0 ? inertia / (r * r) : 0.0, a = 10.0 / (3.0 + turned);
    EXPECT_NEAR(measure(world, "particles.heavy.velocity.y"), -0.3 * a, 1e-3 * a) << friction;
    EXPECT_NEAR(measure(world, "joints.axle.rate"), friction > 0.0 ? -0.3 * a / r : 0.0, 1e-3 * a / r) << friction;
  }
}

TEST(Strand, ObeysTheCapstanLawAlongAGuide) {
  const double mu = 0.3, kappa = std::exp(mu * M_PI), r = 0.1;
  for (const double share : {0.98, 1.02}) {
    Description d = upright(1.0 / 240);
    addMass(d, "light", 1.0, Vec3(-r, -1, 0));
    addMass(d, "heavy", share * kappa, Vec3(r, -1, 0));
    LinkSettings guide = guideOn("world", GuideShape::cylinder, Vec3::Zero(), Vec3::UnitZ(), r, {3.1, 0}, {0.1, 0});
    guide.friction = mu;
    addStrand(d, "rope", 1e-5, {attachTo("light"), guide, attachTo("heavy")});
    World world = make(d);
    run(world, 0.5);
    const double slips = share < 1 ? 0.0 : 0.5 * 10 * (share - 1) / (share + 1);
    EXPECT_NEAR(-measure(world, "particles.heavy.velocity.y"), slips, 0.01 * slips + 1e-4) << share;
  }
}

TEST(Strand, LiftsOffACylinderAndComesToLieOnItAgain) {
  for (const GuideShape shape : {GuideShape::cylinder, GuideShape::sphere}) {
    Description d = upright(1.0 / 1000);
    addMoved(d, "end", Vec3(1, -0.3, 0), Vec3::UnitY(), ramp({{0.2, 0}, {1.2, 1.1}, {1.6, 1.1}, {2.6, 0}}));
    addMass(d, "weight", 2.0, Vec3(1, -1.3, 0)).drag = 4.0;
    addStrand(d, "rope", 0.05,
              {attachTo("world", Vec3(-1, -0.3, 0)),
               guideOn("world", shape, Vec3::Zero(), Vec3::UnitZ(), 0.1, {1.9, 0}, {1.2, 0}), through("end"),
               attachTo("weight")});
    World world = make(d);
    const double length = measure(world, "cables.rope.length");
    std::vector<std::string> said;
    double worst = 0.0, last = 0.0, before = 0.0, most = 0.0, hit = 0.0;
    for (int k = 0; k < 3500; ++k) {
      ASSERT_TRUE(world.step().good) << world.verdict().reason << " at " << world.time();
      const double now = measure(world, "energy.kinetic");
      const auto events = world.takeEvents();
      for (const Event& e : events) said.push_back(e.what);
      // What an event does beyond the smooth change. Lying on is an impact: it may cost a little and gain nothing.
      const double jump = now - 2 * last + before;
      if (!events.empty() && events[0].what == "the strand lifts off") worst = std::max(worst, std::fabs(jump));
      if (!events.empty() && events[0].what != "the strand lifts off") hit = jump;
      most = std::max(most, now);
      before = last;
      last = now;
      EXPECT_NEAR(measure(world, "cables.rope.length"), length, 1e-10);
    }
    ASSERT_EQ(said.size(), 2u);
    EXPECT_EQ(said[0], "the strand lifts off");
    EXPECT_EQ(said[1], "the strand comes to lie on it");
    EXPECT_LT(worst, 3e-3 * most);
    EXPECT_LT(hit, 1e-3 * most);
    EXPECT_GT(hit, -0.03 * most);
    EXPECT_GT(measure(world, "cables.rope.spans.1.length"), 0.0);
  }
}

TEST(Strand, StaysTangentToTheColumnsItSlidesOn) {
  Description d = upright(1.0 / 1000);
  d.settings.gravity = Vec3(0, 0, -10);
  addMass(d, "weight", 0.5, Vec3(1.0, 0.15, -0.5)).drag = 0.3;
  const auto column = [](double x, double from, double to) {
    return guideOn("world", GuideShape::cylinder, Vec3(x, 0, 0), Vec3::UnitZ(), 0.1, {from, 0.02}, {to, 0.02});
  };
  addStrand(d, "cable", 0.3,
            {attachTo("world", Vec3(-1, -0.15, 0)), column(-0.4, 4.4, 5.3), column(0.4, 2.1, 1.2),
             through("world", Vec3(1, 0.15, 0)), attachTo("weight")});
  World world = make(d);
  double low = 1.0, high = -1.0;
  for (int k = 0; k < 2000; ++k) {
    ASSERT_TRUE(world.step().good);
    EXPECT_LT(measure(world, "health.worst_error"), 1e-9);
    const double z = world.observe().cables[0].second.spans[0].end.z();
    low = std::min(low, z);
    high = std::max(high, z);
  }
  EXPECT_GT(high - low, 0.005);
}

TEST(Strand, RidesInACasingAndBendsWithAHeavyOne) {
  double low[2];
  for (int k = 0; k < 2; ++k) {
    const double mass = k == 0 ? 0.01 : 1.0;
    Description d = heavy(1.0 / 240);
    addMass(d, "weight", 0.4, Vec3(0.7, 0, -0.5)).drag = 1.0;
    LinkSettings end = attachTo("world", Vec3(0.5, 0, 0));
    end.hold = EndHold::free;
    CableSettings& casing = addStrand(d, "casing", mass, {attachTo("world", Vec3(-0.5, 0, 0)), end});
    casing.nodes = 7;
    casing.material.bending = 2e-3;
    casing.material.drag = 4 * mass;
    addStrand(
        d, "filament", 0.01,
        {attachTo("world", Vec3(-0.7, 0, 0)), rideOn("casing"), through("world", Vec3(0.7, 0, 0)), attachTo("weight")});
    World world = make(d);
    run(world, 4.0);
    low[k] = 0.0;
    const auto seen = world.observe();
    for (const Vec3& p : seen.cables[1].second.polyline)
      if (p.x() < 0.6) low[k] = std::min(low[k], p.z());
  }
  EXPECT_GT(low[0], -0.01);
  EXPECT_LT(low[1], 5 * low[0]);
  EXPECT_LT(low[1], -0.05);
}

}  // namespace
}  // namespace reeve::test
