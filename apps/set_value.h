#pragma once
// --set bodies.load.mass=2t: changes values of a scene before it is read.
#include <string>

namespace reeve::command {

/// The text of a scene with the value at a dotted path replaced, or added where the scene leaves it out. `file` is for
/// messages. A value that is no JSON is taken as a text: 2t is "2 t".
std::string withValue(const std::string& file, const std::string& text, const std::string& assignment);

}  // namespace reeve::command
