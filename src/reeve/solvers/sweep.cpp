#include "reeve/solvers/sweep.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"

namespace reeve {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double largestTurn = 0.3;  // rad, of one body by one row
}  // namespace

void SweepSolver::predict(const State& past, double h) {
  const Vec3& gravity = model_->description.settings.gravity;
  now_.bind(*model_, past);
  now_.rewind();
  std::fill(forces_.force.begin(), forces_.force.end(), 0.0);
  forces_.damping.clear();
  for (const Element* e : elements_) e->forces(now_, forces_);
  std::fill(drag_.begin(), drag_.end(), 0.0);
  for (const Patch& p : forces_.damping.patches)
    for (int k = 0; p.a == p.b && k < model_->blocks[at(p.a)].dof; ++k)
      drag_[at(model_->blocks[at(p.a)].v + k)] += p.k(k, k);
  now_.prescribe(past.time + h);
  pHat_ = past.p;
  std::fill(spin_.begin(), spin_.end(), Vec3::Zero());
  for (const Spin& spin : model_->spins)
    spin_[at(spin.parent)] += spin.axis_B * past.p[at(model_->blocks[at(spin.rotor)].v)];
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    const Block& b = model_->blocks[i];
    if (!b.free) continue;
    const int linear = b.rotates ? 3 : b.dof;
    for (int k = 0; k < linear; ++k) {
      const double f = forces_.force[at(b.v + k)] + (b.weighs && k < 3 ? b.mass * gravity[k] : 0.0);
      // Drag is taken implicitly: f holds −d vₙ.
      const double d = drag_[at(b.v + k)];
      now_.u[at(b.v + k)] = h * (pHat_[at(b.v + k)] + h * (f + d * past.v[at(b.v + k)])) / (b.mass + h * d);
    }
    if (!b.rotates) continue;
    // I(θ) θ/h + (spin momentum, turned with the body) = L + h τ by Newton.
    const Quat start = now_.orientation(static_cast<int>(i));
    Vec3 wanted, theta, drag, omegaStart;
    for (int k = 0; k < 3; ++k) {
      wanted[k] = pHat_[at(b.v + 3 + k)] + h * forces_.force[at(b.v + 3 + k)];
      theta[k] = h * past.v[at(b.v + 3 + k)];
      drag[k] = drag_[at(b.v + 3 + k)];
      omegaStart[k] = past.v[at(b.v + 3 + k)];
    }
    for (int it = 0; it < 8; ++it) {
      const Mat3 r = (rotationExp(theta) * start).toRotationMatrix();
      const Mat3 inertia = r * b.inertia_B * r.transpose();
      const Vec3 omega = theta / h, spin = r * spin_[i];
      const Vec3 residual = inertia * omega + spin + h * drag.cwiseProduct(omega - omegaStart) - wanted;
      const Mat3 tangent = (inertia + h * Mat3(drag.asDiagonal())) * leftJacobianInverse(theta) / h +
                           inertia * skew(omega) - skew(inertia * omega + spin);
      const Vec3 change = -(tangent.inverse() * residual);
      theta += leftJacobianInverse(theta) * change;
      if (change.squaredNorm() < 1e-28) break;
    }
    for (int k = 0; k < 3; ++k) now_.u[at(b.v + 3 + k)] = theta[k];
  }
}

double SweepSolver::inverseMass(const Entry& e, double* spread) const {
  const Block& b = model_->blocks[at(e.block)];
  double w = 0.0;
  const int linear = b.rotates ? 3 : b.dof;
  for (int k = 0; k < linear; ++k) {
    spread[k] = e.j[k] / b.mass;
    w += e.j[k] * spread[k];
  }
  if (b.rotates) {
    const Vec3 j(e.j[3], e.j[4], e.j[5]);
    const Vec3 s = inverse_[at(e.block)] * j;
    for (int k = 0; k < 3; ++k) spread[3 + k] = s[k];
    w += j.dot(s);
  }
  return w;
}

