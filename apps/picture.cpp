// reeve picture: draws a scene at an instant.
#include "reeve/record/picture.h"

#include <fmt/format.h>

#include <cmath>

#include "caps.h"
#include "command.h"
#include "drive.h"
#include "files.h"
#include "look.h"

namespace reeve::command {

int picture(const PictureOptions& options) {
  LoadedScene scene = loadScene(options.scene, options.overrides);
  Look look = readLook(options.look, scene.description);
  World world = buildWorld(scene);
  if (!options.fromState.empty()) restoreState(world, options.fromState);
  const double at = options.at.empty() ? (options.fromState.empty() ? scene.description.view.at : world.time())
                                       : parseSeconds("--at", options.at);
  const double dt = scene.description.settings.dt;
  if (!(at >= 0.0) || !(at / dt < 1e15)) throw Failure(badInput, "--at: must not be negative, nor beyond all steps");
  if (at > scene.description.settings.seconds + 0.5 * dt)
    fmt::print(stderr, "reeve: --at {:.6g} s is beyond the scene's {:.6g} s: it is simulated on until then\n", at,
               scene.description.settings.seconds);
  catchInterrupts();
  record::PictureFrame frame;
  const bool fixed = options.fixed;
  const auto widen = [&](const World& now) {
    const Observation instant = now.observe();
    look.options.forces.include(now.description(), instant);
    if (!fixed) look.options.forces.tension = 0.0;  // a picture alone has colors of its own
    if (fixed) frame.include(record::pictureFrame(now.description(), instant, look.options));
  };
  // A camera that stays must show the whole run: that is known when it is over.
  DriveOptions how{.seconds = std::max(at - world.time(), 0.0)};
  how.every =
      std::max<std::int64_t>(1, stepsFor(scene.description.settings.seconds, scene.description.settings.dt) / 50);
  how.sample = widen;
  const record::RunFacts facts = drive(world, how);
  const Observation seen = world.observe();
  if (fixed && facts.verdict.good) {
    how.seconds = std::max(scene.description.settings.seconds - world.time(), 0.0);
    drive(world, how);
  }
  if (fixed) look.options.frame = frame;
  if (options.look.size.empty()) {
    const Vec2 page = record::pageFor(fixed ? frame : record::pictureFrame(world.description(), seen, look.options));
    look.options.width = page.x(), look.options.height = page.y();
  }
  const std::string svg = record::drawPicture(world.description(), seen, look.at(seen));
  if (options.out == "-") {
    fmt::print("{}", svg);
  } else {
    const std::string file =
        options.out.empty() ? std::filesystem::path(scene.file).stem().string() + ".svg" : options.out;
    for (const std::string& input : {scene.file, options.fromState}) mustNotOverwrite(file, input, "--out");
    writeText(file, svg);
    fmt::print("{}: {} at t = {:.6g} s\n", file, printable(scene.description.name), seen.time);
  }
  if (facts.verdict.good) return ok;
  fmt::print(stderr, "reeve: the simulation went bad at t = {:.6g} s: {}: {}; the picture shows the last good state\n",
             facts.verdict.time, printable(facts.verdict.culprit), facts.verdict.reason);
  return wentBad;
}

}  // namespace reeve::command
