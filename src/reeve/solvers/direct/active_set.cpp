#include "reeve/solvers/direct/active_set.h"

#include <algorithm>
#include <cmath>

namespace reeve {

namespace {
/// Gap, m, below which a row counts as touching at the start of a step.
constexpr double touching = 1e-9;
/// Iterations after which one row at a time changes, which cannot cycle.
constexpr int wholeSets = 12;
}  // namespace

Mode wishHolding(double multiplier, const Bounds& bounds, double rounding) {
  Mode wish = Mode::free;
  if (multiplier < bounds.lower - 1e-9 * std::fabs(bounds.lower) - rounding) wish = Mode::lower;
  if (multiplier > bounds.upper + 1e-9 * std::fabs(bounds.upper) + rounding) wish = Mode::upper;
  return wish;
}

double askAtBound(Mode mode, const Bounds& bounds, double g) {
  if (mode == Mode::lower) return bounds.lower == -unbounded ? unbounded : -g;
  return bounds.upper == unbounded ? unbounded : g;
}

void putToBound(const Row& row, Mode mode, const Bounds& bounds, double& multiplier) {
  if (mode == Mode::lower && row.lowerGain == 0.0) multiplier = bounds.lower;
  if (mode == Mode::upper && row.upperGain == 0.0) multiplier = bounds.upper;
}

RowEquation equationOf(const Row& row, Mode mode, const Bounds& bounds, double value, double compliance,
                       std::span<const double> multiplier, double scale, const RowSystem& system) {
  RowEquation q;
  q.compliance = compliance;
  if (row.bounded() && bounds.closed()) {
    q.holds = false;
    return q;
  }
  if (mode == Mode::free || !row.bounded()) {
    q.residual = value + compliance * scale * multiplier[at(row.slot)];
    return q;
  }
  q.holds = false;
  const int slot = mode == Mode::lower ? row.lowerSlot : row.upperSlot;
  q.gain = mode == Mode::lower ? row.lowerGain : row.upperGain;
  if (slot < 0 || q.gain == 0.0) return q;
  q.coupled = system.rowOfSlot(slot);
  if (q.coupled >= 0) q.residual = scale * (multiplier[at(row.slot)] - bounds.at(mode));
  return q;
}

ActiveSet::Wishes ActiveSet::gather(const Step& step, int iteration) {
  Trial& t = step.trial;
  const double s2 = step.s.s2();
  Wishes out;
  wishes_.clear();
  const std::size_t count = t.held().rows.size();
  for (std::size_t r = 0; r < count; ++r) {
    const Row& row = t.rows.rows[r];
    if (!row.bounded()) continue;
    Mode& mode = t.mode[at(row.slot)];
    double& force = t.force[at(row.slot)];
    const Bounds bounds = boundsOf(row, t.force);
    if (bounds.closed()) {
      // Friction under no load: nothing now, and it sticks when the load comes. Unless the load comes and goes from one
      // iteration to the next because it sticks: then it slides.
      const bool wavers = iteration >= patience;
      const double none = wavers ? std::min(bounds.lower, std::max(bounds.upper, 0.0)) : bounds.lower;
      if (!wavers)
        mode = Mode::free;
      else if (force != none)
        mode = force > none ? Mode::upper : Mode::lower;
      force = none;
    } else if (mode == Mode::free) {
      const Mode wish = wishHolding(force, bounds, step.task.negligible);
      if (wish == mode) continue;
      wishes_.push_back({static_cast<int>(r), wish});
      out.leaving = true;
    } else {
      const RowResidual q = rowResidual(row, t.rate[r], step.s.k, s2);
      const double asked = askAtBound(mode, bounds, q.value + (q.compliance + t.soft[r]) * s2 * force);
      const bool holds = asked > slackShare * step.task.tolerance;
      // What just touches, or is just taut, may be wanted too: see update().
      const bool touches = row.level == Level::position && asked > -touching && flips_[at(row.slot)] == 0;
      if (holds || touches) wishes_.push_back({static_cast<int>(r), Mode::free, !holds});
      out.waking = out.waking || (holds && row.level == Level::position);
      putToBound(row, mode, bounds, force);
    }
  }
  return out;
}

int ActiveSet::update(const Step& step, int iteration) {
  const Wishes wishes = gather(step, iteration);
  if (wishes_.empty()) return 0;
  // Where one row begins to hold, all that just touch do: else a pull would wake one span an iteration.
  if (!wishes.waking) std::erase_if(wishes_, [](const Wish& wish) { return wish.touches; });
  if (wishes.leaving) forgive(step);
  if (wishes_.empty()) return 0;
  const bool single = iteration > wholeSets;
  // Where elements carry mass one row that holds too much bends many others: it would be let go and caught again for
  // ever. The one that has changed least gives way.
  const std::vector<Row>& rows = step.trial.rows.rows;
  if (single && step.task.model->hasElementMass)
    std::swap(wishes_.front(), *std::min_element(wishes_.begin(), wishes_.end(), [&](const Wish& a, const Wish& b) {
                return flips_[at(rows[at(a.row)].slot)] < flips_[at(rows[at(b.row)].slot)];
              }));
  return grant(step, single);
}

int ActiveSet::grant(const Step& step, bool single) {
  Trial& t = step.trial;
  int changes = 0;
  for (const Wish& wish : wishes_) {
    const Row& row = t.rows.rows[at(wish.row)];
    if (single && changes > 0) break;
    t.mode[at(row.slot)] = wish.mode;
    ++changes;
    if (flips_[at(row.slot)] < 255) ++flips_[at(row.slot)];
    putToBound(row, wish.mode, boundsOf(row, t.force), t.force[at(row.slot)]);
  }
  return changes;
}

/// Rows beyond their bounds by forces that all together move nothing they hold by more than a slack row may be open
/// stay as they are: a taut rope without load is at the edge to within rounding, in every step anew, and to follow the
/// rounding would cost iterations and add noise. A row that changes its mind again and again may stay with more, up to
/// what Newton's tolerance allows a position to be wrong.
void ActiveSet::forgive(const Step& step) {
  const Trial& t = step.trial;
  const auto eachPlace = [&](const Row& row, auto&& visit) {
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = t.rows.entries[at(e)];
      const Block& b = step.task.blocks()[at(entry.block)];
      for (int k = 0; b.free && k < b.dof; ++k)
        visit(at(b.v + k), entry.j[k], b.rotates && k >= 3 ? b.inertia_B.trace() / 3.0 : b.mass);
    }
  };
  wrong_.assign(t.now.v.size(), 0.0);
  for (const Wish& wish : wishes_) {
    if (wish.mode == Mode::free) continue;
    const Row& row = t.rows.rows[at(wish.row)];
    const double beyond = step.s.s2() * (t.force[at(row.slot)] - boundsOf(row, t.force).at(wish.mode));
    eachPlace(row, [&](std::size_t i, double j, double mass) { wrong_[i] += j * beyond / mass; });
  }
  std::erase_if(wishes_, [&](const Wish& wish) {
    if (wish.mode == Mode::free) return false;
    const Row& row = t.rows.rows[at(wish.row)];
    const int flips = flips_[at(row.slot)];
    const double allowed = slackShare * step.task.tolerance * (flips < 2 ? 1.0 : flips < 4 ? 10.0 : 100.0);
    double moves = 0.0;
    eachPlace(row, [&](std::size_t i, double j, double) { moves = std::max(moves, std::fabs(j * wrong_[i])); });
    return moves > 0.0 && moves < allowed;
  });
}

}  // namespace reeve
