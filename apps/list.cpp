// reeve list and reeve schema.
#include <fmt/format.h>

#include <algorithm>

#include "command.h"
#include "files.h"
#include "progress.h"
#include "reeve/record/table.h"
#include "reeve/scene/scene.h"

namespace reeve::command {
namespace {

/// The first sentence, cut to what fits the terminal.
std::string firstSentence(const std::string& about, std::size_t width) {
  std::string line = about.substr(0, about.find('\n'));
  if (const auto stop = line.find(". "); stop != std::string::npos) line.resize(stop + 1);
  if (width == 0 || record::displayWidth(line) <= width) return line;
  while (!line.empty() && record::displayWidth(line) + 1 > width) {
    while ((static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();
    line.pop_back();
  }
  return line + "…";
}

}  // namespace

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
      about = firstSentence(scene->about, room);
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
