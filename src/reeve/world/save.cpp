// Hash, save and restore of a state, from one list of what a state is.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "reeve/math/hash.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {

/// The one list: every number of a state in a fixed order, as 64-bit words.
template <class StateRef, class Visitor>
void visitState(StateRef& s, Visitor& visit) {
  visit.real(s.time);
  visit.whole(s.steps);
  visit.real(s.h);
  visit.flag(s.jolted);
  visit.flag(s.struck);
  for (auto* list : {&s.q, &s.v, &s.u, &s.p, &s.pOld, &s.force, &s.memory}) {
    visit.count(*list);
    for (auto& x : *list) visit.real(x);
  }
  visit.count(s.sheets);
  for (std::size_t i = 0; i < s.sheets.size(); ++i) visit.sheet(s.sheets[i], s.sheets[i > 0 ? i - 1 : 0]);
  visit.count(s.mode);
  for (auto& m : s.mode) visit.mode(m);
  visit.count(s.contacts);
  for (auto& c : s.contacts) {
    visit.whole(c.key);
    visit.real(c.normal);
    for (int k = 0; k < 3; ++k) visit.real(c.friction[k]);
    for (auto& m : c.mode) visit.mode(m);
  }
  // What programs do; without it a state hashes as it did before there were commands.
  if (visit.skips(s.overrides, s.pushes)) return;
  visit.count(s.overrides);
  for (auto& o : s.overrides) {
    visit.whole(o.key);
    visit.real(o.value);
  }
  visit.count(s.pushes);
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
  void flag(bool x) { hasher.add(static_cast<std::int64_t>(x)); }
  void mode(Mode m) { hasher.add(static_cast<std::int64_t>(m)); }
  void sheet(const Sheet& sheet, const Sheet&) {
    whole(static_cast<std::int64_t>(sheet.size()));
    for (std::size_t i = 0; i < sheet.size(); ++i) real(sheet.data()[i]);
  }
  template <class List>
  void count(const List& list) {
    hasher.add(static_cast<std::int64_t>(list.size()));
  }
};

struct WriteVisitor {
  std::string text;
  int column = 0;
  void word(std::uint64_t w) {
    text += math::hex(w);
    text += ++column % 8 == 0 ? '\n' : ' ';
  }
  void real(double x) { word(std::bit_cast<std::uint64_t>(x)); }
  void whole(std::int64_t x) { word(static_cast<std::uint64_t>(x)); }
  void index(int x) { whole(x); }
  static bool skips(const auto&, const auto&) { return false; }
  void flag(bool x) { whole(x ? 1 : 0); }
  void mode(Mode m) { whole(static_cast<std::int64_t>(m)); }
  void sheet(const Sheet& sheet, const Sheet&) {
    whole(static_cast<std::int64_t>(sheet.size()));
    for (std::size_t i = 0; i < sheet.size(); ++i) real(sheet.data()[i]);
  }
  template <class List>
  void count(const List& list) {
    whole(static_cast<std::int64_t>(list.size()));
  }
};

struct ReadVisitor {
  std::string_view text;
  bool ok = true;
  std::size_t remaining() const { return text.size() / 17 + 1; }
  std::uint64_t word() {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\r'))
      text.remove_prefix(1);
    if (text.size() < 16) {
      ok = false;
      return 0;
    }
    std::uint64_t w = 0;
    for (int i = 0; i < 16; ++i) {
      const char c = text[static_cast<std::size_t>(i)];
      const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0) ok = false;
      w = w * 16 + static_cast<std::uint64_t>(digit & 15);
    }
    text.remove_prefix(16);
    return w;
  }
  void real(double& x) { x = std::bit_cast<double>(word()); }
  void whole(std::int64_t& x) { x = static_cast<std::int64_t>(word()); }
  void index(int& x) {
    const auto value = static_cast<std::int64_t>(word());
    if (value < 0 || value > std::numeric_limits<int>::max()) ok = false;
    x = static_cast<int>(value);
  }
  static bool skips(const auto&, const auto&) { return false; }
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
    m = static_cast<Mode>(value);
  }
  template <class List>
  void count(List& list) {
    const std::uint64_t n = word();
    if (!ok || n > remaining()) {
      ok = false;
      list.clear();
      return;
    }
    list.resize(static_cast<std::size_t>(n));
  }
};

constexpr std::string_view kind = "reeve-state ", header = "reeve-state 4\n";  ///< 4: commands

}  // namespace

std::uint64_t hashOf(const State& state) {
  HashVisitor visitor;
  visitState(state, visitor);
  return visitor.hasher.value();
}

bool sameBits(const State& a, const State& b) {
  WriteVisitor first, second;
  visitState(a, first);
  visitState(b, second);
  return first.text == second.text;
}

std::uint64_t World::hash() const { return hashOf(parts_->state); }

std::string textOf(const State& state) {
  WriteVisitor visitor;
  visitor.text = header;
  visitState(state, visitor);
  visitor.text += "\n";
  return std::move(visitor.text);
}

std::string World::saveState() const { return textOf(parts_->state); }

std::expected<State, Problem> stateOf(std::string_view text) {
  if (!text.starts_with(kind)) return wrong("", "this is not a saved state", "give a file written by --save-state");
  if (!text.starts_with(header))
    return wrong("", "the saved state is of another version of reeve", "write it again with this one");
  ReadVisitor visitor{text.substr(header.size())};
  State s;
  visitState(s, visitor);
  while (!visitor.text.empty() && (visitor.text.front() == ' ' || visitor.text.front() == '\n'))
    visitor.text.remove_prefix(1);
  if (!visitor.ok || !visitor.text.empty()) return wrong("", "the saved state is damaged", "write it again");
  return s;
}

std::expected<void, Problem> World::restoreState(std::string_view text) {
  auto read = stateOf(text);
  if (!read) return std::unexpected(read.error());
  State& s = *read;
  const bool fits = parts_->fits(s);
  if (!fits)
    return wrong("", "the saved state belongs to another scene", "restore it into the scene it was saved from");
  parts_->verdict = Verdict{};
  const State before = parts_->state;
  parts_->state = s;        // a copy: who looks at its arrays goes on doing so
  if (!parts_->passes()) {  // it went bad before it was saved, and nothing goes on from it
    parts_->state = before;
    return {};
  }
  parts_->takeOver();
  return {};
}

bool World::Parts::fits(const State& s) const {
  const State& mine = built->start;
  const auto finite = [](const Vec3& v) { return v.allFinite(); };
  const bool orders =
      std::ranges::is_sorted(s.overrides, {}, &Override::key) && std::ranges::is_sorted(s.pushes, {}, &Push::block);
  const bool commands = std::ranges::none_of(s.overrides, [](const Override& o) { return o.value != o.value; }) &&
                        std::ranges::all_of(s.pushes, [&](const Push& p) {
                          return at(p.block) < model().blocks.size() && finite(p.force) && finite(p.torque) &&
                                 finite(p.at) && finite(p.onceForce) && finite(p.onceTorque) && finite(p.lastForce) &&
                                 finite(p.lastTorque);
                        });
  return s.q.size() == mine.q.size() && s.v.size() == mine.v.size() && s.u.size() == mine.v.size() &&
         s.p.size() == mine.v.size() && s.pOld.size() == mine.v.size() && s.memory.size() == mine.memory.size() &&
         std::ranges::equal(s.sheets, mine.sheets, {}, &Sheet::size, &Sheet::size) && s.force.size() == s.mode.size() &&
         s.force.size() == static_cast<std::size_t>(model().slots) + 3 * s.contacts.size() && orders && commands;
}

}  // namespace reeve
