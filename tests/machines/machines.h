#pragma once
// Shipped scenes, run as they are or with other settings.
#include <fstream>
#include <sstream>

#include "reeve/scene/scene.h"
#include "support/scenes.h"
#include "support/source_dir.h"

namespace reeve::test {

inline Description shipped(const std::string& name) {
  const std::string path = sourceDir() + "/scenes/" + name + ".json";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  auto scene = readScene(text.str(), path);
  EXPECT_TRUE(scene.has_value()) << path;
  return scene ? *scene : Description{};
}

}  // namespace reeve::test
