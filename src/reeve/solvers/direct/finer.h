#pragma once
// Steps in parts, where the second-order difference would take too much of the energy.
//
// Of a mode that turns by ωh in a step it takes a share (ωh)⁴/2 of its energy, which is ½ δ²p·δ²v of the whole, δ² the
// second difference over three steps (its G-norm). Where that is more than a little of the kinetic energy, and nothing
// drives or damps, steps are made in 2 to 16 parts; State::h is the part.
#include "reeve/solvers/direct/trial.h"

namespace reeve {

/// Parts that a step of h from this state is made in.
int partsOf(const State& state, double h);
/// J: what the difference took in the step of h from `before` to `state`.
double lossOf(const Trial& trial, const State& before, const State& state, double h);
/// Parts for the next step of h, for what this one in `parts` has lost.
int chooseParts(const Task& task, const Trial& trial, const State& state, double h, int parts, double lost);

}  // namespace reeve
