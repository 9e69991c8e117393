#include "reeve/record/routes.h"

#include <cmath>
#include <utility>

#include "reeve/record/number.h"
#include "reeve/record/trajectory.h"

namespace reeve::record {

namespace {

std::vector<std::string> namesOf(const CableObservation& cable) {
  std::vector<std::string> names;
  for (const SpanObservation& span : cable.spans) {
    names.push_back(span.from);
    names.push_back(span.to);
  }
  return names;
}

}  // namespace

Routes::Routes() : buffer_("time,cable,span,from,to,length,rest,tension,sag\n") {}

void Routes::add(const Observation& seen) {
  const bool first = cables_.empty();
  if (first) cables_.resize(seen.cables.size());
  for (std::size_t c = 0; c < cables_.size() && c < seen.cables.size(); ++c) {
    const auto& [name, cable] = seen.cables[c];
    Kept& kept = cables_[c];
    std::vector<std::string> names = namesOf(cable);
    if (first) kept.start = std::move(names);
    const bool elsewhere = !first && names != kept.start, tells = elsewhere || kept.elsewhere;
    kept.elsewhere = elsewhere;
    for (std::size_t i = 0; tells && i < cable.spans.size(); ++i) {
      const SpanObservation& span = cable.spans[i];
      buffer_ += shortest(seen.time) + "," + csvCell(name) + "," + std::to_string(i) + "," + csvCell(span.from) + "," +
                 csvCell(span.to);
      for (const double x : {span.length, span.rest, span.tension, span.sag})
        buffer_ += "," + (std::isfinite(x) ? shortest(x) : std::string());
      buffer_ += '\n';
    }
  }
}

std::string Routes::take() { return std::exchange(buffer_, std::string()); }

}  // namespace reeve::record
