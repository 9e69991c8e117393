#pragma once
#include "reeve/world/observation.h"

namespace reeve::record {

/// J that went from one account of energy into another, each counted once: half of all changes of kinetic energy, that
/// in gravity, the elastic one, and of the work done; what moved at the start was set moving. What remains of a run is
/// judged by it.
class Turnover {
 public:
  explicit Turnover(const EnergyObservation& start) : last_(start), turned_(start.kinetic) {}
  void look(const EnergyObservation& now);
  double turned() const { return turned_; }

 private:
  EnergyObservation last_;
  double turned_;
};

}  // namespace reeve::record
