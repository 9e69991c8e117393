#include "reeve/solvers/blocks.h"

#include <algorithm>
#include <cmath>

#include "reeve/model/kinetics.h"
#include "reeve/solvers/account.h"

namespace reeve {

namespace {
/// m or rad: a step whose rows ask for more than this after the last round has not converged.
constexpr double unsettledAsk = 1e-5;
/// A group's ropes settle within this many solves of it, or in the next round.
constexpr int mostSwitches = 8;

void copyRow(const RowSet& from, const Row& row, RowSet& to) {
  Row& copy = to.rows.emplace_back(row);
  copy.first = static_cast<int>(to.entries.size());
  for (int e = row.first; e < row.first + row.count; ++e) to.entries.push_back(from.entries[at(e)]);
}
}  // namespace

/// Whether an element is a group of its own: a cable with mass that no other rows touch.
bool BlocksSolver::own(std::size_t element) const {
  if (found_[element].groups.size() < 2) return false;
  for (const Entry& entry : found_[element].entries) {
    const Block& b = model_->blocks[at(entry.block)];
    if (b.free && !b.massless && user_[at(entry.block)] == static_cast<int>(element)) return true;
  }
  return false;
}

void BlocksSolver::gather(Elements elements) {
  bounded_.clear();
  rest_.rows.clear();
  used_ = 0;
  if (found_.size() < elements.size()) found_.resize(elements.size());
  user_.assign(model_->blocks.size(), -1);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    found_[i].clear();
    elements[i]->rows(now_, found_[i]);
    dampHolding(found_[i], now_);
    for (const Row& row : found_[i].rows)
      for (int e = row.first; row.softness == 0.0 && e < row.first + row.count; ++e) {
        int& user = user_[at(found_[i].entries[at(e)].block)];
        if (user != static_cast<int>(i)) user = user == -1 ? static_cast<int>(i) : -2;
      }
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const RowSet& found = found_[i];
    RowSet* target = &rest_.rows;
    if (own(i)) {
      if (used_ == cables_.size()) cables_.emplace_back();
      target = &cables_[used_++].rows;
      target->clear();
    }
    for (std::size_t g = 0; g < found.groups.size(); ++g) {
      const int first = found.groups[g], size = found.groupSize(static_cast<int>(g));
      bool opened = false;
      for (int r = first; r < first + size; ++r) {
        const Row& row = found.rows[at(r)];
        if (row.softness > 0.0) {  // contacts
          copyRow(found, row, bounded_);
          continue;
        }
        if (!opened) target->group();
        opened = true;
        copyRow(found, row, *target);
      }
    }
  }
}

/// What the forces of the step before do to the turning of single bodies: patches that turn one body and move nothing.
void BlocksSolver::feelLevers(Elements elements, const State& past) {
  levers_.assign(model_->blocks.size(), Mat3::Zero());
  patches_.clear();
  for (const Element* e : elements) e->stiffness(now_, past.force, patches_);
  for (const Patch& p : patches_.patches)
    if (p.a == p.b && model_->blocks[at(p.a)].rotates && p.k.topRows<3>().isZero(0.0))
      levers_[at(p.a)] += p.k.bottomRightCorner<3, 3>();
}

