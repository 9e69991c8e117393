#pragma once
// A step linearised at a trial: [M + s²K, −Jᵀ; −J, −ε/s²] (Δu, Δμ) = −residual, and corrections by it.
#include "reeve/solvers/direct/trial.h"

namespace reeve {

/// What a linear solve says the trial should change by.
struct Correction {
  std::vector<double> change;            ///< of increments, by State::v index, m or rad
  std::vector<double> multiplierChange;  ///< of s² times the forces, by row
  double moved = 0.0;                    ///< the largest change
};

class Tangent {
 public:
  std::vector<double> residual;  ///< by State::v index, kg m: see balance()
  Correction correction;

  /// Room for so many coordinates, from nothing: what sleeps now but was awake once must leave no trace.
  void prepare(const Task& task, std::size_t coordinates);
  /// Begins a step: p̂ of its past.
  void begin(const Step& step);
  /// residual = (p − p̂ − c (f + Jᵀλ))/k of every free coordinate.
  void balance(const Step& step);
  /// The matrix at the trial, and what it is to be solved for.
  void assemble(const Step& step);
  /// Factorises and solves; `enough` and `again` as of RowSystem. False if it cannot. `error` receives the backward
  /// error, if it was measured.
  bool correct(const Step& step, double enough, double again, double& error);
  /// A correction by the factor of the one before, which was this large, where rows and modes are as they were: that
  /// costs a third. False if it is not much smaller than the last one.
  bool chord(const Step& step, double last);
  /// Solves with the last factor for other right-hand sides.
  void resolve(const Step& step, std::span<const double> coordinateResidual);
  /// Rows ask for nothing: only coordinates are out of balance.
  void silenceRows();
  /// How much of the correction to take where there are cones. Along it the potential falls by dᵀ(A d − Jᵀ dμ), with
  /// J d = −(what rows still ask).
  double coneShare(const Step& step) const;
  /// Nothing is moved by a correction that small, m or rad.
  static double unmoved(const Step& step);
  /// Stiffness of the elements at the last matrix.
  const PatchSet& stiffness() const { return stiffness_; }

 private:
  bool formEquations(const Step& step);
  double formRotations(const Step& step);

  std::vector<double> pHat_;
  PatchSet stiffness_, pressed_;
  std::vector<RowEquation> equations_;
  std::vector<Mat3> rotations_;
};

/// The slope of the cones' potential along a correction of free coordinates and of rows that hold.
double slopeAlong(const Trial& trial, std::span<const double> residual, std::span<const RowEquation> equations,
                  const Correction& correction);

}  // namespace reeve
