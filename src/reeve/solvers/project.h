#pragma once
// A state that somebody has set, moved to where its constraints hold: the least change in the norm of the mass.
//
// Positions: M δ = Jᵀ μ, J δ = −C for rigid position rows, repeated until C is rounding. Rows that bound one side count
// where they are violated, rows with a force limit (motors) do not. Velocities: the same with J v = s.
#include <span>

#include "reeve/solvers/row_system.h"
#include "reeve/solvers/solver.h"

namespace reeve {

class Projection {
 public:
  Projection(const Model& model, Elements elements) : model_(model), elements_(elements) { system_.bind(model); }

  /// Writes the rows at `now`, and the largest error of those that should hold; `worst` is its slot.
  double violation(Instant& now, int& worst);
  /// Changes now.u until they hold to 1e-12 m and rad. False if they cannot.
  bool positions(Instant& now);
  /// Changes v until they go along with what holds. False if they cannot.
  bool velocities(Instant& now, std::span<double> v);

 private:
  bool holds(const Row& row) const;
  bool solve(const Instant& now);

  const Model& model_;
  Elements elements_;
  RowSystem system_;
  RowSet rows_;
  PatchSet mass_;
  std::vector<RowEquation> equations_;
  std::vector<double> none_, change_, multiplier_;
  std::vector<Mat3> rotations_;
};

}  // namespace reeve
