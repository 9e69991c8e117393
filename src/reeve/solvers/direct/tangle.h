#pragma once
// A tangle of contacts: where the active set of `direct` does not settle, it is found by projected Gauss-Seidel.
//
// The step is linearised without its contacts and factorised once. Each contact row r then has a column of the Delassus
// matrix, W = J A⁻¹ Jᵀ with A the matrix of everything else (mass, stiffness, joints, cables), and what remains is
//     g₀ + (W + ε) μ = 0 within the bounds,   g₀ the gap, or slip, if no contact pushed.
// Cables carry forces over their whole length inside A, so Gauss-Seidel has only contacts to sort out. It says which of
// them hold, stick and slip, and with what force; Newton goes on from there.
#include "reeve/solvers/direct/tangent.h"

namespace reeve {

class Tangle {
 public:
  /// Lists the rows of contacts; whether there are any that can be sorted out, and not too many.
  bool find(const Trial& trial);
  /// Writes forces and modes of those rows into the trial, with everything else solved exactly. False if that cannot
  /// be.
  bool sortOut(const Step& step, Tangent& tangent);

 private:
  bool couple(const Step& step, Tangent& tangent);
  void sweep(const Step& step);

  std::vector<int> rows_;
  std::vector<double> delassus_, gaps_, guess_;  ///< J A⁻¹ Jᵀ, what is open without them, s² times force
  std::vector<double> column_;                   ///< by State::v index
};

}  // namespace reeve
