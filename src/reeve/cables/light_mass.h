#pragma once
// A cable whose scene gives it no mass, in a model that needs one.
#include "reeve/model/description.h"

namespace reeve {

/// kg/m that hardly tell beside what the cable moves: a thousandth of the lightest body or particle that moves, per
/// meter.
double lightMassPerLength(const Description& scene);

}  // namespace reeve
