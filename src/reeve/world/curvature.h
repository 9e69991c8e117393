#pragma once
// The second variation of the energy at a state of rest: φᵀ K φ over the motions that constraints leave free, K of
// small_motions.h. Positive for all of them: stable. Negative: a crest. Zero: a mechanism.
#include <string>
#include <vector>

namespace reeve {

struct Curvature {
  bool examined = false;           ///< otherwise there are too many coordinates, or none
  std::vector<double> down;        ///< by State::v index: the motion that falls fastest; empty: none does
  double rate = 0.0;               ///< how fast it grows, 1/s
  std::string leaves;              ///< what moves most in it
  std::vector<std::string> loose;  ///< what moves most in motions that nothing brings back
};

}  // namespace reeve
