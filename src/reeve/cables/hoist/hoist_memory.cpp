// What a hoist cable and a wave span remember, checked in a state from outside.
#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/cables/hoist/wavy_joints.h"

namespace reeve {

namespace {

/// Velocities and flows known before a step: none, one or two.
constexpr int longestHistory = 2;

}  // namespace

const char* HoistCable::inspect(const State& state, const Inspection& how) const {
  if (!how.outside) return nullptr;
  const HoistState& whole = stateOf(state);
  if (!isOrder(whole.count, &overlay<Whole>(state.memory, memory + numbersIn<HoistState>), 2, capacity()))
    return "remembers a route with nodes that it does not have";
  if (!isWithin(whole.winch.holding, 0, PayoutState::fallsStraight))
    return "remembers a winch that stands for no reason";
  for (int i = 0; i < capacity(); ++i) {
    const NodeState& n = stateOf(state, i);
    if (!isWithin(n.hangingHistory, 0, longestHistory) || !isWithin(n.flows, 0, longestHistory) ||
        !isWithin(n.lying.known, 0, longestHistory) || !isWithin(n.lies, 0, NodeState::inHeap) ||
        !isWithin(n.stop, 0, NodeState::stands) || !isWithin(n.suspended, 0, NodeState::byFeedback))
      return "remembers what no node can do";
    if (!node(i).contact) continue;
    if (!isWithin(n.body, 0, std::max(static_cast<int>(candidates_.size()) - 1, 0)))
      return "remembers a contact with a body that is no candidate";
    const int shapes = candidates_.empty() ? 0 : static_cast<int>(candidates_[at(n.body)].shapes.size());
    if (!isWithin(n.shape, 0, std::max(shapes - 1, 0))) return "remembers a contact with a shape that is not there";
  }
  return nullptr;
}

const char* WavyJoints::inspect(const State& state, const Inspection& how) const {
  if (!how.outside) return nullptr;
  if (const char* flaw = JointsCable::inspect(state, how)) return flaw;
  for (int i = 0; i < capacity(); ++i) {
    const ConstWaveSpan wave = waveOf(state, i);
    if (!isWithin(wave->to, -1, capacity()) || !isWithin(wave->newest, 0, 2) ||
        !isWithin(wave->flows, 0, longestHistory))
      return "remembers a wave of a span that there is not";
  }
  return nullptr;
}

}  // namespace reeve
