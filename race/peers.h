#pragma once
// The same scenes in other engines. A peer that is not installed gives no entrants.
#include <string>
#include <vector>

#include "race.h"
#include "reeve/model/description.h"
#include "trials/moving_tackle.h"

namespace reeve::race {

/// "MuJoCo 2.2.2"; empty: not installed when this was built.
std::string mujocoVersion();
std::string bulletVersion();
std::string odeVersion();

/// One spatial tendon over sites at the axles, or over cylinders; both without sheaves that turn. Or one tendon for
/// each span, coupled to wheels that turn, each a body with a hinge.
std::vector<Entrant> mujocoTackle(const trials::Tackle& tackle);
/// scenes/simple.json: a tendon for each cable that runs through, over cylinders that do not turn.
std::vector<Entrant> mujocoSimple(const Description& scene);

/// Chain of bodies on ball joints, as a scene has it: link i hangs on link i - 1, the first on the world.
std::vector<Entrant> mujocoChain(const Description& scene);
std::vector<Entrant> bulletChain(const Description& scene);
std::vector<Entrant> odeChain(const Description& scene);

/// Boxes on a half-space, as a scene has them.
std::vector<Entrant> bulletBoxes(const Description& scene);

}  // namespace reeve::race
