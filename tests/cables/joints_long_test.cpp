// A cable over very many wheels: as exact, and in as few iterations, as one over a few.
#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

TEST(LongCable, OverThirtyThousandWheelsTakesOneIterationAStepAndHasTheClosedFormTensions) {
  // Over and under wheels in a row, a weight at each end: a = (m₂ − m₁) g/(m₁ + m₂ + n I/r²), and the tension grows by
  // I a/r² from wheel to wheel. A trace of compliance in every row would add up to n² of it.
  const int n = 30001;
  const double r = 0.1, inertia = 1e-5, m1 = 1.0, m2 = 1.5;
  Description d = heavy(1.0 / 240);
  d.settings.solver = SolverChoice::direct;
  std::vector<LinkSettings> route{attachTo("left")};
  for (int i = 0; i < n; ++i) {
    const std::string name = "w" + std::to_string(i);
    d.rotors.emplace_back(name, wheelAt(Vec3(0.5 * i, 0, 0), r, inertia));
    route.push_back(rollOver(name, i % 2 == 0 ? 1 : -1));
  }
  route.push_back(attachTo("right"));
  addMass(d, "left", m1, Vec3(-r, 0, -10));
  addMass(d, "right", m2, Vec3((n - 1) * 0.5 + r, 0, -10));
  addCable(d, "rope", std::move(route));
  World w = make(d);
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(w.step().good);  // the start of the second-order scheme
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(w.step().good);
    EXPECT_EQ(measure(w, "health.iterations"), 1.0) << i;
  }
  EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
  const double j = inertia / (r * r), a = (m2 - m1) * 10 / (m1 + m2 + n * j);
  const auto tension = [&](int span) { return measure(w, "cables.rope.spans." + std::to_string(span) + ".tension"); };
  EXPECT_NEAR(tension(0) / (m1 * (10 + a)), 1.0, 1e-9);
  EXPECT_NEAR(tension(n / 2) / (m1 * (10 + a) + n / 2 * j * a), 1.0, 1e-9);
  EXPECT_NEAR(tension(n) / (m2 * (10 - a)), 1.0, 1e-9);
  EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (a * w.time()), 1.0, 1e-8);
}

}  // namespace
}  // namespace reeve::test
