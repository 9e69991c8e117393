// Saved states with changed words, whose checksum fits again in half of them: refused, or the world goes on from them.
#include <cstring>

#include "exercise.h"
#include "mutate.h"
#include "support/random_machine.h"

namespace {

struct Saved {
  reeve::Description scene;
  std::string text;
};

/// Of a machine that has run for a while. The last one is kept: most inputs change the state of the same one.
const Saved& savedOf(unsigned which) {
  using namespace reeve;
  static constexpr CableModel models[] = {CableModel::joints, CableModel::strand, CableModel::hoist, CableModel::chain,
                                          CableModel::particles};
  static Saved kept[40];
  Saved& saved = kept[which % 40];
  if (!saved.text.empty()) return saved;
  const test::MachineKind kind{.model = models[which % 5], .spatial = which % 2 == 1};
  saved.scene = test::randomMachine(kind, which % 40);
  auto world = World::build(saved.scene);
  for (int i = 0; i < 30; ++i) world->step();
  saved.text = world->saveState();
  return saved;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reeve;
  if (size < 6) return 0;
  const Saved& saved = savedOf(data[0]);
  test::Dice dice{0};
  std::memcpy(&dice.seed, data + 1, sizeof dice.seed);
  const bool fits = data[5] % 2 == 0;
  const std::string text = fuzz::mutatedState(saved.text, dice, fits);
  auto world = World::build(saved.scene);
  const std::uint64_t before = world->hash();
  const auto restored = world->restoreState(text);
  fuzz::require(restored || world->hash() == before, "a refused state has left something");
  fuzz::require(restored || !restored.error().reason.empty(), "a refusal without a reason");
  fuzz::require(!restored || fits || text == saved.text, "a changed state was taken without a question");
  for (int i = 0; i < 20 && world->verdict().good; ++i) world->step();
  fuzz::lookAtAll(*world);
  return 0;
}
