#pragma once
// What there is to be observed in a world, and in which unit.
#include <string>
#include <vector>

#include "reeve/world/world.h"

namespace reeve {

/// "m", "N", "rad/s"; empty for a plain number. What of a joint or motor depends on whether it turns or slides.
std::string unitOf(const World& world, const Observable& observable);

/// Every path that World::resolve takes here and now: those of a trajectory (World::paths), and what follows from them
/// or costs more than a look, such as powers and rates, and all that links of cables have.
std::vector<std::string> everyPath(const World& world);

}  // namespace reeve
