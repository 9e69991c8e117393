#pragma once
// The insides of a World: model, state and workspace.
#include "reeve/solvers/blocks.h"
#include "reeve/solvers/direct.h"
#include "reeve/solvers/sweep.h"
#include "reeve/world/build.h"
#include "reeve/world/world.h"

namespace reeve {

/// Elements that take no part in a step until it is done: thousands of wheels in plain bearings are asked once, not
/// a dozen times.
class QuietElements : public Element {
 public:
  std::vector<const Element*> all;
  void finish(const Instant& now, State& state, std::vector<Notice>& notices) const override {
    for (const Element* e : all) e->finish(now, state, notices);
  }
};

struct World::Parts : Gauge {
  std::unique_ptr<Built> built;
  State state;
  State good;  ///< the last state that passed inspection
  Verdict verdict;
  StepReport report;
  std::int64_t unconverged = 0;
  Contacts contacts;
  QuietElements quiet;
  std::vector<const Element*> elements;  ///< the model's, those that are quiet as one, and the contacts
  DirectSolver direct;
  SweepSolver sweep;
  BlocksSolver blocks;
  Solver* solver = nullptr;
  std::vector<Observable> gauges;
  std::vector<Notice> notices;
  Instant now;                              ///< at `state`
  mutable std::vector<LinkView> linkViews;  ///< scratch
  mutable std::vector<SpanView> spanViews;

  const Model& model() const { return built->model; }
  double read(int gauge) const override;
  double measure(const Observable& o) const;
  double measureCable(const Observable& o) const;  ///< from linkViews and spanViews, which are of this cable
  /// Solvers that have learnt nothing yet.
  void makeSolvers();
  void begin(double h);
  void inspect();
  bool passes();      ///< no element holds a number that is none; otherwise the verdict names it
  void settle();      ///< writes what the state says about blocks into the model
  void lookAround();  ///< places `now` at the state
};

}  // namespace reeve
