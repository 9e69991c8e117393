#include "reeve/solvers/row_system.h"

#include <algorithm>
#include <cmath>

namespace reeve {

/// Whether the rows have the slots they had; notes them otherwise.
bool RowSystem::seen(const RowSet& rows) {
  bool same = slots_.size() == rows.rows.size();
  for (std::size_t r = 0; same && r < slots_.size(); ++r) {
    const Row& row = rows.rows[r];
    same = slots_[r] == Slots{row.slot, row.lowerSlot, row.upperSlot};
  }
  if (same) return true;
  slots_.clear();
  for (const Row& row : rows.rows) slots_.push_back({row.slot, row.lowerSlot, row.upperSlot});
  return false;
}

void RowSystem::mapSlots(const RowSet& rows) {
  if (seen(rows)) return;
  int last = -1;
  for (const Slots& s : slots_) last = std::max({last, s.own, s.lower, s.upper});
  slotRow_.assign(at(std::max(last + 1, model_->slots)), -1);
  for (std::size_t r = 0; r < slots_.size(); ++r) slotRow_[at(slots_[r].own)] = static_cast<int>(r);
}

void RowSystem::bind(const Model& model) {
  if (model_ == &model && layout_ == model.layout) return;
  model_ = &model;
  layout_ = model.layout;
  signature_.clear();
  slots_.clear();
  slotRow_.clear();
  ease_.clear();
  for (const Block& b : model.blocks) {
    Ease& e = ease_.emplace_back();
    e.dof = static_cast<std::int16_t>(b.dof);
    if (!b.free) continue;
    e.move = 1.0 / std::max(b.mass, b.nominal);
    e.turn = b.rotates ? 3.0 / b.inertia_B.trace() : 0.0;
    e.linear = static_cast<std::int16_t>(b.rotates ? 3 : b.dof);
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
}

bool RowSystem::matches(const RowSet& rows) const {
  bool same = slots_.size() == rows.rows.size() && entrySlot_.size() == rows.entries.size();
  for (std::size_t r = 0; same && r < slots_.size(); ++r)
    same = slots_[r] == Slots{rows.rows[r].slot, rows.rows[r].lowerSlot, rows.rows[r].upperSlot};
  if (!same) return false;
  // The signature begins with what rows are: see describe().
  const int* kept = signature_.data();
  int differ = 0;
  const auto put = [&](int x) { differ |= x ^ *kept++; };
  put(static_cast<int>(model_->blocks.size()));
  for (const int g : rows.groups) put(g);
  put(-1);
  if (differ != 0) return false;  // as many groups
  for (const Row& row : rows.rows) {
    put(row.count);
    kept += 2;
  }
  for (const Entry& e : rows.entries) put(e.block);
  return differ == 0;
}

void RowSystem::begin(bool symmetric) {
  symmetric_ = symmetric;
  symmetric ? matrix_.setZeroSymmetric() : matrix_.setZero();
}

void RowSystem::rebuild(const RowSet& rows, std::span<const PatchSet* const> patchSets) {
  node_.assign(model_->blocks.size(), -1);
  sizes_.clear();
  kinds_.clear();
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    if (!model_->blocks[i].free || model_->blocks[i].dof == 0) continue;
    node_[i] = static_cast<int>(sizes_.size());
    sizes_.push_back(model_->blocks[i].dof);
    kinds_.push_back(model_->blocks[i].massless ? NodeKind::light : NodeKind::coordinate);
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
  light_ = std::any_of(kinds_.begin(), kinds_.end(), [](NodeKind k) { return k == NodeKind::light; });
  matrix_.reset(sizes_);
  entrySlot_.assign(rows.entries.size(), -1);
  mirrorSlot_.assign(rows.entries.size(), -1);
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const Row& row = rows.rows[r];
    for (int e = row.first; e < row.first + row.count; ++e) {
      const int node = node_[at(rows.entries[at(e)].block)];
      if (node < 0) continue;
      // Blocks have lower node numbers than rows.
      entrySlot_[at(e)] = matrix_.couple(node, rowNode_[r]);
      mirrorSlot_[at(e)] = matrix_.couple(rowNode_[r], node);
    }
    for (const int slot : {row.lowerSlot, row.upperSlot}) {
      const int other = slot < 0 ? -1 : slotRow_[at(slot)];
      if (other >= 0 && rowNode_[at(other)] != rowNode_[r]) matrix_.couple(rowNode_[r], rowNode_[at(other)]);
    }
  }
  for (auto* x : {&patchFirst_, &columnFirst_}) x->clear();
  for (auto* x : {&patchTarget_, &columnTarget_}) x->clear();
  const auto target = [&](int blockA, int blockB) -> Target {
    const int a = node_[at(blockA)], b = node_[at(blockB)];
    if (a < 0 || b < 0) return {};
    if (a == b) return {matrix_.diagonal(a)};
    return {matrix_.couple(std::min(a, b), std::max(a, b)), matrix_.couple(std::max(a, b), std::min(a, b)), a > b};
  };
  for (const PatchSet* set : patchSets) {
    patchFirst_.push_back(static_cast<int>(patchTarget_.size()));
    columnFirst_.push_back(static_cast<int>(columnTarget_.size()));
    for (const Patch& p : set->patches) patchTarget_.push_back(target(p.a, p.b));
    for (const Column& c : set->columns) columnTarget_.push_back(target(c.a, c.b));
  }
  stretches_.clear();
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    if (node_[i] < 0) continue;
    const Block& b = model_->blocks[i];
    const int row = matrix_.offset(node_[i]);
    if (!stretches_.empty() && stretches_.back().v + stretches_.back().count == b.v &&
        stretches_.back().row + stretches_.back().count == row)
      stretches_.back().count += b.dof;
    else
      stretches_.push_back({b.v, row, b.dof});
  }
  rowAt_.resize(rows.rows.size());
  for (std::size_t r = 0; r < rowAt_.size(); ++r) rowAt_[r] = matrix_.offset(rowNode_[r]) + rowPlace_[r];
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

/// a += scale · k, and the transposed block likewise, for sizes known to the compiler or (0) not; where a place is null
/// nothing is added.
template <int Rows, int Cols>
void addPatch(const Patch& patch, double scale, int rows, int cols, double* a, double* transposed) {
  const int m = Rows > 0 ? Rows : rows, n = Cols > 0 ? Cols : cols;
  for (int r = 0; a && r < m; ++r)
    for (int c = 0; c < n; ++c) a[r * n + c] += scale * patch.k(r, c);
  for (int c = 0; transposed && c < n; ++c)
    for (int r = 0; r < m; ++r) transposed[c * m + r] += scale * patch.k(r, c);
}

/// −J at j and −Jᵀ, a column of a block `width` wide, at jt; a place that is null is left alone.
template <int Dof, int Width>
void addEntry(const Entry& entry, int dof, int width, double* j, double* jt) {
  const int n = Dof > 0 ? Dof : dof, size = Width > 0 ? Width : width;
  for (int k = 0; j && k < n; ++k) j[k] -= entry.j[k];
  for (int k = 0; jt && k < n; ++k) jt[k * size] -= entry.j[k];
}

}  // namespace

