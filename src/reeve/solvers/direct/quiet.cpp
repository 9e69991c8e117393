#include "reeve/solvers/direct/quiet.h"

namespace reeve {

bool Quiet::find(const Task& task, const Trial& trial, const PatchSet& stiffness, const Struck& struck) {
  const Model& model = *task.model;
  islands_.tie(model, trial.rows, trial.mode, trial.force);
  islands_.tie(model, stiffness);
  islands_.tie(model, trial.forces.damping);
  loud_.assign(model.blocks.size(), 0);
  for (const int block : struck.blocks) loud_[at(islands_.of(block))] = 1;
  bool any = false;
  for (std::size_t i = 0; i < loud_.size(); ++i) {
    loud_[i] = !model.blocks[i].free || loud_[at(islands_.of(static_cast<int>(i)))] != 0 ? 1 : 0;
    any = any || loud_[i] == 0;
  }
  return any;
}

void Quiet::copy(const Task& task, const std::vector<double>& from, std::vector<double>& to) const {
  for (std::size_t i = 0; i < loud_.size(); ++i) {
    const Block& b = task.blocks()[i];
    for (int k = 0; loud_[i] == 0 && k < b.dof; ++k) to[at(b.v + k)] = from[at(b.v + k)];
  }
}

void Quiet::place(const Step& step) {
  Trial& t = step.trial;
  slots_.clear();
  for (const Row& row : t.rows.rows) {
    bool quiet = false, held = true;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const int block = t.rows.entries[at(e)].block;
      quiet = quiet || loud_[at(block)] == 0;
      held = held && (loud_[at(block)] == 0 || !step.task.blocks()[at(block)].free);
    }
    if (!quiet || !held) continue;
    slots_.push_back(row.slot);
    t.force[at(row.slot)] = smooth.force[at(row.slot)];
    t.mode[at(row.slot)] = smooth.mode[at(row.slot)];
  }
  copy(step.task, smooth.u, t.now.u);
}

void Quiet::placeVelocities(const Step& step) {
  copy(step.task, smooth.v, step.trial.now.v);
  step.trial.now.touch();
  step.trial.now.evaluate();
}

void Quiet::keep(const Task& task, State& state) const {
  for (std::size_t i = 0; i < loud_.size(); ++i) {
    if (loud_[i] != 0) continue;
    const Block& b = task.blocks()[i];
    for (int k = 0; k < (b.rotates ? 7 : b.dof); ++k) state.q[at(b.q + k)] = smooth.q[at(b.q + k)];
  }
  copy(task, smooth.v, state.v);
  copy(task, smooth.u, state.u);
  copy(task, smooth.p, state.p);
  copy(task, smooth.pOld, state.pOld);
  for (const int slot : slots_) {
    state.force[at(slot)] = smooth.force[at(slot)];
    state.mode[at(slot)] = smooth.mode[at(slot)];
  }
}

}  // namespace reeve
