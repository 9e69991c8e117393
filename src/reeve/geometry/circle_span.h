#pragma once
// A span between two circles in one plane, the common case of geometry/tangent_span.h, in closed form and without
// anything that polygons or skew planes would need: tackles have thousands of them.
#include "reeve/geometry/tangent_span.h"

namespace reeve {

struct CircleSpan {
  double length = 0.0;  ///< m
  Vec3 n;               ///< from link 1 to link 2; the running direction on both rims
  Vec3 arm[2];          ///< from each centre to the contact, m
  Vec3 moment[2];       ///< gradient of the length for turns about each centre: arm × ∓n
  Vec2 facing[2];       ///< outward normal at each contact in its link's plane: cosine and sine of its angle
};

/// One of its ends, by reference: a wheel has no more to say.
struct CircleLink {
  const LinkFrame& frame;
  double radius;
  int sigma;
};

/// False where the planes do not coincide (to 1e-9) or there is no tangent: spanBetween() then tells which.
bool circleSpan(const CircleLink& link1, const CircleLink& link2, CircleSpan& out);

}  // namespace reeve
