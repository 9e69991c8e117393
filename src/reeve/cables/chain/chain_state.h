#pragma once
// What a chain remembers from step to step, as structs of plain numbers over State::memory: for each joint a
// JointMemory, of chains whose segments are felt or come and go a PoolMemory after it, of those whose joints change
// their stiffness a GainMemory after that; and at the end that of the drum.
#include "reeve/model/typed_memory.h"

namespace reeve {

struct ChainJointMemory {
  double twist = 0.0;  ///< rad, so that turns are counted
  Flag broken;
};

struct ChainPoolMemory {
  Flag touched;         ///< one of its segments has a contact
  Whole before, after;  ///< the segments it joins now; -1: none
};

struct ChainGainMemory {
  double bend = 1.0, twist = 1.0;  ///< of the stiffness
  double account = 0.0;            ///< SegmentJoint's Gain::account
};

struct ChainDrumMemory {
  Whole held;           ///< the segment it holds
  double offset = 0.0;  ///< m: of that segment where drum angle and tangent angle are 0
  double angle = 0.0;   ///< rad, of the tangent
  Whole end;            ///< ChainCable::Tangent::end
};

}  // namespace reeve
