#include "reeve/scene/scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"
#include "reeve/scene/fields.h"
#include "scene_files.h"

namespace {

using namespace reeve;

Description read(const std::string& text) {
  auto scene = readScene(text, "test");
  EXPECT_TRUE(scene.has_value()) << (scene ? "" : problemText("test", scene.error()));
  return scene ? *scene : Description{};
}

TEST(Scene, whatIsWrittenReadsBackEqualBitForBit) {
  for (const char* file :
       {"tests/scene/rich.json", "scenes/double-pendulum.json", "scenes/top.json", "scenes/pile.json"}) {
    SCOPED_TRACE(file);
    const Description first = read(fileText(file));
    const std::string text = writeScene(first);
    const Description second = read(text);
    EXPECT_TRUE(equal(first, second)) << text;
    EXPECT_EQ(writeScene(second), text);
  }
}

TEST(Scene, theRichSceneHasEveryFieldOfTheFormat) {
  // A field that rich.json leaves out would escape the round trip; it is found by writing what was read.
  const std::string text = writeScene(read(fileText("tests/scene/rich.json")));
  for (const scene::DocumentedRecord& documented : scene::allRecords())
    for (const scene::Field& field : documented.record->fields) {
      const bool written = text.find("\"" + std::string(field.key) + "\": ") != std::string::npos;
      EXPECT_TRUE(written || field.key == "$schema" || field.key == "parameters" || field.key == "reels")
          << documented.record->name << " " << field.key;
    }
}

TEST(Scene, oneChangedNumberMakesDescriptionsUnequal) {
  const Description first = read(fileText("tests/scene/rich.json"));
  Description second = first;
  EXPECT_TRUE(equal(first, second));
  second.cables[0].second.route[1].friction = std::nextafter(0.2, 1.0);
  EXPECT_FALSE(equal(first, second));
  second = first;
  second.bodies[1].second.prescribed->travel.table[1].y() += 1e-12;
  EXPECT_FALSE(equal(first, second));
  second = first;
  std::swap(second.joints[0], second.joints[1]);
  EXPECT_FALSE(equal(first, second));
}

TEST(Scene, anEmptyObjectIsTheDefaultSceneWithItsFileName) {
  Description expected;
  expected.name = "empty.json";
  EXPECT_TRUE(equal(*readScene("{}", "empty.json"), expected));
  EXPECT_TRUE(equal(*readScene("\xEF\xBB\xBF{}", "empty.json"), expected));
  EXPECT_EQ(writeScene(Description{}), "{\n  \"reeve\": 1\n}\n");
}

TEST(Scene, unitsBecomeSi) {
  const Description d = read(fileText("tests/scene/rich.json"));
  EXPECT_EQ(d.settings.dt, 0.001);
  EXPECT_EQ(d.settings.seconds, 60.0);
  EXPECT_EQ(d.settings.gravity, Vec3(0, 0, -9.81));
  const BodySettings& cart = d.bodies[1].second;
  EXPECT_EQ(cart.position, Vec3(0.2, 0.5, 1));
  EXPECT_DOUBLE_EQ(cart.velocity.z(), 1.0);
  EXPECT_DOUBLE_EQ(cart.angularVelocity.y(), 2 * math::pi);
  EXPECT_EQ(d.bodies[2].second.mass, 2000.0);
  EXPECT_DOUBLE_EQ(d.bodies[2].second.inertia->z(), 30.0);
  EXPECT_DOUBLE_EQ(d.bodies[2].second.density, 7850.0);
  EXPECT_EQ(d.bodies[2].second.shapes[2].radius, 0.0254);
  EXPECT_DOUBLE_EQ(d.rotors[0].second.rate, 50 * math::pi);
  EXPECT_DOUBLE_EQ(d.joints[1].second.lower, -math::pi / 2);
  EXPECT_EQ(d.joints[1].second.upper, unbounded);
  EXPECT_DOUBLE_EQ(d.motors[0].second.target.offset, 50 * math::pi);
  EXPECT_EQ(d.motors[2].second.target.offset, 3000.0);
  EXPECT_EQ(d.cables[0].second.material.mass, 0.5);
  EXPECT_EQ(d.cables[0].second.material.axial, 2e6);
  EXPECT_EQ(d.expect[0].at, 60.0);
}

TEST(Scene, sectionsKeepTheirOrder) {
  const Description d = read(fileText("tests/scene/rich.json"));
  EXPECT_EQ(d.bodies[0].first, "ground");
  EXPECT_EQ(d.bodies[1].first, "cart");
  EXPECT_EQ(d.bodies[2].first, "load");
  EXPECT_EQ(d.name, "everything: Größe, \"quotes\", é, \xF0\x9F\x98\x80");
}

TEST(Scene, frictionOfALinkIsZeroForPinholeAndSheathAndEndlessForWheels) {
  const Description d = read(R"({"rotors": {"w": {"mass": 1}}, "cables": {"c": {"route": [{"type": "attach"},
      {"type": "pinhole", "point": [0, 0, 1]}, {"type": "sheath", "path": [[0, 0, 1], [0, 0, 2]]}, {"type": "roll", "on": "w"},
      {"type": "spool", "on": "w", "friction": 0.5}]}}})");
  const auto& route = d.cables[0].second.route;
  EXPECT_EQ(route[1].friction, 0.0);
  EXPECT_EQ(route[2].friction, 0.0);
  EXPECT_EQ(route[3].friction, unbounded);
  EXPECT_EQ(route[4].friction, 0.5);
}

