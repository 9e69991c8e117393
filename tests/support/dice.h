#pragma once
#include "reeve/math/types.h"

namespace reeve::test {

/// The same numbers on every machine.
struct Dice {
  unsigned seed;
  double share() {  ///< 0 to 1
    seed = seed * 1664525u + 1013904223u;
    return static_cast<double>(seed >> 8) / 16777216.0;
  }
  double operator()() { return 2.0 * share() - 1.0; }  ///< −1 to 1
  double between(double a, double b) { return a + (b - a) * share(); }
  Vec3 vector(double size) { return size * Vec3(between(-1, 1), between(-1, 1), between(-1, 1)); }
};

}  // namespace reeve::test
