#include "recorder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string_view>

#include "files.h"
#include "reeve/record/npz.h"
#include "reeve/scene/scene.h"
#include "reeve/world/observables.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

fs::path madeFolder(fs::path folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw Failure(badInput,
                  fmt::format("{}: cannot be made a folder: {}\nhelp: give --out a folder that you may write to",
                              folder.string(), error ? error.message() : "something else is there"));
  return folder;
}

constexpr const char* staging = "unfinished";
constexpr const char* whole = "whole";  ///< in there: all is written, and only has to be moved

/// Moves what is in the stage into place; what an older run left and this one has not goes. The mark names what this
/// run has, so that a move that was killed half way goes on where it was.
void moveIntoPlace(const fs::path& folder) {
  const fs::path from = folder / staging;
  const std::string mine = readText((from / whole).string());
  std::error_code error;
  for (const char* sometimes : {"last-good.state", "trajectory.csv", "trajectory.npz"})
    if (mine.find(std::string(sometimes) + "\n") == std::string::npos) fs::remove(folder / sometimes, error);
  for (const fs::directory_entry& entry : fs::directory_iterator(from))
    if (entry.path().filename() != whole) fs::rename(entry.path(), folder / entry.path().filename());
  fs::remove_all(from);
}

/// An empty stage. What a run that was killed has left there is moved into place if it is whole, or thrown away.
fs::path stagedIn(const fs::path& folder) {
  const fs::path stage = folder / staging;
  std::error_code error;
  if (fs::exists(stage / whole, error))
    moveIntoPlace(folder);
  else if (fs::remove_all(stage, error) > 0)
    fmt::print(stderr, "reeve: {}: what an unfinished run has left there is gone\n", stage.string());
  return madeFolder(stage);
}

std::FILE* opened(const fs::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file)
    throw Failure(badInput, fmt::format("{}: cannot be written: {}\nhelp: give --out a folder that you may write to",
                                        path.string(), std::strerror(errno)));
  return file;
}

/// Of each path, for the header of a table that says them; empty for one that does not.
std::vector<std::string> unitsOf(const World& world, const std::vector<std::string>& paths, bool wanted) {
  std::vector<std::string> units;
  for (const std::string& path : paths)
    if (wanted) units.push_back(unitOf(world, world.resolve(path).value_or(Observable{})));
  return units;
}

/// Whether a path is as a pattern says, whose stars stand for any text.
bool matches(std::string_view pattern, std::string_view path) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == path;
  if (!path.starts_with(pattern.substr(0, star))) return false;
  pattern.remove_prefix(star + 1);
  for (std::size_t from = star; from <= path.size(); ++from)
    if (matches(pattern, path.substr(from))) return true;
  return false;
}

}  // namespace

std::vector<std::string> chosenPaths(const World& world, const std::string& patterns) {
  std::vector<std::string> still;
  for (const auto& [name, body] : world.description().bodies)
    if (body.motion == BodyMotion::fixed) still.push_back("bodies." + name + ".");
  if (patterns.empty()) {
    std::vector<std::string> moving = world.paths();
    std::erase_if(moving, [&](const std::string& path) {
      return std::any_of(still.begin(), still.end(), [&](const auto& head) { return path.starts_with(head); });
    });
    return moving;
  }
  std::vector<std::string_view> each;
  for (std::size_t at = 0; at < patterns.size();) {
    const std::size_t comma = std::min(patterns.find(',', at), patterns.size());
    each.push_back(std::string_view(patterns).substr(at, comma - at));
    at = comma + 1;
  }
  // What is in no trajectory by itself, such as powers and links, is found by patterns that match nothing else.
  const std::vector<std::string> usual = world.paths();
  const auto matchesOne = [](const std::vector<std::string>& paths, std::string_view pattern) {
    return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) { return matches(pattern, path); });
  };
  std::vector<std::string> chosen{"time"};
  const auto choose = [&](const std::vector<std::string>& paths, bool rare) {
    for (const std::string& path : paths)
      if (path != "time" && (!rare || std::find(chosen.begin(), chosen.end(), path) == chosen.end()) &&
          std::any_of(each.begin(), each.end(), [&](std::string_view pattern) {
            return matches(pattern, path) && (!rare || !matchesOne(usual, pattern));
          }))
        chosen.push_back(path);
  };
  choose(usual, false);
  if (!std::all_of(each.begin(), each.end(), [&](std::string_view pattern) { return matchesOne(usual, pattern); }))
    choose(everyPath(world), true);
  if (chosen.size() < 2)
    throw Failure(badInput, fmt::format("--columns: nothing of this scene matches \"{}\"\nhelp: patterns such as "
                                        "bodies.*.position.z,cables.* are compared with whole paths of observables",
                                        patterns));
  return chosen;
}

