#include "reeve/solvers/row_system.h"

#include <algorithm>
#include <cmath>

namespace reeve {

void RowSystem::mapSlots(const RowSet& rows) {
  int last = -1;
  for (const Row& row : rows.rows) last = std::max({last, row.slot, row.lowerSlot, row.upperSlot});
  slotRow_.assign(at(std::max(last + 1, model_->slots)), -1);
  for (std::size_t r = 0; r < rows.rows.size(); ++r) slotRow_[at(rows.rows[r].slot)] = static_cast<int>(r);
}

void RowSystem::bind(const Model& model) {
  if (model_ == &model && layout_ == model.layout) return;
  model_ = &model;
  layout_ = model.layout;
  signature_.clear();
  ease_.clear();
  for (const Block& b : model.blocks) {
    Ease& e = ease_.emplace_back();
    if (!b.free) continue;
    e.move = 1.0 / std::max(b.mass, b.nominal);
    e.turn = b.rotates ? 3.0 / b.inertia_B.trace() : 0.0;
    e.linear = b.rotates ? 3 : b.dof;
    e.rotates = b.rotates;
  }
}

/// What the pattern hangs on, as a sequence of numbers.
template <class Put>
void RowSystem::describe(const RowSet& rows, std::span<const PatchSet* const> patchSets, Put&& put) const {
  put(static_cast<int>(model_->blocks.size()));
  for (const int g : rows.groups) put(g);
  put(-1);
  for (const Row& row : rows.rows) {
    put(row.count);
    put(row.lowerSlot < 0 ? -1 : slotRow_[at(row.lowerSlot)]);
    put(row.upperSlot < 0 ? -1 : slotRow_[at(row.upperSlot)]);
  }
  for (const Entry& e : rows.entries) put(e.block);
  for (const PatchSet* set : patchSets) {
    put(-2);
    for (const Patch& p : set->patches) {
      put(p.a);
      put(p.b);
    }
    put(-3);
    for (const Column& c : set->columns) {
      put(c.a);
      put(c.b);
    }
  }
}

void RowSystem::prepare(const RowSet& rows, std::span<const PatchSet* const> patchSets) {
  mapSlots(rows);
  // Sizes first: then the numbers can be compared without counting them.
  std::size_t size = 2 + rows.groups.size() + 3 * rows.rows.size() + rows.entries.size();
  for (const PatchSet* set : patchSets) size += 2 + 2 * (set->patches.size() + set->columns.size());
  bool same = size == signature_.size();
  if (same) {
    const int* kept = signature_.data();
    int differ = 0;
    describe(rows, patchSets, [&](int x) { differ |= x ^ *kept++; });
    same = differ == 0;
  }
  if (!same) {
    signature_.clear();
    describe(rows, patchSets, [&](int x) { signature_.push_back(x); });
    rebuild(rows, patchSets);
  }
  matrix_.setZero();
}

void RowSystem::rebuild(const RowSet& rows, std::span<const PatchSet* const> patchSets) {
  node_.assign(model_->blocks.size(), -1);
  sizes_.clear();
  kinds_.clear();
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    if (!model_->blocks[i].free || model_->blocks[i].dof == 0) continue;
    node_[i] = static_cast<int>(sizes_.size());
    sizes_.push_back(model_->blocks[i].dof);
    kinds_.push_back(model_->blocks[i].light ? NodeKind::light : NodeKind::coordinate);
  }
  rowNode_.assign(rows.rows.size(), 0);
  rowPlace_.assign(rows.rows.size(), 0);
  for (std::size_t g = 0; g < rows.groups.size(); ++g) {
    const int size = rows.groupSize(static_cast<int>(g));
    if (size == 0) continue;
    for (int k = 0; k < size; ++k) {
      rowNode_[at(rows.groups[g] + k)] = static_cast<int>(sizes_.size());
      rowPlace_[at(rows.groups[g] + k)] = k;
    }
    sizes_.push_back(size);
    kinds_.push_back(NodeKind::row);
  }
  matrix_.reset(sizes_);
  entrySlot_.assign(rows.entries.size(), -1);
  mirrorSlot_.assign(rows.entries.size(), -1);
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const Row& row = rows.rows[r];
    for (int e = row.first; e < row.first + row.count; ++e) {
      const int node = node_[at(rows.entries[at(e)].block)];
      if (node < 0) continue;
      entrySlot_[at(e)] = matrix_.couple(rowNode_[r], node);
      mirrorSlot_[at(e)] = matrix_.couple(node, rowNode_[r]);
    }
    for (const int slot : {row.lowerSlot, row.upperSlot}) {
      const int other = slot < 0 ? -1 : slotRow_[at(slot)];
      if (other >= 0 && rowNode_[at(other)] != rowNode_[r]) matrix_.couple(rowNode_[r], rowNode_[at(other)]);
    }
  }
  for (auto* x : {&patchFirst_, &patchSlot_, &patchMirror_, &columnFirst_, &columnSlot_, &columnMirror_}) x->clear();
  const auto couple = [&](int blockA, int blockB, std::vector<int>& slots, std::vector<int>& mirrors) {
    const int a = node_[at(blockA)], b = node_[at(blockB)];
    const bool coupled = a >= 0 && b >= 0;
    slots.push_back(!coupled ? -1 : a == b ? matrix_.diagonal(a) : matrix_.couple(a, b));
    mirrors.push_back(!coupled || a == b ? -1 : matrix_.couple(b, a));
  };
  for (const PatchSet* set : patchSets) {
    patchFirst_.push_back(static_cast<int>(patchSlot_.size()));
    columnFirst_.push_back(static_cast<int>(columnSlot_.size()));
    for (const Patch& p : set->patches) couple(p.a, p.b, patchSlot_, patchMirror_);
    for (const Column& c : set->columns) couple(c.a, c.b, columnSlot_, columnMirror_);
  }
  factor_.analyze(matrix_, kinds_);
  rhs_.assign(at(matrix_.rows()), 0.0);
  solution_.assign(at(matrix_.rows()), 0.0);
}

