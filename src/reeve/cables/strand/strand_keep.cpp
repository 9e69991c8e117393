// What a run of free nodes goes on with when one of them was put elsewhere.
//
// Places and material have changed by a corner that was cut and another that was made, so the velocities as they were
// fit neither the rows nor the kinetic energy. With x the velocities of the run's free nodes, all others as they were,
//     T(x) = ½ xᵀM x + bᵀx + const,     A x = a (segments keep their lengths),     B x = c (momentum and its moment).
// Let x₀ be where T is least under both, and d what the velocities as they were (g) have beyond that, as near as the
// rows allow:   M x₀ + b ∈ range(Aᵀ Bᵀ),   M (d − g) − b ∈ range(Aᵀ Bᵀ),   A d = 0,   B d = 0.
// Then T(x₀ + k d) = T(x₀) + ½ k² dᵀM d, and k makes it what it was. Both come from one factorisation of the chain's
// saddle-point matrix; the six rows of B from its Schur complement. Where the least energy under both is more than
// there was (a run that turns as one rigid thing has the least there can be), or k would be large, momentum is left to
// the supports, if there are any.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand.h"
#include "reeve/linear/block_factor.h"

namespace reeve {

namespace {

constexpr int momenta = 6;
/// A part of the momentum that the nodes move less than this share of the most is none they can keep.
constexpr double keepable = 1e-9;
/// What is scaled by more than this would be a motion of its own.
constexpr double mostScaling = 4.0;
/// Of the kinetic energy: below this it has been kept.
constexpr double keptShare = 1e-10;

/// Solves S y = r for a positive semidefinite S, largest pivots first; what has none is left out.
void solveSemidefinite(Eigen::Matrix<double, momenta, momenta> s, Eigen::Matrix<double, momenta, 1> r,
                       Eigen::Matrix<double, momenta, 1>& y) {
  bool done[momenta] = {};
  double most = 0.0;
  for (int i = 0; i < momenta; ++i) most = std::max(most, s(i, i));
  for (int round = 0; round < momenta; ++round) {
    int p = -1;
    for (int i = 0; i < momenta; ++i)
      if (!done[i] && (p < 0 || s(i, i) > s(p, p))) p = i;
    done[p] = true;
    if (!(s(p, p) > keepable * most)) {  // left out: its row says y = 0
      s.row(p).setZero();
      s.col(p).setZero();
      s(p, p) = 1.0;
      r[p] = 0.0;
      continue;
    }
    for (int i = 0; i < momenta; ++i) {
      if (i == p || s(i, p) == 0.0) continue;
      const double f = s(i, p) / s(p, p);
      s.row(i) -= f * s.row(p);
      s(i, p) = 0.0;
      r[i] -= f * r[p];
    }
  }
  for (int i = 0; i < momenta; ++i) y[i] = r[i] / s(i, i);
}

}  // namespace

/// The run as a problem in the velocities of its free nodes: mass, rows and momentum, and their solutions.
class Strand::RunProblem {
 public:
  RunProblem(const Strand& strand, const Page& page, const Run& run) : first_(run.begin) {
    for (int st = run.begin; st <= run.end; ++st) {
      unknown_.push_back(strand.freeNode(st) ? count_ : -1);
      count_ += strand.freeNode(st) ? 1 : 0;
    }
    center_ = 0.5 * (page.spans[at(run.begin)].x[0] + page.spans[at(run.end - 1)].x[1]);
    rows_ = strand.settings_.material.axial < unbounded ? 0 : run.end - run.begin;
    std::vector<int> sizes(at(count_), 3);
    sizes.resize(at(count_ + rows_), 1);
    matrix_.reset(sizes);
    std::vector<NodeKind> kinds(at(count_), NodeKind::coordinate);
    kinds.resize(at(count_ + rows_), NodeKind::row);
    push_.assign(at(3 * count_), 0.0);
    target_.assign(at(rows_), 0.0);
    for (auto& b : moment_) b.assign(at(3 * count_), 0.0);
    for (int k = run.begin; k < run.end; ++k) addSegment(strand, page.spans[at(k)], k);
    factor_.analyze(matrix_, kinds);
    usable_ = factor_.factor(matrix_, true);
  }

