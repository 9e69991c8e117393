#include "study_search.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace reeve::command {
namespace {

struct Corner {
  Point at;
  double value = std::numeric_limits<double>::infinity();
};

/// Equal ones keep their order, without the buffer of std::stable_sort, which clang calls deprecated in libstdc++ 12.
template <class T, class Less>
void insertionSort(std::vector<T>& list, Less less) {
  for (auto it = list.begin(); it != list.end(); ++it)
    std::rotate(std::upper_bound(list.begin(), it, *it, less), it, it + 1);
}

double widthOf(const std::vector<Corner>& simplex) {
  double width = 0.0;
  for (const Corner& corner : simplex)
    for (std::size_t k = 0; k < corner.at.size(); ++k)
      width = std::max(width, std::abs(corner.at[k] - simplex.front().at[k]));
  return width;
}

Point within(Point p) {
  for (double& x : p) x = std::clamp(x, 0.0, 1.0);
  return p;
}

}  // namespace

void nelderMead(const SearchOptions& options, const ValuesOf& valuesOf) {
  const std::size_t n = options.inputs;
  std::vector<Corner> simplex(n + 1, Corner{Point(n, 0.5)});
  for (std::size_t k = 0; k < n; ++k) simplex[k + 1].at[k] = 0.75;
  const auto evaluate = [&](std::size_t first) {
    std::vector<Point> points;
    for (std::size_t i = first; i < simplex.size(); ++i) points.push_back(simplex[i].at);
    const std::vector<double> values = valuesOf(points);
    if (values.size() < points.size()) return false;
    for (std::size_t i = 0; i < values.size(); ++i) simplex[first + i].value = values[i];
    return true;
  };
  const auto one = [&](Corner& corner) {
    const std::vector<double> value = valuesOf({corner.at});
    if (value.empty()) return false;
    corner.value = value[0];
    return true;
  };
  if (!evaluate(0)) return;
  while (true) {
    insertionSort(simplex, [](const Corner& a, const Corner& b) { return a.value < b.value; });
    if (widthOf(simplex) < options.width) return;
    Point center(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) center[k] += simplex[i].at[k] / static_cast<double>(n);
    const auto along = [&](double factor) {
      Corner corner{Point(n, 0.0)};
      for (std::size_t k = 0; k < n; ++k) corner.at[k] = center[k] + factor * (simplex[n].at[k] - center[k]);
      corner.at = within(std::move(corner.at));
      return corner;
    };
    Corner mirrored = along(-1.0);
    if (!one(mirrored)) return;
    if (mirrored.value < simplex[0].value) {
      Corner further = along(-2.0);
      if (!one(further)) return;
      simplex[n] = further.value < mirrored.value ? further : mirrored;
      continue;
    }
    if (mirrored.value < simplex[n - 1].value) {
      simplex[n] = mirrored;
      continue;
    }
    Corner inner = along(mirrored.value < simplex[n].value ? -0.5 : 0.5);
    if (!one(inner)) return;
    if (inner.value < std::min(mirrored.value, simplex[n].value)) {
      simplex[n] = inner;
      continue;
    }
    for (std::size_t i = 1; i <= n; ++i)
      for (std::size_t k = 0; k < n; ++k) simplex[i].at[k] = 0.5 * (simplex[i].at[k] + simplex[0].at[k]);
    if (!evaluate(1)) return;
  }
}

namespace {

/// Normal numbers from a counter (splitmix64; Box and Muller).
class Normals {
 public:
  explicit Normals(std::uint64_t seed) : at_(seed * 0x9e3779b97f4a7c15u) {}
  double next() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - share())), turn = 2.0 * std::numbers::pi * share();
    return radius * std::cos(turn);
  }

 private:
  double share() {
    std::uint64_t x = at_ += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
  }
  std::uint64_t at_;
};

/// Where a point beyond the box is looked for instead: mirrored at its faces.
double mirroredIn(double x) {
  x = std::abs(x - 2.0 * std::floor(x / 2.0));
  return x > 1.0 ? 2.0 - x : x;
}

}  // namespace

