// Particle cables against bodies, each other and themselves.

#include "particles_scenes.h"
#include "reeve/cables/particles/sweep.h"
#include "reeve/math/scalar.h"
#include "support/dice.h"

namespace reeve::test {
namespace {

BodySettings plate(double thickness) {
  BodySettings b;
  b.motion = BodyMotion::fixed;
  b.shapes = {box(Vec3(8, 8, thickness))};
  return b;
}

TEST(ParticleTouch, RopeAtFiftyMetresASecondNeverPassesAMillimetrePlate) {
  Dice dice{7};
  int stopped = 0;
  double deepest = 1.0;
  for (int i = 0; i < 1000; ++i) {
    Description d = heavy(1.0 / 240, 9.81);
    d.bodies.emplace_back("plate", plate(0.001));
    const auto near = [&] {
      const double x = dice.between(-0.3, 0.3), y = dice.between(-0.3, 0.3), z = dice.between(0.1, 0.5);
      return Vec3(x, y, z);
    };
    const Vec3 from = near(), to = near(), between = near();
    CableSettings c = particleRope(from, to, 12, true, true);
    c.shape = {between};
    c.collides = true;
    c.material.radius = dice.between(0.002, 0.01);
    const double tilt = dice.between(0.0, 0.6), around = dice.between(0.0, 2.0 * math::pi);
    c.particles.velocity =
        50.0 * Vec3(math::sin(tilt) * math::cos(around), math::sin(tilt) * math::sin(around), -math::cos(tilt));
    c.particles.way = static_cast<ParticleWay>(i % 5);
    if (c.particles.way == ParticleWay::springs) c.particles.spring = 20.0;
    d.cables.emplace_back("rope", c);
    World w = make(d);
    const ParticleCable& rope = particleCable(w);
    bool above = true;
    for (int k = 0; k < 24 && above; ++k) {  // 0.1 s: it would be 5 m beyond
      ASSERT_TRUE(w.step().good);
      for (int n = 0; n < rope.count(); ++n) {
        const double z = rope.position(w.state(), n).z();
        deepest = std::min(deepest, z / c.material.radius);
        above = above && z > 0.0;
      }
    }
    if (above) ++stopped;
  }
  std::printf("stopped %d of 1000; lowest particle %.3f radii above the middle of the plate\n", stopped, deepest);
  EXPECT_EQ(stopped, 1000);
}

/// A plate that flies at a resting rope, led or free: lowest particle over the plate's middle, in radii.
double metBy(BodySettings plate, SolverChoice solver, Dice& dice) {
  Description d = still(1.0 / 240);
  d.settings.solver = solver;
  d.bodies.emplace_back("plate", plate);
  const auto near = [&] {
    const double x = dice.between(-0.3, 0.3), y = dice.between(-0.3, 0.3), z = dice.between(0.1, 0.4);
    return Vec3(x, y, z);
  };
  const Vec3 from = near(), to = near(), between = near();
  CableSettings c = particleRope(from, to, 12, true, true);
  c.shape = {between};
  c.collides = true;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const ParticleCable& rope = particleCable(w);
  double least = 1e9;
  for (int k = 0; k < 24; ++k) {
    EXPECT_TRUE(w.step().good);
    const Quat q(measure(w, "bodies.plate.orientation.w"), measure(w, "bodies.plate.orientation.x"),
                 measure(w, "bodies.plate.orientation.y"), measure(w, "bodies.plate.orientation.z"));
    const Vec3 x(measure(w, "bodies.plate.position.x"), measure(w, "bodies.plate.position.y"),
                 measure(w, "bodies.plate.position.z"));
    for (int n = 0; n < rope.count(); ++n) {
      const Vec3 p = q.conjugate() * (rope.position(w.state(), n) - x);
      if (std::fabs(p.x()) < 0.95 && std::fabs(p.y()) < 0.95) least = std::min(least, p.z() / 0.005);
    }
  }
  return least;
}

TEST(ParticleTouch, AThinPlateThatMovesDoesNotPassARopeEither) {
  Dice dice{17};
  BodySettings led = plate(0.001);
  led.motion = BodyMotion::kinematic;
  led.shapes = {box(Vec3(2, 2, 0.001))};
  led.prescribed = MotionSettings{};
  led.prescribed->along = Vec3::UnitZ();
  led.prescribed->travel.rate = 50.0;
  BodySettings free = led;
  free.motion = BodyMotion::dynamic;
  free.prescribed.reset();
  free.mass = 2.0;
  free.velocity = Vec3(0, 0, 20);
  double least[2] = {1e9, 1e9};
  for (int i = 0; i < 50; ++i) {
    least[0] = std::min(least[0], metBy(led, SolverChoice::automatic, dice));
    least[1] = std::min(least[1], metBy(free, SolverChoice::automatic, dice));
  }
  std::printf("led plate: %.3f radii, free plate: %.3f radii\n", least[0], least[1]);
  EXPECT_GT(least[0], 0.1);
  EXPECT_GT(least[1], 0.1);
}

TEST(ParticleTouch, SegmentsMeetEveryShape) {
  const auto shaped = [](ShapeType type) {
    ShapeSettings s;
    s.type = type;
    s.radius = 0.15;
    s.length = 0.4;
    s.size = Vec3(0.3, 0.4, 0.2);
    s.points = {Vec3(0.2, 0, 0), Vec3(-0.2, 0.1, 0), Vec3(0, -0.2, 0.05), Vec3(0, 0, 0.2), Vec3(0.1, 0.2, -0.1)};
    s.polygon = {Vec2(0.2, 0), Vec2(0, 0.2), Vec2(-0.15, -0.1)};
    return s;
  };
  for (const ShapeType type : {ShapeType::sphere, ShapeType::capsule, ShapeType::cylinder, ShapeType::box,
                               ShapeType::hull, ShapeType::prism, ShapeType::halfSpace}) {
    Description d = heavy(1.0 / 240, 9.81);
    BodySettings body;
    body.motion = BodyMotion::fixed;
    body.shapes = {shaped(type)};
    d.bodies.emplace_back("body", body);
    CableSettings c = particleRope(Vec3(-0.5, 0.02, 0.5), Vec3(0.5, -0.02, 0.5), 10, true, true);  // long segments
    c.collides = true;
    c.particles.velocity = Vec3(0, 0, -30);
    d.cables.emplace_back("rope", c);
    World w = make(d);
    const ParticleCable& rope = particleCable(w);
    double least = 1.0;
    for (int k = 0; k < 48; ++k) {
      ASSERT_TRUE(w.step().good);
      for (int i = 0; i + 1 < rope.count(); ++i)
        least = std::min(least, closest(rope.position(w.state(), i), rope.position(w.state(), i + 1),
                                        w.model().bodies[1].shapes[0], Pose{})
                                    .gap);
    }
    std::printf("shape %d: closest %.3f radii\n", static_cast<int>(type), least / 0.005);
    EXPECT_GT(least, 0.5 * 0.005) << static_cast<int>(type);
    EXPECT_LT(least, 2.0 * 0.005) << static_cast<int>(type) << ": it must have been met";
  }
}

TEST(ParticleTouch, DiscreteCheckingLetsItThrough) {
  Description d = still(1.0 / 240);
  d.bodies.emplace_back("plate", plate(0.001));
  CableSettings c = particleRope(Vec3(-0.2, 0, 0.5), Vec3(0.2, 0, 0.5), 12, true, true);
  c.collides = true;
  c.particles.velocity = Vec3(0, 0, -50);
  c.particles.touch = TouchMode::discrete;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, 0.05);
  EXPECT_LT(particleCable(w).position(w.state(), 6).z(), -0.5);
}

TEST(ParticleTouch, TimeOfTouchIsWhatThePlaneSays) {
  const Shape block{Box{Vec3(1, 1, 1)}, Pose{}};
  const particles::MovingSegment way{Vec3(-0.2, 0, 3), Vec3(0.2, 0, 4), Vec3(0, 0, -4), Vec3(0, 0, -4)};
  particles::MovingPose pose;
  pose.reach = 2.0;
  const double t = particles::timeOfTouch(way, block, pose, 0.1, 2.0, 1e-9);
  EXPECT_NEAR(t, 1.9 / 4.0, 1e-8);
  // Ends that change places while they move: the segment turns through the corner.
  const particles::MovingSegment turning{Vec3(-3, 0, 1.5), Vec3(3, 0, 1.5), Vec3(0, 0, 2), Vec3(0, 0, -2)};
  EXPECT_GT(particles::timeOfTouch(turning, block, pose, 0.1, 0.5, 1e-9), 0.0);
  const particles::MovingSegment passing{Vec3(-3, 0, 1.5), Vec3(3, 0, 1.5), Vec3(0, 5, 0), Vec3(0, 5, 0)};
  EXPECT_LT(particles::timeOfTouch(passing, block, pose, 0.1, 0.5, 1e-9), 0.0);
}

/// How far a rope slides in a second on a plane tilted so that tan(angle) = ratio · μ.
double slide(double ratio, ParticleWay way, double& angle) {
  const double mu = 0.4;
  angle = math::atan(ratio * mu);
  Description d = still(1.0 / 240);
  d.settings.gravity = 9.81 * Vec3(math::sin(angle), 0, -math::cos(angle));  // the tilted view of a level plane
  BodySettings g = ground();
  g.friction = mu;
  d.bodies.emplace_back("slope", g);
  CableSettings c = particleRope(Vec3(0, 0, 0.005), Vec3(0.5, 0.3, 0.005), 20, true, true);
  c.shape = {Vec3(0.2, 0.3, 0.005)};
  c.collides = true;
  c.material.friction = mu;
  c.particles.way = way;
  c.particles.substeps = 2;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const double before = particleCable(w).position(w.state(), 10).x();
  run(w, 1.0);
  return particleCable(w).position(w.state(), 10).x() - before;
}

TEST(ParticleTouch, RestsOnASlopeBelowTheFrictionAngleAndSlidesAbove) {
  for (const ParticleWay way : {ParticleWay::jakobsen, ParticleWay::pbd, ParticleWay::xpbd}) {
    double angle;
    EXPECT_LT(std::fabs(slide(0.97, way, angle)), 1e-3);
    const double moved = slide(1.03, way, angle);
    EXPECT_NEAR(moved, 0.5 * 9.81 * (math::sin(angle) - 0.4 * math::cos(angle)), 0.15 * moved + 2e-3);
    EXPECT_GT(moved, 0.02);
    const double steep = slide(2.0, way, angle);
    EXPECT_NEAR(steep, 0.5 * 9.81 * (math::sin(angle) - 0.4 * math::cos(angle)), 0.03 * steep);
  }
}

TEST(ParticleTouch, ThesisFrictionBringsACableToRestWhichElseGlidesOn) {
  double speed[2];
  for (const bool rough : {false, true}) {
    Description d = heavy(1.0 / 240, 9.81);
    d.bodies.emplace_back("table", ground());
    CableSettings c = particleRope(Vec3(0, 0, 0.005), Vec3(0.5, 0, 0.005), 20, true, true);
    c.collides = true;
    c.particles.way = ParticleWay::jakobsen;
    c.particles.velocity = Vec3(0.5, 0.5, 0);
    c.particles.law = FrictionLaw::depth;
    c.particles.staticFriction = rough ? 1e-4 : 0.0;
    c.particles.slidingFriction = rough ? 0.5 : 0.0;
    d.cables.emplace_back("rope", c);
    World w = make(d);
    run(w, 2.0);
    speed[rough ? 1 : 0] = particleCable(w).velocity(w.state(), 10).norm();
  }
  EXPECT_GT(speed[0], 0.6);
  EXPECT_LT(speed[1], 1e-3);
}

TEST(ParticleTouch, ARopeThrownAtABallMovesItAndMomentumIsKept) {
  for (const ParticleWay way : {ParticleWay::springs, ParticleWay::jakobsen, ParticleWay::pbd, ParticleWay::xpbd}) {
    Description d = still(1.0 / 240);
    d.settings.solver = SolverChoice::sweep;
    BodySettings ball;
    ball.shapes = {sphere(0.1)};
    ball.mass = 0.05;
    d.bodies.emplace_back("ball", ball);
    CableSettings c = particleRope(Vec3(-0.4, -0.3, 0.02), Vec3(-0.4, 0.3, 0.02), 30, true, true);
    c.collides = true;
    c.particles.way = way;
    if (way == ParticleWay::springs) c.particles.spring = 60.0;
    c.particles.velocity = Vec3(4, 0, 0);
    d.cables.emplace_back("rope", c);
    World w = make(d);
    const auto total = [&] {
      return Vec3(particleCable(w).linearMomentum(w.state()) + 0.05 * Vec3(measure(w, "bodies.ball.velocity.x"),
                                                                           measure(w, "bodies.ball.velocity.y"),
                                                                           measure(w, "bodies.ball.velocity.z")));
    };
    const Vec3 before = total();
    run(w, 0.5);
    EXPECT_GT(measure(w, "bodies.ball.velocity.x"), 0.3);
    EXPECT_LT((total() - before).norm(), 1e-12) << static_cast<int>(way);
  }
}

TEST(ParticleTouch, TwoFallingCablesRestOnEachOtherAndKeepTheirDistance) {
  Description d = heavy(1.0 / 240, 9.81);
  CableSettings a = particleRope(Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), 30);
  a.length = 1.05;
  CableSettings b = particleRope(Vec3(0, -0.4, 0.3), Vec3(0, 0.4, 0.3), 30, true, true);
  for (CableSettings* c : {&a, &b}) {
    c->collides = true;
    c->particles.self = true;
    c->particles.substeps = 4;
    c->particles.drag = 2.0;
  }
  d.cables.emplace_back("line", a);
  d.cables.emplace_back("thrown", b);
  World w = make(d);
  double least = 1.0;
  for (int k = 0; k < 480; ++k) {
    ASSERT_TRUE(w.step().good);
    const ParticleCable &one = particleCable(w, 0), &two = particleCable(w, 1);
    for (int i = 0; i + 1 < one.count(); ++i)
      for (int j = 0; j + 1 < two.count(); ++j)
        least = std::min(least, particles::closestOnSegments(one.position(w.state(), i), one.position(w.state(), i + 1),
                                                             two.position(w.state(), j), two.position(w.state(), j + 1))
                                    .distance);
  }
  std::printf("closest %.4f diameters\n", least / 0.01);
  EXPECT_GT(least, 0.9 * 0.01);
  EXPECT_GT(particleCable(w, 1).position(w.state(), 15).z(), -0.5);  // it hangs over the line
}

