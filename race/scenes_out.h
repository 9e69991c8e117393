#pragma once
// Scenes of the races as files, for the engines' builds as WebAssembly.
#include <string>

namespace reeve::race {

/// Into `folder`: scenes of Reeve (JSON) and MuJoCo (XML), and races.json, which says what they are judged by. `few`:
/// the small ones. An exit code.
int writeScenes(const std::string& folder, bool few);

}  // namespace reeve::race
