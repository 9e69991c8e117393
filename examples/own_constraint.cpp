// A constraint of one's own, as a function: the middle of a rope of particles is kept on a cylinder of 0.5 m about the
// y axis through the origin.
#include <reeve/reeve.h>

#include <cmath>
#include <cstdio>

int main() {
  reeve::Description scene;
  scene.settings.dt = 1.0 / 120;
  reeve::CableSettings rope;
  rope.model = reeve::CableModel::particles;
  rope.route = {reeve::LinkSettings{.point = {-1, 0, 0}}, reeve::LinkSettings{.point = {1, 0, 0}}};
  rope.material.mass = 0.2;
  rope.slack = 0.6;
  rope.particles.iterations = 50;
  // Its gradient is found by automatic differentiation.
  const auto onCylinder = reeve::particles::Constraint::automatic(
      {12}, [](const auto& p) { return sqrt(p[0].x * p[0].x + p[0].z * p[0].z) - 0.5; });
  rope.particles.constraints = {std::make_shared<reeve::particles::Constraint>(onCylinder)};
  scene.cables.emplace_back("rope", rope);
  auto world = reeve::World::build(scene);
  if (!world) return std::fprintf(stderr, "%s: %s\n", world.error().path.c_str(), world.error().reason.c_str()), 1;
  while (world->time() < 2.0 && world->step().good) {
  }
  const reeve::Vec3 middle = world->observe().cables[0].second.polyline[12];
  const double radius = std::hypot(middle.x(), middle.z());
  std::printf("the middle is %.4f m from the axis\n", radius);
  return world->verdict().good && std::fabs(radius - 0.5) < 5e-3 ? 0 : 1;
}
