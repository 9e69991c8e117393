#pragma once
// A span that hangs at rest, condensed onto its two ends and its length: what is left of the wave where the cable is so
// slack that it hangs beyond its lower end or in a narrow U, which no wave across the chord can show (span_wave.h).
//
// A span of mass m and length L between ends X apart and v above each other hangs in the catenary of
// geometry/hanging.h, at rest: its own motion is left out. With c its parameter, τ₀ and τ₁ the arguments at its ends, w
// = m g/L, τ₁ − τ₀ = 2y:
//      X = c (τ₁ − τ₀),   v = c (cosh τ₁ − cosh τ₀),   L = c (sinh τ₁ − sinh τ₀)                                    (1)
//      H = w c,   V = H sinh τ₁,   T = (m g/L²) c² [(τ₁ − τ₀)/2 + (sinh 2τ₁ − sinh 2τ₀)/4]                          (2)
// are the pull along X, the pull down at the second end, and the mean tension. They are the gradient of the least
// potential energy E(X, v, L) of that mass: E_X = H, E_v = V, E_L = −T. E is convex (the shapes of a chain no longer
// than L are a convex set), so its Hessian is a stiffness, and a cable that hangs has one length for each tension.
#include "reeve/math/types.h"

namespace reeve {

struct HangingSpan {
  double horizontal = 0.0;    ///< H, N
  double vertical = 0.0;      ///< V, N, at the second end
  double tension = 0.0;       ///< T, N
  Mat3 hessian;               ///< of E in (X, v, L)
  double cosine[2] = {1, 1};  ///< of the angle between the cable and the chord, at either end
};

/// weight: m g, N. Needs X > 0 and L > √(X² + v²); a length within 1e-9 of that is taken as that much longer.
HangingSpan hangingSpan(double across, double rise, double length, double weight);

}  // namespace reeve
