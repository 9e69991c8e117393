// The world as a whole: prescribed motion, drag, filters, every shape on the ground, bad endings, observables.
#include "support/scenes.h"

namespace reeve::test {
namespace {

ShapeSettings shapeOf(ShapeType type) {
  ShapeSettings s;
  s.type = type;
  s.radius = 0.1;
  s.length = 0.2;
  s.size = Vec3(0.2, 0.2, 0.2);
  s.points = {Vec3(0.1, 0.1, 0.1),  Vec3(-0.1, 0.1, 0.1),  Vec3(0.1, -0.1, 0.1),  Vec3(-0.1, -0.1, 0.1),
              Vec3(0.1, 0.1, -0.1), Vec3(-0.1, 0.1, -0.1), Vec3(0.1, -0.1, -0.1), Vec3(-0.1, -0.1, -0.1)};
  s.polygon = {Vec2(0.1, 0), Vec2(0.05, 0.1), Vec2(-0.05, 0.1), Vec2(-0.1, 0), Vec2(-0.05, -0.1), Vec2(0.05, -0.1)};
  return s;
}

TEST(Kinematic, BodyFollowsItsProfileAndCarriesWhatHangsOnIt) {
  // A pendulum on a cart that accelerates at a hangs at atan(a/g).
  Description d = heavy(1.0 / 240);
  BodySettings cart;
  cart.motion = BodyMotion::kinematic;
  MotionSettings m;
  m.travel.amplitude = 0.1;
  m.travel.frequency = 0.5;
  cart.prescribed = m;
  d.bodies.emplace_back("cart", cart);
  World w = make(d);
  run(w, 0.7);
  EXPECT_NEAR(measure(w, "bodies.cart.position.x"), 0.1 * std::sin(M_PI * 0.7), 1e-9);
  EXPECT_NEAR(measure(w, "bodies.cart.velocity.x"), 0.1 * M_PI * std::cos(M_PI * 0.7), 1e-9);
}

TEST(Kinematic, ATurningTableDragsABodyThatIsFixedToIt) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = still(1.0 / 240);
    d.settings.solver = solver;
    BodySettings table;
    table.motion = BodyMotion::kinematic;
    MotionSettings m;
    m.turn.rate = 0.5;
    table.prescribed = m;
    d.bodies.emplace_back("table", table);
    BodySettings rider = rigid(1.0, Vec3(1, 1, 1), Vec3(1, 0, 0));
    rider.velocity = Vec3(0, 0.5, 0);
    rider.angularVelocity = Vec3(0, 0, 0.5);
    d.bodies.emplace_back("rider", rider);
    d.joints.emplace_back("weld", joint(JointType::fixed, "table", "rider", Vec3(1, 0, 0)));
    World w = make(d);
    run(w, 2.0);
    EXPECT_NEAR(measure(w, "bodies.rider.position.x"), std::cos(1.0), 1e-4);
    EXPECT_NEAR(measure(w, "bodies.rider.position.y"), std::sin(1.0), 1e-4);
    // The joint supplies the centripetal force m ω² r.
    if (solver == SolverChoice::direct) {
      const double fx = measure(w, "joints.weld.force.x"), fy = measure(w, "joints.weld.force.y");
      EXPECT_NEAR(std::hypot(fx, fy), 0.25, 1e-3);
    }
  }
}

TEST(Contacts, BodiesThatStartDeepInEachOtherPartGentlyAndAreNotThrown) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = heavy(1.0 / 240);
    d.settings.solver = solver;
    d.bodies.emplace_back("ground", ground());
    for (int i = 0; i < 2; ++i) {
      BodySettings b;
      b.mass = 1.0;
      b.position = Vec3(0.01 * i, 0, 0.05 + 0.1 * i);  // in the ground and in each other
      b.shapes.push_back(box(Vec3(0.2, 0.2, 0.2)));
      d.bodies.emplace_back("b" + std::to_string(i), b);
    }
    World w = make(d);
    double highest = 0.0;
    for (int i = 0; i < 480; ++i) {
      w.step();
      highest = std::max(highest, measure(w, "bodies.b1.position.z"));
    }
    EXPECT_TRUE(w.verdict().good);
    EXPECT_LT(highest, 0.35);
    EXPECT_NEAR(measure(w, "bodies.b0.position.z"), 0.1, 1e-3);
  }
}

