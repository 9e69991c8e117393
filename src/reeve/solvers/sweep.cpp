#include "reeve/solvers/sweep.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"
#include "reeve/solvers/account.h"

namespace reeve {

namespace {
/// rad, of a body in a step, up to which corrections are composed exactly.
constexpr double largestLinearTurn = 2.5;
/// Without a number of sweeps a step takes up to this many, and ends when one moves less than this share of the first.
constexpr int mostSweeps = 50;
constexpr double settledShare = 1e-6;
/// A step has not converged if its last sweep still moves more than this share of the first, and this much, m or rad.
constexpr double unsettledShare = 1e-3, unsettledMove = 1e-6;

/// The same row without anything it could do.
Row silent(Row row) {
  row.count = 0;
  row.error = row.speed = row.compliance = row.damping = 0.0;
  return row;
}
}  // namespace

void SweepSolver::predict(const State& past, double h) {
  const Vec3& gravity = model_->description.settings.gravity;
  swept_ = 0;
  now_.bind(*model_, past);
  now_.rewind();
  now_.evaluate();
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
      mass_[at(b.v + k)] = b.mass + h * d;
      // What is next to massless has no momentum to go by: it goes where its rows take it.
      const double p = b.massless ? 0.0 : pHat_[at(b.v + k)];
      now_.u[at(b.v + k)] = h * (p + h * (f + d * past.v[at(b.v + k)])) / mass_[at(b.v + k)];
    }
    if (!b.rotates) continue;
    // I(θ) θ/h + (spin momentum, turned with the body) = L + h τ by Newton.
    const Quat start = now_.orientation(static_cast<int>(i));
    Vec3 wanted, theta, drag, omegaStart, pHat3;
    for (int k = 0; k < 3; ++k) {
      wanted[k] = pHat_[at(b.v + 3 + k)] + h * forces_.force[at(b.v + 3 + k)];
      theta[k] = h * past.v[at(b.v + 3 + k)];
      drag[k] = drag_[at(b.v + 3 + k)];
      omegaStart[k] = past.v[at(b.v + 3 + k)];
      pHat3[k] = pHat_[at(b.v + 3 + k)];
    }
    const Vec3 guess = theta;
    double last = 1.0;
    for (int it = 0; it < 8; ++it) {
      const Mat3 r = (rotationExp(theta) * start).toRotationMatrix();
      const Mat3 inertia = r * b.inertia_B * r.transpose();
      const Vec3 omega = theta / h, spin = r * spin_[i];
      const Vec3 residual = inertia * omega + spin + h * drag.cwiseProduct(omega - omegaStart) - wanted;
      const Mat3 tangent = (inertia + h * Mat3(drag.asDiagonal())) * leftJacobianInverse(theta) / h +
                           inertia * skew(omega) - skew(inertia * omega + spin);
      const Vec3 change = -(tangent.inverse() * residual);
      theta += leftJacobianInverse(theta) * change;
      last = change.squaredNorm();
      if (last < 1e-28) break;
    }
    // A body that turns by half a turn or more in a step need not have a solution near by: it spins on as it did.
    if (!(last < 1e-8)) {
      const Mat3& r = now_.rotation(static_cast<int>(i));
      theta = guess + h * (r * (b.inertia_B.inverse() * (r.transpose() * (wanted - pHat3))));
    }
    for (int k = 0; k < 3; ++k) now_.u[at(b.v + 3 + k)] = theta[k];
  }
}