Recorder::Recorder(const RunOptions& options, const World& world)
    : folder_(madeFolder(options.out)),
      unfinished_(stagedIn(folder_)),
      command_(options.command),
      npz_(options.format == "npz"),
      paths_(chosenPaths(world, options.columns)),
      file_(npz_ ? nullptr : opened(unfinished_ / "trajectory.csv"), &std::fclose),
      routesFile_(opened(unfinished_ / "routes.csv"), &std::fclose),
      trajectory_(paths_, unitsOf(world, paths_, options.units)) {
  std::error_code error;
  if (fs::exists(folder_ / "summary.json", error))
    fmt::print(stderr, "reeve: {}: the results of an earlier run there are replaced when this one is over\n",
               folder_.string());
  for (const std::string& path : paths_) columns_.push_back(world.resolve(path).value_or(Observable{}));
  row_.resize(columns_.size());
  if (npz_) kept_.resize(columns_.size());
  // Routes change where a cable may meet bodies or pass by links; else there is nothing to look for.
  for (const auto& [name, cable] : world.description().cables) {
    routesMayChange_ |= !cable.candidates.empty() || cable.merges > 0 || cable.model == CableModel::strand;
    for (const LinkSettings& link : cable.route) routesMayChange_ |= !link.active;
  }
}

void Recorder::sample(const World& world) {
  // The last step of a run may be a regular sample too.
  if (world.time() == last_) return;
  last_ = world.time();
  world.readAll(columns_, row_);
  if (npz_)
    for (std::size_t i = 0; i < row_.size(); ++i) kept_[i].push_back(row_[i]);
  else
    trajectory_.add(world.time(), row_);
  if (routesMayChange_) routes_.add(world.observe());
  if (trajectory_.waiting() + routes_.waiting() > (std::size_t{1} << 20)) flush();
}

void Recorder::put(const char* name, std::FILE* file, const std::string& text) const {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size())
    throw Failure(badInput, fmt::format("{}: cannot be written: {}", (folder_ / name).string(), std::strerror(errno)));
}

void Recorder::flush() {
  if (file_) put("trajectory.csv", file_.get(), trajectory_.take());
  put("routes.csv", routesFile_.get(), routes_.take());
}

void Recorder::write(const char* name, const std::string& text) {
  writeText(unfinished_ / name, text);
  files_.emplace_back(name);
}

void Recorder::finish(const World& world, const record::RunFacts& facts, const Observation& seen, Story& story) {
  flush();
  if ((file_ && std::fclose(file_.release()) != 0) || std::fclose(routesFile_.release()) != 0)
    throw Failure(badInput, fmt::format("{}: cannot be written: {}", (folder_ / "trajectory.csv").string(),
                                        std::strerror(errno)));
  const Description& scene = world.description();
  if (npz_) {
    record::NpzWriter archive;
    for (std::size_t i = 0; i < paths_.size(); ++i) archive.add(paths_[i], kept_[i]);
    const std::string text = std::move(archive).finish();
    if (text.empty())
      throw Failure(badInput,
                    "trajectory.npz would be larger than 4 GB\nhelp: take fewer --columns, or a larger --every");
    write("trajectory.npz", text);
  } else {
    files_.emplace_back("trajectory.csv");
  }
  files_.emplace_back("routes.csv");
  write("scene.json", writeScene(scene));
  write("summary.json", record::writeSummary(facts, seen));
  write("plots.svg", story.plots());
  write("picture.svg", story.endPicture(seen));
  write("final.state", world.saveState());
  record::ReportParts parts;
  parts.command = command_;
  parts.version = REEVE_VERSION;
  parts.files = files_;
  const std::string page = story.page(facts, seen, std::move(parts));
  write("report.html", page);
  if (!facts.verdict.good) write("last-good.state", world.saveState());
  writeText(unfinished_ / whole, fmt::format("{}\n", fmt::join(files_, "\n")));
  moveIntoPlace(folder_);
}

}  // namespace reeve::command
