#pragma once
// Cable models as they are named on the command line.
#include <string>
#include <vector>

#include "reeve/model/description.h"

namespace reeve::command {

/// "joints,strand", each once, in that order; all of them for an empty text. A word that is none is a Failure.
std::vector<CableModel> modelsNamed(const std::string& list);

}  // namespace reeve::command
