#include "reeve/geometry/drum_layers.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/scalar.h"

namespace reeve {

namespace {
constexpr double wholeTurn = 2.0 * math::pi;
}  // namespace

DrumLayers::Climb DrumLayers::climbAt(double angle) const {
  if (!many() || angle <= 0.0) return {};
  const double layer = std::floor(angle / (wholeTurn * turns) + 0.5);
  if (layer < 1.0) return {};
  return {layer, std::clamp((angle - wholeTurn * turns * layer) / wholeTurn + 0.5, 0.0, 1.0)};
}

double DrumLayers::radiusAt(double angle) const {
  const Climb c = climbAt(angle);
  if (c.layer == 0.0) return radius;
  return radius + rise * (c.layer - 1.0 + c.share * c.share * (3.0 - 2.0 * c.share));
}

double DrumLayers::slopeAt(double angle) const {
  const Climb c = climbAt(angle);
  return c.layer == 0.0 ? 0.0 : rise * 6.0 * c.share * (1.0 - c.share) / wholeTurn;
}

/// Full layers below the climb, what has been climbed, and what lies beyond it at the radius that holds there.
double DrumLayers::lengthAt(double angle) const {
  const Climb c = climbAt(angle);
  if (c.layer == 0.0) return radius * angle;
  const double u = c.share, begins = wholeTurn * (turns * c.layer - 0.5), below = c.layer - 1.0;
  const double before = radius * begins + rise * (wholeTurn * turns * 0.5 * below * (below + 1.0) - math::pi * below);
  const double climbed = wholeTurn * (u * (radius + rise * below) + rise * u * u * u * (1.0 - 0.5 * u));
  if (u < 1.0) return before + (u > 0.0 ? climbed : (angle - begins) * (radius + rise * below));
  return before + climbed + (angle - begins - wholeTurn) * (radius + rise * c.layer);
}

double DrumLayers::angleOf(double length) const {
  if (!many() || length <= 0.0) return length / radius;
  // Convex, and linear between climbs: from the right Newton comes down to it, and cannot pass it.
  double angle = length / radius;
  constexpr int most = 60;
  for (int k = 0; k < most; ++k) {
    const double next = angle - (lengthAt(angle) - length) / radiusAt(angle);
    if (!(std::fabs(next - angle) > 1e-15 * angle)) return next;
    angle = next;
  }
  return angle;
}

double DrumLayers::meanSquareOf(double length) const {
  if (!many() || !(length > 0.0)) return radius * radius;
  double sum = 0.0, left = length, r = radius;
  for (double full = wholeTurn * turns * r; left > full; full = wholeTurn * turns * r) {
    sum += full * r * r;
    left -= full;
    r += rise;
  }
  return (sum + left * r * r) / length;
}

int DrumLayers::countOf(double length) const {
  if (!(length > 0.0)) return 0;
  return many() ? 1 + static_cast<int>(angleOf(length) / (wholeTurn * turns)) : 1;
}

}  // namespace reeve
