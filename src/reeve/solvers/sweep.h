#pragma once
// `sweep`: XPBD, nonlinear Gauss-Seidel. Every sweep evaluates all rows where the bodies are now, then visits them in
// order: Δμ = −(C + J δ + ε̃ μ)/(J W Jᵀ + ε̃), clamped to the row's bounds, δ what has moved since the evaluation. Rows
// that belong together (a joint, a cable over its wheels, a small machine) are visited as one part: the same equation
// with a small dense matrix and an active set, for between light wheels and heavy loads single rows hardly converge.
// The equations are those of `direct` with the Euler scheme, so refined far enough both give the same answer.
//
// Jumps: where a rigid row comes taut at speed, J v⁺ = 0 follows the step by sweeps on the velocities, and the forces
// that are told are those with which the motion goes on (a step tried from there), not impulse over step: an impulse
// divided by h would say more the smaller the step is. Contacts are left out; they come and go all the time.
#include <array>

#include "reeve/model/kinetics.h"
#include "reeve/solvers/solver.h"

namespace reeve {

class SweepSolver : public Solver {
 public:
  StepReport step(const Model& model, Elements elements, State& state, double h, Events& events) override;

  /// The same with a given number of sweeps.
  StepReport advance(const Model& model, Elements elements, State& state, double h, int iterations, Events& events);

 private:
  static constexpr double largestTurn = 0.3;  ///< rad, of one body by one row
  void predict(const State& past, double h);
  void evaluateRows(double h);
  void applyMoves();
  void visit(int row, double h);
  int partOf(int row);
  bool unite(int a, int b, int most);
  void growParts();
  void findParts();
  void visitPart(std::span<const int> part, double h);
  void couplePart(std::span<const int> part, double h);
  bool solveActive(std::span<const int> part, double h);
  int switchModes(std::span<const int> part, bool single);
  void movePart(std::span<const int> part, double h);
  bool solveDense(int n);
  void bounce(State& state, double h);
  void sweeps(const State& past, double h, int iterations, bool onlyHolding, int& done);
  void visitAll(double h);
  bool jumped(const State& past, double h) const;
  void velocitySweeps(State& state, double h, int iterations);
  void goOn(const State& state, double h, int iterations, std::vector<double>& force);
  double inverseMass(const Entry& e, double* spread) const;

  bool unsettled_ = false;  ///< the last of the sweeps still moved things
  bool settles_ = false;    ///< a step ends when the sweeps have settled, not after a given number
  const Model* model_ = nullptr;
  Elements elements_;
  State before_;
  std::vector<double> past_;     ///< velocities before a jump
  std::vector<double> impulse_;  ///< of one, by slot, N s
  Instant now_;
  RowSet rows_;
  Forces forces_;
  std::vector<Mat3> inverse_;  ///< world inverse inertia by block
  std::vector<Vec3> spin_;     ///< momentum of the wheels a block carries, body frame
  std::vector<double> moved_;  ///< δ by State::v index
  std::vector<double> rate_, pHat_, drag_;
  std::vector<double> mass_;  ///< by State::v index, drag included: what an impulse meets in an implicit step
  // Parts: rows that are solved together, exactly.
  std::vector<int> part_, partSize_;                  ///< by row: one before it in its part; of a first row: how many
  std::vector<int> partStart_, partFill_, partRows_;  ///< rows of the part whose first row is r: from partStart_[r]
  std::vector<int> lastRow_;                          ///< by block
  std::vector<int> cutAt_;                            ///< first rows of parts that became full
  std::vector<char> half_;                            ///< by row: its part may take half as many
  int swept_ = 0;                                     ///< sweeps of the step so far
  std::vector<double> coupling_, dense_, change_, error_, start_;
  /// A Jacobian entry of a row of the part, and the one before it on the same block.
  struct Place {
    int row = 0, entry = 0, next = -1;
    double spread[6] = {};
  };
  std::vector<std::array<double, 6>> spread_;  ///< by entry of the row at hand: what a unit impulse does to its block
  std::vector<Place> places_;
  std::vector<int> blockPlace_;  ///< by block: its last place, -1 between visits
};

}  // namespace reeve
