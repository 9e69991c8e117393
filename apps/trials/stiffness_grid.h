#pragma once
// Iterations against time steps (Amiragov 2020, section 3.4.3, figs 3.37 to 3.39): the scene stiffness-grid with one
// way of holding it together, 1, 12 and 25 iterations by steps of 20, 2 and 0.2 ms. Measured alike by `reeve reproduce`
// and by the tests.
//
//   side     largest x of the center of mass until 0.25 s, as a share of the length. The cable starts at x < 0; a stiff
//            one is straightened so hard that it swings to x > 0.
//   stretch  of the same cable hanging straight with 50 g more at its end, at rest after 6 s, as a share of the length
#include <array>
#include <expected>
#include <string>
#include <vector>

#include "reeve/world/world.h"

namespace reeve::trials {

struct StiffnessCell {
  double side = 0.0, stretch = 0.0;
  std::vector<Vec3> shape;  ///< at 0.25 s, m
};

struct StiffnessGrid {
  static constexpr std::array<int, 3> iterations{1, 12, 25};
  static constexpr std::array<double, 3> steps{0.02, 0.002, 0.0002};  ///< s
  ParticleWay way = ParticleWay::xpbd;
  std::array<std::array<StiffnessCell, 3>, 3> cells;  ///< by step, by iterations

  const StiffnessCell& at(std::size_t step, std::size_t count) const { return cells[step][count]; }
  /// What is wrong with the grid, a sentence for each; empty when it shows what the thesis does.
  ///   xpbd            12 and 25 iterations stretch alike within 2 % for steps of 2 ms and less; no run crosses over
  ///   pbd, jakobsen   they differ by more than a factor 2; the three stiffest runs cross over
  std::vector<std::string> faults() const;
};

/// `scene` is stiffness-grid as it ships.
std::expected<StiffnessCell, Problem> measureStiffness(Description scene, ParticleWay way, int iterations, double dt);
std::expected<StiffnessGrid, Problem> measureStiffnessGrid(const Description& scene, ParticleWay way);
/// Stretch of the hanging cable by the springs in series: each segment bears what is below it.
double hangingStretch(const Description& scene);

}  // namespace reeve::trials
