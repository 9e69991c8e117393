#pragma once
#include <expected>
#include <string>
#include <utility>

namespace reeve {

/// What is wrong with a scene, where, and what to do about it. Errors are values throughout the core.
struct Problem {
  std::string path;    ///< JSON pointer-like place, "/joints/elbow/axis"; empty for the whole scene
  std::string reason;  ///< what was found and what was expected
  std::string remedy;  ///< what would work
  int line = 0;        ///< 1-based position in the file; 0 where unknown
  int column = 0;
  bool inapplicable = false;  ///< the field at `path` has no effect in this model: the scene works without it
};

/// Nothing, or what is wrong.
using Done = std::expected<void, Problem>;

/// What a function that gives a value or a Problem returns for the latter.
inline std::unexpected<Problem> wrong(std::string path, std::string reason, std::string remedy) {
  return std::unexpected(Problem{std::move(path), std::move(reason), std::move(remedy)});
}

}  // namespace reeve
