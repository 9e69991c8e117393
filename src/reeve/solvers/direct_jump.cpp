// What happens at a jump: velocities after it, accelerations, and a ghost history to go on with.
#include "reeve/solvers/direct.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"

namespace reeve {

namespace {

/// Of a loose coordinate: spans that stretch pull at it.
constexpr char pulled = 2;

/// A damper between bodies that are struck: what it makes of the new velocities is over before the step is, so it is
/// solved for and not read off them, however soft it is.
bool damps(const Row& row) { return row.level == Level::position && row.damping > 0.0; }

/// What a row with some give pulls with where it is and as fast as it goes.
double softForce(const Row& row, double rate) {
  return std::clamp(-(row.error + row.damping * (rate - row.speed)) / row.compliance, row.lower, row.upper);
}

/// How fast weight and other forces alone would change a row's rate, m/s².
double forcedRate(const RowSet& rows, const Row& row, const Model& model, std::span<const double> force,
                  std::span<const Mat3> inertia) {
  double rate = 0.0;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = rows.entries[at(e)];
    const Block& b = model.blocks[at(entry.block)];
    if (!b.free || b.massless || !(b.mass > 0.0)) continue;
    for (int k = 0; k < (b.rotates ? 3 : b.dof); ++k) {
      rate += entry.j[k] * force[at(b.v + k)] / b.mass;
      if (b.weighs && k < 3) rate += entry.j[k] * model.description.settings.gravity[k];
    }
    if (!b.rotates) continue;
    const Vec3 torque(force[at(b.v + 3)], force[at(b.v + 4)], force[at(b.v + 5)]);
    rate += Vec3(entry.j[3], entry.j[4], entry.j[5]).dot(inertia[at(entry.block)].inverse() * torque);
  }
  return rate;
}

/// The speed of the blow of what came at this speed and has gone so far since: v² = v₀² + 2 a s. Where it now is, that
/// speed has the energy that there was before.
double strikingSpeed(double approach, double acceleration, double way) {
  return std::copysign(std::sqrt(std::max(0.0, approach * approach + 2.0 * acceleration * way)), approach);
}

/// m/s and m/s²: by how much a cone may give way.
constexpr int wholeLooks = 6;
constexpr double sinkSpeed = 1e-4, sinkAcceleration = 1e-2;
/// A damper that takes more than its speed in a step would leave a history that flings what it holds.
constexpr double flings = 1.0;

}  // namespace

void DirectSolver::rowsAt(const State& state, double shift, RowSet& out) {
  // Positions moved along the present velocity; velocities stay those of the instant itself.
  now_.bind(*model_, state);
  now_.q = state.q;
  for (std::size_t i = 0; i < now_.u.size(); ++i) now_.u[i] = shift * state.v[i];
  now_.prescribe(state.time + shift);
  now_.place(state.time + shift, shift);
  now_.v = state.v;
  now_.touch();
  now_.evaluate();
  out.clear();
  for (const Element* e : elements_) e->rows(now_, out);
}

double DirectSolver::linearLower(std::size_t r) const {
  const Row& row = rows_.rows[r];
  return linear_[r].lower + (row.lowerSlot < 0 ? 0.0 : row.lowerGain * total_[at(row.lowerSlot)]);
}

double DirectSolver::linearUpper(std::size_t r) const {
  const Row& row = rows_.rows[r];
  return linear_[r].upper + (row.upperSlot < 0 ? 0.0 : row.upperGain * total_[at(row.upperSlot)]);
}

