#pragma once
// Velocities after a jump, and accelerations: a linear system with an active set.
//
//     M x − JᵀΛ = rhs,   J x + e Λ = target within bounds
// x is a velocity and Λ an impulse (impact.h), or an acceleration and a force (restart.h).
#include "reeve/solvers/direct/active_set.h"
#include "reeve/solvers/direct/tangent.h"

namespace reeve {

/// What a row asks of the motion.
struct MotionRow {
  double target = 0.0, compliance = 0.0, lower = 0.0, upper = 0.0;
  bool used = false;
  bool pinned = false;  ///< stays at its bound
};

/// Of a coordinate next to massless.
enum class Loose : std::uint8_t { no, rests, pulled };

class LinearMotion {
 public:
  // What goes in.
  std::vector<double> rhs;      ///< by State::v index
  std::vector<MotionRow> rows;  ///< by row of the trial
  std::vector<Mat3> rotations;  ///< by block: world inertia
  // What goes in as a first guess, and comes out.
  std::vector<double> multiplier;  ///< Λ by slot
  // What comes out, with the modes of the trial.
  std::vector<double> x;     ///< by State::v index
  std::vector<Loose> loose;  ///< by block

  /// Room, from nothing.
  void prepare(const Task& task, std::size_t coordinates);
  /// Begins with rows that ask for nothing.
  void begin(const Trial& trial, std::size_t slots);
  /// Material that slides between spans that stretch goes as fast as it did, and between slack ones it rests: their
  /// forces are known, and what they do not balance to the last digit would fling what has no mass.
  void setLooseAside(const Task& task, const Trial& trial, const State& state, double scale);
  /// Multipliers that the cones begin with: scale · force by slot.
  void startCones(Trial& trial, std::span<const double> force, double scale);
  /// `limit`: by how much a cone may give way, in the unit of x. False if it cannot be solved.
  bool solve(const Task& task, Trial& trial, RowSystem& system, double limit);
  /// Adds scale · (the mass that elements have shown) · v to what is free.
  static void addMass(const Task& task, const PatchSet& mass, std::span<const double> v, double scale,
                      std::span<double> out);

 private:
  Bounds bounds(const Row& row, std::size_t r) const;
  void layCones(const Task& task, Trial& trial, const RowSystem& system, double limit, bool fresh);
  bool answerCones(const Task& task, Trial& trial, const RowSystem& system, double limit, int look, bool quiet);
  void balance(const Task& task, const Trial& trial);
  bool formEquations(const Task& task, const Trial& trial, const RowSystem& system);
  bool correct(const Task& task, Trial& trial, RowSystem& system);
  int switchModes(const Task& task, Trial& trial, bool single);

  std::vector<double> residual_;
  std::vector<RowEquation> equations_;
  Correction correction_;
  PatchSet pressed_, none_;
  double moved_ = 0.0, largest_ = 0.0;  ///< of the last look: the correction, and x itself
};

}  // namespace reeve
