#pragma once
// The end of a run for people: aligned text for the terminal, and the same rows for an HTML page.
#include <string>
#include <vector>

#include "reeve/record/summary.h"

namespace reeve::record {

struct Column {
  std::string name;
  std::string unit;
  bool text = false;  ///< left-aligned; numbers align on the right
};

struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::size_t leftOut = 0;  ///< rows beyond what fits a screen
};

struct TableOptions {
  std::size_t mostRows = 24;  ///< of bodies, spans and the like; expectations are always complete
};

std::vector<Table> resultTables(const RunFacts& facts, const Observation& observation,
                                const TableOptions& options = {});
/// Expectations and how they came out. Empty without any.
Table expectationTable(const std::vector<ExpectationResult>& results);
/// One line: "10 s simulated in 0.42 s (24 times real time), 2400 steps".
std::string paceLine(const RunFacts& facts, const Observation& observation);

std::string tableText(const Table& table);
std::string tableHtml(const Table& table);

/// How many characters a text takes on a terminal (UTF-8, every character one column wide).
std::size_t displayWidth(const std::string& text);

}  // namespace reeve::record