/// Adds the mass that elements have shown, times x, to what is free.
void DirectSolver::addMass(std::span<const double> x, double scale, std::span<double> out) const {
  for (const Patch& p : mass_.patches) {
    const Block &a = model_->blocks[at(p.a)], &b = model_->blocks[at(p.b)];
    for (int r = 0; r < a.dof; ++r)
      for (int c = 0; c < b.dof; ++c) {
        if (a.free) out[at(a.v + r)] += scale * p.k(r, c) * x[at(b.v + c)];
        if (b.free && p.a != p.b) out[at(b.v + c)] += scale * p.k(r, c) * x[at(a.v + r)];
      }
  }
  for (const Column& c : mass_.columns) {
    const Block &a = model_->blocks[at(c.a)], &b = model_->blocks[at(c.b)];
    for (int r = 0; r < a.dof; ++r) {
      if (a.free) out[at(a.v + r)] += scale * c.k[r] * x[at(b.v)];
      if (b.free && c.a != c.b) out[at(b.v)] += scale * c.k[r] * x[at(a.v + r)];
    }
  }
}

bool DirectSolver::linearSolve(std::span<const double> rhs, std::span<double> x, double limit) {
  // M x − JᵀΛ = rhs, J x + e Λ = target within bounds; Λ by slot in total_.
  std::fill(x.begin(), x.end(), 0.0);
  std::fill(change_.begin(), change_.end(), 0.0);  // the solve writes free blocks only; what else is in it is old
  // What the free blocks would do without rows is the scale of rounding where rows hold them back, or nearly do.
  double scale = 0.0, before = 0.0;
  for (const Block& b : model_->blocks)
    for (int k = 0; b.free && !b.massless && b.mass > 0.0 && k < (b.rotates ? 3 : b.dof); ++k)
      scale = std::max(scale, std::fabs(rhs[at(b.v + k)]) / b.mass);
  split(rows_);
  fresh_ = true;
  bool settled = false, quiet = false;  // quiet: no row changes its mode
  double share = 1.0;
  for (int it = 0; it < (cones_.empty() ? 60 : 120); ++it) {
    if (model_->interrupted()) return false;
    pressed_.clear();
    if (!cones_.empty()) {
      layCones(x, limit);
      bool enough = false;
      cones_.respond(!fresh_ && !cones_.searches());
      if (cones_.searches()) {
        enough = cones_.pass(before, 0.1 * limit) && quiet;
      } else if (it == wholeLooks || (fresh_ && cones_.many())) {
        if (!fresh_) std::fill(x.begin(), x.end(), 0.0);
        layCones(x, limit);
        cones_.beginPasses();
        cones_.respond(false);
      }
      fresh_ = false;
      cones_.write(rows_, 1.0, total_, mode_);
      if (enough && !cones_.tighten(limit)) return true;
      cones_.stiffness(rows_, model_->blocks, pressed_);
    }
    const PatchSet* sets[] = {&none_, &none_, &mass_, &pressed_};
    system_.prepare(held(), sets);
    for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] = -rhs[i];
    for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
      const Block& b = model_->blocks[i];
      if (!b.free) {  // what a strand lays on a body that does not move is no equation
        for (int k = 0; k < b.dof; ++k) residual_[at(b.v + k)] = 0.0;
        continue;
      }
      const int linear = b.rotates ? 3 : b.dof;
      for (int k = 0; k < linear; ++k) residual_[at(b.v + k)] += b.mass * x[at(b.v + k)];
      if (!b.rotates) continue;
      const Vec3 w(x[at(b.v + 3)], x[at(b.v + 4)], x[at(b.v + 5)]);
      const Vec3 l = rotations_[i] * w;
      for (int k = 0; k < 3; ++k) residual_[at(b.v + 3 + k)] += l[k];
    }
    addMass(x, 1.0, residual_);
    applyRows(total_, -1.0, residual_);
    bool symmetric = true;
    equations_.assign(held().rows.size(), RowEquation{});
    for (std::size_t r = 0; r < equations_.size(); ++r) {
      const Row& row = rows_.rows[r];
      RowEquation& q = equations_[r];
      if (!linear_[r].used) {
        q.holds = false;
        continue;
      }
      q.compliance = linear_[r].compliance + row.softness * system_.mobility(rows_, row);
      const Mode mode = row.bounded() ? mode_[at(row.slot)] : Mode::free;
      if (row.bounded() && linearLower(r) >= linearUpper(r)) {
        q.holds = false;
        continue;
      }
      if (mode == Mode::free) {
        q.residual = rowRate(rows_, row, model_->blocks, x) - linear_[r].target + q.compliance * total_[at(row.slot)];
        continue;
      }
      q.holds = false;
      const int slot = mode == Mode::lower ? row.lowerSlot : row.upperSlot;
      q.gain = mode == Mode::lower ? row.lowerGain : row.upperGain;
      if (slot < 0 || q.gain == 0.0) continue;
      q.coupled = system_.rowOfSlot(slot);
      if (q.coupled < 0) continue;
      q.residual = total_[at(row.slot)] - q.gain * total_[at(slot)] -
                   (mode == Mode::lower ? linear_[r].lower : linear_[r].upper);
      symmetric = false;
    }
    system_.begin(symmetric);
    system_.addInertia(rotations_);
    system_.addPatches(2, mass_, 1.0);
    system_.addPatches(3, pressed_, 1.0);
    system_.addRows(held(), equations_);
    multiplierChange_.resize(equations_.size());
    if (!system_.solve(held(), equations_, residual_, change_, multiplierChange_)) return false;
    share = cones_.empty() ? 1.0 : coneStep();
    double largest = 0.0, moved = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += share * change_[i];
      largest = std::max(largest, std::fabs(x[i]));
      moved = std::max(moved, std::fabs(change_[i]));
    }
    for (std::size_t r = 0; r < equations_.size(); ++r) total_[at(rows_.rows[r].slot)] += share * multiplierChange_[r];
    int changes = 0;
    for (std::size_t r = 0; r < equations_.size(); ++r) {
      const Row& row = rows_.rows[r];
      if (!linear_[r].used || linear_[r].pinned || !row.bounded()) continue;
      Mode& mode = mode_[at(row.slot)];
      double& impulse = total_[at(row.slot)];
      const double lower = linearLower(r), upper = linearUpper(r);
      Mode wish = mode;
      if (lower >= upper) {
        wish = mode = Mode::free;
        impulse = lower;
      } else if (mode == Mode::free) {
        if (impulse < lower - 1e-9 * std::fabs(lower) - negligible_) wish = Mode::lower;
        if (impulse > upper + 1e-9 * std::fabs(upper) + negligible_) wish = Mode::upper;
      } else {
        const double g =
            rowRate(rows_, row, model_->blocks, x) - linear_[r].target + equations_[r].compliance * impulse;
        if (mode == Mode::lower && (g < -1e-11 || lower == -unbounded)) wish = Mode::free;
        if (mode == Mode::upper && (g > 1e-11 || upper == unbounded)) wish = Mode::free;
      }
      if (wish != mode && (it <= 12 || changes == 0)) {
        mode = wish;
        ++changes;
      }
      if (mode == Mode::lower && row.lowerGain == 0.0) impulse = lower;
      if (mode == Mode::upper && row.upperGain == 0.0) impulse = upper;
    }
    if (!std::isfinite(moved)) return false;
    largest = std::max(largest, scale);
    // It only stirs in its rounding, which ten thousand wheels in a row amplify.
    const bool stirs = it > 0 && moved <= 1e-9 * largest && moved > 0.1 * before;
    settled = changes == 0 && (moved <= 1e-12 * largest || stirs);
    before = moved;
    quiet = changes == 0;
    if (!settled) continue;
    if (cones_.empty()) return true;
    if (cones_.searches()) continue;
    layCones(x, limit);
    const double follows = cones_.respond(true);
    cones_.write(rows_, 1.0, total_, mode_);
    if (follows <= 1e-9 * largest && !cones_.tighten(limit)) return true;
  }
  return false;
}

