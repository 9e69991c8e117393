#pragma once
// Shipped scenes, run as they are or with other settings.
#include <fstream>
#include <sstream>

#include "reeve/scene/scene.h"
#include "support/scenes.h"
#include "support/source_dir.h"

namespace reeve::test {

/// A scene by its path in the repository.
inline Description sceneAt(const std::string& place) {
  const std::string path = sourceDir() + "/" + place;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  auto scene = readScene(text.str(), path);
  EXPECT_TRUE(scene.has_value()) << path;
  return scene ? *scene : Description{};
}

inline Description shipped(const std::string& name) { return sceneAt("scenes/" + name + ".json"); }

}  // namespace reeve::test
