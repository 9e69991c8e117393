#include "reeve/model/row.h"

namespace reeve {

/// The entry of this block in the row being written; a block appears once, so that solvers need not look for it twice.
Entry& RowSet::entryOf(int block) {
  Row& row = rows.back();
  for (int i = row.first; i < row.first + row.count; ++i)
    if (entries[static_cast<std::size_t>(i)].block == block) return entries[static_cast<std::size_t>(i)];
  Entry& e = entries.emplace_back();
  e.block = block;
  ++row.count;
  return e;
}

void RowSet::entry(int block, const Vec3& linear, const Vec3& angular) {
  Entry& e = entryOf(block);
  for (int k = 0; k < 3; ++k) {
    e.j[k] += linear[k];
    e.j[k + 3] += angular[k];
  }
}

void RowSet::entry(int block, double value) { entryOf(block).j[0] += value; }

}  // namespace reeve
