#include "reeve/elements/drivable.h"

namespace reeve {

void resistanceRows(const Instant& now, const Drivable& axis, double holding, double viscous, int firstSlot,
                    RowSet& out) {
  if (holding > 0.0) {
    Row& row = out.add(firstSlot);
    row.level = Level::velocity;
    row.work = Work::friction;
    row.lower = -holding;
    row.upper = holding;
    axis.pushCoordinate(now, out);
  }
  if (viscous > 0.0) {
    Row& row = out.add(firstSlot + 1);
    row.level = Level::velocity;
    row.work = Work::damping;
    row.compliance = 1.0 / viscous;
    axis.pushCoordinate(now, out);
  }
}

}  // namespace reeve
