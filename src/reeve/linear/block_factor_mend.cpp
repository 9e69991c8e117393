// BlockFactor: what to do about pivots that turn out to be cancellation.
#include <algorithm>
#include <cmath>

#include "reeve/linear/block_factor.h"

namespace reeve {

namespace {

constexpr int maxMends = 4;
constexpr double muchLighter = 1e6;  // mass ratio beyond which the light coordinates of a row should not carry it

}  // namespace

bool BlockFactor::factor(const BlockMatrix& a, bool symmetric) {
  symmetric_ = symmetric;
  bool usable = refactor(a);
  while (!suspect_.empty() && mends_ < maxMends) {
    undelayed_ = delayed_;
    const int replaced = perturbed_;
    const std::size_t severe = severeSuspects();
    const bool light = delayLightCoordinates(a);
    if (!light && !delaySuspects()) break;
    ++mends_;
    const bool planned = plan(a, 4 * nonzeros_);
    usable = planned && refactor(a);
    if (planned && perturbed_ <= replaced && severeSuspects() <= severe) continue;
    // Not better: back to the order as it was, and no more of that for this pattern.
    delayed_ = undelayed_;
    plan(a, -1);
    usable = refactor(a);
    (light ? lightScans_ : mends_) = maxMends;
  }
  return usable;
}

std::size_t BlockFactor::severeSuspects() const {
  return static_cast<std::size_t>(
      std::count_if(suspect_.begin(), suspect_.end(), [](const Suspect& s) { return s.severe; }));
}

// A row on coordinates of very different mass is carried by the light ones, and what the heavy ones contribute drowns.
// That is harmless unless a light coordinate has more rows than it can carry: then it should wait until the heavy ones
// have carried what they can. Looks at all rows, because beyond the first bad pivot the values tell nothing.
bool BlockFactor::delayLightCoordinates(const BlockMatrix& a) {
  bool any = false;
  for (const Suspect& s : suspect_) any = any || pivot_[at(s.position)].row;
  if (!any || lightScans_ == maxMends) return false;
  ++lightScans_;
  bool changed = false;
  for (int row = 0; row < a.nodes(); ++row) {
    if (kind_[at(row)] != NodeKind::row) continue;
    const double limit = carryingLightness(a, row);
    for (int q = start_[at(row)]; q < start_[at(row + 1)] && limit > 0; ++q) {
      const int c = neighbour_[at(q)];
      if (kind_[at(c)] == NodeKind::row || delayed_[at(c)] || order_.isHub(c) || lightness(a, row, c) <= limit)
        continue;
      int rows = 0;
      for (int k = start_[at(c)]; k < start_[at(c + 1)]; ++k)
        if (kind_[at(neighbour_[at(k)])] == NodeKind::row) rows += size_[at(neighbour_[at(k)])];
      if (rows <= size_[at(c)]) continue;
      delayed_[at(c)] = 1;
      changed = true;
    }
  }
  return changed;
}

// Largest J²/mass of a coordinate on a row: what it adds to the row's pivot.
double BlockFactor::lightness(const BlockMatrix& a, int row, int c) const {
  const double* j = a.values(a.find(c, row));
  const double* mass = a.values(a.diagonal(c));
  const int n = size_[at(c)], rows = size_[at(row)];
  double most = 0;
  for (int m = 0; m < n; ++m)
    for (int r = 0; r < rows; ++r)
      if (j[m * rows + r] != 0) most = std::max(most, j[m * rows + r] * j[m * rows + r] / std::fabs(mass[m * (n + 1)]));
  return most;
}

// If the coordinates of a row fall into a heavy and a much lighter group: the lightness that parts them. Else 0.
double BlockFactor::carryingLightness(const BlockMatrix& a, int row) const {
  constexpr int most = 16;
  double sorted[most];
  int n = 0;
  for (int q = start_[at(row)]; q < start_[at(row + 1)] && n < most; ++q) {
    const int c = neighbour_[at(q)];
    if (kind_[at(c)] == NodeKind::row || order_.isHub(c)) continue;
    const double l = lightness(a, row, c);
    if (l > 0) sorted[n++] = l;
  }
  std::sort(sorted, sorted + n);
  double limit = 0, widest = muchLighter;
  for (int k = 0; k + 1 < n; ++k)
    if (sorted[k + 1] > widest * sorted[k]) {
      widest = sorted[k + 1] / sorted[k];
      limit = sorted[k];
    }
  return limit;
}

bool BlockFactor::delaySuspects() {
  bool changed = false;
  for (const Suspect& s : suspect_) {
    const int node = order_.order()[at(s.position)];
    if (!s.severe || delayed_[at(node)]) continue;
    if (pivot_[at(s.position)].row && !betterLater(s.position)) continue;
    delayed_[at(node)] = 1;
    changed = true;
  }
  return changed;
}

// Whether the row at position k can get the rank it lacks by waiting.
bool BlockFactor::betterLater(int k) {
  const int node = order_.order()[at(k)];
  // From a later coordinate, as long as that has any left.
  for (int l = pivot_[at(k)].first; l < pivot_[at(k)].last; ++l) {
    const int c = order_.order()[at(later_[at(l)].position)];
    if (kind_[at(c)] == NodeKind::row || mendRoom_[at(c)] < size_[at(node)]) continue;
    mendRoom_[at(c)] -= size_[at(node)];
    return true;
  }
  if (symmetric_) return false;
  // An equation between multipliers has its pivot from the rows it names.
  for (int q = start_[at(node)]; q < start_[at(node + 1)]; ++q) {
    const int other = neighbour_[at(q)];
    if (kind_[at(other)] == NodeKind::row && order_.position()[at(other)] > k) return true;
  }
  return false;
}

}  // namespace reeve
