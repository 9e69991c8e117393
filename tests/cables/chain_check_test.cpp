// Settings of a chain without effect are refused, each with its place and a remedy.
#include "cables/chain_scenes.h"

namespace reeve::test {
namespace {

struct Vain {
  const char* path;  ///< below the cable
  void (*set)(CableSettings&);
};

std::string refusalOf(Description d, void (*set)(CableSettings&)) {
  set(d.cables.front().second);
  const auto w = World::build(std::move(d));
  if (w) return "built";
  EXPECT_FALSE(w.error().reason.empty());
  EXPECT_FALSE(w.error().remedy.empty());
  return w.error().path;
}

Description segments() {
  Description d = heavy(1.0 / 60);
  d.bodies.emplace_back("load", rigid(5.0, Vec3::Constant(0.1), Vec3(0, 0, -2)));
  CableSettings c;
  c.model = CableModel::chain;
  c.route = {chainEnd("world"), chainEnd("load")};
  c.segments = 20;
  c.material.mass = 1.0;
  c.material.axial = 1e6;
  c.material.bending = c.material.torsion = 1.0;
  d.cables.emplace_back("c", c);
  return d;
}

Description points() {
  Description d = heavy(1.0 / 60);
  CableSettings c;
  c.model = CableModel::chain;
  c.route = {chainEnd("world")};
  for (int i = 1; i < 5; ++i) {
    ParticleSettings p;
    p.mass = 1.0;
    p.position = Vec3(i, 0, 0);
    d.particles.emplace_back("p" + std::to_string(i), p);
    c.route.push_back(chainEnd("p" + std::to_string(i)));
  }
  c.material.axial = 1e5;
  c.material.bending = 5.0;
  d.cables.emplace_back("c", c);
  return d;
}

/// Settings of other models: in vain in both kinds of chain.
const Vain others[] = {
    {"/slacks", [](CableSettings& c) { c.slacks = {0.3}; }},
    {"/compression", [](CableSettings& c) { c.compression = 0.5; }},
    {"/weight", [](CableSettings& c) { c.weight = true; }},
    {"/winding", [](CableSettings& c) { c.winding = 3.0; }},
    {"/candidates", [](CableSettings& c) { c.candidates = {"world"}; }},
    {"/nodes", [](CableSettings& c) { c.nodes = 7; }},
    {"/finest", [](CableSettings& c) { c.finest = 0.1; }},
    {"/lumped", [](CableSettings& c) { c.lumped = true; }},
    {"/sliding", [](CableSettings& c) { c.sliding = true; }},
    {"/waves", [](CableSettings& c) { c.waves = true; }},
    {"/wave_scheme", [](CableSettings& c) { c.waveScheme = WaveScheme::explicitly; }},
    {"/subdivisions", [](CableSettings& c) { c.subdivisions = 5; }},
    {"/wave_damping", [](CableSettings& c) { c.waveDamping = 1.0; }},
    {"/pull", [](CableSettings& c) { c.pull = PullForm::force; }},
    {"/payout", [](CableSettings& c) { c.payout.rate = 1.0; }},
    {"/drum", [](CableSettings& c) { c.drum = 3.0; }},
    {"/pluck", [](CableSettings& c) { c.pluck = Vec3(0, 0.1, 0); }},
    {"/pluck_at", [](CableSettings& c) { c.pluckAt = 0.1; }},
    {"/pluck_span", [](CableSettings& c) { c.pluckSpan = 1; }},
    {"/material/drag", [](CableSettings& c) { c.material.drag = 1.0; }},
    {"/compliance", [](CableSettings& c) { c.compliance = 1e-5; }},
    {"/route/1/lets_go", [](CableSettings& c) { c.route[1].letsGo = 5.0; }},
    {"/route/1/plugs_in", [](CableSettings& c) { c.route[1].plugsIn = 0.1; }},
    {"/route/0/active", [](CableSettings& c) { c.route[0].active = false; }},
};

TEST(ChainCheck, RefusesWhatDoesNothingInAChainOfSegments) {
  EXPECT_EQ(refusalOf(segments(), [](CableSettings&) {}), "built");
  for (const Vain& v : others) EXPECT_EQ(refusalOf(segments(), v.set), std::string("/cables/c") + v.path);
  const Vain own[] = {
      {"/tension", [](CableSettings& c) { c.tension = 100.0, c.material.axial = unbounded; }},
      {"/tension", [](CableSettings& c) { c.tension = 100.0, c.length = 1.9; }},
      {"/slack", [](CableSettings& c) { c.slack = 0.1, c.length = 3.0; }},
      {"/slack", [](CableSettings& c) { c.slack = 0.1, c.tension = 3.0; }},
      {"/segments", [](CableSettings& c) { c.segments = 1, c.length = 3.0; }},
      {"/segments", [](CableSettings& c) { c.segments = 1, c.slack = 0.5; }},
      {"/merge_angle", [](CableSettings& c) { c.mergeAngle = 0.1; }},
      {"/touched_bend", [](CableSettings& c) { c.touchedBend = 0.5, c.collides = false; }},
      {"/touched_bend", [](CableSettings& c) { c.touchedBend = 0.5, c.material.bending = 0.0; }},
      {"/bend_growth", [](CableSettings& c) { c.bendGrowth = 0.5, c.material.bending = 0.0; }},
      {"/twisted", [](CableSettings& c) { c.twisted = 0.5, c.material.torsion = 0.0; }},
      {"/twist", [](CableSettings& c) { c.twist = TwistMeasure::crossed, c.material.torsion = 0.0; }},
      {"/preformed", [](CableSettings& c) { c.preformed = true, c.material.torsion = 0.0, c.material.bending = 0.0; }},
      {"/material/poisson", [](CableSettings& c) { c.material.poisson = 0.2; }},
  };
  for (const Vain& v : own) EXPECT_EQ(refusalOf(segments(), v.set), std::string("/cables/c") + v.path);
}

TEST(ChainCheck, RefusesWhatDoesNothingInAChainThroughPoints) {
  EXPECT_EQ(refusalOf(points(), [](CableSettings&) {}), "built");
  for (const Vain& v : others) EXPECT_EQ(refusalOf(points(), v.set), std::string("/cables/c") + v.path);
  const Vain own[] = {
      {"/segments", [](CableSettings& c) { c.segments = 7; }},
      {"/slack", [](CableSettings& c) { c.slack = 0.5; }},
      {"/tension", [](CableSettings& c) { c.tension = 50.0; }},
      {"/stiffens", [](CableSettings& c) { c.stiffens = 5.0; }},
      {"/touched_bend", [](CableSettings& c) { c.touchedBend = 0.5; }},
      {"/merges", [](CableSettings& c) { c.merges = 2; }},
      {"/merge_angle", [](CableSettings& c) { c.mergeAngle = 0.3; }},
      {"/preformed", [](CableSettings& c) { c.preformed = true; }},
      {"/twisted", [](CableSettings& c) { c.twisted = 3.0; }},
      {"/twist", [](CableSettings& c) { c.twist = TwistMeasure::crossed; }},
      {"/shape", [](CableSettings& c) { c.shape = {Vec3(1, 1, 1)}; }},
      {"/collides", [](CableSettings& c) { c.collides = false; }},
      {"/material/mass", [](CableSettings& c) { c.material.mass = 5.0; }},
      {"/material/young", [](CableSettings& c) { c.material.young = 2e9; }},
      {"/material/torsion", [](CableSettings& c) { c.material.torsion = 5.0; }},
      {"/material/poisson", [](CableSettings& c) { c.material.poisson = 0.4; }},
      {"/material/section", [](CableSettings& c) { c.material.section = SectionShape::square; }},
      {"/material/friction", [](CableSettings& c) { c.material.friction = unbounded; }},
      {"/material/breaking", [](CableSettings& c) { c.material.breaking = 1.0; }},
      {"/bend_growth", [](CableSettings& c) { c.bendGrowth = 0.5, c.material.bending = 0.0; }},
      {"/route/1/hold", [](CableSettings& c) { c.route[1].hold = EndHold::clamped; }},
      {"/route/4/hold", [](CableSettings& c) { c.route[4].hold = EndHold::free; }},
  };
  for (const Vain& v : own) EXPECT_EQ(refusalOf(points(), v.set), std::string("/cables/c") + v.path);
}

}  // namespace
}  // namespace reeve::test