/// v = vₙ + h M⁻¹ (f − ω × I ω), prescribed blocks as they move in the middle of the step.
void BlocksSolver::freeMotion(Elements elements, const State& past, double h) {
  const Vec3& gravity = model_->description.settings.gravity;
  std::fill(forces_.force.begin(), forces_.force.end(), 0.0);
  forces_.damping.clear();
  for (const Element* e : elements) e->forces(now_, forces_);
  ahead_.bind(*model_, past);
  ahead_.rewind();
  ahead_.prescribe(past.time + 0.5 * h);
  v_ = past.v;
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    const Block& b = model_->blocks[i];
    if (!b.free) {
      for (int k = 0; k < b.dof; ++k) v_[at(b.v + k)] = ahead_.v[at(b.v + k)];
      continue;
    }
    const int linear = b.rotates ? 3 : b.dof;
    for (int k = 0; k < linear; ++k)
      v_[at(b.v + k)] += h * (forces_.force[at(b.v + k)] / b.mass + (b.weighs && k < 3 ? gravity[k] : 0.0));
    if (!b.rotates) continue;
    const int block = static_cast<int>(i);
    const Mat3 inertia = worldInertia(now_, block), stiff = h * levers_[i];
    rotations_[i] = inertia + h * stiff;
    inverse_[i] = rotations_[i].inverse();
    const Vec3 w = now_.angularVelocity(block);
    const Vec3 torque(forces_.force[at(b.v + 3)], forces_.force[at(b.v + 4)], forces_.force[at(b.v + 5)]);
    const Vec3 spin = inverse_[i] * (torque - w.cross(inertia * w) - stiff * w);
    for (int k = 0; k < 3; ++k) v_[at(b.v + 3 + k)] += h * spin[k];
  }
  // Wheels turned with their parent: −ω × (p a).
  for (const Spin& spin : model_->spins) {
    const Block& parent = model_->blocks[at(spin.parent)];
    const Vec3 wheel = now_.rotation(spin.parent) * spin.axis_B * past.p[at(model_->blocks[at(spin.rotor)].v)];
    const Vec3 turn = inverse_[at(spin.parent)] * now_.angularVelocity(spin.parent).cross(wheel);
    for (int k = 0; k < 3; ++k) v_[at(parent.v + 3 + k)] -= h * turn[k];
  }
}

double BlocksSolver::residual(const RowSet& set, const Row& row, double h, double& compliance) const {
  const double rate = rowRate(set, row, model_->blocks, v_), impulse = impulse_[at(row.slot)];
  if (row.level == Level::velocity) {
    compliance = row.compliance / h;
    return rate - row.speed + compliance * impulse;
  }
  compliance = row.compliance / (h * (h + row.damping));
  return rate + (row.error - row.damping * row.speed) / (h + row.damping) + compliance * impulse;
}

/// Where its bounds stand now, as an impulse.
double BlocksSolver::lowerImpulse(const Row& row, double h) const {
  return h * row.lower + (row.lowerSlot < 0 ? 0.0 : row.lowerGain * impulse_[at(row.lowerSlot)]);
}
double BlocksSolver::upperImpulse(const Row& row, double h) const {
  return h * row.upper + (row.upperSlot < 0 ? 0.0 : row.upperGain * impulse_[at(row.upperSlot)]);
}

/// The matrix of a group hangs on where things are at the start of the step, and on which rows hold: one factorisation
/// serves all rounds unless a rope comes taut or goes slack.
void BlocksSolver::factorGroup(Group& group, double h) {
  const std::size_t n = group.rows.rows.size();
  group.ready = false;
  if (n == 0) return;
  group.equations.assign(n, RowEquation{});
  group.change.assign(v_.size(), 0.0);
  group.multiplierChange.assign(n, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    const Row& row = group.rows.rows[r];
    residual(group.rows, row, h, group.equations[r].compliance);
    group.equations[r].holds =
        !row.bounded() || (mode_[at(row.slot)] == Mode::free && lowerImpulse(row, h) < upperImpulse(row, h));
  }
  group.system.bind(*model_);
  group.system.forget();
  group.system.prepare(group.rows, {});
  group.system.begin(true);
  group.system.addInertia(rotations_);
  group.system.addRows(group.rows, group.equations);
  group.ready = group.system.factor();
}