Quat orientation(const std::string& value) {
  return read("{\"bodies\": {\"b\": {\"motion\": \"static\", \"orientation\": " + value + "}}}")
      .bodies[0]
      .second.orientation;
}

TEST(Scene, orientationsByQuaternionAxisAndAnglesAgree) {
  const Quat byAxis = orientation(R"({"axis": [0, 0, 5], "angle": "90 deg"})");
  EXPECT_NEAR(byAxis.angularDistance(orientation("[1, 0, 0, 1]")), 0.0, 1e-15);
  EXPECT_NEAR(byAxis.angularDistance(orientation(R"({"yaw": "90 deg"})")), 0.0, 1e-15);
  // Yaw first, then pitch about the turned y, then roll about the turned x.
  const Vec3 x = orientation(R"({"yaw": "90 deg", "pitch": "90 deg"})") * Vec3::UnitX();
  EXPECT_NEAR((x - Vec3(0, 0, -1)).norm(), 0.0, 1e-15);
  EXPECT_DOUBLE_EQ(orientation("[1e200, 0, 0, 1e200]").norm(), 1.0);
  EXPECT_DOUBLE_EQ(orientation("[1e-200, 0, 0, 1e-200]").norm(), 1.0);
}

TEST(Scene, normalisingTwiceChangesNoBit) {
  unsigned seed = 1;
  const auto random = [&] { return (seed = seed * 1664525u + 1013904223u) / 4294967296.0 - 0.5; };
  for (int i = 0; i < 2000; ++i) {
    Description d;
    d.bodies.emplace_back("b", BodySettings{});
    d.bodies[0].second.motion = BodyMotion::fixed;
    std::string numbers;
    for (int k = 0; k < 4; ++k) numbers += (k ? ", " : "") + std::to_string(random());
    const Quat first = orientation("[" + numbers + "]");
    d.bodies[0].second.orientation = first;
    const Description second = read(writeScene(d));
    ASSERT_EQ(second.bodies[0].second.orientation.coeffs(), first.coeffs());
  }
}

TEST(Scene, everyShippedSceneLoadsAndHasAName) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(sourcePath("scenes"))) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "schema.json") continue;
    const std::string file = "scenes/" + entry.path().filename().string();
    const auto scene = readScene(fileText(file), file);
    EXPECT_TRUE(scene.has_value()) << (scene ? "" : problemText(file, scene.error()));
    EXPECT_TRUE(!scene || scene->name != file) << file;
    ++count;
  }
  EXPECT_GE(count, 3);
}

TEST(Scene, theExampleInTheDocumentationLoads) {
  const std::string page = fileText("docs/scene-format.md"), opening = "```json\n";
  const auto start = page.find(opening) + opening.size();
  EXPECT_EQ(read(page.substr(start, page.find("```", start) - start)).cables[0].second.route.size(), 3u);
}

/// With REEVE_UPDATE=1 in the environment, generated files are written instead of compared.
void compareGenerated(const std::string& file, const std::string& text) {
  if (std::getenv("REEVE_UPDATE")) std::ofstream(sourcePath(file), std::ios::binary) << text;
  EXPECT_EQ(fileText(file), text) << file << " is out of date: run this test with REEVE_UPDATE=1";
}

TEST(Scene, theSchemaFileIsWhatTheDeclarationsGive) { compareGenerated("scenes/schema.json", sceneSchema()); }

TEST(Scene, theReferenceInTheDocumentationIsWhatTheDeclarationsGive) {
  const std::string page = fileText("docs/scene-format.md"),
                    mark = "<!-- generated from src/reeve/scene/fields.cpp -->\n";
  const auto at = page.find(mark);
  ASSERT_NE(at, std::string::npos);
  compareGenerated("docs/scene-format.md", page.substr(0, at + mark.size()) + referenceMarkdown());
}

}  // namespace
