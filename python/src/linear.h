#pragma once
// Matrices of small motions, and extremes of runs.
#include "convert.h"
#include "reeve/world/modes.h"

namespace reeve::python {

/// World::linearise as a dict of arrays: M, D, K ... without inputs and outputs, the state space with them.
py::dict linearised(const World& world, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs);

py::dict asDict(const StateSpace& s);

void addExtremes(py::module_& m);

}  // namespace reeve::python
