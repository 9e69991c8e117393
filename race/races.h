#pragma once
// The races: which scene, who takes part, by what it is judged.
#include <string>
#include <vector>

#include "chain_shape.h"
#include "race.h"

namespace reeve::race {

Race tackleRace(int sheaves);
Race simpleRace();
/// scenes/heavy-chain.json with its last link so many times as heavy as the others. At 1 every engine must hold it:
/// that the peers are set up soundly.
Race chainRace(double load);
/// Everybody who can express a chain of bodies on ball joints; MuJoCo with Euler alone, or all its integrators.
void joinChains(std::vector<Entrant>& all, const Description& d, const ChainJudge& judge, bool allIntegrators);
/// A cable of 24 links that hangs: between two points, judged by its sag; with a load, drawn aside, judged by the
/// frequencies of its first two modes.
Race sagRace();
Race modesRace();
Race heapRace(int boxes);
Race ropeRace(int segments);
/// scenes/atwood.json, winch.json and capstan.json, and a finger drawn by a tendon through eyes.
Race atwoodRace();
Race winchRace();
Race capstanRace();
Race fingerRace();

}  // namespace reeve::race
