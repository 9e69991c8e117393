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
std::string mujocoChainScene(double load, bool tree);
Race heapRace(int boxes);
Race ropeRace(int segments);
/// scenes/atwood.json, winch.json and capstan.json, and a finger drawn by a tendon through eyes.
Race atwoodRace();
Race winchRace();
Race capstanRace();
Race fingerRace();

}  // namespace reeve::race
