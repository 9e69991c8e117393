#pragma once
// What a chain over wheels remembers from step to step, as structs of plain numbers over State::memory: one for every
// segment of its pool, for every span, for both ends of every span, and for every link.
#include "reeve/model/typed_memory.h"

namespace reeve {

struct RouteSegmentMemory {
  double twist = 0.0;   ///< rad, of the joint behind it, so that turns are counted
  Whole before, after;  ///< segments of the same span; -1: none
  Flag awake;           ///< part of a span; else it lies on a wheel, or is spare
};

struct RouteSpanMemory {
  Whole first, last;  ///< segments
};

struct RouteEndMemory {
  double offset = 0.0;  ///< m: where its segment touches, from its middle, at flow and angle 0
  double angle = 0.0;   ///< rad, of the tangent about the axle, turns counted
  Triple bias;          ///< m: by how much a kink missed the rim when its segment came to touch; fades
};

struct RouteLinkMemory {
  double turn = 0.0;   ///< rad, of what carries the wheel about the axle: wheels that spin by themselves
  double grip = 0.0;   ///< m: flow less what the wheel's surface has moved, at the start
  double wound = 0.0;  ///< m: of a drum, what its first layer would hold of this many turns at flow and angle 0
  Whole held;          ///< whole segments that lie on it; -1: one segment is in both spans
  Whole end;           ///< -1: all is paid out, 1: no more can be wound up
};

}  // namespace reeve
