#include "reeve/solvers/direct/restart.h"

#include <algorithm>
#include <cmath>

namespace reeve {

namespace {
/// m/s²: by how much a cone may give way.
constexpr double sinkAcceleration = 1e-2;
/// A damper that takes more than its speed in a step would leave a history that flings what it holds.
constexpr double flings = 1.0;

/// A row that bounds one side, and is on the side where it does not hold.
bool openSide(const Row& row) { return row.bounded() && (row.upper <= 0.0 ? row.error < 0.0 : row.error > 0.0); }

/// A drive, a brake or the friction of a bearing that is strong enough to take this slip within the step: its bound
/// says nothing about the history, which would fling what it turns. The speed jumps instead (findJumps).
bool takesAtOnce(const RowSet& rows, const Row& row, std::span<const Block> blocks, double h, double slip) {
  if (row.lowerSlot >= 0 || row.upperSlot >= 0 || !(row.lower < row.upper)) return false;
  double mobility = 0.0;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = rows.entries[at(e)];
    const Block& b = blocks[at(entry.block)];
    if (b.free && !b.massless) mobility += entryMobility(b, entry);
  }
  return h * mobility * (slip > 0.0 ? -row.lower : row.upper) > std::fabs(slip);
}
}  // namespace

/// rhs = f + gyroscopic forces; what mass that elements carry does by changing alone is among them.
void Restart::formForces(const Task& task, double h, const State& state, Trial& trial, LinearMotion& motion) {
  const std::span<const Block> blocks = task.blocks();
  const Instant& now = trial.now;
  std::vector<double>& rhs = motion.rhs;
  gatherForces(task, trial);
  gatherMass(task, trial);
  actingForces(task, trial, rhs);
  acting_ = rhs;
  if (task.model->hasElementMass) {
    carriedMomentum(now, trial.carried);
    addCarriedTurn(now, trial.carried, 1.0, acting_);
    for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] -= (ahead_[i] - behind_[i]) / (2.0 * h);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& b = blocks[i];
    if (!b.free || !b.rotates) continue;
    const int block = static_cast<int>(i);
    motion.rotations[i] = worldInertia(now, block);
    const Vec3 w = now.angularVelocity(block);
    const Vec3 gyro = w.cross(motion.rotations[i] * w);
    for (int k = 0; k < 3; ++k) rhs[at(b.v + 3 + k)] -= gyro[k];
  }
  for (const Spin& spin : task.model->spins) {
    const Block &parent = blocks[at(spin.parent)], &rotor = blocks[at(spin.rotor)];
    const Vec3 axis = now.rotation(spin.parent) * spin.axis_B;
    const Vec3 gyro = now.angularVelocity(spin.parent).cross(axis) * (rotor.mass * state.v[at(rotor.v)]);
    for (int k = 0; k < 3; ++k) rhs[at(parent.v + 3 + k)] -= gyro[k];
  }
}

/// What the rows ask of the accelerations.
void Restart::formRows(const Task& task, double h, std::span<const double> known, const State& state, Trial& trial,
                       LinearMotion& motion, Struck& struck) {
  const RowSet& rows = trial.rows;
  const bool same = plus_.rows.size() == rows.rows.size() && minus_.rows.size() == rows.rows.size();
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const Row& row = rows.rows[r];
    MotionRow& m = motion.rows[r];
    Mode& mode = trial.mode[at(row.slot)];
    double& force = motion.multiplier[at(row.slot)];
    const double rate = rowRate(rows, row, task.blocks(), state.v);
    m.lower = row.lower;
    m.upper = row.upper;
    const bool begins = known.empty() && state.force[at(row.slot)] == 0.0;  // nothing has led here
    if (begins && damps(row) && rigidInJump(rows, row, task.blocks(), h, flings)) {
      // It decays within the step, so that its force says nothing about the history: the step is one with a jump. The
      // force is that of an implicit step, v⁺ = v + h a:  C + h J v⁺ + τ (J v⁺ − s) + ε λ = 0.
      if (openSide(row)) continue;
      const double both = h * (h + row.damping);
      if (row.bounded()) mode = Mode::free;
      m.used = true;
      m.compliance = row.compliance / both;
      m.target = (row.damping * row.speed - row.error - (h + row.damping) * rate) / both;
      if (std::fabs(rate - row.speed) <= touchSpeed) continue;
      struck.add(task, rows, row);
      struck.decaying.push_back({row.slot, softForce(row, rate)});
    } else if (!(!known.empty() && damps(row)) && !rigidInJump(rows, row, task.blocks(), h)) {
      // Soft: its force is known from where and how fast things are.
      const double damped = openSide(row) ? 0.0 : row.damping * (rate - row.speed);
      const double gap = row.level == Level::velocity ? rate - row.speed : row.error + damped;
      force = std::clamp(-gap / row.compliance, row.lower, row.upper);
    } else if (row.level == Level::velocity) {
      const double slip = rate - row.speed;
      const bool atOnce = begins && row.bounded() && takesAtOnce(rows, row, task.blocks(), h, slip);
      if (atOnce) mode = Mode::free;
      if (row.bounded() && std::fabs(slip) > touchSpeed && !atOnce) {
        mode = slip > 0.0 ? Mode::lower : Mode::upper;
        m.pinned = true;  // it slips, whatever the acceleration
      }
      m.used = true;
      putToBound(row, mode, {row.lower, row.upper}, force);
    } else if (!row.bounded() || mode == Mode::free) {
      // What has bounced is on its way back: nothing holds it there.
      const double back = row.upper <= 0.0 ? row.speed - rate : rate - row.speed;
      if (row.bounded() && row.restitution > 0.0 && back > touchSpeed) continue;
      m.used = true;
      if (same) m.target = -(plus_.rows[r].error - 2.0 * row.error + minus_.rows[r].error) / (h * h);
      if (known.empty() || row.compliance == 0.0) continue;
      m.compliance = rowResidual(row, 0.0, 1.0 / h, h * h).compliance;
      m.target += m.compliance * known[at(row.slot)];
    }
  }
}

