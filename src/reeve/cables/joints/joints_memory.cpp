// What a cable of joints remembers, checked in a state from outside.
#include "reeve/cables/joints/joints_cable.h"

namespace reeve {

const char* JointsCable::inspect(const State& state, const Inspection& how) const {
  if (!how.outside) return nullptr;
  const Whole* order = &overlay<Whole>(state.memory, memory);
  if (!isOrder(order[0], order + 1, 1, capacity())) return "remembers a route with links that it does not have";
  for (int i = 0; i < capacity(); ++i) {
    const LinkState& link = stateOf(state, i);
    if (!isWithin(link.side, -1, 1) || !isWithin(link.nearSide, -1, 1) || !isWithin(link.near, 0, capacity()) ||
        !isWithin(link.stop, 0, LinkState::stands))
      return "remembers a link, a side or a stop that there is not";
    for (const Flag flag : {link.holds, link.broken, link.routed, link.lost, link.inside, link.overstretched})
      if (!isYesOrNo(flag)) return "remembers neither yes nor no of a link";
  }
  if (pays_ &&
      (!isWithin(payoutOf(state).holding, 0, PayoutState::fallsStraight) || !isYesOrNo(payoutOf(state).stopped)))
    return "remembers a winch that stands for no reason";
  return nullptr;
}

}  // namespace reeve
