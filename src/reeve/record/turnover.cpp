#include "reeve/record/turnover.h"

#include <cmath>

namespace reeve::record {

void Turnover::look(const EnergyObservation& now) {
  static constexpr double EnergyObservation::*accounts[] = {&EnergyObservation::kinetic,  &EnergyObservation::potential,
                                                            &EnergyObservation::elastic,  &EnergyObservation::motors,
                                                            &EnergyObservation::moved,    &EnergyObservation::applied,
                                                            &EnergyObservation::friction, &EnergyObservation::damping,
                                                            &EnergyObservation::drag,     &EnergyObservation::impacts};
  for (const auto account : accounts) turned_ += 0.5 * std::fabs(now.*account - last_.*account);
  last_ = now;
}

}  // namespace reeve::record