void SweepSolver::visit(int r, double h) {
  const Row& row = rows_.rows[at(r)];
  const double s2 = h * h;
  double weight = 0.0, shift = 0.0;
  const int count = row.count;  // a hoist cable's row may name any number of bodies
  if (spread_.size() < at(count)) spread_.resize(at(count));
  auto& spread = spread_;
  for (int e = 0; e < count; ++e) {
    const Entry& entry = rows_.entries[at(row.first + e)];
    const Block& b = model_->blocks[at(entry.block)];
    if (!b.free) continue;
    weight += inverseMass(entry, spread[at(e)].data());
    for (int k = 0; k < b.dof; ++k) shift += entry.j[k] * moved_[at(b.v + k)];
  }
  const RowResidual q = rowResidual(row, rate_[at(r)], 1.0 / h, s2);
  weight += q.compliance;
  if (weight <= 0.0) return;
  double& force = before_.force[at(row.slot)];
  const double old = force;
  const double g = q.value + shift + q.compliance * s2 * old;
  force = old - g / (weight * s2);
  force = clampForce(row, before_.force);
  before_.mode[at(row.slot)] = force <= lowerBound(row, before_.force)   ? Mode::lower
                               : force >= upperBound(row, before_.force) ? Mode::upper
                                                                         : Mode::free;
  double dmu = (force - old) * s2;
  // A light body far from its row would be spun through more than the linearisation knows: take that part of the way.
  double turn = 0.0;
  for (int e = 0; e < count; ++e) {
    const Block& b = model_->blocks[at(rows_.entries[at(row.first + e)].block)];
    if (b.free && b.rotates)
      turn = std::max(turn, Vec3(spread[at(e)][3], spread[at(e)][4], spread[at(e)][5]).norm() * std::fabs(dmu));
  }
  if (turn > largestTurn) {
    dmu *= largestTurn / turn;
    force = old + dmu / s2;
  }
  for (int e = 0; e < count; ++e) {
    const Entry& entry = rows_.entries[at(row.first + e)];
    const Block& b = model_->blocks[at(entry.block)];
    if (!b.free) continue;
    for (int k = 0; k < b.dof; ++k) moved_[at(b.v + k)] += spread[at(e)][at(k)] * dmu;
  }
}

void SweepSolver::findClusters() {
  clusterOf_.assign(rows_.rows.size(), -1);
  lightCluster_.assign(model_->blocks.size(), -1);
  clusterCount_ = 0;
  for (auto& c : clusters_) c.clear();
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    for (int e = row.first; e < row.first + row.count; ++e) {
      const int block = rows_.entries[at(e)].block;
      if (!model_->blocks[at(block)].light) continue;
      const int mine = clusterOf_[r], theirs = lightCluster_[at(block)];
      if (mine >= 0 && theirs >= 0 && mine != theirs) {
        // Two clusters meet in this row: the later one joins the earlier.
        const int keep = std::min(mine, theirs), drop = std::max(mine, theirs);
        for (const int other : clusters_[at(drop)]) {
          clusterOf_[at(other)] = keep;
          clusters_[at(keep)].push_back(other);
        }
        clusters_[at(drop)].clear();
        for (int& c : lightCluster_)
          if (c == drop) c = keep;
        continue;
      }
      int cluster = mine >= 0 ? mine : theirs;
      if (cluster < 0) {
        cluster = clusterCount_++;
        if (clusters_.size() < at(clusterCount_)) clusters_.emplace_back();
      }
      if (mine < 0) {
        clusterOf_[r] = cluster;
        clusters_[at(cluster)].push_back(static_cast<int>(r));
      }
      lightCluster_[at(block)] = cluster;
    }
  }
  for (int c = 0; c < clusterCount_; ++c) std::sort(clusters_[at(c)].begin(), clusters_[at(c)].end());
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

