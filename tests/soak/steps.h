#pragma once
#include "reeve/model/description.h"

namespace reeve::test {

/// Prints the steps in which a machine that nothing drives wins more than this share of what it has turned over so far:
/// when, how much, of which energies, and what happened in the step and the one before.
void printRises(const Description& scene, double seconds, double share);

}  // namespace reeve::test