/// Forces and mass of the elements at the instant in now_.
void DirectSolver::gather() {
  mass_.clear();
  forces_.damping.clear();
  std::fill(forces_.force.begin(), forces_.force.end(), 0.0);
  for (const Element* e : elements_) e->forces(now_, forces_);
  for (const ElementMass* m : model_->masses) m->mass(now_, mass_);
}

/// Material that slides between spans that stretch goes as fast as it did, and between slack ones it rests: their
/// forces are known, and what they do not balance to the last digit would fling what has no mass.
void DirectSolver::setLooseAside(const State& state, double scale) {
  loose_.assign(model_->blocks.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < loose_.size(); ++i) any |= (loose_[i] = model_->blocks[i].massless ? 1 : 0) != 0;
  if (!any) return;
  const auto each = [&](const Row& row, auto&& visit) {
    for (int e = row.first; e < row.first + row.count; ++e) visit(rows_.entries[at(e)]);
  };
  for (std::size_t r = 0; r < rows_.rows.size(); ++r)
    if (linear_[r].used && rows_.rows[r].level == Level::position)
      each(rows_.rows[r], [&](const Entry& e) { loose_[at(e.block)] = 0; });
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    if (row.level != Level::velocity) continue;
    bool loose = false;
    each(row, [&](const Entry& e) { loose = loose || loose_[at(e.block)] != 0; });
    if (!loose) continue;
    linear_[r].used = false;
    total_[at(row.slot)] = scale * state.force[at(row.slot)];
  }
  for (std::size_t i = 0; i < loose_.size(); ++i)
    for (int k = 0; loose_[i] != 0 && k < model_->blocks[i].dof; ++k) rhs_[at(model_->blocks[i].v + k)] = 0.0;
  for (const Row& row : rows_.rows)
    each(row, [&](const Entry& e) {
      const Block& b = model_->blocks[at(e.block)];
      for (int k = 0; loose_[at(e.block)] != 0 && k < b.dof; ++k) rhs_[at(b.v + k)] -= e.j[k] * total_[at(row.slot)];
      if (loose_[at(e.block)] != 0 && state.force[at(row.slot)] != 0.0) loose_[at(e.block)] = pulled;
    });
}

