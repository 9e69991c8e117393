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

}  // namespace reeve::test
