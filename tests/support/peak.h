#pragma once
// The largest of many numbers, none of which may be none: std::max(most, NaN) is `most`, and the test would pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace reeve::test {

/// `most`, or x if it is larger. Fails, and is infinite from then on, if x is not finite.
inline double peak(double most, double x) {
  EXPECT_TRUE(std::isfinite(x)) << x;
  return std::isfinite(x) ? std::max(most, x) : std::numeric_limits<double>::infinity();
}

}  // namespace reeve::test
