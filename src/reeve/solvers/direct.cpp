#include "reeve/solvers/direct.h"

#include <cmath>

#include "reeve/solvers/direct/coast.h"
#include "reeve/solvers/direct/finer.h"

namespace reeve {

namespace {
/// m or rad: a correction of the last and shortest substeps that is taken for the last.
constexpr double almostThere = 1e-4;
/// Of the kinetic energy: what a part of a step that did not quite converge may win.
constexpr double wonShare = 1e-3;
/// Parts of a step that is done in the shortest ones, and after how many that found no solution the rest is not tried.
constexpr int shortestParts = 64, mostHalts = 4;
}  // namespace

void DirectSolver::prepare(const Model& model, Elements elements, const State& state) {
  const Settings& settings = model.description.settings;
  system_.bind(model);
  system_.forget();
  trial_.now.bind(model, state);
  const double negligible = 1e-14 * trial_.now.moving().weighed * settings.gravity.norm();
  task_ = {&model, elements, settings.iterations > 0 ? settings.iterations : 30, settings.tolerance, negligible};
  const std::size_t n = state.v.size();
  trial_.forces.force.assign(n, 0.0);
  trial_.carried.resize(model.hasElementMass ? n : 0);
  newton_.prepare(task_, n);
  motion_.prepare(task_, n);
}

StepReport DirectSolver::step(const Model& model, Elements elements, State& state, double h, Events& events) {
  prepare(model, elements, state);
  report_ = StepReport{};
  if (elements.empty() && model.spins.empty() && state.h == h) {
    const int iterations = coast(task_, h, state, known_);
    report_.iterations = iterations;
    if (iterations >= 0) return report_;
    report_.iterations = 0;
  }
  const int parts = keepsEnergy_ ? partsOf(state, h) : 1;
  double lost = 0.0;
  told_.begin(model, state);
  for (int k = 0; k < parts; ++k) lost += advance(state, h / parts, events);
  told_.book(model, state);
  findWorst(trial_.rows, state.mode, report_);
  const int next = keepsEnergy_ ? chooseParts(task_, trial_, state, h, parts, lost) : parts;
  if (next != parts) {
    known_ = state.force;
    restart(state, h / next, known_);
  }
  return report_;
}

double DirectSolver::advance(State& state, double h, Events& events) {
  // Light nodes of a strand were struck: what they do is over before the step is, and a history of it would throw them.
  const bool rough = task_.model->hasElementMass && state.impactPending;
  struck_.clear();
  if (state.h != h || rough || state.needsVelocityProjection) {
    if (state.needsVelocityProjection || needsProjection(task_, state, trial_)) solveVelocities(state, h, false, state);
    if (!rough) {
      restart(state, h, {});
      reeve::goOn(doingsOf(trial_.rows, task_.elements, trial_.now, state.force, trial_.forces), state.accounts);
    }
  }
  state.needsVelocityProjection = state.impactPending = false;
  before_ = state;
  for (const Struck::Decaying& d : struck_.decaying) before_.force[at(d.slot)] = d.force;
  const Step smooth = from(Scheme::bdf2(h));
  const bool converged = !rough && newton(smooth).converged;
  if (converged && !findJumps(smooth, Newton::sinks(task_), struck_)) {
    newton_.accept(smooth, state, events);
    return keepsEnergy_ ? lossOf(trial_, before_, state, h) : 0.0;
  }
  if (!converged || !jump(state, h, events)) recover(state, h, events);
  // What rows do at a state that no smooth step has led to.
  rowsAt(task_, state, 0.0, trial_.now, trial_.rows);
  reeve::goOn(doingsOf(trial_.rows, task_.elements, trial_.now, state.force, trial_.forces), state.accounts);
  return 0.0;
}

NewtonOutcome DirectSolver::newton(const Step& step) {
  const NewtonOutcome out = newton_.solve(step);
  report_.iterations += out.iterations;
  if (out.residual != 0.0) report_.residual = out.residual;
  return out;
}

bool DirectSolver::jump(State& state, double h, Events& events) {
  const Step euler = from(Scheme::euler(h));
  // Mass and waves that elements carry know no islands.
  bool parts = !task_.model->hasElementMass && state.sheets.empty();
  if (parts) {
    quiet_.begin(task_);
    parts = quiet_.find(task_, trial_, newton_.tangent.stiffness(), struck_);
  }
  if (parts) {
    quiet_.smooth = state;
    quiet_.events.clear();
    newton_.accept(from(Scheme::bdf2(h)), quiet_.smooth, quiet_.events);
  }
  if (!newton(euler).converged) return false;
  if (parts) {
    findJumps(euler, Newton::sinks(task_), struck_);
    parts = quiet_.find(task_, trial_, newton_.tangent.stiffness(), struck_);
  }
  if (parts) {
    quiet_.place(euler);
    newton_.evaluate(euler);
    quiet_.placeVelocities(euler);
  }
  newton_.accept(euler, state, events);
  solveVelocities(before_, h, true, state);
  for (const Struck::Decaying& d : struck_.decaying)
    for (const Row& row : trial_.rows.rows)
      if (row.slot == d.slot)
        before_.force[at(d.slot)] = softForce(row, rowRate(trial_.rows, row, task_.blocks(), state.v));
  restart(state, h, before_.force);
  if (parts) quiet_.keep(task_, state);
  return true;
}

/// A part of a step that has not converged, but almost: only the tolerance was missed, which is better than anything a
/// sweep would give; where mass is between blocks, if nothing is won by it.
bool DirectSolver::isAlmostThere(const NewtonOutcome& last, double had) {
  const bool strands = task_.model->hasElementMass;
  if ((last.undecided > 0 && !strands) || task_.model->interrupted() || !(last.moved < almostThere)) return false;
  double kinetic = 0.0;
  return !strands || halt_.energy(task_, trial_, trial_.force, kinetic) <= had + wonShare * kinetic;
}

/// Euler substeps; their events are in tried_. False if they do not converge.
bool DirectSolver::substeps(State& state, double h, int parts, NewtonOutcome& last) {
  const Step part = from(Scheme::euler(h / parts));
  const bool strands = task_.model->hasElementMass, shortest = parts == shortestParts;
  int halts = 0;
  tried_.clear();
  for (int k = 0; k < parts; ++k) {
    before_ = state;
    double had = 0.0, kinetic = 0.0;
    if (strands && shortest) {
      rowsAt(task_, state, 0.0, trial_.now, trial_.rows);
      had = halt_.energy(task_, trial_, state.force, kinetic);
    }
    last = newton(part);
    if (last.converged || (shortest && isAlmostThere(last, had))) {
      report_.converged = report_.converged && last.converged;
      newton_.accept(part, state, tried_);
      continue;
    }
    if (!shortest || !strands || task_.model->interrupted()) return false;
    report_.converged = false;
    const bool rest = ++halts == mostHalts;
    halt_.stop(from(Scheme::euler(part.s.h * (rest ? parts - k : 1))), newton_, state, tried_);
    if (rest) break;
  }
  return true;
}

/// Four Euler substeps, or sixteen, or 64; where even those do not converge (a tangle of contacts), sweeps of many
/// iterations, which always end somewhere sensible. (There are none for mass between blocks: what holds it then stops.)
/// What jumps on the way is settled by the last velocity solve.
void DirectSolver::recover(State& state, double h, Events& events) {
  if (stops_ && !task_.model->masses.empty()) {
    report_.converged = false;
    halt_.stop(from(Scheme::euler(h)), newton_, state, events);
    return restart(state, h, {});
  }
  fallback_ = state;
  NewtonOutcome last;
  for (const int parts : {4, 16, shortestParts}) {
    if (substeps(state, h, parts, last)) {
      events.add(tried_.all());
      return goOn(state, h / parts, h);
    }
    state = fallback_;
    if (task_.model->interrupted()) return;  // the trial is not evaluated, and the world takes the step back
    // Contacts that cannot agree do not agree in smaller steps either; what strikes a strand may, and there are no
    // sweeps.
    if (last.undecided > 0 && !task_.model->hasElementMass) break;
  }
  report_.converged = false;
  for (int k = 0; k < 4; ++k) sweep_.advance(*task_.model, task_.elements, state, 0.25 * h, 40, events);
  restart(state, h, {});
}

void DirectSolver::solveVelocities(const State& before, double h, bool impact, State& state) {
  reeve::solveVelocities(task_, before, h, impact, state, trial_, system_, spin_, motion_);
}

void DirectSolver::restart(State& state, double h, std::span<const double> known) {
  restart_.fill(task_, h, known, state, trial_, system_, spin_, motion_, struck_);
}

void DirectSolver::goOn(State& state, double part, double h) {
  solveVelocities(before_, part, true, state);
  restart(state, h, before_.force);
}

void DirectSolver::accelerations(const Model& model, Elements elements, State& state, double h) {
  prepare(model, elements, state);
  if (state.needsVelocityProjection || needsProjection(task_, state, trial_)) solveVelocities(state, h, false, state);
  restart(state, h, {});
}

}  // namespace reeve
