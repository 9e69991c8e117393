#pragma once
// How far out cable winds on a drum between flanges: layer upon layer.
//
// A layer is n turns wide. The line of the cable runs at the radius r₀ in the first layer and by `rise` further out in
// each that follows. Where one layer is full the cable climbs onto it in the course of one turn. With θ the angle of
// cable on the drum, counted from where its end is fixed, and u = (θ − 2πnk + π)/2π across the k-th change of layers,
//     r(θ) = r₀ + rise (k − 1 + 3u² − 2u³),      ℓ(θ) = ∫ r dθ,
// so r is C¹ and ℓ exact: what is wound on comes off again by the same angle, and torque T r(θ) times the drum's turn
// is tension times the cable that passes. A drum without layers has r(θ) = r₀.
#include "reeve/math/types.h"

namespace reeve {

struct DrumLayers {
  double radius = 0.0;  ///< m, of the first layer, at the line of the cable
  double turns = 0.0;   ///< of cable side by side, a whole number; 0: it winds in one layer for ever
  double rise = 0.0;    ///< m, from layer to layer

  bool many() const { return turns > 0.0; }
  /// Where the cable runs at this angle, m; before the beginning as at it.
  double radiusAt(double angle) const;
  /// Its slope, m/rad.
  double slopeAt(double angle) const;
  /// m of cable between the beginning and this angle; less than nothing before it.
  double lengthAt(double angle) const;
  /// The angle by which so much cable is wound, rad.
  double angleOf(double length) const;
  /// m², mean square of the radius over so much cable, climbs counted with the layer they come from.
  double meanSquareOf(double length) const;
  /// Layers begun, 0 when nothing is wound.
  int countOf(double length) const;

 private:
  /// The change of layers nearest to an angle, counted from 1, and where in it, in [0, 1].
  struct Climb {
    double layer = 0.0;  ///< 0: before the first
    double share = 0.0;
  };
  Climb climbAt(double angle) const;
};

}  // namespace reeve
