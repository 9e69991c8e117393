#include "reeve/model/row.h"

namespace reeve {

void RowSet::entry(int block, const Vec3& linear, const Vec3& angular) {
  Entry& e = entries.emplace_back();
  e.block = block;
  for (int k = 0; k < 3; ++k) {
    e.j[k] = linear[k];
    e.j[k + 3] = angular[k];
  }
  ++rows.back().count;
}

void RowSet::entry(int block, double value) {
  Entry& e = entries.emplace_back();
  e.block = block;
  e.j[0] = value;
  ++rows.back().count;
}

}  // namespace reeve
