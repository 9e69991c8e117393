#pragma once
// One description, another model: the cables of a scene simulated by another word.
#include <expected>
#include <vector>

#include "reeve/world/world.h"

namespace reeve {

/// A world, and what of its scene was assumed or left out.
struct NotedWorld {
  World world;
  std::vector<Problem> notes;  ///< fields that a model has no use for, with what would use them; values assumed
};

/// Builds a scene as it is written. A field that the model of its cable has no use for is left out and noted, a model
/// that needs a mass gets a light one; refused is what would make another machine of it.
std::expected<NotedWorld, Problem> buildNoting(Description scene);

/// The name of a cable model as scenes write it, "joints".
std::string_view modelName(CableModel model);
/// Every model, in the order of the documentation.
std::span<const CableModel> cableModels();

/// Builds the scene with all its cables in `model`, noting as above. The problem says why the model cannot represent
/// the scene.
std::expected<NotedWorld, Problem> swapModel(const Description& scene, CableModel model);

}  // namespace reeve
