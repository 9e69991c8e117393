// What cannot be written as an expectation of a shipped particle scene.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reeve/cables/particles/particle_cable.h"
#include "reeve/cables/particles/sweep.h"
#include "reeve/model/model.h"
#include "reeve/scene/scene.h"
#include "reeve/world/world.h"
#include "scene_files.h"

namespace reeve {
namespace {

std::expected<World, Problem> knotted() {
  const std::string file = "scenes/overhand-knot.json";
  auto scene = readScene(fileText(file), file);
  if (!scene) return std::unexpected(scene.error());
  return World::build(std::move(*scene));
}

const ParticleCable* ropeIn(const World& world) {
  for (const auto& e : world.model().elements)
    if (const auto* c = dynamic_cast<const ParticleCable*>(e.get())) return c;
  return nullptr;
}

/// Where along x the knot is: the mean of its segments, each by how far it turns from the pull. The long straight ends,
/// which still swing a little, do not count.
double knotAt(const ParticleCable& rope, const State& s) {
  double sum = 0.0, weight = 0.0;
  for (int i = 0; i + 1 < rope.count(); ++i) {
    const Vec3 a = rope.position(s, i), b = rope.position(s, i + 1);
    const double turned = std::max(0.9 - (b - a).normalized().x(), 0.0);
    sum += turned * 0.5 * (a.x() + b.x());
    weight += turned;
  }
  return sum / weight;
}

TEST(ParticleScenes, OverhandKnotTightensNoPartPassesAnotherAndItStaysWhereItWasPulledTight) {
  auto world = knotted();
  ASSERT_TRUE(world);
  const ParticleCable* rope = ropeIn(*world);
  ASSERT_TRUE(rope);
  const double diameter = 2.0 * rope->settings().material.radius;
  std::vector<double> arc{0.0};
  for (int i = 0; i + 1 < rope->count(); ++i) arc.push_back(arc.back() + rope->rest(i));
  double least = 1.0;
  while (world->time() < 1.499) {
    ASSERT_TRUE(world->step().good);
    for (int i = 0; i + 1 < rope->count(); ++i)
      for (int j = i + 2; j + 1 < rope->count(); ++j) {
        if (arc[static_cast<std::size_t>(j)] - arc[static_cast<std::size_t>(i) + 1] <= 3.0 * diameter) continue;
        const State& s = world->state();
        least = std::min(least, particles::closestOnSegments(rope->position(s, i), rope->position(s, i + 1),
                                                             rope->position(s, j), rope->position(s, j + 1))
                                    .distance);
      }
  }
  std::printf("closest %.4f diameters\n", least / diameter);
  EXPECT_GT(least, 0.9 * diameter);
  // Tight: what is not in the straight line between the ends is a few diameters of rope.
  const double loose =
      arc.back() - (rope->position(world->state(), rope->count() - 1) - rope->position(world->state(), 0)).norm();
  std::printf("rope in the knot beyond the straight way: %.1f diameters\n", loose / diameter);
  EXPECT_LT(loose, 25.0 * diameter);
  EXPECT_GT(loose, 4.0 * diameter);  // and it is still a knot

  const auto grip = [&] { return rope->position(world->state(), rope->count() - 1).x(); };
  const double knot = knotAt(*rope, world->state()), end = grip();
  while (world->time() < 3.499) ASSERT_TRUE(world->step().good);
  const double walks = (knotAt(*rope, world->state()) - knot) / 2.0, gives = (grip() - end) / 2.0;
  std::printf("the knot walks %.3f mm/s, its end gives %.3f mm/s\n", 1e3 * walks, 1e3 * gives);
  EXPECT_LT(std::fabs(walks), 1e-3);
  EXPECT_LT(std::fabs(gives), 1e-3);
}

TEST(ParticleScenes, WashingLinePullsAlikeAtBothPostsHoweverFewIterations) {
  for (const int iterations : {2, 4, 10}) {
    const std::string file = "scenes/washing-line.json";
    auto scene = readScene(fileText(file), file);
    ASSERT_TRUE(scene);
    for (auto& [name, cable] : scene->cables) cable.particles.iterations = iterations;
    auto world = World::build(std::move(*scene));
    ASSERT_TRUE(world);
    while (world->time() < 2.999) ASSERT_TRUE(world->step().good);
    const Observation seen = world->observe();
    const auto& links = seen.cables[0].second.links;
    const auto& spans = seen.cables[0].second.spans;
    EXPECT_NEAR(links.front().force.norm() / links.back().force.norm(), 1.0, 0.02) << iterations;
    EXPECT_NEAR(spans.front().tension / spans.back().tension, 1.0, 0.02) << iterations;
  }
}

}  // namespace
}  // namespace reeve
