#include "reeve/world/small_motions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/LU>
#include <Eigen/QR>

#include "reeve/math/rotation.h"
#include "reeve/model/kinetics.h"
#include "reeve/solvers/solver.h"

namespace reeve {

namespace {

constexpr int mostFree = 2000;
/// s: in a step as long as this a wave is as it hangs.
constexpr double hangTime = 1e4;

}  // namespace

SmallMotions::SmallMotions(const Model& model, std::span<const Element* const> elements, const State& state)
    : model_(model), elements_(elements), state_(state) {
  now_.bind(model, state);
  waves_.bind(model, state);
  waved_ = std::ranges::any_of(elements, [](const Element* e) { return e->layout().sheets > 0; });
  place(-1, 0.0);
  for (const Element* e : elements) e->rows(seenBy(*e), rows_);
  // Massless coordinates of links that the cable has not met take no part.
  std::vector<char> tied(model.blocks.size(), 0);
  for (const Entry& e : rows_.entries) tied[at(e.block)] = 1;
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    const Block& b = model.blocks[i];
    for (int k = 0; b.free && (!b.massless || tied[i] != 0) && k < b.dof; ++k) free_.push_back(b.v + k);
  }
  for (std::size_t r = 0; r < rows_.rows.size(); ++r)
    if (holds(rows_.rows[r]) && rows_.rows[r].compliance == 0.0) rigid_.push_back(static_cast<int>(r));
  gatherSoft();
}

Done SmallMotions::check() const {
  if (size() == 0) return wrong("state", "nothing in this scene can move", "give it something that can");
  if (size() > mostFree)
    return wrong("state", "there are " + std::to_string(size()) + " coordinates",
                 "dense matrices are for " + std::to_string(mostFree) + " at most");
  return {};
}

bool SmallMotions::holds(const Row& row) const {
  if (!row.bounded()) return true;
  const double lower = lowerBound(row, state_.force), upper = upperBound(row, state_.force);
  if (lower >= upper) return false;  // a given force, or friction under no load
  if (row.level == Level::velocity) return state_.mode[at(row.slot)] == Mode::free;
  const double force = state_.force[at(row.slot)];
  return force > lower && force < upper;
}

void SmallMotions::gatherSoft() {
  for (int g = 0; g < static_cast<int>(rows_.groups.size()); ++g)
    for (const Level level : {Level::position, Level::velocity}) {
      Soft soft;
      soft.level = level;
      const int first = rows_.groups[at(g)];
      for (int r = first; r < first + rows_.groupSize(g); ++r) {
        const Row& row = rows_.rows[at(r)];
        if (row.level == level && row.compliance > 0.0 && holds(row)) soft.rows.push_back(r);
      }
      const int n = static_cast<int>(soft.rows.size());
      if (n == 0) continue;
      Dense compliance = Dense::Zero(n, n);
      soft.gradient = Dense::Zero(n, size());
      soft.damping.resize(n);
      for (int i = 0; i < n; ++i) {
        const Row& row = rows_.rows[at(soft.rows[at(i)])];
        compliance(i, i) = row.compliance;
        soft.gradient.row(i) = gradient(rows_, row).transpose();
        soft.damping[i] = level == Level::velocity ? 1.0 : row.damping;
        for (const Cross& c : rows_.crosses)
          for (int k = 0; k < n; ++k)
            if ((c.a == soft.rows[at(i)] && c.b == soft.rows[at(k)]) ||
                (c.b == soft.rows[at(i)] && c.a == soft.rows[at(k)]))
              compliance(i, k) += c.compliance;
      }
      soft.inverse = compliance.inverse();
      soft_.push_back(std::move(soft));
    }
}

Dense SmallMotions::held() const {
  Dense j = Dense::Zero(static_cast<int>(rigid_.size()), size());
  for (std::size_t r = 0; r < rigid_.size(); ++r)
    j.row(static_cast<int>(r)) = gradient(rows_, rows_.rows[at(rigid_[r])]).transpose();
  return j;
}

Dense SmallMotions::mass() {
  place(-1, 0.0);
  Dense full = Dense::Zero(count(), count());
  for (std::size_t i = 0; i < model_.blocks.size(); ++i) {
    const Block& b = model_.blocks[i];
    for (int k = 0; k < (b.rotates ? 3 : b.dof); ++k) full(b.v + k, b.v + k) += b.mass;
    if (b.rotates) full.block<3, 3>(b.v + 3, b.v + 3) += worldInertia(now_, static_cast<int>(i));
  }
  PatchSet patches;
  for (const ElementMass* m : model_.masses) m->mass(now_, patches);
  add(patches, full);
  return pick(full);
}

