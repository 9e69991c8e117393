// What happens under sweeps where a rope comes taut at speed: velocities after it, and the forces that go on.
#include <algorithm>
#include <cmath>

#include "reeve/solvers/account.h"
#include "reeve/solvers/sweep.h"

namespace reeve {

/// At the rows of the last sweep: one that is rigid holds now, did not before, and was met at speed.
bool SweepSolver::jumped(const State& past, double h) const {
  for (const Row& row : rows_.rows) {
    if (row.level != Level::position || !row.bounded() || row.softness > 0.0) continue;
    if (before_.mode[at(row.slot)] != Mode::free || past.mode[at(row.slot)] == Mode::free) continue;
    if (comesTaut(rows_, row, model_->blocks, past.v) && rigidInJump(rows_, row, model_->blocks, h)) return true;
  }
  return false;
}

/// What holds, holds the velocities too: J v⁺ = 0, or −e times the approach. The impulses go on from those of the step
/// (before_.force times h), so that bounds and friction hold for the whole of them. Rows that stretch have their force
/// from where things are and take no part.
void SweepSolver::velocitySweeps(State& state, double h, int iterations) {
  past_ = before_.v;
  before_.force = state.force;
  before_.mode = state.mode;
  now_.bind(*model_, state);
  now_.rewind();
  now_.evaluate();
  evaluateRows(h);
  const double rest = 2.0 * h * model_->description.settings.gravity.norm();
  for (Row& row : rows_.rows) {
    if (row.level == Level::velocity) continue;
    const bool holds = !row.bounded() || before_.mode[at(row.slot)] == Mode::free;
    const bool rigid = rigidInJump(rows_, row, model_->blocks, h);
    const double approach = rowRate(rows_, row, model_->blocks, past_) - row.speed;
    row.level = Level::velocity;
    row.error = row.compliance = row.damping = 0.0;
    if (!holds || !rigid) {
      row.count = 0;
      row.speed = 0.0;
    } else if (row.restitution > 0.0 && std::fabs(approach) > rest) {
      row.speed -= row.restitution * approach;
    }
  }
  moved_.assign(state.v.size(), 0.0);
  impulse_.resize(before_.force.size());
  findParts();
  double first = 0.0;
  for (int it = 0; it < iterations; ++it) {
    past_ = moved_;
    visitAll(h);
    double largest = 0.0;
    for (std::size_t i = 0; i < moved_.size(); ++i) largest = std::max(largest, std::fabs(moved_[i] - past_[i]));
    if (it == 0) first = largest;
    if (settles_ && largest <= 1e-9 * first) break;
  }
  for (std::size_t i = 0; i < moved_.size(); ++i) state.v[i] += moved_[i] / h;
  for (std::size_t i = 0; i < before_.force.size(); ++i) impulse_[i] = h * before_.force[i];
  bookBlow(rows_, *model_, impulse_, before_.v, state.v, state.accounts);
  state.mode = before_.mode;
}

/// The forces with which the motion goes on: those of a step tried from here. What is slack stays so in it; where it
/// would come taut that is the next jump.
void SweepSolver::goOn(const State& state, double h, int iterations, std::vector<double>& force) {
  before_.mode = state.mode;
  predict(state, h);
  std::fill(before_.force.begin(), before_.force.end(), 0.0);
  int done = 0;
  sweeps(state, h, iterations, true, done);
  force = before_.force;
  now_.bind(*model_, state);
  now_.rewind();
  now_.evaluate();
}

}  // namespace reeve
