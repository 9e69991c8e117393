// Calls of Batch in any order and with any numbers: each is done or refused with a reason, a refused one changes
// nothing, and every world of a batch is what a single world would be.
#include <limits>

#include "exercise.h"
#include "reeve/world/batch.h"

namespace {

using namespace reeve;

/// A winch with a motor, a load that swings, and a contact: small, so that thousands of calls fit into a second.
const Description& winch() {
  static const Description scene = *readScene(
      R"({"reeve": 1, "settings": {"dt": 0.01}, "bodies": {"load": {"mass": 2, "position": [0.1, 0, 1],
          "shapes": [{"type": "sphere", "radius": 0.1}]}, "floor": {"motion": "static", "shapes": [{"type": "half-space"}]}},
          "rotors": {"drum": {"position": [0, 0, 3], "radius": 0.1, "mass": 1}},
          "motors": {"m": {"on": "drum", "drive": "velocity", "target": 0, "max_force": 20}},
          "cables": {"rope": {"route": [{"type": "spool", "on": "drum", "stored": 3}, {"type": "attach", "on": "load"}]}}})",
      "fuzz");
  return scene;
}

struct Bytes {
  const std::uint8_t* data;
  std::size_t size, next = 0;
  bool more() const { return next < size; }
  unsigned take() { return next < size ? data[next++] : 0u; }
  double number() {
    static constexpr double values[] = {0.0, 1.0, -1.0, 0.5, 3.0, 1e-9, 1e9, 1e300, -1e300};
    const unsigned b = take();
    if (b == 255) return std::numeric_limits<double>::quiet_NaN();
    if (b == 254) return std::numeric_limits<double>::infinity();
    return values[b % std::size(values)];
  }
};

constexpr const char* names[] = {
    "commands",         "positions",    "velocities",    "tensions", "bodies.load.position",
    "bodies.load.mass", "energy.total", "bodies.nobody", "",         "rotors.drum.friction"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 400) return 0;
  Bytes bytes{data, size};
  const std::size_t count = 1 + bytes.take() % 3;
  auto batch = Batch::build(winch(), count);
  fuzz::require(batch.has_value(), "the scene cannot be built");
  std::vector<double> values;
  std::vector<std::uint8_t> mask;
  const auto fill = [&](auto& list, auto&& next) {
    list.resize(bytes.take() % 8 == 0 ? bytes.take() % 5 : count);
    for (auto& entry : list) entry = next();
  };
  while (bytes.more()) {
    std::string reason = "-";
    switch (bytes.take() % 6) {
      case 0: {
        auto bound = batch->bind(names[bytes.take() % std::size(names)]);
        if (!bound) reason = bound.error().reason;
        if (bound && bound->id >= 0)
          for (double& n : bound->numbers) n = bytes.number();
        break;
      }
      case 1: {
        fill(values, [&] { return bytes.number(); });
        const std::uint64_t before = (*batch)[0].hash();
        if (auto ok = batch->expand(names[bytes.take() % std::size(names)], values); !ok) {
          reason = ok.error().reason;
          fuzz::require((*batch)[0].hash() == before, "a refused expand has left something");
        }
        break;
      }
      case 2: {
        fill(mask, [&] { return static_cast<std::uint8_t>(bytes.take() % 2); });
        if (auto ok = batch->step(mask, static_cast<int>(bytes.take() % 4) - 1); !ok) reason = ok.error().reason;
        break;
      }
      case 3: {
        fill(mask, [&] { return static_cast<std::uint8_t>(bytes.take() % 2); });
        if (auto ok = batch->reset(mask); !ok) reason = ok.error().reason;
        break;
      }
      case 4: {
        const World copy = (*batch)[0].clone();
        if (auto ok = (*batch)[count - 1].restoreState(copy.saveState()); !ok) reason = ok.error().reason;
        break;
      }
      default:
        (void)batch->forward();
    }
    fuzz::require(!reason.empty(), "a refusal without a reason");
  }
  for (std::size_t i = 0; i < count; ++i) {
    World& one = (*batch)[i];
    if (!one.verdict().good) continue;  // it stands; what made it go bad may be over in the state it stands at
    auto alone = World::build(winch());
    if (auto ok = alone->restoreState(one.saveState()); !ok)
      fuzz::require(false, "what was saved cannot be restored", ok.error().reason);
    one.step();
    alone->step();
    const bool stands =
        one.verdict().good && alone->verdict().good;  // a bad step takes back what was commanded before it
    fuzz::require(one.verdict().good == alone->verdict().good && (!stands || one.hash() == alone->hash()),
                  "a world of a batch goes on otherwise than alone");
    fuzz::lookAtAll(one);
  }
  return 0;
}
