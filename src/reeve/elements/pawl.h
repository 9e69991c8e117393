#pragma once
// A one-way clutch or ratchet on a coordinate x. With y = ±x, the way it may move:
//   y ≥ tooth,   tooth = the highest multiple of the pitch that y has passed, or y itself if there are no teeth.
// It is a limit of the coordinate that moves along, so it holds to rounding however long it holds.
#include "reeve/elements/drivable.h"
#include "reeve/model/machinery.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

struct PawlMemory {
  double tooth = 0.0;  ///< rad or m, of y
};

class Pawl {
 public:
  Pawl(OneWay way, double pitch) : way_(way), pitch_(pitch) {}
  bool there() const { return way_ != OneWay::off; }
  /// The tooth at a coordinate.
  double toothAt(double coordinate) const;
  /// A row of the open group that keeps the coordinate beyond the tooth.
  void row(const Instant& now, const Drivable& axis, const PawlMemory& memory, int slot, RowSet& out) const;
  /// After a step: it has fallen in at the tooth that was passed last. Lifted, it follows.
  void pass(double coordinate, bool lifted, PawlMemory& memory) const;

 private:
  double sign() const { return way_ == OneWay::negative ? -1.0 : 1.0; }
  OneWay way_;
  double pitch_;
};

}  // namespace reeve
