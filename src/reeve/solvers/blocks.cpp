#include "reeve/solvers/blocks.h"

#include <algorithm>
#include <cmath>

#include "reeve/model/kinetics.h"

namespace reeve {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

void copyRow(const RowSet& from, const Row& row, RowSet& to) {
  Row& copy = to.rows.emplace_back(row);
  copy.first = static_cast<int>(to.entries.size());
  for (int e = row.first; e < row.first + row.count; ++e) to.entries.push_back(from.entries[at(e)]);
}
}  // namespace

void BlocksSolver::gather(Elements elements) {
  bounded_.clear();
  rest_.rows.clear();
  used_ = 0;
  const auto nextCable = [&]() -> Group& {
    if (used_ == cables_.size()) cables_.emplace_back();
    return cables_[used_++];
  };
  for (const Element* e : elements) {
    scratch_.clear();
    e->rows(now_, scratch_);
    const bool cable = scratch_.groups.size() > 1;
    RowSet* target = nullptr;
    for (std::size_t g = 0; g < scratch_.groups.size(); ++g) {
      const int first = scratch_.groups[g], size = scratch_.groupSize(static_cast<int>(g));
      bool opened = false;
      for (int r = first; r < first + size; ++r) {
        const Row& row = scratch_.rows[at(r)];
        if (row.bounded()) {
          copyRow(scratch_, row, bounded_);
          continue;
        }
        if (!target) {
          Group& group = cable ? nextCable() : rest_;
          if (cable) group.rows.clear();
          target = &group.rows;
        }
        if (!opened) target->group();
        opened = true;
        copyRow(scratch_, row, *target);
      }
    }
  }
}

/// v = vₙ + h M⁻¹ (f − ω × I ω), prescribed blocks as they move in the middle of the step.
void BlocksSolver::freeMotion(Elements elements, const State& past, double h) {
  const Vec3& gravity = model_->description.settings.gravity;
  std::fill(forces_.force.begin(), forces_.force.end(), 0.0);
  forces_.damping.clear();
  for (const Element* e : elements) e->forces(now_, forces_);
  ahead_.bind(*model_, past);
  ahead_.rewind();
  ahead_.prescribe(past.time + 0.5 * h);
  v_ = past.v;
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    const Block& b = model_->blocks[i];
    if (!b.free) {
      for (int k = 0; k < b.dof; ++k) v_[at(b.v + k)] = ahead_.v[at(b.v + k)];
      continue;
    }
    const int linear = b.rotates ? 3 : b.dof;
    for (int k = 0; k < linear; ++k)
      v_[at(b.v + k)] += h * (forces_.force[at(b.v + k)] / b.mass + (b.weighs && k < 3 ? gravity[k] : 0.0));
    if (!b.rotates) continue;
    const int block = static_cast<int>(i);
    rotations_[i] = worldInertia(now_, block);
    inverse_[i] = rotations_[i].inverse();
    const Vec3 w = now_.angularVelocity(block);
    const Vec3 torque(forces_.force[at(b.v + 3)], forces_.force[at(b.v + 4)], forces_.force[at(b.v + 5)]);
    const Vec3 spin = inverse_[i] * (torque - w.cross(rotations_[i] * w));
    for (int k = 0; k < 3; ++k) v_[at(b.v + 3 + k)] += h * spin[k];
  }
}

double BlocksSolver::residual(const RowSet& set, const Row& row, double h, double& compliance) const {
  const double rate = rowRate(set, row, model_->blocks, v_), impulse = impulse_[at(row.slot)];
  if (row.level == Level::velocity) {
    compliance = row.compliance / h;
    return rate - row.speed + compliance * impulse;
  }
  compliance = row.compliance / (h * (h + row.damping));
  return rate + (row.error - row.damping * row.speed) / (h + row.damping) + compliance * impulse;
}

