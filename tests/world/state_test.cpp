// Determinism: same scene, same bits; saved and restored, same bits; and a warm step allocates nothing.
#include <bit>
#include <cmath>

#include "reeve/math/hash.h"
#include "reeve/model/element.h"
#include "support/allocations.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

Description pile(int boxes, double dt) {
  Description d = heavy(dt);
  d.bodies.emplace_back("ground", ground());
  for (int i = 0; i < boxes; ++i) {
    BodySettings b;
    b.position = Vec3(0.02 * (i % 3), 0.03 * (i % 2), 0.15 + 0.25 * i);
    b.shapes.push_back(i % 2 ? box(Vec3(0.2, 0.2, 0.2)) : sphere(0.1));
    d.bodies.emplace_back("b" + std::to_string(i), b);
  }
  return d;
}

/// A winch under feedback lifts a load over a wheel on which the rope may slip: rotors, a motor with memory, a cable.
Description hoist(double dt) {
  Description d = heavy(dt);
  BodySettings load;
  load.position = Vec3(2.3, 0, -2);
  load.mass = 5.0;
  load.shapes.push_back(sphere(0.2));
  d.bodies.emplace_back("load", load);
  RotorSettings drum;
  drum.radius = 0.2;
  drum.inertia = 0.1;
  drum.position = Vec3(0, 0, -2);
  d.rotors.emplace_back("drum", drum);
  drum.position = Vec3(2, 0, 0);
  drum.radius = 0.3;
  drum.friction = 0.2;
  d.rotors.emplace_back("sheave", drum);
  CableSettings c;
  c.route.resize(3);
  c.route[0].type = LinkType::spool;
  c.route[0].on = "drum";
  c.route[0].stored = 3.0;
  c.route[1].type = LinkType::roll;
  c.route[1].on = "sheave";
  c.route[1].friction = 0.4;
  c.route[2].on = "load";
  d.cables.emplace_back("rope", c);
  MotorSettings m;
  m.on = "drum";
  m.drive = DriveType::feedback;
  m.observe = "bodies.load.position.z";
  m.target.offset = -1.0;
  m.proportional = -6.0;
  m.integral = -1.0;
  m.maxSpeed = 4.0;
  d.motors.emplace_back("winch", m);
  return d;
}

TEST(State, OfAHoistWithMotorAndSlippingRopeGoesOnWithTheSameBits) {
  World whole = make(hoist(1.0 / 240)), first = make(hoist(1.0 / 240)), second = make(hoist(1.0 / 240));
  run(whole, 1.0);
  run(first, 0.5);
  ASSERT_TRUE(second.restoreState(first.saveState()));
  run(second, 0.5);
  EXPECT_EQ(second.hash(), whole.hash());
  EXPECT_GT(std::fabs(measure(whole, "rotors.drum.angle")), 0.1);
}

/// A strand over a wheel that turns, through a hole that rubs.
Description strandOverAWheel(double dt) {
  Description d = heavy(dt);
  RotorSettings wheel;
  wheel.position = Vec3(0, 0, 1);
  wheel.radius = 0.1;
  wheel.inertia = 0.01;
  d.rotors.emplace_back("wheel", wheel);
  ParticleSettings load;
  load.mass = 2.0;
  load.position = Vec3(-0.1, 0, 0);
  d.particles.emplace_back("load", load);
  load.mass = 1.6;
  load.position = Vec3(0.6, 0, -0.4);
  d.particles.emplace_back("other", load);
  CableSettings c;
  c.model = CableModel::strand;
  c.material.mass = 0.2;
  c.route.resize(4);
  c.route[0].on = "load";
  c.route[1].type = LinkType::roll;
  c.route[1].on = "wheel";
  c.route[2].type = LinkType::pinhole;
  c.route[2].point = Vec3(0.6, 0, 0.5);
  c.route[2].friction = 0.1;
  c.route[3].on = "other";
  d.cables.emplace_back("rope", c);
  return d;
}

TEST(State, OfAStrandGoesOnWithTheSameBits) {
  const Description d = strandOverAWheel(1.0 / 240);
  World whole = make(d), first = make(d), second = make(d);
  run(whole, 1.0);
  run(first, 0.5);
  ASSERT_TRUE(second.restoreState(first.saveState()));
  run(second, 0.5);
  EXPECT_EQ(second.hash(), whole.hash());
  EXPECT_GT(std::fabs(measure(whole, "rotors.wheel.angle")), 0.1);
}

