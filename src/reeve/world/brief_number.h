#pragma once
// Numbers in messages for people.
#include <cstdio>
#include <string>

namespace reeve {

/// Three digits that count, "2.3e-07": never 0.000000 for what is not zero.
inline std::string briefNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace reeve
