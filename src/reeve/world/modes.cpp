#include "reeve/world/modes.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "reeve/math/scalar.h"
#include "reeve/model/kinetics.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {

using Dense = Eigen::MatrixXd;

/// Positions are moved by this much to see forces change, m and rad: their own rounding over it is 1e-10, and what a
/// central difference leaves out is of its square.
constexpr double nudge = 1e-5;
constexpr int mostFree = 2000;
/// 1/s²: what would take more than ten minutes is nothing that differences of forces can tell from no motion.
constexpr double standing = 1e-4;

/// Everything about one state that is linear in small motions.
class Small {
 public:
  Small(const Model& model, std::span<const Element* const> elements, const State& state)
      : model_(model), elements_(elements), state_(state) {
    now_.bind(model, state);
    evaluate({}, rows_);
    // Massless coordinates of links that the cable has not met take no part.
    std::vector<char> tied(model.blocks.size(), 0);
    for (const Entry& e : rows_.entries) tied[at(e.block)] = 1;
    for (std::size_t i = 0; i < model.blocks.size(); ++i) {
      const Block& b = model.blocks[i];
      for (int k = 0; b.free && (!b.light || tied[i] != 0) && k < b.dof; ++k) free_.push_back(b.v + k);
    }
  }
  int size() const { return static_cast<int>(free_.size()); }
  std::span<const int> free() const { return free_; }

  /// Rows whose motion is not: J of them, by free coordinate.
  Dense held() {
    std::vector<const Row*> which;
    for (const Row& row : rows_.rows)
      if (holds(row) && row.compliance == 0.0) which.push_back(&row);
    Dense j = Dense::Zero(static_cast<int>(which.size()), size());
    for (std::size_t r = 0; r < which.size(); ++r) j.row(static_cast<int>(r)) = gradient(rows_, *which[r]).transpose();
    return j;
  }

  Dense mass() {
    Dense full = Dense::Zero(count(), count());
    for (std::size_t i = 0; i < model_.blocks.size(); ++i) {
      const Block& b = model_.blocks[i];
      for (int k = 0; k < (b.rotates ? 3 : b.dof); ++k) full(b.v + k, b.v + k) += b.mass;
      if (b.rotates) full.block<3, 3>(b.v + 3, b.v + 3) += worldInertia(now_, static_cast<int>(i));
    }
    PatchSet patches;
    for (const Element* e : elements_) e->mass(now_, patches);
    add(patches, full);
    return pick(full);
  }

  Dense damping() {
    Forces forces;
    forces.force.assign(state_.v.size(), 0.0);
    for (const Element* e : elements_) e->forces(now_, forces);
    Dense full = Dense::Zero(count(), count());
    add(forces.damping, full);
    Dense d = pick(full);
    for (const Row& row : rows_.rows) {
      if (!holds(row) || row.compliance == 0.0) continue;
      const double c = row.level == Level::velocity ? 1.0 / row.compliance : row.damping / row.compliance;
      if (c == 0.0) continue;
      const Eigen::VectorXd g = gradient(rows_, row);
      d += c * g * g.transpose();
    }
    return d;
  }

  /// −∂(f + Jᵀλ)/∂q, λ of rigid rows as it is.
  Dense stiffness() {
    Dense k(size(), size());
    for (int i = 0; i < size(); ++i) k.col(i) = (pull(i, -nudge) - pull(i, nudge)) / (2.0 * nudge);
    return k;
  }