void BlocksSolver::solveGroup(Group& group, double h) {
  const std::size_t n = group.rows.rows.size();
  if (n == 0) return;
  group.equations.assign(n, RowEquation{});
  group.change.assign(v_.size(), 0.0);
  group.multiplierChange.assign(n, 0.0);
  for (std::size_t r = 0; r < n; ++r)
    group.equations[r].residual = residual(group.rows, group.rows.rows[r], h, group.equations[r].compliance);
  group.system.bind(*model_);
  group.system.prepare(group.rows, {});
  group.system.addInertia(rotations_);
  group.system.addRows(group.rows, group.equations);
  if (!group.system.solve(group.rows, group.equations, zero_, true, group.change, group.multiplierChange)) return;
  for (std::size_t i = 0; i < v_.size(); ++i) v_[i] += group.change[i];
  for (std::size_t r = 0; r < n; ++r) impulse_[at(group.rows.rows[r].slot)] += group.multiplierChange[r];
}

void BlocksSolver::visitBounded(double h) {
  for (const Row& row : bounded_.rows) {
    double compliance;
    const double g = residual(bounded_, row, h, compliance);
    double weight = compliance;
    double spread[8][6];
    const int count = std::min(row.count, 8);
    for (int e = 0; e < count; ++e) {
      const Entry& entry = bounded_.entries[at(row.first + e)];
      const Block& b = model_->blocks[at(entry.block)];
      if (!b.free) continue;
      const int linear = b.rotates ? 3 : b.dof;
      for (int k = 0; k < linear; ++k) spread[e][k] = entry.j[k] / b.mass;
      if (b.rotates) {
        const Vec3 s = inverse_[at(entry.block)] * Vec3(entry.j[3], entry.j[4], entry.j[5]);
        for (int k = 0; k < 3; ++k) spread[e][3 + k] = s[k];
      }
      for (int k = 0; k < b.dof; ++k) weight += entry.j[k] * spread[e][k];
    }
    if (weight <= 0.0) continue;
    double& impulse = impulse_[at(row.slot)];
    const double old = impulse;
    const double lower = h * row.lower + (row.lowerSlot < 0 ? 0.0 : row.lowerGain * impulse_[at(row.lowerSlot)]);
    const double upper = h * row.upper + (row.upperSlot < 0 ? 0.0 : row.upperGain * impulse_[at(row.upperSlot)]);
    impulse = std::clamp(old - g / weight, lower, std::max(lower, upper));
    for (int e = 0; e < count; ++e) {
      const Block& b = model_->blocks[at(bounded_.entries[at(row.first + e)].block)];
      for (int k = 0; b.free && k < b.dof; ++k) v_[at(b.v + k)] += spread[e][k] * (impulse - old);
    }
  }
}

StepReport BlocksSolver::step(const Model& model, Elements elements, State& state, double h,
                              std::vector<Notice>& notices) {
  model_ = &model;
  before_ = state;
  rotations_.resize(model.blocks.size(), Mat3::Zero());
  inverse_.resize(model.blocks.size(), Mat3::Zero());
  forces_.force.resize(state.v.size());
  zero_.assign(state.v.size(), 0.0);
  impulse_.assign(state.force.size(), 0.0);
  now_.bind(model, before_);
  now_.rewind();
  gather(elements);
  freeMotion(elements, before_, h);
  StepReport report;
  const int rounds = model.description.settings.iterations > 0 ? model.description.settings.iterations : standardRounds;
  for (; report.iterations < rounds; ++report.iterations) {
    for (std::size_t g = 0; g < used_; ++g) solveGroup(cables_[g], h);
    solveGroup(rest_, h);
    visitBounded(h);
  }
  for (std::size_t s = 0; s < impulse_.size(); ++s) state.force[s] = impulse_[s] / h;
  for (const Block& b : model.blocks)
    for (int k = 0; b.free && k < b.dof; ++k) now_.u[at(b.v + k)] = h * v_[at(b.v + k)];
  now_.prescribe(before_.time + h);
  now_.place(before_.time + h, h);
  for (const Block& b : model.blocks)
    for (int k = 0; b.free && k < b.dof; ++k) now_.v[at(b.v + k)] = v_[at(b.v + k)];
  for (const Element* e : elements) e->finish(now_, state, notices);
  state.pOld = state.p;
  state.q = now_.q;
  state.v = now_.v;
  state.u = now_.u;
  state.time = now_.time;
  state.h = 0.0;  // no history of second order
  momentum(now_, state.p);
  return report;
}

}  // namespace reeve
