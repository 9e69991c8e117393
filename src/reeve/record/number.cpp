#include "reeve/record/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace reeve::record {
namespace {

std::string nonFinite(double value) { return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"; }

/// 10^exponent, exact up to 10^22 and close beyond.
double powerOfTen(int exponent) {
  double result = 1.0;
  for (int i = 0; i < std::abs(exponent); ++i) result *= 10.0;
  return exponent < 0 ? 1.0 / result : result;
}

/// floor(log10(value)) for positive finite values.
int decade(double value) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 0);
  const auto* e = std::find(text.data(), end.ptr, 'e');
  int exponent = 0;
  std::from_chars(e + (e[1] == '+' ? 2 : 1), end.ptr, exponent);
  // One digit may have rounded up to the next decade.
  return powerOfTen(exponent) > value ? exponent - 1 : exponent;
}

void dropTrailingZeros(std::string& text) {
  if (text.find('.') == std::string::npos) return;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
}

}  // namespace

void appendShortest(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += nonFinite(value);
    return;
  }
  if (value == 0.0) {
    out += std::signbit(value) ? "-0" : "0";
    return;
  }
  std::array<char, 40> buffer;
  // As "%g" chooses, with as many digits as are needed.
  const double size = std::abs(value);
  const auto layout = size >= 1e-4 && size < 1e15 ? std::chars_format::fixed : std::chars_format::scientific;
  const char* const begin = buffer.data();
  const char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, layout).ptr;
  if (layout == std::chars_format::fixed) {
    out.append(begin, end);
    return;
  }
  // "1e-05" as "1e-5", as everywhere else.
  const char* digits = std::find(begin, end, 'e') + 1;
  out.append(begin, digits);
  if (*digits == '-') out += '-';
  ++digits;  // the sign is always there
  while (digits + 1 < end && *digits == '0') ++digits;
  out.append(digits, end);
}

std::string shortest(double value) {
  std::string text;
  appendShortest(text, value);
  return text;
}

namespace {

/// The digits of a number with a few decimals by whole numbers: a report has hundreds of thousands of them. False where
/// that might round differently than the exact decimal expansion does.
bool appendByWhole(std::string& out, double value, int decimals) {
  static constexpr std::array<double, 8> powers{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  if (decimals < 0 || decimals >= static_cast<int>(powers.size())) return false;
  const double scaled = std::abs(value) * powers[static_cast<std::size_t>(decimals)];
  if (!(scaled < 1e12)) return false;
  const double below = static_cast<double>(static_cast<std::uint64_t>(scaled)), share = scaled - below;
  if (std::abs(share - 0.5) < 1e-3) return false;
  auto whole = static_cast<std::uint64_t>(below + (share > 0.5 ? 1.0 : 0.0));
  if (whole == 0) {
    out += '0';
    return true;
  }
  int left = decimals;
  for (; left > 0 && whole % 10 == 0; --left) whole /= 10;
  std::array<char, 32> buffer;
  char* at = buffer.data() + buffer.size();
  for (int digit = 0; whole > 0 || digit <= left; ++digit, whole /= 10) {
    if (digit == left && left > 0) *--at = '.';
    *--at = static_cast<char>('0' + whole % 10);
  }
  if (value < 0.0) *--at = '-';
  out.append(at, static_cast<std::size_t>(buffer.data() + buffer.size() - at));
  return true;
}

}  // namespace

void appendRounded(std::string& out, double value, int decimals) {
  if (!std::isfinite(value)) {
    out += nonFinite(value);
    return;
  }
  if (appendByWhole(out, value, decimals)) return;
  std::array<char, 400> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
  std::string text(buffer.data(), end.ptr);
  dropTrailingZeros(text);
  out += text == "-0" ? "0" : text;
}

std::string rounded(double value, int decimals) {
  std::string text;
  appendRounded(text, value, decimals);
  return text;
}

std::string readable(double value, int digits) {
  if (!std::isfinite(value)) return nonFinite(value);
  if (value == 0.0) return "0";
  const int exponent = decade(std::abs(value));
  if (exponent >= -3 && exponent < 7) return rounded(value, std::clamp(digits - 1 - exponent, 0, 12));
  std::array<char, 64> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, digits - 1);
  std::string text(buffer.data(), end.ptr);
  const auto e = text.find('e');
  std::string mantissa = text.substr(0, e);
  dropTrailingZeros(mantissa);
  return mantissa + text.substr(e);
}

Prefix siPrefix(double largest) {
  static constexpr std::array<Prefix, 8> prefixes{
      {{1e-9, "n"}, {1e-6, "µ"}, {1e-3, "m"}, {1.0, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}}};
  const double size = std::abs(largest);
  if (!(size > 0.0) || !std::isfinite(size)) return {};
  Prefix best = prefixes.front();
  for (const Prefix& prefix : prefixes)
    if (size >= prefix.factor * 0.9999995) best = prefix;
  return best;
}

std::string engineering(double value, std::string_view unit, int digits) {
  if (!std::isfinite(value)) return nonFinite(value) + " " + std::string(unit);
  const bool simple = unit.find_first_of(" /²³·") == std::string_view::npos && unit != "kg" && unit != "rad";
  const Prefix prefix = simple && !unit.empty() ? siPrefix(value) : Prefix{};
  const double scaled = value / prefix.factor;
  const bool far = std::abs(scaled) >= 1e5 || (scaled != 0.0 && std::abs(scaled) < 1e-3);
  const int exponent = scaled == 0.0 ? 0 : decade(std::abs(scaled));
  std::string text = far ? readable(scaled, digits) : rounded(scaled, std::clamp(digits - 1 - exponent, 0, 9));
  if (!unit.empty()) text.append(" ").append(prefix.letter).append(unit);
  return text;
}

double niceFloor(double value) {
  if (!(value > 0.0) || !std::isfinite(value)) return 0.0;
  const double power = powerOfTen(decade(value));
  const double mantissa = value / power;
  return (mantissa >= 5.0 ? 5.0 : mantissa >= 2.0 ? 2.0 : 1.0) * power;
}

double niceCeil(double value) {
  if (!(value > 0.0) || !std::isfinite(value)) return 0.0;
  const double power = powerOfTen(decade(value));
  for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
    if (value <= step * power * (1.0 + 1e-12)) return step * power;
  return 10.0 * power;
}

Ticks niceTicks(double low, double high, int wanted) {
  Ticks ticks;
  if (!std::isfinite(low) || !std::isfinite(high) || !(high > low) || wanted < 1) return ticks;
  const double raw = (high - low) / wanted;
  const int exponent = decade(raw);
  const double power = powerOfTen(exponent);
  const double mantissa = raw / power;
  const double factor = mantissa < 1.001 ? 1.0 : mantissa < 2.001 ? 2.0 : mantissa < 5.001 ? 5.0 : 10.0;
  ticks.step = factor * power;
  ticks.decimals = std::clamp(factor == 10.0 ? -exponent - 1 : -exponent, 0, 12);
  const double first = std::ceil(low / ticks.step - 1e-9);
  const double last = std::floor(high / ticks.step + 1e-9);
  for (double i = first; i <= last && ticks.at.size() < 64; i += 1.0) ticks.at.push_back(i * ticks.step);
  return ticks;
}

}  // namespace reeve::record
