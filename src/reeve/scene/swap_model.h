#pragma once
// One description, another model: the cables of a scene simulated by another word.
#include <expected>
#include <vector>

#include "reeve/world/world.h"

namespace reeve {

/// A world whose cables are of another model than the scene's, and what that changed.
struct ModelSwap {
  World world;
  std::vector<Problem> notes;  ///< fields left out because the model has no use for them, values assumed
};

/// The name of a cable model as scenes write it, "joints".
std::string_view modelName(CableModel model);
/// Every model, in the order of the documentation.
std::span<const CableModel> cableModels();

/// Builds the scene with all its cables in `model`. Fields that this model has no use for are left out and noted; a
/// model that needs a mass gets a light one. The problem says why the model cannot represent the scene.
std::expected<ModelSwap, Problem> swapModel(const Description& scene, CableModel model);

}  // namespace reeve
