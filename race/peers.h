#pragma once
// The same scenes in other engines. A peer that is not installed gives no entrants.
#include <functional>
#include <string>
#include <vector>

#include "chain_shape.h"
#include "race.h"
#include "reeve/model/description.h"
#include "trials/moving_tackle.h"

namespace reeve::race {

/// "MuJoCo 2.2.2"; empty: not installed when this was built.
std::string mujocoVersion();
std::string bulletVersion();
std::string odeVersion();
std::string dartVersion();

/// One spatial tendon over sites at the axles, or over cylinders; both without sheaves that turn. Or one tendon for
/// each span, coupled to wheels that turn, each a body with a hinge.
std::vector<Entrant> mujocoTackle(const trials::Tackle& tackle);
/// A cable spring through points at the axles: nothing turns, and it stretches.
std::vector<Entrant> simbodyTackle(const trials::Tackle& tackle);
/// scenes/simple.json: a tendon for each cable that runs through, over cylinders that do not turn.
std::vector<Entrant> mujocoSimple(const Description& scene);
/// scenes/atwood.json: its wheel is a body with a hinge.
std::vector<Entrant> mujocoAtwood(const Description& scene);
/// scenes/winch.json: the drum is a body with a hinge whose speed is given.
std::vector<Entrant> mujocoWinch(const Description& scene, std::function<double(double)> speed);

/// Three phalanges on hinges with springs, a tendon through one eye on each, all at `arm` beside the joints.
struct FingerShape {
  double length[3] = {0.045, 0.03, 0.022}, stiffness[3] = {0.15, 0.12, 0.1};
  double mass = 0.006, inertia = 2e-6, damping = 0.004;  ///< kg and kg m² of a phalanx, N m s/rad of a joint
  double eye = 0.4, arm = 0.006, palm = 0.01;            ///< share of a phalanx, m, m before the first joint
  double muscle = 0.11, pullMass = 0.05, viscous = 5.0;  ///< m before the first joint, kg, N s/m
  double force = 20.0;                                   ///< N, over a smooth second
};
std::vector<Entrant> mujocoFinger(const FingerShape& shape);

/// Chain of bodies on ball joints, as a scene has it (ChainShape). What is exact is left to the race.
std::vector<Entrant> mujocoChain(const Description& scene, const ChainJudge& judge, bool allIntegrators);
std::vector<Entrant> bulletChain(const Description& scene, const ChainJudge& judge);
std::vector<Entrant> odeChain(const Description& scene, const ChainJudge& judge);
/// Nobody where DART was not installed when this was built.
std::vector<Entrant> dartChain(const Description& scene, const ChainJudge& judge);
/// As a tree, with the integrator Simbody recommends, which chooses its own steps inside those of the race.
std::vector<Entrant> simbodyChain(const Description& scene, const ChainJudge& judge);

/// A rope of particles, level at the start and held at one end.
struct RopeShape {
  int segments = 100;
  double length = 10.0, mass = 1.0;  ///< m, kg
};
std::vector<Entrant> bulletRope(const RopeShape& shape);
/// A flex of one dimension whose edges keep their length: MuJoCo 3, as WebAssembly only.
std::vector<Entrant> mujocoRope(const RopeShape& shape);

/// Boxes on a half-space, as a scene has them.
std::vector<Entrant> bulletBoxes(const Description& scene);
std::vector<Entrant> odeBoxes(const Description& scene);
/// More than 100 only as WebAssembly: MuJoCo 2 has no room for their contacts.
std::vector<Entrant> mujocoBoxes(const Description& scene);

}  // namespace reeve::race
