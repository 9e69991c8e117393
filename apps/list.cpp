// reeve list and reeve schema.
#include <fmt/format.h>

#include <algorithm>

#include "command.h"
#include "files.h"
#include "progress.h"
#include "reeve/record/sentence.h"
#include "reeve/record/table.h"
#include "reeve/scene/scene.h"

namespace reeve::command {
int list() {
  const auto files = shippedScenes();
  if (files.empty())
    throw Failure(badInput, fmt::format("no scenes found in \"{}\"\nhelp: set REEVE_SCENES to the folder that has them",
                                        scenesFolder().string()));
  std::size_t longest = 0;
  for (const auto& file : files) longest = std::max(longest, file.stem().string().size());
  const auto columns = static_cast<std::size_t>(terminalWidth());
  const std::size_t room = columns > longest + 12 ? columns - longest - 3 : 0;
  for (const auto& file : files) {
    std::string about;
    if (const auto scene = readScene(readText(file.string()), file.stem().string()))
      about = record::cutTo(record::firstSentence(scene->about),
                            [&](const std::string& line) { return room == 0 || record::displayWidth(line) <= room; });
    else
      about = "(does not load: " + scene.error().reason + ")";
    fmt::print("{:<{}}  {}\n", file.stem().string(), longest, about);
  }
  return ok;
}

int schema() {
  fmt::print("{}", sceneSchema());
  return ok;
}

}  // namespace reeve::command