double SweepSolver::inverseMass(const Entry& e, double* spread) const {
  const Block& b = model_->blocks[at(e.block)];
  double w = 0.0;
  const int linear = b.rotates ? 3 : b.dof;
  for (int k = 0; k < linear; ++k) {
    spread[k] = e.j[k] / mass_[at(b.v + k)];
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
  const int count = row.count;  // one tension may pull at any number of bodies
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

/// Rows that began to hold in this step and have restitution send bodies back at e times the approach speed.
void SweepSolver::bounce(State& state, double h) {
  const double rest = 2.0 * h * model_->description.settings.gravity.norm();
  for (const Row& row : rows_.rows) {
    if (row.restitution <= 0.0 || row.level != Level::position || state.force[at(row.slot)] == 0.0) continue;
    const double approach = rowRate(rows_, row, model_->blocks, before_.v);
    const bool closing = (row.upper <= 0.0 && approach > rest) || (row.lower >= 0.0 && approach < -rest);
    if (!closing) continue;
    double weight = 0.0;
    if (spread_.size() < at(row.count)) spread_.resize(at(row.count));
    auto& spread = spread_;
    for (int e = 0; e < row.count; ++e)
      if (model_->blocks[at(rows_.entries[at(row.first + e)].block)].free)
        weight += inverseMass(rows_.entries[at(row.first + e)], spread[at(e)].data());
    if (weight <= 0.0) continue;
    const double wanted = -row.restitution * approach,
                 impulse = (wanted - rowRate(rows_, row, model_->blocks, state.v)) / weight;
    const double was = rowRate(rows_, row, model_->blocks, state.v);
    state.accounts.done[static_cast<std::size_t>(Work::impacts)] += 0.5 * impulse * (was + wanted);
    for (int e = 0; e < row.count; ++e) {
      const Block& b = model_->blocks[at(rows_.entries[at(row.first + e)].block)];
      for (int k = 0; b.free && k < b.dof; ++k) state.v[at(b.v + k)] += spread[at(e)][at(k)] * impulse;
    }
  }
}

/// Rows, their rates and the world inertias where everything is now.
void SweepSolver::evaluateRows(double h) {
  rows_.clear();
  for (const Element* e : elements_) e->rows(now_, rows_);
  dampHolding(rows_, now_);
  rate_.resize(rows_.rows.size());
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) rate_[r] = rowRate(rows_, rows_.rows[r], model_->blocks, now_.v);
  for (std::size_t i = 0; i < model_->blocks.size(); ++i)
    if (model_->blocks[i].free && model_->blocks[i].rotates) {
      const Block& b = model_->blocks[i];
      const Mat3& r = now_.rotation(static_cast<int>(i));
      const Vec3 drag(drag_[at(b.v + 3)], drag_[at(b.v + 4)], drag_[at(b.v + 5)]);
      if (drag.isZero(0.0))
        inverse_[i] = r * b.inertia_B.inverse() * r.transpose();
      else
        inverse_[i] = (r * b.inertia_B * r.transpose() + h * Mat3(drag.asDiagonal())).inverse();
    }
}

void SweepSolver::applyMoves() {
  for (const Block& b : model_->blocks) {
    if (!b.free) continue;
    const int linear = b.rotates ? 3 : b.dof;
    for (int k = 0; k < linear; ++k) now_.u[at(b.v + k)] += moved_[at(b.v + k)];
    if (!b.rotates) continue;
    const Vec3 phi(moved_[at(b.v + 3)], moved_[at(b.v + 4)], moved_[at(b.v + 5)]);
    const Vec3 theta(now_.u[at(b.v + 3)], now_.u[at(b.v + 4)], now_.u[at(b.v + 5)]);
    // Towards a whole turn in a step the Jacobian has no bounds; the rows are looked at again, so a plain sum will do.
    const Vec3 turn = theta.norm() < largestLinearTurn ? Vec3(leftJacobianInverse(theta) * phi) : phi;
    for (int k = 0; k < 3; ++k) now_.u[at(b.v + 3 + k)] += turn[k];
  }
}

/// Every part where its first row stands.
void SweepSolver::visitAll(double h) {
  for (int r = 0; r < static_cast<int>(rows_.rows.size()); ++r) {
    const int first = partStart_[at(r)], size = partStart_[at(r + 1)] - first;
    if (size == 1)
      visit(r, h);
    else if (size > 1)
      visitPart(std::span<const int>(partRows_).subspan(at(first), at(size)), h);
  }
}

/// Sweeps from where now_ is until they have settled, or the given number of them. `onlyHolding`: rows that are slack
/// stay so.
void SweepSolver::sweeps(const State& past, double h, int iterations, bool onlyHolding, int& done) {
  const Scheme s = Scheme::euler(h);
  moved_.assign(past.v.size(), 0.0);
  double first = 0.0;
  unsettled_ = false;
  for (int it = 0; it < iterations && !model_->interrupted(); ++it) {
    now_.place(past.time + h, h);
    setVelocities(s, now_);
    now_.trial = before_.force;
    now_.evaluate();
    evaluateRows(h);
    if (rows_.rows.empty()) break;
    if (onlyHolding)
      for (Row& row : rows_.rows)
        if (row.level == Level::position && row.bounded() && row.softness == 0.0 &&
            past.mode[at(row.slot)] != Mode::free)
          row = silent(row);
    std::fill(moved_.begin(), moved_.end(), 0.0);
    findParts();
    visitAll(h);
    applyMoves();
    ++done;
    double largest = 0.0;
    for (const double m : moved_) largest = std::max(largest, std::fabs(m));
    if (it == 0) first = largest;
    unsettled_ = largest > std::max(unsettledShare * first, unsettledMove);
    if (settles_ && largest <= std::max(settledShare * first, model_->description.settings.tolerance)) break;
  }
}

StepReport SweepSolver::step(const Model& model, Elements elements, State& state, double h, Events& events) {
  const int asked = model.description.settings.iterations;
  settles_ = asked == 0;
  return advance(model, elements, state, h, settles_ ? mostSweeps : asked, events);
}

StepReport SweepSolver::advance(const Model& model, Elements elements, State& state, double h, int iterations,
                                Events& events) {
  model_ = &model;
  elements_ = elements;
  forces_.force.resize(state.v.size());
  drag_.resize(state.v.size());
  mass_.resize(state.v.size());
  inverse_.resize(model.blocks.size());
  spin_.resize(model.blocks.size());
  blockPlace_.assign(model.blocks.size(), -1);
  StepReport report;
  before_ = state;
  predict(before_, h);
  std::fill(before_.force.begin(), before_.force.end(), 0.0);
  const Scheme s = Scheme::euler(h);
  sweeps(before_, h, iterations, false, report.iterations);
  report.converged = !unsettled_;
  const bool jump = jumped(state, h);
  now_.place(state.time + h, h);
  setVelocities(s, now_);
  now_.trial = before_.force;
  now_.evaluate();
  state.force = before_.force;
  state.mode = before_.mode;
  const Accounts accounts = state.accounts;
  book(doingsOf(rows_, elements_, now_, state.force, forces_), false, h, state.accounts);
  bookCatches(rows_, model, state.force, before_.v, now_.v, h, state.accounts);
  for (const Element* e : elements_) e->finish(now_, state, events);
  state.q = now_.q;
  state.v = now_.v;
  state.u = now_.u;
  state.time = now_.time;
  state.h = 0.0;  // no second-order history
  if (jump)
    state.accounts = accounts, velocitySweeps(state, h, iterations);
  else
    bounce(state, h);
  now_.v = state.v;
  now_.touch();
  now_.evaluate();
  momentum(now_, state.p);
  if (jump) goOn(state, h, iterations, state.force);
  rows_.clear();
  for (const Element* e : elements_) e->rows(now_, rows_);
  findWorst(rows_, state.mode, report);
  report.residual = report.worstError;
  return report;
}

}  // namespace reeve
