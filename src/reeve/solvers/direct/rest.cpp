// States of rest: implicit Euler steps of a pseudo time in which nothing else passes, from rest to rest. With a long
// one a step is Newton on f + Jᵀλ = 0, held back by M/H² where nothing else does; a short one follows the forces
// downhill. Rows come taut and go slack, stick and slip as in any step.
#include <algorithm>
#include <cmath>

#include "reeve/solvers/direct.h"

namespace reeve {

bool DirectSolver::relax(const Model& model, Elements elements, State& state, double pseudo, Relaxed& out,
                         Events& events) {
  prepare(model, elements, state);
  const double time = state.time;
  for (auto* x : {&state.v, &state.p, &state.pOld, &state.u}) std::fill(x->begin(), x->end(), 0.0);
  before_ = state;
  task_.resting = true;
  const Step toRest = from(Scheme::euler(pseudo));
  if (!newton(toRest).converged) return false;
  out = Relaxed{};
  gatherForces(task_, trial_);
  acting_.assign(state.v.size(), 0.0);
  actingForces(task_, trial_, acting_);
  for (const double f : acting_) out.forces += std::fabs(f);
  if (out.forces == 0.0)
    for (const double f : trial_.force) out.forces = std::max(out.forces, std::fabs(f));
  newton_.accept(toRest, state, events);
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    const Block& b = model.blocks[i];
    for (int k = 0; b.free && k < b.dof; ++k) {
      const double moved = std::fabs(trial_.now.u[at(b.v + k)]);
      // What the step has given it of momentum is what pulls at it, for all of its time.
      const double pull = b.massless ? 0.0 : std::fabs(state.p[at(b.v + k)]) / pseudo;
      if (moved > out.moved) out.block = static_cast<int>(i);
      out.moved = std::max(out.moved, moved);
      out.unbalanced = std::max(out.unbalanced, pull);
    }
  }
  for (auto* x : {&state.v, &state.p, &state.pOld, &state.u}) std::fill(x->begin(), x->end(), 0.0);
  state.time = time;
  state.h = 0.0;
  return std::isfinite(out.moved) && std::isfinite(out.unbalanced);
}

}  // namespace reeve
