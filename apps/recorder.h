#pragma once
// Writes a run to a folder: trajectory and routes while it goes, and the rest when it is over. All of it is written to
// `unfinished` in that folder and moved into place at the end, so that a run that is killed leaves the results of the
// one before, and that mark, which the next run clears away.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "reeve/record/routes.h"
#include "reeve/record/summary.h"
#include "reeve/record/trajectory.h"
#include "reeve/world/world.h"
#include "story.h"

namespace reeve::command {

class Recorder {
 public:
  /// Makes the folder and opens the trajectory, so that an unwritable place is known before hours of simulation.
  Recorder(const RunOptions& options, const World& world);

  void sample(const World& world);
  void finish(const World& world, const record::RunFacts& facts, const Observation& observation, Story& story);
  const std::filesystem::path& folder() const { return folder_; }
  /// Names of what finish() wrote.
  const std::vector<std::string>& files() const { return files_; }

 private:
  void flush();
  void put(const char* name, std::FILE* file, const std::string& text) const;
  void write(const char* name, const std::string& text);

  std::filesystem::path folder_, unfinished_;
  std::string command_;
  bool npz_ = false;
  std::vector<std::string> paths_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_, routesFile_;
  record::Trajectory trajectory_;
  record::Routes routes_;
  bool routesMayChange_ = false;
  std::vector<Observable> columns_;
  std::vector<double> row_;
  std::vector<std::vector<double>> kept_;  ///< of each column over samples, for .npz
  double last_ = -1.0;
  std::vector<std::string> files_;
};

/// The paths of a trajectory: those that match one of the patterns (a star is any text), without bodies that never
/// move.
std::vector<std::string> chosenPaths(const World& world, const std::string& patterns);

}  // namespace reeve::command
