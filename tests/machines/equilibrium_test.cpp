// States of rest of shipped machines, with what drives them standing still: forces balance, and started there nothing
// moves.
#include "machines.h"

namespace reeve::test {
namespace {

class MachineAtRest : public testing::TestWithParam<const char*> {};

/// As it is at the start, for ever.
void standStill(Profile& profile) {
  const double now = profile.offset + (profile.table.empty() ? 0.0 : profile.table.front().y());
  profile = Profile{};
  profile.offset = now;
}

TEST_P(MachineAtRest, BalancesToABillionthOfTheWeightsAndStaysWithinAMicrometerForTenSeconds) {
  Description d = shipped(GetParam());
  for (auto& [name, motor] : d.motors) standStill(motor.target);
  for (auto& [name, cable] : d.cables) standStill(cable.payout);
  for (auto& [name, body] : d.bodies)
    if (body.prescribed) {
      standStill(body.prescribed->travel);
      standStill(body.prescribed->turn);
    }
  World w = make(d);
  const auto rest = w.equilibrium();
  ASSERT_TRUE(rest) << rest.error().reason;
  EXPECT_LT(rest->share, 1e-9);
  const std::vector<double> before(w.positions().begin(), w.positions().end());
  run(w, 10.0);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(w.positions()[i], before[i], 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Shipped, MachineAtRest,
                         testing::Values("elevator", "suspension", "cable-car", "tower-crane", "hook-on-floor",
                                         "tackle-16", "six-cable-seat", "gym", "bow", "cable-robot"));

}  // namespace
}  // namespace reeve::test