  Eigen::VectorXd gradient(const RowSet& rows, const Row& row) const {
    Eigen::VectorXd full = Eigen::VectorXd::Zero(count()), g(size());
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = rows.entries[at(e)];
      const Block& b = model_.blocks[at(entry.block)];
      for (int k = 0; k < b.dof; ++k) full[b.v + k] += entry.j[k];
    }
    for (int i = 0; i < size(); ++i) g[i] = full[free_[at(i)]];
    return g;
  }
  const RowSet& rows() const { return rows_; }

 private:
  int count() const { return static_cast<int>(state_.v.size()); }

  /// Whether a row takes part in small motions: it pulls, touches under load, or sticks.
  bool holds(const Row& row) const {
    if (!row.bounded()) return true;
    if (row.lower >= row.upper && row.lowerSlot < 0 && row.upperSlot < 0) return false;  // a given force
    if (row.level == Level::velocity) return state_.mode[at(row.slot)] == Mode::free;
    return state_.force[at(row.slot)] != 0.0;
  }

  void evaluate(std::pair<int, double> moved, RowSet& out) {
    now_.q = state_.q;
    std::fill(now_.u.begin(), now_.u.end(), 0.0);
    if (moved.second != 0.0) now_.u[at(moved.first)] = moved.second;
    now_.prescribe(state_.time);
    now_.place(state_.time, 0.0);
    now_.v = state_.v;
    now_.touch();
    now_.evaluate();
    out.clear();
    for (const Element* e : elements_) e->rows(now_, out);
  }

  /// f + Jᵀλ with one coordinate moved.
  Eigen::VectorXd pull(int i, double by) {
    RowSet rows;
    evaluate({free_[at(i)], by}, rows);
    Forces forces;
    forces.force.assign(state_.v.size(), 0.0);
    for (const Element* e : elements_) e->forces(now_, forces);
    Eigen::VectorXd sum(size());
    for (int k = 0; k < size(); ++k) sum[k] = forces.force[at(free_[at(k)])];
    for (const Row& row : rows.rows) {
      if (row.level == Level::velocity || !holds(row)) continue;
      const double force = row.compliance > 0.0 ? -row.error / row.compliance : state_.force[at(row.slot)];
      sum += force * gradient(rows, row);
    }
    evaluate({}, scratch_);
    return sum;
  }

  void add(const PatchSet& patches, Dense& full) const {
    for (const Patch& p : patches.patches) {
      const Block &a = model_.blocks[at(p.a)], &b = model_.blocks[at(p.b)];
      for (int r = 0; r < a.dof; ++r)
        for (int c = 0; c < b.dof; ++c) {
          full(a.v + r, b.v + c) += p.k(r, c);
          if (p.a != p.b) full(b.v + c, a.v + r) += p.k(r, c);
        }
    }
    for (const Column& p : patches.columns) {
      const Block &a = model_.blocks[at(p.a)], &b = model_.blocks[at(p.b)];
      for (int r = 0; r < a.dof; ++r) {
        full(a.v + r, b.v) += p.k[r];
        if (p.a != p.b) full(b.v, a.v + r) += p.k[r];
      }
    }
  }
  Dense pick(const Dense& full) const {
    Dense out(size(), size());
    for (int r = 0; r < size(); ++r)
      for (int c = 0; c < size(); ++c) out(r, c) = full(free_[at(r)], free_[at(c)]);
    return out;
  }

  const Model& model_;
  std::span<const Element* const> elements_;
  const State& state_;
  Instant now_;
  RowSet rows_, scratch_;
  std::vector<int> free_;
};

/// Motions that leave the held rows as they are, orthonormal columns.
Dense motionsLeft(Dense j, int n) {
  for (int r = 0; r < j.rows(); ++r)
    if (const double norm = j.row(r).norm(); norm > 0.0) j.row(r) /= norm;
  if (j.rows() == 0) return Dense::Identity(n, n);
  Eigen::ColPivHouseholderQR<Dense> qr(j.transpose());
  qr.setThreshold(1e-9);
  const Dense q = qr.householderQ() * Dense::Identity(n, n);
  return q.rightCols(n - static_cast<int>(qr.rank()));
}

Table tableOf(const Dense& m) {
  Table t{static_cast<int>(m.rows()), static_cast<int>(m.cols()), {}};
  for (int r = 0; r < t.rows; ++r)
    for (int c = 0; c < t.columns; ++c) t.numbers.push_back(m(r, c));
  return t;
}

