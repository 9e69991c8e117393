#pragma once
// A saved state in a scene that has changed since.
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "reeve/world/world.h"

namespace reeve {

/// What was found in a state of another scene: "bodies.hook", "cables.rope".
struct Takeover {
  std::vector<std::string> taken;
  std::vector<std::string> left;  ///< of this scene, as it is at its start
};

/// Takes over into a world at its start what a state has under the same names and in the same size. Time and velocities
/// go on; contacts, and the history of the second-order difference, begin anew.
std::expected<Takeover, Problem> takeOver(World& world, std::string_view text);

}  // namespace reeve
