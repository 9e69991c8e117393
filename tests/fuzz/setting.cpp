// Strings of the command line that change a scene, --set PATH=VALUE: another scene, or a reason.
#include <string_view>

#include "command.h"
#include "exercise.h"
#include "set_value.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reeve;
  static const std::string scene =
      R"({"reeve": 1, "bodies": {"load": {"mass": 2, "position": [0, 0, 1]}}, "cables": {"rope": {"route": [{"type": "attach", "point": [0, 0, 2]}, {"type": "attach", "on": "load"}]}}})";
  if (size > 2000) return 0;
  try {
    const std::string text = command::withValue("fuzz", scene, std::string(reinterpret_cast<const char*>(data), size));
    const auto read = readScene(text, "fuzz");
    fuzz::require(read || !read.error().reason.empty(), "a problem without a reason", text);
    if (read && fuzz::small(*read)) fuzz::exercise(*read, 5, 2);
  } catch (const command::Failure& failure) {
    fuzz::require(failure.what()[0] != '\0', "a failure without words");
  }
  return 0;
}
