#pragma once
// Colors that people with any color vision tell apart, on white.
#include <string>
#include <string_view>

namespace reeve::record {

/// Red, green and blue, 0 to 1.
struct Colour {
  double r = 0.0, g = 0.0, b = 0.0;
};

std::string hex(const Colour& colour);
/// "#rgb", "#rrggbb" or a CSS name. Anything else gives `otherwise`.
Colour parseColour(std::string_view text, const Colour& otherwise);
/// `share` of b in a.
Colour mixed(const Colour& a, const Colour& b, double share);
/// Brighter (light > 1, towards white) or darker (light < 1) than the color itself.
Colour lit(const Colour& colour, double light);

/// Dark ink or white, whichever can be read on it.
Colour contrasting(const Colour& fill);

/// Soft fills for bodies, in turn. Cables keep the strong colors for themselves.
Colour bodyFill(int index);
inline constexpr Colour fixedFill{0.80, 0.82, 0.845};
inline constexpr Colour kinematicFill{0.72, 0.74, 0.86};
inline constexpr Colour wheelFill{0.93, 0.94, 0.955};
inline constexpr Colour ink{0.13, 0.16, 0.20};

/// Lines of a plot, in turn (Okabe and Ito).
std::string_view lineColour(int index);

/// Tension from 0 (deep indigo) to 1 (orange): a truncated plasma map, even in lightness, readable on white.
Colour tensionColour(double share);

}  // namespace reeve::record