void DirectSolver::velocitySolve(State& state, const State& before, double h, bool impact) {
  // At the positions just reached. The unknown is v⁺; momentum before and the forces of the step are known.
  rowsAt(state, 0.0, rows_);
  rotations_.resize(model_->blocks.size());
  gather();
  for (std::size_t i = 0; i < model_->blocks.size(); ++i)
    if (model_->blocks[i].rotates && model_->blocks[i].free) rotations_[i] = worldInertia(now_, static_cast<int>(i));

  for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] = before.p[i];
  if (!model_->hasElementMass) addMass(before.v, 1.0, rhs_);  // of cables that keep their own momentum
  spin_.find(*model_, rows_, state.mode, state.force, state);
  spin_.jump(now_, before, rhs_);
  for (const Spin& spin : model_->spins) {
    const double hat = before.p[at(model_->blocks[at(spin.rotor)].v)];
    const Vec3 l = now_.rotation(spin.parent) * spin.axis_B * hat;
    for (int k = 0; k < 3; ++k) rhs_[at(model_->blocks[at(spin.parent)].v + 3 + k)] -= l[k];
  }
  // What prescribed blocks contribute to the momentum of the free ones through carried mass is known.
  for (const Patch& p : mass_.patches) {
    const Block &a = model_->blocks[at(p.a)], &b = model_->blocks[at(p.b)];
    for (int r = 0; r < a.dof; ++r)
      for (int c = 0; c < b.dof; ++c) {
        if (a.free && !b.free) rhs_[at(a.v + r)] -= p.k(r, c) * state.v[at(b.v + c)];
        if (b.free && !a.free) rhs_[at(b.v + c)] -= p.k(r, c) * state.v[at(a.v + r)];
      }
  }
  for (const Column& c : mass_.columns) {
    const Block &a = model_->blocks[at(c.a)], &b = model_->blocks[at(c.b)];
    for (int r = 0; r < a.dof; ++r) {
      if (a.free && !b.free) rhs_[at(a.v + r)] -= c.k[r] * state.v[at(b.v)];
      if (b.free && !a.free) rhs_[at(b.v)] -= c.k[r] * state.v[at(a.v + r)];
    }
  }
  if (impact && model_->hasElementMass) {
    carriedMomentum(now_, carried_);
    addCarriedTurn(now_, carried_, h, rhs_);
  }
  if (impact)
    for (const Block& b : model_->blocks) {
      if (!b.free) continue;
      for (int k = 0; k < b.dof; ++k) {
        double f = forces_.force[at(b.v + k)];
        if (b.weighs && k < 3) f += b.mass * model_->description.settings.gravity[k];
        rhs_[at(b.v + k)] += h * f;
      }
    }
  mode_ = state.mode;
  total_.assign(state.force.size(), 0.0);
  linear_.assign(rows_.rows.size(), LinearRow{});
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    LinearRow& l = linear_[r];
    const Mode mode = row.bounded() ? mode_[at(row.slot)] : Mode::free;
    double known = 0.0;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = rows_.entries[at(e)];
      const Block& b = model_->blocks[at(entry.block)];
      for (int k = 0; k < b.dof; ++k) {
        if (!b.free) known += entry.j[k] * state.v[at(b.v + k)];
      }
    }
    // Free blocks only in the unknown: what prescribed blocks contribute to J v goes to the target.
    if (row.level == Level::velocity) {
      l.used = true;
      l.target = row.speed - known;
      l.compliance = row.compliance / h;
      l.lower = row.lower * h;
      l.upper = row.upper * h;
      continue;
    }
    // Where a strand has got other nodes, what stretches goes on stretching.
    const bool gives = !impact && state.needsVelocityProjection && row.compliance > 0.0;
    if (gives || (!(impact && damps(row)) && !rigidInJump(rows_, row, model_->blocks, h))) {
      if (impact) total_[at(row.slot)] = h * state.force[at(row.slot)];
      continue;
    }
    if (mode != Mode::free) continue;
    l.used = true;
    l.target = row.speed - known;
    l.lower = row.lower * h;
    l.upper = row.upper * h;
    if (impact && row.compliance > 0.0) {
      // What is stiff beside one segment may be soft along a hundred: its give stays. Of C + τ(J v − s) + ε λ = 0 now
      // and at the end of the step, C having moved by h J v⁺:  J v⁺ + ε/(h (h + τ)) Λ = (ε λ + τ (J v − s))/(h + τ).
      l.compliance = rowResidual(row, 0.0, 1.0 / h, h * h).compliance;
      if (!row.bounded() || before.mode[at(row.slot)] == Mode::free)
        l.target += (row.compliance * before.force[at(row.slot)] +
                     row.damping * (rowRate(rows_, row, model_->blocks, before.v) - row.speed)) /
                    (h + row.damping);
    }
    if (row.restitution > 0.0) {
      const double approach = rowRate(rows_, row, model_->blocks, before.v) - row.speed;
      const bool closing = (row.upper <= 0.0 && approach > touchSpeed) || (row.lower >= 0.0 && approach < -touchSpeed);
      // What gravity alone adds in a step is not an impact worth bouncing.
      const double rest = 2.0 * h * model_->description.settings.gravity.norm();
      if (closing && std::fabs(approach) > rest)
        l.target -=
            row.restitution * strikingSpeed(approach, forcedRate(rows_, row, *model_, forces_.force, rotations_),
                                            rowRate(rows_, row, model_->blocks, state.u));
    }
  }
  setLooseAside(state, impact ? h : 0.0);
  startCones(state.force, impact ? h : 0.0);
  velocity_.resize(rhs_.size());
  std::vector<double>& v = velocity_;
  // Prescribed velocities are in the targets, so the unknown is zero there.
  if (!linearSolve(rhs_, v, sinkSpeed)) return;  // the velocities of the step itself stay
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    const Block& b = model_->blocks[i];
    for (int k = 0; b.free && loose_[i] != pulled && k < b.dof; ++k)
      state.v[at(b.v + k)] = loose_[i] == 0 ? v[at(b.v + k)] : 0.0;
  }
  state.mode = mode_;
  now_.v = state.v;
  now_.touch();
  now_.evaluate();
  momentum(now_, state.p);
}