void SweepSolver::visitCluster(std::span<const int> cluster, double h) {
  const int n = static_cast<int>(cluster.size());
  const double s2 = h * h;
  coupling_.assign(at(n * n), 0.0);
  error_.assign(at(n), 0.0);
  double spread[6];
  const auto placeOf = [&](int slot) {
    for (int i = 0; i < n; ++i)
      if (rows_.rows[at(cluster[at(i)])].slot == slot) return i;
    return -1;
  };
  for (int i = 0; i < n; ++i) {
    const Row& row = rows_.rows[at(cluster[at(i)])];
    const RowResidual q = rowResidual(row, rate_[at(cluster[at(i)])], 1.0 / h, s2);
    error_[at(i)] = q.value + q.compliance * s2 * before_.force[at(row.slot)];
    coupling_[at(i * n + i)] += q.compliance;
    for (int e = 0; e < row.count; ++e) {
      const Entry& entry = rows_.entries[at(row.first + e)];
      const Block& b = model_->blocks[at(entry.block)];
      if (!b.free) continue;
      inverseMass(entry, spread);
      for (int k = 0; k < b.dof; ++k) error_[at(i)] += entry.j[k] * moved_[at(b.v + k)];
      for (int j = 0; j < n; ++j) {
        const Row& other = rows_.rows[at(cluster[at(j)])];
        for (int f = other.first; f < other.first + other.count; ++f) {
          const Entry& o = rows_.entries[at(f)];
          if (o.block != entry.block) continue;
          for (int k = 0; k < b.dof; ++k) coupling_[at(i * n + j)] += spread[k] * o.j[k];
        }
      }
    }
  }
  // Active set on the small system: rows hold, or sit at a bound that may hang on another row of the cluster.
  for (int it = 0; it < 4 * n + 8; ++it) {
    dense_ = coupling_;
    change_.assign(at(n), 0.0);
    for (int i = 0; i < n; ++i) {
      const Row& row = rows_.rows[at(cluster[at(i)])];
      const Mode mode = row.bounded() ? before_.mode[at(row.slot)] : Mode::free;
      const bool pinned = row.bounded() && lowerBound(row, before_.force) >= upperBound(row, before_.force);
      if (mode == Mode::free && !pinned) {
        change_[at(i)] = -error_[at(i)];
        continue;
      }
      for (int j = 0; j < n; ++j) dense_[at(i * n + j)] = i == j ? 1.0 : 0.0;
      const bool low = mode == Mode::lower || pinned;
      const double bound = low ? lowerBound(row, before_.force) : upperBound(row, before_.force);
      const double gain = low ? row.lowerGain : row.upperGain;
      const int ref = placeOf(low ? row.lowerSlot : row.upperSlot);
      if (ref >= 0 && !pinned) dense_[at(i * n + ref)] -= gain;
      change_[at(i)] = s2 * (bound - before_.force[at(row.slot)]);
    }
    if (!solveDense(n)) return;
    for (int i = 0; i < n; ++i) before_.force[at(rows_.rows[at(cluster[at(i)])].slot)] += change_[at(i)] / s2;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) error_[at(i)] += coupling_[at(i * n + j)] * change_[at(j)];
    for (int i = 0; i < n; ++i) {
      const Row& row = rows_.rows[at(cluster[at(i)])];
      for (int e = 0; e < row.count; ++e) {
        const Entry& entry = rows_.entries[at(row.first + e)];
        const Block& b = model_->blocks[at(entry.block)];
        if (!b.free) continue;
        inverseMass(entry, spread);
        for (int k = 0; k < b.dof; ++k) moved_[at(b.v + k)] += spread[k] * change_[at(i)];
      }
    }
    int changes = 0;
    for (int i = 0; i < n; ++i) {
      const Row& row = rows_.rows[at(cluster[at(i)])];
      if (!row.bounded()) continue;
      Mode& mode = before_.mode[at(row.slot)];
      const double force = before_.force[at(row.slot)];
      const double lower = lowerBound(row, before_.force), upper = upperBound(row, before_.force);
      Mode wish = mode;
      if (lower >= upper) {
        wish = Mode::free;
      } else if (mode == Mode::free) {
        if (force < lower - 1e-9 * std::fabs(lower)) wish = Mode::lower;
        if (force > upper + 1e-9 * std::fabs(upper)) wish = Mode::upper;
      } else {
        if (mode == Mode::lower && error_[at(i)] < -1e-13) wish = Mode::free;
        if (mode == Mode::upper && error_[at(i)] > 1e-13) wish = Mode::free;
      }
      if (wish == mode || (it > 2 * n && changes > 0)) continue;
      mode = wish;
      ++changes;
    }
    if (changes == 0) return;
  }
}

