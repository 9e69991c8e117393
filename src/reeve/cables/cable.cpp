#include "reeve/cables/cable.h"

namespace reeve {

std::string Cable::reel(State&, CableEnd, double) const {
  return "a cable of this model is paid out by a drum only: turn the rotor it is wound on";
}
std::string Cable::setRest(State&, int, double) const { return "a cable of this model has no rest length per span"; }
std::string Cable::release(State&, CableEnd) const { return "a cable of this model cannot let go of its ends"; }
std::string Cable::cut(State&, int) const { return "a cable of this model cannot be cut"; }

}  // namespace reeve
