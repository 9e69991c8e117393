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

/// What is less than this share of the forces of a scene is rounding: its colors would tell of nothing.
constexpr double tensionNoise = 1e-6;

/// How large the forces of a scene are, N: what pulls, presses and bends now, or could by its weight.
double forceScale(const Description& scene, const Observation& seen);

/// The largest tension anywhere in the cables, N; 0 where all are below `noise`.
double largestTension(const Observation& seen, double noise);

/// Longer than the way between its ends, so that it hangs. Without tension alone it may lie straight, as at the start,
/// before anything has pulled.
bool hangsSlack(const SpanObservation& span);

}  // namespace reeve::record