void RowSystem::addInertia(std::span<const Mat3> rotations) {
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    if (node_[i] < 0) continue;
    const Block& b = model_->blocks[i];
    double* a = matrix_.values(matrix_.diagonal(node_[i]));
    const int n = b.dof, linear = b.rotates ? 3 : n;
    for (int k = 0; k < linear; ++k) a[k * n + k] += b.mass;
    if (!b.rotates) continue;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) a[(r + 3) * n + c + 3] += rotations[i](r, c);
  }
}

namespace {

/// a += scale · k, and the transposed block likewise, for sizes known to the compiler or (0) not.
template <int Rows, int Cols>
void addPatch(const Patch& patch, double scale, int rows, int cols, double* a, double* mirror) {
  const int m = Rows > 0 ? Rows : rows, n = Cols > 0 ? Cols : cols;
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < n; ++c) a[r * n + c] += scale * patch.k(r, c);
  if (!mirror) return;
  for (int c = 0; c < n; ++c)
    for (int r = 0; r < m; ++r) mirror[c * m + r] += scale * patch.k(r, c);
}

/// −J at j and −Jᵀ, a column of a block `size` wide, at jt; a place that is null is left alone.
template <int Dof>
void addEntry(const Entry& entry, int dof, int size, double* j, double* jt) {
  const int n = Dof > 0 ? Dof : dof;
  for (int k = 0; j && k < n; ++k) j[k] -= entry.j[k];
  for (int k = 0; jt && k < n; ++k) jt[k * size] -= entry.j[k];
}

}  // namespace

