// Saved states with changed words, whose checksum fits again in half of them: refused, or the world goes on from them;
// taken over by name into a scene that has changed (--force), or refused.
#include <cstring>
#include <iterator>
#include <optional>

#include "exercise.h"
#include "mutate.h"
#include "reeve/model/state.h"
#include "reeve/world/take_over.h"
#include "support/random_machine.h"

namespace {

using namespace reeve;

/// What random machines have none of: contacts, motors, brakes, events, prescribed motion, hooks, waves on joints.
constexpr const char* scenes[] = {
    R"({"reeve": 1, "settings": {"dt": 0.01}, "bodies": {"load": {"mass": 2, "position": [0.1, 0, 1],
        "shapes": [{"type": "sphere", "radius": 0.1}]}, "floor": {"motion": "static", "shapes": [{"type": "half-space"}]}},
        "rotors": {"drum": {"position": [0, 0, 3], "radius": 0.1, "mass": 1, "brake": 5}},
        "motors": {"m": {"on": "drum", "drive": "velocity", "target": 0, "max_force": 20}},
        "cables": {"rope": {"route": [{"type": "spool", "on": "drum", "stored": 3}, {"type": "attach", "on": "load"}]}}})",
    R"({"reeve": 1, "settings": {"dt": 0.005}, "bodies": {"g": {"motion": "static", "shapes": [{"type": "half-space"}]},
        "a": {"position": [0, 0, 0.24], "shapes": [{"type": "box", "size": [0.5, 0.5, 0.5]}]},
        "b": {"position": [0.1, 0, 0.7], "shapes": [{"type": "box", "size": [0.4, 0.4, 0.4]}]},
        "c": {"position": [0.1, 0.1, 1], "shapes": [{"type": "sphere", "radius": 0.1}]}}})",
    R"({"reeve": 1, "settings": {"dt": 0.005}, "bodies": {"arm": {"mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0]},
        "tool": {"mass": 1, "inertia": [1, 1, 1], "position": [2, 0, 0]}, "cart": {"motion": "kinematic",
        "position": [0, 0, 2], "prescribed": {"along": [1, 0, 0], "travel": {"amplitude": 0.1, "frequency": 1}}}},
        "joints": {"h": {"type": "hinge", "a": "cart", "b": "arm", "anchor": [0, 0, 0], "axis": [0, 1, 0], "brake": 2},
        "s": {"type": "slider", "a": "arm", "b": "tool", "axis": [1, 0, 0], "lower": -0.1, "upper": 0.1, "friction": 1}},
        "motors": {"m": {"on": "h", "drive": "position", "target": 1}}})",
    R"({"reeve": 1, "settings": {"dt": 0.005}, "bodies": {"b": {"mass": 3, "inertia": [1, 1, 1], "position": [2, 0, -1]}},
        "cables": {"w": {"waves": true, "subdivisions": 6, "material": {"mass": 0.2}, "route": [{"type": "attach"},
        {"type": "pinhole", "point": [2, 0, 0.5]}, {"type": "attach", "on": "b"}]}}})"};

struct Saved {
  std::optional<World> world, changed;  ///< the second of a scene that has one more particle
  std::string text;
  std::vector<std::size_t> places;
  std::uint64_t hash = 0;
  bool moved = false;  ///< the world is no longer where it was saved
};

Description sceneOf(unsigned which) {
  static constexpr CableModel models[] = {CableModel::joints, CableModel::strand, CableModel::hoist, CableModel::chain,
                                          CableModel::particles};
  if (which < std::size(scenes)) return *readScene(scenes[which], "fuzz");
  return test::randomMachine({.model = models[which % 5], .spatial = which % 2 == 1}, which);
}

/// What only programs do: commands, changed numbers, pushes, another model for a cable.
void command(World& world, unsigned which) {
  if (const auto body = world.body(world.model().bodies.back().name)) {
    (void)world.push(*body, BodyPush{.force = Vec3(1, 0, 2), .held = true, .follows = true});
    if (const auto mass = world.parameter("bodies." + world.model().bodies.back().name + ".mass"))
      (void)world.set(*mass, 1.5);
  }
  if (const auto motor = world.motor("m")) (void)world.command(*motor, 0.5);
  if (const auto drum = world.rotor("drum")) (void)world.brake(*drum, false);
  if (which % 3 == 0 && !world.description().cables.empty())
    if (const auto cable = world.cable(world.description().cables[0].first))
      (void)world.convert(*cable, which % 2 == 0 ? CableModel::strand : CableModel::chain);
}

