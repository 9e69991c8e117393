#pragma once
// The moving tackle and the chain in Simbody, as plain numbers: its headers are C++17, Reeve's are not.
#include <memory>
#include <string>

#include "plain_chain.h"
#include "race.h"

namespace reeve::race {

/// Empty without Simbody.
std::string simbodyVersion();

struct SimbodyTackleShape {
  int sheaves;
  double radius, load, weight, drop, gravity;  ///< m, kg, kg, m, m/s²
};
/// A cable spring through points at the axles. Null without Simbody.
std::unique_ptr<Runner> startSimbodyTackle(const SimbodyTackleShape& shape, double dt);

class SimbodyChain {
 public:
  virtual ~SimbodyChain() = default;
  virtual bool step() = 0;
  virtual void poses(double* seven) const = 0;  ///< position and quaternion w x y z of each link
  virtual double energy() = 0;                  ///< J
};
/// Links as a tree on ball joints. Null without Simbody.
std::unique_ptr<SimbodyChain> startSimbodyChain(const PlainChain& chain, double dt);

}  // namespace reeve::race
