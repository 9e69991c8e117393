// What a chain remembers, checked in a state from outside.
#include "reeve/cables/chain/chain_cable.h"
#include "reeve/cables/chain/route_chain.h"

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
  if (drum_) {
    const ChainDrumMemory& drum = drumMemory(state);
    if (!isWithin(drum.held, 0, count - 1)) return "remembers that its drum holds a segment that it does not have";
    if (!isWithin(drum.end, -1, 1)) return "remembers an end that its drum does not have";
  }
  if (!pooled_) return nullptr;
  // From the first on every segment has one before it, up to the last node.
  int last = firstSegment(state);
  if (last < 0) return "remembers no first segment";
  for (int i = nextSegment(state, last); i >= 0; last = i, i = nextSegment(state, i))
    if (before(state, segment(i).from) != last) return "remembers segments that do not follow each other";
  return segment(last).to == finest_ ? nullptr : "remembers a chain that does not reach its end";
}

const char* RouteChain::inspect(const State& state, const Inspection& how) const {
  if (!how.outside) return nullptr;
  for (int i = 0; i < pool_; ++i) {
    const RouteSegmentMemory& m = segmentMemory(state, i);
    if (!isWithin(m.before, -1, pool_ - 1) || !isWithin(m.after, -1, pool_ - 1))
      return "remembers a segment that it does not have";
    if (!isYesOrNo(m.awake)) return "remembers neither yes nor no of a segment";
  }
  for (int k = 0; k < spanCount(); ++k) {
    const RouteSpanMemory& m = spanMemory(state, k);
    if (!isWithin(m.first, 0, pool_ - 1) || !isWithin(m.last, 0, pool_ - 1))
      return "remembers a span of segments that it does not have";
    int i = m.first;
    for (int walked = 0; i != m.last; ++walked) {
      const int next = after(state, i);
      if (walked == pool_ || next < 0 || segmentMemory(state, next).before != i)
        return "remembers a span whose segments do not follow each other";
      i = next;
    }
    if (after(state, m.last) >= 0 || segmentMemory(state, m.first).before >= 0)
      return "remembers a span that goes on beyond its end";
  }
  for (int i = 0; i < linkCount(); ++i)
    if (!isWithin(linkMemory(state, i).held, -1, pool_) || !isWithin(linkMemory(state, i).end, -1, 1))
      return "remembers what no link can hold";
  return nullptr;
}

}  // namespace reeve
