#include "reeve/elements/pawl.h"

#include <algorithm>
#include <cmath>

namespace reeve {

double Pawl::toothAt(double coordinate) const {
  const double y = sign() * coordinate;
  constexpr double rounding = 1e-9;  // of a pitch: a tooth that is just reached counts
  return pitch_ > 0.0 ? std::floor(y / pitch_ + rounding) * pitch_ : y;
}

void Pawl::row(const Instant& now, const Drivable& axis, const PawlMemory& memory, int slot, RowSet& out) const {
  Row& row = out.add(slot);
  row.error = axis.coordinate(now) - sign() * memory.tooth;
  (way_ == OneWay::positive ? row.lower : row.upper) = 0.0;
  axis.pushCoordinate(now, out);
}

void Pawl::pass(double coordinate, bool lifted, PawlMemory& memory) const {
  const double tooth = toothAt(coordinate);
  memory.tooth = lifted ? tooth : std::max(memory.tooth, tooth);
}

}  // namespace reeve
