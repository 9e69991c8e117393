// Random machines: against an independent integration, saved and restored, and without energy out of nothing.
#include "support/halves.h"
#include "support/plane_reference.h"
#include "support/random_machine.h"
#include "support/scenes.h"
#include "support/soak.h"

namespace reeve::test {
namespace {

TEST(RandomMachines, OfJointsInThePlaneFollowAnIndependentIntegrationTo10Micrometres) {
  // BDF2 at 1/1000 against Runge-Kutta of fourth order: as long as the motion is smooth, at most one second.
  int compared = 0;
  double longest = 0.0;
  for (unsigned n = 0; compared < shareOf(200); ++n) {
    ASSERT_LT(n, 4000u) << "hardly any machine moves smoothly";
    Description d = randomMachine({.smooth = true}, n);
    d.settings.dt = 1.0 / 1000;
    PlaneReference reference(d);
    World w = make(d);
    double worst = 0.0, seconds = 0.0;
    std::string who;
    // Reference ahead of the library by one step: what is not smooth is not compared.
    while (seconds < 1.0 && reference.step(d.settings.dt) && w.step().good) {
      seconds += d.settings.dt;
      const Observation now = w.observe();
      for (std::size_t b = 0; b < d.bodies.size(); ++b) {
        const Vec3& p = now.bodies[b].second.position;
        const int i = static_cast<int>(b);
        const double off = std::hypot(p.x() - reference.x(i), p.z() - reference.z(i));
        if (off > worst) worst = off, who = d.bodies[b].first;
      }
    }
    if (seconds < 0.1) continue;
    ++compared;
    longest = std::max(longest, seconds);
    EXPECT_LT(worst, 1e-5) << "machine " << n << ": " << who << " after " << seconds << " s";
  }
  EXPECT_GT(longest, 0.5);
}

TEST(RandomMachines, SavedAndRestoredEndInTheSameBits) {
  for (const CableModel model : {CableModel::joints, CableModel::strand, CableModel::hoist, CableModel::chain,
                                 CableModel::particles})
    for (int n = 0; n < shareOf(80); ++n) {
      const MachineKind kind{.model = model, .spatial = n % 2 == 1};
      const Halves h = compareHalves(randomMachine(kind, static_cast<unsigned>(n)), 60, {7, 23, 41});
      EXPECT_TRUE(h.same()) << static_cast<int>(model) << " " << n << " from step " << h.differs << " " << h.problem;
    }
}

}  // namespace
}  // namespace reeve::test
