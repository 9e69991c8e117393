#pragma once
// Files, and the scenes that come with Reeve. Everything that fails here throws a Failure that says what to do.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "reeve/model/problem.h"
#include "reeve/scene/scene.h"
#include "reeve/world/world.h"

namespace reeve::command {

/// The text of a file, or of the standard input for "-".
std::string readText(const std::string& path);
/// Beside it first and then in its place: a run that is killed or a full disk leaves the old file or the new one.
void writeText(const std::filesystem::path& path, std::string_view text);
/// Refuses an output that is the input. `option`: who gives it a place.
void mustNotOverwrite(const std::filesystem::path& output, const std::filesystem::path& input, const char* option);

/// The folder of the shipped scenes: $REEVE_SCENES, the install tree, or the source tree. Empty if there is none.
std::filesystem::path scenesFolder();
/// Files of the shipped scenes, by name.
std::vector<std::filesystem::path> shippedScenes();

/// The folder of the built playground: $REEVE_PAGE, the install tree, or build/web/page above this program. May not
/// exist.
std::filesystem::path pageFolder();
/// The file that a path or the name of a shipped scene means.
std::filesystem::path scenePath(const std::string& scene);

struct LoadedScene {
  std::string file;  ///< for messages
  std::string text;
  Description description;
  std::vector<SceneRemark> remarks;  ///< what was chosen where the scene leaves it open
};

/// A path, the name of a shipped scene, or "-". Applies the overrides.
LoadedScene loadScene(const std::string& scene, const Overrides& overrides);
/// Fields that the models of its cables have no use for are left out, with a remark, and what is assumed has one too.
World buildWorld(LoadedScene& scene);
/// Goes on from a saved state of the same scene. `force`: takes over by name what fits of one of another scene, and
/// says what did not.
void restoreState(World& world, const std::string& file, bool force = false);

/// "file:line:column: path: reason" and a line "help: remedy". A problem that knows its path but not its line is
/// looked up in the text.
std::string problemReport(const std::string& file, const std::string& text, Problem problem);
/// All of them, one after the other, and how many.
std::string problemReports(const std::string& file, const std::string& text, const std::vector<Problem>& problems);

/// A time given on the command line, in seconds: "2", "1/60", "5 ms".
double parseSeconds(const std::string& option, const std::string& text);

}  // namespace reeve::command
