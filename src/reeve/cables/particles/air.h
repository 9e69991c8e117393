#pragma once
// Air drag along a cable (Amiragov 2020, section 5.2, left open there): per metre of a cable of diameter D,
//   f = −½ ρ D (c_n |v_n| v_n + π c_t |v_t| v_t),   v the velocity against the air, v_t its part along the cable.
// Taken implicitly in its size, v ← v/(1 + h k|v|/m): light particles in a strong wind take on its speed, never more.
#include "reeve/cables/particles/bundle.h"

namespace reeve::particles {

struct Air {
  double across = 0.0, along = 0.0;  ///< c_n, c_t
  double density = 1.225;            ///< ρ, kg/m³
  double diameter = 0.01;            ///< D, m
  bool still() const { return across <= 0.0 && along <= 0.0; }
};

void blow(Points& points, int first, int count, const Air& air, const Vec3& wind, double h);
/// The same for particles that are held: it is their bodies that are pushed. After the bodies are predicted.
void blowHeld(Bundle& bundle, int first, int count, const Air& air, const Vec3& wind, double h);

}  // namespace reeve::particles
