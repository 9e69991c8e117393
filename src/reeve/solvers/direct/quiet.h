#pragma once
// Islands that no jump happens in keep the smooth step: a ball that bounces is nothing to a pendulum far away.
#include "reeve/solvers/direct/impact.h"
#include "reeve/solvers/islands.h"

namespace reeve {

class Quiet {
 public:
  State smooth;   ///< what the smooth step leads to
  Events events;  ///< of the smooth step, which happens in the jump again

  /// No island is known yet.
  void begin(const Task& task) { islands_.begin(*task.model); }
  /// Which islands none of the struck blocks is of, by the rows of either step so far. False if there are none.
  bool find(const Task& task, const Trial& trial, const PatchSet& stiffness, const Struck& struck);
  /// Puts the trial of a jump to the smooth step where nothing jumped; to be evaluated again.
  void place(const Step& step);
  /// Its velocities, which the scheme of the jump has written otherwise.
  void placeVelocities(const Step& step);
  /// Puts the smooth step into a state after a jump.
  void keep(const Task& task, State& state) const;

 private:
  void copy(const Task& task, const std::vector<double>& from, std::vector<double>& to) const;

  Islands islands_;
  std::vector<char> loud_;  ///< by block: not free, or of an island with a struck block
  std::vector<int> slots_;  ///< of rows between other blocks
};

}  // namespace reeve
