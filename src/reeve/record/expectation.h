#pragma once
// Checking what a scene says about itself: "at this time this observable is so".
#include <optional>
#include <string>
#include <vector>

#include "reeve/model/description.h"
#include "reeve/world/world.h"

namespace reeve::record {

struct ExpectationResult {
  Expectation expectation;
  std::optional<double> measured;  ///< nothing when the run did not get there
  bool met = false;
};

/// Whether a measured value is as expected. NaN never is.
bool meets(const Expectation& expectation, double measured);

/// "2.5 ± 0.01", "above 0", "from 1 to 2".
std::string wanted(const Expectation& expectation);

/// Follows a run and reads each expectation once, at the step whose time is nearest to its own.
class ExpectationWatch {
 public:
  /// The first path that cannot be resolved is the problem.
  static std::expected<ExpectationWatch, Problem> build(const World& world);

  /// After every step, and once before the first.
  void look(const World& world);
  /// When the last one falls due, s.
  double last() const;
  const std::vector<ExpectationResult>& results() const { return results_; }

 private:
  std::vector<ExpectationResult> results_;
  std::vector<Observable> observables_;
};

}  // namespace reeve::record