/// Sets the impulse of one row and moves what it holds.
void BlocksSolver::setImpulse(const RowSet& set, const Row& row, double wanted) {
  const double change = wanted - impulse_[at(row.slot)];
  if (change == 0.0) return;
  impulse_[at(row.slot)] = wanted;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = set.entries[at(e)];
    const Block& b = model_->blocks[at(entry.block)];
    if (!b.free) continue;
    const int linear = b.rotates ? 3 : b.dof;
    for (int k = 0; k < linear; ++k) v_[at(b.v + k)] += entry.j[k] / b.mass * change;
    if (!b.rotates) continue;
    const Vec3 turn = inverse_[at(entry.block)] * Vec3(entry.j[3], entry.j[4], entry.j[5]) * change;
    for (int k = 0; k < 3; ++k) v_[at(b.v + 3 + k)] += turn[k];
  }
}

/// Ropes that would push go slack, slack ones that would stretch come taut; true if any did.
bool BlocksSolver::switchModes(Group& group, double h) {
  bool changed = false;
  for (const Row& row : group.rows.rows) {
    if (!row.bounded()) continue;
    Mode& mode = mode_[at(row.slot)];
    const double lower = lowerImpulse(row, h), upper = upperImpulse(row, h);
    double compliance;
    const double asked = mode == Mode::free ? 0.0 : residual(group.rows, row, h, compliance);
    if (lower >= upper) {
      setImpulse(group.rows, row, lower);
    } else if (mode == Mode::free && (impulse_[at(row.slot)] < lower || impulse_[at(row.slot)] > upper)) {
      mode = impulse_[at(row.slot)] < lower ? Mode::lower : Mode::upper;
      setImpulse(group.rows, row, mode == Mode::lower ? lower : upper);
      changed = true;
    } else if ((mode == Mode::lower && asked < 0.0) || (mode == Mode::upper && asked > 0.0)) {
      mode = Mode::free;
      changed = true;
    } else if (mode != Mode::free) {
      setImpulse(group.rows, row, mode == Mode::lower ? lower : upper);
    }
  }
  return changed;
}

void BlocksSolver::solveGroup(Group& group, double h) {
  const std::size_t n = group.rows.rows.size();
  if (n == 0) return;
  for (int it = 0; it < mostSwitches; ++it) {
    if (!group.ready) factorGroup(group, h);
    if (!group.ready) return;
    for (std::size_t r = 0; r < n; ++r) {
      RowEquation& q = group.equations[r];
      if (q.holds) q.residual = residual(group.rows, group.rows.rows[r], h, q.compliance);
    }
    group.system.resolve(group.rows, group.equations, zero_, group.change, group.multiplierChange);
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] += group.change[i];
    for (std::size_t r = 0; r < n; ++r)
      if (group.equations[r].holds) impulse_[at(group.rows.rows[r].slot)] += group.multiplierChange[r];
    if (!switchModes(group, h)) return;
    group.ready = false;
  }
}

void BlocksSolver::visitBounded(double h) {
  for (const Row& row : bounded_.rows) {
    double compliance;
    const double g = residual(bounded_, row, h, compliance);
    double weight = compliance;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = bounded_.entries[at(e)];
      const Block& b = model_->blocks[at(entry.block)];
      if (!b.free) continue;
      const int linear = b.rotates ? 3 : b.dof;
      for (int k = 0; k < linear; ++k) weight += entry.j[k] * entry.j[k] / b.mass;
      const Vec3 turn(entry.j[3], entry.j[4], entry.j[5]);
      if (b.rotates) weight += turn.dot(inverse_[at(entry.block)] * turn);
    }
    if (weight <= 0.0) continue;
    const double lower = lowerImpulse(row, h), upper = std::max(lower, upperImpulse(row, h));
    setImpulse(bounded_, row, std::clamp(impulse_[at(row.slot)] - g / weight, lower, upper));
  }
}

void BlocksSolver::prepare(const Model& model, const State& state) {
  model_ = &model;
  before_ = state;
  rotations_.resize(model.blocks.size(), Mat3::Zero());
  inverse_.resize(model.blocks.size(), Mat3::Zero());
  forces_.force.resize(state.v.size());
  zero_.assign(state.v.size(), 0.0);
  impulse_.assign(state.force.size(), 0.0);
  mode_ = state.mode;
  now_.bind(model, before_);
  now_.rewind();
  now_.evaluate();
}

