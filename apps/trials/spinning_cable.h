#pragma once
// What becomes of the angular momentum of a free cable that spins, straight, about its middle.
//
// Every projection acts along the line between its particles and takes no angular momentum; the step does. With
// v = (x₊ − x)/h and x₊ = x + h v set back to its radius, a step turns by φ₊ where the one before turned by φ:
//   tan φ₊ = sin φ/(2 − cos φ),   L₊/L = sin φ₊/sin φ = 1/√(5 − 4 cos φ) ≈ 1 − φ²
// so that jakobsen, pbd and xpbd, rigid and converged, lose L at the rate h ω² (ω the spin): first order in the step.
// Explicit springs pull along the line at the start of the step and lose none: (x + h v₊) × v₊ = x × v₊.
#include <expected>

#include "reeve/world/world.h"

namespace reeve::trials {

struct Spin {
  double lost = 0.0;      ///< share of the angular momentum about the middle, after 1 s at 2 rad/s
  double foretold = 0.0;  ///< the same by the recursion above
  double drift = 0.0;     ///< kg m/s, change of the linear momentum
};
std::expected<Spin, Problem> measureSpin(ParticleWay way, double dt);

}  // namespace reeve::trials
