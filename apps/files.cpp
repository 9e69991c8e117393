#include "files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "reeve/scene/nearest.h"
#include "reeve/scene/scene.h"
#include "reeve/scene/swap_model.h"
#include "reeve/scene/units.h"
#include "reeve/world/take_over.h"
#include "set_value.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Scenes are small; a device or a wrong file must not fill the memory.
constexpr std::size_t largestFile = std::size_t{256} << 20;

std::string readAll(std::FILE* file, const std::string& name) {
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file)) {
    text.append(buffer, got);
    if (text.size() > largestFile) throw Failure(badInput, name + ": larger than 256 MB, which is no scene");
  }
  if (std::ferror(file)) throw Failure(badInput, fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
  return text;
}

fs::path executable() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

bool holdsScenes(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "schema.json", error);
}

std::string unknownScene(const std::string& scene) {
  std::vector<std::string> names;
  for (const fs::path& file : shippedScenes()) names.push_back(file.stem().string());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string hint =
      names.empty() ? "no shipped scenes were found; set REEVE_SCENES to their folder" : suggestion(scene, views);
  return fmt::format("{}: no such file, and no shipped scene of this name\nhelp: {}", scene, hint);
}

}  // namespace

fs::path scenePath(const std::string& scene) {
  // A plain word is a shipped scene first: a program or folder of the same name is likely to lie around.
  const bool word = scene.find_first_of("/.") == std::string::npos;
  const auto shipped = [&]() -> fs::path {
    for (const fs::path& file : shippedScenes())
      if (file.stem() == scene || file.filename() == scene) return file;
    return {};
  };
  if (word)
    if (const fs::path file = shipped(); !file.empty()) return file;
  std::error_code error;
  if (fs::exists(scene, error)) return scene;
  if (scene.find('/') == std::string::npos)
    if (const fs::path file = shipped(); !file.empty()) return file;
  throw Failure(badInput, unknownScene(scene));
}

std::string readText(const std::string& path) {
  if (path == "-") return readAll(stdin, "standard input");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw Failure(badInput, path + ": is a folder, expected a file");
  // A pipe is fine, as in `reeve run <(generate)`; a device is not.
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_fifo(status))
    throw Failure(badInput, path + ": is not a regular file");
  const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file)
    throw Failure(badInput, fmt::format("{}: cannot be opened: {}\nhelp: give the path of a file that exists", path,
                                        std::strerror(errno)));
  return readAll(file.get(), path);
}

void writeText(const fs::path& path, std::string_view text) {
  const auto fail = [&] {
    throw Failure(badInput, fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  };
  std::error_code error;
  const fs::file_status there = fs::status(path, error);
  // Beside it first, then in its place: whatever happens, the old text stays or the new one is whole. What is no file
  // (a pipe, a device) has no old text.
  const bool plain = !fs::exists(there) || fs::is_regular_file(there);
  const fs::path target = plain && fs::is_symlink(fs::symlink_status(path, error)) ? fs::canonical(path, error) : path;
  fs::path beside = target;
  if (plain) beside += fmt::format(".part-{}", getpid());
  File file(std::fopen(beside.c_str(), "wb"), &std::fclose);
  if (!file) fail();
  bool good = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() && std::fflush(file.get()) == 0;
  if (plain) good = good && fsync(fileno(file.get())) == 0;
  good = std::fclose(file.release()) == 0 && good;
  if (plain && good) good = std::rename(beside.c_str(), target.c_str()) == 0;
  if (good) return;
  const int why = errno;
  if (plain) fs::remove(beside, error);
  errno = why;
  fail();
}

void mustNotOverwrite(const fs::path& output, const fs::path& input, const char* option) {
  std::error_code error;
  if (output.empty() || input.empty() || !fs::equivalent(output, input, error)) return;
  throw Failure(badInput,
                fmt::format("{}: is read by this run and would be overwritten by it\nhelp: give {} another place",
                            output.string(), option));
}

fs::path scenesFolder() {
  if (const char* set = std::getenv("REEVE_SCENES"); set && *set) return set;
  const fs::path folder = executable().parent_path();
  if (holdsScenes(folder / "../share/reeve/scenes")) return (folder / "../share/reeve/scenes").lexically_normal();
  for (fs::path up = folder; !up.empty() && up != up.root_path(); up = up.parent_path())
    if (holdsScenes(up / "scenes")) return up / "scenes";
  return holdsScenes(REEVE_SOURCE_SCENES) ? fs::path(REEVE_SOURCE_SCENES) : fs::path();
}

fs::path pageFolder() {
  if (const char* set = std::getenv("REEVE_PAGE"); set && *set) return set;
  const fs::path folder = executable().parent_path();
  std::error_code error;
  if (fs::exists(folder / "../share/reeve/page/index.html", error))
    return (folder / "../share/reeve/page").lexically_normal();
  for (fs::path up = folder; !up.empty() && up != up.root_path(); up = up.parent_path())
    if (fs::exists(up / "build/web/page/index.html", error)) return up / "build/web/page";
  return fs::path(REEVE_SOURCE_SCENES) / "../build/web/page";
}

std::vector<fs::path> shippedScenes() {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(scenesFolder(), error))
    if (entry.path().extension() == ".json" && entry.path().filename() != "schema.json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string problemReport(const std::string& file, const std::string& text, Problem problem) {
  locate(text, problem);
  std::string remedy = std::move(problem.remedy);
  problem.remedy.clear();
  std::string report = problemText(file, problem);
  if (!remedy.empty()) report += "\nhelp: " + remedy;
  return report;
}

std::string problemReports(const std::string& file, const std::string& text, const std::vector<Problem>& problems) {
  std::string report;
  for (const Problem& problem : problems) report += (report.empty() ? "" : "\n") + problemReport(file, text, problem);
  if (problems.size() > 1)
    report += fmt::format("\n{} problems{}", problems.size(), problems.size() >= 20 ? " or more" : "");
  return report;
}

namespace {
/// Numbers as people type them, .02, 2. and +2, written as scenes have them.
std::string withZeros(std::string text) {
  const auto digit = [&](std::size_t k) { return k < text.size() && text[k] >= '0' && text[k] <= '9'; };
  if (text.starts_with('+')) text.erase(0, 1);
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '.') continue;
    const bool before = k > 0 && digit(k - 1), after = digit(k + 1);
    if (before && !after) text.insert(k + 1, "0");
    if (!before && after) text.insert(k++, "0");
  }
  return text;
}
}  // namespace

