// Hash, save and restore of a world's state.
#include <algorithm>
#include <utility>

#include "reeve/world/parts.h"
#include "reeve/world/state_text.h"

namespace reeve {

namespace {

/// Why a state does not belong to this scene: the first thing that differs.
std::string difference(const std::vector<StatePart>& theirs, const std::vector<StatePart>& mine) {
  for (const StatePart& part : theirs)
    if (std::ranges::find(mine, part.name, &StatePart::name) == mine.end())
      return "it has " + part.name + ", which is not in this scene";
  for (const StatePart& part : mine)
    if (std::ranges::find(theirs, part.name, &StatePart::name) == theirs.end())
      return part.name + " of this scene is not in it";
  if (theirs != mine) return "names are the same, but sizes or their order differ";
  return "names and sizes are the same, but masses, places or other numbers of the scene have changed";
}

std::uint64_t fingerprintOf(const Built& built) { return modelFingerprint(built.model, built.declared, built.start); }

}  // namespace

std::uint64_t hashOf(const State& state) { return stateHash(state); }
std::uint64_t World::hash() const { return stateHash(parts_->state); }

bool sameBits(const State& a, const State& b) { return textOf(a) == textOf(b); }
std::string textOf(const State& state) { return writeState({0, {}, state, {}}); }

std::expected<State, Problem> stateOf(std::string_view text) {
  auto read = readState(text);
  if (!read) return std::unexpected(read.error());
  return std::move(read->state);
}

std::string World::saveState() const {
  return writeState({fingerprintOf(*parts_->built), partsOf(parts_->model()), parts_->state, parts_->conversions});
}

namespace {

/// Whether what was read is a state of this scene.
Done belongs(const StateText& read, const Built& built) {
  // A state as a value (textOf) does not say whose it is.
  if (read.fingerprint != 0 && read.fingerprint != fingerprintOf(built))
    return wrong("", "the saved state belongs to another scene: " + difference(read.parts, partsOf(built.model)),
                 "restore it into the scene it was saved from; `reeve run --force` takes over by name what fits");
  if (std::string flaw = flawOf(built.model, built.start, read.state); !flaw.empty())
    return wrong("", "the saved state cannot be of this scene: " + flaw, "restore it into the scene it was saved from");
  return {};
}

}  // namespace

std::expected<void, Problem> World::restoreState(std::string_view text) {
  auto read = readState(text);
  if (!read) return std::unexpected(read.error());
  if (read->fingerprint != 0 && !(read->conversions.empty() && parts_->conversions.empty())) {
    World other = clone();  // a state that is refused leaves this one as it is
    if (auto ok = other.replay(read->conversions); !ok) return ok;
    if (auto ok = belongs(*read, *other.parts_->built); !ok) return ok;
    if (other.parts_->built != parts_->built) parts_ = std::move(other.parts_);
  }
  if (auto ok = belongs(*read, *parts_->built); !ok) return ok;
  parts_->state = read->state;  // a copy: who looks at its arrays goes on doing so
  parts_->takeOver();
  return {};
}

bool World::Parts::fits(const State& s) const { return flawOf(model(), built->start, s).empty(); }

}  // namespace reeve