TEST(Drag, StiffDragDoesNotBlowUpInEitherSolver) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = heavy(0.01);
    d.settings.solver = solver;
    BodySettings b = rigid(1.0, Vec3(1, 1, 1));
    b.drag = 500.0;
    b.angularDrag = 500.0;
    b.angularVelocity = Vec3(0, 3, 0);
    d.bodies.emplace_back("b", b);
    World w = make(d);
    run(w, 1.0);
    EXPECT_NEAR(measure(w, "bodies.b.velocity.z"), -10 / 500.0, 1e-6);
    EXPECT_NEAR(measure(w, "bodies.b.angular_velocity.y"), 0.0, 1e-6);
  }
}

TEST(Drag, BringsAFallingBodyToItsTerminalVelocity) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = heavy(1.0 / 240);
    d.settings.solver = solver;
    BodySettings b = rigid(2.0, Vec3(1, 1, 1));
    b.drag = 4.0;
    d.bodies.emplace_back("b", b);
    World w = make(d);
    run(w, 10.0);
    EXPECT_NEAR(measure(w, "bodies.b.velocity.z"), -2.0 * 10 / 4.0, 1e-6);
  }
}

TEST(Contacts, EveryShapeComesToRestOnTheGroundAtItsHeight) {
  for (const ShapeType type :
       {ShapeType::sphere, ShapeType::capsule, ShapeType::cylinder, ShapeType::box, ShapeType::hull, ShapeType::prism})
    for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
      Description d = heavy(1.0 / 240);
      d.settings.solver = solver;
      d.bodies.emplace_back("ground", ground());
      BodySettings b;
      const double height = type == ShapeType::capsule ? 0.2 : 0.1;
      b.position = Vec3(0, 0, height + 0.05);
      b.shapes.push_back(shapeOf(type));
      d.bodies.emplace_back("b", b);
      World w = make(d);
      run(w, 1.0);
      EXPECT_NEAR(measure(w, "bodies.b.position.z"), height, 2e-4) << static_cast<int>(type);
    }
}

TEST(Contacts, GroupsFilterWhoTouchesWhom) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("ground", ground());
  for (const bool ghost : {false, true}) {
    BodySettings b;
    b.position = Vec3(ghost ? 1 : 0, 0, 0.1);
    b.shapes.push_back(sphere(0.1));
    b.group = 3;
    if (ghost) b.ignores = {0};
    d.bodies.emplace_back(ghost ? "ghost" : "solid", b);
  }
  World w = make(d);
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "bodies.solid.position.z"), 0.1, 1e-6);
  EXPECT_NEAR(measure(w, "bodies.ghost.position.z"), 0.1 - 0.5 * 10 * 0.25, 1e-3);
}

TEST(Contacts, ARollingSphereKeepsItsEnergyOnTheFlat) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("ground", ground());
  BodySettings b;
  b.position = Vec3(0, 0, 0.1);
  b.velocity = Vec3(1, 0, 0);
  b.angularVelocity = Vec3(0, 10, 0);
  b.shapes.push_back(sphere(0.1));
  d.bodies.emplace_back("ball", b);
  World w = make(d);
  run(w, 2.0);
  EXPECT_NEAR(measure(w, "bodies.ball.velocity.x"), 1.0, 1e-3);
  EXPECT_NEAR(measure(w, "bodies.ball.position.x"), 2.0, 2e-3);
}

TEST(Verdict, NamesTheFirstCulpritAndKeepsTheLastGoodState) {
  Description d = heavy(1.0 / 240);
  d.settings.bounds = 10.0;
  d.bodies.emplace_back("runaway", rigid(1.0, Vec3(1, 1, 1)));
  World w = make(d);
  while (w.time() < 5.0 && w.step().good) {
  }
  EXPECT_FALSE(w.verdict().good);
  EXPECT_EQ(w.verdict().culprit, "bodies.runaway");
  EXPECT_LT(std::fabs(measure(w, "bodies.runaway.position.z")), 10.0);
  const std::uint64_t hash = w.hash();
  w.step();
  EXPECT_EQ(w.hash(), hash);
}

