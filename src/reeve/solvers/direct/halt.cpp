#include "reeve/solvers/direct/halt.h"

#include <algorithm>

namespace reeve {

double Halt::energy(const Task& task, const Trial& trial, std::span<const double> force, double& kinetic) {
  const Instant& now = trial.now;
  momentum_.resize(now.v.size());
  momentum(now, momentum_);
  kinetic = 0.0;
  for (std::size_t i = 0; i < now.v.size(); ++i) kinetic += 0.5 * now.v[i] * momentum_[i];
  double sum = kinetic;
  for (std::size_t i = 0; i < task.blocks().size(); ++i) {
    const Block& b = task.blocks()[i];
    if (b.free && b.weighs) sum -= b.mass * task.gravity().dot(now.position(static_cast<int>(i)));
  }
  for (const Element* e : task.elements) {
    const Energy own = e->energy(now, force);
    sum += own.potential + own.elastic;
  }
  return sum;
}

void Halt::stop(const Step& step, Newton& newton, State& state, Events& events) {
  Trial& t = step.trial;
  const Model& model = *step.task.model;
  const auto stay = [&] {
    predictTrial(step);
    std::fill(t.now.u.begin(), t.now.u.end(), 0.0);
  };
  stay();
  if (model.hasElementMass)
    newton.evaluate(step);
  else  // cables that keep their own momentum show their mass between steps alone
    rowsAt(step.task, state, 0.0, t.now, t.rows);
  gatherMass(step.task, t);
  islands_.begin(model);
  islands_.tie(model, t.rows, t.mode, t.force);
  islands_.tie(model, t.mass);
  stops_.assign(model.blocks.size(), 0);
  const auto stop = [&](int block) {
    if (model.blocks[at(block)].free) stops_[at(islands_.of(block))] = 1;
  };
  for (const Patch& p : t.mass.patches) stop(p.a), stop(p.b);
  for (const Column& c : t.mass.columns) stop(c.a), stop(c.b);
  if (!model.hasElementMass) stay();
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    const Block& b = model.blocks[i];
    if (!b.free || stops_[at(islands_.of(static_cast<int>(i)))] != 0) continue;
    for (int k = b.v; k < b.v + b.dof; ++k) t.now.u[at(k)] = step.s.h * step.past.v[at(k)];
  }
  newton.evaluate(step);
  newton.accept(step, state, events);
  momentum(t.now, state.p);  // what the balance has left over is not passed on
}

}  // namespace reeve
