#pragma once
// Random valid machines of every cable model, the same on every machine: for tests, soaks, fuzzing and benches.
//
// A cable from end to end over 3 to 12 links, high ones that stay and low ones on free bodies: pinholes, fixed rounds,
// wheels with inertia, drums; friction 0 to 0.5 or without slip; rigid or stretching, taut or slack; in a plane or out
// of it. Nothing drives, so that energy never rises. Chains and particle cables hang between ends, with loads, and over
// bars.
#include "reeve/model/description.h"

namespace reeve::test {

struct MachineKind {
  CableModel model = CableModel::joints;
  bool spatial = false;
  /// Rigid, taut, without friction that is neither none nor enough, without drums: motion is smooth until something
  /// goes slack or lets go, and a plain integration can follow it (plane_reference.h).
  bool smooth = false;
};

/// The machine of this number. It can be built.
Description randomMachine(const MachineKind& kind, unsigned number);

}  // namespace reeve::test
