#pragma once
// What a solver is given and what it says of a step. Solvers know rows and coordinate blocks, and nothing else.
#include <span>
#include <vector>

#include "reeve/model/element.h"

namespace reeve {

struct StepReport {
  int iterations = 0;
  /// Componentwise backward error of the last linear solve with a matrix of its own that was refined, or of the sweep
  /// the worst row. 0: the step needed none, or what it left was corrected by the next.
  double residual = 0.0;
  double worstError = 0.0;  ///< largest error of a holding position row, m or rad
  int worstSlot = -1;
  bool converged = true;
};

using Elements = std::span<const Element* const>;

class Solver {
 public:
  virtual ~Solver() = default;
  /// Advances the state by h. Elements' begin() has been called; finish() is called by the solver for every (sub)step.
  virtual StepReport step(const Model& model, Elements elements, State& state, double h, Events& events) = 0;
};

/// (C + τ (J v − s))/(1 + τ k), or (J v − s)/k: the part of a row's residual that does not hang on its multiplier, and
/// its compliance against μ = s2 λ.
struct RowResidual {
  double value = 0.0, compliance = 0.0;
};
inline RowResidual rowResidual(const Row& row, double rate, double k, double s2) {
  if (row.level == Level::velocity) return {(rate - row.speed) / k, row.compliance / (k * s2)};
  if (row.damping == 0.0) return {row.error, row.compliance == 0.0 ? 0.0 : row.compliance / s2};
  const double scale = 1.0 / (1.0 + row.damping * k);
  return {(row.error + row.damping * (rate - row.speed)) * scale, row.compliance * scale / s2};
}
/// Whether `rate` is any part of that.
inline bool asksForRate(const Row& row) { return row.level == Level::velocity || row.damping != 0.0; }
/// J v of a row.
double rowRate(const RowSet& set, const Row& row, std::span<const Block> blocks, std::span<const double> v);
double rowRate(const RowSet& set, const Row& row, const Moving& moving, std::span<const double> v);
/// Bounds of a row under the multipliers.
double lowerBound(const Row& row, std::span<const double> force);
double upperBound(const Row& row, std::span<const double> force);
/// A multiplier moved to the row's slot with no change of the sign convention: clamps to the bounds.
double clampForce(const Row& row, std::span<const double> force);
/// Only what holds is damped: a bounded row has moved, for its damper, by no more than it is beyond the place where it
/// begins to hold, |J v − s| ≤ k |C|. Else a rope would pull before it is taut, by the speed at which it comes to be.
/// Of rows written where the step begins, those that are open are not damped.
void dampHolding(RowSet& rows, const Instant& now);
/// Approach speed, m/s, below which a row that begins to hold does so without a jump.
constexpr double touchSpeed = 1e-6;
/// Whether a row is so stiff against the mobility of what it holds that a jump takes it as rigid. Material that slides
/// over a link has no mass to speak of and does not count: a rope that stretches is no stiffer for running over an eye.
bool rigidInJump(const RowSet& set, const Row& row, std::span<const Block> blocks, double h, double share = 1e-3);
/// Whether a row that holds and did not do so before is met at speed: velocities jump.
bool comesTaut(const RowSet& set, const Row& row, std::span<const Block> blocks, std::span<const double> before);
/// The row that holds (within its bounds) with the largest error.
void findWorst(const RowSet& rows, std::span<const Mode> modes, StepReport& report);

}  // namespace reeve
