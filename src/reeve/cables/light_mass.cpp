#include "reeve/cables/light_mass.h"

#include <algorithm>

namespace reeve {

namespace {

constexpr double lightShare = 1e-3;

/// kg: the lightest body or particle that moves by itself; 1 if none says.
double lightestMass(const Description& d) {
  double lightest = unbounded;
  for (const auto& [name, body] : d.bodies)
    if (body.motion == BodyMotion::dynamic && body.mass.value_or(0.0) > 0.0) lightest = std::min(lightest, *body.mass);
  for (const auto& [name, particle] : d.particles)
    if (particle.mass > 0.0) lightest = std::min(lightest, particle.mass);
  return lightest < unbounded ? lightest : 1.0;
}

}  // namespace

double lightMassPerLength(const Description& scene) { return lightShare * lightestMass(scene); }

}  // namespace reeve