TEST(State, TheSameSceneTwiceGivesTheSameHash) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = pile(6, 1.0 / 240);
    d.settings.solver = solver;
    World a = make(d), b = make(d);
    run(a, 1.0);
    run(b, 1.0);
    EXPECT_EQ(a.hash(), b.hash());
  }
}

TEST(State, SavedAtHalfTimeAndRestoredItGoesOnWithTheSameBits) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = pile(6, 1.0 / 240);
    d.settings.solver = solver;
    World whole = make(d), first = make(d), second = make(d);
    run(whole, 1.0);
    run(first, 0.5);
    ASSERT_TRUE(second.restoreState(first.saveState()));
    EXPECT_EQ(second.hash(), first.hash());
    run(second, 0.5);
    EXPECT_EQ(second.hash(), whole.hash());
  }
}

TEST(State, DamagedOrForeignTextIsRefused) {
  World w = make(pile(2, 1.0 / 240)), other = make(pile(3, 1.0 / 240));
  const std::string text = w.saveState();
  EXPECT_FALSE(w.restoreState(""));
  EXPECT_FALSE(w.restoreState("reeve-state 4\n"));
  const auto older = w.restoreState("reeve-state 2\n" + text.substr(text.find('\n') + 1));
  ASSERT_FALSE(older);
  EXPECT_NE(older.error().reason.find("another version"), std::string::npos);
  EXPECT_FALSE(w.restoreState(text.substr(0, text.size() / 2)));
  EXPECT_FALSE(w.restoreState(text + "00"));
  EXPECT_FALSE(other.restoreState(text));
}

/// Particle cables in a heap on the ground and over a ball, one of them on a light hinged arm, one in a socket.
Description cables(double dt, SolveOrder order, bool direct, DoubleRest doubles) {
  Description d = heavy(dt);
  d.bodies.emplace_back("ground", ground());
  BodySettings ball;
  ball.position = Vec3(0, 0, 0.1);
  ball.shapes = {sphere(0.1)};
  d.bodies.emplace_back("ball", ball);
  d.bodies.emplace_back("arm", rigid(0.01, Vec3::Constant(1e-4), Vec3(0.5, 0, 0.6)));
  d.joints.emplace_back("pin", joint(JointType::hinge, "world", "arm", Vec3(0.4, 0, 0.6)));
  const auto rope = [&](Vec3 from, Vec3 to) {
    CableSettings c;
    c.model = CableModel::particles;
    c.segments = 40;
    c.material.mass = 0.1;
    c.material.radius = 0.006;
    c.particles.self = order != SolveOrder::chunks;  // with it, seams that shift whole chunks never come to rest
    c.particles.order = order;
    c.particles.direct = direct;
    c.particles.doubles = doubles;
    if (doubles != DoubleRest::none) c.particles.doubleCompliance = 1e-2;
    c.particles.drag = 5.0;
    LinkSettings a, b;
    a.point = from;
    b.point = to;
    c.route = {a, b};
    return c;
  };
  CableSettings heap = rope(Vec3(-0.3, 0.02, 0.3), Vec3(0.3, -0.02, 0.3));
  heap.route[0].hold = heap.route[1].hold = EndHold::free;
  CableSettings lead = rope(Vec3::Zero(), Vec3(-0.4, 0.3, 0.5));
  lead.route[0].on = "arm";
  lead.route[0].point = Vec3(0.1, 0, 0);
  lead.route[1].letsGo = 1.0;
  lead.route[1].plugsIn = 0.02;
  d.cables.emplace_back("heap", heap);
  d.cables.emplace_back("lead", lead);
  return d;
}

std::vector<Description> cableScenes() {
  return {cables(1.0 / 240, SolveOrder::along, false, DoubleRest::none),
          cables(1.0 / 240, SolveOrder::coloured, false, DoubleRest::straight),
          cables(1.0 / 240, SolveOrder::along, true, DoubleRest::none),
          cables(1.0 / 240, SolveOrder::chunks, false, DoubleRest::none)};
}

TEST(State, ParticleCablesGoOnBitForBitFromEverySavedState) {
  for (const Description& scene : cableScenes())
    for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
      Description d = scene;
      d.settings.solver = solver;
      World w = make(d);
      // While it falls, while it meets ground, ball and itself, and after the socket may have let go.
      for (const double pause : {0.05, 0.2, 0.3}) {
        run(w, pause);
        World other = make(d);
        ASSERT_TRUE(other.restoreState(w.saveState()));
        run(w, 0.1);
        run(other, 0.1);
        EXPECT_EQ(w.hash(), other.hash()) << "after " << w.time() << " s";
      }
    }
}