/// Machines that have run for a while, kept: to build one takes longer than all that is done with it.
Saved& savedOf(unsigned which) {
  static Saved kept[64];
  Saved& saved = kept[which % std::size(kept)];
  if (saved.world) return saved;
  Description scene = sceneOf(which % std::size(kept));
  saved.world.emplace(std::move(*World::build(scene)));
  scene.particles.emplace_back("another", ParticleSettings{});
  saved.changed.emplace(std::move(*World::build(scene)));
  const fuzz::Budget budget(1.0);
  budget.watch(*saved.world);
  for (int i = 0; i < 30 && !budget.over(); ++i) {
    if (i == 20 && which % 2 == 0) command(*saved.world, which);
    saved.world->step();
  }
  saved.text = saved.world->saveState();
  saved.places = fuzz::wordsOf(saved.text);
  saved.hash = saved.world->hash();
  return saved;
}

/// NaN in a state that was let in would be told as a result.
bool hasNaN(const State& s) {
  const auto isNaN = [](double x) { return x != x; };
  for (const auto* list : {&s.q, &s.v, &s.u, &s.p, &s.pOld, &s.force, &s.memory})
    if (std::ranges::any_of(*list, isNaN)) return true;
  return false;
}

void goOn(World& world, unsigned how) {
  const bool longer = how % 16 == 0;
  const fuzz::Budget budget(longer ? 0.2 : 0.05);
  budget.watch(world);
  for (int i = 0; i < (longer ? 20 : 1) && world.verdict().good && !budget.over(); ++i) world.step();
  fuzz::sightOf(world, longer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 6) return 0;
  Saved& saved = savedOf(data[0]);
  World& world = *saved.world;
  test::Dice dice{0};
  std::memcpy(&dice.seed, data + 1, sizeof dice.seed);
  const bool fits = data[5] % 8 != 0;
  if (saved.moved) {
    const auto back = world.restoreState(saved.text);
    fuzz::require(back.has_value(), "what was saved cannot be restored", back ? "" : back.error().reason);
    fuzz::require(world.hash() == saved.hash, "what was restored is not what was saved");
    saved.moved = false;
  }
  std::string text = fuzz::mutatedState(saved.text, saved.places, dice, fits);
  if (fits && data[5] % 64 == 2) {  // its first word says whose it is
    text.replace(saved.places[0], 16, math::hex(std::uint64_t{dice.seed} + 1));
    fuzz::fit(text);
  }
  if (fits && data[5] % 4 == 1) {
    World& changed = *saved.changed;
    const std::uint64_t before = changed.hash();
    const auto taken = takeOver(changed, text);
    fuzz::require(taken || !taken.error().reason.empty(), "a refusal without a reason");
    fuzz::require(taken || changed.hash() == before, "a refused state has left something");
    if (!taken) return 0;
    fuzz::require(!hasNaN(changed.state()), "a number that is none was taken over");
    goOn(changed, dice.seed);
    changed.reset();
    return 0;
  }
  const auto restored = world.restoreState(text);
  fuzz::require(restored || world.hash() == saved.hash, "a refused state has left something");
  fuzz::require(restored || !restored.error().reason.empty(), "a refusal without a reason");
  fuzz::require(!restored || fits || text == saved.text, "a changed state was taken without a question");
  constexpr std::size_t digits = 16;
  const std::size_t scene = saved.text.find("scene ") + 6;
  fuzz::require(!restored || text.compare(scene, digits, saved.text, scene, digits) == 0 ||
                    text.compare(scene, digits, std::string(digits, '0')) == 0,
                "a state of another scene was taken");
  if (!restored) return 0;
  saved.moved = true;
  fuzz::require(!hasNaN(world.state()), "a state with a number that is none was taken");
  goOn(world, dice.seed);
  return 0;
}
