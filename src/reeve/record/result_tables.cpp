// The tables that `reeve run` prints and a report shows.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "reeve/record/number.h"
#include "reeve/record/table.h"

namespace reeve::record {
namespace {

using Row = std::vector<std::string>;

/// What is smaller than these is rounding, and printed as 0: a reader would take 3e-14 for a result.
struct Floors {
  double length = 1e-12, speed = 1e-12, force = 0.0, energy = 0.0, power = 0.0;

  double of(const std::string& unit) const {
    return unit == "m" || unit == "rad"       ? length
           : unit == "m/s" || unit == "rad/s" ? speed
           : unit == "N" || unit == "N m"     ? force
           : unit == "J"                      ? energy
           : unit == "W"                      ? power
                                              : 0.0;
  }
};

Floors floorsOf(const RunFacts& facts, const Observation& seen) {
  Floors f;
  double force = 0.0, power = 0.0;
  for (const Peak& peak : facts.peaks) {
    const double size = std::max(std::abs(peak.smallest), std::abs(peak.largest));
    if (peak.unit == "N" || peak.unit == "N m") force = std::max(force, size);
    if (peak.unit == "W") power = std::max(power, size);
  }
  // A step finds positions to the tolerance, so velocities to that over dt.
  f.length = 0.01 * facts.settings.tolerance;
  f.speed = facts.settings.tolerance / facts.settings.dt;
  f.force = 1e-9 * force;
  f.power = 1e-9 * power;
  f.energy = 1e-12 * std::max({std::abs(facts.start.potential), std::abs(facts.start.kinetic),
                               std::abs(seen.energy.potential), std::abs(seen.energy.kinetic)});
  return f;
}

std::string shown(double value, double floor, int digits = 5) {
  return std::abs(value) < floor ? "0" : readable(value, digits);
}

std::string degrees(double radians, double floor) { return shown(radians * 180.0 / std::numbers::pi, floor, 5); }

std::string point(const Vec3& v, const Floors& floors) {
  return shown(v.x(), floors.length, 4) + "  " + shown(v.y(), floors.length, 4) + "  " + shown(v.z(), floors.length, 4);
}

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

void addBodies(std::vector<Table>& tables, const Observation& seen, const Floors& floors, std::size_t most) {
  const auto place = [&](const std::string& name, const Vec3& position, const Vec3& velocity) {
    Row row{name};
    for (int k = 0; k < 3; ++k) row.push_back(shown(position[k], floors.length));
    row.push_back(shown(velocity.norm(), floors.speed, 4));
    return row;
  };
  add(tables, "bodies", {{"name", "", true}, {"x", "m"}, {"y", "m"}, {"z", "m"}, {"speed", "m/s"}, {"spin", "rad/s"}},
      seen.bodies, most, [&](const auto& item) {
        Row row = place(item.first, item.second.position, item.second.velocity);
        row.push_back(shown(item.second.angularVelocity.norm(), floors.speed, 4));
        return row;
      });
  add(tables, "rotors", {{"name", "", true}, {"angle", "rad"}, {"angle", "deg"}, {"rate", "rad/s"}, {"rate", "rpm"}},
      seen.rotors, most, [&](const auto& item) {
        const auto& [name, rotor] = item;
        return Row{name, shown(rotor.angle, floors.length), degrees(rotor.angle, floors.length),
                   shown(rotor.rate, floors.speed), shown(rotor.rate * 30.0 / std::numbers::pi, floors.speed, 4)};
      });
  add(tables, "particles", {{"name", "", true}, {"x", "m"}, {"y", "m"}, {"z", "m"}, {"speed", "m/s"}}, seen.particles,
      most, [&](const auto& item) { return place(item.first, item.second.position, item.second.velocity); });
}

/// "0.7854 rad, 45°" of a hinge, "1.2 m" of a slider.
std::string coordinate(double value, const std::string& unit, const Floors& floors) {
  if (unit.empty()) return "";
  std::string text = shown(value, floors.length) + " " + unit;
  return unit == "rad" ? text + ", " + degrees(value, floors.length) + "°" : text;
}

void addJoints(std::vector<Table>& tables, const RunFacts& facts, const Observation& seen, const Floors& floors,
               std::size_t most) {
  std::size_t at = 0;
  const auto unit = [&](const std::vector<std::string>& units, const char* otherwise) {
    return at < units.size() ? units[at] : std::string(otherwise);
  };
  add(tables, "joints",
      {{"name", "", true}, {"coordinate", ""}, {"rate", ""}, {"force", "N"}, {"torque", "N m"}, {"error", "m"}},
      seen.joints, most, [&](const auto& item) {
        const JointObservation& joint = item.second;
        const std::string of = unit(facts.jointUnits, "");
        ++at;
        return Row{item.first,
                   coordinate(joint.coordinate, of, floors),
                   of.empty() ? "" : shown(joint.rate, floors.speed, 4) + " " + of + "/s",
                   shown(joint.force.norm(), floors.force, 4),
                   shown(joint.torque.norm(), floors.force, 4),
                   readable(joint.error, 2)};
      });
  at = 0;
  add(tables, "motors", {{"name", "", true}, {"force or torque", ""}, {"work", "J"}}, seen.motors, most,
      [&](const auto& item) {
        const std::string of = unit(facts.motorUnits, "N m or N");
        ++at;
        return Row{item.first, shown(item.second.force, floors.force) + " " + of,
                   shown(item.second.work, floors.energy)};
      });
}

void addCables(std::vector<Table>& tables, const RunFacts& facts, const Observation& seen, const Floors& floors,
               std::size_t most) {
  const auto peakOf = [&](const std::string& subject) -> const Peak* {
    const auto found = std::find_if(facts.peaks.begin(), facts.peaks.end(),
                                    [&](const Peak& p) { return p.subject == subject && p.quantity == "tension"; });
    return found == facts.peaks.end() ? nullptr : &*found;
  };
  const bool breaks = std::any_of(facts.peaks.begin(), facts.peaks.end(), [](const Peak& p) { return p.safety() > 0; });
  std::vector<Column> columns{{"name", "", true}, {"model", "", true},         {"length", "m"},  {"stored", "m"},
                              {"spans", ""},      {"tension at the end", "N"}, {"largest", "N"}, {"at", "s"}};
  if (breaks) columns.push_back({"safety factor", ""});
  add(tables, "cables", columns, seen.cables, most, [&](const auto& item) {
    double last = 0.0;
    for (const SpanObservation& span : item.second.spans) last = std::max(last, span.tension);
    Row row{item.first,
            item.second.model,
            shown(item.second.length, floors.length),
            shown(item.second.stored, floors.length),
            std::to_string(item.second.spans.size()),
            shown(last, floors.force)};
    const Peak* peak = peakOf("cables." + item.first);
    row.push_back(peak ? shown(peak->largest, floors.force) : "");
    row.push_back(peak ? readable(peak->at, 5) : "");
    if (breaks) row.push_back(peak && peak->safety() > 0.0 ? readable(peak->safety(), 3) : "");
    return row;
  });
  std::vector<std::pair<std::string, const SpanObservation*>> spans;
  for (const auto& [name, cable] : seen.cables)
    for (const SpanObservation& span : cable.spans) spans.emplace_back(name, &span);
  add(tables, "spans",
      {{"cable", "", true}, {"from", "", true}, {"to", "", true}, {"length", "m"}, {"rest", "m"}, {"tension", "N"}},
      spans, most, [&](const auto& item) {
        const SpanObservation& span = *item.second;
        return Row{item.first,
                   span.from,
                   span.to,
                   shown(span.length, floors.length),
                   shown(span.rest, floors.length),
                   span.slack ? "slack" : shown(span.tension, floors.force)};
      });
}

/// Extremes worth a line: what was more than rounding at some time. A cable of one span needs one line, not two.
Table peakTable(const RunFacts& facts, const Floors& floors, std::size_t most) {
  Table table{"extremes over the run",
              {{"what", "", true},
               {"", "", true},
               {"unit", "", true},
               {"smallest", ""},
               {"largest", ""},
               {"at", "s"},
               {"RMS", ""}},
              {},
              0};
  for (const Peak& peak : facts.peaks) {
    const double floor = floors.of(peak.unit);
    if (std::max(std::abs(peak.smallest), std::abs(peak.largest)) <= floor) continue;
    if (table.rows.size() >= most)
      ++table.leftOut;
    else
      table.rows.push_back({peak.label, peak.quantity, peak.unit, shown(peak.smallest, floor),
                            shown(peak.largest, floor), readable(peak.at, 5), shown(peak.rms, floor)});
  }
  return table;
}

Table energyTable(const RunFacts& facts, const Observation& seen, const Floors& floors) {
  Table table{"energy", {{"", "", true}, {"start", "J"}, {"end", "J"}, {"change", "J"}}, {}, 0};
  const auto text = [&](double value, int digits) { return shown(value, floors.energy, digits); };
  const auto row = [&](const char* name, double start, double end) {
    table.rows.push_back({name, text(start, 6), text(end, 6), text(end - start, 4)});
  };
  row("kinetic", facts.start.kinetic, seen.energy.kinetic);
  row("potential", facts.start.potential, seen.energy.potential);
  row("elastic", facts.start.elastic, seen.energy.elastic);
  row("total", facts.start.total, seen.energy.total);
  for (const WorkLine& line : workOf(facts, seen))
    if (std::abs(line.joules) > floors.energy)
      table.rows.push_back({"  " + std::string(line.words), "", "", text(line.joules, 4)});
  table.rows.push_back({"  remains (numerical)", "", "", text(seen.energy.remains - facts.start.remains, 2)});
  return table;
}

Table healthTable(const Observation& seen) {
  Table table{"health", {{"", "", true}, {"", "", true}}, {}, 0};
  table.rows.push_back({"iterations of the last step", std::to_string(seen.health.iterations)});
  table.rows.push_back({"residual", readable(seen.health.residual, 2)});
  if (!seen.health.worst.empty())
    table.rows.push_back({"largest error", seen.health.worst + " (" + readable(seen.health.worstError, 2) + ")"});
  std::string left = std::to_string(seen.health.unconverged);
  if (!seen.health.converges) left += " of " + std::to_string(seen.steps) + ": nearly all";
  table.rows.push_back({"steps that did not converge", left});
  return table;
}

}  // namespace

std::vector<Table> resultTables(const RunFacts& facts, const Observation& seen, const TableOptions& options) {
  const Floors floors = floorsOf(facts, seen);
  std::vector<Table> tables;
  addBodies(tables, seen, floors, options.mostRows);
  addJoints(tables, facts, seen, floors, options.mostRows);
  addCables(tables, facts, seen, floors, options.mostRows);
  add(tables, "contacts", {{"a", "", true}, {"b", "", true}, {"point", "m", true}, {"gap", "m"}, {"force", "N"}},
      seen.contacts, std::min<std::size_t>(options.mostRows, 8), [&](const ContactObservation& c) {
        return Row{c.a, c.b, point(c.point, floors), readable(c.gap, 2), shown(c.force, floors.force, 4)};
      });
  add(tables, "events", {{"time", "s"}, {"what", "", true}, {"where", "", true}}, facts.events,
      std::min<std::size_t>(options.mostRows, 12), [](const Event& event) {
        return Row{readable(event.time, 6), event.what, event.subject};
      });
  if (!tables.empty() && tables.back().title == "events") tables.back().leftOut += facts.eventsLeftOut;
  if (Table peaks = peakTable(facts, floors, options.mostRows); !peaks.rows.empty()) tables.push_back(std::move(peaks));
  tables.push_back(energyTable(facts, seen, floors));
  tables.push_back(healthTable(seen));
  if (!facts.expectations.empty()) tables.push_back(expectationTable(facts.expectations));
  add(tables, "notes", {{"", "", true}, {"", "", true}}, facts.notes, options.mostRows, [](const Note& note) {
    return Row{note.subject, note.what};
  });
  return tables;
}

}  // namespace reeve::record