void DirectSolver::ghost(State& state, double h, std::span<const double> known) {
  // M a = f + gyroscopic + Jᵀλ, J a = −γ, γ from second differences of C along the motion. Rows with some give may
  // change their force from the known one: J a + γ = −ε (λ − λ₀)/(h (h + τ)).
  const bool hasElementMass = model_->hasElementMass;
  rowsAt(state, h, plus_);
  if (hasElementMass) carriedMomentum(now_, change_);
  rowsAt(state, -h, minus_);
  if (hasElementMass) carriedMomentum(now_, carried_);
  drift_.assign(rhs_.size(), 0.0);  // Ṁ v of the carried mass: what a changing mass alone does to the momentum
  for (std::size_t i = 0; hasElementMass && i < drift_.size(); ++i) drift_[i] = (change_[i] - carried_[i]) / (2.0 * h);
  rowsAt(state, 0.0, rows_);
  const bool same = plus_.rows.size() == rows_.rows.size() && minus_.rows.size() == rows_.rows.size();
  gather();
  for (const Block& b : model_->blocks)
    for (int k = 0; k < b.dof; ++k) {
      double f = b.free ? forces_.force[at(b.v + k)] : 0.0;
      if (b.free && b.weighs && k < 3) f += b.mass * model_->description.settings.gravity[k];
      rhs_[at(b.v + k)] = f;
    }
  pHat_ = rhs_;  // the forces alone, for the momentum history
  if (hasElementMass) {
    carriedMomentum(now_, carried_);
    addCarriedTurn(now_, carried_, 1.0, pHat_);
    for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] -= drift_[i];
  }
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    const Block& b = model_->blocks[i];
    if (!b.free || !b.rotates) continue;
    const int block = static_cast<int>(i);
    rotations_[i] = worldInertia(now_, block);
    const Vec3 w = now_.angularVelocity(block);
    const Vec3 gyro = w.cross(rotations_[i] * w);
    for (int k = 0; k < 3; ++k) rhs_[at(b.v + 3 + k)] -= gyro[k];
  }
  for (const Spin& spin : model_->spins) {
    const Block& parent = model_->blocks[at(spin.parent)];
    const Block& rotor = model_->blocks[at(spin.rotor)];
    const Vec3 axis = now_.rotation(spin.parent) * spin.axis_B;
    const Vec3 gyro = now_.angularVelocity(spin.parent).cross(axis) * (rotor.mass * state.v[at(rotor.v)]);
    for (int k = 0; k < 3; ++k) rhs_[at(parent.v + 3 + k)] -= gyro[k];
  }
  mode_ = state.mode;
  total_.assign(state.force.size(), 0.0);
  linear_.assign(rows_.rows.size(), LinearRow{});
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    LinearRow& l = linear_[r];
    const double rate = rowRate(rows_, row, model_->blocks, state.v);
    l.lower = row.lower;
    l.upper = row.upper;
    const bool begins = known.empty() && state.force[at(row.slot)] == 0.0;  // nothing has led here
    if (begins && damps(row) && rigidInJump(rows_, row, model_->blocks, h, flings)) {
      // It decays within the step, so that its force says nothing about the history: the step is one with a jump. The
      // force is that of an implicit step, v⁺ = v + h a:  C + h J v⁺ + τ (J v⁺ − s) + ε λ = 0.
      if (row.bounded() && (row.upper <= 0.0 ? row.error < 0.0 : row.error > 0.0)) continue;
      const double both = h * (h + row.damping);
      if (row.bounded()) mode_[at(row.slot)] = Mode::free;
      l.used = true;
      l.compliance = row.compliance / both;
      l.target = (row.damping * row.speed - row.error - (h + row.damping) * rate) / both;
      if (std::fabs(rate - row.speed) <= touchSpeed) continue;
      strike(row);
      decaying_.push_back({row.slot, softForce(row, rate)});
      continue;
    }
    if (!(!known.empty() && damps(row)) && !rigidInJump(rows_, row, model_->blocks, h)) {
      // Soft: its force is known from where and how fast things are.
      const bool open = row.bounded() && (row.upper <= 0.0 ? row.error < 0.0 : row.error > 0.0);
      const double damped = open ? 0.0 : row.damping * (rate - row.speed);
      const double gap = row.level == Level::velocity ? rate - row.speed : row.error + damped;
      double& f = total_[at(row.slot)];
      f = std::clamp(-gap / row.compliance, row.lower, row.upper);
      continue;
    }
    const Mode mode = row.bounded() ? mode_[at(row.slot)] : Mode::free;
    if (row.level == Level::velocity) {
      const double slip = rate - row.speed;
      if (row.bounded() && std::fabs(slip) > touchSpeed) {
        mode_[at(row.slot)] = slip > 0.0 ? Mode::lower : Mode::upper;
        l.pinned = true;  // it slips, whatever the acceleration
      }
      l.used = true;
      if (mode_[at(row.slot)] == Mode::lower && row.lowerGain == 0.0) total_[at(row.slot)] = row.lower;
      if (mode_[at(row.slot)] == Mode::upper && row.upperGain == 0.0) total_[at(row.slot)] = row.upper;
      continue;
    }
    if (row.bounded() && mode != Mode::free) continue;
    // What has bounced is on its way back: nothing holds it there.
    const double back = row.upper <= 0.0 ? row.speed - rate : rate - row.speed;
    if (row.bounded() && row.restitution > 0.0 && back > touchSpeed) continue;
    l.used = true;
    if (same) l.target = -(plus_.rows[r].error - 2.0 * row.error + minus_.rows[r].error) / (h * h);
    if (known.empty() || row.compliance == 0.0) continue;
    l.compliance = rowResidual(row, 0.0, 1.0 / h, h * h).compliance;
    l.target += l.compliance * known[at(row.slot)];
  }
  setLooseAside(state, 1.0);
  startCones(known.empty() ? std::span<const double>(state.force) : known, 1.0);
  if (!linearSolve(rhs_, velocity_, sinkAcceleration)) {
    // No acceleration to be had: go on as from rest, at first order for one step.
    for (std::size_t i = 0; i < rhs_.size(); ++i) {
      state.u[i] = h * state.v[i];
      state.pOld[i] = state.p[i];
    }
    state.h = h;
    return;
  }
  state.force = total_;
  for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] = pHat_[i];
  applyRows(total_, 1.0, rhs_);
  if (!hasElementMass) addMass(velocity_, -1.0, rhs_);  // what cables take of it that keep their own momentum
  for (const Spin& spin : model_->spins) {
    const Vec3 axis = now_.rotation(spin.parent) * spin.axis_B;
    const double torque = rhs_[at(model_->blocks[at(spin.rotor)].v)];
    for (int k = 0; k < 3; ++k) rhs_[at(model_->blocks[at(spin.parent)].v + 3 + k)] += torque * axis[k];
  }
  for (std::size_t i = 0; i < rhs_.size(); ++i) {
    state.u[i] = h * state.v[i] - 0.5 * h * h * velocity_[i];
    state.pOld[i] = state.p[i] - h * rhs_[i];
  }
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    if (loose_[i] == 0) continue;
    const Block& b = model_->blocks[i];
    for (int k = 0; k < b.dof; ++k) {
      state.u[at(b.v + k)] = h * state.v[at(b.v + k)];
      state.pOld[at(b.v + k)] = state.p[at(b.v + k)];
    }
  }
  spin_.find(*model_, rows_, mode_, total_, state);
  spin_.ghost(now_, state.u, state.pOld);
  state.h = h;
}

