#include "reeve/world/state_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "reeve/math/hash.h"
#include "reeve/model/element.h"

namespace reeve {

namespace {

/// The one list: every number of a state in a fixed order, as 64-bit words.
template <class StateRef, class Visitor>
void visitState(StateRef& s, Visitor& visit) {
  visit.real(s.time);
  visit.whole(s.steps);
  visit.real(s.h);
  visit.flag(s.needsVelocityProjection);
  visit.flag(s.impactPending);
  for (auto* list : {&s.q, &s.v, &s.u, &s.p, &s.pOld, &s.force, &s.memory}) {
    visit.count(*list, 1);
    for (auto& x : *list) visit.real(x);
  }
  visit.count(s.sheets, 1);
  for (std::size_t i = 0; i < s.sheets.size(); ++i) visit.sheet(s.sheets[i], s.sheets[i > 0 ? i - 1 : 0]);
  visit.count(s.mode, 1);
  for (auto& m : s.mode) visit.mode(m);
  constexpr std::size_t contactWords = 8;
  visit.count(s.contacts, contactWords);
  for (auto& c : s.contacts) {
    visit.whole(c.key);
    visit.real(c.normal);
    for (int k = 0; k < 3; ++k) visit.real(c.friction[k]);
    for (auto& m : c.mode) visit.mode(m);
  }
  visit.accounts(s.accounts);
  // What programs do; without it a state hashes as it did before there were commands.
  if (visit.skips(s.overrides, s.pushes)) return;
  constexpr std::size_t overrideWords = 2, pushWords = 23;
  visit.count(s.overrides, overrideWords);
  for (auto& o : s.overrides) {
    visit.whole(o.key);
    visit.real(o.value);
  }
  visit.count(s.pushes, pushWords);
  for (auto& p : s.pushes) {
    visit.index(p.block);
    visit.flag(p.follows);
    for (auto* x : {&p.force, &p.torque, &p.at, &p.onceForce, &p.onceTorque, &p.lastForce, &p.lastTorque})
      for (int k = 0; k < 3; ++k) visit.real((*x)[k]);
  }
}

struct HashVisitor {
  math::Hasher hasher;
  void real(double x) { hasher.add(x); }
  void whole(std::int64_t x) { hasher.add(x); }
  void index(int x) { whole(x); }
  static bool skips(const auto& overrides, const auto& pushes) { return overrides.empty() && pushes.empty(); }
  static void accounts(const Accounts&) {}
  void flag(bool x) { hasher.add(static_cast<std::int64_t>(x)); }
  void mode(Mode m) { hasher.add(static_cast<std::int64_t>(m)); }
  void sheet(const Sheet& sheet, const Sheet&) {
    whole(static_cast<std::int64_t>(sheet.size()));
    for (std::size_t i = 0; i < sheet.size(); ++i) real(sheet.data()[i]);
  }
  template <class List>
  void count(const List& list, std::size_t) {
    hasher.add(static_cast<std::int64_t>(list.size()));
  }
};

struct WriteVisitor {
  std::string& text;
  static bool skips(const auto&, const auto&) { return false; }
  int column = 0;
  void word(std::uint64_t w) {
    text += math::hex(w);
    text += ++column % 8 == 0 ? '\n' : ' ';
  }
  void real(double x) { word(std::bit_cast<std::uint64_t>(x)); }
  void accounts(const Accounts& a) {
    real(a.start);
    for (const auto* list : {&a.done, &a.power})
      for (const double x : *list) real(x);
  }
  void whole(std::int64_t x) { word(static_cast<std::uint64_t>(x)); }
  void index(int x) { whole(x); }
  void flag(bool x) { whole(x ? 1 : 0); }
  void mode(Mode m) { whole(static_cast<std::int64_t>(m)); }
  void sheet(const Sheet& sheet, const Sheet&) {
    whole(static_cast<std::int64_t>(sheet.size()));
    for (std::size_t i = 0; i < sheet.size(); ++i) real(sheet.data()[i]);
  }
  template <class List>
  void count(const List& list, std::size_t) {
    whole(static_cast<std::int64_t>(list.size()));
  }
};

/// 16 hexadecimal digits at the front of a text, taken off it.
bool takeWord(std::string_view& text, std::uint64_t& w) {
  if (text.size() < 16) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 16, w, 16);
  if (error != std::errc{} || end != text.data() + 16) return false;
  text.remove_prefix(16);
  return true;
}

struct ReadVisitor {
  static bool skips(const auto&, const auto&) { return false; }
  std::string_view text;
  bool ok = true;
  std::size_t remaining() const { return text.size() / 17 + 1; }
  std::uint64_t word() {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
    std::uint64_t w = 0;
    ok = ok && takeWord(text, w);
    return ok ? w : 0;
  }
  void real(double& x) { x = std::bit_cast<double>(word()); }
  void accounts(Accounts& a) {
    real(a.start);
    for (auto* list : {&a.done, &a.power})
      for (double& x : *list) real(x);
  }
  void whole(std::int64_t& x) { x = static_cast<std::int64_t>(word()); }
  void index(int& x) {
    const auto value = static_cast<std::int64_t>(word());
    if (value < 0 || value > std::numeric_limits<int>::max()) ok = false;
    x = static_cast<int>(ok ? value : 0);
  }
  void sheet(Sheet& sheet, const Sheet& kin) {
    const std::uint64_t n = word();
    if (!ok || n > remaining()) {
      ok = false;
      return;
    }
    sheet = Sheet(static_cast<std::size_t>(n), kin);
    double* numbers = sheet.edit();
    for (std::uint64_t i = 0; i < n; ++i) real(numbers[i]);
  }
  void flag(bool& x) {
    const std::uint64_t value = word();
    if (value > 1) ok = false;
    x = value == 1;
  }
  void mode(Mode& m) {
    const auto value = static_cast<std::int64_t>(word());
    if (value < -1 || value > 1) ok = false;
    m = static_cast<Mode>(ok ? value : 0);
  }
  template <class List>
  void count(List& list, std::size_t wordsEach) {
    const std::uint64_t n = word();
    if (!ok || n > remaining() / wordsEach) {
      ok = false;
      list.clear();
      return;
    }
    list.resize(static_cast<std::size_t>(n));
  }
};

constexpr std::string_view kind = "reeve-state ", header = "reeve-state 6\n";  ///< 6: accounts of energy
constexpr std::string_view checkWord = "check ", sceneWord = "scene ", partWord = "part ", wordsWord = "words\n",
                           convertWord = "convert ";

bool takeText(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

bool takeCount(std::string_view& text, std::size_t& n) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return takeText(text, " ");
}

bool takePart(std::string_view& text, StatePart& part) {
  for (StatePart::Range& range : part.range)
    if (!takeCount(text, range.first) || !takeCount(text, range.count)) return false;
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return false;
  part.name = text.substr(0, end);
  text.remove_prefix(end + 1);
  return true;
}

bool partsFit(const StateText& t) {
  const std::size_t sizes[StatePart::sections] = {t.state.q.size(), t.state.v.size(),
                                                  std::min(t.state.force.size(), t.state.mode.size()),
                                                  t.state.memory.size(), t.state.sheets.size()};
  for (const StatePart& part : t.parts)
    for (std::size_t i = 0; i < StatePart::sections; ++i)
      if (part.range[i].count > sizes[i] || part.range[i].first > sizes[i] - part.range[i].count) return false;
  return true;
}

}  // namespace

