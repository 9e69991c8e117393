#pragma once
// Tests of a law on either solver: `direct`, and `sweep` as it comes, without a word about substeps or iterations.
#include "cables/cable_scenes.h"

namespace reeve::test {

class BothSolvers : public testing::TestWithParam<SolverChoice> {
 protected:
  static bool swept() { return GetParam() == SolverChoice::sweep; }
  static World solved(Description d) {
    d.settings.solver = GetParam();
    return make(std::move(d));
  }
};

inline std::string solverName(const testing::TestParamInfo<SolverChoice>& info) {
  return info.param == SolverChoice::sweep ? "sweep" : "direct";
}

}  // namespace reeve::test

#define REEVE_BOTH_SOLVERS(suite) \
  INSTANTIATE_TEST_SUITE_P(Cables, suite, testing::Values(SolverChoice::direct, SolverChoice::sweep), solverName)
