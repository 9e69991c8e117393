// A pendulum in twenty lines: describe, build, step, measure.
#include <reeve/reeve.h>

#include <cstdio>

int main() {
  reeve::Description scene;
  reeve::BodySettings bob{.position = {1, 0, 0}};  // one meter beside the hinge, which is at the origin
  bob.mass = 2.0;
  bob.inertia = reeve::Vec3(0.01, 0.01, 0.01);
  scene.bodies.emplace_back("bob", bob);
  scene.joints.emplace_back("hinge", reeve::JointSettings{.type = reeve::JointType::hinge, .b = "bob"});

  auto world = reeve::World::build(scene);
  if (!world) return std::fprintf(stderr, "%s\n", reeve::problemText("hello", world.error()).c_str()), 1;
  while (world->time() < 2.0 && world->step().good)
    if (world->steps() % 48 == 0)
      std::printf("t = %.2f s, height %+.4f m\n", world->time(), world->observe().bodies[0].second.position.z());
  return world->verdict().good ? 0 : 1;
}
