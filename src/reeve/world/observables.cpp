// Paths of what can be measured: what they mean, which there are, and their units.
#include "reeve/world/observables.h"

#include <array>
#include <span>

#include "reeve/world/observable_fields.h"
#include "reeve/world/parts.h"

namespace reeve {

using namespace observables;

namespace {

std::span<const Field> fieldsOf(int section) {
  switch (section) {
    case bodies_:
      return bodyFields;
    case rotors_:
      return rotorFields;
    case particles_:
      return particleFields;
    case joints_:
      return jointFields;
    case motors_:
      return motorFields;
    case couplings_:
      return couplingFields;
    case cables_:
      return cableFields;
    case events_:
      return eventFields;
    case energy_:
      return energyFields;
    case health_:
      return healthFields;
    default:
      return {};
  }
}

constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
constexpr std::array<std::string_view, 4> quaternion{"w", "x", "y", "z"};

std::span<const std::string_view> partsOf(int count) {
  if (count == 3) return axes;
  if (count == 4) return quaternion;
  return {};
}

std::string listOf(std::span<const std::string_view> words) {
  std::string text;
  for (const auto& w : words) text += (text.empty() ? "" : ", ") + std::string(w);
  return text;
}

/// Takes the next word of a dotted path.
std::string_view takeWord(std::string_view& path) {
  const std::size_t dot = path.find('.');
  const std::string_view word = path.substr(0, dot);
  path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  return word;
}

template <class T>
std::vector<std::string_view> namesOf(const Named<T>& list) {
  std::vector<std::string_view> names;
  for (const auto& [name, thing] : list) names.push_back(name);
  return names;
}

std::vector<std::string_view> namesIn(const Description& d, int section) {
  switch (section) {
    case bodies_:
      return namesOf(d.bodies);
    case rotors_:
      return namesOf(d.rotors);
    case particles_:
      return namesOf(d.particles);
    case joints_:
      return namesOf(d.joints);
    case motors_:
      return namesOf(d.motors);
    case couplings_:
      return namesOf(d.couplings);
    case cables_:
      return namesOf(d.cables);
    case events_: {
      std::vector<std::string_view> names;
      for (const EventSettings& e : d.events) names.push_back(e.name);
      return names;
    }
    default:
      return {};
  }
}

std::unexpected<Problem> unknown(std::string_view path, std::string_view word, std::string_view what,
                                 std::span<const std::string_view> valid) {
  Problem p;
  p.reason = "'" + std::string(path) + "': there is no " + std::string(what) + " '" + std::string(word) + "'";
  p.remedy = valid.empty() ? "there is none in this scene" : "choose one of: " + listOf(valid);
  return std::unexpected(p);
}

}  // namespace

std::expected<Observable, Problem> World::resolve(std::string_view path) const {
  std::string_view rest = path;
  Observable o;
  const std::string_view sectionWord = takeWord(rest);
  for (int i = 0; i < sections_; ++i)
    if (sectionNames[at(i)] == sectionWord) o.section = i;
  if (o.section < 0) return unknown(path, sectionWord, "observable", sectionNames);
  if (o.section == time_) return o;
  if (o.section != energy_ && o.section != health_) {
    const std::string_view word = takeWord(rest);
    const auto names = namesIn(description(), o.section);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!word.empty() && names[i] == word) o.item = static_cast<int>(i);
    if (o.item < 0) return unknown(path, word, "name", names);
  }
  std::span<const Field> fields = fieldsOf(o.section);
  std::string_view fieldWord = takeWord(rest);
  int offset = 0;
  if (o.section == cables_ && (fieldWord == "spans" || fieldWord == "links")) {
    offset = fieldWord == "spans" ? spans_ : links_;
    fields = offset == spans_ ? std::span<const Field>(spanFields) : std::span<const Field>(linkFields);
    const std::string_view number = takeWord(rest);
    o.index = 0;
    for (const char c : number)
      o.index = c >= '0' && c <= '9' && o.index < 1000000 ? o.index * 10 + (c - '0') : 100000000;
    if (number.empty() || o.index >= 10000000)
      return unknown(path, number, "number", std::span<const std::string_view>());
    fieldWord = takeWord(rest);
  }
  std::vector<std::string_view> valid;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    valid.push_back(fields[i].name);
    if (fields[i].name == fieldWord) o.field = static_cast<int>(i);
  }
  if (o.section == cables_ && offset == 0) {
    valid.push_back("spans.N.tension");
    valid.push_back("links.N.wrap");
  }
  if (o.field < 0) return unknown(path, fieldWord, "measurable", valid);
  const auto parts = partsOf(fields[at(o.field)].parts);
  o.field += offset;
  if (parts.empty()) {
    if (!rest.empty()) return unknown(path, rest, "part", parts);
    return o;
  }
  const std::string_view partWord = takeWord(rest);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i] == partWord) o.part = static_cast<int>(i);
  if (o.part < 0) return unknown(path, partWord, "part", parts);
  return o;
}

