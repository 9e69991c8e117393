// Every scene that README and docs show is run: it does what it says, and what it ends with makes sense.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "reeve/record/expectation.h"
#include "reeve/record/notes.h"
#include "reeve/scene/scene.h"
#include "support/source_dir.h"

namespace reeve::record {
namespace {

struct ShownScene {
  std::string place, text;
};

std::vector<ShownScene> shownScenes() {
  std::vector<std::filesystem::path> pages{sourceDir() + "/README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sourceDir() + "/docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  std::sort(pages.begin(), pages.end());
  std::vector<ShownScene> scenes;
  for (const auto& page : pages) {
    std::ifstream file(page, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    const std::string all = text.str(), opening = "```json\n";
    for (auto at = all.find(opening); at != std::string::npos; at = all.find(opening, at + 1)) {
      const auto start = at + opening.size();
      scenes.push_back(
          {page.filename().string() + ":" +
               std::to_string(1 + std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(start), '\n')),
           all.substr(start, all.find("```", start) - start)});
    }
  }
  return scenes;
}

TEST(DocsScenes, everyOneRunsMeetsItsExpectationsAndStaysInThePicture) {
  const auto scenes = shownScenes();
  EXPECT_GE(scenes.size(), 5u);
  for (const ShownScene& shown : scenes) {
    SCOPED_TRACE(shown.place);
    auto scene = readScene(shown.text, shown.place);
    ASSERT_TRUE(scene) << scene.error().path << ": " << scene.error().reason;
    EXPECT_FALSE(scene->expect.empty()) << "a scene that is shown says what comes out";
    auto world = World::build(std::move(*scene));
    ASSERT_TRUE(world) << world.error().path << ": " << world.error().reason;
    auto watch = ExpectationWatch::build(*world);
    ASSERT_TRUE(watch) << watch.error().reason;
    const Observation start = world->observe();
    const Settings& settings = world->description().settings;
    watch->look(*world);
    while (world->time() < settings.seconds - 0.5 * settings.dt) {
      ASSERT_TRUE(world->step().good) << world->verdict().culprit;
      watch->look(*world);
    }
    for (const ExpectationResult& result : watch->results())
      EXPECT_TRUE(result.met) << result.expectation.observe << " is " << result.measured.value_or(0.0) << ", wanted "
                              << wanted(result.expectation);
    for (const Note& note : endNotes(world->description(), start, world->observe()))
      ADD_FAILURE() << note.subject << " " << note.what;
  }
}

}  // namespace
}  // namespace reeve::record
