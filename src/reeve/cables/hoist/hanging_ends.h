#pragma once
// A span that hangs at rest between two places: what its closed form (lying_span.h) means for them. Shared by hoist
// cables and by waves on cables of joints.
#include "reeve/cables/hoist/lying_span.h"

namespace reeve {

/// Where the ends of a span that hangs lie.
struct HangingEnds {
  Vec3 up = Vec3::UnitZ(), way = Vec3::Zero();  ///< against gravity; level, from the first end towards the second
  double across = 0.0, rise = 0.0;              ///< m, between the ends
  double width = 0.0, chord = 0.0;  ///< m, the same with ends above each other kept apart, and the distance then
};
/// length: of the span, m; ends above each other are taken as a thousandth of it apart.
HangingEnds hangingEnds(const Vec3& first, const Vec3& second, const Vec3& gravity, double length);

/// Whether a span of this length between these ends hangs too steeply for a wave across its chord (−1), flat enough for
/// one (1), or in between.
int steepnessOf(const HangingEnds& ends, double length);

/// What the curve does to its ends, and how its length follows them at a constant tension.
struct HangingPull {
  Vec3 on[2];    ///< N, on either end
  Vec3 pull[2];  ///< of the length by the place of either end
  Mat3 stiffness[2], between;
};
/// give: m/N, of the lengths of `count` spans together that share what they have equally.
HangingPull hangingPull(const HangingEnds& ends, const LyingSpan& span, double give, double count = 1.0);

/// J, the potential energy of a span that hangs free, above that of its mass at the first end. weight: m g, N.
double hangingEnergy(const HangingEnds& ends, double length, double weight);

}  // namespace reeve
