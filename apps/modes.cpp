// reeve modes: natural frequencies, damping and shapes about a state of rest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "command.h"
#include "files.h"
#include "reeve/math/rotation.h"
#include "reeve/record/picture.h"
#include "reeve/scene/json_writer.h"
#include "say.h"

namespace reeve::command {
namespace {

/// What moves most in a mode, "bodies.bob.velocity.x (1.00), ..." without the word velocity.
std::string shapeWords(const NaturalMode& mode, const std::vector<std::string>& names) {
  std::vector<std::size_t> order(mode.shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double x = std::fabs(mode.shape[a]), y = std::fabs(mode.shape[b]);
    return x != y ? x > y : a < b;
  });
  std::string words;
  for (std::size_t i = 0; i < order.size() && i < 3 && std::fabs(mode.shape[order[i]]) > 0.01; ++i)
    words += fmt::format("{}{} {:+.2f}", i ? ", " : "", names[order[i]], mode.shape[order[i]]);
  return words;
}

/// The state drawn out along a mode, by a tenth of what the picture shows.
void drawMode(const World& rest, const NaturalMode& mode, const std::string& file) {
  World moved = rest.clone();
  const Observation seen = rest.observe();
  double size = 0.0;
  for (const auto& [name, body] : seen.bodies) size = std::max(size, body.position.norm());
  const double far = 0.1 * std::max(size, 0.1);
  const std::vector<std::string> names = rest.names(Reading::velocities);
  Edit edit;
  for (const auto& [name, body] : seen.bodies) {
    const auto first = std::ranges::find(names, "bodies." + name + ".velocity.x");
    const auto handle = moved.body(name);
    if (first == names.end() || !handle) continue;
    const auto i = static_cast<std::size_t>(first - names.begin());
    const Vec3 shift(mode.shape[i], mode.shape[i + 1], mode.shape[i + 2]);
    const Vec3 turn(mode.shape[i + 3], mode.shape[i + 4], mode.shape[i + 5]);
    if (shift.norm() + turn.norm() < 1e-9) continue;
    edit.pose(*handle, Pose{body.position + far * shift, Quat(rotationExp(far * turn)) * body.orientation});
  }
  if (!moved.apply(edit, Fit::project)) return;  // what cannot be drawn out is drawn as it rests
  writeText(file, record::drawPicture(moved.description(), moved.observe(), {}));
  fmt::print("{}\n", file);
}

void printJson(const std::vector<NaturalMode>& modes, std::size_t count, const std::vector<std::string>& names) {
  std::string out;
  JsonWriter json(out);
  json.beginObject().key("modes").beginArray();
  for (std::size_t i = 0; i < count; ++i) {
    json.beginObject(JsonWriter::Layout::line);
    json.key("frequency").number(modes[i].frequency).key("damping").number(modes[i].damping);
    json.key("shape").beginObject(JsonWriter::Layout::line);
    for (std::size_t k = 0; k < names.size(); ++k)
      if (std::fabs(modes[i].shape[k]) >= 1e-9) json.key(names[k]).number(modes[i].shape[k]);
    json.endObject().endObject();
  }
  json.endArray().endObject();
  fmt::print("{}\n", out);
}

}  // namespace

int modes(const ModesOptions& options) {
  LoadedScene scene = loadScene(options.scene, options.overrides);
  World world = buildWorld(scene);
  const auto fail = [](const Problem& p) {
    return Failure(badInput, fmt::format("{}: {}\nhelp: {}", p.path, p.reason, p.remedy));
  };
  if (!options.asGiven) {
    const auto rest = world.equilibrium();
    if (!rest) throw fail(rest.error());
    if (!options.json) fmt::print("At rest: forces balance to {:.1e} of the weights.\n", rest->share);
  }
  const auto found = world.modes();
  if (!found) throw fail(found.error());
  const std::size_t count = std::min<std::size_t>(found->size(), static_cast<std::size_t>(options.count));
  const std::vector<std::string> names = world.names(Reading::velocities);
  if (options.json) {
    printJson(*found, count, names);
  } else {
    fmt::print("{:>4} {:>14} {:>12} {:>10}  {}\n", "mode", "frequency, Hz", "period, s", "damping", "moves most");
    for (std::size_t i = 0; i < count; ++i) {
      const NaturalMode& m = (*found)[i];
      if (m.frequency == 0.0)
        fmt::print("{:>4} {:>14} {:>12} {:>10}  {}\n", i + 1, "free", "", "", printable(shapeWords(m, names)));
      else if (m.frequency < 0.0)
        fmt::print("{:>4} {:>14} {:>12} {:>10}  {}\n", i + 1, "unstable", fmt::format("{:.6g}", -1.0 / m.frequency), "",
                   printable(shapeWords(m, names)));
      else
        fmt::print("{:>4} {:>14.6g} {:>12.6g} {:>10.4g}  {}\n", i + 1, m.frequency, 1.0 / m.frequency, m.damping,
                   printable(shapeWords(m, names)));
    }
    if (count < found->size()) fmt::print("and {} more; --count shows them\n", found->size() - count);
  }
  if (!options.out.empty()) {
    std::filesystem::create_directories(options.out);
    for (std::size_t i = 0; i < count; ++i)
      drawMode(world, (*found)[i], (std::filesystem::path(options.out) / fmt::format("mode-{}.svg", i + 1)).string());
  }
  return ok;
}

}  // namespace reeve::command
