#pragma once
// What a run of races found: a table for people, and JSON to keep.
#include <string>
#include <vector>

#include "race.h"

namespace reeve::race {

void printHeader();
/// In red where Reeve is not ahead.
void print(const std::vector<Result>& results);
void printSummary(const std::vector<Result>& results);

/// "CPU model" of /proc/cpuinfo, compiler, versions of the peers, date, and all results.
std::string json(const std::vector<Result>& results, const std::vector<std::string>& versions, const std::string& date);

}  // namespace reeve::race