double parseSeconds(const std::string& option, const std::string& text) {
  const auto quantity = scene::readQuantity(withZeros(text));
  if (!quantity)
    throw Failure(badInput, fmt::format("{}: {}\nhelp: {}", option, quantity.error().reason, quantity.error().remedy));
  if (quantity->hasUnit && !scene::fits(quantity->powers, scene::dimension::time.powers))
    throw Failure(badInput,
                  fmt::format("{}: \"{}\" is not a time\nhelp: give seconds, as in 2, 1/240 or 5 ms", option, text));
  return quantity->value;
}

void Overrides::apply(Settings& settings) const {
  if (!dt.empty()) settings.dt = parseSeconds("--dt", dt);
  if (!(settings.dt > 0.0) || !std::isfinite(settings.dt))
    throw Failure(badInput, "--dt: must be positive\nhelp: 1/240 s is a good start");
  if (!seconds.empty()) settings.seconds = parseSeconds("--seconds", seconds);
  if (!(settings.seconds >= 0.0) || !std::isfinite(settings.seconds))
    throw Failure(
        badInput,
        fmt::format(
            "--seconds: found {:.6g}, must not be negative\nhelp: give how long to simulate, as in 2 or \"5 min\"",
            settings.seconds));
  if (settings.seconds / settings.dt > 1e12)
    throw Failure(
        badInput,
        fmt::format(
            "--seconds: {:g} s at {:g} s a step are more than 1e12 steps\nhelp: simulate less, or take a larger --dt",
            settings.seconds, settings.dt));
  if (substeps) settings.substeps = *substeps;
  if (iterations) settings.iterations = *iterations;
  if (solver == "sweep") settings.solver = SolverChoice::sweep;
  if (solver == "direct") settings.solver = SolverChoice::direct;
  if (solver == "blocks") settings.solver = SolverChoice::blocks;
  if (solver == "auto") settings.solver = SolverChoice::automatic;
}

LoadedScene loadScene(const std::string& scene, const Overrides& overrides) {
  LoadedScene loaded;
  const fs::path path = scene == "-" ? fs::path("-") : scenePath(scene);
  loaded.file = scene == "-" ? "<stdin>" : path.string();
  loaded.text = readText(path.string());
  for (const std::string& assignment : overrides.sets) loaded.text = withValue(loaded.file, loaded.text, assignment);
  auto description = readScene(loaded.text, scene == "-" ? "stdin" : path.stem().string(), &loaded.remarks);
  if (!description) throw Failure(badInput, problemReports(loaded.file, loaded.text, sceneProblems(loaded.text)));
  loaded.description = std::move(*description);
  overrides.apply(loaded.description.settings);
  return loaded;
}

World buildWorld(LoadedScene& scene) {
  auto built = buildNoting(scene.description);
  if (!built) throw Failure(badInput, problemReport(scene.file, scene.text, built.error()));
  for (const Problem& note : built->notes) scene.remarks.push_back({note.path, note.reason + "; " + note.remedy});
  return std::move(built->world);
}

void restoreState(World& world, const std::string& file, bool force) {
  const std::string text = readText(file);
  const auto restored = world.restoreState(text);
  if (restored) return;
  if (!force) throw Failure(badInput, problemReport(file, "", restored.error()));
  const auto taken = takeOver(world, text);
  if (!taken) throw Failure(badInput, problemReport(file, "", taken.error()));
  fmt::print(stderr, "reeve: {}: taken over into another scene: {} of {} parts{}{}\n", file, taken->taken.size(),
             taken->taken.size() + taken->left.size(),
             taken->left.empty() ? "" : "; as at the start: ", fmt::join(taken->left, ", "));
}

}  // namespace reeve::command
