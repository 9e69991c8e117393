#include "drive.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>

#include "caps.h"
#include "command.h"
#include "progress.h"
#include "reeve/model/state.h"
#include "reeve/record/turnover.h"

namespace reeve::command {
namespace {

/// How often a run is judged: every step of a short one, else every few steps, and of a long one so many times.
constexpr std::int64_t shortRun = 100, fewestSteps = 4, mostLooks = 400, seldomest = 1000;

volatile sig_atomic_t stopSignal = 0;
/// The same for the step that is being made.
std::atomic<bool> stopFlag = false;
timespec firstStop{};

/// While a scene is built there are no results to keep.
void leave(int) {
  constexpr char text[] = "reeve: the --time is up, and the scene is not built yet\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
  _exit(interruption);
}

/// The first signal ends the run, and the step that is being made with it; another one kills. The same signal may come
/// twice, to the process and to its group, as from timeout: what follows within half a second is the same one.
void stop(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (stopSignal == 0) {
    firstStop = now;
    stopSignal = signal;
    stopFlag.store(true, std::memory_order_relaxed);
    return;
  }
  const double since =
      static_cast<double>(now.tv_sec - firstStop.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - firstStop.tv_nsec);
  if (since < 0.5 || signal == SIGALRM) return;
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
  for (const int signal : {SIGINT, SIGTERM, SIGALRM}) sigaction(signal, &action, nullptr);
}

void stopAfter(double seconds) {
  signal(SIGALRM, leave);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
  if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

bool interrupted() { return stopSignal != 0; }
int interruptedBy() { return stopSignal; }

int endedBySignal(int code) {
  const bool went = code == ok || code == notAsExpected || code == doubtful;
  return !went || (stopSignal != SIGINT && stopSignal != SIGTERM) ? code
         : stopSignal == SIGINT                                   ? interruption
                                                                  : terminated;
}

std::int64_t stepsFor(double seconds, double dt) {
  const double steps = seconds / dt;
  const double whole = std::round(steps);
  // 10 s at 1/240 s is 2400 steps, whatever the last bits say.
  return static_cast<std::int64_t>(std::abs(steps - whole) < 1e-6 * std::max(1.0, whole) ? whole : std::ceil(steps));
}

record::RunFacts drive(World& world, const DriveOptions& options) {
  using Clock = std::chrono::steady_clock;
  record::RunFacts facts;
  world.interruptBy(&stopFlag);
  facts.scene = world.description().name;
  facts.settings = world.description().settings;
  record::setUnits(facts, world.description());
  const Observation first = world.observe();
  facts.start = first.energy;
  facts.startWork = record::motorWork(first);
  const double startTime = world.time();
  const std::int64_t steps = stepsFor(options.seconds, facts.settings.dt);
  record::Turnover turnover(first.energy);
  std::optional<record::PeakMeter> peaks;
  if (options.peaks) peaks.emplace(world);
  record::Judge judge(world.description(), first);
  const Observable total = *world.resolve("energy.total");
  const std::int64_t lookEvery =
      steps <= shortRun ? 1 : std::clamp<std::int64_t>(steps / mostLooks, fewestSteps, seldomest);
  Progress progress(options.seconds, options.progress);
  Clock::duration stepping{};

  if (options.expectations) options.expectations->look(world);
  if (options.sample) options.sample(world);
  for (std::int64_t i = 1; i <= steps && !interrupted(); ++i) {
    const Clock::time_point before = Clock::now();
    const std::int64_t made = world.steps();
    const Verdict& verdict = world.step();
    stepping += Clock::now() - before;
    if (verdict.good && world.steps() == made) break;  // interrupted: the state is that from before the step
    keepEvents(world, facts);
    if (!verdict.good) break;
    if (peaks) peaks->look(world);
    if (options.peaks && i % lookEvery == 0) {
      const Observation seen = world.observe();
      turnover.look(seen.energy);
      judge.look(seen);
    } else if (options.peaks && judge.suspects(world.read(total), world.state().accounts)) {
      judge.lookAgain(world.observe());
    }
    if (options.expectations) options.expectations->look(world);
    if (options.sample && (i % options.every == 0 || i == steps)) options.sample(world);
    progress.show(world.time() - startTime);
  }
  if (options.peaks && world.verdict().good && world.steps() > 0) judge.look(world.observe(), true);
  facts.wallSeconds = std::chrono::duration<double>(stepping).count();
  facts.simulatedSeconds = world.time() - startTime;
  facts.turnover = turnover.turned();
  facts.hash = world.hash();
  facts.verdict = world.examine();
  facts.interrupted = interrupted();
  if (options.expectations) facts.expectations = options.expectations->results();
  if (peaks) facts.peaks = peaks->peaks();
  facts.findings = judge.findings();
  facts.notes = record::endNotes(world.description(), first, world.observe());
  for (record::Note& note : record::jolts(facts.peaks, first, facts.simulatedSeconds))
    facts.notes.push_back(std::move(note));
  return facts;
}

}  // namespace reeve::command
