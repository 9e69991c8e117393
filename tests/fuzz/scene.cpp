// Any bytes give a scene or a problem; a scene that was read is the same after writing and reading again; a world that
// can be built from it runs, can be looked at, saved and restored.
#include <cstring>
#include <string_view>

#include "exercise.h"
#include "mutate.h"

/// Of libFuzzer: any change of the bytes.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most) __attribute__((weak));

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  reeve::test::Dice dice{seed};
  if (LLVMFuzzerMutate && dice.share() < 0.2) return LLVMFuzzerMutate(data, size, most);
  const std::string text = reeve::fuzz::mutatedScene(std::string(reinterpret_cast<const char*>(data), size), dice);
  const std::size_t length = std::min(text.size(), most);
  std::memcpy(data, text.data(), length);
  return length;
}

namespace {

/// Most for a few steps, one in eight for 50: what differs after a restore mostly differs soon, and more scenes show
/// more.
void run(const reeve::Description& scene, std::string_view text) {
  reeve::math::Hasher hasher;
  hasher.add(text);
  const std::uint64_t number = hasher.value();
  const bool longer = number % 8 == 0;
  const int steps = longer ? 50 : 3 + static_cast<int>(number / 8 % 6);
  reeve::fuzz::exercise(scene, steps, static_cast<int>(number / 64 % static_cast<unsigned>(steps)), longer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using reeve::fuzz::require;
  const auto scene = reeve::readScene(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!scene) {
    require(!scene.error().reason.empty(), "a problem without a reason");
    return 0;
  }
  const std::string text = reeve::writeScene(*scene);
  const auto again = reeve::readScene(text, "fuzz");
  require(again.has_value(), "what was written cannot be read",
          again ? "" : reeve::problemText("written", again.error()) + "\n" + text);
  require(reeve::equal(*scene, *again), "what was written reads differently", text);
  if (reeve::fuzz::small(*scene) || reeve::fuzz::hopeless(*scene)) run(*scene, text);
  return 0;
}
