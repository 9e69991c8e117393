// Bad and idle settings of particle cables: refused with place and remedy.
#include "particles_scenes.h"

namespace reeve::test {
namespace {

using RopeChange = void (*)(CableSettings&);

/// Where a changed rope is refused; empty if it is not.
std::string ropeRefusedAt(RopeChange change) {
  Description d = still(0.01);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(1, 0, 0), 10);
  change(c);
  d.cables.emplace_back("rope", c);
  const auto w = World::build(d);
  if (w) return "";
  EXPECT_FALSE(w.error().reason.empty());
  EXPECT_FALSE(w.error().remedy.empty());
  const std::string prefix = "/cables/rope";
  EXPECT_EQ(w.error().path.substr(0, prefix.size()), prefix);
  return w.error().path.substr(prefix.size());
}

struct RopeCase {
  const char* place;
  RopeChange change;
};

TEST(ParticleInput, WhatCannotBeIsRefusedWithPlaceAndRemedy) {
  const RopeCase cases[] = {
      {"/route/0/type", [](CableSettings& c) { c.route[0].type = LinkType::roll; }},
      {"/segments", [](CableSettings& c) { c.segments = 0; }},
      {"/material/mass", [](CableSettings& c) { c.material.mass = 0; }},
      {"/particles/masses",
       [](CableSettings& c) {
         c.particles.masses = {1, 2};
       }},
      {"/particles/way", [](CableSettings& c) { c.particles.way = ParticleWay::springs; }},
      {"/tension", [](CableSettings& c) { c.tension = 10.0; }},
      {"/tension", [](CableSettings& c) { c.tension = 10.0, c.material.axial = 1e5, c.slack = 0.1; }},
      {"/shape", [](CableSettings& c) { c.particles.curve = CurveType::bezier; }},
      {"/length", [](CableSettings& c) { c.length = 20.0, c.shape = {Vec3(0.5, 0, 0)}; }},
      {"/route", [](CableSettings& c) { c.route[1].point = Vec3::Zero(); }},
      {"/shape", [](CableSettings& c) { c.route[1].active = false, c.route[1].plugsIn = 0.01; }},
      {"/route/2",
       [](CableSettings& c) {
         c.route.insert(c.route.begin() + 1, {held("world", Vec3(0.5, 0, 0)), held("world", Vec3(0.52, 0, 0))});
       }},
      {"/particles/order", [](CableSettings& c) { c.particles.order = SolveOrder::chunks, c.particles.self = true; }},
      {"/route/0/type", [](CableSettings& c) { c.closed = true; }},
      {"/particles/stiffness", [](CableSettings& c) { c.particles.way = ParticleWay::pbd, c.particles.stiffness = 0; }},
  };
  for (const RopeCase& k : cases) EXPECT_EQ(ropeRefusedAt(k.change), k.place);
  EXPECT_EQ(ropeRefusedAt([](CableSettings&) {}), "");
}

TEST(ParticleInput, HugeNumbersAreRefusedBeforeTheFirstStep) {
  const RopeCase cases[] = {
      {"/shape/1",
       [](CableSettings& c) {
         c.shape = {Vec3(0.5, 0, 0), Vec3(0, 1e300, 0)};
       }},
      {"/route/1/point", [](CableSettings& c) { c.route[1].point = Vec3(1e300, 0, 0); }},
      {"/length", [](CableSettings& c) { c.length = 1e300; }},
      {"/slack", [](CableSettings& c) { c.slack = 1e300; }},
      {"/slack", [](CableSettings& c) { c.slack = -1e300; }},
      {"/material/radius", [](CableSettings& c) { c.material.radius = 1e300; }},
      {"/material/mass", [](CableSettings& c) { c.material.mass = 1e300; }},
      {"/material/mass", [](CableSettings& c) { c.material.mass = 1e-300; }},
      {"/particles/masses/3",
       [](CableSettings& c) { c.particles.masses.assign(11, 0.1), c.particles.masses[3] = 1e300; }},
      {"/particles/velocity", [](CableSettings& c) { c.particles.velocity = Vec3(0, 1e300, 0); }},
      {"/particles/wind", [](CableSettings& c) { c.particles.drag = 1.0, c.particles.wind = Vec3(1e300, 0, 0); }},
      {"/particles/handle", [](CableSettings& c) { c.particles.handle = 1e300; }},
  };
  for (const RopeCase& k : cases) EXPECT_EQ(ropeRefusedAt(k.change), k.place);
}

TEST(ParticleInput, FieldsWithoutEffectAreRefused) {
  const RopeCase cases[] = {
      // What the way does not look at.
      {"/particles/spring", [](CableSettings& c) { c.particles.spring = 10.0; }},
      {"/particles/spring_damping", [](CableSettings& c) { c.particles.springDamping = 1.0; }},
      {"/particles/stiffness", [](CableSettings& c) { c.particles.stiffness = 0.5; }},
      {"/particles/damping", [](CableSettings& c) { c.particles.way = ParticleWay::stiff, c.particles.damping = 0.1; }},
      {"/compliance", [](CableSettings& c) { c.particles.way = ParticleWay::pbd, c.compliance = 1e-3; }},
      {"/compliance", [](CableSettings& c) { c.compliance = 1e-3, c.material.axial = 1e3; }},
      {"/material/axial", [](CableSettings& c) { c.particles.way = ParticleWay::jakobsen, c.material.axial = 1e3; }},
      {"/material/damping", [](CableSettings& c) { c.particles.way = ParticleWay::pbd, c.material.damping = 0.1; }},
      {"/particles/spring",
       [](CableSettings& c) {
         c.particles.way = ParticleWay::springs, c.particles.spring = 10.0, c.material.axial = 1e3;
       }},
      {"/particles/double_compliance", [](CableSettings& c) { c.particles.doubleCompliance = 1e-3; }},
      {"/particles/double_stiffness",
       [](CableSettings& c) { c.particles.doubles = DoubleRest::initial, c.particles.doubleStiffness = 0.5; }},
      {"/particles/direct", [](CableSettings& c) { c.particles.way = ParticleWay::stiff, c.particles.direct = true; }},
      {"/particles/order", [](CableSettings& c) { c.particles.order = SolveOrder::chunks, c.particles.direct = true; }},
      {"/particles/chunks", [](CableSettings& c) { c.particles.chunks = 3; }},
      {"/particles/handle",
       [](CableSettings& c) { c.particles.curve = CurveType::polyline, c.particles.handle = 0.2; }},
      // Air and friction.
      {"/particles/gust", [](CableSettings& c) { c.particles.drag = 1.0, c.particles.gust = Profile{}; }},
      {"/particles/wind", [](CableSettings& c) { c.particles.wind = Vec3(1, 0, 0); }},
      {"/particles/air", [](CableSettings& c) { c.particles.air = 2.0; }},
      {"/particles/static_friction", [](CableSettings& c) { c.particles.staticFriction = 1e-3; }},
      {"/particles/sliding_friction", [](CableSettings& c) { c.particles.slidingFriction = 0.1; }},
      {"/particles/law", [](CableSettings& c) { c.particles.law = FrictionLaw::depth; }},
      {"/particles/self", [](CableSettings& c) { c.particles.self = true; }},
      {"/particles/touch", [](CableSettings& c) { c.particles.touch = TouchMode::discrete; }},
      // Ends.
      {"/route/1/lets_go", [](CableSettings& c) { c.route[1].hold = EndHold::free, c.route[1].letsGo = 5.0; }},
      {"/route/1/plugs_in", [](CableSettings& c) { c.route[1].hold = EndHold::free, c.route[1].plugsIn = 0.1; }},
      {"/route/1/active", [](CableSettings& c) { c.route[1].hold = EndHold::free, c.route[1].active = false; }},
      {"/route/1/plugs_in", [](CableSettings& c) { c.route[1].plugsIn = 0.1; }},
      {"/route/0/active", [](CableSettings& c) { c.route[0].active = false, c.shape = {Vec3(0.5, 0, 0)}; }},
      // Of other models.
      {"/compression", [](CableSettings& c) { c.compression = 0.5; }},
      {"/weight", [](CableSettings& c) { c.weight = true; }},
      {"/winding", [](CableSettings& c) { c.winding = 0.1; }},
      {"/nodes", [](CableSettings& c) { c.nodes = 2; }},
      {"/lumped", [](CableSettings& c) { c.lumped = true; }},
      {"/finest", [](CableSettings& c) { c.finest = 0.1; }},
      {"/preformed", [](CableSettings& c) { c.preformed = true; }},
      {"/twisted", [](CableSettings& c) { c.twisted = 0.1; }},
      {"/twist", [](CableSettings& c) { c.twist = TwistMeasure::crossed; }},
      {"/bend_growth", [](CableSettings& c) { c.bendGrowth = 0.1; }},
      {"/stiffens", [](CableSettings& c) { c.stiffens = 1.0; }},
      {"/waves", [](CableSettings& c) { c.waves = true; }},
      {"/subdivisions", [](CableSettings& c) { c.subdivisions = 7; }},
      {"/wave_damping", [](CableSettings& c) { c.waveDamping = 1.0; }},
      {"/payout", [](CableSettings& c) { c.payout.rate = 1.0; }},
      {"/drum", [](CableSettings& c) { c.drum = 1.0; }},
      {"/pluck", [](CableSettings& c) { c.pluck = Vec3(0, 0, 0.1); }},
      {"/material/bending", [](CableSettings& c) { c.material.bending = 1.0; }},
      {"/material/torsion", [](CableSettings& c) { c.material.torsion = 1.0; }},
      {"/material/young", [](CableSettings& c) { c.material.young = 1e9; }},
      {"/material/drag", [](CableSettings& c) { c.material.drag = 1.0; }},
      {"/material/breaking", [](CableSettings& c) { c.material.breaking = 1.0; }},
  };
  for (const RopeCase& k : cases) EXPECT_EQ(ropeRefusedAt(k.change), k.place);
}

}  // namespace
}  // namespace reeve::test
