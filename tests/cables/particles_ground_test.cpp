// Particle cables near the ground, bars and bodies: they create no energy and bear what lies on them.
#include "cables/cable_scenes.h"
#include "cables/particles_scenes.h"

namespace reeve::test {
namespace {

TEST(ParticleGround, ACableThatStartsInsideTheFloorComesOutSlowly) {
  // Before: depth/dt, 1.2 m/s and more with smaller steps.
  for (const double dt : {1.0 / 60, 1.0 / 240, 1.0 / 1000}) {
    Description d = heavy(dt, 9.81);
    d.bodies.emplace_back("floor", ground());
    CableSettings c = particleRope(Vec3(0, 0, 0.005), Vec3(1, 0, 0.005), 10, true, true);
    c.collides = true;
    c.material.mass = 1.0;
    c.material.radius = 0.01;
    d.cables.emplace_back("c", c);
    World w = make(d);
    double fastest = 0.0, highest = 0.0;
    for (int i = 0; i < static_cast<int>(1.0 / dt) && w.step().good; ++i)
      for (int k = 0; k <= 10; ++k) {
        fastest = std::max(fastest, particleCable(w).velocity(w.state(), k).norm());
        highest = std::max(highest, particleCable(w).position(w.state(), k).z());
      }
    EXPECT_LT(fastest, 0.25) << dt;
    EXPECT_LT(highest, 0.013) << dt;
    EXPECT_GT(particleCable(w).position(w.state(), 5).z(), 0.0095) << dt;
  }
}

TEST(ParticleGround, ALeadThatNobodyPullsStaysInItsSocketOnTheGround) {
  Description d = heavy(1.0 / 120, 9.81);
  d.bodies.emplace_back("floor", ground());
  CableSettings c = particleRope(Vec3(0, 0, 0.004), Vec3(-1, 0.2, 0.004), 30, false, true);
  c.collides = true;
  c.shape = {Vec3(-0.3, 0.1, 0.004), Vec3(-0.7, -0.05, 0.004)};
  c.material.mass = 0.04;
  c.material.radius = 0.004;
  c.route[0].letsGo = 1.0;
  c.particles.substeps = 4;
  c.particles.iterations = 10;
  d.cables.emplace_back("c", c);
  World w = make(d);
  run(w, 2.0);
  EXPECT_EQ(measure(w, "cables.c.links.0.holds"), 1.0);
}

TEST(ParticleGround, TowingALevelCableTakesTheFrictionOfItsWeight) {
  // μ m g of all but the half segment that the hook carries.
  for (const int segments : {15, 30})
    for (const double dt : {1.0 / 120, 1.0 / 240}) {
      Description d = heavy(dt, 9.81);
      d.bodies.emplace_back("floor", ground());
      d.bodies.back().second.friction = 0.5;
      addMoved(d, "car", Vec3(0, 0, 0.02), Vec3::UnitX(), ramp({{0, 0}, {0.5, 0.125}, {100, 49.875}}, false));
      CableSettings c = particleRope(Vec3::Zero(), Vec3(-3, 0, 0.02), segments, false, true);
      c.route[0].on = "car";
      c.collides = true;
      c.material.mass = 2.0;
      c.material.radius = 0.02;
      c.material.friction = 0.5;
      c.particles.direct = true;
      c.particles.iterations = 10;
      c.particles.substeps = 4;
      d.cables.emplace_back("c", c);
      World w = make(d);
      run(w, 2.5);
      const double right = 0.5 * 9.81 * 6.0 * (1.0 - 0.5 / segments);
      EXPECT_NEAR(measure(w, "cables.c.links.0.force.x") / -right, 1.0, 0.01) << segments << " " << dt;
    }
}

TEST(ParticleGround, EqualLoadsOverASmoothBarStayInBalance) {
  const double r = 0.3, rope = 0.01, wheel = 0.3137764182;  // segments of 8 cm lie clear of the bar
  Description d = heavy(1.0 / 240, 9.81);
  BodySettings bar;
  bar.motion = BodyMotion::fixed;
  bar.friction = 0.0;
  bar.shapes.push_back(cylinderAlongY(r, 1.0));
  d.bodies.emplace_back("bar", bar);
  CableSettings c = particleRope(Vec3::Zero(), Vec3::Zero(), 60);
  for (const double side : {-1.0, 1.0}) {
    BodySettings load = rigid(1000.0, Vec3(4, 4, 4), Vec3(side * wheel, 0, -2));
    load.collides = false;
    d.bodies.emplace_back(side < 0 ? "a" : "b", load);
  }
  c.route = {held("a"), held("b")};
  c.shape.emplace_back(-wheel, 0, -0.25);
  for (int i = 0; i < 24; ++i)
    c.shape.emplace_back(-wheel * std::cos(M_PI * (i + 0.5) / 24), 0, wheel * std::sin(M_PI * (i + 0.5) / 24));
  c.shape.emplace_back(wheel, 0, -0.25);
  c.collides = true;
  c.material.mass = 1.0;
  c.material.radius = rope;
  c.particles.curve = CurveType::polyline;
  c.particles.direct = true;
  c.particles.iterations = 20;
  c.particles.substeps = 4;
  d.cables.emplace_back("c", c);
  World w = make(d);
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "bodies.a.position.z"), -2.0, 3e-3);
  EXPECT_NEAR(measure(w, "bodies.b.position.z"), -2.0, 3e-3);
}