TEST(ParticleTouch, WindLeansAHangingCableAsDragAgainstWeightSays) {
  Description d = heavy(1.0 / 240, 9.81);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0, 0, -1), 20, false, true);
  c.material.mass = 0.05;
  c.particles.drag = 1.2;
  c.particles.wind = Vec3(6, 0, 0);
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, 20.0);
  // Straight at an angle a from the vertical: ½ρDc (U cos a)² cos... across the rope: ½ρDc U² cos² a = m g sin a.
  const double q = 0.5 * 1.225 * 0.01 * 1.2 * 36.0 / (0.05 * 9.81);
  const double sine = (-1.0 + std::sqrt(1.0 + 4.0 * q * q)) / (2.0 * q);
  EXPECT_NEAR(particleCable(w).position(w.state(), 20).x(), sine, 0.01);
}

/// A cable held at the middle of a free block of 20 cm, far deeper inside than it is thick, hangs out of its side.
TEST(ParticleTouch, WhatStartsInsideTheBodyThatHoldsItIsNoContact) {
  for (const ParticleWay way : {ParticleWay::jakobsen, ParticleWay::pbd, ParticleWay::xpbd})
    for (const bool free : {false, true}) {
      Description d = still(1.0 / 240);
      BodySettings block = rigid(1.0, Vec3::Constant(0.01));
      block.shapes = {box(Vec3::Constant(0.2))};
      if (!free) block.motion = BodyMotion::fixed, block.mass.reset(), block.inertia.reset();
      d.bodies.emplace_back("block", block);
      CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0.5, 0, 0), 25, false, true);
      c.route[0] = held("block");
      c.collides = true;
      c.particles.way = way;
      d.cables.emplace_back("lead", c);
      World w = make(d);
      run(w, 1.0);
      // Nothing pushes: all stays where it is, to rounding.
      for (int i = 0; i <= 25; ++i)
        EXPECT_LT((particleCable(w).position(w.state(), i) - Vec3(0.02 * i, 0, 0)).norm(), 1e-12) << i;
      EXPECT_LT(Vec3(measure(w, "bodies.block.velocity.x"), measure(w, "bodies.block.velocity.y"),
                     measure(w, "bodies.block.velocity.z"))
                    .norm(),
                1e-12);
    }
}

