#pragma once
#include <string>

namespace reeve {

/// What is wrong with a scene, where, and what to do about it. Errors are values throughout the core.
struct Problem {
  std::string path;    ///< JSON pointer-like place, "/joints/elbow/axis"; empty for the whole scene
  std::string reason;  ///< what was found and what was expected
  std::string remedy;  ///< what would work
  int line = 0;        ///< 1-based position in the file; 0 where unknown
  int column = 0;
};

}  // namespace reeve
