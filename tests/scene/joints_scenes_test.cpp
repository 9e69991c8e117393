// Shipped scenes of cable joints: what must hold in every one of them, and laws that need a ground to stand on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "reeve/scene/scene.h"
#include "reeve/world/world.h"
#include "scene_files.h"

namespace {

using namespace reeve;

Description sceneFrom(const std::string& file) {
  auto scene = readScene(fileText(file), file);
  EXPECT_TRUE(scene.has_value()) << file;
  return scene ? *scene : Description{};
}

World worldOf(Description d) {
  auto world = World::build(std::move(d));
  if (!world) {
    ADD_FAILURE() << world.error().path << ": " << world.error().reason;
    std::abort();
  }
  return std::move(*world);
}

/// Scenes with a cable of joints; `pure`: with nothing but those.
std::vector<std::string> scenesOfJoints(bool pure) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(sourcePath("scenes"))) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".json" || name == "schema") continue;
    const Description d = sceneFrom("scenes/" + name + ".json");
    const auto joints = [](const auto& c) { return c.second.model == CableModel::joints; };
    const bool some = std::any_of(d.cables.begin(), d.cables.end(), joints),
               all = std::all_of(d.cables.begin(), d.cables.end(), joints);
    if (some && (all || !pure)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Free and stored rest length of every cable stays what it was; scripts/check-lengths does the same for 10^5 steps.
void keepsLength(const std::string& name, SolverChoice solver, int steps) {
  SCOPED_TRACE(name);
  Description d = sceneFrom("scenes/" + name + ".json");
  d.settings.solver = solver;
  World w = worldOf(d);
  const Observation start = w.observe();
  for (int i = 0; i < steps; ++i) {
    ASSERT_TRUE(w.step().good) << w.verdict().culprit << " " << w.verdict().reason;
    if (i % 20 != 0 && i + 1 != steps) continue;
    const Observation now = w.observe();
    for (std::size_t c = 0; c < now.cables.size(); ++c) {
      if (now.cables[c].second.model != "joints") continue;
      ASSERT_NEAR(now.cables[c].second.length / start.cables[c].second.length, 1.0, 1e-9) << w.time();
    }
  }
}

TEST(JointsScenes, RestLengthIsConstantInEveryOneUnderDirect) {
  const auto names = scenesOfJoints(false);
  EXPECT_GE(names.size(), 24u);
  for (const std::string& name : names) keepsLength(name, SolverChoice::direct, 1500);
}

TEST(JointsScenes, RestLengthIsConstantInEveryOneUnderSweep) {
  for (const std::string& name : scenesOfJoints(true)) keepsLength(name, SolverChoice::sweep, 300);
}

TEST(JointsScenes, ElasticSpansAreLongerByTensionTimesComplianceAlsoWhereBodiesStandOnTheGround) {
  // 0.1 m/N: both outer bodies stand on the ground, 2 m down. The four springs share 4 m:
  // compliance (Ta + 3 (Ta + 10)) = 4, so Ta = 2.5 N, and the ground carries the rest of the weight.
  const struct {
    const char* file;
    double compliance, tension[4];
  } cases[] = {{"scenes/elastic-001.json", 0.01, {10, 20, 20, 20}},
               {"scenes/elastic-01.json", 0.1, {2.5, 12.5, 12.5, 12.5}}};
  for (const auto& c : cases) {
    World w = worldOf(sceneFrom(c.file));
    while (w.time() < w.description().settings.seconds) ASSERT_TRUE(w.step().good);
    const Observation o = w.observe();
    const auto& spans = o.cables[0].second.spans;
    ASSERT_EQ(spans.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(spans[i].tension / c.tension[i], 1.0, 1e-3) << c.file << i;
      EXPECT_NEAR((spans[i].length - spans[i].rest) / (c.tension[i] * c.compliance), 1.0, 1e-3) << c.file << i;
    }
  }
}

TEST(JointsScenes, FrictionOfLinkAndMaterialSpellInfinityAlike) {
  const auto scene = [](const std::string& link, const std::string& material, const std::string& model) {
    return R"({"reeve": 1, "name": "t", "particles": {"p": {"mass": 1, "position": [1, 0, 0]}}, "cables": {"c": {)" +
           model + R"("route": [{"type": "attach", "on": "world"}, )" +
           (model.empty()
                ? R"({"type": "roll", "on": "world", "point": [0.5, 0, -1], "radius": 0.1, "axis": [0, 1, 0], "friction": )" +
                      link + "}, "
                : "") +
           R"({"type": "attach", "on": "p"}], "material": {"mass": 1, "friction": )" + material + "}}}}";
  };
  const auto read = readScene(scene("\"inf\"", "\"inf\"", ""), "test");
  ASSERT_TRUE(read.has_value()) << problemText("test", read.error());
  EXPECT_EQ(read->cables[0].second.material.friction, unbounded);
  EXPECT_EQ(read->cables[0].second.route[1].friction, unbounded);
  EXPECT_FALSE(readScene(scene("\"inf\"", "\"-inf\"", ""), "test").has_value());
  // Contacts between bodies have no such thing: a chain says so.
  const auto chain = readScene(scene("0", "\"inf\"", R"("model": "chain", )"), "test");
  ASSERT_TRUE(chain.has_value()) << problemText("test", chain.error());
  const auto world = World::build(*chain);
  ASSERT_FALSE(world.has_value());
  EXPECT_EQ(world.error().path, "/cables/c/material/friction");
}

}  // namespace
