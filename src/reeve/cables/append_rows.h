#pragma once
#include "reeve/model/row.h"

namespace reeve {

/// All rows of a set that an evaluation has written, after those of another.
inline void appendRows(const RowSet& rows, RowSet& out) {
  const int row = static_cast<int>(out.rows.size()), entry = static_cast<int>(out.entries.size());
  for (const Row& r : rows.rows) out.rows.emplace_back(r).first += entry;
  for (const int g : rows.groups) out.groups.push_back(g + row);
  for (const Cross& c : rows.crosses) out.crosses.push_back({c.a + row, c.b + row, c.compliance});
  out.entries.insert(out.entries.end(), rows.entries.begin(), rows.entries.end());
}

}  // namespace reeve
