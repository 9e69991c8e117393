#pragma once
// What a study is: a scene, what varies in it, and what is asked of every run.
#include <cstdint>
#include <string>
#include <vector>

namespace reeve::command {

/// An input: values of one place in the scene.
struct StudyInput {
  std::string path;                 ///< as for --set: "bodies.load.mass"
  std::vector<std::string> values;  ///< of a list or grid, as JSON
  double from = 0.0, to = 0.0;      ///< of a range, SI
  std::size_t count = 0;            ///< of a range on a grid; 0 for a list of values
};

/// An output: an observable, and what is made of it over the run.
struct StudyOutput {
  enum class Take { end, smallest, largest, rms, mean } take = Take::end;
  std::string path, column;
};

struct StudyPlan {
  std::string scene;  ///< file, or name of a shipped scene
  std::vector<StudyInput> inputs;
  std::vector<StudyOutput> outputs;
  std::string sampling = "grid";       ///< grid, list or latin; "nelder-mead" or "cma-es" where a search minimises
  std::size_t runs = 0;                ///< of latin; at most, of a search
  std::uint64_t seed = 1;              ///< of latin and cma-es
  double sign = 0.0;                   ///< +1 minimises the first output, -1 maximises it, 0 is no search
  std::vector<std::string> overrides;  ///< "path=value" for every run

  std::size_t count() const;
  /// The inputs of run k as JSON texts, one of each. The same for every number of threads and shards.
  std::vector<std::string> inputsOf(std::size_t k) const;
  /// The inputs at a point of the unit cube over their ranges.
  std::vector<std::string> inputsAt(const std::vector<double>& shares) const;
};

/// Reads a plan, or says what is wrong with it and where.
StudyPlan readPlan(const std::string& file, const std::string& text);

}  // namespace reeve::command