void RowSystem::addPatches(int set, const PatchSet& patches, double scale) {
  for (std::size_t p = 0; p < patches.patches.size(); ++p) {
    const std::size_t place = at(patchFirst_[at(set)]) + p;
    if (patchSlot_[place] < 0) continue;
    const Patch& patch = patches.patches[p];
    const int rowsA = model_->blocks[at(patch.a)].dof, colsB = model_->blocks[at(patch.b)].dof;
    double* a = matrix_.values(patchSlot_[place]);
    double* mirror = patchMirror_[place] < 0 ? nullptr : matrix_.values(patchMirror_[place]);
    if (rowsA == 6 && colsB == 6)
      addPatch<6, 6>(patch, scale, 6, 6, a, mirror);
    else
      addPatch<0, 0>(patch, scale, rowsA, colsB, a, mirror);
  }
  // A column and the row it mirrors lie in memory alike.
  for (std::size_t c = 0; c < patches.columns.size(); ++c) {
    const std::size_t place = at(columnFirst_[at(set)]) + c;
    if (columnSlot_[place] < 0) continue;
    const Column& column = patches.columns[c];
    const int n = model_->blocks[at(column.a)].dof;
    double* a = matrix_.values(columnSlot_[place]);
    for (int r = 0; r < n; ++r) a[r] += scale * column.k[r];
    if (columnMirror_[place] < 0) continue;
    double* mirror = matrix_.values(columnMirror_[place]);
    for (int r = 0; r < n; ++r) mirror[r] += scale * column.k[r];
  }
}

/// The smallest J M⁻¹ Jᵀ among the blocks of a row: a scale for its compliance.
double RowSystem::mobility(const RowSet& rows, const Row& row) const {
  double least = 0.0;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = rows.entries[at(e)];
    const Ease& ease = ease_[at(entry.block)];
    double w = 0.0;
    for (int k = 0; k < ease.linear; ++k) w += entry.j[k] * entry.j[k];
    w *= ease.move;
    if (ease.rotates) w += ease.turn * (entry.j[3] * entry.j[3] + entry.j[4] * entry.j[4] + entry.j[5] * entry.j[5]);
    if (w > 0.0 && (least == 0.0 || w < least)) least = w;
  }
  return least;
}

void RowSystem::addRows(const RowSet& rows, std::span<const RowEquation> equations) {
  trace_.resize(rows.rows.size());
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const Row& row = rows.rows[r];
    const RowEquation& q = equations[r];
    const int place = rowPlace_[r], size = matrix_.size(rowNode_[r]);
    double* diagonal = matrix_.values(matrix_.diagonal(rowNode_[r]));
    // A trace of compliance makes redundant rows solvable; untrace() and Newton, who iterates on the residual without
    // it, take it out again. A row that nothing free hangs on is an equation for its multiplier alone, if it has
    // compliance.
    trace_[r] = q.holds ? 1e-11 * mobility(rows, row) : 0.0;
    const double soft = q.holds ? q.compliance + trace_[r] : 0.0;
    diagonal[place * size + place] = soft > 0.0 ? -soft : -1.0;
    const bool follows = !q.holds && q.coupled >= 0;
    if (follows) {
      const int other = rowNode_[at(q.coupled)];
      double* c = other == rowNode_[r] ? diagonal : matrix_.values(matrix_.find(rowNode_[r], other));
      c[place * matrix_.size(other) + rowPlace_[at(q.coupled)]] += q.gain;
    }
    for (int e = row.first; e < row.first + row.count; ++e) {
      if (entrySlot_[at(e)] < 0) continue;
      const Entry& entry = rows.entries[at(e)];
      const int n = model_->blocks[at(entry.block)].dof;
      double* j = q.holds ? matrix_.values(entrySlot_[at(e)]) + place * n : nullptr;
      double* jt = q.holds || follows ? matrix_.values(mirrorSlot_[at(e)]) + place : nullptr;
      if (n == 6)
        addEntry<6>(entry, n, size, j, jt);
      else
        addEntry<0>(entry, n, size, j, jt);
    }
  }
}

