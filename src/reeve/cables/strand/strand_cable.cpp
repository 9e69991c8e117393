#include "reeve/cables/strand/strand_cable.h"

#include <algorithm>

#include "reeve/cables/strand/strand_build.h"

namespace reeve {

std::expected<std::unique_ptr<Cable>, Problem> StrandCable::make(const CableSite& site) {
  auto cable = std::make_unique<StrandCable>();
  auto strand = StrandBuild::make(site, *cable);
  if (!strand) return std::unexpected(strand.error());
  cable->built_ = std::move(*strand);
  return cable;
}

CableTraits StrandCable::traits() const {
  const CableSettings& s = built_.settings();
  return {.word = "strand", .keepsEnergy = s.material.drag == 0.0 && s.material.damping == 0.0 && s.candidates.empty()};
}

ElementLayout StrandCable::layout() const {
  return {.slots = built_.slotCount(),
          .memory = static_cast<int>(built_.startMemory().size()),
          .mass = this,
          .makeCache = makeCacheOf<StrandCache>,
          .readsCacheInBegin = built_.readsCacheInBegin()};
}

void StrandCable::start(const Instant&, std::span<double> remembered, std::span<Sheet>) const {
  std::copy(built_.startMemory().begin(), built_.startMemory().end(), remembered.begin());
}

void StrandCable::begin(const Instant& now, const StepContext& context, State& state) const {
  at(now).begin(now, context, state);
}

void StrandCable::evaluate(const Instant& now, ElementCache& cache) const {
  auto& kept = static_cast<StrandCache&>(cache);
  if (!built_.touches()) return built_.evaluate(now, kept.page);
  if (!kept.own) kept.own = built_;
  kept.own->arrange(now.past());
  kept.own->evaluate(now, kept.page);
}

Energy StrandCable::energy(const Instant& now, std::span<const double>) const { return at(now).energy(now); }

/// Drag is −c/ρ times the momentum.
void StrandCable::work(const Instant& now, std::span<const double> force, Doings& out) const {
  at(now).payWork(now, force, out);
  const MaterialSettings& m = built_.settings().material;
  if (m.drag > 0.0) out.add(Work::drag, -2.0 * m.drag / m.mass * at(now).energy(now).kinetic);
}

const char* StrandCable::inspect(const State& state, const Inspection& how) const {
  return how.outside ? built_.memoryFlaw(state) : built_.inspect(state);
}

std::string StrandCable::nameOf(ElementPart part, int index) const {
  return part == ElementPart::row ? built_.rowName(index) : std::string();
}

}  // namespace reeve
