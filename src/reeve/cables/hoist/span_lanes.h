#pragma once
// Waves on four gentle spans at once, each in a lane of its own; the equations are those of span_wave.h. Along a span
// every number waits for the one before it: four spans side by side fill the wait. What one lane holds no other sees,
// so it does not matter who is beside whom.
//
// In units of a link's mass μ, (3) is K u = f with, for b the damping and r_m the chord's own motion at node m,
//      κ_j = s² max(ηT/μ + g_∥ ((M+1)/2 − j), ηT/10μ)/d_j
//      k_mm = 10/12 + b s² rate + κ_m + κ_{m+1},   k_{m,m+1} = 1/12 − κ_{m+1}
//      f_m = H_m + s² g_⊥ − (1 + b s² rate) r_m,   H = W (u + Δ*) + b s² (rate u + back Δₙ)
// H and 1/d_j hang on the past alone: prepareLanes() works them out once a step. The derivatives (give to the tension,
// what the ends feel of it) only steer Newton: they are kept while the tension changes by less than a thousandth.
#include <cstddef>

#include "reeve/cables/hoist/span_wave.h"

namespace reeve {

/// One span of the four.
struct WaveLane {
  WaveField field;
  WaveMetric metric;
  WaveDrive drive;
  bool moves[2] = {true, true};  ///< its ends; of a span between ends that never move nobody asks what they feel
  WaveOutcome out;
  double solvedAt = -1.0, solvedArc = 0.0;  ///< N and m, the tension of the last solve, and its arc
  // What is kept of the derivatives.
  double derivedAt = -1.0;  ///< N, the tension they were taken at; below zero: there are none
  double give = 0.0;        ///< m/N
  double last[2] = {0.0, 0.0}, first[2] = {0.0, 0.0}, product = 0.0;
  // How often it was solved in this step; whether once was enough in the step before, and is expected to be again;
  // whether the shape last solved has been written. None of it changes a result.
  int solves = 0;
  bool calm = true, written = false;
};

constexpr int laneCount = 4;
using Lanes = WaveLane* [laneCount];  ///< null where there is none

/// Numbers kept for four spans through a step, and numbers needed while they are solved.
inline std::size_t lanesKept(int pieces) { return static_cast<std::size_t>(pieces + 1) * 12; }
inline std::size_t lanesWork(int pieces) { return static_cast<std::size_t>(pieces + 1) * 24; }

/// Of spans whose ends rest: moves the arcs along with the tension where it has changed by less than 1e-10 of itself (a
/// tenth of what Newton lets a force be wrong) since they were solved. False: some lane needs a solve.
bool followLanes(const Lanes& lanes);
void prepareLanes(const Lanes& lanes, double* kept, bool wide = wideLanes());
/// Solves all; the outcomes are in the lanes, the shapes in `work`. Returns bits of those whose slopes turned out not
/// to be gentle: theirs are not.
unsigned solveLanes(const Lanes& lanes, const double* kept, double* work, bool wide = wideLanes());
/// Where the new waves of four spans go; null where there is none.
struct LanePages {
  double *u[laneCount] = {}, *increment[laneCount] = {};
};
/// The shapes just solved, and how far they are from those of the past, the chord's motion included.
void writeLanes(const Lanes& lanes, const double* work, const LanePages& pages, bool wide = wideLanes());
/// A shape solved elsewhere.
void writeWave(const WaveField& field, const WaveDrive& drive, const double* shape, double* u, double* increment);

}  // namespace reeve
