#pragma once
// One implicit step by Newton's method: from a past state to a trial that is its end.
//
// Most steps cost less than a matrix an iteration. A trial whose rows and balance are met as they stand is the step,
// without any (balanced). A correction that would move nothing by more than rounding does is taken by the forces alone
// (stays). Where rows and modes are as they were, a correction is made with the last factor (Tangent::chord).
#include <limits>

#include "reeve/solvers/direct/active_set.h"
#include "reeve/solvers/direct/tangent.h"
#include "reeve/solvers/direct/tangle.h"

namespace reeve {

struct NewtonOutcome {
  bool converged = false;
  int iterations = 0;
  double residual = 0.0;  ///< backward error of the last linear solve with a matrix of its own; 0: there was none
  double moved = std::numeric_limits<double>::infinity();  ///< m or rad: the last correction
  int undecided = 0;                                       ///< rows that changed mode in the last look
};

/// By how much corrections shrink, and whether what is left of them counts.
struct Settling {
  double lastMoved = 0.0, lastPulled = 0.0, ratio = 1.0, ratioBefore = 0.0;
  int stirring = 0;
  bool settled = false;
};

class Newton {
 public:
  /// For so many coordinates.
  void prepare(const Task& task, std::size_t coordinates) { tangent.prepare(task, coordinates); }
  /// Finds the end of the step; it is the trial, whether that has converged or not.
  NewtonOutcome solve(const Step& step);
  /// Evaluates the trial, cones and all; `follow`: their friction bounds follow the load (contact_cones.h).
  void evaluate(const Step& step, bool follow = false);
  /// Takes the trial over as the new state.
  void accept(const Step& step, State& state, Events& events);
  /// m: by how much contacts with friction may give way in a step.
  static double sinks(const Task& task) { return sinkShare * task.tolerance; }

  Tangent tangent;  ///< of the last matrix

 private:
  void answerCones(const Step& step, int iteration, const NewtonOutcome& out, Settling& settling);
  void askCones(const Step& step, bool follow);
  bool untangle(const Step& step, NewtonOutcome& out);
  bool balanced(const Step& step);
  bool stays(const Step& step);
  bool finished(const Step& step, Settling& settling);
  enum class Corrected { no, byLastFactor, whole };
  Corrected correct(const Step& step, int iteration, NewtonOutcome& out, const Settling& settling);
  bool take(const Step& step, double share);
  void move(const Step& step, double times);
  void settle(const Step& step, int iteration, Settling& settling) const;
  double steadyShare(double last) const;
  void restLoose(const Step& step, State& state);

  static constexpr double sinkShare = 1e3;
  ActiveSet active_;
  Tangle tangle_;
  bool fresh_ = true;           ///< cones have not been asked yet
  double follows_ = 0.0;        ///< m: what friction bounds that follow their load move
  double pulled_ = 0.0;         ///< share by which the last correction changed the forces
  bool watched_ = true;         ///< rows that hang on their own multiplier have settled
  std::vector<double> startU_;  ///< increments the step begins to look from
  std::vector<double> lastChange_;
  std::vector<char> loose_;  ///< by block: next to massless, and no taut row holds it
};

}  // namespace reeve
