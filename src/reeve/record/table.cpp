#include "reeve/record/table.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/hash.h"
#include "reeve/record/number.h"
#include "reeve/record/svg.h"

namespace reeve::record {
namespace {

using Row = std::vector<std::string>;

std::string padded(const std::string& text, std::size_t width, bool left) {
  const std::size_t used = displayWidth(text);
  const std::string blanks(width > used ? width - used : 0, ' ');
  return left ? text + blanks : blanks + text;
}

std::string heading(const Column& column) {
  return column.unit.empty() ? column.name : column.name + ", " + column.unit;
}

}  // namespace

std::size_t displayWidth(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

Table expectationTable(const std::vector<ExpectationResult>& results) {
  Table table{"expectations",
              {{"at, s", ""},
               {"what", "", true},
               {"measured", ""},
               {"wanted", "", true},
               {"", "", true},
               {"because", "", true}},
              {},
              0};
  for (const ExpectationResult& result : results)
    table.rows.push_back({readable(result.expectation.at, 6), result.expectation.observe,
                          result.measured ? readable(*result.measured, 9) : "not reached", wanted(result.expectation),
                          !result.measured ? "-"
                          : result.met     ? "ok"
                                           : "NOT OK",
                          result.expectation.because});
  return table;
}

std::string paceLine(const RunFacts& facts, const Observation& seen) {
  std::string line = readable(facts.simulatedSeconds, 6) + " s simulated in " + readable(facts.wallSeconds, 3) + " s";
  if (facts.wallSeconds > 0.0 && facts.simulatedSeconds > 0.0)
    line += " (" + readable(facts.simulatedSeconds / facts.wallSeconds, 3) + " times real time)";
  line += ", " + std::to_string(seen.steps) + " steps of " + readable(facts.settings.dt, 4) + " s";
  return line + ", solver " + std::string(solverName(facts.settings.solver)) + ", state " + math::hex(facts.hash);
}

std::string tableText(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = displayWidth(heading(table.columns[c]));
    for (const Row& row : table.rows) width = std::max(width, c < row.size() ? displayWidth(row[c]) : 0);
    widths.push_back(width);
  }
  const auto line = [&](const Row& cells) {
    std::string out = " ";
    for (std::size_t c = 0; c < widths.size(); ++c)
      out += " " + padded(c < cells.size() ? cells[c] : "", widths[c], table.columns[c].text) + " ";
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  };
  std::string out = table.title + "\n";
  Row head;
  for (const Column& column : table.columns) head.push_back(heading(column));
  if (std::any_of(head.begin(), head.end(), [](const std::string& name) { return !name.empty(); })) out += line(head);
  for (const Row& row : table.rows) out += line(row);
  if (table.leftOut > 0) out += "  and " + std::to_string(table.leftOut) + " more\n";
  return out;
}

std::string tableHtml(const Table& table) {
  std::string out = "<h2>" + escaped(table.title) + "</h2>\n<table>\n<tr>";
  for (const Column& column : table.columns)
    out += std::string(column.text ? "<th class=\"text\">" : "<th>") + escaped(heading(column)) + "</th>";
  out += "</tr>\n";
  for (const Row& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size() && c < table.columns.size(); ++c) {
      const char* kind = row[c] == "NOT OK"      ? "<td class=\"text bad\">"
                         : row[c] == "ok"        ? "<td class=\"text good\">"
                         : table.columns[c].text ? "<td class=\"text\">"
                                                 : "<td>";
      out += kind + escaped(row[c]) + "</td>";
    }
    out += "</tr>\n";
  }
  out += "</table>\n";
  if (table.leftOut > 0) out += "<p>and " + std::to_string(table.leftOut) + " more</p>\n";
  return out;
}

}  // namespace reeve::record