void cmaEs(const SearchOptions& options, const ValuesOf& valuesOf) {
  using Vector = Eigen::VectorXd;
  const auto dims = static_cast<Eigen::Index>(options.inputs);
  const double n = static_cast<double>(dims);
  const auto lambda = static_cast<std::size_t>(4 + std::floor(3 * std::log(n)));
  const std::size_t mu = lambda / 2;
  Vector weights(static_cast<Eigen::Index>(mu));
  for (std::size_t i = 0; i < mu; ++i)
    weights[static_cast<Eigen::Index>(i)] =
        std::log(static_cast<double>(lambda + 1) / 2) - std::log(static_cast<double>(i + 1));
  weights /= weights.sum();
  const double effective = 1.0 / weights.squaredNorm();
  const double cs = (effective + 2) / (n + effective + 5), cc = (4 + effective / n) / (n + 4 + 2 * effective / n);
  const double c1 = 2 / ((n + 1.3) * (n + 1.3) + effective);
  const double cmu = std::min(1 - c1, 2 * (effective - 2 + 1 / effective) / ((n + 2) * (n + 2) + effective));
  const double damping = 1 + 2 * std::max(0.0, std::sqrt((effective - 1) / (n + 1)) - 1) + cs;
  const double usual = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));  // mean length of a normal vector

  Vector mean = Vector::Constant(dims, 0.5), pathSigma = Vector::Zero(dims), pathC = Vector::Zero(dims);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Identity(dims, dims);
  double sigma = 0.3;
  Normals normals(options.seed);
  for (int generation = 1;; ++generation) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(covariance);
    const Vector scale = eigen.eigenvalues().cwiseMax(1e-20).cwiseSqrt();
    const Eigen::MatrixXd& axes = eigen.eigenvectors();
    if (sigma * scale.maxCoeff() < options.width) return;
    std::vector<Point> points(lambda, Point(options.inputs));
    std::vector<Vector> steps(lambda);
    for (std::size_t i = 0; i < lambda; ++i) {
      Vector z(dims);
      for (Eigen::Index k = 0; k < dims; ++k) z[k] = normals.next();
      steps[i] = axes * scale.cwiseProduct(z);
      for (Eigen::Index k = 0; k < dims; ++k) {
        const double x = mirroredIn(mean[k] + sigma * steps[i][k]);
        points[i][static_cast<std::size_t>(k)] = x;
        steps[i][k] = (x - mean[k]) / sigma;
      }
    }
    const std::vector<double> values = valuesOf(points);
    if (values.size() < lambda) return;
    std::vector<std::size_t> order(lambda);
    for (std::size_t i = 0; i < lambda; ++i) order[i] = i;
    insertionSort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    Vector step = Vector::Zero(dims);
    for (std::size_t i = 0; i < mu; ++i) step += weights[static_cast<Eigen::Index>(i)] * steps[order[i]];
    mean += sigma * step;
    pathSigma = (1 - cs) * pathSigma +
                std::sqrt(cs * (2 - cs) * effective) * (axes * (axes.transpose() * step).cwiseQuotient(scale));
    const double length = pathSigma.norm();
    const bool steady = length / std::sqrt(1 - std::pow(1 - cs, 2.0 * generation)) < (1.4 + 2 / (n + 1)) * usual;
    pathC = (1 - cc) * pathC;
    if (steady) pathC += std::sqrt(cc * (2 - cc) * effective) * step;
    Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(dims, dims);
    for (std::size_t i = 0; i < mu; ++i)
      spread += weights[static_cast<Eigen::Index>(i)] * steps[order[i]] * steps[order[i]].transpose();
    covariance = (1 - c1 - cmu) * covariance + c1 * (pathC * pathC.transpose()) + cmu * spread;
    if (!steady) covariance += c1 * cc * (2 - cc) * covariance;
    sigma *= std::exp(std::min(1.0, cs / damping * (length / usual - 1)));
  }
}

}  // namespace reeve::command
