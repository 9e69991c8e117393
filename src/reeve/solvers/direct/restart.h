#pragma once
// A history for a state that none has led to: after a jump, and where a run starts.
//
// M a = f + gyroscopic + Jᵀλ, J a = −γ, γ from second differences of C along the motion. Rows with some give may change
// their force from the known one: J a + γ = −ε (λ − λ₀)/(h (h + τ)). From a the ghost of a step before,
// q₋₁ = q − h v + h² a/2, p₋₁ = p − h F, with which the second-order difference goes on.
#include "reeve/solvers/direct/impact.h"

namespace reeve {

class Restart {
 public:
  /// Fills u, pOld, force and h of the state, for steps of h. `known`: forces that rows with some give had just before;
  /// empty if they are not known. `struck` receives what will jump in the first step, and dampers that end in it.
  void fill(const Task& task, double h, std::span<const double> known, State& state, Trial& trial, RowSystem& system,
            FreeSpin& spin, LinearMotion& motion, Struck& struck);

 private:
  void formForces(const Task& task, double h, const State& state, Trial& trial, LinearMotion& motion);
  void formRows(const Task& task, double h, std::span<const double> known, const State& state, Trial& trial,
                LinearMotion& motion, Struck& struck);
  void writeHistory(const Task& task, double h, const Trial& trial, LinearMotion& motion, State& state);

  RowSet plus_, minus_;  ///< a step before and after along the motion
  std::vector<double> ahead_, behind_;
  std::vector<double> acting_;  ///< forces by State::v index, gyroscopic ones aside
};

}  // namespace reeve