TEST(Observables, EveryPathResolvesAndABadOneNamesWhatIsValid) {
  Description d = particleChain(3, 1.0, 1.0 / 60);
  d.bodies.emplace_back("ground", ground());
  World w = make(d);
  for (const std::string& path : w.paths()) EXPECT_TRUE(w.resolve(path)) << path;
  const auto bad = w.resolve("particles.p0.positon.x");
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().remedy.find("position"), std::string::npos);
  EXPECT_FALSE(w.resolve(""));
  EXPECT_FALSE(w.resolve("bodies"));
  EXPECT_FALSE(w.resolve("bodies.ground.position.q"));
  EXPECT_FALSE(w.resolve("energy.total.x"));
}

TEST(Build, RefusesWhatCannotBe) {
  const auto refused = [](Description d) {
    const auto world = World::build(std::move(d));
    return world ? std::string() : world.error().path;
  };
  Description d = heavy(0.01);
  d.bodies.emplace_back("b", BodySettings{});
  EXPECT_EQ(refused(d), "/bodies/b");
  d.bodies[0].second = rigid(1.0, Vec3(1, 1, 5));
  EXPECT_EQ(refused(d), "/bodies/b/inertia");
  d.bodies[0].second = rigid(1.0, Vec3(1, 1, 1));
  d.joints.emplace_back("j", joint(JointType::ball, "b", "b", Vec3::Zero()));
  EXPECT_EQ(refused(d), "/joints/j/b");
  d.joints[0].second = joint(JointType::ball, "b", "nobody", Vec3::Zero());
  EXPECT_EQ(refused(d), "/joints/j/b");
  d.joints[0].second = joint(JointType::hinge, "b", "world", Vec3::Zero(), Vec3::Zero());
  EXPECT_EQ(refused(d), "/joints/j/axis");
}

TEST(Momentum, OfAFreeChainIsKeptLinearToRoundingAndAngularToTheOrderOfTheStep) {
  Description d = still(1.0 / 240);
  for (int i = 0; i < 6; ++i) {
    BodySettings b = rigid(1.0 + i, Vec3(0.1, 0.2, 0.25), Vec3(0.5 * i, 0, 0));
    b.velocity = Vec3(0.1 * i, std::sin(i), 0.3);
    b.angularVelocity = Vec3(1, 0.2 * i, -1);
    d.bodies.emplace_back("b" + std::to_string(i), b);
    if (i)
      d.joints.emplace_back("j" + std::to_string(i), joint(JointType::ball, "b" + std::to_string(i - 1),
                                                           "b" + std::to_string(i), Vec3(0.5 * i - 0.25, 0, 0)));
  }
  World w = make(d);
  const auto momenta = [&](Vec3& p, Vec3& l) {
    p.setZero();
    l.setZero();
    const Observation o = w.observe();
    for (int i = 0; i < 6; ++i) {
      const BodyObservation& b = o.bodies[static_cast<std::size_t>(i)].second;
      const Mat3 r = b.orientation.toRotationMatrix();
      p += (1.0 + i) * b.velocity;
      l += (1.0 + i) * b.position.cross(b.velocity) +
           r * Vec3(0.1, 0.2, 0.25).asDiagonal() * r.transpose() * b.angularVelocity;
    }
  };
  w.step();  // joints make the start velocities consistent
  Vec3 p0, l0, p, l;
  momenta(p0, l0);
  run(w, 5.0);
  momenta(p, l);
  EXPECT_LT((p - p0).norm() / p0.norm(), 1e-9);
  EXPECT_LT((l - l0).norm() / l0.norm(), 1e-4);  // angular: the linear velocity is a backward difference, not M⁻¹p
}

}  // namespace
}  // namespace reeve::test
