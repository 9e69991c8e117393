#pragma once
// `blocks`: the group-wise block Gauss-Seidel of Servin and Lacoursière 2008, sections II-B and VI, for comparison and
// for many cables coupled loosely.
//
// One linear step from where things are (eqs 8 to 11), with v = v₊ and μ = hλ:
//     M v − Jᵀ μ = M vₙ + h f,   J v + ε/(h(h+τ)) μ = −(C − τ s)/(h+τ)
// Rows are split into groups: every element with several groups of rows and mass that it shares with no other (a chain
// with its segments) is one, all others together are another: a massless cable beside links along the same way says the
// same as they do, and taking turns they would need 1e5 rounds (factor 1 − (ε₁ + ε₂)/(h² W) a round, W the mobility).
// Each group is solved directly for its own multipliers with the others held, with an active set where a rope may go
// slack; the groups take turns (algorithm 1). Contacts are visited one by one and clamped, after the groups. The first
// guess is what acted in the step before. The step is linear, so a group's matrix is factorised once and every round
// only solves with it. First order: `direct` is what to use. A step has not converged if rows still ask for 10 µm
// after the last round: too few rounds for how closely the groups are coupled, or for a stack of contacts.
// Beyond the paper the turning of single bodies under the forces λ of the step before is implicit: with K their levers'
// stiffness, I + h² K stands for I and −h K ω is among the torques. Without it segments turn at ω² = 12 T/(m l), which
// must stay below (2/h)².
#include <deque>

#include "reeve/solvers/row_system.h"
#include "reeve/solvers/solver.h"

namespace reeve {

class BlocksSolver : public Solver {
 public:
  /// Rounds over the groups when the settings do not say.
  static constexpr int standardRounds = 3;
  StepReport step(const Model& model, Elements elements, State& state, double h, Events& events) override;

 private:
  struct Group {
    RowSet rows;
    RowSystem system;
    std::vector<RowEquation> equations;
    std::vector<double> change, multiplierChange;
    bool ready = false;  ///< its matrix is factorised for this step
  };
  void gather(Elements elements);
  void feelLevers(Elements elements, const State& past);
  bool own(std::size_t element) const;
  void freeMotion(Elements elements, const State& past, double h);
  void factorGroup(Group& group, double h);
  void solveGroup(Group& group, double h);
  bool switchModes(Group& group, double h);
  void setImpulse(const RowSet& set, const Row& row, double wanted);
  double lowerImpulse(const Row& row, double h) const;
  double upperImpulse(const Row& row, double h) const;
  void visitBounded(double h);
  void prepare(const Model& model, const State& state);
  void recall(const RowSet& set, double h);
  double unmet(const RowSet& set, double h) const;
  double unmet(double h) const;
  void accept(Elements elements, State& state, double h, Events& events);
  double residual(const RowSet& set, const Row& row, double h, double& compliance) const;

  const Model* model_ = nullptr;
  State before_;
  Instant now_, ahead_;
  RowSet scratch_, bounded_;
  std::deque<Group> cables_;  ///< one each; the first used_ of them now
  Group rest_;                ///< what belongs to no cable
  std::size_t used_ = 0;
  std::vector<RowSet> found_;  ///< rows by element
  std::vector<int> user_;      ///< by block: the one element with rows on it, -1 none, -2 several
  Forces forces_;
  PatchSet patches_;
  std::vector<Mat3> levers_;  ///< by block, N m/rad
  std::vector<Mat3> rotations_, inverse_;
  std::vector<Mode> mode_;                  ///< by slot
  std::vector<double> v_, impulse_, zero_;  ///< impulse hλ by slot
};

}  // namespace reeve
