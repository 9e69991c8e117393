#include "reeve/solvers/project.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"

namespace reeve {

namespace {
constexpr double exact = 1e-12;  ///< m and rad
constexpr double touches = 1e-9;
constexpr int mostRounds = 100;
}  // namespace

bool Projection::holds(const Row& row) const {
  if (row.level != Level::position || row.compliance > 0.0) return false;
  if (!row.bounded()) return true;
  if (row.upper == 0.0 && row.lower == -unbounded) return row.error > exact;
  if (row.lower == 0.0 && row.upper == unbounded) return row.error < -exact;
  return false;
}

double Projection::violation(Instant& now, int& worst) {
  now.place(now.past().time, 0.0);
  now.evaluate();
  rows_.clear();
  for (const Element* e : elements_) e->rows(now, rows_);
  double most = 0.0;
  worst = -1;
  for (const Row& row : rows_.rows)
    if (holds(row) && !(std::fabs(row.error) <= most)) {
      most = std::fabs(row.error);
      worst = row.slot;
    }
  return most;
}

bool Projection::solve(const Instant& now) {
  mass_.clear();
  for (const Element* e : elements_) e->mass(now, mass_);
  rotations_.assign(model_.blocks.size(), Mat3::Zero());
  for (const int block : now.moving().turning) rotations_[at(block)] = worldInertia(now, block);
  none_.assign(now.v.size(), 0.0);
  change_.assign(now.v.size(), 0.0);
  multiplier_.assign(rows_.rows.size(), 0.0);
  const PatchSet* sets[] = {&mass_};
  system_.prepare(rows_, sets);
  system_.begin(true);
  system_.addInertia(rotations_);
  system_.addPatches(0, mass_, 1.0);
  system_.addRows(rows_, equations_);
  if (!system_.solve(rows_, equations_, none_, change_, multiplier_)) return false;
  return std::all_of(change_.begin(), change_.end(), [](double x) { return std::isfinite(x); });
}

bool Projection::positions(Instant& now) {
  int slot;
  double before = violation(now, slot);
  for (int round = 0; round < mostRounds; ++round) {
    if (before <= exact) return true;
    equations_.assign(rows_.rows.size(), RowEquation{});
    for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
      equations_[r].holds = holds(rows_.rows[r]);
      equations_[r].residual = equations_[r].holds ? rows_.rows[r].error : 0.0;
    }
    if (!solve(now)) return false;
    double turn = 0.0;
    for (const int block : now.moving().turning)
      turn = std::max(turn, triple(change_, model_.blocks[at(block)].v + 3).norm());
    const double scale = turn > 0.5 ? 0.5 / turn : 1.0;
    for (const Moving::Run& run : now.moving().plain)
      for (int i = run.v; i < run.v + run.count; ++i) now.u[at(i)] += scale * change_[at(i)];
    for (const int block : now.moving().turning) {
      const int v = model_.blocks[at(block)].v + 3;
      const Vec3 moved = leftJacobianInverse(triple(now.u, v)) * triple(change_, v) * scale;
      for (int k = 0; k < 3; ++k) now.u[at(v + k)] += moved[k];
    }
    const double after = violation(now, slot);
    if (round > 2 && after <= 1e-10 && after > 0.5 * before) return true;  // rounding of large coordinates
    before = after;
  }
  return false;
}

bool Projection::velocities(Instant& now, std::span<double> v) {
  int slot;
  violation(now, slot);
  for (int round = 0; round < 3; ++round) {
    double most = 0.0;
    equations_.assign(rows_.rows.size(), RowEquation{});
    for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
      const Row& row = rows_.rows[r];
      const double rate = rowRate(rows_, row, model_.blocks, v) - row.speed;
      bool held = row.level == Level::position && row.compliance == 0.0;
      if (row.bounded())
        held = held && std::fabs(row.error) < touches &&
               ((row.upper == 0.0 && row.lower == -unbounded && rate > 0.0) ||
                (row.lower == 0.0 && row.upper == unbounded && rate < 0.0));
      equations_[r].holds = held;
      equations_[r].residual = held ? rate : 0.0;
      if (held) most = std::max(most, std::fabs(rate));
    }
    if (most <= exact) return true;
    if (!solve(now)) return false;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += change_[i];
  }
  return true;
}

}  // namespace reeve
