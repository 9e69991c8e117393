#pragma once
// `direct`: Newton on the implicit step, one sparse factorisation an iteration.
//
// Smooth motion: BDF2 in momentum form (see model/kinetics.h), geometric stiffness in the matrix (positive part),
// bounds by an active set on a fixed pattern, Newton to a tolerance. What floats free keeps its angular momentum
// (free_spin.h).
//
// Jumps: when a row newly begins to hold with approach speed (a rope comes taut, bodies touch), or a drive
// starts or stops abruptly, the step is done again: Euler for the positions, then velocities (direct/impact.h), then a
// history with which BDF2 goes on at second order (direct/restart.h). Islands that no jump happens in keep the smooth
// step (direct/quiet.h). The same two solves start a run. A step whose Newton iteration does not converge is done as 4,
// 16 or 64 Euler substeps, or failing that as sweeps, with such a history after them.
//
//     direct/trial.h         the task, and an instant with what the elements say of it
//     direct/active_set.h    which rows hold, and what a row asks of a linear solve
//     direct/tangent.h       the step linearised at a trial, and corrections by it
//     direct/newton.h        (task, past, scheme) → trial
//     direct/tangle.h        contacts on which the active set does not settle
//     direct/linear_motion.h M x − JᵀΛ = rhs with an active set: velocities and accelerations
//     direct/impact.h        velocities after a jump
//     direct/restart.h       a history for a state that none has led to
//     direct/quiet.h         islands that a jump does not reach
//     direct/finer.h         steps in parts, for energy
//     direct/coast.h         nothing acts but gravity
#include "reeve/solvers/account.h"
#include "reeve/solvers/direct/halt.h"
#include "reeve/solvers/direct/newton.h"
#include "reeve/solvers/direct/quiet.h"
#include "reeve/solvers/direct/restart.h"
#include "reeve/solvers/sweep.h"

namespace reeve {

/// How far a step toward rest has moved things, m or rad, who the most, and what still pulls at them, N or N m.
struct Relaxed {
  double moved = 0.0, unbalanced = 0.0;
  double forces =
      0.0;  ///< N: the weights and other forces that act, all together; where none does the largest that holds
  int block = 0;
};

class DirectSolver : public Solver {
 public:
  /// `keepsEnergy`: nothing in the model drives, damps or strikes, so that what the difference takes is worth finer
  /// steps (direct/finer.h).
  explicit DirectSolver(bool keepsEnergy = false) : keepsEnergy_(keepsEnergy) {}
  StepReport step(const Model& model, Elements elements, State& state, double h, Events& events) override;
  /// Where a step finds no solution, what hangs on cables with mass stops at once, and none is looked for in parts.
  void stopAtOnce(bool stops) { stops_ = stops; }
  /// The forces that act at a state which no step has led to: velocities made to go along with what holds, then the
  /// acceleration solve that starts a run.
  void accelerations(const Model& model, Elements elements, State& state, double h);
  /// One step toward a state of rest (direct/rest.cpp), of this pseudo time, s. False: it did not converge, and the
  /// state is of no use.
  bool relax(const Model& model, Elements elements, State& state, double pseudo, Relaxed& out, Events& events);

 private:
  void prepare(const Model& model, Elements elements, const State& state);
  /// The step of this scheme from before_.
  Step from(const Scheme& s) { return {task_, before_, s, trial_, system_, spin_}; }
  NewtonOutcome newton(const Step& step);
  /// One step, or one part of it, of smooth motion or with what jumps in it. Returns what the difference took of the
  /// energy, J, where that is asked for.
  double advance(State& state, double h, Events& events);
  /// The step from before_ done again with the jumps in it; false if it did not converge.
  bool jump(State& state, double h, Events& events);
  void recover(State& state, double h, Events& events);
  bool isAlmostThere(const NewtonOutcome& last, double had);
  bool substeps(State& state, double h, int parts, NewtonOutcome& last);
  void solveVelocities(const State& before, double h, bool impact, State& state);
  void restart(State& state, double h, std::span<const double> known);
  /// Velocities and a history after an Euler step of `part` from before_, for steps of h.
  void goOn(State& state, double part, double h);

  bool keepsEnergy_, stops_ = false;
  Task task_;
  Trial trial_;
  RowSystem system_;
  FreeSpin spin_;  ///< angular momentum of what floats free
  Newton newton_;
  LinearMotion motion_;
  Restart restart_;
  Struck struck_;
  Quiet quiet_;
  Halt halt_;
  SweepSolver sweep_;
  std::vector<double> acting_;  ///< of a step toward rest, by State::v index
  State before_;                ///< where a step or substep begins
  State fallback_;              ///< where a step began that is done in substeps
  Events tried_;                ///< of substeps that may come to nothing
  std::vector<double> known_;   ///< multipliers before a history is made anew
  ToldMomentum told_;
  StepReport report_;
};

}  // namespace reeve
