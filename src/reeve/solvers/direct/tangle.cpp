#include "reeve/solvers/direct/tangle.h"

#include <algorithm>
#include <cmath>

#include "reeve/solvers/direct/active_set.h"

namespace reeve {

namespace {
/// More rows than this would cost more than they are worth: the matrix is dense.
constexpr std::size_t mostRows = 1500;
constexpr int mostTangleSweeps = 300;
/// With less give than this (rigid bodies in a pile) redundant contacts share their load so freely that Gauss-Seidel
/// does not settle on it either; segments of cables have more.
constexpr double leastSoftness = 1e-3;
/// A sweep that changes no force by more than this share of the largest has settled.
constexpr double tangleSettled = 1e-7;
}  // namespace

bool Tangle::find(const Trial& trial) {
  rows_.clear();
  double softest = 0.0;
  const std::vector<Row>& rows = trial.held().rows;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].softness > 0.0) rows_.push_back(static_cast<int>(r));
    softest = std::max(softest, rows[r].softness);
  }
  return !rows_.empty() && rows_.size() <= mostRows && softest >= leastSoftness;
}

bool Tangle::sortOut(const Step& step, Tangent& tangent) {
  Trial& t = step.trial;
  const std::size_t n = rows_.size();
  const double s2 = step.s.s2();
  // Everything else by itself: contacts let go.
  guess_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Row& row = t.rows.rows[at(rows_[i])];
    guess_[i] = s2 * step.past.force[at(row.slot)];
    t.force[at(row.slot)] = 0.0;
    if (row.lowerSlot < 0 && row.upperSlot < 0) t.mode[at(row.slot)] = row.lower == 0.0 ? Mode::lower : Mode::upper;
  }
  tangent.assemble(step);
  if (!step.system.factor()) return false;
  tangent.resolve(step, tangent.residual);
  gaps_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t r = at(rows_[i]);
    gaps_[i] = rowResidual(t.rows.rows[r], t.rate[r], step.s.k, s2).value +
               rowRate(t.rows, t.rows.rows[r], step.task.blocks(), tangent.correction.change);
  }
  if (!couple(step, tangent)) return false;
  sweep(step);
  return true;
}

/// The Delassus matrix, column by column. False if it was interrupted.
bool Tangle::couple(const Step& step, Tangent& tangent) {
  const Trial& t = step.trial;
  const std::size_t n = rows_.size();
  tangent.silenceRows();
  delassus_.resize(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    if (step.task.model->interrupted()) return false;
    const Row& row = t.rows.rows[at(rows_[j])];
    column_.assign(t.now.v.size(), 0.0);
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = t.rows.entries[at(e)];
      const Block& b = step.task.blocks()[at(entry.block)];
      for (int k = 0; b.free && k < b.dof; ++k) column_[at(b.v + k)] -= entry.j[k];
    }
    tangent.resolve(step, column_);
    for (std::size_t i = 0; i < n; ++i)
      delassus_[j * n + i] = rowRate(t.rows, t.rows.rows[at(rows_[i])], step.task.blocks(), tangent.correction.change);
  }
  for (std::size_t i = 0; i < n; ++i) delassus_[i * n + i] += t.soft[at(rows_[i])];
  return true;
}

/// Projected Gauss-Seidel on the contacts; writes forces and modes. What each row is off by is kept up to date: most
/// contacts are open or at rest, and a visit that changes nothing costs nothing.
void Tangle::sweep(const Step& step) {
  Trial& t = step.trial;
  const std::size_t n = rows_.size();
  const double s2 = step.s.s2();
  const auto boundsNow = [&](const Row& row) {
    const Bounds bounds = boundsOf(row, t.force);
    const double lower = s2 * bounds.lower;
    return Bounds{lower, std::max(s2 * bounds.upper, lower)};
  };
  const auto push = [&](std::size_t j, double by) {
    const double* column = &delassus_[j * n];
    for (std::size_t i = 0; i < n; ++i) gaps_[i] += by * column[i];
  };
  for (std::size_t i = 0; i < n; ++i) {
    t.force[at(t.rows.rows[at(rows_[i])].slot)] = guess_[i] / s2;
    if (guess_[i] != 0.0) push(i, guess_[i]);
  }
  for (int sweep = 0; sweep < mostTangleSweeps && !step.task.model->interrupted(); ++sweep) {
    double largest = 0.0, changed = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const Row& row = t.rows.rows[at(rows_[i])];
      const Bounds bounds = boundsNow(row);
      const double own = delassus_[i * n + i];
      if (own <= 0.0) continue;
      const double wanted = std::clamp(guess_[i] - gaps_[i] / own, bounds.lower, bounds.upper);
      if (wanted != guess_[i]) push(i, wanted - guess_[i]);
      changed = std::max(changed, std::fabs(wanted - guess_[i]));
      largest = std::max(largest, std::fabs(wanted));
      guess_[i] = wanted;
      t.force[at(row.slot)] = wanted / s2;
    }
    if (changed <= tangleSettled * largest) break;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Row& row = t.rows.rows[at(rows_[i])];
    const Bounds bounds = boundsNow(row);
    t.mode[at(row.slot)] = bounds.closed()             ? Mode::free
                           : guess_[i] <= bounds.lower ? Mode::lower
                           : guess_[i] >= bounds.upper ? Mode::upper
                                                       : Mode::free;
  }
}

}  // namespace reeve
