#pragma once
// The mass of a cable that has none, where a model cannot do without.
#include "reeve/model/description.h"

namespace reeve {

/// kg/m: so light that it changes little. A thousandth of the lightest thing that moves, per meter; where the cable
/// runs over k links that move it goes up to n = 1 + 2 k times as fast as what it holds, and is n² times lighter.
double lightMassPerLength(const Description& scene, const CableSettings& cable);

}  // namespace reeve
