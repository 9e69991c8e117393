// Contacts with friction in `direct`: their rows are no part of the linear system but a stiffness in it
// (contact_cones.h). Everything else stays exact rows with modes.
#include <algorithm>
#include <cmath>

#include "reeve/solvers/direct.h"

namespace reeve {

/// Parts the cones from the rows that the linear system holds.
void DirectSolver::split(RowSet& rows) {
  cones_.find(rows);
  if (cones_.empty()) return;
  held_.clear();
  const std::size_t count = cones_.held();
  held_.rows.assign(rows.rows.begin(), rows.rows.begin() + static_cast<std::ptrdiff_t>(count));
  const auto entries =
      static_cast<std::ptrdiff_t>(count > 0 ? rows.rows[count - 1].first + rows.rows[count - 1].count : 0);
  held_.entries.assign(rows.entries.begin(), rows.entries.begin() + entries);
  for (const int g : rows.groups)
    if (g < static_cast<int>(count)) held_.groups.push_back(g);
  held_.crosses = rows.crosses;
}

/// What the cones answer at the trial of a step.
void DirectSolver::askCones(const Scheme& s, bool follow) {
  for (Cone& c : cones_.all()) {
    const std::size_t r = at(c.row);
    c.soft = soft_[r];
    c.softFriction = std::max(soft_[r + 1], soft_[r + 2]);
    c.mobility = c.soft / rows_.rows[r].softness;
    c.mobilityFriction = c.softFriction / rows_.rows[r + 1].softness;
    for (std::size_t k = 0; k < 3; ++k) c.y[k] = rowResidual(rows_.rows[r + k], rate_[r + k], s.k, s.s2()).value;
  }
  if (fresh_) cones_.begin(rows_, past_->force, s.s2(), sinks_);
  follows_ = cones_.respond(follow && !fresh_);
  fresh_ = false;
  cones_.write(rows_, s.s2(), force_, mode_);
}

/// What the cones answer at the trial x of a linear solve.
void DirectSolver::layCones(std::span<const double> x, double limit) {
  for (Cone& c : cones_.all()) {
    const std::size_t r = at(c.row);
    const auto mobility = [&](std::size_t k) { return system_.mobility(rows_, rows_.rows[k]); };
    c.mobility = mobility(r);
    c.mobilityFriction = std::max(mobility(r + 1), mobility(r + 2));
    c.soft = rows_.rows[r].softness * c.mobility;
    c.softFriction = rows_.rows[r + 1].softness * c.mobilityFriction;
  }
  if (fresh_) cones_.begin(rows_, total_, 1.0, limit);
  for (Cone& c : cones_.all()) {
    const std::size_t r = at(c.row);
    for (std::size_t k = 0; k < 3; ++k)
      c.y[k] = rowRate(rows_, rows_.rows[r + k], model_->blocks, x) - linear_[r + k].target;
    if (!fresh_) continue;
    c.used = linear_[r].used;
    c.pinned = linear_[r + 1].pinned || linear_[r + 2].pinned;
    if (!c.pinned) continue;
    double slip[2];
    for (std::size_t k = 0; k < 2; ++k)
      slip[k] = rowRate(rows_, rows_.rows[r + 1 + k], model_->blocks, now_.v) - rows_.rows[r + 1 + k].speed;
    const double all = std::sqrt(slip[0] * slip[0] + slip[1] * slip[1]);
    for (int k = 0; k < 2; ++k) c.along[k] = slip[k] / all;
  }
}

/// Multipliers that the cones of a linear solve begin with.
void DirectSolver::startCones(std::span<const double> force, double scale) {
  split(rows_);
  for (const Cone& c : cones_.all())
    for (int k = 0; k < 3; ++k) {
      const std::size_t r = at(c.row + k), slot = at(rows_.rows[r].slot);
      total_[slot] = linear_[at(c.row)].used ? scale * force[slot] : 0.0;
    }
}

/// How much of the correction to take. Along it the potential falls by dᵀ(A d − Jᵀ dμ), with J d = −(what rows still
/// ask).
double DirectSolver::coneStep() {
  double slope = 0.0;
  for (const Moving::Run& run : now_.moving().free)
    for (int i = run.v; i < run.v + run.count; ++i) slope += residual_[at(i)] * change_[at(i)];
  for (std::size_t r = 0; r < equations_.size(); ++r)
    if (equations_[r].holds) slope += equations_[r].residual * multiplierChange_[r];
  return cones_.length(rows_, model_->blocks, change_, slope);
}

}  // namespace reeve