struct Matrices {
  Dense basis, M, D, K, B;
};

}  // namespace

/// The matrices of small motions about what is shown of the state.
std::expected<Linearization, Problem> World::linearise() const {
  parts_->use();
  const Parts& p = *parts_;
  const State& state = p.shown();
  const std::span<const Element* const> acting(p.elements.data(),
                                               p.elements.size() - (p.contacts.contacts().empty() ? 1 : 0));
  Small small(p.model(), acting, state);
  if (small.size() == 0) return wrong("state", "nothing in this scene can move", "give it something that can");
  if (small.size() > mostFree)
    return wrong("state", "there are " + std::to_string(small.size()) + " coordinates",
                 "dense matrices are for " + std::to_string(mostFree) + " at most");
  const Dense n = motionsLeft(small.held(), small.size());
  if (n.cols() == 0) return wrong("state", "nothing is left that can move", "release a brake or a joint");
  const Dense m = n.transpose() * small.mass() * n, d = n.transpose() * small.damping() * n;
  Dense k = n.transpose() * small.stiffness() * n;
  Dense b = Dense::Zero(small.size(), static_cast<int>(p.built->motors.size()));
  for (std::size_t i = 0; i < p.built->motors.size(); ++i)
    for (const Row& row : small.rows().rows)
      if (row.slot == p.built->motors[i]->slot) b.col(static_cast<int>(i)) = small.gradient(small.rows(), row);
  const int f = static_cast<int>(n.cols());
  const Eigen::LDLT<Dense> inverse(m);
  Dense a = Dense::Zero(2 * f, 2 * f);
  a.topRightCorner(f, f).setIdentity();
  a.bottomLeftCorner(f, f) = -inverse.solve(k);
  a.bottomRightCorner(f, f) = -inverse.solve(d);
  Dense basis = Dense::Zero(static_cast<int>(state.v.size()) - 6, f);
  for (int i = 0; i < small.size(); ++i) basis.row(small.free()[at(i)] - 6) = n.row(i);
  return Linearization{tableOf(basis), tableOf(m), tableOf(d), tableOf(k), tableOf(n.transpose() * b), tableOf(a)};
}

std::expected<std::vector<NaturalMode>, Problem> World::modes() const {
  const auto l = linearise();
  if (!l) return std::unexpected(l.error());
  const auto dense = [](const Table& t) {
    Dense m(t.rows, t.columns);
    for (int r = 0; r < t.rows; ++r)
      for (int c = 0; c < t.columns; ++c) m(r, c) = t.at(r, c);
    return m;
  };
  const Dense m = dense(l->M), d = dense(l->D), basis = dense(l->basis);
  Dense k = dense(l->K);
  k = (0.5 * (k + k.transpose())).eval();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Dense> eigen(k, m);
  if (eigen.info() != Eigen::Success)
    return wrong("state", "the masses of the free motions are not positive", "give massless parts some mass");
  std::vector<NaturalMode> out;
  for (int i = 0; i < eigen.eigenvalues().size(); ++i) {
    NaturalMode mode;
    const double found = eigen.eigenvalues()[i], square = std::fabs(found) < standing ? 0.0 : found;
    const double omega = std::sqrt(std::fabs(square));
    mode.frequency = (square < 0.0 ? -omega : omega) / (2.0 * math::pi);
    const Eigen::VectorXd phi = eigen.eigenvectors().col(i);
    if (omega > 0.0) mode.damping = phi.dot(d * phi) / (2.0 * omega);
    Eigen::VectorXd shape = basis * phi;
    int largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    if (shape[largest] != 0.0) shape /= shape[largest];
    mode.shape.assign(shape.data(), shape.data() + shape.size());
    out.push_back(std::move(mode));
  }
  return out;
}

}  // namespace reeve
