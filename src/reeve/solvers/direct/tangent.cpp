#include "reeve/solvers/direct/tangent.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"
#include "reeve/solvers/direct/active_set.h"

namespace reeve {

namespace {
/// A gyroscopic part larger than this makes the matrix worth factorising as unsymmetric.
constexpr double worthwhileSkewness = 0.02;
/// What would change accelerations by no more than this share of gravity, and positions by this share of the tolerance,
/// is not moved: less than a slack row may be open, or rows at the edge would follow what is left.
constexpr double unmovedWeight = 2e-8, unmovedShare = 0.5 * slackShare;
/// A correction by the last factor is taken if it is at most this share of the correction before; or a larger one where
/// two more that shrink alike would do, since a matrix costs as much as four of them.
constexpr double chordShare = 0.01, chordMost = 0.1;
}  // namespace

void Tangent::prepare(const Task& task, std::size_t coordinates) {
  for (auto* x : {&pHat_, &residual, &correction.change}) x->assign(coordinates, 0.0);
  rotations_.resize(task.blocks().size(), Mat3::Zero());
}

void Tangent::begin(const Step& step) { startMomentum(step.s, step.past, pHat_); }

void Tangent::balance(const Step& step) {
  Trial& t = step.trial;
  const double s2 = step.s.s2();
  gatherForces(step.task, t);
  if (step.task.model->hasElementMass) carriedMomentum(t.now, t.carried);
  step.spin.hat(step.s, t.now, step.past, pHat_);
  inertiaResidual(step.s, t.now, pHat_, t.carried, residual);
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= s2 * t.forces.force[i];
  for (const int block : t.now.moving().weighing) {
    const Block& b = step.task.blocks()[at(block)];
    for (int k = 0; k < 3; ++k) residual[at(b.v + k)] -= s2 * b.mass * step.task.gravity()[k];
  }
  t.applyRows(t.force, -s2, residual);
}

/// What the rows ask of the next linear solve. False if some row holds that did not, or the other way round.
bool Tangent::formEquations(const Step& step) {
  const Trial& t = step.trial;
  const double s2 = step.s.s2();
  bool same = equations_.size() == t.held().rows.size();
  equations_.resize(t.held().rows.size());
  for (std::size_t r = 0; r < equations_.size(); ++r) {
    const Row& row = t.rows.rows[r];
    const RowResidual w = rowResidual(row, t.rate[r], step.s.k, s2);
    const RowEquation q = equationOf(row, t.mode[at(row.slot)], row.bounded() ? boundsOf(row, t.force) : Bounds{},
                                     w.value, w.compliance + t.soft[r], t.force, s2, step.system);
    same = same && q.holds == equations_[r].holds && q.coupled == equations_[r].coupled;
    equations_[r] = q;
  }
  return same;
}

/// Derivatives of the angular momenta; returned is their largest unsymmetric part, as a share.
double Tangent::formRotations(const Step& step) {
  const Instant& now = step.trial.now;
  double skewness = 0.0;
  for (const int block : now.moving().turning)
    rotations_[at(block)] = rotationTangent(step.s, now, block, worldInertia(now, block), pHat_, skewness);
  everyParent(*step.task.model, [&](int parent, std::span<const Spin> spins) {
    const Block& b = step.task.blocks()[at(parent)];
    if (!b.free) return;
    const Mat3 turn = -skew(now.rotation(parent) * spinSum(spins, pHat_)) * (1.0 / step.s.k);
    rotations_[at(parent)] += turn;
    skewness = std::max(skewness, 2.0 * turn.cwiseAbs().maxCoeff() / b.inertia_B.diagonal().maxCoeff());
  });
  if (skewness < worthwhileSkewness)
    for (const int block : now.moving().turning) {
      Mat3& m = rotations_[at(block)];
      m = (0.5 * (m + m.transpose())).eval();
    }
  return skewness;
}

void Tangent::assemble(const Step& step) {
  Trial& t = step.trial;
  RowSystem& system = step.system;
  const double s2 = step.s.s2();
  stiffness_.clear();
  for (const Element* e : step.task.elements) e->stiffness(t.now, t.force, stiffness_);
  gatherMass(step.task, t);
  balance(step);
  pressed_.clear();
  t.cones.stiffness(t.rows, step.task.blocks(), pressed_);
  const PatchSet* sets[] = {&stiffness_, &t.forces.damping, &t.mass, &pressed_};
  system.prepare(t.held(), sets);
  bool symmetric = formRotations(step) < worthwhileSkewness;
  formEquations(step);
  for (const RowEquation& q : equations_) symmetric = symmetric && (q.holds || q.coupled < 0);
  system.begin(symmetric);
  system.addInertia(rotations_);
  system.addPatches(0, stiffness_, s2);
  system.addPatches(1, t.forces.damping, step.s.c);
  system.addPatches(2, t.mass, 1.0);
  system.addPatches(3, pressed_, 1.0);
  system.addRows(t.held(), equations_);
  for (const Cross& cross : t.rows.crosses) {
    if (!equations_[at(cross.a)].holds || !equations_[at(cross.b)].holds) continue;
    system.addCross(cross, cross.compliance / (s2 * (1.0 + t.rows.rows[at(cross.a)].damping * step.s.k)));
  }
  correction.multiplierChange.resize(equations_.size());
}

double Tangent::unmoved(const Step& step) {
  return std::min(unmovedShare * step.task.tolerance, unmovedWeight * step.s.s2() * step.task.gravity().norm());
}

bool Tangent::correct(const Step& step, double enough, double again, double& error) {
  if (!step.system.factor()) return false;
  correction.moved = step.system.resolve(step.trial.held(), equations_, residual, correction.change,
                                         correction.multiplierChange, enough, unmoved(step), again);
  if (!(correction.moved <= unmoved(step)) && !(correction.moved > again)) error = step.system.backwardError();
  return true;
}

void Tangent::resolve(const Step& step, std::span<const double> coordinateResidual) {
  step.system.resolve(step.trial.held(), equations_, coordinateResidual, correction.change,
                      correction.multiplierChange);
}

void Tangent::silenceRows() {
  for (RowEquation& q : equations_) q.residual = 0.0;
}

bool Tangent::chord(const Step& step, double last) {
  const Trial& t = step.trial;
  // A force that changes its own row has a tangent of its own at every trial.
  if (t.bends || !t.cones.steady() || !step.system.matches(t.held())) return false;
  balance(step);
  if (!formEquations(step)) return false;
  correction.moved = step.system.resolve(t.held(), equations_, residual, correction.change, correction.multiplierChange,
                                         RowSystem::coarsely, unmoved(step));
  const double moved = correction.moved;
  // Mass between blocks changes with every trial: there it may only be the last correction.
  if (step.task.model->hasElementMass) return moved < chordShare * last && moved * moved < step.task.tolerance * last;
  const double share = moved / last;
  if (share < chordShare || !t.cones.empty()) return share < chordShare;
  return share < chordMost && moved * share * share * share < step.task.tolerance;
}

double Tangent::coneShare(const Step& step) const {
  const Trial& t = step.trial;
  const double slope = slopeAlong(t, residual, equations_, correction);
  return step.trial.cones.length(t.rows, step.task.blocks(), correction.change, slope);
}

double slopeAlong(const Trial& trial, std::span<const double> residual, std::span<const RowEquation> equations,
                  const Correction& correction) {
  double slope = 0.0;
  for (const Moving::Run& run : trial.now.moving().free)
    for (int i = run.v; i < run.v + run.count; ++i) slope += residual[at(i)] * correction.change[at(i)];
  for (std::size_t r = 0; r < equations.size(); ++r)
    if (equations[r].holds) slope += equations[r].residual * correction.multiplierChange[r];
  return slope;
}

}  // namespace reeve
