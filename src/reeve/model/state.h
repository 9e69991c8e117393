#pragma once
// What changes while stepping: plain, copyable, hashable. Nothing outside it influences a result.
#include <cstdint>
#include <vector>

#include "reeve/math/types.h"
#include "reeve/model/sheet.h"

namespace reeve {

/// Where a row's multiplier stands against its bounds.
enum class Mode : std::int8_t { lower = -1, free = 0, upper = 1 };

/// A contact point that lives on from step to step.
struct ContactMemory {
  std::int64_t key = 0;          ///< pair of shapes and feature
  double normal = 0.0;           ///< N
  Vec3 friction = Vec3::Zero();  ///< N on b, world frame
  Mode mode[3] = {Mode::lower, Mode::free, Mode::free};
};

struct State {
  double time = 0.0;
  std::int64_t steps = 0;
  std::vector<double> q;  ///< positions
  std::vector<double> v;  ///< velocities
  // History of the second-order difference: the increment that led here, momentum here and one step before.
  std::vector<double> u;  ///< rigid: Δx and the rotation vector θ, kept as it was, never taken from a logarithm
  std::vector<double> p;
  std::vector<double> pOld;
  double h = 0.0;  ///< step of that history; 0: there is none
  bool needsVelocityProjection =
      false;                   ///< constraints have changed: velocities follow from the momenta p, with what now holds
  bool impactPending = false;  ///< nodes of little mass were struck: small steps first
  std::vector<double> force;   ///< multipliers by slot, N or N m
  std::vector<Mode> mode;      ///< by slot
  std::vector<double> memory;  ///< what elements remember (rest lengths, winding numbers, work)
  std::vector<Sheet> sheets;   ///< what they remember that is large (waves): see there
  std::vector<ContactMemory> contacts;
};

}  // namespace reeve
