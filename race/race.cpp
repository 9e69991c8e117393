#include "race.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reeve/threads/cpu_time.h"

namespace reeve::race {
namespace {

struct Judged {
  double measure = 0.0, gained = 0.0, lost = 0.0;
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
    if (std::isfinite(energy)) {
      j.gained = std::max(j.gained, (energy - start) / race.work);
      j.lost = std::max(j.lost, (start - energy) / race.work);
    }
    if (j.failed) return j;
  }
  return j;
}

/// How far what should stand still comes at a tenth of the step, in a tenth of the time.
double creep(const Race& race, const Entrant& entrant) {
  auto runner = entrant.atRest(race.dt / 10);
  double worst = 0.0;
  for (int i = 0; i < race.steps; ++i) {
    if (!runner->step()) return std::numeric_limits<double>::infinity();
    const double now = std::abs(runner->measure());
    worst = now <= worst ? worst : now;  // NaN stays
  }
  return worst;
}

/// Seconds of CPU per step of one repeat, as far as it gets.
double repeat(const Entrant& entrant, double& spent, double dt, int steps) {
  auto runner = entrant.start(dt);
  for (int i = 0; i < 3; ++i) runner->step();  // memory is allocated here
  const double start = threadSeconds();
  int done = 0;
  for (bool good = true; good && done < steps; ++done) good = runner->step();  // who fails may do nothing any more
  const double took = threadSeconds() - start;
  spent += took;
  return took / done;
}

double errorOf(const Race& race, double measure, double exact) {
  return std::abs(measure - exact) / (race.relative ? std::abs(exact) : 1.0);
}

bool accurate(const Race& race, const Judged& j, double exact) {
  if (j.failed || !(errorOf(race, j.measure, exact) < race.accuracy) || !(j.gained < race.wild)) return false;
  return !race.conserves || std::max(j.gained, j.lost) < race.accuracy;
}

/// The longest of the steps dt 2^k, k from 3 down, with the accuracy asked for, or a shorter one as long as runs take
/// less with it (iterations may be fewer); ms for the whole run with it.
void findAccurateStep(const Race& race, const Entrant& entrant, double exact, Result& r) {
  for (int k = 3; k >= race.finest; --k) {
    Race other = race;
    other.dt = std::ldexp(race.dt, k);
    other.steps = static_cast<int>(std::lround(std::ldexp(race.steps, -k)));
    if (std::ldexp(other.steps, k) != race.steps) continue;
    const bool found = r.accurateStep > 0.0;
    if (!accurate(other, judge(other, entrant, 1), exact)) {
      if (found) return;
      continue;
    }
    double least = 1e300, spent = 0.0;
    for (int i = 0; i < 3; ++i) least = std::min(least, repeat(entrant, spent, other.dt, other.steps));
    const double time = 1e3 * least * other.steps;
    if (found && time >= r.accurateTime) return;
    r.accurateStep = other.dt;
    r.accurateTime = time;
  }
}

void findWhoIsAhead(const std::vector<Result>& results, Result& mine) {
  mine.missed = mine.failed;
  for (const Result& peer : results) {
    const bool equal = peer.accurateTime > 0.0 && mine.accurateTime > 0.0;
    const bool alone = peer.accurateTime > 0.0 && !equal;  // it reaches the accuracy, which we do not
    if (peer.engine == mine.engine || !peer.sound || (peer.failed && !equal && !alone)) continue;
    const double ratio = alone   ? std::numeric_limits<double>::infinity()
                         : equal ? mine.accurateTime / peer.accurateTime
                                 : mine.microseconds / peer.microseconds;
    if (ratio <= mine.wanted) continue;
    mine.missed = true;
    mine.behind = peer.engine + " " + peer.how;
    return;
  }
}

}  // namespace

std::vector<Result> run(Race race, const Effort& effort) {
  std::erase_if(race.entrants, [](const Entrant& e) { return !e.start; });
  std::vector<Result> results;
  for (const Entrant& e : race.entrants) {
    Result r;
    r.race = race.name, r.engine = e.engine, r.how = e.how, r.rival = race.rival, r.measures = race.measures;
    r.size = race.size;
    r.wanted = e.wanted;
    const Judged coarse = judge(race, e, 1), fine = judge(race, e, 10);
    const double exact = e.exact.value_or(fine.measure);
    r.error = errorOf(race, coarse.measure, exact);
    r.finer = errorOf(race, fine.measure, exact);
    r.gained = coarse.gained;
    r.gainedFiner = fine.gained;
    r.failed = coarse.failed || !(r.error < race.broken) || !(r.gained < race.wild);
    r.sound = !fine.failed && r.finer < race.broken && fine.gained < race.wild &&
              (r.finer <= 1.1 * r.error || r.finer < 1e-3);
    if (!r.sound) {  // too hard for a tenth of the step, or set up wrongly? A hundredth, over a tenth of the time.
      Race start = race;
      start.steps = std::max(1, race.steps / 10);
      const Judged j = judge(start, e, 100);
      r.sound = !j.failed && j.gained < race.wild && (!e.exact || *e.exact != 0.0 || j.measure < race.broken);
    }
    if (e.atRest) {
      r.crept = creep(race, e);
      r.sound = r.sound && r.crept <= race.still;
    }
    r.microseconds = 1e300;
    // Whose energy is not kept at a tenth of the step does not keep it at an eighth.
    if (race.accuracy > 0.0 && (!race.conserves || accurate(race, fine, exact))) findAccurateStep(race, e, exact, r);
    results.push_back(r);
  }
  std::vector<double> spent(race.entrants.size(), 0.0);
  for (int round = 0; round < effort.repeats || *std::min_element(spent.begin(), spent.end()) < effort.seconds; ++round)
    for (std::size_t i = 0; i < race.entrants.size(); ++i)
      if (round < effort.repeats || spent[i] < effort.seconds)
        results[i].microseconds =
            std::min(results[i].microseconds, 1e6 * repeat(race.entrants[i], spent[i], race.dt, race.timed));
  for (const Result& rival : results)
    if (rival.engine + " " + rival.how == race.rival)
      for (Result& r : results) {
        r.ratio = r.microseconds / rival.microseconds;
        if (r.accurateTime > 0.0 && rival.accurateTime > 0.0) r.accurateRatio = r.accurateTime / rival.accurateTime;
      }
  for (Result& r : results)
    if (r.wanted > 0.0) findWhoIsAhead(results, r);
  return results;
}

}  // namespace reeve::race
