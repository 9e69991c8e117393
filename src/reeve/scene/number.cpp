#include "reeve/scene/number.h"

#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace reeve {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

// strtod and snprintf use the decimal point of the locale, which a host program may have changed.
const char* decimalPoint() {
  const std::lconv* locale = std::localeconv();
  return locale && locale->decimal_point && locale->decimal_point[0] ? locale->decimal_point : ".";
}

std::string withDigits(double value, int digits) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  std::string text = buffer;
  const std::string_view point = decimalPoint();
  if (const auto at = text.find(point); point != "." && at != std::string::npos) text.replace(at, point.size(), ".");
  return text;
}

// "1e+05" becomes "1e5".
std::string tidyExponent(std::string text) {
  const auto e = text.find('e');
  if (e == std::string::npos) return text;
  auto at = e + 1;
  if (text[at] == '+') text.erase(at, 1);
  if (text[at] == '-') ++at;
  while (at + 1 < text.size() && text[at] == '0') text.erase(at, 1);
  return text;
}

}  // namespace

std::size_t numberLength(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && digit(text[at])) ++at;
    return at > start;
  };
  if (at < text.size() && text[at] == '-') ++at;
  if (at + 1 < text.size() && text[at] == '0' && digit(text[at + 1])) return 0;
  if (!digits()) return 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits()) return 0;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t mantissa = at++;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return mantissa;
  }
  return at;
}

double numberValue(std::string_view token) {
  std::string copy(token);
  if (const std::string_view point = decimalPoint(); point != ".")
    if (const auto at = copy.find('.'); at != std::string::npos) copy.replace(at, 1, point);
  return std::strtod(copy.c_str(), nullptr);
}

std::string numberText(double value) {
  // Fifteen digits are always kept by a normal double, so a shorter number shows up there with its zeros dropped.
  const bool subnormal = value != 0.0 && std::abs(value) < 2.3e-308;
  for (int digits = subnormal ? 1 : 15; digits < 17; ++digits)
    if (std::string text = withDigits(value, digits); numberValue(text) == value) return tidyExponent(std::move(text));
  return tidyExponent(withDigits(value, 17));
}

}  // namespace reeve