/// The step before the state, as accelerations and forces tell it.
void Restart::writeHistory(const Task& task, double h, const Trial& trial, LinearMotion& motion, State& state) {
  const std::span<const Block> blocks = task.blocks();
  std::vector<double>& total = acting_;
  state.force = motion.multiplier;
  trial.applyRows(motion.multiplier, 1.0, total);
  // What cables take of it that keep their own momentum.
  if (!task.model->hasElementMass) LinearMotion::addMass(task, trial.mass, motion.x, -1.0, total);
  for (const Spin& spin : task.model->spins) {
    const Vec3 axis = trial.now.rotation(spin.parent) * spin.axis_B;
    const double torque = total[at(blocks[at(spin.rotor)].v)];
    for (int k = 0; k < 3; ++k) total[at(blocks[at(spin.parent)].v + 3 + k)] += torque * axis[k];
  }
  for (std::size_t i = 0; i < total.size(); ++i) {
    state.u[i] = h * state.v[i] - 0.5 * h * h * motion.x[i];
    state.pOld[i] = state.p[i] - h * total[i];
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (motion.loose[i] == Loose::no) continue;
    for (std::size_t k = at(blocks[i].v); k < at(blocks[i].v + blocks[i].dof); ++k) {
      state.u[k] = h * state.v[k];
      state.pOld[k] = state.p[k];
    }
  }
}

void Restart::fill(const Task& task, double h, std::span<const double> known, State& state, Trial& trial,
                   RowSystem& system, FreeSpin& spin, LinearMotion& motion, Struck& struck) {
  const bool hasElementMass = task.model->hasElementMass;
  ahead_.assign(state.v.size(), 0.0);
  behind_.assign(state.v.size(), 0.0);
  rowsAt(task, state, h, trial.now, plus_);
  if (hasElementMass) carriedMomentum(trial.now, ahead_);
  rowsAt(task, state, -h, trial.now, minus_);
  if (hasElementMass) carriedMomentum(trial.now, behind_);
  rowsAt(task, state, 0.0, trial.now, trial.rows);
  formForces(task, h, state, trial, motion);
  trial.mode = state.mode;
  motion.begin(trial, state.force.size());
  formRows(task, h, known, state, trial, motion, struck);
  motion.setLooseAside(task, trial, state, 1.0);
  motion.startCones(trial, known.empty() ? std::span<const double>(state.force) : known, 1.0);
  if (motion.solve(task, trial, system, sinkAcceleration)) {
    writeHistory(task, h, trial, motion, state);
    spin.find(*task.model, trial.rows, trial.mode, motion.multiplier, state);
    spin.ghost(trial.now, state.u, state.pOld);
  } else {
    // No acceleration to be had: go on as from rest, at first order for one step.
    for (std::size_t i = 0; i < state.v.size(); ++i) {
      state.u[i] = h * state.v[i];
      state.pOld[i] = state.p[i];
    }
  }
  state.h = h;
}

}  // namespace reeve
