#pragma once
// What changes while stepping: plain, copyable, hashable. Nothing outside it influences a result.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "reeve/math/types.h"
#include "reeve/model/accounts.h"
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

/// A number of the scene that a program has changed, or a command it has given (model/parameter.h): the value that
/// holds from then on.
struct Override {
  std::int64_t key = 0;
  double value = 0.0;
};

/// What a program pushes a block with. Of a rotor the first number of a torque counts, about its axle.
struct Push {
  int block = 0;
  bool follows = false;                                                 ///< what is held turns with the body
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero(), at = Vec3::Zero();  ///< held: N, N m; from the center of mass
  Vec3 onceForce = Vec3::Zero(), onceTorque = Vec3::Zero();  ///< of the coming step alone, world frame, at the center
  Vec3 lastForce = Vec3::Zero(), lastTorque = Vec3::Zero();  ///< both together in the step before, at the center
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
  std::vector<Override> overrides;  ///< sorted by key
  std::vector<Push> pushes;         ///< sorted by block
  Accounts accounts;                ///< what has done work so far; no part of the hash: it follows from the rest
};

/// The override of a key, or null.
inline const Override* findOverride(const State& state, std::int64_t key) {
  const auto it = std::lower_bound(state.overrides.begin(), state.overrides.end(), key,
                                   [](const Override& o, std::int64_t k) { return o.key < k; });
  return it != state.overrides.end() && it->key == key ? &*it : nullptr;
}
inline void setOverride(State& state, std::int64_t key, double value) {
  const auto it = std::lower_bound(state.overrides.begin(), state.overrides.end(), key,
                                   [](const Override& o, std::int64_t k) { return o.key < k; });
  if (it != state.overrides.end() && it->key == key)
    it->value = value;
  else
    state.overrides.insert(it, Override{key, value});
}
inline void dropOverride(State& state, std::int64_t key) {
  std::erase_if(state.overrides, [&](const Override& o) { return o.key == key; });
}
/// The value that holds now: what a program has set, otherwise what the scene says.
inline double chosen(const State& state, std::int64_t key, double declared) {
  if (state.overrides.empty()) return declared;
  const Override* found = findOverride(state, key);
  return found ? found->value : declared;
}

}  // namespace reeve
