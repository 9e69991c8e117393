#pragma once
// The runs of a study: one line of the table each, on threads here or on the ranks of an MPI job.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "files.h"
#include "study.h"

namespace reeve::command {

struct StudyJob {
  StudyPlan plan;
  LoadedScene scene;
  Overrides overrides;
};

/// One run as a line of the table: number, inputs, outputs, verdict. Nothing in it depends on time or threads. Empty if
/// it was interrupted; throws a Failure if the plan does not fit the scene.
std::string studyLine(const StudyJob& job, std::size_t k, const std::vector<std::string>& inputs);

/// Lines of finished runs, in the order in which they ended. Each is written by one call, so a kill leaves whole lines,
/// or one torn one at the end that is cut off.
class Journal {
 public:
  Journal(const std::filesystem::path& file, const std::string& mark);
  ~Journal();
  Journal(const Journal&) = delete;

  bool has(std::size_t k) const { return lines_.contains(k); }
  std::size_t size() const { return lines_.size(); }
  const std::map<std::size_t, std::string>& lines() const { return lines_; }
  void add(std::size_t k, const std::string& line);

 private:
  std::string path_;
  int file_ = -1;
  std::map<std::size_t, std::string> lines_;
};

/// The inputs of run k.
using InputsOf = std::function<std::vector<std::string>(std::size_t k)>;

class Ranks;

/// Who does the runs.
struct StudyPool {
  const StudyJob& job;
  Journal& journal;
  int threads = 1;
  bool progress = false;
  Ranks* ranks = nullptr;  ///< of an MPI job; null runs here
  std::size_t all = 0;     ///< runs of the whole study, for the progress

  /// Does these runs and writes them into the journal; returns early when interrupted.
  void run(const std::vector<std::size_t>& open, const InputsOf& inputsOf);
};

/// One run with the values of Dakota's parameter file; writes its results file.
int studyForDakota(StudyJob job, const std::string& parameters, const std::string& results);

/// What ranks other than 0 do: runs as they are handed out, until rank 0 is done.
void serveStudy(const StudyJob& job, Ranks& ranks);

}  // namespace reeve::command