TEST(Step, OfParticleCablesAllocatesNothingOnceWarm) {
  for (const Description& scene : cableScenes())
    for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
      Description d = scene;
      d.settings.solver = solver;
      World w = make(d);
      run(w, 4.0);  // at rest: what there is to meet has been met
      const long before = allocations();
      for (int i = 0; i < 50; ++i) w.step();
      EXPECT_EQ(allocations() - before, 0);
    }
}

TEST(Step, AllocatesNothingOnceWarm) {
  std::vector<Description> scenes{particleChain(24, 1e3, 1.0 / 60), rodChain(12, 1e2, 1.0 / 240, JointType::hinge)};
  {
    Description resting = heavy(1.0 / 240);
    resting.bodies.emplace_back("ground", ground());
    BodySettings b;
    b.position = Vec3(0, 0, 0.1);
    b.shapes.push_back(box(Vec3(0.2, 0.2, 0.2)));
    resting.bodies.emplace_back("crate", b);
    scenes.push_back(resting);
  }
  scenes.push_back(hoist(1.0 / 240));
  scenes.push_back(strandOverAWheel(1.0 / 240));
  for (const Description& scene : scenes)
    for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
      const bool strand = !scene.cables.empty() && scene.cables[0].second.model == CableModel::strand;
      if (strand && solver == SolverChoice::sweep) continue;  // its mass lies between the coordinates
      Description d = scene;
      d.settings.solver = solver;
      World w = make(d);
      run(w, 1.0);
      const long before = allocations();
      for (int i = 0; i < 50; ++i) w.step();
      EXPECT_EQ(allocations() - before, 0);
    }
}

TEST(Step, OfAChainAllocatesNothingOnceWarm) {
  // A swinging chain of segments with bending and twist, by every solver that takes it.
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep, SolverChoice::blocks}) {
    Description d = heavy(1.0 / 240);
    d.settings.solver = solver;
    BodySettings load = rigid(5.0, Vec3::Constant(0.1), Vec3(0, 0, -2));
    load.velocity = Vec3(1, 0.3, 0);
    d.bodies.emplace_back("load", load);
    CableSettings c;
    c.model = CableModel::chain;
    c.segments = 20;
    c.material.mass = 0.5;
    c.material.axial = 1e5;
    c.material.bending = c.material.torsion = 1.0;
    c.material.damping = 0.01;
    c.route.resize(2);
    c.route[1].on = "load";
    c.route[1].hold = EndHold::clamped;
    d.cables.emplace_back("chain", c);
    World w = make(d);
    run(w, 0.5);
    const long before = allocations();
    for (int i = 0; i < 200; ++i) w.step();
    EXPECT_EQ(allocations() - before, 0) << static_cast<int>(solver);
    EXPECT_TRUE(w.verdict().good);
  }
}

/// Another number in place of one that an element remembers, where it lies: no state with NaN is let in from outside.
void plant(World& w, std::size_t place, double number) { const_cast<State&>(w.state()).memory[place] = number; }

TEST(Verdict, ACableThatRemembersWhatIsNotANumberIsNamed) {
  World w = make(hoist(1.0 / 120));
  run(w, 0.2);
  const Element* rope = nullptr;
  for (const auto& e : w.model().elements)
    if (e->name == "cables.rope") rope = e.get();
  ASSERT_TRUE(rope);
  const std::size_t place = static_cast<std::size_t>(rope->memory + rope->layout().memory - 1);
  plant(w, place, w.state().memory[place]);
  EXPECT_TRUE(w.step().good);  // the same number again
  State wrong = w.state();
  wrong.memory[place] = std::nan("");
  EXPECT_FALSE(w.setState(wrong));
  EXPECT_FALSE(w.restoreState(textOf(wrong)));
  EXPECT_TRUE(w.step().good);
  plant(w, place, std::nan(""));
  EXPECT_FALSE(w.step().good);
  EXPECT_EQ(w.verdict().culprit, "cables.rope");
  EXPECT_EQ(w.verdict().reason, "remembers what is not a number");
  EXPECT_TRUE(std::isfinite(measure(w, "energy.total")));  // the last good state stays
}

}  // namespace
}  // namespace reeve::test
