#pragma once
// `direct`: Newton on the implicit step, one sparse factorisation an iteration.
//
// Smooth motion: BDF2 in momentum form (see model/kinetics.h), geometric stiffness in the matrix (positive part),
// bounds by an active set on a fixed pattern, Newton to a tolerance. What floats free keeps its angular momentum
// (free_spin.h).
//
// Jumps: when a row newly begins to hold with approach speed (a rope comes taut, bodies touch), or a drive
// starts or stops abruptly, the step is done again:
// Euler for the positions, then a velocity solve M (v⁺ − v) = h f + JᵀΛ with J v⁺ = −e · approach, then an acceleration
// solve, from which a ghost history q₋₁ = q − h v + h² a/2, p₋₁ = p − h F lets BDF2 go on at second order. Islands that
// no jump happens in keep the smooth step: a ball that bounces is nothing to a pendulum far away.
// The same two solves start a run. A step whose Newton iteration does not converge is done as 4, 16 or 64 Euler
// substeps, or failing that as sweeps, with a ghost history after them.
//
// What the second-order difference takes: of a mode that turns by ωh in a step a share (ωh)⁴/2 of its energy, which is
// ½ δ²p·δ²v of the whole, δ² the second difference over three steps (its G-norm). Where that is more than a little of
// the kinetic energy where the world says that nothing drives or damps, steps are made in 2 to 16 parts; State::h is
// the part (direct_finer.cpp).
#include <cstdint>

#include "reeve/solvers/contact_cones.h"
#include "reeve/solvers/free_spin.h"
#include "reeve/solvers/row_system.h"
#include "reeve/solvers/solver.h"
#include "reeve/solvers/sweep.h"

namespace reeve {

/// How far a step toward rest has moved things, m or rad, who the most, and what still pulls at them, N or N m.
struct Relaxed {
  double moved = 0.0, unbalanced = 0.0;
  int block = 0;
};

class DirectSolver : public Solver {
 public:
  /// `keepsEnergy`: nothing in the model drives, damps or strikes, so that what the difference takes is worth finer
  /// steps.
  explicit DirectSolver(bool keepsEnergy = false) : keepsEnergy_(keepsEnergy) {}
  StepReport step(const Model& model, Elements elements, State& state, double h, Events& events) override;
  /// The forces that act at a state which no step has led to: velocities made to go along with what holds, then the
  /// acceleration solve that starts a run.
  void accelerations(const Model& model, Elements elements, State& state, double h);
  /// One step toward a state of rest (direct_rest.cpp), of this pseudo time, s. False: it did not converge, and the
  /// state is of no use.
  bool relax(const Model& model, Elements elements, State& state, double pseudo, Relaxed& out, Events& events);

 private:
  void prepare(const Model& model, Elements elements, const State& state);
  /// One implicit step from past_ to now_; false if it did not converge.
  bool newton(const Scheme& s);
  void predict(const Scheme& s);
  /// `follow`: friction bounds of cones follow their load (contact_cones.h).
  void evaluate(const Scheme& s, bool follow = false);
  void split(RowSet& rows);
  void askCones(const Scheme& s, bool follow);
  double coneStep();
  void layCones(std::span<const double> x, double limit);
  void startCones(std::span<const double> force, double scale);
  /// Rows that are no part of a cone: what the linear system holds.
  const RowSet& held() const { return cones_.empty() ? rows_ : held_; }
  /// Active set: which rows hold. Returns how many changed.
  int updateModes(const Scheme& s, int iteration);
  double asks(std::size_t row, const Scheme& s) const;
  void forgive(const Scheme& s);
  void balance(const Scheme& s);
  void linearise(const Scheme& s);
  void fillEquation(std::size_t row, const RowResidual& w, Mode mode, double s2);
  bool formEquations(const Scheme& s);
  double unmoved(const Scheme& s) const;
  bool balanced(const Scheme& s);
  bool correct(const Scheme& s, double enough);
  bool chord(const Scheme& s, double last);
  bool stays(const Scheme& s);
  bool take(const Scheme& s, double share);
  void move(const Scheme& s, double times);
  double steadyShare(double last);
  /// Contacts that do not agree: sorts them out by Gauss-Seidel, with everything else solved exactly;
  /// direct_tangle.cpp. False if that cannot be; to be asked where tangled() says that there are some, and not too
  /// many.
  bool untangle(const Scheme& s);
  bool tangled();
  void sortOut(double s2);
  /// Takes over now_ as the new state.
  void accept(const Scheme& s, State& state, Events& events);
  void restLoose(State& state);
  void strike(const Row& row);
  /// Adds to struck_ where velocities jump; true if they do anywhere.
  bool jumped();
  /// The step done again with the jumps in it; false if it did not converge.
  bool jump(State& state, double h, Events& events);
  bool findQuiet();
  void keepQuiet(State& state) const;
  bool driven(const Row& row) const;
  /// Nothing acts but gravity: every free block on its own, without a matrix. False: it did not converge, nothing is
  /// done.
  bool coast(State& state, double h);
  /// Velocity solve at the state just reached by an Euler step from `before`.
  void velocitySolve(State& state, const State& before, double h, bool impact);
  /// Acceleration solve; fills the ghost history for step h. `known`: forces that rows with some give had just before;
  /// empty if they are not known.
  void ghost(State& state, double h, std::span<const double> known);
  /// One step, or one part of it, of smooth motion or with what jumps in it.
  void advance(State& state, double h, Events& events);
  /// Parts that a step of h is made in, and of the next one, for what this one has lost.
  int partsOf(const State& state, double h) const;
  void chooseParts(State& state, double h, int parts);
  double lossOf(const State& state, double h) const;
  void gather();
  void setLooseAside(const State& state, double scale);
  void recover(State& state, double h, Events& events);
  void halt(const Scheme& s, State& state, Events& events);
  bool needsProjection(const State& state);
  void rowsAt(const State& state, double shift, RowSet& out);
  void addMass(std::span<const double> x, double scale, std::span<double> out) const;
  /// Active-set loop on a linear system with fixed mass and rows. x by State::v index, multipliers by slot in
  /// `impulse`.
  bool linearSolve(std::span<const double> rhs, std::span<double> x, double limit);
  double linearLower(std::size_t row) const;
  double linearUpper(std::size_t row) const;
  void applyRows(std::span<const double> multiplier, double scale, std::span<double> out) const;

