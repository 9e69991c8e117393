#include "steps.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "reeve/world/world.h"

namespace reeve::test {
namespace {

void print(const Observation& before, const Observation& now, double rise, double turnover,
           const std::vector<Event>& events, const std::vector<Event>& eventsBefore) {
  const auto change = [&](double EnergyObservation::*part) { return now.energy.*part - before.energy.*part; };
  std::printf(
      "  %.4f s rise %.3g J (%.2f %%) kinetic %+.3g potential %+.3g elastic %+.3g impacts %+.3g friction %+.3g%s",
      now.time, rise, 100.0 * rise / turnover, change(&EnergyObservation::kinetic),
      change(&EnergyObservation::potential), change(&EnergyObservation::elastic), change(&EnergyObservation::impacts),
      change(&EnergyObservation::friction), now.health.unconverged > before.health.unconverged ? " UNCONVERGED" : "");
  for (const auto* list : {&eventsBefore, &events})
    for (const Event& e : *list)
      std::printf("%s %s %s", list == &events ? "; now" : "; before", e.subject.c_str(), e.what.c_str());
  std::printf("\n");
}

}  // namespace

void printRises(const Description& scene, double seconds, double share) {
  auto world = World::build(scene);
  if (!world) {
    std::printf("refused: %s\n", world.error().reason.c_str());
    return;
  }
  World& w = *world;
  Observation before = w.observe();
  const double start = before.energy.total;
  double lowest = start, kinetic = before.energy.kinetic;
  std::vector<Event> earlier;
  const auto steps = std::llround(seconds / scene.settings.dt);
  for (std::int64_t i = 1; i <= steps; ++i) {
    if (!w.step().good) break;
    const std::vector<Event> events = w.takeEvents();
    const Observation now = w.observe();
    lowest = std::min(lowest, now.energy.total);
    kinetic = std::max(kinetic, now.energy.kinetic);
    const double rise = now.energy.total - before.energy.total, turnover = std::max(kinetic + start - lowest, 1e-9);
    if (rise > share * turnover) print(before, now, rise, turnover, events, earlier);
    before = now;
    earlier = events;
  }
  std::printf("  start %.4g, end %.4g, lowest %.4g, most kinetic %.4g%s\n", start, before.energy.total, lowest, kinetic,
              w.verdict().good ? "" : (" BAD " + w.verdict().culprit + " " + w.verdict().reason).c_str());
}

}  // namespace reeve::test
