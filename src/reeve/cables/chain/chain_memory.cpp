// What a chain remembers, checked in a state from outside.
#include "reeve/cables/chain/chain_cable.h"

namespace reeve {

const char* ChainCable::inspect(const State& state, const Inspection& how) const {
  if (!how.outside) return nullptr;
  const int count = static_cast<int>(segments_.size());
  for (int j = 0; j < jointCount(); ++j) {
    if (!isYesOrNo(jointMemory(state, j).broken)) return "remembers neither yes nor no of a joint";
    if (!pooled_) continue;
    const ChainPoolMemory& pool = poolMemory(state, j);
    if (!isWithin(pool.before, -1, count - 1) || !isWithin(pool.after, -1, count - 1))
      return "remembers a segment that it does not have";
    // Segments run forward: to follow them ends.
    if ((pool.before >= 0 && segment(pool.before).to != j) || (pool.after >= 0 && segment(pool.after).from != j))
      return "remembers a segment in a place where it cannot be";
  }
  if (!drum_) return nullptr;
  const ChainDrumMemory& drum = drumMemory(state);
  if (!isWithin(drum.held, 0, count - 1)) return "remembers that its drum holds a segment that it does not have";
  return isWithin(drum.end, -1, 1) ? nullptr : "remembers an end that its drum does not have";
}

}  // namespace reeve
