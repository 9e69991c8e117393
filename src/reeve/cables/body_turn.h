#pragma once
// How far a body has turned about the normal of a link's plane, for what rolls off the link in a step.
#include <vector>

#include "reeve/geometry/wrap.h"
#include "reeve/model/instant.h"

namespace reeve {

/// The turn [rad] of a rigid block about `plane.normal` (body frame) since the positions `before`. A prescribed body
/// need not turn about that axis alone, so there it is read off the two poses, and what it was told only tells whole
/// turns.
double bodyTurn(const Instant& now, const std::vector<double>& before, int block, const LinkFrame& plane);

}  // namespace reeve
