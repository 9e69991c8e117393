#pragma once
// What ParticleSystem works on. Internal to it.
#include "reeve/cables/particles/air.h"
#include "reeve/cables/particles/particle_system.h"
#include "reeve/cables/particles/restraint.h"

namespace reeve {

struct ParticleSystem::Work {
  particles::Bundle bundle;
  std::vector<particles::Line> lines;
  particles::Touching touching;
  particles::Restraints restraints;
  std::vector<particles::Air> airs;
  std::vector<double> held;        ///< by link of all cables: what the arrangement was made for
  std::vector<double> tensions;    ///< by particle, summed over the substeps
  std::vector<Vec3> kept;          ///< velocities before the substep, of mounts
  Instant ahead;                   ///< where prescribed bodies will be
  std::vector<Vec3> travel, turn;  ///< of prescribed bodies in a substep
  double step = 0.0;               ///< s, of the step that was last gone through, and what was done in it
  double blown = 0.0, dragged = 0.0, lost = 0.0;  ///< J: by the moving air, by drag, by damping
  double struck = 0.0, rubbed = 0.0, led = 0.0;   ///< J: by blows and friction of contacts; by bodies that are told
  bool arranged = false;
  int iterations = 1;
};

}  // namespace reeve
