#include "drive.h"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "progress.h"
#include "reeve/record/drag_meter.h"

namespace reeve::command {
namespace {

volatile sig_atomic_t stopWanted = 0;
timespec firstStop{};

/// The first Ctrl-C ends the run at the next step, another one kills. The same signal may come twice, to the process
/// and to its group, as from timeout: what follows within half a second is the same one.
void stop(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (stopWanted == 0) {
    firstStop = now;
    stopWanted = 1;
    return;
  }
  const double since =
      static_cast<double>(now.tv_sec - firstStop.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - firstStop.tv_nsec);
  if (since < 0.5) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Events are kept up to here: a chattering link must not fill the memory.
constexpr std::size_t mostEvents = 10000;

void keepEvents(World& world, record::RunFacts& facts) {
  for (Event& event : world.takeEvents()) {
    if (facts.events.size() < mostEvents)
      facts.events.push_back(std::move(event));
    else
      ++facts.eventsLeftOut;
  }
}

}  // namespace

void catchInterrupts() {
  struct sigaction action {};
  action.sa_handler = stop;
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return stopWanted != 0; }

std::int64_t stepsFor(double seconds, double dt) {
  const double steps = seconds / dt;
  const double whole = std::round(steps);
  // 10 s at 1/240 s is 2400 steps, whatever the last bits say.
  return static_cast<std::int64_t>(std::abs(steps - whole) < 1e-6 * std::max(1.0, whole) ? whole : std::ceil(steps));
}

record::RunFacts drive(World& world, const DriveOptions& options) {
  using Clock = std::chrono::steady_clock;
  record::RunFacts facts;
  facts.scene = world.description().name;
  facts.settings = world.description().settings;
  record::setUnits(facts, world.description());
  const Observation first = world.observe();
  facts.start = first.energy;
  facts.startWork = record::motorWork(first);
  const double startTime = world.time();
  const std::int64_t steps = stepsFor(options.seconds, facts.settings.dt);
  record::DragMeter drag(world);
  std::optional<record::PeakMeter> peaks;
  if (options.peaks) peaks.emplace(world);
  Progress progress(options.seconds, options.progress);
  Clock::duration stepping{};

  if (options.expectations) options.expectations->look(world);
  if (options.sample) options.sample(world);
  for (std::int64_t i = 1; i <= steps && !interrupted(); ++i) {
    const Clock::time_point before = Clock::now();
    const Verdict& verdict = world.step();
    stepping += Clock::now() - before;
    keepEvents(world, facts);
    if (!verdict.good) break;
    drag.look(world);
    if (peaks) peaks->look(world);
    if (options.expectations) options.expectations->look(world);
    if (options.sample && (i % options.every == 0 || i == steps)) options.sample(world);
    progress.show(world.time() - startTime);
  }
  facts.wallSeconds = std::chrono::duration<double>(stepping).count();
  facts.simulatedSeconds = world.time() - startTime;
  facts.dragTaken = drag.taken();
  facts.hash = world.hash();
  facts.verdict = world.examine();
  facts.interrupted = interrupted();
  if (options.expectations) facts.expectations = options.expectations->results();
  if (peaks) facts.peaks = peaks->peaks();
  facts.notes = record::endNotes(world.description(), first, world.observe());
  return facts;
}

}  // namespace reeve::command