namespace {

/// Whether the free coordinate of a joint is a length; rotors turn, and what is not known to slide does too.
bool slides(const Description& scene, std::string_view name) {
  for (const auto& [own, joint] : scene.joints)
    if (own == name) return joint.type == JointType::slider || joint.type == JointType::distance;
  return false;
}

/// Paths of one measurable, its parts one by one.
void addPaths(std::vector<std::string>& out, const std::string& stem, const Field& field) {
  const std::string path = stem + std::string(field.name);
  if (field.parts == 1) out.push_back(path);
  for (const auto& part : partsOf(field.parts)) out.push_back(path + "." + std::string(part));
}

}  // namespace

std::string unitOf(const World& world, const Observable& o) {
  if (o.section < 0) return "";
  if (o.section == time_) return "s";
  const Description& d = world.description();
  const int which = o.field >= links_ ? links_ : o.field >= spans_ ? spans_ : 0;
  const std::span<const Field> fields = which == links_   ? std::span<const Field>(linkFields)
                                        : which == spans_ ? std::span<const Field>(spanFields)
                                                          : fieldsOf(o.section);
  const std::string_view unit = fields[at(o.field - which)].unit;
  const std::size_t bar = unit.find('|');
  if (bar == std::string_view::npos) return std::string(unit);
  const std::string_view driven = o.section == motors_      ? std::string_view(d.motors[at(o.item)].second.on)
                                  : o.section == couplings_ ? std::string_view(d.couplings[at(o.item)].second.a)
                                                            : std::string_view(d.joints[at(o.item)].first);
  return std::string(slides(d, driven) ? unit.substr(bar + 1) : unit.substr(0, bar));
}

std::vector<std::string> everyPath(const World& world) {
  std::vector<std::string> out{"time"};
  const Description& d = world.description();
  const Observation seen = world.observe();
  for (int section = 0; section < time_; ++section) {
    auto names = namesIn(d, section);
    if (section == energy_ || section == health_) names = {""};
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (section == events_ && names[i].empty()) continue;
      const std::string head =
          std::string(sectionNames[at(section)]) + (names[i].empty() ? "" : "." + std::string(names[i])) + ".";
      for (const Field& field : fieldsOf(section)) addPaths(out, head, field);
      if (section != cables_) continue;
      const CableObservation& cable = seen.cables[i].second;
      for (std::size_t k = 0; k < cable.spans.size(); ++k)
        for (const Field& field : spanFields) addPaths(out, head + "spans." + std::to_string(k) + ".", field);
      for (std::size_t k = 0; k < cable.links.size(); ++k)
        for (const Field& field : linkFields) addPaths(out, head + "links." + std::to_string(k) + ".", field);
    }
  }
  return out;
}

namespace {
/// Not among the columns of a table: counts, and what costs more than a look or follows from the others.
bool derived(int section, std::string_view field) {
  if (section == energy_) return field != "kinetic" && field != "potential" && field != "elastic" && field != "total";
  return field == "lagrangian" || field == "eulerian" || field == "path_rate" || field == "length_rate" ||
         field == "power" || field == "damped" || field == "holds";
}
}  // namespace

std::vector<std::string> World::paths() const {
  parts_->use();
  std::vector<std::string> out{"time"};
  for (int section = 0; section < time_; ++section) {
    const std::string head(sectionNames[at(section)]);
    auto names = namesIn(description(), section);
    if (section == energy_ || section == health_) names = {""};
    for (const auto& name : names)
      for (const Field& f : fieldsOf(section)) {
        if (derived(section, f.name) || (section == events_ && name.empty())) continue;
        const std::string stem = head + (name.empty() ? "" : "." + std::string(name)) + "." + std::string(f.name);
        if (f.parts == 1) out.push_back(stem);
        for (const auto& part : partsOf(f.parts)) out.push_back(stem + "." + std::string(part));
      }
    if (section == cables_)
      for (const auto& [name, cable] : description().cables) {
        // Spans come and go; the columns are those of the route as it was declared, of a chain those it has now.
        std::size_t spans = cable.closed ? cable.route.size() : cable.route.size() - 1;
        for (const Cable* each : parts_->built->cables) {
          if (!each->traits().spansAreSegments || each->name != "cables." + name) continue;
          parts_->now.evaluate();
          each->view(parts_->now, parts_->state, parts_->linkViews, parts_->spanViews);
          spans = parts_->spanViews.size();
        }
        for (std::size_t i = 0; i < spans; ++i)
          for (const Field& f : spanFields)
            if (f.parts == 1 && !derived(section, f.name))
              out.push_back("cables." + name + ".spans." + std::to_string(i) + "." + std::string(f.name));
      }
  }
  return out;
}

}  // namespace reeve
