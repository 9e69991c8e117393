#include "reeve/world/take_over.h"

#include <algorithm>

#include "reeve/model/instant.h"
#include "reeve/model/kinetics.h"
#include "reeve/world/state_text.h"

namespace reeve {

namespace {

template <class List>
void copyRange(const List& from, const StatePart::Range& a, List& to, const StatePart::Range& b) {
  std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(a.first), a.count,
              to.begin() + static_cast<std::ptrdiff_t>(b.first));
}

bool sameSize(const StatePart& a, const StatePart& b, const State& from, const State& to) {
  for (std::size_t i = 0; i < StatePart::sections; ++i)
    if (a.range[i].count != b.range[i].count) return false;
  const StatePart::Range x = a.range[StatePart::sheets], y = b.range[StatePart::sheets];
  for (std::size_t k = 0; k < x.count; ++k)
    if (from.sheets[x.first + k].size() != to.sheets[y.first + k].size()) return false;
  return true;
}

void copyPart(const State& from, const StatePart& a, State& to, const StatePart& b) {
  copyRange(from.q, a.range[StatePart::q], to.q, b.range[StatePart::q]);
  copyRange(from.v, a.range[StatePart::v], to.v, b.range[StatePart::v]);
  copyRange(from.force, a.range[StatePart::slots], to.force, b.range[StatePart::slots]);
  copyRange(from.mode, a.range[StatePart::slots], to.mode, b.range[StatePart::slots]);
  copyRange(from.memory, a.range[StatePart::memory], to.memory, b.range[StatePart::memory]);
  copyRange(from.sheets, a.range[StatePart::sheets], to.sheets, b.range[StatePart::sheets]);
}

bool ofCables(const StatePart& part) {
  return part.name.starts_with("cables.") || part.name.starts_with(cableCoordinates);
}

/// Coordinates of cables are known by their number alone: all that belongs to cables fits, or nothing of it does.
bool cablesFit(const std::vector<StatePart>& theirs, const std::vector<StatePart>& mine) {
  std::vector<StatePart> a, b;
  std::ranges::copy_if(theirs, std::back_inserter(a), ofCables);
  std::ranges::copy_if(mine, std::back_inserter(b), ofCables);
  return std::ranges::equal(a, b, {}, &StatePart::name, &StatePart::name);
}

}  // namespace

std::expected<Takeover, Problem> takeOver(World& world, std::string_view text) {
  auto read = readState(text);
  if (!read) return std::unexpected(read.error());
  State s = world.state();
  s.time = read->state.time;
  s.steps = read->state.steps;
  Takeover out;
  const std::vector<StatePart> all = partsOf(world.model());
  const bool cables = cablesFit(read->parts, all);
  for (const StatePart& mine : all) {
    // A rotor and its bearing have one name: what has its size is meant.
    const auto theirs = std::ranges::find_if(
        read->parts, [&](const StatePart& p) { return p.name == mine.name && sameSize(p, mine, read->state, s); });
    const bool fits = theirs != read->parts.end() && (cables || !ofCables(mine));
    if (fits) copyPart(read->state, *theirs, s, mine);
    (fits ? out.taken : out.left).push_back(mine.name);
  }
  // As at the start of a run: momenta follow from the velocities, and there is no history.
  s.h = 0.0;
  s.pOld = s.p;
  if (std::string flaw = flawOf(world.model(), world.state(), s); !flaw.empty())
    return wrong("", "what was taken over cannot be of this scene: " + flaw, "leave --force out");
  Instant now;
  now.bind(world.model(), s);
  now.rewind();
  now.evaluate();
  momentum(now, s.p);
  s.pOld = s.p;
  const Energy energy = energyOf(now, s.force);
  s.accounts = {.start = energy.kinetic + energy.potential + energy.elastic};
  if (auto taken = world.setState(s); !taken) return std::unexpected(taken.error());
  return out;
}

}  // namespace reeve
