// The thesis' figs 3.37 to 3.39 as numbers, measured by the code that draws them in `reeve reproduce`.
#include "trials/stiffness_grid.h"
#include "machines.h"

namespace reeve::test {
namespace {

using trials::StiffnessGrid;

StiffnessGrid gridOf(ParticleWay way) {
  const auto grid = trials::measureStiffnessGrid(shipped("stiffness-grid"), way);
  if (!grid) {
    ADD_FAILURE() << grid.error().path << " " << grid.error().reason;
    std::abort();
  }
  for (std::size_t r = 0; r < 3; ++r)
    std::printf("dt %g: stretch %.4g %.4g %.4g %%, side %+.3f %+.3f %+.3f\n", StiffnessGrid::steps[r],
                100 * grid->at(r, 0).stretch, 100 * grid->at(r, 1).stretch, 100 * grid->at(r, 2).stretch,
                grid->at(r, 0).side, grid->at(r, 1).side, grid->at(r, 2).side);
  for (const std::string& fault : grid->faults()) ADD_FAILURE() << fault;
  return *grid;
}

TEST(StiffnessGrid, XpbdHasAStiffnessOfItsOwn) {
  const StiffnessGrid g = gridOf(ParticleWay::xpbd);
  const double exact = trials::hangingStretch(shipped("stiffness-grid"));
  for (const std::size_t r : {1u, 2u}) {
    EXPECT_NEAR(g.at(r, 1).stretch / g.at(r, 2).stretch, 1.0, 0.02) << StiffnessGrid::steps[r];
    EXPECT_NEAR(g.at(r, 2).stretch / exact, 1.0, 0.02) << "springs in series say " << exact;
  }
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t k = 0; k < 3; ++k) EXPECT_LT(g.at(r, k).side, 0.0) << "the side it started on";
}

TEST(StiffnessGrid, PbdAndJakobsenStiffenWithIterationsAndSwingOver) {
  for (const ParticleWay way : {ParticleWay::pbd, ParticleWay::jakobsen}) {
    const StiffnessGrid g = gridOf(way);
    for (const std::size_t r : {1u, 2u}) EXPECT_GT(g.at(r, 1).stretch / g.at(r, 2).stretch, 2.0);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_GT(g.at(0, k).stretch / g.at(1, k).stretch, 2.0) << "and with smaller steps";
    for (const auto& [r, k] : {std::pair{1u, 2u}, std::pair{2u, 1u}, std::pair{2u, 2u}})
      EXPECT_GT(g.at(r, k).side, 0.05) << StiffnessGrid::steps[r];
    EXPECT_GT(g.at(2, 2).side, g.at(0, 0).side);
  }
}

}  // namespace
}  // namespace reeve::test
