#include "reeve/world/curvature.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "reeve/model/kinetics.h"
#include "reeve/world/parts.h"
#include "reeve/world/small_motions.h"

namespace reeve {

namespace {

/// More coordinates than this would take longer than the search.
constexpr int mostExamined = 600;
/// 1/s²: what takes more than ten minutes is nothing that forces can tell from no motion.
constexpr double standing = 1e-4;
/// What K is good to, as a share of its largest entry: written, and by differences.
constexpr double writtenNoise = 1e-12, differencedNoise = 1e-8;
/// Of the largest mass: what massless coordinates are given, so that all have a direction.
constexpr double leastMass = 1e-9;

}  // namespace

Curvature World::Parts::curvatureAtRest() {
  Curvature out;
  lookAround();
  const SmallState still(*this);
  SmallMotions small(model(), still.elements, still.state);
  if (small.size() == 0 || small.size() > mostExamined) return out;
  out.examined = true;
  const Dense n = motionsLeft(small.held(), small.size());
  if (n.cols() == 0) return out;
  const Dense full = small.stiffness();
  const double noise =
      (small.exactness().differenced.empty() ? writtenNoise : differencedNoise) * full.cwiseAbs().maxCoeff();
  Dense k = n.transpose() * full * n, m = n.transpose() * small.mass() * n;
  k = (0.5 * (k + k.transpose())).eval();
  Dense metric = m;
  metric.diagonal().array() += leastMass * std::max(m.diagonal().maxCoeff(), 1e-30);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Dense> eigen(k, metric);
  if (eigen.info() != Eigen::Success) return Curvature{};
  double fastest = 0.0;
  for (int i = 0; i < eigen.eigenvalues().size(); ++i) {
    const Eigen::VectorXd phi = eigen.eigenvectors().col(i).normalized();
    const double bend = phi.dot(k * phi), mass = phi.dot(metric * phi), least = noise + standing * mass;
    if (bend > least) continue;
    const Eigen::VectorXd motion = n * phi;
    int most = 0;
    motion.cwiseAbs().maxCoeff(&most);
    const int v = small.free()[at(most)];
    const auto block = std::ranges::find_if(
        model().blocks, [&](const Block& b) { return b.free && v >= b.v && v < b.v + (b.rotates ? 6 : b.dof); });
    const std::string name = blockName(static_cast<int>(block - model().blocks.begin()));
    if (bend >= -least) {
      if (std::ranges::find(out.loose, name) == out.loose.end()) out.loose.push_back(name);
    } else if (-bend / mass > fastest) {
      fastest = -bend / mass;
      out.rate = std::sqrt(fastest);
      out.leaves = name;
      out.down.assign(state.v.size(), 0.0);
      for (int c = 0; c < small.size(); ++c) out.down[at(small.free()[at(c)])] = motion[c];
    }
  }
  return out;
}

/// Moves everything along, by so much where it moves most; it rests there.
Done World::Parts::nudge(std::span<const double> along, double most) {
  double largest = 0.0;
  for (const double x : along) largest = std::max(largest, std::fabs(x));
  Instant there;
  there.bind(model(), state);
  there.rewind();
  for (std::size_t i = 0; i < along.size(); ++i) there.u[i] = along[i] * most / largest;
  there.place(state.time, 0.0);
  State next = state;
  return take(there, next);
}

}  // namespace reeve