std::uint64_t stateHash(const State& state) {
  HashVisitor visitor;
  visitState(state, visitor);
  return visitor.hasher.value();
}

std::vector<StatePart> partsOf(const Model& model) {
  std::vector<StatePart> parts;
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  std::vector<bool> named(model.blocks.size(), false);
  const auto addPlace = [&](std::string name, int block) {
    const Block& b = model.blocks[size(block)];
    named[size(block)] = true;
    StatePart& part = parts.emplace_back();
    part.name = std::move(name);
    part.range[StatePart::q] = {size(b.q), size(b.dof + (b.rotates ? 1 : 0))};
    part.range[StatePart::v] = {size(b.v), size(b.dof)};
  };
  for (const Body& body : model.bodies)
    if (!body.hidden) addPlace("bodies." + body.name, body.block);
  for (const Rotor& rotor : model.rotors) addPlace("rotors." + rotor.name, rotor.block);
  for (const Particle& particle : model.particles)
    if (!particle.hidden) addPlace("particles." + particle.name, particle.block);
  for (const auto& e : model.elements) {
    const ElementLayout layout = e->layout();
    if (layout.slots + layout.memory + layout.sheets == 0) continue;
    StatePart& part = parts.emplace_back();
    part.name = e->name;
    part.range[StatePart::slots] = {size(e->slot), size(layout.slots)};
    part.range[StatePart::memory] = {size(e->memory), size(layout.memory)};
    part.range[StatePart::sheets] = {size(e->sheet), size(layout.sheets)};
  }
  // Coordinates of cables, by their number: see cableCoordinates.
  int count = 0;
  for (std::size_t i = 0; i < model.blocks.size(); ++i)
    if (!named[i]) addPlace(cableCoordinates + std::to_string(count++), static_cast<int>(i));
  return parts;
}

