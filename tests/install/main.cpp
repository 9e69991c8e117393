// Uses the installed library as a stranger would: one header, and the flags that come with it.
#include <reeve/reeve.h>

#include <cmath>
#include <cstdio>

int main() {
  reeve::Description scene;
  reeve::BodySettings ball;
  ball.mass = 1.0;
  ball.inertia = reeve::Vec3(0.1, 0.1, 0.1);
  scene.bodies.emplace_back("ball", ball);
  auto world = reeve::World::build(scene);
  if (!world) return std::fprintf(stderr, "%s\n", reeve::problemText("ball", world.error()).c_str()), 1;
  const auto body = world->body("ball");
  if (!body || !world->push(*body, {.force = reeve::Vec3(0, 0, 9.81), .held = true})) return 1;
  for (int i = 0; i < 240; ++i) world->step();
  std::printf("after a second, weight held: height %g m\n", world->observe().bodies[0].second.position.z());
  return std::fabs(world->observe().bodies[0].second.position.z()) < 1e-12 ? 0 : 1;
}
