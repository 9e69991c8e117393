// Wheels that pass beside the cable, out of the plane of their groove: it is taken in only where it can lie in it, and
// laid there without work.
#include "machines/machines.h"

namespace reeve::test {
namespace {

/// A wheel of 0.1 m rises from below through the line of a rope that holds 10 kg, beside it by so much.
Description risingBeside(double beside, double dt) {
  Description d = heavy(dt, 9.81);
  BodySettings idler;
  idler.motion = BodyMotion::kinematic;
  idler.position = Vec3(0, beside, 1.5);
  idler.collides = false;
  idler.prescribed = MotionSettings{};
  idler.prescribed->along = Vec3::UnitZ();
  idler.prescribed->travel.table = {Vec2(0, 0), Vec2(2, 0.6)};
  idler.prescribed->travel.smooth = true;
  d.bodies.emplace_back("idler", idler);
  BodySettings load;
  load.position = Vec3(2, 0, 1);
  load.mass = 10.0;
  load.inertia = Vec3(0.1, 0.1, 0.1);
  d.bodies.emplace_back("load", load);
  CableSettings c;
  c.route.resize(4);
  c.route[0].point = Vec3(-2, 0, 2);
  c.route[1].type = LinkType::roll;
  c.route[1].on = "idler";
  c.route[1].radius = 0.1;
  c.route[1].axis = Vec3::UnitY();
  c.route[1].friction = 0.0;
  c.route[1].active = false;
  c.route[2].type = LinkType::pinhole;
  c.route[2].point = Vec3(2, 0, 2);
  c.route[2].friction = 0.0;
  c.route[3].on = "load";
  d.cables.emplace_back("rope", c);
  return d;
}

/// The largest speed of the load, m/s, and how many links the route ends with.
std::pair<double, std::size_t> liftedBy(double beside, double dt) {
  World w = make(risingBeside(beside, dt));
  double fastest = 0.0;
  while (w.time() < 3.0) {
    EXPECT_TRUE(w.step().good);
    fastest = std::max(fastest, w.observe().bodies[1].second.velocity.norm());
  }
  return {fastest, w.observe().cables[0].second.spans.size()};
}

TEST(WheelBeside, WithinItsGrooveLiftsTheLoadAsSmoothlyAsItRisesAtAnyStep) {
  // In the plane: the load follows the length of the bent path, of half span 2 m, at most 0.04 m/s.
  const double inPlane = liftedBy(0.0, 1.0 / 240).first;
  for (const double dt : {1.0 / 240, 1.0 / 1000, 1.0 / 4000}) {
    const auto [fastest, spans] = liftedBy(0.02, dt);
    EXPECT_NEAR(fastest, inPlane, 0.02 * inPlane) << dt;
    EXPECT_EQ(spans, 3u) << dt;
  }
}

TEST(WheelBeside, BeyondItsGrooveLeavesTheCableAlone) {
  for (const double dt : {1.0 / 240, 1.0 / 1000})
    for (const double beside : {0.04, 0.1, 0.3}) {
      const auto [fastest, spans] = liftedBy(beside, dt);
      EXPECT_LT(fastest, 1e-9) << dt << " " << beside;
      EXPECT_EQ(spans, 2u) << dt << " " << beside;
    }
}

/// Machines thrown by dice in three dimensions, whose wheels come back beside the rope: energy never rises.
TEST(WheelBeside, NoMachineOutOfPlaneGainsEnergy) {
  for (const char* name : {"6", "8", "16", "fixed-71", "fixed-78", "fixed-83"}) {
    World w = make(sceneAt(std::string("tests/machines/beside/") + name + ".json"));
    const double start = measure(w, "energy.total");
    double most = start, kinetic = 0.0;
    while (w.time() < 3.0 && w.step().good) {
      most = std::max(most, measure(w, "energy.total"));
      kinetic = std::max(kinetic, measure(w, "energy.kinetic"));
    }
    EXPECT_TRUE(w.verdict().good) << name;
    EXPECT_LT(most - start, 0.01 * kinetic) << name;
  }
}

}  // namespace
}  // namespace reeve::test