/// The impulses of the step before are the first guess.
void BlocksSolver::recall(const RowSet& set, double h) {
  for (const Row& row : set.rows)
    if (std::isfinite(before_.force[at(row.slot)])) setImpulse(set, row, h * before_.force[at(row.slot)]);
}

/// The most that a row still asks for, m or rad: at its bound only what it may resist.
double BlocksSolver::unmet(const RowSet& set, double h) const {
  double most = 0.0;
  for (const Row& row : set.rows) {
    const double lower = lowerImpulse(row, h), upper = upperImpulse(row, h), impulse = impulse_[at(row.slot)];
    if (lower >= upper) continue;
    double compliance;
    const double asked = h * residual(set, row, h, compliance);
    const bool content = (impulse <= lower && asked >= 0.0) || (impulse >= upper && asked <= 0.0);
    if (!content) most = std::max(most, std::fabs(asked));
  }
  return most;
}

double BlocksSolver::unmet(double h) const {
  double most = std::max(unmet(rest_.rows, h), unmet(bounded_, h));
  for (std::size_t g = 0; g < used_; ++g) most = std::max(most, unmet(cables_[g].rows, h));
  return most;
}

void BlocksSolver::accept(Elements elements, State& state, double h, Events& events) {
  for (std::size_t s = 0; s < impulse_.size(); ++s) state.force[s] = impulse_[s] / h;
  for (const Block& b : model_->blocks)
    for (int k = 0; b.free && k < b.dof; ++k) now_.u[at(b.v + k)] = h * v_[at(b.v + k)];
  now_.prescribe(before_.time + h);
  now_.place(before_.time + h, h);
  for (const Block& b : model_->blocks)
    for (int k = 0; b.free && k < b.dof; ++k) now_.v[at(b.v + k)] = v_[at(b.v + k)];
  now_.evaluate();
  state.mode = mode_;
  for (const Row& row : bounded_.rows) {
    const double force = state.force[at(row.slot)];
    state.mode[at(row.slot)] = force <= lowerBound(row, state.force)   ? Mode::lower
                               : force >= upperBound(row, state.force) ? Mode::upper
                                                                       : Mode::free;
  }
  scratch_.clear();
  for (const Element* e : elements) e->rows(now_, scratch_);
  book(doingsOf(scratch_, elements, now_, state.force, forces_), false, h, state.accounts);
  for (const Element* e : elements) e->finish(now_, state, events);
  state.pOld = state.p;
  state.q = now_.q;
  state.v = now_.v;
  state.u = now_.u;
  state.time = now_.time;
  state.h = 0.0;  // no history of second order
  momentum(now_, state.p);
}

StepReport BlocksSolver::step(const Model& model, Elements elements, State& state, double h, Events& events) {
  prepare(model, state);
  gather(elements);
  feelLevers(elements, before_);
  freeMotion(elements, before_, h);
  rest_.ready = false;
  for (std::size_t g = 0; g < used_; ++g) {
    cables_[g].ready = false;
    recall(cables_[g].rows, h);
  }
  recall(rest_.rows, h);
  recall(bounded_, h);
  StepReport report;
  const int asked = model.description.settings.iterations, rounds = asked > 0 ? asked : standardRounds;
  for (; report.iterations < rounds && !model.interrupted(); ++report.iterations) {
    for (std::size_t g = 0; g < used_; ++g) solveGroup(cables_[g], h);
    solveGroup(rest_, h);
    visitBounded(h);
  }
  report.converged = unmet(h) <= unsettledAsk;
  accept(elements, state, h, events);
  findWorst(scratch_, state.mode, report);
  report.residual = report.worstError;
  return report;
}

}  // namespace reeve
