// Uses the installed library as a stranger would: one header, and the flags that come with it.
#include <reeve/reeve.h>

#include <cmath>
#include <cstdio>

#include "toys.h"

/// A load on a spring that the library does not know, at rest where it should be.
static bool springHolds() {
  reeve::Description d;
  d.settings.gravity = {0, 0, -10};
  reeve::BodySettings load;
  load.mass = 5.0;
  load.inertia = reeve::Vec3(1, 1, 1);
  load.position = {0, 0, -2.1};
  d.bodies.emplace_back("load", load);
  reeve::CableSettings spring;
  spring.extension = "spring";
  spring.route.resize(2);
  spring.route[1].on = "load";
  spring.length = 2.0;
  spring.material.axial = 1000.0;
  d.cables.emplace_back("spring", spring);
  auto world = reeve::World::build(d, toys::extensions());
  for (int i = 0; world && i < 100; ++i) world->step();
  return world && std::fabs(world->observe().cables[0].second.spans[0].tension - 50.0) < 1e-6;
}

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
  return std::fabs(world->observe().bodies[0].second.position.z()) < 1e-12 && springHolds() ? 0 : 1;
}
