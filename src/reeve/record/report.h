#pragma once
// A run as one HTML page that needs nothing else: a player, plots with a common cursor, pictures and tables.
#include <string>
#include <vector>

#include "reeve/record/summary.h"

namespace reeve::record {

struct ReportPicture {
  std::string caption;
  std::string svg;
};

/// What a report shows besides the tables. Ids in the drawings must differ: give each its own idPrefix.
struct ReportParts {
  std::string about = {};
  std::vector<ReportPicture> pictures = {};
  std::string plots = {};                  ///< of drawPlots(), for browsers that run no scripts
  std::string player = {};                 ///< of PlayerData::json(); empty leaves the player out
  std::string command = {}, version = {};  ///< what made it
  std::vector<std::string> files = {};     ///< beside the page, to link to
};

std::string writeReport(const RunFacts& facts, const Observation& observation, const ReportParts& parts);

}  // namespace reeve::record
