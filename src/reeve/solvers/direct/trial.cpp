#include "reeve/solvers/direct/trial.h"

#include <algorithm>

#include "reeve/solvers/six.h"

namespace reeve {

void Trial::findCones() {
  cones.find(rows);
  if (cones.empty()) return;
  held_.clear();
  const std::size_t count = cones.held();
  held_.rows.assign(rows.rows.begin(), rows.rows.begin() + static_cast<std::ptrdiff_t>(count));
  const auto entries =
      static_cast<std::ptrdiff_t>(count > 0 ? rows.rows[count - 1].first + rows.rows[count - 1].count : 0);
  held_.entries.assign(rows.entries.begin(), rows.entries.begin() + entries);
  for (const int g : rows.groups)
    if (g < static_cast<int>(count)) held_.groups.push_back(g);
  held_.crosses = rows.crosses;
}

void Trial::applyRows(std::span<const double> multiplier, double scale, std::span<double> out) const {
  const Moving::Place* places = now.moving().place.data();
  for (const Row& row : rows.rows) {
    const double f = scale * multiplier[at(row.slot)];
    if (f == 0.0) continue;
    const Entry* entry = rows.entries.data() + row.first;
    for (const Entry* end = entry + row.count; entry < end; ++entry) {
      const Moving::Place& b = places[entry->block];
      if (!b.free) continue;
      double* x = out.data() + b.v;
      if (b.dof == 6)
        six::add(x, f, entry->j);
      else if (b.dof == 1)
        x[0] += f * entry->j[0];
      else
        for (int k = 0; k < b.dof; ++k) x[k] += f * entry->j[k];
    }
  }
}

void predictTrial(const Step& step) {
  const Scheme& s = step.s;
  const State& past = step.past;
  Trial& t = step.trial;
  t.now.bind(*step.task.model, past);
  t.now.q = past.q;
  t.now.v = past.v;
  t.now.prescribe(past.time + (step.task.resting ? 0.0 : s.h));
  t.force = past.force;
  t.mode = past.mode;
  std::fill(t.now.u.begin(), t.now.u.end(), 0.0);
  for (const Moving::Run& run : t.now.moving().free)
    for (std::size_t i = at(run.v); i < at(run.v + run.count); ++i)
      t.now.u[i] = s.second ? 2.0 * s.h * past.v[i] - past.u[i] : s.h * past.v[i];
}

void evaluateTrial(const Step& step) {
  Trial& t = step.trial;
  t.now.place(step.past.time + (step.task.resting ? 0.0 : step.s.h), step.s.h);
  setVelocities(step.s, t.now);
  t.now.trial = t.force;
  t.now.evaluate();
  t.rows.clear();
  for (const Element* e : step.task.elements) e->rows(t.now, t.rows);
  dampHolding(t.rows, t.now);
  t.rate.resize(t.rows.rows.size());
  t.soft.assign(t.rows.rows.size(), 0.0);
  t.bends = false;
  for (std::size_t r = 0; r < t.rows.rows.size(); ++r) {
    const Row& row = t.rows.rows[r];
    t.rate[r] = asksForRate(row) ? rowRate(t.rows, row, t.now.moving(), t.now.v) : 0.0;
    t.bends = t.bends || row.errorDependsOnForce;
    if (row.softness > 0.0) t.soft[r] = row.softness * step.system.mobility(t.rows, row);
  }
  t.findCones();
}

void rowsAt(const Task& task, const State& state, double shift, Instant& now, RowSet& out) {
  now.bind(*task.model, state);
  now.q = state.q;
  for (std::size_t i = 0; i < now.u.size(); ++i) now.u[i] = shift * state.v[i];
  now.prescribe(state.time + shift);
  now.place(state.time + shift, shift);
  now.v = state.v;
  now.touch();
  now.evaluate();
  out.clear();
  for (const Element* e : task.elements) e->rows(now, out);
}

void gatherForces(const Task& task, Trial& trial) {
  std::fill(trial.forces.force.begin(), trial.forces.force.end(), 0.0);
  trial.forces.damping.clear();
  for (const Element* e : task.elements) e->forces(trial.now, trial.forces);
}

void gatherMass(const Task& task, Trial& trial) {
  trial.mass.clear();
  for (const ElementMass* m : task.model->masses) m->mass(trial.now, trial.mass);
}

void actingForces(const Task& task, const Trial& trial, std::span<double> out) {
  for (const Block& b : task.blocks())
    for (int k = 0; k < b.dof; ++k) {
      double f = b.free ? trial.forces.force[at(b.v + k)] : 0.0;
      if (b.free && b.weighs && k < 3) f += b.mass * task.gravity()[k];
      out[at(b.v + k)] = f;
    }
}

}  // namespace reeve
