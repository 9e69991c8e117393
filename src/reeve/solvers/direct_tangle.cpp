// A tangle of contacts: where the active set of `direct` does not settle, it is found by projected Gauss-Seidel.
//
// The step is linearised without its contacts and factorised once. Each contact row r then has a column of the Delassus
// matrix, W = J A⁻¹ Jᵀ with A the matrix of everything else (mass, stiffness, joints, cables), and what remains is
//     g₀ + (W + ε) μ = 0 within the bounds,   g₀ the gap, or slip, if no contact pushed.
// Cables carry forces over their whole length inside A, so Gauss-Seidel has only contacts to sort out. It says which of
// them hold, stick and slip, and with what force; Newton goes on from there.
#include <algorithm>
#include <cmath>

#include "reeve/solvers/direct.h"

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

/// Lists the rows of contacts; whether there are any that can be sorted out.
bool DirectSolver::tangled() {
  tangle_.clear();
  double softest = 0.0;
  for (std::size_t r = 0; r < held().rows.size(); ++r) {
    if (rows_.rows[r].softness > 0.0) tangle_.push_back(static_cast<int>(r));
    softest = std::max(softest, rows_.rows[r].softness);
  }
  return !tangle_.empty() && tangle_.size() <= mostRows && softest >= leastSoftness;
}

bool DirectSolver::untangle(const Scheme& s) {
  const std::size_t n = tangle_.size();
  // Everything else by itself: contacts let go.
  const double s2 = s.s2();
  guess_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Row& row = rows_.rows[at(tangle_[i])];
    guess_[i] = s2 * past_->force[at(row.slot)];
    force_[at(row.slot)] = 0.0;
    if (row.lowerSlot < 0 && row.upperSlot < 0) mode_[at(row.slot)] = row.lower == 0.0 ? Mode::lower : Mode::upper;
  }
  linearise(s);
  multiplierChange_.resize(held().rows.size());
  if (!system_.factor()) return false;
  system_.resolve(held(), equations_, residual_, change_, multiplierChange_);
  gaps_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t r = at(tangle_[i]);
    gaps_[i] =
        rowResidual(rows_.rows[r], rate_[r], s.k, s2).value + rowRate(rows_, rows_.rows[r], model_->blocks, change_);
  }
  // Column by column.
  for (RowEquation& q : equations_) q.residual = 0.0;
  delassus_.resize(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    if (model_->interrupted()) return false;
    const Row& row = rows_.rows[at(tangle_[j])];
    std::fill(residual_.begin(), residual_.end(), 0.0);
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = rows_.entries[at(e)];
      const Block& b = model_->blocks[at(entry.block)];
      for (int k = 0; b.free && k < b.dof; ++k) residual_[at(b.v + k)] -= entry.j[k];
    }
    system_.resolve(held(), equations_, residual_, change_, multiplierChange_);
    for (std::size_t i = 0; i < n; ++i)
      delassus_[j * n + i] = rowRate(rows_, rows_.rows[at(tangle_[i])], model_->blocks, change_);
  }
  for (std::size_t i = 0; i < n; ++i) delassus_[i * n + i] += soft_[at(tangle_[i])];
  sortOut(s2);
  return true;
}

/// Projected Gauss-Seidel on the contacts; writes forces and modes. What each row is off by is kept up to date: most
/// contacts are open or at rest, and a visit that changes nothing costs nothing.
void DirectSolver::sortOut(double s2) {
  const std::size_t n = tangle_.size();
  const auto bounds = [&](const Row& row, double& lower, double& upper) {
    lower = s2 * lowerBound(row, force_);
    upper = std::max(s2 * upperBound(row, force_), lower);
  };
  const auto push = [&](std::size_t j, double by) {
    const double* column = &delassus_[j * n];
    for (std::size_t i = 0; i < n; ++i) gaps_[i] += by * column[i];
  };
  for (std::size_t i = 0; i < n; ++i) {
    force_[at(rows_.rows[at(tangle_[i])].slot)] = guess_[i] / s2;
    if (guess_[i] != 0.0) push(i, guess_[i]);
  }
  for (int sweep = 0; sweep < mostTangleSweeps && !model_->interrupted(); ++sweep) {
    double largest = 0.0, changed = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const Row& row = rows_.rows[at(tangle_[i])];
      double lower, upper;
      bounds(row, lower, upper);
      const double own = delassus_[i * n + i];
      if (own <= 0.0) continue;
      const double wanted = std::clamp(guess_[i] - gaps_[i] / own, lower, upper);
      if (wanted != guess_[i]) push(i, wanted - guess_[i]);
      changed = std::max(changed, std::fabs(wanted - guess_[i]));
      largest = std::max(largest, std::fabs(wanted));
      guess_[i] = wanted;
      force_[at(row.slot)] = wanted / s2;
    }
    if (changed <= tangleSettled * largest) break;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Row& row = rows_.rows[at(tangle_[i])];
    double lower, upper;
    bounds(row, lower, upper);
    mode_[at(row.slot)] = lower >= upper       ? Mode::free
                          : guess_[i] <= lower ? Mode::lower
                          : guess_[i] >= upper ? Mode::upper
                                               : Mode::free;
  }
}

}  // namespace reeve
