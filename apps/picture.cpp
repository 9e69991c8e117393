// reeve picture: draws a scene at an instant.
#include "reeve/record/picture.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "command.h"
#include "drive.h"
#include "files.h"

namespace reeve::command {
namespace {

void parseSize(const std::string& text, record::PictureOptions& look) {
  if (text.empty()) return;
  int width = 0, height = 0, used = 0;
  const bool read =
      std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &used) == 2 && used == static_cast<int>(text.size());
  if (!read || width < 100 || height < 100 || width > 20000 || height > 20000)
    throw Failure(
        badInput,
        fmt::format(
            "--size: \"{}\" is not a size\nhelp: give width and height in pixels from 100 to 20000, as in 900x600",
            text));
  look.width = width;
  look.height = height;
}

}  // namespace

int picture(const PictureOptions& options) {
  record::PictureOptions look;
  look.labels = options.labels;
  parseSize(options.size, look);
  if (!options.from.empty()) {
    const auto from = record::parseView(options.from);
    if (!from) throw Failure(badInput, fmt::format("--from: {}\nhelp: {}", from.error().reason, from.error().remedy));
    look.from = *from;
  }
  const LoadedScene scene = loadScene(options.scene, options.overrides);
  World world = buildWorld(scene);
  if (!options.fromState.empty()) restoreState(world, options.fromState);
  const double at = options.at.empty() ? (options.fromState.empty() ? scene.description.view.at : world.time())
                                       : parseSeconds("--at", options.at);
  if (!(at >= 0.0) || !std::isfinite(at)) throw Failure(badInput, "--at: must not be negative");
  catchInterrupts();
  const record::RunFacts facts = drive(world, {.seconds = std::max(at - world.time(), 0.0)});
  const std::string svg = record::drawPicture(world.description(), world.observe(), look);
  if (options.out == "-") {
    fmt::print("{}", svg);
  } else {
    const std::string file =
        options.out.empty() ? std::filesystem::path(scene.file).stem().string() + ".svg" : options.out;
    writeText(file, svg);
    fmt::print("{}: {} at t = {:.6g} s\n", file, scene.description.name, world.time());
  }
  if (facts.verdict.good) return ok;
  fmt::print(stderr, "reeve: the simulation went bad at t = {:.6g} s: {}: {}; the picture shows the last good state\n",
             facts.verdict.time, facts.verdict.culprit, facts.verdict.reason);
  return wentBad;
}

}  // namespace reeve::command
