#pragma once
// A run as one HTML page that needs nothing else: pictures, plots and tables.
#include <string>
#include <vector>

#include "reeve/record/summary.h"

namespace reeve::record {

struct ReportPicture {
  std::string caption;
  std::string svg;
};

/// `plots` is the page of drawPlots(). Ids in the drawings must differ: give each its own idPrefix.
std::string writeReport(const RunFacts& facts, const Observation& observation, const std::string& about,
                        const std::vector<ReportPicture>& pictures, const std::string& plots);

}  // namespace reeve::record
