// What a strand remembers, checked in a state from outside.
#include <algorithm>

#include "reeve/cables/strand/strand_contact.h"

namespace reeve {

const char* StrandContact::memoryFlaw(const State& state) const {
  for (const Slide& slide : slides_)
    if (!isWithin(segmentOf(state, slide), -1, room_ - 1)) return "remembers a hole on a segment that it does not have";
  for (const Wheel& w : wheels_) {
    if (!w.drum) continue;
    const DrumMemory& drum = drumMemory(state, w);
    if ((drum.side.number != 1.0 && drum.side.number != -1.0) || !isWithin(drum.layers, 0, DrumMemory::most))
      return "remembers a drum that winds no way";
  }
  if (!touches_) return nullptr;
  const int ids = static_cast<int>(built_.size() + spares_.size());
  std::vector<char> seen(at(ids + 1), 0);
  bool over = false;
  for (const Whole& id : orderOf(state)) {
    if (!isWithin(id, 0, ids) || (over && id != 0)) return "remembers stations that it does not have";
    over = over || id == 0;
    if (id != 0 && seen[at(id)]++ != 0) return "remembers a station twice";
  }
  if (orderOf(state)[0] != 1 || (!closed_ && stationsIn(state) < 2)) return "remembers no beginning or no end";
  for (const Spare& spare : spares_) {
    const SpareMemory& kept = spareMemory(state, spare);
    if (!isWithin(kept.role, 0, static_cast<int>(Role::arcEnd))) return "remembers a node that does what none can do";
    const Role role = roleOf(state, spare);
    if (role == Role::waiting || role == Role::free) continue;
    if (!isWithin(kept.feature, 0, static_cast<int>(features_.size()) - 1))
      return "remembers a node beside an edge that is not there";
    if (role == Role::arcEnd && !isWithin(Whole{kept.at}, 0, static_cast<int>(spares_.size()) - 1))
      return "remembers the end of an arc that has no start";
  }
  for (const Node& n : nodes_) {
    if (n.touch < 0) continue;
    const Whole body = touchMemory(state, n).body;
    const auto isBody = [&](const auto& thing) { return body.number == thing.block + 1; };
    if (body.number != 0.0 && std::ranges::none_of(solids_, isBody) && std::ranges::none_of(features_, isBody))
      return "remembers that it touches what is no candidate";
  }
  return nullptr;
}

}  // namespace reeve
