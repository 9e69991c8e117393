#pragma once
// The insides of a World: model, state and workspace.
#include "reeve/solvers/blocks.h"
#include "reeve/solvers/direct.h"
#include "reeve/solvers/sweep.h"
#include "reeve/world/build.h"
#include "reeve/world/world.h"

namespace reeve {

struct World::Parts : Gauge {
  std::unique_ptr<Built> built;
  State state;
  State good;  ///< the last state that passed inspection
  Verdict verdict;
  StepReport report;
  std::int64_t unconverged = 0;
  Contacts contacts;
  std::vector<const Element*> elements;  ///< the model's, and the contacts
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
  void begin(double h);
  void inspect();
  void settle();      ///< writes what the state says about blocks into the model
  void lookAround();  ///< places `now` at the state
};

}  // namespace reeve