TEST(ParticleGround, ABoxWithATagLineThatLandsStaysDown) {
  // Tied below, the line is squeezed under the box: it was thrown to hundreds of metres.
  for (const double mass : {5.0, 1000.0})
    for (const Vec3& point : {Vec3(0.1, 0, 0), Vec3(0, 0, -0.1)}) {
      const double dt = 1.0 / 240;
      Description d = heavy(dt, 9.81);
      d.bodies.emplace_back("floor", ground());
      BodySettings load;
      load.mass = mass;
      load.position = Vec3(0, 0, 0.6);
      load.shapes.push_back(box(Vec3(0.2, 0.2, 0.2)));
      d.bodies.emplace_back("box", load);
      CableSettings c = particleRope(Vec3::Zero(), Vec3(1.1, 0, 0.02), 20, false, true);
      c.route[0] = held("box", point);
      c.shape = {Vec3(0.4, 0.05, 0.3), Vec3(0.7, -0.05, 0.1)};
      c.collides = true;
      c.material.mass = 0.2;
      c.material.radius = 0.01;
      c.particles.substeps = 4;
      c.particles.iterations = 10;
      d.cables.emplace_back("tag", c);
      World w = make(d);
      double highest = 0.0;
      for (int i = 0; i < static_cast<int>(1.0 / dt) && w.step().good; ++i)
        highest = std::max(highest, measure(w, "bodies.box.position.z"));
      EXPECT_LT(highest, 0.601) << mass;
      EXPECT_NEAR(measure(w, "bodies.box.position.z"), 0.1, 0.03) << mass;
    }
}

TEST(ParticleGround, ALoadExactlyBelowItsHookFallsUntilTheSlackIsGone) {
  for (const bool direct : {true, false}) {
    Description d = heavy(1.0 / 2000, 9.81);
    addMass(d, "load", 10.0, Vec3(0, 0, -1.5));
    CableSettings c = particleRope(Vec3::Zero(), Vec3::Zero(), 8);
    c.route[1] = held("load");
    c.length = 2.0;
    c.material.mass = 0.001;
    c.material.axial = 1e5;
    c.particles.direct = direct;
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 0.3);
    EXPECT_NEAR(measure(w, "particles.load.position.z"), -1.5 - 0.5 * 9.81 * 0.09, 0.05) << direct;
  }
}

TEST(ParticleGround, WindPushesTheHalfSegmentThatABodyHolds) {
  // Two held ends: each bears the drag of half the cable, c ρ D L v²/4.
  Description d = still(1.0 / 240);
  CableSettings c = particleRope(Vec3::Zero(), Vec3(0, 0, 1), 4);
  c.material.mass = 0.1;
  c.material.axial = 1e4;
  c.length = 0.98;  // drawn straight
  c.material.radius = 0.01;
  c.particles.drag = 1.2;
  c.particles.air = 1.225;
  c.particles.wind = Vec3(5, 0, 0);
  c.particles.direct = true;
  c.material.damping = 0.01;
  d.cables.emplace_back("c", c);
  World w = make(d);
  run(w, 3.0);
  const double drag = 0.5 * 1.225 * 0.02 * 1.2 * 25.0;
  EXPECT_NEAR(measure(w, "cables.c.links.0.force.x") + measure(w, "cables.c.links.1.force.x"), drag, 0.02 * drag);
}

}  // namespace
}  // namespace reeve::test
