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

/// "cpu", "compiler" and "date", as members of a JSON object.
std::string machineJson();
/// "CPU model" of /proc/cpuinfo, compiler, versions of the peers, date, and all results.
std::string json(const std::vector<Result>& results, const std::vector<std::string>& versions);

}  // namespace reeve::race
