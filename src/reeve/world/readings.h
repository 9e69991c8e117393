#pragma once
// Numbers of a world as arrays, for programs that read many of them in every step: no names, a stable order, no copies.
namespace reeve {

/// Which array. Positions and velocities are the state itself; the others are worked out once per state, when asked
/// for.
enum class Reading {
  positions,    ///< of bodies (center of mass x y z, orientation w x y z), rotors, particles, a cable's own coordinates
  velocities,   ///< of the same: m/s and rad/s, world frame
  coordinates,  ///< of joints: rad or m
  rates,        ///< and how fast they change
  motorForces,  ///< N m or N
  motorPowers,  ///< W
  tensions,     ///< of spans, N; cable by cable as routes are declared. NaN where a span is no more
  lengths,      ///< m
  lengthRates,  ///< m/s
  rests,        ///< rest lengths, m
};
inline constexpr int readingCount = 10;

}  // namespace reeve
