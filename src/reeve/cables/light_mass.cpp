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

/// Whether what carries a link moves by itself.
bool carrierMoves(const Description& d, const std::string& on) {
  for (const auto& [name, rotor] : d.rotors)
    if (name == on) return carrierMoves(d, rotor.on);
  for (const auto& [name, body] : d.bodies)
    if (name == on) return body.motion == BodyMotion::dynamic;
  return std::ranges::any_of(d.particles, [&](const auto& particle) { return particle.first == on; });
}

}  // namespace

double lightMassPerLength(const Description& scene, const CableSettings& cable) {
  double faster = 1.0;
  for (const LinkSettings& link : cable.route)
    if (link.type != LinkType::attach && carrierMoves(scene, link.on)) faster += 2.0;
  return lightShare * lightestMass(scene) / (faster * faster);
}

}  // namespace reeve
