#pragma once
// What a cable of joints with waves works out at an instant beside JointsCache, and the room it works in.
#include <vector>

#include "reeve/cables/hoist/span_flow.h"
#include "reeve/cables/hoist/span_wave.h"
#include "reeve/cables/joints/joints_cache.h"

namespace reeve {

/// The span after a link.
struct WaveSpanCache {
  bool curved = false;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero(), n = Vec3::Zero();  ///< ends and direction of its chord
  Vec3 side[2] = {Vec3::Zero(), Vec3::Zero()};                ///< axes across it
  double length = 0.0, shift[2][2] = {{0, 0}, {0, 0}};
  WaveOutcome wave;
  bool hangs = false;
  bool jumped = false;                          ///< a tangent has gone along a flat face: straight for this step
  Vec3 push[2] = {Vec3::Zero(), Vec3::Zero()};  ///< N, what a span that hangs does to its ends beside the row
  Mat3 hold[2] = {Mat3::Zero(), Mat3::Zero()};  ///< N/m, its stiffness at them
  DampsAlone damps;
};

struct WaveCache : JointsCache {
  std::vector<WaveSpanCache> waves;  ///< by link
  std::vector<double> curves;        ///< by link, waves as last solved
  std::vector<double> work;          ///< while one is solved
  RowSet rows;
};

struct WaveWorkspace : JointsWorkspace {
  std::vector<double> points;  ///< three curves, as triples of numbers
  std::vector<double> wave;    ///< one that is solved ahead of a step
};

}  // namespace reeve