/// Which islands none of the struck blocks is of, by the rows of either step. False if there are none.
bool DirectSolver::findQuiet() {
  islands_.tie(*model_, rows_, mode_, force_);
  islands_.tie(*model_, stiffness_);
  islands_.tie(*model_, forces_.damping);
  loud_.assign(model_->blocks.size(), 0);
  for (const int block : struck_) loud_[at(islands_.of(block))] = 1;
  bool any = false;
  for (std::size_t i = 0; i < loud_.size(); ++i) {
    loud_[i] = !model_->blocks[i].free || loud_[at(islands_.of(static_cast<int>(i)))] != 0 ? 1 : 0;
    any = any || loud_[i] == 0;
  }
  return any;
}

/// Puts the smooth step back where nothing jumped.
void DirectSolver::keepQuiet(State& state) const {
  for (std::size_t i = 0; i < loud_.size(); ++i) {
    if (loud_[i] != 0) continue;
    const Block& b = model_->blocks[i];
    for (int k = 0; k < (b.rotates ? 7 : b.dof); ++k) state.q[at(b.q + k)] = smooth_.q[at(b.q + k)];
    for (std::size_t k = at(b.v); k < at(b.v + b.dof); ++k) {
      state.v[k] = smooth_.v[k];
      state.u[k] = smooth_.u[k];
      state.p[k] = smooth_.p[k];
      state.pOld[k] = smooth_.pOld[k];
    }
  }
  for (const int slot : quietSlots_) {
    state.force[at(slot)] = smooth_.force[at(slot)];
    state.mode[at(slot)] = smooth_.mode[at(slot)];
  }
}