TEST(ParticleTouch, ALeadHeldDeepInABlockStillMeetsItsOutside) {
  // It comes out of the side, falls against the face below and hangs down along it.
  Description d = heavy(1.0 / 240, 9.81);
  BodySettings block;
  block.motion = BodyMotion::fixed;
  block.shapes = {box(Vec3::Constant(0.2))};
  block.friction = 0.0;
  d.bodies.emplace_back("block", block);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0.5, 0, 0), 50, false, true);
  c.route[0] = held("block", Vec3(0, 0, 0.06));
  c.route[1].point = Vec3(0.5, 0, 0.06);
  c.collides = true;
  c.particles.substeps = 4;
  c.particles.iterations = 30;
  c.particles.drag = 20.0;
  d.cables.emplace_back("lead", c);
  World w = make(d);
  run(w, 6.0);
  double least = 1.0;
  for (int i = 14; i <= 50; ++i) least = std::min(least, particleCable(w).position(w.state(), i).x());
  std::printf("the part outside comes no closer to the middle than %.4f m\n", least);
  EXPECT_GT(least, 0.1);  // the face is at 0.1 m, the cable 5 mm thick
  EXPECT_LT(particleCable(w).position(w.state(), 50).z(), -0.2);
}

TEST(ParticleTouch, ACableThatLiesOnTheBodyThatHoldsItIsMet) {
  Description d = heavy(1.0 / 240, 9.81);
  d.bodies.emplace_back("table", ground());
  CableSettings c = particleRope(Vec3(0, 0, 0.005), Vec3(0.5, 0, 0.005), 25, false, true);
  c.route[0] = held("table", Vec3(0, 0, 0.005));
  c.collides = true;
  d.cables.emplace_back("lead", c);
  World w = make(d);
  run(w, 1.0);
  EXPECT_GT(particleCable(w).position(w.state(), 25).z(), 0.0045);
}

}  // namespace
}  // namespace reeve::test
