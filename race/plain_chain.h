#pragma once
// A chain as plain numbers, for engines whose headers cannot be beside Reeve's.

namespace reeve::race {

struct PlainLink {
  double place[3], orientation[4];  ///< of the center of mass, world; w x y z
  double mass;
  double inertia[3], anchorBefore[3], anchor[3];  ///< as ChainShape::Link
};
struct PlainChain {
  const PlainLink* links;
  int count;
  double gravity;
  const double *end, *endAnchor;  ///< where the last link is held too, world, and its own point; null: nowhere
};

}  // namespace reeve::race