Dense SmallMotions::damping() {
  place(-1, 0.0);
  forces_.force.assign(state_.v.size(), 0.0);
  forces_.damping.clear();
  for (const Element* e : elements_) e->forces(now_, forces_);
  Dense full = Dense::Zero(count(), count());
  add(forces_.damping, full);
  addGyroscopic(full);
  Dense d = pick(full);
  for (const Soft& s : soft_) d += s.gradient.transpose() * s.inverse * s.damping.asDiagonal() * s.gradient;
  return d;
}

void SmallMotions::addElastic(const Eigen::VectorXd& moved, const Eigen::VectorXd& speed,
                              std::span<double> force) const {
  for (const Soft& s : soft_) {
    Eigen::VectorXd error = s.damping.asDiagonal() * (s.gradient * speed);
    if (s.level == Level::position) error += s.law * moved;
    const Eigen::VectorXd change = -(s.inverse * error);
    for (std::size_t i = 0; i < s.rows.size(); ++i)
      force[at(rows_.rows[at(s.rows[i])].slot)] += change[static_cast<int>(i)];
  }
}

/// Of a body that turns, and of the wheels that spin on it: the change of ω × (I ω + Σ p a) with ω and with the spins.
void SmallMotions::addGyroscopic(Dense& full) const {
  for (std::size_t i = 0; i < model_.blocks.size(); ++i) {
    const Block& b = model_.blocks[i];
    if (!b.rotates || !b.free) continue;
    const Mat3 inertia = worldInertia(now_, static_cast<int>(i)),
               turning = skew(now_.angularVelocity(static_cast<int>(i)));
    full.block<3, 3>(b.v + 3, b.v + 3) += turning * inertia - skew(inertia * now_.angularVelocity(static_cast<int>(i)));
  }
  for (const Spin& spin : model_.spins) {
    const Block &parent = model_.blocks[at(spin.parent)], &rotor = model_.blocks[at(spin.rotor)];
    const Vec3 axis = now_.rotation(spin.parent) * spin.axis_B;
    full.block<3, 3>(parent.v + 3, parent.v + 3) -= skew(rotor.mass * now_.rate(spin.rotor) * axis);
    full.block<3, 1>(parent.v + 3, rotor.v) += rotor.mass * now_.angularVelocity(spin.parent).cross(axis);
  }
}

Eigen::VectorXd SmallMotions::gradient(const RowSet& rows, const Row& row) const {
  Eigen::VectorXd g = Eigen::VectorXd::Zero(size());
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = rows.entries[at(e)];
    const Block& b = model_.blocks[at(entry.block)];
    const auto first = std::lower_bound(free_.begin(), free_.end(), b.v);
    if (first == free_.end() || *first != b.v) continue;
    for (int k = 0; k < b.dof; ++k) g[static_cast<int>(first - free_.begin()) + k] += entry.j[k];
  }
  return g;
}

int SmallMotions::rowOf(int slot) const {
  for (std::size_t r = 0; r < rows_.rows.size(); ++r)
    if (rows_.rows[r].slot == slot) return static_cast<int>(r);
  return -1;
}

/// The instants with one coordinate moved; -1: with none.
void SmallMotions::place(int coordinate, double by) {
  put(now_, coordinate, by);
  now_.place(state_.time, 0.0);
  now_.v = state_.v;
  now_.touch();
  now_.evaluate();
  if (!waved_) return;
  put(waves_, coordinate, by);
  waves_.place(state_.time, hangTime);
  setVelocities(Scheme::euler(hangTime), waves_);
  waves_.evaluate();
}

void SmallMotions::put(Instant& now, int coordinate, double by) const {
  now.q = state_.q;
  std::fill(now.u.begin(), now.u.end(), 0.0);
  if (coordinate >= 0) now.u[at(coordinate)] = by;
  now.prescribe(state_.time);
}

void SmallMotions::add(const PatchSet& patches, Dense& full) const {
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

Dense SmallMotions::pick(const Dense& full) const {
  Dense out(size(), size());
  for (int r = 0; r < size(); ++r)
    for (int c = 0; c < size(); ++c) out(r, c) = full(free_[at(r)], free_[at(c)]);
  return out;
}

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
  t.numbers.reserve(static_cast<std::size_t>(m.size()));
  for (int r = 0; r < t.rows; ++r)
    for (int c = 0; c < t.columns; ++c) t.numbers.push_back(m(r, c));
  return t;
}

}  // namespace reeve
