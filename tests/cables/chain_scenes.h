#pragma once
// Chains for tests. The paper's own are in trials/.
#include "support/scenes.h"
#include "trials/chain_rods.h"

namespace reeve::test {

using trials::chainEnd;
using trials::endBlock;
using trials::paperEI;
using trials::paperGJ;
using trials::paperRod;
using trials::putOn;
using trials::rodScene;

inline CableObservation cableOf(const World& w, std::size_t i = 0) { return w.observe().cables[i].second; }

}  // namespace reeve::test
