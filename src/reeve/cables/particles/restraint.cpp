#include "reeve/cables/particles/restraint.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/cable.h"
#include "reeve/model/kinetics.h"

namespace reeve::particles {

namespace {
using Six = Eigen::Matrix<double, 6, 1>;
/// A group with more rows is left as it is: its dense matrix would cost more than the cables.
constexpr std::size_t mostRows = 60;
/// A pivot this much smaller than its diagonal means a row the others already imply.
constexpr double dependent = 1e-10;

/// Inverse mass of a block about its centre of mass, world frame, with what it carries of the cables.
Mat6 inverseMass(const Instant& now, int block, const Bundle& bundle, int proxy) {
  const Block& b = now.model().blocks[at(block)];
  const Load load = proxy >= 0 ? bundle.loadOf(proxy) : Load{};
  const double mass = b.mass + load.mass;
  Mat6 w = Mat6::Zero();
  if (b.rotates) {
    const Mat3& r = now.rotation(block);
    const Mat3 first = skew(r * load.moment);
    Mat6 m;
    m << mass * Mat3::Identity(), -first, first, r * (b.inertia_B + load.inertia) * r.transpose();
    return m.inverse();
  }
  for (int k = 0; k < std::min(b.dof, 3); ++k) w(k, k) = 1.0 / mass;
  return w;
}

Six jacobianOf(const Entry& e) {
  Six j;
  for (int k = 0; k < 6; ++k) j[k] = e.j[k];
  return j;
}
}  // namespace

void Restraints::build(const Model& model, std::span<const int> blocks) {
  proxy_.assign(model.blocks.size(), -1);
  for (std::size_t i = 0; i < blocks.size(); ++i) proxy_[at(blocks[i])] = static_cast<int>(i);
  elements_.clear();
  for (const auto& e : model.elements)
    if (e->layout().slots > 0 && !dynamic_cast<const Cable*>(e.get())) elements_.push_back(e.get());
}

bool Restraints::holds(const Row& row, const State& state) const {
  if (!row.bounded()) return true;
  const double force = state.force[at(row.slot)];
  return row.lowerSlot < 0 && row.upperSlot < 0 && force != 0.0 && force > row.lower && force < row.upper;
}

int Restraints::rootOf(int block) {
  while (parent_[at(block)] != block) block = parent_[at(block)] = parent_[at(parent_[at(block)])];
  return block;
}

/// Which rows hold, sorted by the groups of blocks they join.
void Restraints::join(const Model& model, const State& state) {
  parent_.resize(proxy_.size());
  for (std::size_t i = 0; i < parent_.size(); ++i) parent_[i] = static_cast<int>(i);
  used_.clear();
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    if (!holds(row, state)) continue;
    int root = -1;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const int block = rows_.entries[at(e)].block;
      if (!model.blocks[at(block)].free) continue;
      if (root < 0) root = rootOf(block);
      parent_[at(rootOf(block))] = root;
    }
    if (root >= 0) used_.push_back({root, static_cast<int>(r)});
  }
  for (Used& u : used_) u.root = rootOf(u.root);
  std::sort(used_.begin(), used_.end(),
            [](const Used& a, const Used& b) { return a.root != b.root ? a.root < b.root : a.row < b.row; });
}

/// A and r of the group.
void Restraints::assemble(const Instant& now, double h, int substeps, const Bundle& bundle) {
  const Model& model = now.model();
  const Vec3& gravity = model.description.settings.gravity;
  blocks_.clear();
  inverse_.clear();
  for (const int r : own_)
    for (int e = rows_.rows[at(r)].first; e < rows_.rows[at(r)].first + rows_.rows[at(r)].count; ++e) {
      const int block = rows_.entries[at(e)].block;
      if (!model.blocks[at(block)].free || std::find(blocks_.begin(), blocks_.end(), block) != blocks_.end()) continue;
      blocks_.push_back(block);
      inverse_.push_back(inverseMass(now, block, bundle, proxy_[at(block)]));
    }
  // A steady acceleration moves by h² (1 + 1/substeps)/2 in a step.
  const double part = 2.0 * substeps / (substeps + 1.0);
  const std::size_t n = own_.size();
  matrix_.assign(n * n, 0.0);
  right_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const Row& row = rows_.rows[at(own_[i])];
    double moves = 0.0, falls = 0.0;  // J v, J W f
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = rows_.entries[at(e)];
      const Block& b = model.blocks[at(entry.block)];
      for (int k = 0; k < b.dof; ++k) moves += entry.j[k] * now.v[at(b.v + k)];
      if (!b.free) continue;
      for (int k = 0; b.weighs && k < 3; ++k) falls += entry.j[k] * gravity[k];
      const Mat6& w =
          inverse_[at(static_cast<int>(std::find(blocks_.begin(), blocks_.end(), entry.block) - blocks_.begin()))];
      const Six wj = w * jacobianOf(entry);
      for (std::size_t k = 0; k < n; ++k) {
        const Row& other = rows_.rows[at(own_[k])];
        for (int o = other.first; o < other.first + other.count; ++o)
          if (rows_.entries[at(o)].block == entry.block) matrix_[i * n + k] += jacobianOf(rows_.entries[at(o)]).dot(wj);
      }
    }
    const double lag = 1.0 + row.damping / h, bare = matrix_[i * n + i];
    if (row.level == Level::position) {
      right_[i] = row.error * part / (h * h * lag) + (lag - 1.0) / lag * (moves - row.speed) / h + falls;
      matrix_[i * n + i] += row.compliance / (h * h * lag);
    } else {
      right_[i] = (moves - row.speed) / h + falls;
      matrix_[i * n + i] += row.compliance / h;
    }
    matrix_[i * n + i] += row.softness * bare;
  }
}

