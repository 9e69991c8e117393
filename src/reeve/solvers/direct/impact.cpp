#include "reeve/solvers/direct/impact.h"

#include <algorithm>
#include <cmath>

#include "reeve/solvers/account.h"

namespace reeve {

namespace {
/// m/s: by how much a cone may give way.
constexpr double sinkSpeed = 1e-4;
/// m/s that cones do not notice, in what they may sink by in a step.
constexpr double metShare = 3.0;
/// A drive whose speed changes by more than this share of it, and by this many times what it changed in the step
/// before, starts or stops abruptly.
constexpr double abruptShare = 0.1, abruptGrowth = 10.0;
/// m/s or rad/s: less than this is never abrupt.
constexpr double abruptSpeed = 1e-5;

/// A drive that held makes its row change speed at once: not by a ramp, and not as it did the step before.
bool driven(const Step& step, const Row& row) {
  const State& past = step.past;
  if (row.level != Level::velocity || row.compliance > 0.0 || row.lowerSlot >= 0 || row.upperSlot >= 0) return false;
  if (row.lower >= row.upper) return false;  // a given force keeps no speed
  if (row.bounded() && past.mode[at(row.slot)] != Mode::free) return false;
  const RowSet& rows = step.trial.rows;
  const double was = rowRate(rows, row, step.task.blocks(), past.v), h = step.trial.now.h;
  const double before = 2.0 * (was - rowRate(rows, row, step.task.blocks(), past.u) / h);
  return std::fabs(row.speed - was) > abruptShare * std::max(std::fabs(row.speed), std::fabs(was)) +
                                          abruptGrowth * std::fabs(before) + 2.0 * h * std::fabs(row.ramp) +
                                          abruptSpeed;
}

/// What prescribed blocks contribute to the momentum of the free ones through carried mass is known.
template <class At>
void takePrescribed(const Block& a, const Block& b, At&& k, std::span<const double> v, std::span<double> out) {
  for (int r = 0; r < a.dof; ++r)
    for (int c = 0; c < b.dof; ++c) {
      if (a.free && !b.free) out[at(a.v + r)] -= k(r, c) * v[at(b.v + c)];
      if (b.free && !a.free) out[at(b.v + c)] -= k(r, c) * v[at(a.v + r)];
    }
}

/// The momentum that v⁺ is to have but for the rows' impulses.
void momentumBefore(const Task& task, const State& before, const State& state, double h, bool impact, Trial& trial,
                    FreeSpin& spin, LinearMotion& motion) {
  const std::span<const Block> blocks = task.blocks();
  std::vector<double>& rhs = motion.rhs;
  for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] = before.p[i];
  // Of cables that keep their own momentum.
  if (!task.model->hasElementMass) LinearMotion::addMass(task, trial.mass, before.v, 1.0, rhs);
  spin.find(*task.model, trial.rows, state.mode, state.force, state);
  spin.jump(trial.now, before, rhs);
  for (const Spin& s : task.model->spins) {
    const Vec3 l = trial.now.rotation(s.parent) * s.axis_B * before.p[at(blocks[at(s.rotor)].v)];
    for (int k = 0; k < 3; ++k) rhs[at(blocks[at(s.parent)].v + 3 + k)] -= l[k];
  }
  for (const Patch& p : trial.mass.patches)
    takePrescribed(
        blocks[at(p.a)], blocks[at(p.b)], [&](int r, int c) { return p.k(r, c); }, state.v, rhs);
  for (const Column& p : trial.mass.columns)
    takePrescribed(
        blocks[at(p.a)], blocks[at(p.b)], [&](int r, int) { return p.k[r]; }, state.v, rhs);
  if (!impact) return;
  if (task.model->hasElementMass) {
    carriedMomentum(trial.now, trial.carried);
    addCarriedTurn(trial.now, trial.carried, h, rhs);
  }
  for (const Block& b : blocks)
    for (int k = 0; b.free && k < b.dof; ++k) {
      double f = trial.forces.force[at(b.v + k)];
      if (b.weighs && k < 3) f += b.mass * task.gravity()[k];
      rhs[at(b.v + k)] += h * f;
    }
}

/// How fast weight and other forces alone would change a row's rate, m/s².
double forcedRate(const Task& task, const Trial& trial, const Row& row, std::span<const Mat3> inertia) {
  const std::span<const double> force = trial.forces.force;
  double rate = 0.0;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = trial.rows.entries[at(e)];
    const Block& b = task.blocks()[at(entry.block)];
    if (!b.free || b.massless || !(b.mass > 0.0)) continue;
    for (int k = 0; k < (b.rotates ? 3 : b.dof); ++k) {
      rate += entry.j[k] * force[at(b.v + k)] / b.mass;
      if (b.weighs && k < 3) rate += entry.j[k] * task.gravity()[k];
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

/// What a row asks of the velocities.
MotionRow velocityRow(const Task& task, const Trial& trial, const Row& row, const State& before, const State& state,
                      double h, bool impact, std::span<const Mat3> inertia, double& impulse) {
  MotionRow m;
  const RowSet& rows = trial.rows;
  const std::span<const Block> blocks = task.blocks();
  // Free blocks only in the unknown: what prescribed blocks contribute to J v goes to the target.
  double known = 0.0;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = rows.entries[at(e)];
    const Block& b = blocks[at(entry.block)];
    for (int k = 0; !b.free && k < b.dof; ++k) known += entry.j[k] * state.v[at(b.v + k)];
  }
  if (row.level == Level::velocity)
    return {row.speed - known, row.compliance / h, row.lower * h, row.upper * h, true, false};
  // Where a strand has got other nodes, what stretches goes on stretching.
  const bool gives = !impact && state.needsVelocityProjection && row.compliance > 0.0;
  if (gives || (!(impact && damps(row)) && !rigidInJump(rows, row, blocks, h))) {
    if (impact) impulse = h * state.force[at(row.slot)];
    return m;
  }
  if (row.bounded() && state.mode[at(row.slot)] != Mode::free) return m;
  m = {row.speed - known, 0.0, row.lower * h, row.upper * h, true, false};
  if (impact && row.compliance > 0.0) {
    // What is stiff beside one segment may be soft along a hundred: its give stays. Of C + τ(J v − s) + ε λ = 0 now
    // and at the end of the step, C having moved by h J v⁺:  J v⁺ + ε/(h (h + τ)) Λ = (ε λ + τ (J v − s))/(h + τ).
    m.compliance = rowResidual(row, 0.0, 1.0 / h, h * h).compliance;
    if (!row.bounded() || before.mode[at(row.slot)] == Mode::free)
      m.target += (row.compliance * before.force[at(row.slot)] +
                   row.damping * (rowRate(rows, row, blocks, before.v) - row.speed)) /
                  (h + row.damping);
  }
  if (row.restitution > 0.0) {
    const double approach = rowRate(rows, row, blocks, before.v) - row.speed;
    const bool closing = (row.upper <= 0.0 && approach > touchSpeed) || (row.lower >= 0.0 && approach < -touchSpeed);
    // What gravity alone adds in a step is not an impact worth bouncing.
    const double rest = 2.0 * h * task.gravity().norm();
    if (closing && std::fabs(approach) > rest)
      m.target -= row.restitution *
                  strikingSpeed(approach, forcedRate(task, trial, row, inertia), rowRate(rows, row, blocks, state.u));
  }
  return m;
}

}  // namespace

double softForce(const Row& row, double rate) {
  return std::clamp(-(row.error + row.damping * (rate - row.speed)) / row.compliance, row.lower, row.upper);
}

void Struck::add(const Task& task, const RowSet& rows, const Row& row) {
  for (int e = row.first; e < row.first + row.count; ++e)
    if (task.blocks()[at(rows.entries[at(e)].block)].free) blocks.push_back(rows.entries[at(e)].block);
}

bool findJumps(const Step& step, double sinks, Struck& struck) {
  const Trial& t = step.trial;
  const double met = t.cones.empty() ? 0.0 : metShare * sinks / t.now.h;  // m/s: what cones do not notice
  const auto taut = [&](const Row& row) {
    if (row.softness > 0.0 && rowRate(t.rows, row, step.task.blocks(), step.past.v) > -met) return false;
    return row.level == Level::position && row.bounded() && t.mode[at(row.slot)] == Mode::free &&
           step.past.mode[at(row.slot)] != Mode::free && comesTaut(t.rows, row, step.task.blocks(), step.past.v);
  };
  for (const Row& row : t.rows.rows)
    if (driven(step, row) || taut(row)) struck.add(step.task, t.rows, row);
  return !struck.blocks.empty();
}

void solveVelocities(const Task& task, const State& before, double h, bool impact, State& state, Trial& trial,
                     RowSystem& system, FreeSpin& spin, LinearMotion& motion) {
  const std::span<const Block> blocks = task.blocks();
  rowsAt(task, state, 0.0, trial.now, trial.rows);
  gatherForces(task, trial);
  gatherMass(task, trial);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].rotates && blocks[i].free) motion.rotations[i] = worldInertia(trial.now, static_cast<int>(i));
  momentumBefore(task, before, state, h, impact, trial, spin, motion);
  trial.mode = state.mode;
  motion.begin(trial, state.force.size());
  for (std::size_t r = 0; r < motion.rows.size(); ++r) {
    const Row& row = trial.rows.rows[r];
    motion.rows[r] =
        velocityRow(task, trial, row, before, state, h, impact, motion.rotations, motion.multiplier[at(row.slot)]);
  }
  motion.setLooseAside(task, trial, state, impact ? h : 0.0);
  motion.startCones(trial, state.force, impact ? h : 0.0);
  // Prescribed velocities are in the targets, so the unknown is zero there.
  if (!motion.solve(task, trial, system, sinkSpeed)) return;
  motion.rhs = state.v;  // it has been solved for
  const std::span<const double> was = impact ? before.v : motion.rhs;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& b = blocks[i];
    for (int k = 0; b.free && motion.loose[i] != Loose::pulled && k < b.dof; ++k)
      state.v[at(b.v + k)] = motion.loose[i] == Loose::no ? motion.x[at(b.v + k)] : 0.0;
  }
  state.mode = trial.mode;
  if (impact) state.accounts = before.accounts;  // these impulses are those of the whole step
  bookBlow(trial.rows, *task.model, motion.multiplier, was, state.v, state.accounts);
  trial.now.v = state.v;
  trial.now.touch();
  trial.now.evaluate();
  momentum(trial.now, state.p);
}

bool needsProjection(const Task& task, const State& state, Trial& trial) {
  rowsAt(task, state, 0.0, trial.now, trial.rows);
  for (const Row& row : trial.rows.rows) {
    if (row.level != Level::position || row.compliance > 0.0 ||
        (row.bounded() && state.mode[at(row.slot)] != Mode::free))
      continue;
    if (std::fabs(rowRate(trial.rows, row, task.blocks(), state.v) - row.speed) > 1e-9) return true;
  }
  return false;
}

}  // namespace reeve
