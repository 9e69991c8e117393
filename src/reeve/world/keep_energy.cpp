// Where nothing gives energy, no step may end with more of it than it began with. What a step wins is an error of its
// size: it is made again in four parts, or in sixteen, from before anything met or left anything, and of these the one
// is kept that wins least. Where it found no solution, and a part finds none, what hangs on the cable stops. What
// smooth motion wins to and fro is far below the share that counts.
//
// Waves on cables are a memory of their own, and may be fed in any step: such cables are looked at in every step;
// everything else where something happened, or no solution was found. Other steps win nothing that is worth the look.
#include <algorithm>
#include <cmath>

#include "reeve/model/kinetics.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {
/// Of what moves and is stretched: what a step may win; and of all energy, what is rounding.
constexpr double wonShare = 2e-3, roundingShare = 1e-9;
/// Where a swing turns, nothing moves, and steps err as before: what is free counts as if it had fallen for so many.
constexpr double fallenSteps = 8.0;
/// Parts of a step that is made again.
constexpr int fewParts = 4, mostParts = 16;
}  // namespace

bool nothingGives(const Description& scene) {
  return scene.motors.empty() && scene.forces.empty() && scene.events.empty() &&
         std::ranges::all_of(scene.cables, [](const auto& c) {
           const Profile& out = c.second.payout;
           return out.table.empty() && out.rate == 0.0 && out.amplitude == 0.0 && c.second.extension.empty();
         });
}

EnergyWatch World::Parts::energyWatch() const {
  // Where nothing is free, nothing can be flung.
  if (!closed || solver != &direct || !(now.moving().weighed > 0.0) || !state.pushes.empty() ||
      !state.overrides.empty())
    return EnergyWatch::never;
  const bool waves = !model().masses.empty() && !model().hasElementMass;
  return waves ? EnergyWatch::always : EnergyWatch::oddSteps;
}

bool World::Parts::keepEnergy(EnergyWatch watch, double had, std::size_t eventsBefore) {
  if (watch == EnergyWatch::oddSteps) {
    if (converged && events.all().size() == eventsBefore) return true;
    std::swap(state, undone);
    show();
    had = energyNow();
    std::swap(state, undone);
  }
  const Settings& settings = model().description.settings;
  const double fallen = fallenSteps * settings.dt * settings.gravity.norm();
  const auto won = [&](double& allowed) {
    show();
    now.evaluate();
    const Energy e = energyOf(now, state.force);
    const double turns = 0.5 * now.moving().weighed * fallen * fallen;
    allowed = wonShare * (std::max(e.kinetic, 0.0) + std::max(e.elastic, 0.0) + turns) + roundingShare * std::fabs(had);
    return e.kinetic + e.potential + e.elastic - had;
  };
  double allowed = 0.0, least = won(allowed);
  if (!(least > allowed)) return true;
  State best = state;
  bool settled = converged;
  const auto happened = [&] {
    const std::span<const ElementEvent> all = events.all().subspan(eventsBefore);
    return std::vector<ElementEvent>(all.begin(), all.end());
  };
  std::vector<ElementEvent> told = happened();
  direct.stopAtOnce(!settled);
  for (int parts = fewParts; least > allowed && parts <= mostParts; parts *= fewParts) {
    state = undone;
    events.cutTo(eventsBefore);
    show();
    if (!advance(settings.dt / (settings.substeps * parts), settings.substeps * parts)) {
      direct.stopAtOnce(false);
      return false;
    }
    const double here = won(allowed);
    if (here < least || !std::isfinite(least)) {
      least = here;
      best = state;
      settled = converged;
      told = happened();
    }
    if (!converged) break;  // what finds no solution costs much, and finds none in finer steps
  }
  direct.stopAtOnce(false);
  state = std::move(best);
  converged = settled;
  events.cutTo(eventsBefore);
  events.add(told);
  show();
  return true;
}

}  // namespace reeve
