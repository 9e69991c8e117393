#pragma once
// Which points of a contact between faces take part. Of the eight corners of two turned faces any four hold as well as
// others; which lie farthest out, or deepest, changes with every rounding. A body at rest would find itself on other
// points in every step, with forces that begin anew, and never come to rest. So points that are known stay.
#include <array>

#include "reeve/geometry/collide.h"

namespace reeve {

/// Keeps the points that are known, if they are so many and hold as well as any others: none lies more than a tenth of
/// the width outside, or a micrometre deeper. False: they do not, and nothing is changed.
bool keepPoints(Manifold& manifold, const std::array<bool, Manifold::capacity>& known, int most);

}  // namespace reeve
