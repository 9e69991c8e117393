#include "reeve/world/modes.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "reeve/math/scalar.h"
#include "reeve/world/parts.h"
#include "reeve/world/small_motions.h"

namespace reeve {

namespace {

/// 1/s²: what would take more than ten minutes is nothing that differences of forces can tell from no motion.
constexpr double standing = 1e-4;

}  // namespace

/// The matrices of small motions about what is shown of the state.
std::expected<Linearization, Problem> World::linearise() const {
  parts_->use();
  const Parts& p = *parts_;
  const SmallState still(p);
  const State& state = still.state;
  SmallMotions small(p.model(), still.elements, state);
  if (auto possible = small.check(); !possible) return std::unexpected(possible.error());
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
  return Linearization{tableOf(basis), tableOf(m),       tableOf(d), tableOf(k), tableOf(n.transpose() * b),
                       tableOf(a),     small.exactness()};
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
