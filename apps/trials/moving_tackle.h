#pragma once
// The machine people build most: a tackle whose blocks move. Steps are timed with it, and other engines raced.
#include "reeve/model/description.h"

namespace reeve::trials {

/// n sheaves that turn (n even), every other one on a beam that moves along a vertical rail, and a weight on the fall:
/// scenes/compound-pulley.json for any n, as strands.py makes it, with the cable as `model`. The weight is heavier than
/// balance by the share `extra`.
struct Tackle {
  int sheaves = 16;
  CableModel model = CableModel::joints;
  double extra = 0.0;

  static constexpr double radius = 0.05;   ///< m, of a sheave
  static constexpr double inertia = 1e-3;  ///< kg m², of a sheave
  static constexpr double load = 1000.0;   ///< kg, the beam
  static constexpr double drop = 1.0;      ///< m, the beam below the fixed axles
  static constexpr double gravity = 10.0;  ///< m/s²
  static constexpr double density = 0.1;   ///< kg/m, of the cable where its model has mass
  static constexpr double dt = 1.0 / 100;  ///< s
  double weight() const;                   ///< kg
  /// m/s², of the weight downward with a massless cable: with the beam's speed v sheave k turns at (k + 1) v / r and
  /// the weight falls at n v. `turning` false: the sheaves have no inertia.
  double acceleration(bool turning) const;
};
Description movingTackle(const Tackle& tackle);

}  // namespace reeve::trials
