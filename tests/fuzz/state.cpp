// Saved states with changed words, whose checksum fits again in half of them: refused, or the world goes on from them.
#include <cstring>
#include <optional>

#include "exercise.h"
#include "mutate.h"
#include "support/random_machine.h"

namespace {

struct Saved {
  std::optional<reeve::World> world;
  std::string text;
};

/// Machines that have run for a while, kept: to build one takes longer than all that is done with it.
Saved& savedOf(unsigned which) {
  using namespace reeve;
  static constexpr CableModel models[] = {CableModel::joints, CableModel::strand, CableModel::hoist, CableModel::chain,
                                          CableModel::particles};
  static Saved kept[40];
  Saved& saved = kept[which % 40];
  if (saved.world) return saved;
  const test::MachineKind kind{.model = models[which % 5], .spatial = which % 2 == 1};
  saved.world.emplace(std::move(*World::build(test::randomMachine(kind, which % 40))));
  const fuzz::Budget budget(1.0);
  budget.watch(*saved.world);
  for (int i = 0; i < 30 && !budget.over(); ++i) saved.world->step();
  saved.text = saved.world->saveState();
  return saved;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reeve;
  if (size < 6) return 0;
  Saved& saved = savedOf(data[0]);
  World& world = *saved.world;
  test::Dice dice{0};
  std::memcpy(&dice.seed, data + 1, sizeof dice.seed);
  const bool fits = data[5] % 2 == 0;
  const std::string text = fuzz::mutatedState(saved.text, dice, fits);
  fuzz::require(world.restoreState(saved.text).has_value(), "what was saved cannot be restored");
  const std::uint64_t before = world.hash();
  const auto restored = world.restoreState(text);
  fuzz::require(restored || world.hash() == before, "a refused state has left something");
  fuzz::require(restored || !restored.error().reason.empty(), "a refusal without a reason");
  fuzz::require(!restored || fits || text == saved.text, "a changed state was taken without a question");
  if (!restored) return 0;
  const fuzz::Budget budget(0.2);
  budget.watch(world);
  for (int i = 0; i < 20 && world.verdict().good && !budget.over(); ++i) world.step();
  fuzz::lookAtAll(world);
  return 0;
}
