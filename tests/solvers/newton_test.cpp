// What a step of `direct` costs: one that is met as predicted needs no matrix, and one that moves nothing needs no
// second evaluation.
#include "cables/cable_scenes.h"
#include "reeve/solvers/direct.h"

namespace reeve::test {
namespace {

/// Does nothing, and counts what it is asked for: rows once an evaluation, stiffness once a matrix.
struct StepWitness : Element {
  mutable int evaluations = 0, matrices = 0;
  void rows(const Instant&, RowSet&) const override { ++evaluations; }
  void stiffness(const Instant&, std::span<const double>, PatchSet&) const override { ++matrices; }
};

/// A scene stepped by a solver of its own, with the witness among its elements.
struct Watched {
  World world;
  State state;
  StepWitness witness;
  std::vector<const Element*> elements;
  DirectSolver solver;
  Events events;
  explicit Watched(Description d) : world(make(std::move(d))), state(world.state()) {
    elements = world.model().acting;
    elements.push_back(&witness);
    for (int i = 0; i < 3; ++i) step();
  }
  StepReport step() {
    witness.evaluations = witness.matrices = 0;
    return solver.step(world.model(), elements, state, world.description().settings.dt, events);
  }
};

Description hanging(double m) {
  Description d = heavy(1.0 / 240);
  addMass(d, "mass", m, Vec3(0, 0, -1));
  addCable(d, "rope", {attachTo("world"), attachTo("mass")});
  return d;
}

TEST(NewtonCost, AMassThatHangsNeedsNoMatrix) {
  Watched w(hanging(1000.0));
  for (int i = 0; i < 50; ++i) {
    const StepReport report = w.step();
    ASSERT_EQ(report.iterations, 1);
    ASSERT_EQ(report.residual, 0.0);
    ASSERT_EQ(w.witness.evaluations, 1) << i;
    ASSERT_EQ(w.witness.matrices, 0) << i;
  }
  EXPECT_NEAR(w.state.q[at(w.world.model().blocks[at(w.world.model().particles[0].block)].q + 2)], -1.0, 1e-12);
}

TEST(NewtonCost, WhatAcceleratesSteadilyNeedsNoMatrix) {
  // 3 kg against 1 kg over a wheel: a = (3 − 1) g/(3 + 1 + I/r²), and the difference is exact for it.
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("wheel", wheelAt(Vec3(0, 0, 0), 0.1, 0.01));
  addMass(d, "left", 3.0, Vec3(-0.1, 0, -1));
  addMass(d, "right", 1.0, Vec3(0.1, 0, -2));
  addCable(d, "rope", {attachTo("left"), rollOver("wheel", 1), attachTo("right")});
  const double g = d.settings.gravity.norm(), dt = d.settings.dt;
  Watched w(d);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(w.step().converged);
    ASSERT_EQ(w.witness.matrices, 0) << i;
  }
  const Model& model = w.world.model();
  const double fell = -1.0 - w.state.q[at(model.blocks[at(model.particles[0].block)].q + 2)];
  const double t = 103 * dt, a = 2.0 * g / (4.0 + 1.0);
  EXPECT_NEAR(std::fabs(fell), 0.5 * a * t * t, 1e-9);
}

TEST(NewtonCost, AForceThatGrowsSlowlyIsTakenByTheRowAlone) {
  // A milligram a step on a ton: nothing moves, and the tension follows after one matrix and one evaluation.
  Description d = hanging(1000.0);
  ForceSettings push;
  push.on = "mass";
  push.force = Vec3(0, 0, -1.0);
  push.scale = ramp({{0, 0}, {10, 10}}, false);  // 1 N/s, 1/240 N a step
  d.forces.emplace_back("push", push);
  const double weight = 1000.0 * d.settings.gravity.norm();
  Watched w(d);
  int matrices = 0;
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(w.step().converged);
    ASSERT_EQ(w.witness.evaluations, 1) << i;
    ASSERT_LE(w.witness.matrices, 1) << i;
    matrices += w.witness.matrices;
    double most = 0.0;
    for (const double f : w.state.force) most = std::max(most, std::fabs(f));
    ASSERT_NEAR(most, weight + w.state.time, 0.01) << i;
  }
  EXPECT_EQ(matrices, 50);
  EXPECT_NEAR(w.state.q[at(w.world.model().blocks[at(w.world.model().particles[0].block)].q + 2)], -1.0, 1e-11);
}

TEST(NewtonCost, AForceThatComesAtOnceIsNotPassedOver) {
  Description d = hanging(1000.0);
  ForceSettings push;
  push.on = "mass";
  push.force = Vec3(1.0, 0, 0);
  push.scale = ramp({{0, 0}, {0.1, 0}, {0.1001, 1}}, false);
  d.forces.emplace_back("push", push);
  Watched w(d);
  while (w.state.time < 0.1 - 1e-9) w.step();
  w.step();
  EXPECT_GE(w.witness.matrices, 1);
  EXPECT_GE(w.witness.evaluations, 2);
  const Model& model = w.world.model();
  EXPECT_GT(w.state.v[at(model.blocks[at(model.particles[0].block)].v)], 1e-6);
}

}  // namespace
}  // namespace reeve::test
