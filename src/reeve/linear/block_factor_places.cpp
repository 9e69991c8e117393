// BlockFactor: where the products of a pivot go, worked out once for a pattern.
#include <algorithm>

#include "reeve/linear/block_factor.h"

namespace reeve {

// Where the columns of p's panel from its later node l on belong in the panel of that node. The nodes after l in p are
// among those of l, in the same order.
int BlockFactor::findRuns(const Pivot& p, int l) {
  const Later& target = later_[at(l)];
  const Pivot& t = pivot_[at(target.position)];
  int runs = 0;
  Run run{target.column, 0, target.size};
  int q = t.first;
  for (int j = l + 1; j < p.last; ++j) {
    const int wanted = later_[at(j)].position;
    if (later_[at(q)].position != wanted) {
      for (int tries = 0; later_[at(q)].position < wanted; ++q) {
        if (++tries < 8) continue;
        q = static_cast<int>(std::lower_bound(later_.begin() + q, later_.begin() + t.last, wanted,
                                              [](const Later& a, int w) { return a.position < w; }) -
                             later_.begin());
        break;
      }
    }
    const Later& to = later_[at(q++)];
    if (to.column == run.to + run.width) {
      run.width += to.size;
    } else {
      run_[at(runs++)] = run;
      run = {later_[at(j)].column, to.column, to.size};
    }
  }
  run_[at(runs++)] = run;
  return runs;
}

// Pivots with few later nodes, most of a cable, have their runs worked out once for the pattern.
void BlockFactor::keepRuns() {
  constexpr int few = 12;
  keptRun_.clear();
  for (Pivot& p : pivot_) {
    p.runs = -1;
    if (p.last - p.first > few) continue;
    p.runs = static_cast<int>(keptRun_.size());
    for (int l = p.first; l < p.last; ++l) {
      const int runs = findRuns(p, l);
      for (int q = 0; q < runs; ++q) {
        keptRun_.push_back(run_[at(q)]);
        keptRun_.back().left = runs - 1 - q;
      }
    }
  }
}

void BlockFactor::keepPlaces() {
  place_.clear();
  for (Pivot& p : pivot_) {
    p.places = -1;
    if (p.size > 1 || p.runs < 0) continue;
    p.places = static_cast<int>(place_.size());
    for (int l = p.first; l < p.last; ++l) {
      const Pivot& t = pivot_[at(later_[at(l)].position)];
      place_.push_back(static_cast<int>(t.panel));
      int q = t.first;
      for (int j = l + 1; j < p.last; ++j) {
        while (later_[at(q)].position != later_[at(j)].position) ++q;
        place_.push_back(static_cast<int>(t.panel) + later_[at(q)].column);
      }
    }
  }
}

}  // namespace reeve
