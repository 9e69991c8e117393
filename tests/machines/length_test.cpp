// Rest length, free and stored, of shipped scenes: nothing is created or lost, whatever happens on the way.
// scripts/check-lengths does the same for every scene, in minutes; here are those that take a second or two.
#include "machines.h"

namespace reeve::test {
namespace {

struct Long {
  const char* scene;
  bool finer;                    ///< its own time in smaller steps: what comes after it is not worth the time
  const char* event = nullptr;   ///< must have happened on the way
  const char* pushed = nullptr;  ///< a body that starts downwards: the scene by itself rests
};

void PrintTo(const Long& l, std::ostream* out) { *out << l.scene; }

class RestLength : public testing::TestWithParam<Long> {};

TEST_P(RestLength, IsConstantOverAHundredThousandSteps) {
  constexpr int steps = 100000;
  Description d = shipped(GetParam().scene);
  if (GetParam().finer) d.settings.dt = d.settings.seconds / steps;
  for (auto& [name, body] : d.bodies)
    if (GetParam().pushed && name == GetParam().pushed) body.velocity = Vec3(0, 0, -0.3);
  World w = make(d);
  const Observation before = w.observe();
  ASSERT_FALSE(before.cables.empty());
  int events = 0;
  for (int i = 1; i <= steps; ++i) {
    ASSERT_TRUE(w.step().good) << w.verdict().culprit << " " << w.verdict().reason;
    if (i % 100 != 0) continue;
    for (const Event& e : w.takeEvents()) events += GetParam().event && e.what.find(GetParam().event) == 0;
    const Observation now = w.observe();
    for (std::size_t c = 0; c < now.cables.size(); ++c)
      ASSERT_NEAR(now.cables[c].second.length / before.cables[c].second.length, 1.0, 1e-9)
          << now.cables[c].first << " after " << i << " steps";
  }
  EXPECT_TRUE(!GetParam().event || events > 0);
}

INSTANTIATE_TEST_SUITE_P(Cables, RestLength,
                         testing::Values(Long{"simple", true, nullptr, "right"}, Long{"atwood", true},
                                         Long{"capstan", true}, Long{"split-merge", false, "split"},
                                         Long{"hybrid", false, "holds"}, Long{"yo-yo", false, "rolls again"},
                                         Long{"belt", false}, Long{"winch", false}),
                         [](const auto& info) {
                           std::string name = info.param.scene;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace reeve::test
