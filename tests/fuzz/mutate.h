#pragma once
// Changes of texts that keep them what they are: scenes stay JSON, states stay words.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "reeve/math/hash.h"
#include "support/dice.h"

namespace reeve::fuzz {

inline std::size_t pick(test::Dice& dice, std::size_t n) {
  return std::min(static_cast<std::size_t>(dice.share() * static_cast<double>(n)), n - 1);
}

inline bool ofNumber(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// Where values begin and end: after every colon, and every number of a list.
inline std::vector<std::pair<std::size_t, std::size_t>> valuesOf(const std::string& json) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const auto endOf = [&](std::size_t i) {
    int depth = 0;
    bool quoted = false;
    for (; i < json.size(); ++i) {
      const char c = json[i];
      if (quoted) {
        if (c == '\\') ++i;
        quoted = c != '"';
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        if (depth-- == 0) return i;
      } else if (c == ',' && depth == 0) {
        return i;
      }
    }
    return json.size();
  };
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (quoted) {
      if (json[i] == '\\')
        ++i;
      else
        quoted = json[i] != '"';
      continue;
    }
    quoted = json[i] == '"';
    const bool listed = ofNumber(json[i]) && i > 0 && (json[i - 1] == ' ' || json[i - 1] == '[' || json[i - 1] == ',');
    if (json[i] == ':' || listed) out.emplace_back(json[i] == ':' ? i + 1 : i, endOf(json[i] == ':' ? i + 1 : i));
  }
  return out;
}

/// Another number of the same size, so that scenes stay such as can be built.
inline std::string near(const std::string& text, test::Dice& dice) {
  static constexpr double factors[] = {0.0, 0.1, 0.5, 0.9, 1.01, 1.1, 2.0, 10.0, -1.0, 1e5};
  const double number = std::strtod(text.c_str(), nullptr);
  char out[40];
  std::snprintf(out, sizeof out, "%.9g", number * factors[pick(dice, std::size(factors))]);
  return out;
}

/// Some values become others, or those of other places, or are left out.
inline std::string mutatedScene(std::string json, test::Dice& dice) {
  static constexpr const char* values[] = {"0",       "-1",   "1",       "1e-9",      "1e9",  "0.5",  "1e300",
                                           "-1e-300", "2",    "3",       "100",       "true", "null", "[]",
                                           "{}",      "\"\"", "\"inf\"", "[0, 0, 0]", "1e-3", "-0.1"};
  const int times = 1 + static_cast<int>(pick(dice, 3));
  for (int k = 0; k < times; ++k) {
    const auto all = valuesOf(json);
    if (all.empty()) return json;
    auto [from, to] = all[pick(dice, all.size())];
    while (from < to && json[from] == ' ') ++from;
    const double which = dice.share();
    if (from < to && ofNumber(json[from]) && which < 0.6) {
      json.replace(from, to - from, near(json.substr(from, to - from), dice));
    } else if (which < 0.8) {
      json.replace(from, to - from, values[pick(dice, std::size(values))]);
    } else {
      const auto [first, last] = all[pick(dice, all.size())];
      json.replace(from, to - from, json.substr(first, last - first));
    }
  }
  return json;
}

/// Where its 64-bit words begin, those of states before a conversion among them.
inline std::vector<std::size_t> wordsOf(const std::string& state) {
  std::vector<std::size_t> places;
  const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  for (std::size_t i = state.find("scene "), begin = i; i <= state.size(); ++i) {
    if (i < state.size() && digit(state[i])) continue;
    if (i - begin == 16) places.push_back(begin);
    begin = i + 1;
  }
  return places;
}

/// The checksum of what it says now.
inline void fit(std::string& state) {
  const std::size_t check = state.find("check ") + 6, body = state.find('\n', check) + 1;
  math::Hasher hasher;
  hasher.add(std::string_view(state).substr(body));
  state.replace(check, 16, math::hex(hasher.value()));
}

/// Some words of a saved state become others, or move; seldom a number of its table of parts. `places`: of its words.
/// `fits`: its checksum is made to fit again.
inline std::string mutatedState(std::string text, const std::vector<std::size_t>& places, test::Dice& dice, bool fits) {
  static constexpr std::uint64_t values[] = {0,
                                             1,
                                             2,
                                             0xffffffffffffffffu,
                                             0x7ff0000000000000u,
                                             0x7ff8000000000000u,
                                             0x3ff0000000000000u,  // 1.0
                                             0xbff0000000000000u,  // -1.0
                                             0x4000000000000000u,  // 2.0
                                             0x4008000000000000u,  // 3.0
                                             0x4059000000000000u,  // 100.0
                                             0x41dfffffffc00000u,  // 2^31 - 1
                                             0x7fefffffffffffffu,
                                             0x0000000000000001u,
                                             0x8000000000000000u};
  if (places.empty()) return text;
  const auto wordAt = [&](std::size_t place) { return std::strtoull(text.substr(place, 16).c_str(), nullptr, 16); };
  const auto some = [&] { return places[pick(dice, places.size())]; };
  const int times = 1 + static_cast<int>(pick(dice, 4));
  for (int k = 0; k < times; ++k) {
    std::size_t at = some();
    // Counts, modes and indices are small whole numbers, and few.
    if (dice.share() < 0.3)
      for (int i = 0; i < 8 && (wordAt(at) == 0 || wordAt(at) > 4096); ++i) at = some();
    const double which = dice.share();
    const std::uint64_t word = which < 0.6    ? values[pick(dice, std::size(values))]
                               : which < 0.75 ? wordAt(at) + 1 - 2 * pick(dice, 2)
                               : which < 0.9  ? wordAt(some())
                                              : std::uint64_t{dice.seed} << 32 | dice.seed;
    text.replace(at, 16, math::hex(word));
    dice.share();
  }
  const std::size_t table = text.find("part ");
  if (table != std::string::npos && dice.share() < 0.05) {
    const std::size_t at = table + pick(dice, text.find("words\n") - table);
    if (text[at] >= '0' && text[at] <= '9') text[at] = static_cast<char>('0' + pick(dice, 10));
  }
  if (dice.share() < 0.05) text.erase(some(), 17 * (1 + pick(dice, 3)));
  if (fits) fit(text);
  return text;
}
inline std::string mutatedState(const std::string& text, test::Dice& dice, bool fits) {
  return mutatedState(text, wordsOf(text), dice, fits);
}

}  // namespace reeve::fuzz
