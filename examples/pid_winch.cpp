// A program's own PID holds a load's height on a winch against a gust. python/examples/pid_winch.py does the same with
// the same bits.
#include <reeve/reeve.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

int main(int count, char** arguments) {
  std::ostringstream text;
  text << std::ifstream(count > 1 ? arguments[1] : "examples/winch.json").rdbuf();
  auto scene = reeve::readScene(text.str(), "winch");
  auto world = scene ? reeve::World::build(*scene) : std::unexpected(scene.error());
  if (!world) return std::fprintf(stderr, "%s\n", reeve::problemText("winch", world.error()).c_str()), 1;

  const auto winch = *world->motor("winch");
  const auto load = *world->body("load");
  const auto height = *world->resolve("bodies.load.position.z");
  const double dt = world->description().settings.dt, wanted = 1.5;
  double sum = 0.0, last = wanted - world->read(height), worst = 0.0;
  for (int step = 0; step < 2400; ++step) {
    const double error = wanted - world->read(height);
    sum += error * dt;
    const double torque = 9.81 * 250 * 0.2 + 6000 * error + 6000 * sum + 1500 * (error - last) / dt;
    last = error;
    if (!world->command(winch, -torque)) return 1;  // positive turns pay out
    if (step >= 1200 && step < 1440)                // a gust from above, for a second
      if (!world->push(load, {.force = reeve::Vec3(0, 0, -400)})) return 1;
    if (!world->step().good) return 1;
    if (step > 1000) worst = std::fmax(worst, std::fabs(error));
  }
  std::printf("height %.6f m, worst error from 4 s on %.4f m, hash %016llx\n", world->read(height), worst,
              static_cast<unsigned long long>(world->hash()));
  return std::fabs(world->read(height) - wanted) < 2e-3 && worst < 0.1 ? 0 : 1;
}
