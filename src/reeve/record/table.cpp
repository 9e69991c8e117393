#include "reeve/record/table.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/hash.h"
#include "reeve/record/number.h"
#include "reeve/record/svg.h"

namespace reeve::record {
namespace {

using Row = std::vector<std::string>;

std::string vector(const Vec3& v) { return readable(v.x(), 4) + "  " + readable(v.y(), 4) + "  " + readable(v.z(), 4); }

std::vector<std::string> three(const Vec3& v) { return {readable(v.x(), 5), readable(v.y(), 5), readable(v.z(), 5)}; }

/// Adds a table with the first rows of many, if there are any.
template <class T, class MakeRow>
void add(std::vector<Table>& tables, std::string title, std::vector<Column> columns, const T& items, std::size_t most,
         MakeRow makeRow) {
  if (items.empty()) return;
  Table table{std::move(title), std::move(columns), {}, 0};
  for (const auto& item : items) {
    if (table.rows.size() >= most)
      ++table.leftOut;
    else
      table.rows.push_back(makeRow(item));
  }
  tables.push_back(std::move(table));
}

void addThings(std::vector<Table>& tables, const Observation& seen, std::size_t most) {
  add(tables, "bodies", {{"name", "", true}, {"x", "m"}, {"y", "m"}, {"z", "m"}, {"speed", "m/s"}, {"spin", "rad/s"}},
      seen.bodies, most, [](const auto& item) {
        Row row = three(item.second.position);
        row.insert(row.begin(), item.first);
        row.push_back(readable(item.second.velocity.norm(), 4));
        row.push_back(readable(item.second.angularVelocity.norm(), 4));
        return row;
      });
  add(tables, "rotors", {{"name", "", true}, {"angle", "rad"}, {"rate", "rad/s"}}, seen.rotors, most,
      [](const auto& item) {
        return Row{item.first, readable(item.second.angle), readable(item.second.rate)};
      });
  add(tables, "particles", {{"name", "", true}, {"x", "m"}, {"y", "m"}, {"z", "m"}, {"speed", "m/s"}}, seen.particles,
      most, [](const auto& item) {
        Row row = three(item.second.position);
        row.insert(row.begin(), item.first);
        row.push_back(readable(item.second.velocity.norm(), 4));
        return row;
      });
  add(tables, "joints",
      {{"name", "", true}, {"coordinate", ""}, {"rate", ""}, {"force", "N"}, {"torque", "N m"}, {"error", "m"}},
      seen.joints, most, [](const auto& item) {
        const JointObservation& joint = item.second;
        return Row{item.first,
                   readable(joint.coordinate),
                   readable(joint.rate, 4),
                   readable(joint.force.norm(), 4),
                   readable(joint.torque.norm(), 4),
                   readable(joint.error, 2)};
      });
  add(tables, "motors", {{"name", "", true}, {"force", "N m or N"}, {"work", "J"}}, seen.motors, most,
      [](const auto& item) {
        return Row{item.first, readable(item.second.force), readable(item.second.work)};
      });
}

void addCables(std::vector<Table>& tables, const Observation& seen, std::size_t most) {
  add(tables, "cables",
      {{"name", "", true},
       {"model", "", true},
       {"length", "m"},
       {"stored", "m"},
       {"spans", ""},
       {"largest tension", "N"},
       {"places", ""},
       {"flows", ""}},
      seen.cables, most, [](const auto& item) {
        double largest = 0.0;
        for (const SpanObservation& span : item.second.spans) largest = std::max(largest, span.tension);
        return Row{item.first,
                   item.second.model,
                   readable(item.second.length),
                   readable(item.second.stored),
                   std::to_string(item.second.spans.size()),
                   readable(largest),
                   std::to_string(item.second.lagrangian),
                   std::to_string(item.second.eulerian)};
      });
  std::vector<std::pair<std::string, const SpanObservation*>> spans;
  for (const auto& [name, cable] : seen.cables)
    for (const SpanObservation& span : cable.spans) spans.emplace_back(name, &span);
  add(tables, "spans",
      {{"cable", "", true}, {"from", "", true}, {"to", "", true}, {"length", "m"}, {"rest", "m"}, {"tension", "N"}},
      spans, most, [](const auto& item) {
        const SpanObservation& span = *item.second;
        return Row{item.first,
                   span.from,
                   span.to,
                   readable(span.length),
                   readable(span.rest),
                   span.slack ? "slack" : readable(span.tension)};
      });
}

Table energyTable(const RunFacts& facts, const Observation& seen) {
  Table table{"energy", {{"", "", true}, {"start", "J"}, {"end", "J"}, {"change", "J"}}, {}, 0};
  const auto row = [&](const char* name, double start, double end) {
    table.rows.push_back({name, readable(start, 6), readable(end, 6), readable(end - start, 4)});
  };
  row("kinetic", facts.start.kinetic, seen.energy.kinetic);
  row("potential", facts.start.potential, seen.energy.potential);
  row("elastic", facts.start.elastic, seen.energy.elastic);
  row("total", facts.start.total, seen.energy.total);
  if (!seen.motors.empty())
    table.rows.push_back({"done by motors", "", "", readable(motorWork(seen) - facts.startWork, 4)});
  const double drift = energyDrift(facts, seen);
  table.rows.push_back({"drift", "", "", readable(drift, 4)});
  if (facts.dragTaken > 0.0) {
    table.rows.push_back({"  taken by drag", "", "", readable(-facts.dragTaken, 4)});
    table.rows.push_back({"  otherwise", "", "", readable(drift + facts.dragTaken, 4)});
  }
  return table;
}

Table healthTable(const Observation& seen) {
  Table table{"health", {{"", "", true}, {"", "", true}}, {}, 0};
  table.rows.push_back({"iterations of the last step", std::to_string(seen.health.iterations)});
  table.rows.push_back({"residual", readable(seen.health.residual, 2)});
  if (!seen.health.worst.empty())
    table.rows.push_back({"worst row", seen.health.worst + " (" + readable(seen.health.worstError, 2) + ")"});
  std::string left = std::to_string(seen.health.unconverged);
  if (!seen.health.converges) left += " of " + std::to_string(seen.steps) + ": nearly all";
  table.rows.push_back({"steps that did not converge", left});
  return table;
}

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

std::vector<Table> resultTables(const RunFacts& facts, const Observation& seen, const TableOptions& options) {
  std::vector<Table> tables;
  addThings(tables, seen, options.mostRows);
  addCables(tables, seen, options.mostRows);
  add(tables, "contacts", {{"a", "", true}, {"b", "", true}, {"point", "m", true}, {"gap", "m"}, {"force", "N"}},
      seen.contacts, std::min<std::size_t>(options.mostRows, 8), [](const ContactObservation& c) {
        return Row{c.a, c.b, vector(c.point), readable(c.gap, 2), readable(c.force, 4)};
      });
  add(tables, "events", {{"time", "s"}, {"what", "", true}, {"where", "", true}}, facts.events,
      std::min<std::size_t>(options.mostRows, 12), [](const Event& event) {
        return Row{readable(event.time, 6), event.what, event.subject};
      });
  if (!tables.empty() && tables.back().title == "events") tables.back().leftOut += facts.eventsLeftOut;
  tables.push_back(energyTable(facts, seen));
  tables.push_back(healthTable(seen));
  if (!facts.expectations.empty()) tables.push_back(expectationTable(facts.expectations));
  return tables;
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
