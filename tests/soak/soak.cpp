// soak: rates of what goes wrong, over many machines.
//   soak machines MODEL [3d] COUNT [FIRST [SECONDS]]
//       random machines, 3 s at 1/240 s otherwise: one line for each that is not right, and rates
//   soak scene MODEL [3d] NUMBER     writes one of them as a scene
//   soak steps MODEL [3d] NUMBER [SHARE]
//       the steps in which one of them wins more than this share (1e-3) of what it turned over, and what happened there
//   soak run SECONDS FILE...         the same of scenes
//   soak halves STEPS FILE...        scenes, saved and restored at three places
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "reeve/model/state.h"
#include "reeve/record/judge.h"
#include "reeve/scene/scene.h"
#include "steps.h"
#include "support/dice.h"
#include "support/halves.h"
#include "support/random_machine.h"

namespace {

using namespace reeve;
using namespace reeve::test;

/// s of the processor: others may be at work too.
double processorTime() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr double gainLimit = 0.01;

struct Fate {
  bool bad = false, doubtful = false;
  double gain = 0.0;   ///< above the energy at the start for three steps, as a share of what was turned over
  bool spike = false;  ///< so much was reported for a step or two, where a link changes
  double rise = 0.0;   ///< above the lowest so far
  double gainAt = 0.0, slowest = 0.0;
  std::int64_t unconverged = 0, steps = 0;
  double stretched = 0.0;  ///< m of rest length made or lost
  Halves halves;
  std::string why;
};

/// A run saved after some step, and what it was some steps later: a restored one must be that too.
struct Half {
  std::int64_t at = 0, until = 0;
  std::string text;
  std::uint64_t hash = 0;
  bool good = true;
  void look(const World& w, std::int64_t step) {
    if (step == at) text = w.saveState();
    if (step > until || (step < until && w.verdict().good)) return;
    until = step;
    hash = w.hash(), good = w.verdict().good;
  }
  Halves compare(const Description& d) const {
    if (text.empty() || until <= at) return {};
    auto half = World::build(d);
    if (auto ok = half->restoreState(text); !ok) return {.problem = "restore: " + ok.error().reason, .bad = !good};
    for (std::int64_t i = at; i < until && half->verdict().good; ++i) half->step();
    const bool same = half->hash() == hash && half->verdict().good == good;
    return {.problem = {}, .bad = !good, .differs = same ? 0 : std::max<std::int64_t>(at, 1)};
  }
};

double restOf(const Observation& o) {
  double sum = 0.0;
  for (const auto& [name, cable] : o.cables) sum += cable.length;
  return sum;
}

struct Energies {
  Observable total, kinetic, motors;
  explicit Energies(const World& w)
      : total(*w.resolve("energy.total")), kinetic(*w.resolve("energy.kinetic")), motors(*w.resolve("energy.motors")) {}
  /// Less the work of motors, J: nothing else works on a random machine.
  double balance(const World& w) const {
    return w.read(total) - (w.description().motors.empty() ? 0.0 : w.read(motors));
  }
};

/// `number` chooses the step at which it is saved.
Fate fateOf(const Description& d, double seconds, int number = 0) {
  Fate fate;
  auto world = World::build(d);
  if (!world) {
    fate.bad = true;
    fate.why = world.error().path + ": " + world.error().reason;
    return fate;
  }
  World& w = *world;
  const Observation first = w.observe();
  record::Judge judge(w.description(), first);
  const Energies energies(w);
  const double start = energies.balance(w);
  double lowest = start, kinetic = first.energy.kinetic, gain = 0.0, rise = 0.0, most = 0.0;
  double earlier[2] = {start, start};
  const double rest = restOf(first);
  const auto steps = std::llround(seconds / d.settings.dt);
  constexpr std::int64_t stepsOfHalf = 50;
  Dice dice{static_cast<unsigned>(number) * 747796405u + 1u};
  dice.share();
  Half half;
  half.at = static_cast<std::int64_t>(dice.share() * static_cast<double>(steps));
  half.until = std::min<std::int64_t>(half.at + stepsOfHalf, steps);
  half.look(w, 0);
  for (std::int64_t i = 1; i <= steps; ++i) {
    const double before = processorTime();
    const bool good = w.step().good;
    fate.slowest = std::max(fate.slowest, processorTime() - before);
    half.look(w, i);
    if (!good) break;
    if (i % 4 == 0) {
      const Observation now = w.observe();
      judge.look(now);
      fate.stretched = std::max(fate.stretched, std::fabs(restOf(now) - rest));
    } else if (judge.suspects(w.read(energies.total), w.state().accounts)) {
      judge.lookAgain(w.observe());
    }
    const double balance = energies.balance(w);
    kinetic = std::max(kinetic, w.read(energies.kinetic));
    lowest = std::min(lowest, balance);
    gain = std::max(gain, std::min({balance, earlier[0], earlier[1]}) - start);
    most = std::max(most, balance - start);
    earlier[1] = std::exchange(earlier[0], balance);
    if (balance - lowest > rise) rise = balance - lowest, fate.gainAt = w.time();
  }
  if (w.verdict().good) judge.look(w.observe(), true);
  const double turnover = std::max(kinetic + (start - lowest), 1e-9);
  fate.gain = gain / turnover;
  fate.rise = rise / turnover;
  fate.spike = most / turnover > gainLimit && !(fate.gain > gainLimit);
  const Verdict end = w.examine();
  fate.bad = !end.good;
  if (fate.bad) fate.why = end.culprit + " " + end.reason;
  fate.doubtful = record::levelOf(judge.findings()) >= record::Trust::doubtful;
  fate.unconverged = w.observe().health.unconverged;
  fate.steps = w.steps();
  fate.halves = half.compare(d);
  return fate;
}

CableModel modelOf(const char* word) {
  for (const auto& [name, model] : {std::pair{"joints", CableModel::joints},
                                    {"strand", CableModel::strand},
                                    {"hoist", CableModel::hoist},
                                    {"chain", CableModel::chain},
                                    {"particles", CableModel::particles}})
    if (std::strcmp(word, name) == 0) return model;
  std::fprintf(stderr, "soak: %s is no model\n", word);
  std::exit(2);
}

int machines(const MachineKind& kind, const char* word, int count, int firstNumber, double seconds) {
  int bad = 0, gains = 0, silent = 0, rises = 0, unconverged = 0, doubtful = 0, differ = 0, lengths = 0, spikes = 0;
  double slowest = 0.0;
  std::int64_t steps = 0, missed = 0;
  for (int n = firstNumber; n < firstNumber + count; ++n) {
    const Fate f = fateOf(randomMachine(kind, static_cast<unsigned>(n)), seconds, n);
    const bool gained = !f.bad && f.gain > gainLimit, stretched = !f.bad && f.stretched > 1e-6;
    bad += f.bad, gains += gained, rises += !f.bad && f.rise > gainLimit, silent += gained && !f.doubtful,
        unconverged += f.unconverged > 0;
    spikes += !f.bad && f.spike, doubtful += f.doubtful, differ += !f.halves.same(), lengths += stretched;
    steps += f.steps, missed += f.unconverged;
    slowest = std::max(slowest, f.slowest);
    if (f.bad || gained || f.rise > gainLimit || stretched || !f.halves.same() || f.slowest > 0.1)
      std::printf(
          "%d: %s gain %.2g, rise %.2g at %.3f s, rest %.1e m, unconverged %lld, slowest %.1f ms, halves %s %s\n", n,
          f.bad        ? "BAD"
          : f.doubtful ? "doubtful"
                       : "good",
          f.gain, f.rise, f.gainAt, f.stretched, static_cast<long long>(f.unconverged), 1e3 * f.slowest,
          f.halves.same()            ? "same"
          : f.halves.problem.empty() ? "DIFFER"
                                     : f.halves.problem.c_str(),
          f.why.c_str());
    std::fflush(stdout);
  }
  std::printf(
      "| model | machines | bad | gains > 1 %% | silent gains | in one step only | rises > 1 %% | rest length changed "
      "| with "
      "unconverged steps | steps "
      "unconverged | doubtful | two halves differ | slowest step |\n| %s%s | %d | %d | %d | %d | %d | %d | %d | %d | "
      "%lld of "
      "%lld | "
      "%d | %d | %.1f ms |\n",
      word, kind.spatial ? " 3D" : "", count, bad, gains, silent, spikes, rises, lengths, unconverged,
      static_cast<long long>(missed), static_cast<long long>(steps), doubtful, differ, 1e3 * slowest);
  return 0;
}

int runs(double seconds, int count, char** files) {
  for (int i = 0; i < count; ++i) {
    std::ifstream file(files[i]);
    std::stringstream text;
    text << file.rdbuf();
    const auto scene = readScene(text.str(), files[i]);
    if (!scene) {
      std::printf("%s: refused: %s\n", files[i], scene.error().reason.c_str());
      continue;
    }
    const Fate f = fateOf(*scene, std::min(seconds, scene->settings.seconds));
    std::printf("%s: %s gain %.2g, unconverged %lld of %lld, slowest %.1f ms, halves %s %s\n", files[i],
                f.bad        ? "BAD"
                : f.doubtful ? "doubtful"
                             : "good",
                f.gain, static_cast<long long>(f.unconverged), static_cast<long long>(f.steps), 1e3 * f.slowest,
                f.halves.same()            ? "same"
                : f.halves.problem.empty() ? "DIFFER"
                                           : f.halves.problem.c_str(),
                f.why.c_str());
    std::fflush(stdout);
  }
  return 0;
}

int halves(int steps, int count, char** files) {
  int differ = 0, refused = 0, same = 0;
  for (int i = 0; i < count; ++i) {
    std::ifstream file(files[i]);
    std::stringstream text;
    text << file.rdbuf();
    const auto scene = readScene(text.str(), files[i]);
    const Halves h = scene ? compareHalves(*scene, steps, {steps / 6, steps / 3 + 3, (2 * steps) / 3 + 1})
                           : Halves{.problem = scene.error().reason};
    if (!h.problem.empty())
      ++refused, std::printf("%s: %s\n", files[i], h.problem.c_str());
    else if (h.differs)
      ++differ, std::printf("%s: DIFFERS from step %lld%s\n", files[i], static_cast<long long>(h.differs),
                            h.bad ? " (goes bad)" : "");
    else
      ++same;
    std::fflush(stdout);
  }
  std::printf("%d same, %d differ, %d refused\n", same, differ, refused);
  return differ > 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 4 && std::strcmp(argv[1], "halves") == 0) return halves(std::atoi(argv[2]), argc - 3, argv + 3);
  if (argc >= 4 && std::strcmp(argv[1], "run") == 0) return runs(std::atof(argv[2]), argc - 3, argv + 3);
  if (argc >= 4 && (std::strcmp(argv[1], "machines") == 0 || std::strcmp(argv[1], "scene") == 0 ||
                    std::strcmp(argv[1], "steps") == 0)) {
    const bool spatial = std::strcmp(argv[3], "3d") == 0;
    char** rest = argv + (spatial ? 4 : 3);
    if (!*rest) return 2;
    const MachineKind kind{.model = modelOf(argv[2]), .spatial = spatial};
    const int first = rest[1] ? std::atoi(rest[1]) : 0;
    const double seconds = rest[1] && rest[2] ? std::atof(rest[2]) : 3.0;
    if (argv[1][0] == 'm') return machines(kind, argv[2], std::atoi(rest[0]), first, seconds);
    const Description one = randomMachine(kind, static_cast<unsigned>(std::atoi(rest[0])));
    if (std::strcmp(argv[1], "steps") == 0) {
      printRises(one, 3.0, rest[1] ? std::atof(rest[1]) : 1e-3);
      return 0;
    }
    std::printf("%s\n", writeScene(one).c_str());
    return 0;
  }
  std::fprintf(stderr,
               "soak machines MODEL [3d] COUNT [FIRST [SECONDS]] | soak scene MODEL [3d] NUMBER | "
               "soak steps MODEL [3d] NUMBER [SHARE] | soak run SECONDS FILE... | soak halves STEPS FILE...\n");
  return 2;
}
