// A world in a host's loop whose frames are of any length: fixed steps, what is left over shown by interpolation, and a
// verdict that the host looks at.
#include <reeve/reeve.h>

#include <cmath>
#include <cstdio>

/// What a host keeps of a simulation.
struct Stage {
  reeve::World world;
  double left = 0.0;  ///< s that the world is behind
  reeve::Vec3 before = reeve::Vec3::Zero(), now = reeve::Vec3::Zero();

  /// Advances by the time of a frame and returns where to draw the ball.
  reeve::Vec3 frame(double seconds) {
    const double dt = world.description().settings.dt;
    left += seconds;
    while (left >= dt && world.step().good) {
      left -= dt;
      before = now;
      now = world.observe().bodies[0].second.position;
    }
    return before + (now - before) * (left / dt);
  }
};

int main() {
  reeve::Description scene;
  reeve::BodySettings ball{.position = {0, 0, 0}, .velocity = {3, 0, 6}};
  ball.mass = 1.0;
  ball.inertia = reeve::Vec3(0.1, 0.1, 0.1);
  scene.bodies.emplace_back("ball", ball);
  auto world = reeve::World::build(scene);
  if (!world) return 1;
  Stage stage{std::move(*world)};
  double time = 0.0, worst = 0.0;
  for (int i = 0; i < 100; ++i) {
    const double length = i % 3 == 0 ? 0.031 : 0.0097;  // frames come as they like
    time += length;
    const reeve::Vec3 at = stage.frame(length);
    const double shown = time - stage.world.description().settings.dt;  // drawn a step late
    if (shown > 0.02) worst = std::fmax(worst, std::fabs(at.z() - (6 * shown - 0.5 * 9.81 * shown * shown)));
  }
  std::printf("%lld steps in 100 frames, drawn within %.2g m\n", static_cast<long long>(stage.world.steps()), worst);
  return stage.world.verdict().good && worst < 1e-4 ? 0 : 1;
}
