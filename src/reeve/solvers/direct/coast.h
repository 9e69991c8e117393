#pragma once
#include "reeve/solvers/direct/trial.h"

namespace reeve {

/// A step of `direct` where nothing acts but gravity: no rows couple the blocks, so each flies on its own, without a
/// matrix. Returned is the largest number of iterations a block took; -1: it did not converge, nothing is done.
/// `turns` is scratch.
int coast(const Task& task, double h, State& state, std::vector<double>& turns);

}  // namespace reeve
