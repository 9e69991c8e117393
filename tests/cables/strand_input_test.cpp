// Strands: what would do nothing, cannot be or has no start is refused with place and remedy; what a strand knows of
// itself before its first step; damping.
#include <functional>

#include "cables/strand_scenes.h"

namespace reeve::test {
namespace {

using StrandChange = std::function<void(CableSettings&)>;

/// A rope through a hole to a load, changed; where it is refused, empty if it is not.
std::string strandRefusedAt(const StrandChange& change) {
  Description d = heavy(1.0 / 1000);
  addMass(d, "load", 1.0, Vec3(1, 0, -1));
  d.bodies.emplace_back("beam", rigid(1, Vec3(1, 1, 1), Vec3(0.5, 0, 5)));
  d.bodies.back().second.shapes.push_back(box(Vec3(0.1, 0.1, 0.1)));
  change(addStrand(d, "rope", 0.1, {attachTo("world"), through("world", Vec3(1, 0, 0)), attachTo("load")}));
  const auto world = World::build(d);
  if (world) return {};
  EXPECT_FALSE(world.error().remedy.empty());
  EXPECT_FALSE(world.error().reason.empty());
  const std::string& path = world.error().path;
  return path.starts_with("/cables/rope") ? path.substr(12) : path;
}

TEST(StrandInput, WhatWouldDoNothingIsRefused) {
  struct Case {
    const char* place;
    StrandChange change;
  };
  const Case cases[] = {
      {"/material/young", [](CableSettings& c) { c.material.young = 1e9; }},
      {"/material/poisson", [](CableSettings& c) { c.material.poisson = 0.2; }},
      {"/material/section", [](CableSettings& c) { c.material.section = SectionShape::square; }},
      {"/material/friction", [](CableSettings& c) { c.material.friction = 0.5; }},
      {"/material/damping", [](CableSettings& c) { c.material.damping = 0.1; }},
      {"/compliance", [](CableSettings& c) { c.compliance = 1e-4; }},
      {"/compression", [](CableSettings& c) { c.compression = 0.5; }},
      {"/winding", [](CableSettings& c) { c.winding = 1.0; }},
      {"/weight", [](CableSettings& c) { c.weight = true; }},
      {"/waves", [](CableSettings& c) { c.waves = true; }},
      {"/wave_scheme", [](CableSettings& c) { c.waveScheme = WaveScheme::explicitly; }},
      {"/subdivisions", [](CableSettings& c) { c.subdivisions = 7; }},
      {"/wave_damping", [](CableSettings& c) { c.waveDamping = 1.0; }},
      {"/pluck", [](CableSettings& c) { c.pluck = Vec3(0, 0.1, 0); }},
      {"/pluck_at", [](CableSettings& c) { c.pluckAt = 0.1; }},
      {"/pluck_span", [](CableSettings& c) { c.pluckSpan = 1; }},
      {"/pull", [](CableSettings& c) { c.pull = PullForm::force; }},
      {"/drum", [](CableSettings& c) { c.drum = 1.0; }},
      {"/segments", [](CableSettings& c) { c.segments = 7; }},
      {"/shape", [](CableSettings& c) { c.shape = {Vec3(0.5, 0, 1)}; }},
      {"/preformed", [](CableSettings& c) { c.preformed = true; }},
      {"/twisted", [](CableSettings& c) { c.twisted = 1.0; }},
      {"/twist", [](CableSettings& c) { c.twist = TwistMeasure::crossed; }},
      {"/bend_growth", [](CableSettings& c) { c.bendGrowth = 1.0; }},
      {"/stiffens", [](CableSettings& c) { c.stiffens = 1.0; }},
      {"/merges", [](CableSettings& c) { c.merges = 1; }},
      {"/merge_angle", [](CableSettings& c) { c.mergeAngle = 0.1; }},
      {"/touched_bend", [](CableSettings& c) { c.touchedBend = 0.5; }},
      {"/collides", [](CableSettings& c) { c.collides = false; }},
      {"/particles", [](CableSettings& c) { c.particles.iterations = 3; }},
      {"/length", [](CableSettings& c) { c.length = 2.0; }},
      {"/slacks",
       [](CableSettings& c) {
         c.slacks = {0.1, 0.1};
       }},
      {"/nodes", [](CableSettings& c) { c.nodes = 1000000; }},
      {"/route/2/lets_go", [](CableSettings& c) { c.route[2].letsGo = 5.0; }},
      {"/route/2/plugs_in", [](CableSettings& c) { c.route[2].plugsIn = 0.1; }},
      {"/route/2/hold",
       [](CableSettings& c) {
         c.material.torsion = 1.0;
         c.route[0].hold = c.route[2].hold = EndHold::clamped;
       }},
  };
  for (const Case& k : cases) EXPECT_EQ(strandRefusedAt(k.change), k.place);
  EXPECT_EQ(strandRefusedAt([](CableSettings&) {}), "");
  // What has an effect together with something else is taken with it.
  EXPECT_EQ(strandRefusedAt([](CableSettings& c) { c.material.friction = 0.5, c.candidates = {"beam"}; }), "");
  EXPECT_EQ(strandRefusedAt([](CableSettings& c) { c.material.damping = 0.1, c.material.axial = 1e4; }), "");
  EXPECT_EQ(strandRefusedAt([](CableSettings& c) { c.material.damping = 0.1, c.material.bending = 0.1; }), "");
}

/// The route of a strand from the origin to the load, with something in between, refused with a reason.
std::string refusal(std::vector<LinkSettings> between, Vec3 from = Vec3::Zero()) {
  Description d = heavy(1.0 / 1000);
  addMass(d, "load", 1.0, Vec3(2, 0, -1));
  addStrand(d, "host", 0.1,
            {attachTo("world", Vec3(0, 1, 0)), freeNode(Vec3(1, 1, 0)), attachTo("world", Vec3(2, 1, 0))})
      .nodes = 2;
  between.insert(between.begin(), attachTo("world", from));
  between.push_back(attachTo("load"));
  addStrand(d, "rope", 0.1, std::move(between));
  const auto world = World::build(d);
  return world ? std::string() : world.error().path + ": " + world.error().reason;
}

TEST(StrandInput, APathWithAPointTwiceIsRefused) {
  const Vec3 a(0.5, 0, 0), b(1, 0, 0);
  EXPECT_EQ(refusal({tubeOn("world", {a, b})}), "");
  EXPECT_EQ(refusal({tubeOn("world", {a, a, b})}),
            "/cables/rope/route/1/path/1: it is the same point as the one before it");
  EXPECT_EQ(refusal({tubeOn("world", {a, b, b})}),
            "/cables/rope/route/1/path/2: it is the same point as the one before it");
  LinkSettings spline = guideOn("world", GuideShape::spline, Vec3::Zero(), Vec3::UnitZ(), 0, {0.1}, {0.4});
  spline.path = {a, a, b};
  EXPECT_EQ(refusal({spline}), "/cables/rope/route/1/path/1: it is the same point as the one before it");
}

TEST(StrandInput, ARouteThatStartsInsideAGuideIsRefused) {
  const auto round = [](GuideShape shape, std::vector<double> start, std::vector<double> end) {
    return guideOn("world", shape, Vec3::Zero(), Vec3::UnitY(), 0.1, std::move(start), std::move(end));
  };
  const std::string none = "/cables/rope/route/1: there is no tangent to this guide from the link beside it";
  for (const double end : {0.5, 6.0, 80.0, 6283.0}) {
    EXPECT_EQ(refusal({round(GuideShape::cylinder, {0, 0}, {end, 1})}), none) << end;
    EXPECT_EQ(refusal({round(GuideShape::sphere, {0, 0}, {end, 0.5})}), none) << end;
    LinkSettings helix = round(GuideShape::helix, {0}, {end});
    helix.pitch = 0.1;
    EXPECT_EQ(refusal({helix}), none) << end;
  }
  EXPECT_EQ(refusal({round(GuideShape::cylinder, {-1.5, 0}, {-0.2, 0})}, Vec3(-1, 0, 0.1)), "");
}

/// Two weights over a guide at the origin, 0.1 m round, wound from one angle to another.
Description overGuide(GuideShape shape, double from, double to) {
  Description d = heavy(1.0 / 1000, 9.81);
  addMass(d, "a", 2.0, Vec3(-0.1, 0, -1));
  addMass(d, "b", 2.5, Vec3(0.1, 0, -1));
  const bool surface = shape == GuideShape::cylinder || shape == GuideShape::sphere;
  const auto place = [&](double u) { return surface ? std::vector{u, 0.0} : std::vector{u}; };
  addStrand(d, "rope", 1e-4,
            {attachTo("a"), guideOn("world", shape, Vec3::Zero(), Vec3::UnitY(), 0.1, place(from), place(to)),
             attachTo("b")});
  return d;
}

TEST(StrandInput, AGuideWoundTheWrongWayRoundIsRefusedAndToldTheRightOne) {
  struct Wound {
    double from, to;
    const char *reason, *remedy;
  };
  const Wound cases[] = {
      {M_PI, 0, "the strand turns back by 180 degrees where it comes onto this guide",
       "start [3.142#] and end [6.283#]"},
      {0.5 * M_PI, -0.5 * M_PI, "the strand turns back by 180 degrees where it leaves this guide",
       "start [-3.142#] and end [0#]"},
      {-0.5 * M_PI, 0.5 * M_PI, "the strand turns back by 180 degrees where it leaves this guide",
       "start [-3.142#] and end [0#]"},
  };
  for (const GuideShape shape : {GuideShape::cylinder, GuideShape::sphere, GuideShape::circle}) {
    for (const Wound& w : cases) {
      const auto world = World::build(overGuide(shape, w.from, w.to));
      ASSERT_FALSE(world) << w.from;
      EXPECT_EQ(world.error().path, "/cables/rope/route/1");
      EXPECT_EQ(world.error().reason, w.reason);
      std::string remedy = w.remedy;
      for (std::size_t k; (k = remedy.find('#')) != std::string::npos;)
        remedy.replace(k, 1, shape == GuideShape::circle ? "" : ", 0");
      EXPECT_EQ(world.error().remedy,
                "let it run on the way it comes, such as " + remedy + "; angles are right-handed about its axis");
    }
    // What it is told to do is right: a = g (m₂ − m₁)/(m₁ + m₂).
    for (const double from : {-M_PI, M_PI}) {
      World world = make(overGuide(shape, from, from + M_PI));
      run(world, 0.4);
      EXPECT_NEAR(measure(world, "particles.b.velocity.z"), -0.4 * 9.81 * 0.5 / 4.5, 1e-4);
      EXPECT_LT(std::fabs(measure(world, "particles.b.velocity.x")), 1e-6);
      EXPECT_EQ(measure(world, "health.unconverged"), 0.0);
    }
  }
}

TEST(StrandInput, AStrandThatCrossesItsGuideAtLessThanARightAngleIsTaken) {
  Description d = overGuide(GuideShape::cylinder, -M_PI, 0);
  d.cables[0].second.route[1].end[1] = 0.25;  // m along its axis: it pulls itself straight
  EXPECT_TRUE(World::build(d));
}

TEST(StrandInput, PlacesOnGuidesAndStrandsAreCounted) {
  const auto cylinder = [](std::vector<double> start, std::vector<double> end = {}) {
    return guideOn("world", GuideShape::cylinder, Vec3(1, 0, 0), Vec3::UnitY(), 0.1, std::move(start), std::move(end));
  };
  EXPECT_EQ(refusal({cylinder({})}), "/cables/rope/route/1/start: a surface has two parameters, and found 0");
  EXPECT_EQ(refusal({cylinder({1})}), "/cables/rope/route/1/start: a surface has two parameters, and found 1");
  EXPECT_EQ(refusal({cylinder({1, 0, 0})}), "/cables/rope/route/1/start: a surface has two parameters, and found 3");
  EXPECT_EQ(refusal({cylinder({1, 0}, {1})}), "/cables/rope/route/1/end: a surface has two parameters, and found 1");
  const auto ride = [](int node, std::vector<double> start, bool between = true) {
    LinkSettings l = rideOn("host", node);
    l.between = between;
    l.start = std::move(start);
    return l;
  };
  // Seven nodes, counted along the host: an end, two free ones, the named one, two free ones, an end.
  for (int k = 0; k < 6; ++k) EXPECT_EQ(refusal({ride(k, {0.5})}), "") << k;
  EXPECT_EQ(refusal({ride(6, {0.5})}),
            "/cables/rope/route/1/node: no straight segment of 'host' runs from this node to another");
  EXPECT_EQ(refusal({ride(7, {0.5})}), "/cables/rope/route/1/node: 'host' has 7 nodes");
  EXPECT_EQ(refusal({ride(1, {2})}), "/cables/rope/route/1/start: this place is not between the two nodes");
  EXPECT_EQ(refusal({ride(1, {-5})}), "/cables/rope/route/1/start: this place is not between the two nodes");
  EXPECT_EQ(refusal({ride(1, {})}), "/cables/rope/route/1/start: found 0 numbers for a place on a line");
  EXPECT_EQ(refusal({ride(1, {0.2, 0.3})}), "/cables/rope/route/1/start: found 2 numbers for a place on a line");
  EXPECT_EQ(refusal({ride(1, {0.2}, false)}), "/cables/rope/route/1/start: a ride on a node is where the node is");
}

TEST(StrandInput, WhatAGuideOfAnotherShapeHasIsRefused) {
  const auto guide = [](GuideShape shape, const std::function<void(LinkSettings&)>& change) {
    LinkSettings l = guideOn("world", shape, Vec3(1, 0, 0), Vec3::UnitY(), 0.1, {0.5});
    if (shape == GuideShape::cylinder) l.start.push_back(0.0);
    if (shape == GuideShape::spline) l.path = {Vec3(0.5, 0, 0), Vec3(1, 0, 0.1), Vec3(1.5, 0, 0)};
    change(l);
    const std::string all = refusal({l});
    return all.substr(0, all.find(':'));
  };
  const std::string at = "/cables/rope/route/1";
  EXPECT_EQ(guide(GuideShape::line, [](LinkSettings&) {}), "");
  EXPECT_EQ(guide(GuideShape::line, [](LinkSettings& l) { l.radius = 0.1; }), at + "/radius");
  EXPECT_EQ(guide(GuideShape::cylinder, [](LinkSettings& l) { l.minor = 0.1; }), at + "/minor");
  EXPECT_EQ(guide(GuideShape::circle, [](LinkSettings& l) { l.pitch = 0.1; }), at + "/pitch");
  EXPECT_EQ(guide(GuideShape::circle, [](LinkSettings& l) { l.path = {Vec3(1, 0, 0)}; }), at + "/path");
  EXPECT_EQ(guide(GuideShape::circle, [](LinkSettings& l) { l.formula = {"u", "u", "u"}; }), at + "/formula");
  EXPECT_EQ(guide(GuideShape::spline, [](LinkSettings&) {}), "");
  EXPECT_EQ(guide(GuideShape::spline, [](LinkSettings& l) { l.axis = Vec3::UnitX(); }), at + "/axis");
  EXPECT_EQ(guide(GuideShape::spline, [](LinkSettings& l) { l.point = Vec3::UnitX(); }), at + "/point");
}

TEST(StrandInput, ElasticEnergyAndTensionAreKnownBeforeTheFirstStep) {
  Description d = still(1.0 / 1000);
  CableSettings& rope =
      addStrand(d, "rope", 0.1, {attachTo("world", Vec3(-0.1, 0, -1)), attachTo("world", Vec3(0.1, 0, -1))});
  rope.material.axial = 1e4;
  rope.tension = 20.0;
  World world = make(d);
  // ½ T² L₀/EA, L₀ the unstretched length.
  const double rest = 0.2 / (1 + 20.0 / 1e4), energy = 0.5 * 20.0 * 20.0 / 1e4 * rest;
  EXPECT_NEAR(measure(world, "energy.elastic"), energy, 1e-9 * energy);
  EXPECT_NEAR(measure(world, "cables.rope.spans.0.tension"), 20.0, 1e-9);
  run(world, 0.01);
  EXPECT_NEAR(measure(world, "energy.elastic"), energy, 1e-9 * energy);
  EXPECT_NEAR(measure(world, "cables.rope.spans.0.tension"), 20.0, 1e-9);
}

TEST(StrandInput, BendingEnergyIsThereFromTheStart) {
  Description d = still(1.0 / 1000);
  const double w = 0.3;
  addStrand(d, "wire", 0.1, {attachTo("world"), freeNode(Vec3(0.5, 0, w)), attachTo("world", Vec3(1, 0, 0))})
      .material.bending = 0.1;
  // Turned by 2φ at the node, tan φ = w/½: κb = 2 tan φ over the mean of both segments.
  const double kappa = 2 * w / 0.5, mean = std::hypot(0.5, w);
  World world = make(d);
  EXPECT_NEAR(measure(world, "energy.elastic"), 0.5 * 0.1 * kappa * kappa / mean, 1e-12);
}

TEST(StrandInput, DampingDoesNotPullInASlackStrand) {
  for (const double damping : {0.01, 0.1, 1.0}) {
    Description d = heavy(1.0 / 1000);
    addMass(d, "load", 1.0, Vec3(0, 0, -1));
    CableSettings& rope = addStrand(d, "rope", 1e-4, {attachTo("world"), attachTo("load")});
    rope.slack = 0.2;
    rope.material.axial = 1e4;
    rope.material.damping = damping;
    World world = make(d);
    run(world, 0.19);
    // Free fall; the strand's own mass is half a gram in all.
    EXPECT_NEAR(measure(world, "particles.load.position.z"), -1 - 0.5 * 10 * 0.19 * 0.19, 1e-5) << damping;
    EXPECT_EQ(measure(world, "cables.rope.spans.0.tension"), 0.0);
    const double start = measure(world, "energy.total");
    for (int k = 0; k < 300; ++k) {
      run(world, 0.01);
      EXPECT_LT(measure(world, "energy.total"), start + 1e-4) << damping << " at " << world.time();
    }
    // It has come to rest, or creeps there: the load hangs.
    EXPECT_NEAR(measure(world, "cables.rope.spans.0.tension"), 10.0, 0.05) << damping;
    EXPECT_LT(std::fabs(measure(world, "particles.load.velocity.z")), 1e-3) << damping;
    EXPECT_EQ(measure(world, "health.unconverged"), 0.0) << damping;
  }
}

TEST(StrandInput, DampingOfBendingLeavesAnInextensibleStrandItsLength) {
  Description d = heavy(1.0 / 1000);
  CableSettings& wire =
      addStrand(d, "wire", 0.1, {attachTo("world"), freeNode(Vec3(0.4, 0, 0)), freeNode(Vec3(0.8, 0, 0))});
  wire.material.bending = 0.01;
  wire.material.damping = 0.1;
  World world = make(d);
  run(world, 0.5);
  EXPECT_NEAR(measure(world, "cables.wire.spans.0.length"), 0.4, 1e-9);
  EXPECT_NEAR(measure(world, "cables.wire.spans.1.length"), 0.4, 1e-9);
}

}  // namespace
}  // namespace reeve::test
