#pragma once
// Writes a run to a folder: trajectory and routes while it goes, and the rest when it is over.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "reeve/record/plot.h"
#include "reeve/record/routes.h"
#include "reeve/record/summary.h"
#include "reeve/record/trajectory.h"
#include "reeve/world/world.h"

namespace reeve::command {

class Recorder {
 public:
  /// Makes the folder and opens the trajectory, so that an unwritable place is known before hours of simulation.
  Recorder(std::filesystem::path folder, const World& world);

  void sample(const World& world);
  void finish(const World& world, const record::RunFacts& facts, const Observation& observation);
  const std::filesystem::path& folder() const { return folder_; }

 private:
  struct Plotted {
    PlotSettings settings;
    std::vector<Observable> observables;
    std::vector<std::vector<double>> values;  ///< of each observable, over samples
  };

  void flush();
  void put(const char* name, std::FILE* file, const std::string& text) const;
  std::vector<record::Panel> panels() const;

  std::filesystem::path folder_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_, routesFile_;
  record::Trajectory trajectory_;
  record::Routes routes_;
  std::vector<Observable> columns_;
  std::vector<double> row_;
  std::vector<double> times_;
  std::vector<EnergyObservation> energies_;
  std::vector<double> works_;
  std::vector<Plotted> plots_;
};

}  // namespace reeve::command
