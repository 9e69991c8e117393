#include "reeve/solvers/solver.h"

#include <algorithm>
#include <cmath>

#include "reeve/model/kinetics.h"
#include "reeve/solvers/six.h"

namespace reeve {

namespace {
/// `places` by block: anything with v and dof.
template <class Places>
double rateOf(const RowSet& set, const Row& row, const Places& places, std::span<const double> v) {
  double sum = 0.0;
  const Entry* e = set.entries.data() + row.first;
  for (const Entry* end = e + row.count; e < end; ++e) {
    const auto& b = places[static_cast<std::size_t>(e->block)];
    const double* w = v.data() + b.v;
    if (b.dof == 6) {
      const six::Pack both = six::products(e->j, w);
      sum += both[0] + both[1];
    } else if (b.dof == 1)
      sum += e->j[0] * w[0];
    else
      for (int k = 0; k < b.dof; ++k) sum += e->j[k] * w[k];
  }
  return sum;
}
}  // namespace

double rowRate(const RowSet& set, const Row& row, std::span<const Block> blocks, std::span<const double> v) {
  return rateOf(set, row, blocks, v);
}

double rowRate(const RowSet& set, const Row& row, const Moving& moving, std::span<const double> v) {
  return rateOf(set, row, moving.place, v);
}

double lowerBound(const Row& row, std::span<const double> force) {
  return row.lowerSlot < 0 ? row.lower : row.lower + row.lowerGain * force[static_cast<std::size_t>(row.lowerSlot)];
}

double upperBound(const Row& row, std::span<const double> force) {
  return row.upperSlot < 0 ? row.upper : row.upper + row.upperGain * force[static_cast<std::size_t>(row.upperSlot)];
}

double clampForce(const Row& row, std::span<const double> force) {
  const double lower = lowerBound(row, force), upper = std::max(upperBound(row, force), lower);
  return std::clamp(force[static_cast<std::size_t>(row.slot)], lower, upper);
}

bool rigidInJump(const RowSet& set, const Row& row, std::span<const Block> blocks, double h, double share) {
  const double compliance = rowResidual(row, 0.0, 1.0 / h, h * h).compliance;
  if (compliance <= 0.0) return true;
  double mobility = 0.0;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = set.entries[static_cast<std::size_t>(e)];
    const Block& b = blocks[static_cast<std::size_t>(entry.block)];
    if (!b.massless) mobility += entryMobility(b, entry);
  }
  return compliance <= share * mobility;
}

void dampHolding(RowSet& rows, const Instant& now) {
  for (Row& row : rows.rows) {
    if (row.damping == 0.0 || !row.bounded() || row.level != Level::position) continue;
    const double side = row.upper <= 0.0 ? 1.0 : -1.0;
    if (!now.stepping) {  // where the step begins
      if (side * row.error < 0.0) row.damping = 0.0;
      continue;
    }
    const double rate = rowRate(rows, row, now.model().blocks, now.v);
    const double most = std::max(side * row.error, 0.0) * now.stepRate;
    if (side * (rate - row.speed) > most) row.speed = rate - side * most;
  }
}

bool comesTaut(const RowSet& set, const Row& row, std::span<const Block> blocks, std::span<const double> before) {
  const double approach = rowRate(set, row, blocks, before);
  return (row.upper <= 0.0 && approach > touchSpeed) || (row.lower >= 0.0 && approach < -touchSpeed);
}

void findWorst(const RowSet& rows, std::span<const Mode> modes, StepReport& report) {
  report.worstError = 0.0;
  report.worstSlot = -1;
  for (const Row& row : rows.rows) {
    if (row.level != Level::position || row.compliance > 0.0) continue;
    double error = std::fabs(row.error);
    if (row.bounded() && modes[static_cast<std::size_t>(row.slot)] != Mode::free) {
      // A row at its bound errs only on the side it should resist.
      const bool violated = (row.upper == 0.0 && row.error > 0.0) || (row.lower == 0.0 && row.error < 0.0);
      if (!violated) continue;
    }
    if (error > report.worstError) {
      report.worstError = error;
      report.worstSlot = row.slot;
    }
  }
}

}  // namespace reeve
