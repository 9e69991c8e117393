// Rows that a sweep solves together: machines of wheels, small bodies between many rows.
#include <algorithm>
#include <cmath>

#include "reeve/solvers/direct/active_set.h"
#include "reeve/solvers/sweep.h"

namespace reeve {

namespace {
/// Rows that meet in wheels, and in bodies, are solved together up to this many; what is longer is cut into such parts.
constexpr int mostAtWheels = 64, mostAtBodies = 32;
/// A force this much smaller than the largest of its part is rounding.
constexpr double roundingShare = 1e-12;
/// Added to the diagonal of a part: of what a row gives way without what is next to massless, whose share would be
/// more than a stiff rope stretches.
constexpr double redundancy = 1e-9;
/// m or rad: a row at its bound that asks for no more than this is content.
constexpr double contentMove = 1e-13;
}  // namespace

/// The first row of the part a row belongs to.
int SweepSolver::partOf(int row) {
  while (part_[at(row)] != row) row = part_[at(row)] = part_[at(part_[at(row)])];
  return row;
}

/// Two rows shall be solved together, unless that makes more than `most` of them; whether they are.
bool SweepSolver::unite(int a, int b, int most) {
  a = partOf(a);
  b = partOf(b);
  if (a == b) return true;
  if (b < a) std::swap(a, b);
  if (partSize_[at(a)] + partSize_[at(b)] > most) return false;
  part_[at(b)] = a;
  partSize_[at(a)] += partSize_[at(b)];
  return true;
}

/// Parts by union. cutAt_ becomes the first rows of parts at wheels that were full when a row wanted to join; a part
/// named in half_ may take half as many rows.
void SweepSolver::growParts() {
  const int n = static_cast<int>(rows_.rows.size());
  part_.resize(at(n));
  partSize_.assign(at(n), 1);
  for (int r = 0; r < n; ++r) part_[at(r)] = r;
  for (std::size_t g = 0; g < rows_.groups.size(); ++g) {
    const int first = rows_.groups[g], size = rows_.groupSize(static_cast<int>(g));
    for (int r = first + 1; r < first + size; ++r)
      if (!rows_.rows[at(r)].bounded() && !rows_.rows[at(first)].bounded()) unite(first, r, n);
  }
  lastRow_.assign(model_->blocks.size(), -1);
  for (int r = 0; r < n; ++r) {
    const Row& row = rows_.rows[at(r)];
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Block& b = model_->blocks[at(rows_.entries[at(e)].block)];
      if (!b.free || (row.softness > 0.0 && !b.massless)) continue;
      int& last = lastRow_[at(rows_.entries[at(e)].block)];
      if (last >= 0 && b.dof == 1 && !b.massless) {
        const int first = std::min(partOf(last), partOf(r));
        const bool half = !half_.empty() && half_[at(first)];
        if (!unite(last, r, half ? mostAtWheels / 2 : mostAtWheels) && half_.empty()) cutAt_.push_back(first);
      } else if (last >= 0) {
        unite(last, r, b.massless ? n : mostAtBodies);
      }
      last = r;  // where that was refused, what comes later meets the new part
    }
  }
}

/// Cuts the rows into parts that are solved together: the rows of one joint, and rows that meet in a coordinate. Where
/// it is next to massless always, in wheels and bodies while the part is small. Contacts are visited one by one.
/// A cable over more wheels than fit into a part is cut elsewhere in every second sweep, half a part along: what one
/// cut leaves over lies in the middle of a part the next time, and a pull goes through the cable in far fewer sweeps.
void SweepSolver::findParts() {
  const bool second = ++swept_ % 2 == 0;
  cutAt_.clear();
  growParts();
  if (second && !cutAt_.empty()) {
    half_.assign(rows_.rows.size(), 0);
    for (const int first : cutAt_) half_[at(first)] = 1;
    growParts();
  }
  half_.clear();
  const int n = static_cast<int>(rows_.rows.size());
  // Rows by part, each part in ascending order; it is visited where its first row stands.
  partStart_.assign(at(n + 1), 0);
  for (int r = 0; r < n; ++r) ++partStart_[at(partOf(r) + 1)];
  for (int r = 0; r < n; ++r) partStart_[at(r + 1)] += partStart_[at(r)];
  partRows_.resize(at(n));
  partFill_.assign(partStart_.begin(), partStart_.end());
  for (int r = 0; r < n; ++r) partRows_[at(partFill_[at(partOf(r))]++)] = r;
}

