#pragma once
// What a run looked like: plots, pictures of its start, middle and end, and the data of the player, gathered while it
// goes.
#include <string>
#include <vector>

#include "reeve/record/player_data.h"
#include "reeve/record/plot.h"
#include "reeve/record/report.h"
#include "reeve/world/world.h"

namespace reeve::command {

class Story {
 public:
  /// `samples`: how many there will be at most.
  Story(const World& world, std::size_t samples);

  /// Takes a sample; returns the observation if one was needed, so that others need not make it again.
  void sample(const World& world);

  /// All plots as one drawing, once the run is over.
  const std::string& plots();
  /// The scene at the end, by the camera that all pictures of the run share.
  const std::string& endPicture(const Observation& end);
  /// The whole page. `parts` brings the command, the version and the files.
  std::string page(const record::RunFacts& facts, const Observation& end, record::ReportParts parts);

 private:
  struct Plotted {
    PlotSettings settings;
    std::size_t first = 0;  ///< of values_
  };
  std::vector<record::Panel> panels() const;
  std::string picture(const Observation& seen, const char* prefix) const;

  const Description& scene_;
  std::size_t samples_;
  record::PlayerData player_;
  std::vector<Observable> observables_;      ///< of the plots, then kinetic, potential, elastic, total, works of motors
  std::vector<std::string> labels_;          ///< of the plots' observables
  std::vector<std::vector<double>> values_;  ///< of each observable, over samples
  std::vector<double> row_, times_;
  std::vector<Plotted> plots_;
  std::size_t energy_ = 0;
  Observation start_, middle_;
  std::string end_, plotsText_;  ///< drawings that are asked for more than once
};

}  // namespace reeve::command
