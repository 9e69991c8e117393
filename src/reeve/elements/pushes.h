#pragma once
#include "reeve/model/full_stiffness.h"

namespace reeve {

/// What a program pushes bodies, particles and rotors with (State::pushes). A push holds over a whole step, F from its
/// start to its end. The second-order difference takes a force to act at the end of the step and would pass only two
/// thirds of the impulse on in the step itself; given 3/2 F - 1/2 F_before it passes p + h F to rounding.
class Pushes : public Element, public WritesFullStiffness {
 public:
  void forces(const Instant& now, Forces& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  void work(const Instant& now, std::span<const double> force, Doings& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
};

/// The entry of a block, made if there is none.
Push& pushOf(State& state, int block);
/// A state without history takes its pushes to have acted before too.
void restartPushes(const Instant& now, State& state);
/// After a step: what was for that step alone is over.
void endPushes(State& state);

}  // namespace reeve