/// Gaussian elimination with partial pivoting of dense_ (n × n, row-major) for change_.
bool SweepSolver::solveDense(int n) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int r = k + 1; r < n; ++r)
      if (std::fabs(dense_[at(r * n + k)]) > std::fabs(dense_[at(best * n + k)])) best = r;
    if (dense_[at(best * n + k)] == 0.0) return false;
    if (best != k) {
      for (int c = 0; c < n; ++c) std::swap(dense_[at(k * n + c)], dense_[at(best * n + c)]);
      std::swap(change_[at(k)], change_[at(best)]);
    }
    for (int r = k + 1; r < n; ++r) {
      const double f = dense_[at(r * n + k)] / dense_[at(k * n + k)];
      if (f == 0.0) continue;
      for (int c = k; c < n; ++c) dense_[at(r * n + c)] -= f * dense_[at(k * n + c)];
      change_[at(r)] -= f * change_[at(k)];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int c = k + 1; c < n; ++c) change_[at(k)] -= dense_[at(k * n + c)] * change_[at(c)];
    change_[at(k)] /= dense_[at(k * n + k)];
  }
  return true;
}

/// J W Jᵀ + ε of the part's rows, and their errors where everything is now.
void SweepSolver::couplePart(std::span<const int> part, double h) {
  const int n = static_cast<int>(part.size());
  coupling_.assign(at(n * n), 0.0);
  error_.assign(at(n), 0.0);
  places_.clear();
  for (int i = 0; i < n; ++i) {
    const Row& row = rows_.rows[at(part[at(i)])];
    const RowResidual q = rowResidual(row, rate_[at(part[at(i)])], 1.0 / h, h * h);
    error_[at(i)] = q.value + q.compliance * h * h * before_.force[at(row.slot)];
    coupling_[at(i * n + i)] += q.compliance;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = rows_.entries[at(e)];
      const Block& b = model_->blocks[at(entry.block)];
      if (!b.free) continue;
      Place& mine = places_.emplace_back();
      mine.row = i;
      mine.entry = e;
      mine.next = blockPlace_[at(entry.block)];
      blockPlace_[at(entry.block)] = static_cast<int>(places_.size()) - 1;
      inverseMass(entry, mine.spread);
      for (int k = 0; k < b.dof; ++k) error_[at(i)] += entry.j[k] * moved_[at(b.v + k)];
      // With itself, and with the rows before it that act on the same block.
      for (int p = blockPlace_[at(entry.block)]; p >= 0; p = places_[at(p)].next) {
        const Place& other = places_[at(p)];
        double w = 0.0;
        for (int k = 0; k < b.dof; ++k) w += mine.spread[k] * rows_.entries[at(other.entry)].j[k];
        coupling_[at(i * n + other.row)] += w;
        if (other.row != i) coupling_[at(other.row * n + i)] += w;
      }
    }
  }
  for (const Place& p : places_) blockPlace_[at(rows_.entries[at(p.entry)].block)] = -1;
}

/// Moves what the part's rows hold by the change of their forces since start_.
void SweepSolver::movePart(std::span<const int> part, double h) {
  double turn = 0.0;
  const auto change = [&](const Place& p) {
    const int slot = rows_.rows[at(part[at(p.row)])].slot;
    return (before_.force[at(slot)] - start_[at(p.row)]) * h * h;
  };
  const auto each = [&](double scale) {
    for (const Place& p : places_) {
      const Block& b = model_->blocks[at(rows_.entries[at(p.entry)].block)];
      const double dmu = scale * change(p);
      for (int k = 0; k < b.dof; ++k) moved_[at(b.v + k)] += p.spread[k] * dmu;
    }
  };
  each(1.0);
  // A light body far from its rows would be spun through more than the linearisation knows: take part of the way.
  for (const Place& p : places_) {
    const Block& b = model_->blocks[at(rows_.entries[at(p.entry)].block)];
    if (b.rotates) turn = std::max(turn, Vec3(moved_[at(b.v + 3)], moved_[at(b.v + 4)], moved_[at(b.v + 5)]).norm());
  }
  if (turn <= largestTurn) return;
  const double share = largestTurn / turn;
  each(share - 1.0);
  for (std::size_t i = 0; i < part.size(); ++i) {
    double& force = before_.force[at(rows_.rows[at(part[i])].slot)];
    force = start_[i] + share * (force - start_[i]);
  }
}

