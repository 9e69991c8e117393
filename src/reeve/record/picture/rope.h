#pragma once
// Cables as they are drawn: pieces of line, each with a tension or slack.
#include <string>
#include <vector>

#include "reeve/record/picture/stage.h"

namespace reeve::record {

struct RopePiece {
  Vec3 a, b;             ///< world
  double tension = 0.0;  ///< N, of the middle
  bool slack = false;
  int span = -1;  ///< -1 where it lies on a wheel
};

/// The line of a cable: its polyline, or, where there is none, its spans, the slack ones hanging as parabolas.
std::vector<RopePiece> ropePieces(const CableObservation& cable, const Vec3& gravity);

/// The largest tension anywhere in these cables, N.
double largestTension(const Description& scene, const Named<CableObservation>& cables);

}  // namespace reeve::record
