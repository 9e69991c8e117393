#include "reeve/record/expectation.h"

#include <algorithm>
#include <cmath>

#include "reeve/record/number.h"

namespace reeve::record {

bool meets(const Expectation& e, double measured) {
  if (std::isnan(measured)) return false;
  if (e.equals && !(std::abs(measured - *e.equals) <= e.within + e.relative * std::abs(*e.equals))) return false;
  if (e.above && !(measured > *e.above)) return false;
  if (e.below && !(measured < *e.below)) return false;
  return true;
}

std::string wanted(const Expectation& e) {
  std::string text;
  if (e.equals) {
    const double tolerance = e.within + e.relative * std::abs(*e.equals);
    text = readable(*e.equals, 9);
    if (tolerance > 0.0) text += " ± " + readable(tolerance, 3);
  }
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (e.above && e.below)
    add("from " + readable(*e.above, 9) + " to " + readable(*e.below, 9));
  else if (e.above)
    add("above " + readable(*e.above, 9));
  else if (e.below)
    add("below " + readable(*e.below, 9));
  return text.empty() ? "a number" : text;
}

std::expected<ExpectationWatch, Problem> ExpectationWatch::build(const World& world) {
  ExpectationWatch watch;
  const auto& all = world.description().expect;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto observable = world.resolve(all[i].observe);
    if (!observable) {
      Problem problem = observable.error();
      problem.path = "/expect/" + std::to_string(i) + "/observe";
      return std::unexpected(std::move(problem));
    }
    watch.results_.push_back({all[i], std::nullopt, false});
    watch.observables_.push_back(*observable);
  }
  return watch;
}

void ExpectationWatch::look(const World& world) {
  // Half a step early counts as there: times are sums of dt and rarely equal a decimal number.
  const double now = world.time() + 0.5 * world.description().settings.dt;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    ExpectationResult& result = results_[i];
    if (result.measured || result.expectation.at > now) continue;
    result.measured = world.read(observables_[i]);
    result.met = meets(result.expectation, *result.measured);
  }
}

double ExpectationWatch::last() const {
  double latest = 0.0;
  for (const ExpectationResult& result : results_) latest = std::max(latest, result.expectation.at);
  return latest;
}

}  // namespace reeve::record