  bool keepsEnergy_;
  bool resting_ = false;  ///< a step toward rest: pseudo time passes, time itself does not
  const Model* model_ = nullptr;
  Elements elements_;
  int cap_ = 30;
  double tolerance_ = 1e-10;
  const State* past_ = nullptr;
  State before_, fallback_;
  SweepSolver sweep_;
  Instant now_;
  RowSet rows_, plus_, minus_, held_;
  PatchSet stiffness_, mass_, pressed_, none_;
  Cones cones_;
  bool fresh_ = true;     ///< a solve begins
  double follows_ = 0.0;  ///< m: what friction bounds that follow their load move
  double sinks_ = 0.0;    ///< m: by how much a cone may give way
  Forces forces_;
  RowSystem system_;
  Islands islands_;
  std::vector<int> struck_;  ///< free blocks whose velocities jump
  struct Decaying {
    int slot;
    double force;
  };
  std::vector<Decaying> decaying_;  ///< dampers that stop within the first step what they hold, and their force before
  std::vector<char> loud_;          ///< by block: of an island with one of them
  std::vector<int> quietSlots_;     ///< of rows between other blocks
  State smooth_;                    ///< what the smooth step would lead to
  Events unheard_;                  ///< of the smooth step, which happens in the jump again
  Events tried_;                    ///< of substeps that may come to nothing
  FreeSpin spin_;                   ///< angular momentum of what floats free
  StepReport report_;
  std::vector<double> force_;           ///< multipliers by slot, N
  std::vector<Mode> mode_, startMode_;  ///< by slot
  std::vector<double> drift_;
  std::vector<double> carried_;      ///< momentum of the mass that elements carry; empty if none do
  std::vector<std::uint8_t> flips_;  ///< by slot: changes of mode in this step
  struct Wish {
    int row;
    Mode mode;
    bool touches = false;  ///< only because it touches
  };
  std::vector<Wish> wishes_;    ///< rows that would change their mode
  std::vector<double> wrong_;   ///< by State::v index, m or rad: what forces beyond their bounds move
  std::vector<double> startU_;  ///< increments a step begins to look from
  std::vector<double> pHat_, residual_, change_, lastChange_, multiplierChange_, rhs_, velocity_, total_;
  std::vector<RowEquation> equations_;
  std::vector<Mat3> rotations_;
  std::vector<double> rate_, soft_;  ///< J v by row, compliance from its softness
  struct LinearRow {
    double target = 0.0, compliance = 0.0, lower = 0.0, upper = 0.0;
    bool used = false;
    bool pinned = false;  ///< stays at its bound
  };
  std::vector<LinearRow> linear_;
  std::vector<char> loose_;                      ///< by block: next to massless, and no rigid row tells its velocity
  std::vector<int> tangle_;                      ///< rows of contacts
  std::vector<double> delassus_, gaps_, guess_;  ///< of them: J A⁻¹ Jᵀ, what is open without them, s² times force
  double moved_ = 0.0, pulled_ = 0.0;            ///< size of the last correction
  bool watched_ = true;                          ///< rows that hang on their own multiplier have settled
  bool bends_ = false;                           ///< there are such rows
  double lost_ = 0.0;                            ///< J, in this step, by the difference itself
  std::vector<double> known_;                    ///< multipliers before a ghost history
  double skewness_ = 0.0;
  double negligible_ = 0.0;  ///< N: rounding of the weights in the scene; no row changes mode for it
  int undecided_ = 0;        ///< rows that changed mode in the last look
  bool symmetric_ = true;
};

}  // namespace reeve
