#pragma once
// What the parts of `direct` (Newton, impact, restart) hand to each other: the task, and an instant with everything
// the elements say of it.
#include "reeve/model/kinetics.h"
#include "reeve/solvers/contact_cones.h"
#include "reeve/solvers/free_spin.h"
#include "reeve/solvers/row_system.h"
#include "reeve/solvers/solver.h"

namespace reeve {

/// What is stepped, and how closely. Given for one step.
struct Task {
  const Model* model = nullptr;
  Elements elements;
  int cap = 30;              ///< Newton iterations
  double tolerance = 1e-10;  ///< m or rad
  double negligible = 0.0;   ///< N: rounding of the weights in the scene; no row changes mode for it
  bool resting = false;      ///< a step toward rest: pseudo time passes, time itself does not

  std::span<const Block> blocks() const { return model->blocks; }
  const Vec3& gravity() const { return model->description.settings.gravity; }
};

struct Trial {
  Instant now;
  RowSet rows;                  ///< of all elements
  std::vector<double> force;    ///< multipliers by slot, N
  std::vector<Mode> mode;       ///< by slot
  std::vector<double> rate;     ///< J v by row
  std::vector<double> soft;     ///< compliance by row, from its softness
  bool bends = false;           ///< some rows hang on their own multiplier
  Cones cones;                  ///< rows that are contacts with friction (contact_cones.h)
  Forces forces;                ///< of the elements
  PatchSet mass;                ///< that elements have between blocks
  std::vector<double> carried;  ///< momentum of that mass; empty if there is none

  /// Finds the cones among the rows.
  void findCones();
  /// Rows that are no part of a cone: what a linear system holds.
  const RowSet& held() const { return cones.empty() ? rows : held_; }
  /// Adds scale · Jᵀ multiplier (by slot) of all rows to what is free.
  void applyRows(std::span<const double> multiplier, double scale, std::span<double> out) const;

 private:
  RowSet held_;
};

/// A step being solved: what it starts from, and the trial that is to become its end.
struct Step {
  const Task& task;
  const State& past;
  Scheme s;
  Trial& trial;
  RowSystem& system;
  FreeSpin& spin;
};

/// Where a step begins to look: at the start of it, moved on as it went before.
void predictTrial(const Step& step);
/// Evaluates the elements at the trial's increments and multipliers: rows, their rates and softness, cones.
void evaluateTrial(const Step& step);
/// Rows at a state whose positions are moved on along its velocities for a time; velocities stay those of the state.
void rowsAt(const Task& task, const State& state, double shift, Instant& now, RowSet& out);
/// Forces of the elements where the trial is.
void gatherForces(const Task& task, Trial& trial);
/// Mass of the elements where the trial is.
void gatherMass(const Task& task, Trial& trial);
/// Forces of the elements and weights, by State::v index; 0 where nothing is free.
void actingForces(const Task& task, const Trial& trial, std::span<double> out);

}  // namespace reeve
