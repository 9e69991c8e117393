// What loses nothing keeps its energy: strands that slide on guides, with and without free nodes.
#include "cables/strand_scenes.h"

namespace reeve::test {
namespace {

struct Kept {
  double drift = 0.0, kinetic = 0.0;  ///< J, largest
  double unconverged = 0.0;
};
Kept keep(World& world, double seconds) {
  Kept out;
  double start = 0.0;
  for (int k = 0; world.time() < seconds - 1e-9; ++k) {
    EXPECT_TRUE(world.step().good) << world.verdict().reason;
    if (!world.verdict().good) break;
    if (k % 5 != 0) continue;
    const double total = measure(world, "energy.total");
    if (k == 0) start = total;
    out.kinetic = std::max(out.kinetic, measure(world, "energy.kinetic"));
    out.drift = std::max(out.drift, std::fabs(total - start));
  }
  out.unconverged = measure(world, "health.unconverged");
  return out;
}

/// A strand over a post, its ends at different heights along it, with a kilogram that swings: nodes slide on the post.
Description overPost(double offset) {
  Description d = heavy(1.0 / 1000, 9.81);
  addMass(d, "load", 1.0, Vec3(0.1, 0, -1));
  LinkSettings post = guideOn("world", GuideShape::cylinder, Vec3::Zero(), Vec3::UnitY(), 0.1, {-1.5, 0}, {0, offset});
  addStrand(d, "rope", 0.1, {attachTo("world", Vec3(-1, 0, 0.1)), post, attachTo("load")});
  return d;
}

TEST(StrandLoss, NodesThatSlideOnAPostKeepAHundredthInTenSeconds) {
  World world = make(overPost(0.2));
  const Kept kept = keep(world, 10.0);
  std::printf("over a post: energy drifts %.2g of the largest kinetic, %.3g J; %g steps unconverged\n",
              kept.drift / kept.kinetic, kept.kinetic, kept.unconverged);
  EXPECT_LT(kept.drift, 0.01 * kept.kinetic);
  EXPECT_EQ(kept.unconverged, 0.0);
}

}  // namespace
}  // namespace reeve::test