/// Rows that began to hold in this step and have restitution send bodies back at e times the approach speed.
void SweepSolver::bounce(State& state, double h) {
  const double rest = 2.0 * h * model_->description.settings.gravity.norm();
  for (const Row& row : rows_.rows) {
    if (row.restitution <= 0.0 || row.level != Level::position || state.force[at(row.slot)] == 0.0) continue;
    const double approach = rowRate(rows_, row, model_->blocks, before_.v);
    const bool closing = (row.upper <= 0.0 && approach > rest) || (row.lower >= 0.0 && approach < -rest);
    if (!closing) continue;
    double weight = 0.0;
    double spread[8][6];
    for (int e = 0; e < row.count; ++e)
      if (model_->blocks[at(rows_.entries[at(row.first + e)].block)].free)
        weight += inverseMass(rows_.entries[at(row.first + e)], spread[e]);
    if (weight <= 0.0) continue;
    const double wanted = -row.restitution * approach,
                 impulse = (wanted - rowRate(rows_, row, model_->blocks, state.v)) / weight;
    for (int e = 0; e < row.count; ++e) {
      const Block& b = model_->blocks[at(rows_.entries[at(row.first + e)].block)];
      for (int k = 0; b.free && k < b.dof; ++k) state.v[at(b.v + k)] += spread[e][k] * impulse;
    }
  }
}

StepReport SweepSolver::step(const Model& model, Elements elements, State& state, double h,
                             std::vector<Notice>& notices) {
  const int asked = model.description.settings.iterations;
  return advance(model, elements, state, h, asked > 0 ? asked : 10, notices);
}

StepReport SweepSolver::advance(const Model& model, Elements elements, State& state, double h, int iterations,
                                std::vector<Notice>& notices) {
  model_ = &model;
  elements_ = elements;
  forces_.force.resize(state.v.size());
  drag_.resize(state.v.size());
  inverse_.resize(model.blocks.size());
  spin_.resize(model.blocks.size());
  StepReport report;
  before_ = state;
  predict(before_, h);
  std::fill(before_.force.begin(), before_.force.end(), 0.0);
  const Scheme s = Scheme::euler(h);
  moved_.assign(state.v.size(), 0.0);
  for (int it = 0; it < iterations; ++it) {
    now_.place(state.time + h, h);
    setVelocities(s, now_);
    now_.trial = before_.force;
    rows_.clear();
    for (const Element* e : elements_) e->rows(now_, rows_);
    if (rows_.rows.empty()) break;
    rate_.resize(rows_.rows.size());
    for (std::size_t r = 0; r < rows_.rows.size(); ++r) rate_[r] = rowRate(rows_, rows_.rows[r], model.blocks, now_.v);
    for (std::size_t i = 0; i < model.blocks.size(); ++i)
      if (model.blocks[i].free && model.blocks[i].rotates) {
        const Mat3& r = now_.rotation(static_cast<int>(i));
        inverse_[i] = r * model.blocks[i].inertia_B.inverse() * r.transpose();
      }
    std::fill(moved_.begin(), moved_.end(), 0.0);
    findClusters();
    for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
      const int cluster = clusterOf_[r];
      if (cluster < 0)
        visit(static_cast<int>(r), h);
      else if (clusters_[at(cluster)].front() == static_cast<int>(r))
        visitCluster(clusters_[at(cluster)], h);
    }
    for (const Block& b : model.blocks) {
      if (!b.free) continue;
      const int linear = b.rotates ? 3 : b.dof;
      for (int k = 0; k < linear; ++k) now_.u[at(b.v + k)] += moved_[at(b.v + k)];
      if (!b.rotates) continue;
      const Vec3 phi(moved_[at(b.v + 3)], moved_[at(b.v + 4)], moved_[at(b.v + 5)]);
      const Vec3 theta(now_.u[at(b.v + 3)], now_.u[at(b.v + 4)], now_.u[at(b.v + 5)]);
      const Vec3 turn = leftJacobianInverse(theta) * phi;
      for (int k = 0; k < 3; ++k) now_.u[at(b.v + 3 + k)] += turn[k];
    }
    ++report.iterations;
  }
  now_.place(state.time + h, h);
  setVelocities(s, now_);
  now_.trial = before_.force;
  state.force = before_.force;
  state.mode = before_.mode;
  for (const Element* e : elements_) e->finish(now_, state, notices);
  state.q = now_.q;
  state.v = now_.v;
  state.u = now_.u;
  state.time = now_.time;
  state.h = 0.0;  // no second-order history
  bounce(state, h);
  now_.v = state.v;
  momentum(now_, state.p);
  rows_.clear();
  for (const Element* e : elements_) e->rows(now_, rows_);
  findWorst(rows_, state.mode, report);
  report.residual = report.worstError;
  return report;
}

}  // namespace reeve