/// Takes the trace t out of the solution: what it gives way by, t μ, is an error of the rows that is solved for with
/// the same factors, and again what that leaves. Along n wheels on one cable the traces add up while the wheels'
/// mobilities do the contrary: n² 1e-11 of the motion would be wrong, and Newton need an iteration more with 10⁵ of
/// them. What distorts the motion by less than a millionth is left to Newton. Where rows are redundant the error does
/// not shrink, and stays. Cable that slides is next to massless: a trace by its mobility is no small number, and the
/// rows that decide whether it sticks need it to agree.
void RowSystem::untrace(std::size_t rowCount) {
  constexpr double unnoticed = 1e-6, enough = 1e-12, rounding = 1e-16;
  constexpr int most = 8;
  const auto place = [&](std::size_t r) { return at(matrix_.offset(rowNode_[r]) + rowPlace_[r]); };
  double motion = 0.0, given = 0.0, first = 0.0;
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    if (node_[i] >= 0 && model_->blocks[i].light) return;
    for (int k = 0; node_[i] >= 0 && k < model_->blocks[i].dof; ++k)
      motion = std::max(motion, std::fabs(solution_[at(matrix_.offset(node_[i]) + k)]));
  }
  for (std::size_t r = 0; r < rowCount; ++r) given += std::fabs(trace_[r] * solution_[place(r)]);
  if (given <= unnoticed * motion + rounding) return;
  first = given;
  correction_ = solution_;
  for (int round = 0; round < most && given > enough * first + rounding; ++round) {
    std::fill(rhs_.begin(), rhs_.end(), 0.0);
    for (std::size_t r = 0; r < rowCount; ++r) rhs_[place(r)] = -trace_[r] * correction_[place(r)];
    factor_.solve(matrix_, rhs_, correction_);
    double left = 0.0;
    for (std::size_t r = 0; r < rowCount; ++r) left += std::fabs(trace_[r] * correction_[place(r)]);
    if (!(left < 0.1 * given)) return;
    given = left;
    for (std::size_t i = 0; i < solution_.size(); ++i) solution_[i] += correction_[i];
  }
}

bool RowSystem::factor(bool symmetric) { return factor_.factor(matrix_, symmetric); }

void RowSystem::resolve(const RowSet& rows, std::span<const RowEquation> equations,
                        std::span<const double> coordinateResidual, std::span<double> change,
                        std::span<double> multiplierChange) {
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    if (node_[i] < 0) continue;
    const Block& b = model_->blocks[i];
    for (int k = 0; k < b.dof; ++k) rhs_[at(matrix_.offset(node_[i]) + k)] = -coordinateResidual[at(b.v + k)];
  }
  for (std::size_t r = 0; r < rows.rows.size(); ++r)
    rhs_[at(matrix_.offset(rowNode_[r]) + rowPlace_[r])] = equations[r].residual;
  factor_.solve(matrix_, rhs_, solution_);
  backwardError_ = factor_.backwardError();
  untrace(rows.rows.size());
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    if (node_[i] < 0) continue;
    const Block& b = model_->blocks[i];
    for (int k = 0; k < b.dof; ++k) change[at(b.v + k)] = solution_[at(matrix_.offset(node_[i]) + k)];
  }
  for (std::size_t r = 0; r < rows.rows.size(); ++r)
    multiplierChange[r] = solution_[at(matrix_.offset(rowNode_[r]) + rowPlace_[r])];
}

bool RowSystem::solve(const RowSet& rows, std::span<const RowEquation> equations,
                      std::span<const double> coordinateResidual, bool symmetric, std::span<double> change,
                      std::span<double> multiplierChange) {
  if (!factor(symmetric)) return false;
  resolve(rows, equations, coordinateResidual, change, multiplierChange);
  return true;
}

}  // namespace reeve