/// A = L D Lᵀ in place; rows that the others imply are left out.
void Restraints::factorise() {
  const std::size_t n = own_.size();
  diagonal_.resize(n);
  for (std::size_t i = 0; i < n; ++i) diagonal_[i] = matrix_[i * n + i];
  for (std::size_t j = 0; j < n; ++j) {
    double d = matrix_[j * n + j];
    for (std::size_t k = 0; k < j; ++k) d -= matrix_[j * n + k] * matrix_[j * n + k] * matrix_[k * n + k];
    const bool skip = !(d > dependent * diagonal_[j]);
    matrix_[j * n + j] = skip ? 0.0 : d;
    for (std::size_t i = j + 1; i < n; ++i) {
      double s = matrix_[i * n + j];
      for (std::size_t k = 0; k < j; ++k) s -= matrix_[i * n + k] * matrix_[j * n + k] * matrix_[k * n + k];
      matrix_[i * n + j] = skip ? 0.0 : s / d;
    }
  }
}

void Restraints::substitute(std::span<double> x) const {
  const std::size_t n = own_.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) x[i] -= matrix_[i * n + k] * x[k];
  for (std::size_t i = 0; i < n; ++i) x[i] = matrix_[i * n + i] > 0.0 ? x[i] / matrix_[i * n + i] : 0.0;
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= matrix_[k * n + i] * x[k];
}

/// W' and a of every stand-in of the group.
void Restraints::share(Bundle& bundle) {
  const std::size_t n = own_.size();
  const Vec3& gravity = ahead_.model().description.settings.gravity;
  substitute(right_);
  column_.resize(n);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const int proxy = proxy_[at(blocks_[i])];
    if (proxy < 0) continue;
    Proxy& p = bundle.bodies[at(proxy)];
    const Mat6& w = inverse_[i];
    const auto rowOn = [&](std::size_t k) {
      Six j = Six::Zero();
      const Row& row = rows_.rows[at(own_[k])];
      for (int e = row.first; e < row.first + row.count; ++e)
        if (rows_.entries[at(e)].block == blocks_[i]) j += jacobianOf(rows_.entries[at(e)]);
      return j;
    };
    Six force = Six::Zero();
    for (std::size_t k = 0; k < n; ++k) force -= right_[k] * rowOn(k);
    Six a = w * force;
    if (p.weighs) a.head<3>() += gravity;
    p.give = w;
    for (int c = 0; c < 6; ++c) {
      const Six own = w.col(c);
      for (std::size_t k = 0; k < n; ++k) column_[k] = rowOn(k).dot(own);
      substitute(column_);
      Six held = Six::Zero();
      for (std::size_t k = 0; k < n; ++k) held += column_[k] * rowOn(k);
      p.give.col(c) -= w * held;
    }
    p.held = true;
    p.fall = a.head<3>();
    p.tumble = a.tail<3>();
  }
}

void Restraints::find(const Instant& now, const State& state, double h, int substeps, Bundle& bundle) {
  for (Proxy& p : bundle.bodies) p.held = false;
  if (elements_.empty()) return;
  // Where everything goes if nothing changes: there the rows say what turns have led away from the joints.
  ahead_.bind(now.model(), now.past());
  ahead_.q = now.q;
  ahead_.v = now.v;
  ahead_.prescribe(now.time + h);
  for (const Block& b : now.model().blocks)
    for (int k = 0; k < b.dof; ++k) ahead_.u[at(b.v + k)] = b.free ? h * now.v[at(b.v + k)] : 0.0;
  ahead_.place(now.time + h, h);
  rows_.clear();
  for (const Element* e : elements_) e->rows(ahead_, rows_);
  join(now.model(), state);
  for (std::size_t i = 0; i < used_.size();) {
    const int root = used_[i].root;
    own_.clear();
    for (; i < used_.size() && used_[i].root == root; ++i) own_.push_back(used_[i].row);
    if (own_.size() > mostRows) continue;
    assemble(ahead_, h, substeps, bundle);
    factorise();
    share(bundle);
  }
}

}  // namespace reeve::particles
