#pragma once
// `sweep`: XPBD, nonlinear Gauss-Seidel. Every sweep evaluates all rows where the bodies are now, then visits them in
// order: Δμ = −(C + J δ + ε̃ μ)/(J W Jᵀ + ε̃), clamped to the row's bounds, δ what has moved since the evaluation. The
// equations are those of `direct` with the Euler scheme, so refined far enough both give the same answer.
#include <array>

#include "reeve/model/kinetics.h"
#include "reeve/solvers/solver.h"

namespace reeve {

class SweepSolver : public Solver {
 public:
  StepReport step(const Model& model, Elements elements, State& state, double h, std::vector<Notice>& notices) override;

  /// The same with a given number of sweeps.
  StepReport advance(const Model& model, Elements elements, State& state, double h, int iterations,
                     std::vector<Notice>& notices);

 private:
  void predict(const State& past, double h);
  void visit(int row, double h);
  void findClusters();
  void visitCluster(std::span<const int> cluster, double h);
  bool solveDense(int n);
  void bounce(State& state, double h);
  double inverseMass(const Entry& e, double* spread) const;

  const Model* model_ = nullptr;
  Elements elements_;
  State before_;
  Instant now_;
  RowSet rows_;
  Forces forces_;
  std::vector<Mat3> inverse_;  ///< world inverse inertia by block
  std::vector<Vec3> spin_;     ///< momentum of the wheels a block carries, body frame
  std::vector<double> moved_;  ///< δ by State::v index
  std::vector<double> rate_, pHat_, drag_;
  std::vector<std::array<double, 6>> spread_;  ///< M⁻¹ Jᵀ of the row being visited, by its entries
  // Rows that share a nearly massless coordinate (material sliding over a link) are solved together, exactly.
  std::vector<int> clusterOf_;     ///< by row: its cluster, or -1
  std::vector<int> lightCluster_;  ///< by block
  std::vector<std::vector<int>> clusters_;
  int clusterCount_ = 0;
  std::vector<double> coupling_, dense_, change_, error_;
};

}  // namespace reeve
