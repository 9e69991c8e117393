#pragma once
// A strand while it is being built: what will be coordinates is still a place. Internal to the strand.
#include <string>
#include <vector>

#include "reeve/cables/strand/strand.h"

namespace reeve {

struct Strand::Draft {
  std::string path;
  std::vector<Vec3> x;       ///< by node
  std::vector<bool> flows;   ///< by node
  std::vector<Vec2> u;       ///< by node, on its chart
  std::vector<Vec3> v;       ///< by node: start velocity of free ones
  std::vector<bool> slides;  ///< by node: it has parameters of its own
  std::string linkPath(std::size_t link) const { return path + "/route/" + std::to_string(link); }
};

}  // namespace reeve
