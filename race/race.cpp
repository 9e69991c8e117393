#include "race.h"

#include <algorithm>
#include <cmath>

#include "reeve/threads/cpu_time.h"

namespace reeve::race {
namespace {

struct Judged {
  double measure = 0.0, gained = 0.0;
  bool failed = false;
};

/// So many times finer than the race's step, over the same time.
Judged judge(const Race& race, const Entrant& entrant, int finer) {
  Judged j;
  auto runner = entrant.start(race.dt / finer);
  const double start = runner->energy();
  for (int i = 0; i < race.steps * finer; ++i) {
    if (!runner->step()) j.failed = true;
    if ((i + 1) % finer) continue;
    j.measure = runner->measure();
    const double energy = runner->energy();
    if (!std::isfinite(j.measure) || !std::isfinite(energy)) j.failed = true;
    if (std::isfinite(energy)) j.gained = std::max(j.gained, (energy - start) / race.work);
    if (j.failed) return j;
  }
  return j;
}

/// Seconds of CPU per step of one repeat.
double repeat(const Race& race, const Entrant& entrant, double& spent) {
  auto runner = entrant.start(race.dt);
  for (int i = 0; i < 3; ++i) runner->step();  // memory is allocated here
  const double start = threadSeconds();
  for (int i = 0; i < race.timed; ++i) runner->step();
  const double took = threadSeconds() - start;
  spent += took;
  return took / race.timed;
}

}  // namespace

std::vector<Result> run(const Race& race, const Effort& effort) {
  std::vector<Result> results;
  for (const Entrant& e : race.entrants) {
    Result r{.race = race.name, .engine = e.engine, .how = e.how, .rival = race.rival, .measures = race.measures};
    r.size = race.size;
    r.wanted = e.wanted;
    const Judged coarse = judge(race, e, 1), fine = judge(race, e, 10);
    const double exact = e.exact.value_or(fine.measure);
    r.error = std::abs(coarse.measure - exact) / race.scale;
    r.finer = std::abs(fine.measure - exact) / race.scale;
    r.gained = coarse.gained;
    r.gainedFiner = fine.gained;
    r.failed = coarse.failed || !(r.error < race.broken) || !(r.gained < race.wild);
    r.microseconds = 1e300;
    results.push_back(r);
  }
  std::vector<double> spent(race.entrants.size(), 0.0);
  for (int round = 0; round < effort.repeats || *std::min_element(spent.begin(), spent.end()) < effort.seconds; ++round)
    for (std::size_t i = 0; i < race.entrants.size(); ++i)
      if (round < effort.repeats || spent[i] < effort.seconds)
        results[i].microseconds = std::min(results[i].microseconds, 1e6 * repeat(race, race.entrants[i], spent[i]));
  for (const Result& rival : results)
    if (rival.engine + " " + rival.how == race.rival)
      for (Result& r : results) r.ratio = r.microseconds / rival.microseconds;
  return results;
}

}  // namespace reeve::race