  bool usable() const { return usable_ && count_ > 0; }
  int size() const { return 3 * count_; }
  /// Where in x the velocity of a station is, −1: it is none of its unknowns.
  int place(int st) const {
    const int i = unknown_[at(st - first_)];
    return i < 0 ? -1 : 3 * i;
  }
  double kinetic(std::span<const double> x) const {
    double t = rest_ + dot(push_, x);
    std::vector<double> mx = timesMass(x);
    return t + 0.5 * dot(mx, x);
  }
  double twice(std::span<const double> d) const { return dot(timesMass(d), d); }
  /// x₀ and d of the velocities g, with momentum `kept`, or (null) with any.
  void split(std::span<const double> g, const RunMotion* kept, std::vector<double>& least,
             std::vector<double>& beyond) {
    std::vector<double> load = timesMass(g);
    for (std::size_t i = 0; i < load.size(); ++i) load[i] += push_[i];
    beyond = solve(load, false);
    for (std::size_t i = 0; i < load.size(); ++i) load[i] = -push_[i];
    least = solve(load, true);
    if (!kept) return;
    Eigen::Matrix<double, momenta, momenta> s;
    std::array<std::vector<double>, momenta> z;
    Eigen::Matrix<double, momenta, 1> missing, extra, y;
    for (int j = 0; j < momenta; ++j) z[at(j)] = solve(moment_[at(j)], false);
    const Vec3 about = kept->angular - center_.cross(kept->linear);
    for (int i = 0; i < momenta; ++i) {
      const auto& b = moment_[at(i)];
      for (int j = 0; j < momenta; ++j) s(i, j) = dot(b, z[at(j)]);
      missing[i] = (i < 3 ? kept->linear[i] : about[i - 3]) - known_[i] - dot(b, least);
      extra[i] = -dot(b, beyond);
    }
    s = (0.5 * (s + s.transpose())).eval();
    // Momentum and moment are compared as masses: metres are the run's own.
    Eigen::Matrix<double, momenta, 1> unit;
    const double size = std::max(size_, 1e-12);
    for (int i = 0; i < momenta; ++i) unit[i] = i < 3 ? 1.0 : 1.0 / size;
    s = (unit.asDiagonal() * s * unit.asDiagonal()).eval();
    const auto add = [&](const Eigen::Matrix<double, momenta, 1>& what, std::vector<double>& x) {
      solveSemidefinite(s, unit.cwiseProduct(what), y);
      for (int j = 0; j < momenta; ++j)
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += unit[j] * y[j] * z[at(j)][i];
    };
    add(missing, least);
    add(extra, beyond);
  }

 private:
  static double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  void addMass(int i, int j, double w) {
    double* v = matrix_.values(i == j ? matrix_.diagonal(i) : matrix_.couple(std::min(i, j), std::max(i, j)));
    for (int k = 0; k < 3; ++k) v[4 * k] += w;
  }
  void addSegment(const Strand& strand, const SpanNow& s, int k) {
    const double mass = strand.density_ * s.rest;
    const bool lumped = strand.settings_.lumped;
    size_ = std::max({size_, (s.x[0] - center_).norm(), (s.x[1] - center_).norm()});
    double rate = s.sRate[1] - s.sRate[0];
    for (int e = 0; e < 2; ++e) {
      const int here = unknown_[at(k + e - first_)], there = unknown_[at(k + 1 - e - first_)];
      const double own = lumped ? s.lump[at(e)] * mass : mass / 3.0, both = lumped ? 0.0 : mass / 6.0;
      const Vec3 arm = own * (s.x[at(e)] - center_) + both * (s.x[at(1 - e)] - center_);
      if (here < 0) {
        const Vec3 &m = s.m[at(e)], turn = arm.cross(m);
        for (int i = 0; i < 3; ++i) {
          known_[i] += (own + both) * m[i];
          known_[3 + i] += turn[i];
        }
        rest_ += 0.5 * own * m.squaredNorm() + (there < 0 && e == 0 ? both * m.dot(s.m[1]) : 0.0);
        rate -= s.pull[at(e)].dot(s.rate[at(e)]);
        continue;
      }
      addMass(here, here, own);
      if (there >= 0 && e == 0) addMass(here, there, both);
      for (int i = 0; i < 3; ++i) {
        if (there < 0) push_[at(3 * here + i)] += both * s.m[at(1 - e)][i];
        moment_[at(i)][at(3 * here + i)] += own + both;
        const Vec3 turn = arm.cross(Vec3(Vec3::Unit(i)));
        for (int j = 0; j < 3; ++j) moment_[at(3 + j)][at(3 * here + i)] += turn[j];
      }
    }
    if (rows_ == 0) return;
    const int row = count_ + k - first_;
    target_[at(k - first_)] = rate;
    for (int e = 0; e < 2; ++e) {
      const int here = unknown_[at(k + e - first_)];
      if (here < 0) continue;
      double* v = matrix_.values(matrix_.couple(here, row));
      for (int i = 0; i < 3; ++i) v[i] = -s.pull[at(e)][i];
    }
  }
  std::vector<double> timesMass(std::span<const double> x) const {
    std::vector<double> full(at(matrix_.rows()), 0.0), out(full.size()), bound(full.size());
    std::copy(x.begin(), x.end(), full.begin());
    matrix_.multiplySymmetric(full, out, bound);
    out.resize(x.size());
    return out;
  }
  /// M x − Aᵀλ = load, A x = target or 0.
  std::vector<double> solve(std::span<const double> load, bool targets) {
    std::vector<double> b(at(matrix_.rows()), 0.0), x(b.size(), 0.0);
    std::copy(load.begin(), load.end(), b.begin());
    for (int r = 0; targets && r < rows_; ++r) b[at(3 * count_ + r)] = -target_[at(r)];
    factor_.solve(matrix_, b, x);
    x.resize(load.size());
    return x;
  }

