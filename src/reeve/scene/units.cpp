#include "reeve/scene/units.h"

#include <cmath>
#include <limits>
#include <vector>

#include "reeve/math/scalar.h"
#include "reeve/scene/json.h"
#include "reeve/scene/nearest.h"
#include "reeve/scene/number.h"

namespace reeve::scene {
namespace {

/// One unit is over/under SI units: a quotient of whole numbers where possible, so that 35 mm is the double 0.035.
struct Unit {
  std::string_view symbol;
  double over, under;
  Powers powers;
  bool prefixed = false;  ///< takes k, m, M, ...
};

// clang-format off
constexpr Unit units[] = {
    {"m", 1, 1, {.m = 1}, true},
    {"g", 1, 1000, {.kg = 1}, true},
    {"s", 1, 1, {.s = 1}, true},
    {"rad", 1, 1, {.rad = 1}, true},
    {"N", 1, 1, {.kg = 1, .m = 1, .s = -2}, true},
    {"Nm", 1, 1, {.kg = 1, .m = 2, .s = -2}, true},
    {"Pa", 1, 1, {.kg = 1, .m = -1, .s = -2}, true},
    {"J", 1, 1, {.kg = 1, .m = 2, .s = -2}, true},
    {"W", 1, 1, {.kg = 1, .m = 2, .s = -3}, true},
    {"Hz", 1, 1, {.s = -1, .cycle = 1}, true},
    {"deg", math::pi, 180, {.rad = 1}},
    {"°", math::pi, 180, {.rad = 1}},
    {"rev", 2 * math::pi, 1, {.rad = 1}},
    {"rpm", 2 * math::pi, 60, {.s = -1, .rad = 1}},
    {"min", 60, 1, {.s = 1}},
    {"h", 3600, 1, {.s = 1}},
    {"t", 1000, 1, {.kg = 1}},
    {"lb", 45359237, 100000000, {.kg = 1}},
    {"in", 254, 10000, {.m = 1}},
    {"ft", 3048, 10000, {.m = 1}},
    {"kgf", 980665, 100000, {.kg = 1, .m = 1, .s = -2}},
    {"lbf", 44482216152605, 1e13, {.kg = 1, .m = 1, .s = -2}},
    {"1", 1, 1, {}},
};

struct Prefix {
  std::string_view symbol;
  double over, under;
};
constexpr Prefix prefixes[] = {{"n", 1, 1e9}, {"u", 1, 1e6}, {"µ", 1, 1e6}, {"μ", 1, 1e6}, {"m", 1, 1000},
                               {"c", 1, 100}, {"k", 1000, 1}, {"M", 1e6, 1}, {"G", 1e9, 1}};
// clang-format on

const Unit* findUnit(std::string_view symbol) {
  for (const Unit& unit : units)
    if (unit.symbol == symbol) return &unit;
  return nullptr;
}

/// Multiplies factors up and reads the grammar  product ['/' (factor | '(' product ')')].
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  bool read() {
    bool inverse = false, bracket = false;
    while (skipSpace(), at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '/' && !inverse) {
        inverse = true;
        ++at_;
        skipSpace();
        if (at_ < text_.size() && text_[at_] == '(') {
          bracket = true;
          ++at_;
        }
        if (!factor(true)) return false;
      } else if (c == ')' && bracket) {
        ++at_;
        skipSpace();
        return at_ == text_.size();
      } else if ((inverse && !bracket) || !factor(inverse)) {
        return false;  // "N/m s" could mean (N/m) s or N/(m s)
      }
    }
    return !bracket;
  }

  double over = 1.0, under = 1.0;
  Powers powers;
  std::string unknown;  ///< the symbol that is no unit, if that was the trouble

