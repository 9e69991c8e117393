#pragma once
// The result of a run as one JSON object, for scripts. Keys are only ever added.
#include <cstdint>
#include <string>
#include <vector>

#include "reeve/record/expectation.h"
#include "reeve/record/judge.h"
#include "reeve/record/notes.h"
#include "reeve/record/peaks.h"
#include "reeve/world/observation.h"
#include "reeve/world/world.h"

namespace reeve::record {

/// What there is to say about a run besides what was measured at its end.
struct RunFacts {
  std::string scene;              ///< name
  std::string source;             ///< file it came from; empty if unknown
  double wallSeconds = 0.0;       ///< spent stepping
  double simulatedSeconds = 0.0;  ///< in this run; less than the time if it started from a saved state
  std::uint64_t hash = 0;         ///< of the final state
  std::uint64_t seed = 0;
  Settings settings;        ///< as run, with overrides
  EnergyObservation start;  ///< energies before the first step
  double startWork = 0.0;   ///< J done by motors before the first step
  double turnover = 0.0;    ///< J that went from one account into another (turnover.h); 0 if nobody looked
  bool interrupted = false;
  Verdict verdict;
  std::vector<Event> events;
  std::size_t eventsLeftOut = 0;  ///< beyond what was kept
  std::vector<ExpectationResult> expectations;
  std::vector<std::string> jointUnits;  ///< of each joint's coordinate: rad, m, or empty where it has none
  std::vector<std::string> motorUnits;  ///< of each motor's force: N m or N
  std::vector<Peak> peaks;              ///< extremes over the run
  std::vector<Note> notes;              ///< remarks on how it ended
  std::vector<Finding> findings;        ///< what speaks against it
  /// How far it can be believed.
  Trust trust() const { return verdict.good ? levelOf(findings) : Trust::bad; }
};

std::string writeSummary(const RunFacts& facts, const Observation& observation, int indent = 2);

/// Fills in the units of joints and motors, which depend on their types.
void setUnits(RunFacts& facts, const Description& scene);

/// The work of a run alone: that of its end less that of its start, by name, in the order of a table.
struct WorkLine {
  std::string_view name;   ///< "friction", as in JSON
  std::string_view words;  ///< "taken by friction"
  double joules = 0.0;
};
std::vector<WorkLine> workOf(const RunFacts& facts, const Observation& observation);
/// J done by all motors since the start.
double motorWork(const Observation& observation);
/// Change of the total energy that motors do not account for: what drag, damping, friction and jerks took, or what the
/// integration lost.
double energyDrift(const RunFacts& facts, const Observation& observation);
std::string_view solverName(SolverChoice solver);

}  // namespace reeve::record