void RowSystem::addPatches(int set, const PatchSet& patches, double scale) {
  for (std::size_t p = 0; p < patches.patches.size(); ++p) {
    const Target& to = patchTarget_[at(patchFirst_[at(set)]) + p];
    if (to.slot < 0) continue;
    const Patch& patch = patches.patches[p];
    const int rowsA = ease_[at(patch.a)].dof, colsB = ease_[at(patch.b)].dof;
    double* own = matrix_.values(to.slot);
    double* mirror = symmetric_ || to.mirror < 0 ? nullptr : matrix_.values(to.mirror);
    if (to.transposed) std::swap(own, mirror);
    if (rowsA == 6 && colsB == 6)
      addPatch<6, 6>(patch, scale, 6, 6, own, mirror);
    else
      addPatch<0, 0>(patch, scale, rowsA, colsB, own, mirror);
  }
  // A column and the row it mirrors lie in memory alike.
  for (std::size_t c = 0; c < patches.columns.size(); ++c) {
    const Target& to = columnTarget_[at(columnFirst_[at(set)]) + c];
    if (to.slot < 0) continue;
    const Column& column = patches.columns[c];
    const int n = ease_[at(column.a)].dof;
    double* a = matrix_.values(to.slot);
    if (n == 1)
      a[0] += scale * column.k[0];
    else
      for (int r = 0; r < n; ++r) a[r] += scale * column.k[r];
    if (symmetric_ || to.mirror < 0) continue;
    double* mirror = matrix_.values(to.mirror);
    for (int r = 0; r < n; ++r) mirror[r] += scale * column.k[r];
  }
}

/// The least so far, other than nothing, and J M⁻¹ Jᵀ of an entry.
inline void RowSystem::addMobility(const Ease& ease, const Entry& entry, double& least) {
  const double* j = entry.j;
  double w = 0.0;
  if (ease.rotates) {
    w = ease.move * (j[0] * j[0] + j[1] * j[1] + j[2] * j[2]) + ease.turn * (j[3] * j[3] + j[4] * j[4] + j[5] * j[5]);
  } else {
    w = j[0] * j[0];
    for (int k = 1; k < ease.linear; ++k) w += j[k] * j[k];
    w *= ease.move;
  }
  if (w > 0.0 && (least == 0.0 || w < least)) least = w;
}

