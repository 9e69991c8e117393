#pragma once
// Random numbers that are the same everywhere.
#include <random>

#include "reeve/math/types.h"

namespace reeve::test {

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  double in(double low, double high) { return low + (high - low) * static_cast<double>(random_()) / 4294967296.0; }
  Vec3 point(double size = 1.0) {
    const double x = in(-size, size), y = in(-size, size), z = in(-size, size);
    return Vec3(x, y, z);
  }

 private:
  std::mt19937 random_;
};

}  // namespace reeve::test
