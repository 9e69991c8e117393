#pragma once
#include "reeve/model/element.h"

namespace reeve {

/// A single coordinate that a motor, a brake or friction can act on: hinge angle, slider travel, rotor spin.
class Drivable {
 public:
  virtual ~Drivable() = default;
  virtual double coordinate(const Instant& now) const = 0;
  virtual double coordinateRate(const Instant& now) const = 0;
  /// Writes the Jacobian entries of the coordinate into the row being built.
  virtual void pushCoordinate(const Instant& now, RowSet& out) const = 0;
};

/// Two rows at firstSlot and firstSlot + 1 of the open group: a force up to `holding` that resists motion, and a
/// viscous one.
void resistanceRows(const Instant& now, const Drivable& axis, double holding, double viscous, int firstSlot,
                    RowSet& out);

}  // namespace reeve
