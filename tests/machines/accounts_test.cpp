// The accounts of energy close in every shipped scene, or the scene is listed with its reason.
#include <algorithm>
#include <filesystem>

#include "accounts_list.h"
#include "machines.h"
#include "reeve/record/turnover.h"
#include "support/soak.h"
#include "support/source_dir.h"

namespace reeve::test {
namespace {

/// A thousandth of what was turned over, unless listed.
double allowedShare(const std::string& scene) {
  for (const Listed& l : listed)
    if (scene == l.scene) return l.share;
  return 1e-3;
}

std::vector<std::string> shippedScenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(sourceDir() + "/scenes"))
    if (entry.path().extension() == ".json" && entry.path().stem() != "schema") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

TEST(Accounts, closeInEveryShippedScene) {
  constexpr int mostSteps = 240;
  constexpr std::size_t largest = 2000;  // coordinates: larger ones are left to scripts/accounts
  for (const std::string& name : shippedScenes()) {
    World w = make(shipped(name));
    if (w.velocities().size() > largest) continue;
    record::Turnover turnover(w.observe().energy);
    for (int step = 0; step < mostSteps && w.step().good; ++step)
      if (step % 4 == 3) turnover.look(w.observe().energy);
    const double remains = w.observe().energy.remains;
    EXPECT_LE(std::fabs(remains), allowedShare(name) * turnover.turned() + 1e-9)
        << name << ": " << remains << " J of " << turnover.turned() << " J turned over";
  }
}

}  // namespace
}  // namespace reeve::test