  int first_ = 0, count_ = 0, rows_ = 0;
  bool usable_ = false;
  std::vector<int> unknown_;  ///< by station of the run: which unknown, −1: its velocity is known
  Vec3 center_ = Vec3::Zero();
  double size_ = 0.0, rest_ = 0.0;
  std::vector<double> push_, target_;
  std::array<std::vector<double>, momenta> moment_;  ///< B
  std::array<double, momenta> known_{};              ///< what the others have of it
  BlockMatrix matrix_;
  BlockFactor factor_;
};

Strand::RunMotion Strand::runMotion(const Page& page, const Run& run) const {
  RunMotion out;
  for (int k = run.begin; k < run.end; ++k) {
    const SpanNow& s = page.spans[at(k)];
    const double mass = density_ * s.rest;
    const bool lumped = settings_.lumped;
    for (int e = 0; e < 2; ++e) {
      const double own = lumped ? s.lump[at(e)] * mass : mass / 3.0, both = lumped ? 0.0 : mass / 6.0;
      const Vec3 &m = s.m[at(e)], &other = s.m[at(1 - e)];
      out.kinetic += 0.5 * own * m.squaredNorm() + 0.5 * both * m.dot(other);
      out.linear += own * m + both * other;
      out.angular += s.x[at(e)].cross(own * m + both * other);
    }
  }
  return out;
}

/// Whether the end of a run is held by something that does not move freely.
bool Strand::holdsRun(const Instant& now, int st) const {
  const Node& n = node(station(st).index);
  return n.place == Place::point && !now.model().blocks[at(n.anchor.block)].free;
}

void Strand::keepMotion(const Instant& fresh, State& state, const Run& run, const RunMotion& before) const {
  RunProblem problem(*this, look(fresh), run);
  if (!problem.usable()) return;
  std::vector<double> g(at(problem.size())), least, beyond;
  const auto eachNode = [&](auto&& visit) {
    for (int st = run.begin; st <= run.end; ++st)
      if (const int i = problem.place(st); i >= 0)
        visit(at(i), at(fresh.model().blocks[at(node(station(st).index).block)].v));
  };
  eachNode(
      [&](std::size_t i, std::size_t v) { std::copy_n(state.v.begin() + static_cast<std::ptrdiff_t>(v), 3, &g[i]); });
  const bool supported = holdsRun(fresh, run.begin) || holdsRun(fresh, run.end);
  for (const RunMotion* kept : {&before, static_cast<const RunMotion*>(nullptr)}) {
    problem.split(g, kept, least, beyond);
    const double missing = before.kinetic - problem.kinetic(least), size = problem.twice(beyond);
    const double little = keptShare * before.kinetic;
    double times = size > 0.0 && missing > 0.0 ? std::sqrt(2.0 * missing / size) : 0.0;
    const bool exact = std::fabs(missing) <= little || (missing > 0.0 && size > little);
    if (kept && supported && (!exact || times > mostScaling)) continue;
    if (!exact) times = missing > 0.0 ? 1.0 : 0.0;
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = least[i] + times * beyond[i];
    break;
  }
  eachNode(
      [&](std::size_t i, std::size_t v) { std::copy_n(&g[i], 3, state.v.begin() + static_cast<std::ptrdiff_t>(v)); });
}

}  // namespace reeve