 private:
  void skipSpace() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ' || text_[at_] == '*') {
        ++at_;
      } else if (text_.substr(at_).starts_with("·")) {
        at_ += std::string_view("·").size();
      } else {
        return;
      }
    }
  }

  bool factor(bool inverse) {
    skipSpace();
    const std::string_view rest = text_.substr(at_);
    const std::size_t length = rest == "1" || rest.starts_with("1/") || rest.starts_with("1 ")
                                   ? 1
                                   : std::min(rest.find_first_of(" */()^0123456789"),
                                              std::min(rest.find("·"), std::min(rest.find("²"), rest.find("³"))));
    const std::string_view symbol = rest.substr(0, length);
    if (symbol.empty()) return false;
    at_ += symbol.size();
    const int power = readPower();
    if (power == 0) return false;
    return apply(symbol, inverse ? -power : power);
  }

  // 1 if there is none, 0 if it is wrong.
  int readPower() {
    const std::string_view rest = text_.substr(at_);
    for (const auto& [mark, power] : {std::pair{"²", 2}, std::pair{"³", 3}}) {
      if (!rest.starts_with(mark)) continue;
      at_ += std::string_view(mark).size();
      return power;
    }
    std::size_t used = 0;
    int sign = 1;
    if (rest.starts_with("^")) used = 1;
    if (used && rest.substr(1).starts_with("-")) {
      sign = -1;
      used = 2;
    }
    if (used < rest.size() && rest[used] >= '1' && rest[used] <= '4') {
      at_ += used + 1;
      return sign * (rest[used] - '0');
    }
    return used ? 0 : 1;
  }

  bool apply(std::string_view symbol, int power) {
    double top = 1.0, bottom = 1.0;
    const Unit* unit = findUnit(symbol);
    for (const Prefix& prefix : prefixes) {
      if (unit || !symbol.starts_with(prefix.symbol)) continue;
      const Unit* base = findUnit(symbol.substr(prefix.symbol.size()));
      if (!base || !base->prefixed) continue;
      unit = base;
      top = prefix.over;
      bottom = prefix.under;
    }
    if (!unit) {
      unknown = symbol;
      return false;
    }
    top *= unit->over;
    bottom *= unit->under;
    for (int i = 0; i < std::abs(power); ++i) {
      over *= power > 0 ? top : bottom;
      under *= power > 0 ? bottom : top;
    }
    powers.kg += power * unit->powers.kg;
    powers.m += power * unit->powers.m;
    powers.s += power * unit->powers.s;
    powers.rad += power * unit->powers.rad;
    powers.cycle += power * unit->powers.cycle;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::unexpected<UnitProblem> unknownUnit(std::string_view text, const UnitReader& reader) {
  if (reader.unknown.empty())
    return std::unexpected(UnitProblem{"found " + json::quote(text) + ", whose unit cannot be read",
                                       "write units like \"5 N m\", \"5 N m s/rad\" or \"5 rad/(N m)\""});
  std::vector<std::string_view> known = {"mm", "cm", "km", "kg", "ms", "kN", "kHz", "GPa"};
  for (const Unit& unit : units)
    if (unit.symbol != "1") known.push_back(unit.symbol);
  return std::unexpected(
      UnitProblem{"found " + json::quote(text) + ", where " + json::quote(reader.unknown) + " is no unit",
                  suggestion(reader.unknown, known)});
}

}  // namespace

bool fits(const Powers& unit, const Powers& wanted) {
  return unit.kg == wanted.kg && unit.m == wanted.m && unit.s == wanted.s &&
         (unit.rad == wanted.rad || unit.rad == 0) && (unit.cycle == wanted.cycle || unit.cycle == 0);
}

std::optional<Quantity> unitNamed(std::string_view symbol) {
  if (symbol.empty() || symbol == "1" || symbol.find_first_of(" */()^0123456789") != std::string_view::npos) return {};
  UnitReader reader(symbol);
  if (!reader.read()) return {};
  return Quantity{reader.over / reader.under, reader.powers, true};
}

std::expected<Quantity, UnitProblem> readQuantity(std::string_view text) {
  std::string_view rest = trimmed(text);
  Quantity quantity;
  if (rest == "inf" || rest == "-inf") {
    quantity.value = rest == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
    return quantity;
  }
  const std::size_t length = numberLength(rest);
  if (length == 0)
    return std::unexpected(UnitProblem{"found the text " + json::quote(text) + ", expected a number",
                                       "write a number, or one with a unit in quotes: \"20 cm\", \"1/240 s\""});
  double above = numberValue(rest.substr(0, length)), below = 1.0;
  rest = trimmed(rest.substr(length));
  if (rest.size() > 1 && rest[0] == ',' && rest[1] >= '0' && rest[1] <= '9') {
    std::string point(trimmed(text));
    point[point.find(',')] = '.';
    return std::unexpected(UnitProblem{"found " + json::quote(text) + ", with a comma in the number",
                                       "decimals have a point: " + json::quote(point)});
  }
  if (rest.starts_with('/')) {
    const std::string_view after = trimmed(rest.substr(1));
    if (const std::size_t second = numberLength(after)) {
      below = numberValue(after.substr(0, second));
      rest = trimmed(after.substr(second));
      if (below == 0.0)
        return std::unexpected(UnitProblem{"found " + json::quote(text) + ", which divides by zero", ""});
    }
  }
  UnitReader reader(rest);
  if (!reader.read()) return unknownUnit(text, reader);
  quantity.hasUnit = !rest.empty();
  quantity.powers = reader.powers;
  quantity.value = above * reader.over / (below * reader.under);
  if (!std::isfinite(quantity.value))
    return std::unexpected(UnitProblem{"found " + json::quote(text) + ", which is too large for a double", ""});
  return quantity;
}

}  // namespace reeve::scene
