#include "reeve/solvers/direct/finer.h"

#include <algorithm>
#include <cmath>

namespace reeve {

namespace {

constexpr int mostParts = 16;
/// 1/s: share of the kinetic energy that the difference may take.
constexpr double stepLoss = 3e-4;
/// Twice as many parts lose an eighth: fewer are taken again only where that leaves room.
constexpr double roomForFewer = 1.0 / 32.0;
/// What loses more than this many times what it may goes on in four times as many parts at once.
constexpr double farTooMuch = 64.0;
/// Steps between two looks whether fewer would do: a swing has moments in which nothing is lost.
constexpr std::int64_t between = 32;
/// m/s: a loss of less than the weight at this speed is none.
constexpr double unseenSpeed = 1e-6;

}  // namespace

int partsOf(const State& state, double h) {
  if (!(state.h > 0.0) || state.h >= h) return 1;
  for (int parts = 2; parts <= mostParts; parts *= 2)
    if (state.h == h / parts) return parts;
  return 1;
}

// ½ δ²p·δ²v: the difference takes ¼ |δ²v|² of the mass and as much of the stiffness. v one step before is not kept; u
// tells it, being h times the mean of two velocities.
double lossOf(const Trial& trial, const State& before, const State& state, double h) {
  double sum = 0.0;
  for (const Moving::Run& run : trial.now.moving().free)
    for (std::size_t i = at(run.v); i < at(run.v + run.count); ++i) {
      const double p = state.p[i] - 2.0 * before.p[i] + before.pOld[i];
      sum += p * (state.v[i] - 3.0 * before.v[i] + 2.0 * before.u[i] / h);
    }
  return std::max(0.5 * sum, 0.0);
}

int chooseParts(const Task& task, const Trial& trial, const State& state, double h, int parts, double lost) {
  if (state.h != h / parts) return parts;  // it was struck, or starts anew
  double kinetic = 0.0, weight = trial.now.moving().weighed * task.gravity().norm();
  for (const Moving::Run& run : trial.now.moving().free)
    for (std::size_t i = at(run.v); i < at(run.v + run.count); ++i) {
      kinetic += 0.5 * state.p[i] * state.v[i];
      weight += std::fabs(trial.forces.force[i]);
    }
  const double allowed = h * (stepLoss * std::max(kinetic, 0.0) + unseenSpeed * weight);
  int wish = parts;
  if (lost > allowed)
    wish = lost > farTooMuch * allowed ? 4 * parts : 2 * parts;
  else if (lost < roomForFewer * allowed && state.steps % between == between - 1)
    wish = parts / 2;
  return std::clamp(wish, 1, mostParts);
}

}  // namespace reeve
