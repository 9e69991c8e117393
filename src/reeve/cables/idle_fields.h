#pragma once
// Fields of a cable that would do nothing with its model: whoever wrote one meant something by it.
#include <expected>
#include <string>

#include "reeve/model/description.h"
#include "reeve/model/problem.h"

namespace reeve {

/// For every model; `path` is the cable's.
std::expected<void, Problem> refuseIdleFields(const CableSettings& settings, const std::string& path);

}  // namespace reeve
