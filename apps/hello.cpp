// A pendulum in twenty lines: describe, build, step, measure.
#include <cstdio>

#include "reeve/world/world.h"

int main() {
  reeve::Description scene;
  reeve::BodySettings bob;
  bob.position = {1, 0, 0};  // one metre to the side of the hinge, which is at the origin
  bob.mass = 2.0;
  bob.inertia = reeve::Vec3(0.01, 0.01, 0.01);
  scene.bodies.emplace_back("bob", bob);
  reeve::JointSettings hinge;
  hinge.type = reeve::JointType::hinge;
  hinge.b = "bob";
  scene.joints.emplace_back("hinge", hinge);

  auto world = reeve::World::build(scene);
  if (!world) return std::fprintf(stderr, "%s: %s\n", world.error().path.c_str(), world.error().reason.c_str()), 1;
  while (world->time() < 2.0 && world->step().good)
    if (world->steps() % 48 == 0)
      std::printf("t = %.2f s, height %+.4f m\n", world->time(), world->observe().bodies[0].second.position.z());
}