void SweepSolver::visitPart(std::span<const int> part, double h) {
  const int n = static_cast<int>(part.size());
  couplePart(part, h);
  start_.resize(at(n));
  for (int i = 0; i < n; ++i) start_[at(i)] = before_.force[at(rows_.rows[at(part[at(i)])].slot)];
  // Active set on the small system: rows hold, or sit at a bound that may hang on another row of the part.
  bool settled = false;
  for (int it = 0; it < 4 * n + 8 && !settled; ++it) {
    if (!solveActive(part, h)) break;
    settled = switchModes(part, it > 2 * n) == 0;
  }
  if (settled) return movePart(part, h);
  // It cannot agree, or has no solution: one row at a time then, which always ends somewhere.
  for (int i = 0; i < n; ++i) before_.force[at(rows_.rows[at(part[at(i)])].slot)] = start_[at(i)];
  for (const int r : part) visit(r, h);
}

/// Forces of the part with its modes as they are.
bool SweepSolver::solveActive(std::span<const int> part, double h) {
  const int n = static_cast<int>(part.size());
  const double s2 = h * h;
  const auto placeOf = [&](int slot) {
    for (int i = 0; slot >= 0 && i < n; ++i)
      if (rows_.rows[at(part[at(i)])].slot == slot) return i;
    return -1;
  };
  dense_ = coupling_;
  change_.assign(at(n), 0.0);
  for (int i = 0; i < n; ++i) {
    const Row& row = rows_.rows[at(part[at(i)])];
    const Mode mode = row.bounded() ? before_.mode[at(row.slot)] : Mode::free;
    const Bounds bounds = boundsOf(row, before_.force);
    const bool pinned = row.bounded() && bounds.closed();
    if (mode == Mode::free && !pinned) {
      change_[at(i)] = -error_[at(i)];
      // Redundant rows share; the next sweep sees what that leaves. A row that nothing free hangs on does nothing.
      double& own = dense_[at(i * n + i)];
      double heavy = own;
      for (const Place& p : places_) {
        const Entry& entry = rows_.entries[at(p.entry)];
        if (p.row == i && model_->blocks[at(entry.block)].massless) heavy -= entry.j[0] * p.spread[0];
      }
      own = own > 0.0 ? own + redundancy * std::max(heavy, 0.0) : 1.0;
      continue;
    }
    for (int j = 0; j < n; ++j) dense_[at(i * n + j)] = i == j ? 1.0 : 0.0;
    const bool low = mode == Mode::lower || pinned;
    const double bound = low ? bounds.lower : bounds.upper;
    const double gain = low ? row.lowerGain : row.upperGain;
    const int ref = placeOf(low ? row.lowerSlot : row.upperSlot);
    if (ref >= 0 && !pinned) dense_[at(i * n + ref)] -= gain;
    change_[at(i)] = s2 * (bound - before_.force[at(row.slot)]);
  }
  if (!solveDense(n)) return false;
  for (int i = 0; i < n; ++i) before_.force[at(rows_.rows[at(part[at(i)])].slot)] += change_[at(i)] / s2;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) error_[at(i)] += coupling_[at(i * n + j)] * change_[at(j)];
  return true;
}

int SweepSolver::switchModes(std::span<const int> part, bool single) {
  int changes = 0;
  double largest = 0.0;
  for (const int r : part) largest = std::max(largest, std::fabs(before_.force[at(rows_.rows[at(r)].slot)]));
  const double noise = roundingShare * largest;  // a rope without load is at the edge to within rounding
  for (std::size_t i = 0; i < part.size(); ++i) {
    const Row& row = rows_.rows[at(part[i])];
    if (!row.bounded()) continue;
    Mode& mode = before_.mode[at(row.slot)];
    const Bounds bounds = boundsOf(row, before_.force);
    Mode wish = mode;
    if (bounds.closed())
      wish = Mode::free;
    else if (mode == Mode::free)
      wish = wishHolding(before_.force[at(row.slot)], bounds, noise);
    else if (askAtBound(mode, bounds, error_[i]) > contentMove)
      wish = Mode::free;
    if (wish == mode || (single && changes > 0)) continue;
    mode = wish;
    ++changes;
  }
  return changes;
}

}  // namespace reeve
