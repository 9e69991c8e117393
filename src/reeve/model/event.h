#pragma once
// What happens to elements in the course of a run: one list of kinds for all models, and the words for them in one
// place (event.cpp). Events are only ever added: what may turn out never to have happened is kept elsewhere until it is
// known.
#include <cstdint>
#include <span>
#include <vector>

namespace reeve {

class Element;

enum class EventKind : std::uint8_t {
  breaks,
  parts,
  letsGo,
  plugsIn,
  splits,
  merges,
  contactBegins,
  contactEnds,
  slidOff,
  runsOff,
  tangentLost,
  tangentRegained,
  tangentMissing,
  overstretched,
  insideBody,
  liesAcross,
  sunkInto,
  contactsUsedUp,
  deepInside,
  spanUsedUp,
  runsAgain,
  storeUsedUp,
  rollsAgain,
  drumEmpty,
  drumPaysOutNothing,
  reeledIn,
  drawnStraight,
  drawnUp,
  reelsInAgain,
  allPaidOut,
  allWoundUp,
  segmentPassesDrum,
  twistedTooHard,
  liesOnFloor,
  heapGone,
  liesInHeap,
  offFloor,
  wavesSuspended,
  wavesResumed,
  explicitForceLimited,
  nodeMoved,
  strandOnBody,
  strandOffBody,
  strandOnGuide,
  strandOffGuide,
  strandHeldDown,
  strandEndAtLink,
  linksMeet,
  strandEndThrough,
  strandEndOut,
  happens,  ///< an event of the scene
  fails,    ///< one of its actions
};

/// For people.
const char* words(EventKind kind);

struct ElementEvent {
  double time = 0.0;
  const Element* element = nullptr;
  int link = -1;  ///< of its route; -1: of no link
  EventKind kind = EventKind::breaks;
};

class Events {
 public:
  void add(const ElementEvent& event) { all_.push_back(event); }
  void add(std::span<const ElementEvent> events) { all_.insert(all_.end(), events.begin(), events.end()); }
  std::span<const ElementEvent> all() const { return all_; }
  /// Once they have been reported.
  void clear() { all_.clear(); }
  /// Those after the first `count` have not happened: their step was interrupted.
  void cutTo(std::size_t count) { all_.resize(count); }

 private:
  std::vector<ElementEvent> all_;
};

}  // namespace reeve
