#pragma once
// Steps a world for a while: the loop that run, check and picture share.
#include <functional>

#include "reeve/record/expectation.h"
#include "reeve/record/summary.h"
#include "reeve/world/world.h"

namespace reeve::command {

/// The first Ctrl-C (or SIGTERM) asks a drive to stop, in the middle of a step if need be; the second one kills, as
/// ever.
void catchInterrupts();
/// The same after so many seconds by the clock; before catchInterrupts() it ends the program.
void stopAfter(double seconds);
bool interrupted();
/// Which signal it was: SIGINT, SIGTERM, SIGALRM (the time is up), 0: none.
int interruptedBy();

struct DriveOptions {
  double seconds = 0.0;
  bool progress = true;
  record::ExpectationWatch* expectations = nullptr;
  /// Before the first step, and after every `every` steps and the last one.
  std::function<void(const World&)> sample = {};
  std::int64_t every = 1;
  bool peaks = false;  ///< follow the extremes, which evaluates everything in every step
};

/// Steps until the time is up, the step goes bad or somebody presses Ctrl-C. Returns what there is to say about it.
record::RunFacts drive(World& world, const DriveOptions& options);

/// How many steps cover this time: whole ones, the last may reach beyond.
std::int64_t stepsFor(double seconds, double dt);

}  // namespace reeve::command
