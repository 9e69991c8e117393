#include "reeve/record/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reeve/scene/colors.h"

namespace reeve::record {
namespace {

constexpr Colour rgb(int value) {
  return {((value >> 16) & 255) / 255.0, ((value >> 8) & 255) / 255.0, (value & 255) / 255.0};
}

}  // namespace

std::string hex(const Colour& colour) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "#";
  for (const double part : {colour.r, colour.g, colour.b}) {
    const int value = static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * 255.0));
    out += digits[static_cast<std::size_t>(value / 16)];
    out += digits[static_cast<std::size_t>(value % 16)];
  }
  return out;
}

Colour parseColour(std::string_view text, const Colour& otherwise) {
  const auto value = colorValue(text);
  return value ? rgb(*value) : otherwise;
}

Colour mixed(const Colour& a, const Colour& b, double share) {
  return {a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share};
}

Colour lit(const Colour& colour, double light) {
  if (light > 1.0) return mixed(colour, {1, 1, 1}, std::min(light - 1.0, 1.0));
  return {colour.r * light, colour.g * light, colour.b * light};
}

Colour contrasting(const Colour& fill) {
  const auto linear = [](double c) { return c * c; };  // near enough to the eye's own curve
  const double light = 0.2126 * linear(fill.r) + 0.7152 * linear(fill.g) + 0.0722 * linear(fill.b);
  return light < 0.33 ? Colour{1, 1, 1} : ink;
}

Colour bodyFill(int index) {
  static constexpr std::array<int, 8> fills{0x9cc4e4, 0xf2c584, 0xa5d3b4, 0xd8b4d8,
                                            0xeba898, 0xe9dd8c, 0x9fd3d6, 0xc9bfae};
  return rgb(fills[static_cast<std::size_t>(std::abs(index)) % fills.size()]);
}

std::string_view lineColour(int index) {
  static constexpr std::array<std::string_view, 7> lines{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                         "#e69f00", "#56b4e9", "#4d4d4d"};
  return lines[static_cast<std::size_t>(std::abs(index)) % lines.size()];
}

Colour tensionColour(double share) {
  static constexpr std::array<int, 6> stops{0x2a0a8f, 0x6a00a8, 0xa21d9a, 0xcc4778, 0xe66c5c, 0xf89540};
  const double at = (std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0) * (stops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  return mixed(rgb(stops[low]), rgb(stops[low + 1]), at - static_cast<double>(low));
}

}  // namespace reeve::record
