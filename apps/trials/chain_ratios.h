#pragma once
// How heavy a load light chains bear: tables I and II of Rigid Body Cable for Virtual Environments, its gantry, and the
// swinging chain that steps are timed with.
#include <array>

#include "trials/chain_rods.h"

namespace reeve::trials {

/// A row of table I: which model, compliance of its links and of what is added, and the paper's largest stable ratio.
struct PointRow {
  char model;
  double link, extra, paper;
};
inline constexpr std::array<PointRow, 9> tableOne{{{'a', 1e-8, 0, 1e2},
                                                   {'b', 1e-8, 1e-9, 1e2},
                                                   {'c', 1e-8, 1e-9, 1e3},
                                                   {'c', 1e-8, 1e-12, 1e7},
                                                   {'c', 1e-18, 1e-22, 1e15},
                                                   {'d', 1e-8, 1e-9, 1e2},
                                                   {'e', 1e-8, 1e-4, 1e3},
                                                   {'e', 1e-11, 1e-9, 1e7},
                                                   {'e', 1e-18, 1e-17, 1e15}}};
/// Five links of 1 m from the origin along x, light masses of 1 kg and a load: (a) nothing more, (b) a massless cable
/// through all of them, (c) a link from first to last, (d) that cable instead of the last link, (e) bending.
Description pointChain(const PointRow& row, double load, SolverChoice solver);
/// The origin and the five particles.
std::vector<Vec3> placesOf(const World& world);
/// Steps a pointChain for 30 s. Stable: no link ever longer than twice what the largest tension of the swing, 3 M g,
/// makes it, and no energy comes in: less than 1 % of M g L, the energy of the swing. A step of first order has
/// velocities half a step off, which alone lets the sum of energies breathe by g v dt/2, 2 % here, and links that turn
/// by v dt are longer by half of its square, 14 mm here: 5 % and 5 cm for it, and what a cable of 1e-9 m/N would store
/// at 14 mm is left out of the sum.
bool swingsStably(World& world, const PointRow& row, double load);

/// A row of table II with a readable β: Young's modulus, β = 12/A, joints, the paper's largest stable ratio. Rows 6 and
/// 7 of the table (6 joints, ratios 10 and 100) have none.
struct AnchorRow {
  double young, beta;
  int joints;
  double paper;
  int rounds() const { return paper <= 1e3 ? 3 : 20; }  ///< of its block Gauss-Seidel
};
inline constexpr std::array<AnchorRow, 8> tableTwo{{{2e11, 1e7, 24, 1e1},
                                                    {2e11, 1e6, 24, 1e2},
                                                    {2e11, 1e4, 24, 1e3},
                                                    {2e11, 1e2, 24, 1e4},
                                                    {2e12, 10, 24, 1e5},
                                                    {2e11, 1e3, 6, 1e3},
                                                    {2e11, 1e2, 6, 1e4},
                                                    {2e12, 10, 6, 1e5}}};
/// Both ends heavy; the anchor travels so many meters sideways from 1 to 2.6 s. The paper says neither how long the
/// cable is nor how far the anchor goes. Without geometric stiffness, as in its stepper, a segment of mass m and length
/// l under the tension T turns to and fro at ω² = 12 T/(m l), which must stay below (2/dt)². Where there is next to no
/// bending (β = 1e6, M/m = 100) that takes l of 0.83 m and more at rest, and as many times more as a swing pulls harder
/// than the weight. With 25 m, segments of 1 m, that row zigzags; so 50 m.
inline constexpr double anchoredLength = 50.0;
Description movedAnchor(const AnchorRow& row, double ratio, double travel, SolverChoice solver, int rounds);
/// Steps a movedAnchor for 30 s: energy that comes in after the anchor has stopped, over M g L; infinite if it goes
/// bad.
double energyGained(World& world, double ratio);
/// Steps it for 15 s and looks at the light segments in the last five: the paper calls a simulation unstable when they
/// oscillate. Infinite if it goes bad.
struct Unrest {
  double stretch = 0.0;  ///< largest strain of a span
  double zigzag = 0.0;   ///< rad, largest bend of a joint less the mean of its neighbors'
  /// A linear step lengthens what turns by v dt by half of the square of it: 1 % here. `direct` bends joints by up to
  /// 0.06 rad beside their neighbors; unstable rows get to 2 rad and 25 %.
  bool quiet() const { return stretch < 0.02 && zigzag < 0.15; }
};
Unrest unrestOf(World& world);

/// Section VIII: hook on two massless cables, load of 300 kg on 20 segments, pushed at 3 m/s, the paper's stiffnesses.
Description swingingGantry(double segment, SolverChoice solver);

/// Section VII-C: a cable of 0.1 m and 0.1 kg a segment held by the world, swinging with a load.
Description swingingChain(int segments, double load, SolverChoice solver);

}  // namespace reeve::trials
