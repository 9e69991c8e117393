// Any bytes give a scene or a problem; a scene that was read is the same after writing and reading again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "reeve/scene/scene.h"

namespace {

void require(bool holds, const char* what, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "%s\n%s\n", what, text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto scene = reeve::readScene(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!scene) {
    require(!scene.error().reason.empty(), "a problem without a reason", "");
    return 0;
  }
  const std::string text = reeve::writeScene(*scene);
  const auto again = reeve::readScene(text, "fuzz");
  require(again.has_value(), "what was written cannot be read",
          again ? "" : reeve::problemText("written", again.error()) + "\n" + text);
  require(reeve::equal(*scene, *again), "what was written reads differently", text);
  return 0;
}
