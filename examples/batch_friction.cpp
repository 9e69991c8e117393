// A thousand drums, each with a friction of its own, let their loads down: how fast they end up, over friction.
#include <reeve/reeve.h>
#include <reeve/threads/threads.h>

#include <cmath>
#include <cstdio>
#include <random>

int main() {
  reeve::Description scene;
  reeve::BodySettings load{.position = {0.2, 0, 0}};
  load.mass = 10.0;
  load.inertia = reeve::Vec3(0.1, 0.1, 0.1);
  scene.bodies.emplace_back("load", load);
  reeve::RotorSettings drum{.position = {0, 0, 2}, .radius = 0.2};
  drum.inertia = 0.2;
  drum.friction = 1.0;
  scene.rotors.emplace_back("drum", drum);
  reeve::CableSettings rope;
  rope.route = {reeve::LinkSettings{.type = reeve::LinkType::spool, .on = "drum"}, reeve::LinkSettings{.on = "load"}};
  rope.route[0].stored = 20.0;
  scene.cables.emplace_back("rope", rope);

  constexpr std::size_t worlds = 1000;
  auto batch = reeve::Batch::build(scene, worlds);
  if (!batch) return std::fprintf(stderr, "%s\n", batch.error().reason.c_str()), 1;
  reeve::Threads threads(2);
  batch->runWith(&threads);
  std::mt19937 dice(7);
  std::vector<double> friction(worlds);
  for (double& f : friction) f = 15.0 * static_cast<double>(dice()) / 4294967296.0;
  if (!batch->expand("rotors.drum.friction", friction)) return 1;
  const auto speed = batch->bind("bodies.load.velocity.z");
  for (int step = 0; step < 120; ++step)
    if (!batch->step().value_or(false)) return 1;
  double worst = 0.0;
  for (std::size_t w = 0; w < worlds; ++w) {  // m g r − friction against I/r² + m, for half a second
    const double a = (10.0 * 9.81 - friction[w] / 0.2) / (10.0 + 0.2 / 0.04);
    worst = std::fmax(worst, std::fabs(speed->at(w, 0) + a * 0.5));
  }
  std::printf("%zu worlds, worst difference from the closed form %.2g m/s\n", worlds, worst);
  return worst < 1e-9 ? 0 : 1;
}
