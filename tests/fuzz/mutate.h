#pragma once
// Changes of texts that keep them what they are: scenes stay JSON, states stay words.
#include <cstdint>
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

/// One value becomes another one, or that of another place.
inline std::string mutatedScene(std::string json, test::Dice& dice) {
  static constexpr const char* values[] = {"0",       "-1",   "1",       "1e-9",      "1e9",  "0.5",  "1e300",
                                           "-1e-300", "2",    "3",       "100",       "true", "null", "[]",
                                           "{}",      "\"\"", "\"inf\"", "[0, 0, 0]", "1e-3", "-0.1"};
  const int times = 1 + static_cast<int>(pick(dice, 3));
  for (int k = 0; k < times; ++k) {
    const auto all = valuesOf(json);
    if (all.empty()) return json;
    const auto [from, to] = all[pick(dice, all.size())];
    if (dice.share() < 0.6) {
      json.replace(from, to - from, values[pick(dice, std::size(values))]);
    } else {
      const auto [first, last] = all[pick(dice, all.size())];
      json.replace(from, to - from, json.substr(first, last - first));
    }
  }
  return json;
}

/// Some words of a saved state become others. `fits`: its checksum is made to fit again.
inline std::string mutatedState(std::string text, test::Dice& dice, bool fits) {
  const std::size_t words = text.find("words\n");
  if (words == std::string::npos) return text;
  const std::size_t first = words + 6, count = (text.size() - first) / 17;
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
  const int times = 1 + static_cast<int>(pick(dice, 4));
  for (int k = 0; k < times && count > 0; ++k) {
    const std::size_t at = first + 17 * pick(dice, count);
    if (at + 16 > text.size()) break;
    const std::uint64_t word =
        dice.share() < 0.8 ? values[pick(dice, std::size(values))] : (std::uint64_t{dice.seed} << 32 | dice.seed);
    text.replace(at, 16, math::hex(word));
    dice.share();
  }
  if (!fits) return text;
  const std::size_t check = text.find("check ") + 6, body = text.find('\n', check) + 1;
  math::Hasher hasher;
  hasher.add(std::string_view(text).substr(body));
  text.replace(check, 16, math::hex(hasher.value()));
  return text;
}

}  // namespace reeve::fuzz
