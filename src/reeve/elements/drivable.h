#pragma once
#include "reeve/model/full_stiffness.h"

namespace reeve {

/// A single coordinate that a motor, a brake or friction can act on: hinge angle, slider travel, rotor spin.
class Drivable {
 public:
  virtual ~Drivable() = default;
  virtual double coordinate(const Instant& now) const = 0;
  virtual double coordinateRate(const Instant& now) const = 0;
  /// Writes the Jacobian entries of the coordinate into the row being built.
  virtual void pushCoordinate(const Instant& now, RowSet& out) const = 0;
  /// Whether it can write the two below.
  virtual bool hasFullStiffness() const { return false; }
  /// What a force on the coordinate changes with position.
  virtual void coordinateStiffness(const Instant& /*now*/, double /*force*/, FullStiffness& /*out*/) const {}
  /// What the coordinate's own gradient has that pushCoordinate() has not, times a factor, for a row.
  virtual void coordinateLaw(const Instant& /*now*/, double /*factor*/, int /*slot*/, FullStiffness& /*out*/) const {}
};

/// Two rows at firstSlot and firstSlot + 1 of the open group: a force up to `holding` that resists motion, and a
/// viscous one.
void resistanceRows(const Instant& now, const Drivable& axis, double holding, double viscous, int firstSlot,
                    RowSet& out);

}  // namespace reeve
