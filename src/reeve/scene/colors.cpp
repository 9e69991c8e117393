#include "reeve/scene/colors.h"

#include <algorithm>
#include <array>
#include <string>

namespace reeve {
namespace {

constexpr std::array<std::string_view, 69> names{
    "aqua",       "beige",     "black",          "blue",      "brown",        "burlywood",     "cadetblue",
    "chocolate",  "coral",     "cornflowerblue", "crimson",   "cyan",         "darkblue",      "darkgray",
    "darkgreen",  "darkgrey",  "darkorange",     "darkred",   "darkseagreen", "darkslategray", "dimgray",
    "dimgrey",    "firebrick", "forestgreen",    "gold",      "goldenrod",    "gray",          "green",
    "grey",       "indigo",    "ivory",          "khaki",     "lavender",     "lightblue",     "lightgray",
    "lightgreen", "lightgrey", "lightsteelblue", "lime",      "magenta",      "maroon",        "midnightblue",
    "navy",       "olive",     "orange",         "orchid",    "peru",         "pink",          "plum",
    "purple",     "red",       "royalblue",      "salmon",    "sandybrown",   "seagreen",      "sienna",
    "silver",     "skyblue",   "slategray",      "slategrey", "steelblue",    "tan",           "teal",
    "tomato",     "turquoise", "violet",         "wheat",     "white",        "yellow"};
constexpr std::array<int, 69> values{
    0x00ffff, 0xf5f5dc, 0x000000, 0x0000ff, 0xa52a2a, 0xdeb887, 0x5f9ea0, 0xd2691e, 0xff7f50, 0x6495ed,
    0xdc143c, 0x00ffff, 0x00008b, 0xa9a9a9, 0x006400, 0xa9a9a9, 0xff8c00, 0x8b0000, 0x8fbc8f, 0x2f4f4f,
    0x696969, 0x696969, 0xb22222, 0x228b22, 0xffd700, 0xdaa520, 0x808080, 0x008000, 0x808080, 0x4b0082,
    0xfffff0, 0xf0e68c, 0xe6e6fa, 0xadd8e6, 0xd3d3d3, 0x90ee90, 0xd3d3d3, 0xb0c4de, 0x00ff00, 0xff00ff,
    0x800000, 0x191970, 0x000080, 0x808000, 0xffa500, 0xda70d6, 0xcd853f, 0xffc0cb, 0xdda0dd, 0x800080,
    0xff0000, 0x4169e1, 0xfa8072, 0xf4a460, 0x2e8b57, 0xa0522d, 0xc0c0c0, 0x87ceeb, 0x708090, 0x708090,
    0x4682b4, 0xd2b48c, 0x008080, 0xff6347, 0x40e0d0, 0xee82ee, 0xf5deb3, 0xffffff, 0xffff00};

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::span<const std::string_view> colorNames() { return names; }

std::optional<int> colorValue(std::string_view text) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(), lower);
  const auto found = std::lower_bound(names.begin(), names.end(), word);
  if (found != names.end() && *found == word) return values[static_cast<std::size_t>(found - names.begin())];
  if ((text.size() != 4 && text.size() != 7) || text[0] != '#') return std::nullopt;
  int value = 0;
  for (const char c : text.substr(1)) {
    const int digit = hexDigit(c);
    if (digit < 0) return std::nullopt;
    value = text.size() == 4 ? value * 256 + digit * 17 : value * 16 + digit;
  }
  return value;
}

}  // namespace reeve