std::uint64_t modelFingerprint(const Model& model, std::span<const Block> blocks, const State& start) {
  math::Hasher hasher;
  hasher.add(stateHash(start));
  for (const StatePart& part : partsOf(model)) {
    for (const StatePart::Range& range : part.range) hasher.add(static_cast<std::int64_t>(range.count));
    hasher.add(std::string_view(part.name));
  }
  for (const Block& b : blocks) {
    hasher.add(b.mass);
    hasher.add(b.nominal);
    for (int i = 0; i < 9; ++i) hasher.add(b.inertia_B.data()[i]);
  }
  for (int k = 0; k < 3; ++k) hasher.add(model.description.settings.gravity[k]);
  return hasher.value();
}

std::string writeState(const StateText& t) {
  std::string text(sceneWord);
  text += math::hex(t.fingerprint) + "\n";
  for (const StatePart& part : t.parts) {
    text += partWord;
    for (const StatePart::Range& range : part.range)
      text += std::to_string(range.first) + " " + std::to_string(range.count) + " ";
    text += part.name + "\n";
  }
  for (const Conversion& c : t.conversions) {
    text +=
        std::string(convertWord) + std::to_string(c.cable) + " " + std::to_string(static_cast<int>(c.model)) + " \n";
    WriteVisitor before{text};
    visitState(c.before, before);
    text += "\n";
  }
  text += wordsWord;
  WriteVisitor visitor{text};
  visitState(t.state, visitor);
  text += "\n";
  math::Hasher hasher;
  hasher.add(std::string_view(text));
  return std::string(header) + std::string(checkWord) + math::hex(hasher.value()) + "\n" + text;
}

std::expected<StateText, Problem> readState(std::string_view text) {
  if (!text.starts_with(kind)) return wrong("", "this is not a saved state", "give a file written by --save-state");
  if (!text.starts_with(header))
    return wrong("", "the saved state is of another version of reeve", "write it again with this one");
  const auto damaged = [](const char* how) {
    return wrong("", std::string("the saved state is damaged: ") + how, "write it again, or take a copy");
  };
  text.remove_prefix(header.size());
  std::uint64_t check = 0;
  if (!takeText(text, checkWord) || !takeWord(text, check) || !takeText(text, "\n"))
    return damaged("it has no checksum");
  math::Hasher hasher;
  hasher.add(text);
  if (hasher.value() != check) return damaged("its checksum is wrong, so something in it has changed or is missing");
  StateText out;
  if (!takeText(text, sceneWord) || !takeWord(text, out.fingerprint) || !takeText(text, "\n"))
    return damaged("it does not say which scene it belongs to");
  while (takeText(text, partWord))
    if (!takePart(text, out.parts.emplace_back())) return damaged("its table of parts cannot be read");
  while (takeText(text, convertWord)) {
    Conversion& c = out.conversions.emplace_back();
    std::size_t cable = 0, model = 0;
    constexpr std::size_t most = 1000000, models = 5;
    if (!takeCount(text, cable) || !takeCount(text, model) || cable > most || model >= models)
      return damaged("its table of conversions cannot be read");
    c.cable = static_cast<int>(cable);
    c.model = static_cast<CableModel>(model);
    ReadVisitor before{text};
    visitState(c.before, before);
    if (!before.ok) return damaged("a state before a conversion cannot be read");
    text = before.text;
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  }
  if (!takeText(text, wordsWord)) return damaged("its numbers are missing");
  ReadVisitor visitor{text};
  visitState(out.state, visitor);
  while (!visitor.text.empty() && (visitor.text.front() == ' ' || visitor.text.front() == '\n'))
    visitor.text.remove_prefix(1);
  if (!visitor.ok || !visitor.text.empty() || !partsFit(out)) return damaged("its counts do not fit together");
  return out;
}

}  // namespace reeve