bool DirectSolver::jump(State& state, double h, Events& events) {
  const Scheme s = Scheme::euler(h);
  // Mass and waves that elements carry know no islands.
  bool parts = !model_->hasElementMass && state.sheets.empty();
  if (parts) {
    islands_.begin(*model_);
    parts = findQuiet();
  }
  if (parts) {
    smooth_ = state;
    unheard_.clear();
    accept(Scheme::bdf2(h), smooth_, unheard_);
  }
  if (!newton(s)) return false;
  if (parts) {
    jumped();
    parts = findQuiet();
  }
  quietSlots_.clear();
  if (parts) {
    for (const Row& row : rows_.rows) {
      bool quiet = false, held = true;
      for (int e = row.first; e < row.first + row.count; ++e) {
        const int block = rows_.entries[at(e)].block;
        quiet = quiet || loud_[at(block)] == 0;
        held = held && (loud_[at(block)] == 0 || !model_->blocks[at(block)].free);
      }
      if (!quiet || !held) continue;
      quietSlots_.push_back(row.slot);
      force_[at(row.slot)] = smooth_.force[at(row.slot)];
      mode_[at(row.slot)] = smooth_.mode[at(row.slot)];
    }
    const auto quietly = [&](std::vector<double>& to, const std::vector<double>& from) {
      for (std::size_t i = 0; i < loud_.size(); ++i) {
        const Block& b = model_->blocks[i];
        for (int k = 0; loud_[i] == 0 && k < b.dof; ++k) to[at(b.v + k)] = from[at(b.v + k)];
      }
    };
    quietly(now_.u, smooth_.u);
    evaluate(s);
    quietly(now_.v, smooth_.v);
    now_.touch();
    now_.evaluate();
  }
  accept(s, state, events);
  velocitySolve(state, before_, h, true);
  for (const Decaying& d : decaying_)
    for (const Row& row : rows_.rows)
      if (row.slot == d.slot) before_.force[at(d.slot)] = softForce(row, rowRate(rows_, row, model_->blocks, state.v));
  ghost(state, h, before_.force);
  if (parts) keepQuiet(state);
  return true;
}

}  // namespace reeve