/// The smallest J M⁻¹ Jᵀ among the blocks of a row: a scale for its compliance.
double RowSystem::mobility(const RowSet& rows, const Row& row) const {
  double least = 0.0;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = rows.entries[at(e)];
    addMobility(ease_[at(entry.block)], entry, least);
  }
  return least;
}

void RowSystem::addRows(const RowSet& rows, std::span<const RowEquation> equations) {
  trace_.resize(rows.rows.size());
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const Row& row = rows.rows[r];
    const RowEquation& q = equations[r];
    const int node = rowNode_[r], place = rowPlace_[r], size = matrix_.size(node);
    double* diagonal = matrix_.values(matrix_.diagonal(node));
    const bool follows = !q.holds && q.coupled >= 0;
    if (follows) {
      const int other = rowNode_[at(q.coupled)];
      double* c = other == node ? diagonal : matrix_.values(matrix_.find(node, other));
      c[place * matrix_.size(other) + rowPlace_[at(q.coupled)]] += q.gain;
    }
    double least = 0.0;
    for (int e = row.first; (q.holds || follows) && e < row.first + row.count; ++e) {
      if (entrySlot_[at(e)] < 0) continue;
      const Entry& entry = rows.entries[at(e)];
      const Ease& ease = ease_[at(entry.block)];
      addMobility(ease, entry, least);
      const int n = ease.dof;
      double* jt = matrix_.values(entrySlot_[at(e)]) + place;
      double* j = q.holds && !symmetric_ ? matrix_.values(mirrorSlot_[at(e)]) + place * n : nullptr;
      if (n == 6)
        size == 3   ? addEntry<6, 3>(entry, n, size, j, jt)
        : size == 1 ? addEntry<6, 1>(entry, n, size, j, jt)
                    : addEntry<6, 0>(entry, n, size, j, jt);
      else if (n == 1)
        addEntry<1, 0>(entry, n, size, j, jt);
      else
        addEntry<0, 0>(entry, n, size, j, jt);
    }
    // A trace of compliance makes redundant rows solvable; untrace() and Newton, who iterates on the residual without
    // it, take it out again. A row that nothing free hangs on is an equation for its multiplier alone, if it has
    // compliance.
    trace_[r] = q.holds ? 1e-11 * least : 0.0;
    const double soft = q.holds ? q.compliance + trace_[r] : 0.0;
    diagonal[place * size + place] = soft > 0.0 ? -soft : -1.0;
  }
}

void RowSystem::addCross(const Cross& cross, double compliance) {
  const int node = rowNode_[at(cross.a)], a = rowPlace_[at(cross.a)], b = rowPlace_[at(cross.b)];
  double* diagonal = matrix_.values(matrix_.diagonal(node));
  diagonal[a * matrix_.size(node) + b] -= compliance;
  diagonal[b * matrix_.size(node) + a] -= compliance;
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
  const auto place = [&](std::size_t r) { return at(rowAt_[r]); };
  double given = 0.0, first = 0.0;
  if (light_) return;
  const double motion = largestMove();
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

double RowSystem::largestMove() const {
  double most = 0.0;
  for (const Stretch& s : stretches_)
    for (const double *x = solution_.data() + s.row, *end = x + s.count; x < end; ++x)
      most = std::fabs(*x) <= most ? most : std::fabs(*x);  // what is not a number stays
  return most;
}

bool RowSystem::factor() { return factor_.factor(matrix_, symmetric_); }

double RowSystem::resolve(const RowSet& rows, std::span<const RowEquation> equations,
                          std::span<const double> coordinateResidual, std::span<double> change,
                          std::span<double> multiplierChange, double enough, double unmoved, double again) {
  for (const Stretch& s : stretches_)
    for (int k = 0; k < s.count; ++k) rhs_[at(s.row + k)] = -coordinateResidual[at(s.v + k)];
  for (std::size_t r = 0; r < rows.rows.size(); ++r) rhs_[at(rowAt_[r])] = equations[r].residual;
  factor_.apply(rhs_, solution_);
  double largest = largestMove();
  if (!(largest <= unmoved) && !(largest > again) && enough < coarsely) {
    factor_.refine(matrix_, rhs_, solution_, enough);
    backwardError_ = factor_.backwardError();
    untrace(rows.rows.size());
    largest = largestMove();
  }
  for (const Stretch& s : stretches_)
    for (int k = 0; k < s.count; ++k) change[at(s.v + k)] = solution_[at(s.row + k)];
  for (std::size_t r = 0; r < rows.rows.size(); ++r) multiplierChange[r] = solution_[at(rowAt_[r])];
  return largest;
}

bool RowSystem::solve(const RowSet& rows, std::span<const RowEquation> equations,
                      std::span<const double> coordinateResidual, std::span<double> change,
                      std::span<double> multiplierChange, double enough) {
  if (!factor()) return false;
  resolve(rows, equations, coordinateResidual, change, multiplierChange, enough);
  return true;
}

}  // namespace reeve
