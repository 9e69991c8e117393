#pragma once
// The moving tackle in Simbody, as plain numbers: its headers are C++17, Reeve's are not.
#include <memory>
#include <string>

#include "race.h"

namespace reeve::race {

struct SimbodyTackleShape {
  int sheaves;
  double radius, load, weight, drop, gravity;  ///< m, kg, kg, m, m/s²
};
/// A cable spring through points at the axles. Null without Simbody.
std::unique_ptr<Runner> startSimbodyTackle(const SimbodyTackleShape& shape, double dt);
/// Empty without Simbody.
std::string simbodyVersion();

}  // namespace reeve::race
