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

/// The largest tension anywhere in the cables, N; 0 where there is nothing but rounding.
double largestTension(const Description& scene, const Observation& seen);

/// Longer than the way between its ends, so that it hangs. Without tension alone it may lie straight, as at the start,
/// before anything has pulled.
bool hangsSlack(const SpanObservation& span);

}  // namespace reeve::record
