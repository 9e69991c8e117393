#pragma once
// Velocities after a jump: M (v⁺ − v) = h f + JᵀΛ with J v⁺ = −e · approach, at the positions a step has reached.
#include "reeve/solvers/direct/linear_motion.h"

namespace reeve {

/// A damper between bodies that are struck: what it makes of the new velocities is over before the step is, so it is
/// solved for and not read off them, however soft it is.
inline bool damps(const Row& row) { return row.level == Level::position && row.damping > 0.0; }
/// What a row with some give pulls with where it is and as fast as it goes.
double softForce(const Row& row, double rate);

/// Where velocities jump in a step.
struct Struck {
  struct Decaying {
    int slot;
    double force;
  };
  std::vector<int> blocks;         ///< free ones
  std::vector<Decaying> decaying;  ///< dampers that stop within the first step what they hold, and their force before
  void clear() {
    blocks.clear();
    decaying.clear();
  }
  void add(const Task& task, const RowSet& rows, const Row& row);
};

/// Adds to `struck` where velocities jump in the step that led to the trial; true if they do anywhere.
bool findJumps(const Step& step, double sinks, Struck& struck);

/// Velocities at a state that a step of h from `before` has led to, with modes and momentum. `impact`: forces have
/// acted since; otherwise they are only made to go along with what holds, and `before` is the state itself. Where it
/// cannot be solved the velocities stay.
void solveVelocities(const Task& task, const State& before, double h, bool impact, State& state, Trial& trial,
                     RowSystem& system, FreeSpin& spin, LinearMotion& motion);

/// Whether some rigid row that holds is not gone along with.
bool needsProjection(const Task& task, const State& state, Trial& trial);

}  // namespace reeve
