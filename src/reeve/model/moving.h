#pragma once
// What moves, gathered from the blocks once for a layout: a step goes over its coordinates a few dozen times, and most
// of them are plain numbers for which it need not ask their block.
#include <cstdint>
#include <span>
#include <vector>

#include "reeve/model/model.h"

namespace reeve {

struct Moving {
  /// Neighbouring free coordinates, from `v` in State::v on.
  struct Run {
    int v = 0;
    int q = 0;  ///< where they are in State::q; of plain ones only
    int count = 0;
  };
  /// A block's place in State::v, in as little room as may be.
  struct Place {
    int v = 0;
    std::int16_t dof = 0;
    bool free = false;
  };
  std::vector<Place> place;   ///< by block
  std::vector<Run> free;      ///< all of them
  std::vector<Run> plain;     ///< those that are no part of a rotation: neighbours in State::q too
  std::vector<int> turning;   ///< free blocks that rotate
  std::vector<int> rotating;  ///< blocks that rotate, free or not
  std::vector<int> weighing;  ///< free blocks with weight
  std::vector<double> mass;   ///< by State::v index, of plain coordinates; 0 elsewhere
  bool massless = false;      ///< some are next to it
  double weighed = 0.0;       ///< kg, of the blocks with weight
  void gather(std::span<const Block> blocks);
};

}  // namespace reeve
