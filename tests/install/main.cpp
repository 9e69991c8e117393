// Uses the installed library as a stranger would: one header per layer it needs, and the flags that come with it.
#include <reeve/math/hash.h>
#include <reeve/math/rotation.h>
#include <reeve/math/scalar.h>

#include <reeve/world/world.h>

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
  const reeve::Vec3 turned = reeve::rotationExp({0, 0, reeve::math::pi / 2}) * reeve::Vec3(1, 0, 0);
  reeve::math::Hasher hash;
  for (int i = 0; i < 3; ++i) hash.add(turned[i]);
  std::printf("a quarter turn of x is (%g, %g, %g), hash %s\n", turned.x(), turned.y(), turned.z(),
              reeve::math::hex(hash.value()).c_str());
  return (turned - reeve::Vec3(0, 1, 0)).norm() < 1e-15 && springHolds() ? 0 : 1;
}
