#pragma once
// Fields of a cable that would do nothing with its model: whoever wrote one meant something by it.
#include <expected>
#include <string>
#include <string_view>

#include "reeve/model/description.h"
#include "reeve/model/problem.h"

namespace reeve {

/// For every model; `path` is the cable's.
std::expected<void, Problem> refuseIdleFields(const CableSettings& settings, const std::string& path);
/// Sets a field that is idle, "/material/bending", back to what it is unless a scene gives it. False: none that may be.
bool leaveOut(CableSettings& settings, std::string_view field);

}  // namespace reeve
