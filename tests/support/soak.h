#pragma once
#include <cstdlib>

namespace reeve::test {

/// `make soak` (REEVE_SOAK in the environment) walks every grid of trials whole; ./test takes a share of it.
inline bool soaking() { return std::getenv("REEVE_SOAK") != nullptr; }

/// Trials of a random series: all of them, or the first eighth.
inline int shareOf(int all) { return soaking() ? all : all / 8; }

/// Whether a grid's k-th point is walked: all, or every n-th.
inline bool walked(int k, int n) { return soaking() || k % n == 0; }

}  // namespace reeve::test
