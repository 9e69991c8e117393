#include "reeve/model/event.h"

namespace reeve {

const char* words(EventKind kind) {
  switch (kind) {
    case EventKind::breaks:
      return "breaks";
    case EventKind::parts:
      return "parts: the tension exceeds what it can bear";
    case EventKind::letsGo:
      return "lets go";
    case EventKind::plugsIn:
      return "plugs in";
    case EventKind::splits:
      return "split: the cable has come to lie on it";
    case EventKind::merges:
      return "merge: the cable has left it";
    case EventKind::contactBegins:
      return "contact: the cable bends round it";
    case EventKind::contactEnds:
      return "leaves: the tension no longer presses";
    case EventKind::slidOff:
      return "leaves: the cable has slid off it";
    case EventKind::runsOff:
      return "runs off: the loose end has passed it";
    case EventKind::tangentLost:
      return "the span after it has no tangent and cannot pull";
    case EventKind::tangentRegained:
      return "the span after it has a tangent again";
    case EventKind::tangentMissing:
      return "the span before this link has no tangent";
    case EventKind::overstretched:
      return "is overstretched: the span after it has no rest length left";
    case EventKind::insideBody:
      return "is inside a body the cable may meet: its spans pass through it";
    case EventKind::liesAcross:
      return "lies across the cable: it passes through it";
    case EventKind::sunkInto:
      return "is sunk into: the slack cable hangs through it; use the model hoist";
    case EventKind::contactsUsedUp:
      return "passes through a body: all its contacts are in use";
    case EventKind::deepInside:
      return "passes through a body: it is deep inside it, and was not met from a side";
    case EventKind::spanUsedUp:
      return "stops: the span after it is used up";
    case EventKind::runsAgain:
      return "runs again: the span after it has length";
    case EventKind::storeUsedUp:
      return "holds: the cable on it is used up";
    case EventKind::rollsAgain:
      return "rolls again";
    case EventKind::drumEmpty:
      return "stops: the drum is empty";
    case EventKind::drumPaysOutNothing:
      return "the drum is empty: it pays out what it does not hold";
    case EventKind::reeledIn:
      return "stops: the cable is reeled in";
    case EventKind::drawnStraight:
      return "stops: the winch has drawn the cable straight";
    case EventKind::drawnUp:
      return "stops: the winch has drawn the load up";
    case EventKind::reelsInAgain:
      return "reels in again";
    case EventKind::allPaidOut:
      return "is all paid out";
    case EventKind::allWoundUp:
      return "is all wound up";
    case EventKind::segmentPassesDrum:
      return "a segment passes the tangent of the drum";
    case EventKind::twistedTooHard:
      return "is twisted harder than the crossed form bears: it may zigzag";
    case EventKind::liesOnFloor:
      return "lies on the floor";
    case EventKind::heapGone:
      return "lies on the floor, no longer in a heap";
    case EventKind::liesInHeap:
      return "lies in a heap: there is more cable than fits on the floor between its ends";
    case EventKind::offFloor:
      return "is off the floor";
    case EventKind::wavesSuspended:
      return "waves suspended: the step is too long";
    case EventKind::wavesResumed:
      return "waves resumed";
    case EventKind::explicitForceLimited:
      return "explicit force limited: the step is too long for its stiffness";
    case EventKind::nodeMoved:
      return "a node was put where the strand is coarsest";
    case EventKind::strandOnBody:
      return "the strand comes to lie on a body after this link";
    case EventKind::strandOffBody:
      return "the strand leaves a body after this link";
    case EventKind::strandOnGuide:
      return "the strand comes to lie on it";
    case EventKind::strandOffGuide:
      return "the strand lifts off";
    case EventKind::strandHeldDown:
      return "the strand would lift off this wheel: it is held down";
    case EventKind::strandEndAtLink:
      return "the strand's end has come to this link";
    case EventKind::linksMeet:
      return "it has met the link before it";
    case EventKind::strandEndThrough:
      return "the strand's end has slipped through this link";
    case EventKind::strandEndOut:
      return "the strand's free end has slipped out of this link";
    case EventKind::happens:
      return "happens";
    case EventKind::fails:
      return "could not be done";
  }
  return "";
}

}  // namespace reeve
