#pragma once
// The races: which scene, who takes part, by what it is judged.
#include <string>
#include <vector>

#include "race.h"

namespace reeve::race {

Race tackleRace(int sheaves);
Race simpleRace();
/// scenes/heavy-chain.json with its last link so many times as heavy as the others. At 1 every engine must hold it:
/// that the peers are set up soundly.
Race chainRace(double load);
Race heapRace();

}  // namespace reeve::race
