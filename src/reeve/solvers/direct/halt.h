#pragma once
// Where mass between blocks is part of a step that finds no solution, however short: there are no sweeps for it, so
// what it hangs together with stands still for a moment.
#include "reeve/solvers/direct/newton.h"
#include "reeve/solvers/islands.h"

namespace reeve {

class Halt {
 public:
  /// J at the instant that the trial has been evaluated at, under these multipliers; the kinetic part by itself.
  double energy(const Task& task, const Trial& trial, std::span<const double> force, double& kinetic);
  /// Makes the step with all that hangs together with mass of elements where it is, and everything else flying on. No
  /// energy comes of it.
  void stop(const Step& step, Newton& newton, State& state, Events& events);

 private:
  Islands islands_;
  std::vector<char> stops_;       ///< by the first block of an island
  std::vector<double> momentum_;  ///< by State::v index
};

}  // namespace reeve
