#include "reeve/scene/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "reeve/math/scalar.h"
#include "reeve/scene/nearest.h"
#include "reeve/scene/number.h"

namespace reeve::scene {
namespace {

bool nameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool nameGoesOn(char c) { return nameStart(c) || (c >= '0' && c <= '9'); }

constexpr std::array<std::string_view, 16> functionNames{"sqrt",  "abs",   "min", "max", "floor", "ceil",
                                                         "round", "sin",   "cos", "tan", "asin",  "acos",
                                                         "atan",  "atan2", "exp", "log"};

Powers scaled(const Powers& p, int by) { return {p.kg * by, p.m * by, p.s * by, p.rad * by, p.cycle * by}; }
Powers sumOf(const Powers& a, const Powers& b) {
  return {a.kg + b.kg, a.m + b.m, a.s + b.s, a.rad + b.rad, a.cycle + b.cycle};
}
bool isAngle(const Quantity& q) { return !q.hasUnit || q.powers == Powers{.rad = 1} || q.powers == Powers{}; }

/// Recursive descent; `fail` sets the problem, and everything returns at once.
class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, const Names& names) : text_(text), names_(names) {}

  std::expected<Quantity, UnitProblem> run() {
    Quantity result = sum();
    skip();
    if (!problem_ && at_ < text_.size()) fail("cannot be read from " + json::quote(text_.substr(at_)) + " on", howTo);
    if (!problem_ && !std::isfinite(result.value)) fail("is no finite number", "look for a division by zero");
    if (problem_) return std::unexpected(*problem_);
    return result;
  }

 private:
  static constexpr const char* howTo = "write it like \"2*height + 0.3 m\"";

  Quantity fail(const std::string& what, std::string remedy) {
    if (!problem_) problem_ = UnitProblem{"found " + json::quote(text_) + ", which " + what, std::move(remedy)};
    at_ = text_.size();
    return {};
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  Quantity sum() {
    Quantity left = product();
    while (!problem_) {
      const bool minus = peek() == '-';
      if (!minus && peek() != '+') break;
      ++at_;
      left = added(left, product(), minus ? -1.0 : 1.0);
    }
    return left;
  }
  Quantity added(const Quantity& a, const Quantity& b, double sign) {
    if (problem_) return {};
    if (a.hasUnit && b.hasUnit && !fits(a.powers, b.powers) && !fits(b.powers, a.powers))
      return fail("adds quantities of different kinds", "give all terms of a sum units of one kind");
    Quantity out = a.hasUnit ? a : b;
    out.value = a.value + sign * b.value;
    return out;
  }

  Quantity product() {
    Quantity left = signedPower();
    while (!problem_) {
      const bool over = peek() == '/';
      if (!over && peek() != '*') break;
      ++at_;
      const Quantity right = signedPower();
      if (over && right.value == 0.0 && !problem_) return fail("divides by zero", "");
      left.value = over ? left.value / right.value : left.value * right.value;
      left.powers = sumOf(left.powers, scaled(right.powers, over ? -1 : 1));
      left.hasUnit |= right.hasUnit;
    }
    return left;
  }

  Quantity signedPower() {
    if (depth_ > 60) return fail("is nested too deeply", howTo);
    ++depth_;
    Quantity out;
    if (take('-')) {
      out = signedPower();
      out.value = -out.value;
    } else {
      out = take('+') ? signedPower() : power();
    }
    --depth_;
    return out;
  }

  Quantity power() {
    const Quantity base = primary();
    if (problem_ || !take('^')) return base;
    const Quantity exponent = signedPower();
    if (problem_) return {};
    if (exponent.hasUnit && !(exponent.powers == Powers{})) return fail("has an exponent with a unit", howTo);
    Quantity out = base;
    const double whole = std::floor(exponent.value);
    if (whole == exponent.value && std::abs(whole) <= 16) {
      out.value = 1.0;
      for (int i = 0; i < static_cast<int>(std::abs(whole)); ++i) out.value *= base.value;
      if (whole < 0) out.value = 1.0 / out.value;
      out.powers = scaled(base.powers, static_cast<int>(whole));
      return out;
    }
    if (base.hasUnit && !(base.powers == Powers{}))
      return fail("raises a unit to a power that is not whole", "take sqrt of it, or a whole exponent");
    out.value = math::pow(base.value, exponent.value);
    return out;
  }

  Quantity primary() {
    const char c = peek();
    if (c == '(') {
      ++at_;
      if (depth_ > 60) return fail("is nested too deeply", howTo);
      ++depth_;
      const Quantity inner = sum();
      --depth_;
      if (!problem_ && !take(')')) return fail("has a ( that is not closed", "add the )");
      return inner;
    }
    if (c >= '0' && c <= '9') return literal();
    if (nameStart(c)) return named();
    if (text_.substr(std::min(at_, text_.size())).starts_with("°") ||
        text_.substr(std::min(at_, text_.size())).starts_with("µ"))
      return fail("has a unit without a number", howTo);
    return at_ < text_.size() ? fail("cannot be read from " + json::quote(text_.substr(at_)) + " on", howTo)
                              : fail("ends too early", howTo);
  }

  /// A number or a fraction of two, and units by blanks, '/' and powers, as far as they are units: "1/240 s", "5 N
  /// m/s".
  Quantity literal() {
    const auto number = [&](double& out) {
      const std::size_t length = numberLength(text_.substr(at_));
      if (length == 0) return false;
      out = numberValue(text_.substr(at_, length));
      at_ += length;
      return true;
    };
    Quantity out;
    if (!number(out.value)) return fail("has a number that cannot be read", "write numbers like 5, 0.5 or 1e-3");
    if (at_ < text_.size() && text_[at_] == ',' && !inCall_)
      return fail("has a comma in a number", "decimals have a point");
    const std::size_t before = at_;
    double below = 1.0;
    if (take('/') && (skip(), number(below)) && below != 0.0)
      out.value /= below;
    else
      at_ = before;
    units(out);
    return out;
  }
  void units(Quantity& out) {
    int sign = 1;
    while (true) {
      const std::size_t before = at_;
      skip();
      if (sign > 0 && at_ < text_.size() && text_[at_] == '/') {
        ++at_;
        skip();
        sign = -1;
      }
      std::size_t end = at_;
      while (end < text_.size() && (nameStart(text_[end]) || static_cast<unsigned char>(text_[end]) >= 0x80) &&
             !text_.substr(end).starts_with("²") && !text_.substr(end).starts_with("³"))
        ++end;
      const std::string_view symbol = text_.substr(at_, end - at_);
      Quantity buffer;
      const bool call = end < text_.size() && text_[end] == '(';
      const auto unit =
          symbol.empty() || call || (sign < 0 && names_.find(symbol, buffer)) ? std::nullopt : unitNamed(symbol);
      if (!unit) {
        at_ = before;
        return;
      }
      at_ = end;
      const int power = sign * exponent();
      for (int i = 0; i < std::abs(power); ++i)
        out.value = power > 0 ? out.value * unit->value : out.value / unit->value;
      out.powers = sumOf(out.powers, scaled(unit->powers, power));
      out.hasUnit = true;
      if (sign < 0) return;
    }
  }
  int exponent() {
    for (const auto& [mark, power] : {std::pair{"²", 2}, std::pair{"³", 3}})
      if (text_.substr(at_).starts_with(mark)) return at_ += std::string_view(mark).size(), power;
    const std::size_t caret = at_ < text_.size() && text_[at_] == '^' ? 1 : 0;
    if (at_ + caret < text_.size() && text_[at_ + caret] >= '1' && text_[at_ + caret] <= '4') {
      const int power = text_[at_ + caret] - '0';
      at_ += caret + 1;
      return power;
    }
    return 1;
  }

  Quantity named() {
    std::size_t end = at_;
    while (end < text_.size() && nameGoesOn(text_[end])) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    Quantity buffer;
    if (const Quantity* found = names_.find(name, buffer)) return *found;
    if (std::find(functionNames.begin(), functionNames.end(), name) != functionNames.end()) return call(name);
    if (name == "pi") return {math::pi, {}, false};
    if (const auto unit = unitNamed(name)) return *unit;
    if (names_.missing) {
      *names_.missing = name;
      return fail("", "");
    }
    std::vector<std::string_view> known = names_.all();
    known.insert(known.end(), functionNames.begin(), functionNames.end());
    return fail("has " + json::quote(name) + " in it, which is no parameter", suggestion(name, known));
  }

  Quantity call(std::string_view name) {
    if (!take('(')) return fail("has no ( after " + std::string(name), howTo);
    std::vector<Quantity> args;
    const bool outside = inCall_;
    inCall_ = true;
    do args.push_back(sum());
    while (!problem_ && take(','));
    inCall_ = outside;
    if (problem_) return {};
    if (!take(')')) return fail("has a ( that is not closed", "add the )");
    const bool many = name == "min" || name == "max";
    const std::size_t wanted = name == "atan2" ? 2 : 1;
    if (many ? args.size() < 2 : args.size() != wanted)
      return fail("gives " + std::string(name) + " " + std::to_string(args.size()) + " numbers",
                  std::string(name) + " takes " + (many ? "two or more" : std::to_string(wanted)));
    return applied(name, args);
  }
  Quantity applied(std::string_view name, const std::vector<Quantity>& args) {
    Quantity out = args[0];
    const double x = out.value;
    for (std::size_t i = 1; i < args.size(); ++i) {
      const Quantity& other = args[i];
      if (out.hasUnit && other.hasUnit && !fits(out.powers, other.powers) && !fits(other.powers, out.powers))
        return fail("gives " + std::string(name) + " quantities of different kinds", "give all of them one kind");
      if (!out.hasUnit) out.powers = other.powers, out.hasUnit = other.hasUnit;
      if (name == "min") out.value = std::min(out.value, other.value);
      if (name == "max") out.value = std::max(out.value, other.value);
    }
    if (name == "min" || name == "max") return out;
    if (name == "abs") return out.value = std::abs(x), out;
    if (name == "floor") return out.value = std::floor(x), out;
    if (name == "ceil") return out.value = std::ceil(x), out;
    if (name == "round") return out.value = std::floor(x + 0.5), out;
    if (name == "atan2") return {math::atan2(x, args[1].value), {.rad = 1}, false};
    if (name == "sqrt") {
      const Powers& p = out.powers;
      if (x < 0.0) return fail("takes the root of a negative number", "");
      if (p.kg % 2 || p.m % 2 || p.s % 2 || p.rad % 2 || p.cycle % 2)
        return fail("takes a root whose unit is none", "the unit under a root must be a square");
      return {std::sqrt(x), {p.kg / 2, p.m / 2, p.s / 2, p.rad / 2, p.cycle / 2}, out.hasUnit};
    }
    const bool angular = name == "sin" || name == "cos" || name == "tan";
    if (angular ? !isAngle(out) : out.hasUnit && !(out.powers == Powers{}))
      return fail("gives " + std::string(name) + " a quantity that it cannot take",
                  angular ? "give an angle, in radians or with a unit" : "divide by what makes it a plain number");
    if ((name == "asin" || name == "acos") && std::abs(x) > 1.0)
      return fail("takes " + std::string(name) + " of a number beyond 1", "");
    if (name == "log" && x <= 0.0) return fail("takes log of a number that is not positive", "");
    const std::pair<std::string_view, double (*)(double)> table[] = {
        {"sin", math::sin},   {"cos", math::cos},   {"tan", math::tan}, {"asin", math::asin},
        {"acos", math::acos}, {"atan", math::atan}, {"exp", math::exp}, {"log", math::log}};
    for (const auto& [key, f] : table)
      if (key == name) return {f(x), {}, false};
    return {};
  }

  std::string_view text_;
  const Names& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool inCall_ = false;
  std::optional<UnitProblem> problem_;
};

/// Whether some name in the text is one of a scene's own.
bool usesNames(std::string_view text, const Names& names) {
  Quantity buffer;
  for (std::size_t at = 0; at < text.size();) {
    if (!nameStart(text[at])) {
      at += nameGoesOn(text[at]) || text[at] == '.' ? std::max<std::size_t>(numberLength(text.substr(at)), 1) : 1;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && nameGoesOn(text[end])) ++end;
    if (names.find(text.substr(at, end - at), buffer)) return true;
    at = end;
  }
  return false;
}

}  // namespace

const Quantity* Names::find(std::string_view name, Quantity& buffer) const {
  for (const json::Scope* around = scope; around; around = around->outer)
    if (around->name == name) {
      buffer = {around->value, {}, false};
      return &buffer;
    }
  for (const Parameter& parameter : parameters)
    if (parameter.name == name) {
      parameter.used = true;
      return &parameter.value;
    }
  return nullptr;
}

std::vector<std::string_view> Names::all() const {
  std::vector<std::string_view> names;
  for (const json::Scope* around = scope; around; around = around->outer) names.push_back(around->name);
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

std::expected<Quantity, UnitProblem> evaluate(std::string_view text, const Names& names) {
  return ExpressionReader(text, names).run();
}

std::expected<Quantity, UnitProblem> readValue(std::string_view text, const Names& names) {
  const bool named = (names.scope || !names.parameters.empty()) && usesNames(text, names);
  if (!named) {
    auto quantity = readQuantity(text);
    if (quantity) return quantity;
    // "0,3 m" and "3 kNN" are slips in a quantity; signs and calls between numbers are an expression.
    const bool arithmetic = text.find_first_of("+*(^") != std::string_view::npos ||
                            text.find(" - ") != std::string_view::npos || names.missing ||
                            (!names.all().empty() && !text.empty() && nameStart(text[0]));
    if (!arithmetic || quantity.error().reason.find("comma") != std::string::npos) return quantity;
  }
  return evaluate(text, names);
}

// ---- parameters

namespace {

struct ParameterReader {
  const json::Value& section;
  Parameters known;
  std::vector<std::string_view> open;  ///< being worked out, outermost first
  Problem problem;

  bool fail(const json::Value& at, std::string reason, std::string remedy) {
    problem = {"/parameters/" + std::string(at.key()), std::move(reason), std::move(remedy), at.place().line,
               at.place().column};
    return false;
  }
  bool done(std::string_view name) const {
    return std::any_of(known.begin(), known.end(), [&](const Parameter& p) { return p.name == name; });
  }
  bool add(const json::Value& item) {
    const std::string_view name = item.key();
    bool good = !name.empty() && nameStart(name[0]) && name.size() <= 60;
    for (const char c : name) good &= nameGoesOn(c);
    if (!good)
      return fail(item, "the name " + json::quote(name) + " cannot stand in an expression",
                  "take letters, digits and _, and begin with a letter");
    if (name == "pi" || std::find(functionNames.begin(), functionNames.end(), name) != functionNames.end())
      return fail(item, json::quote(name) + " has a meaning of its own in expressions", "take another name");
    if (item.kind() == json::Kind::number) {
      known.push_back({std::string(name), {item.number(), {}, false}, item.place()});
      return true;
    }
    if (item.kind() != json::Kind::string)
      return fail(item, "found " + json::describe(item) + ", expected a number",
                  "write 5, \"0.3 m\" or \"2*height + 0.3 m\"");
    return compute(item);
  }
  bool compute(const json::Value& item) {
    if (std::find(open.begin(), open.end(), item.key()) != open.end())
      return fail(item, "needs itself", "parameters must not depend on each other in a circle");
    open.push_back(item.key());
    while (true) {
      std::string missing;
      const auto value = readValue(item.text(), Names{nullptr, known, &missing});
      if (value) {
        open.pop_back();
        known.push_back({std::string(item.key()), *value, item.place()});
        return true;
      }
      const json::Value* other = missing.empty() ? nullptr : section.find(missing);
      if (!other) {
        const auto plain = readValue(item.text(), Names{nullptr, known, nullptr});
        return fail(item, plain.error().reason, plain.error().remedy);
      }
      if (!done(missing) && !add(*other)) return false;
    }
  }
};

}  // namespace

std::expected<Parameters, Problem> readParameters(const json::Value& root) {
  const json::Value* section = root.find("parameters");
  if (!section) return Parameters{};
  if (section->kind() != json::Kind::object)
    return std::unexpected(Problem{"/parameters", "found " + json::describe(*section) + ", expected names with numbers",
                                   "write {\"height\": \"2 m\"}", section->place().line, section->place().column});
  ParameterReader reader{*section, {}, {}, {}};
  for (const json::Value& item : section->items())
    if (!reader.done(item.key()) && !reader.add(item)) return std::unexpected(std::move(reader.problem));
  return std::move(reader.known);
}

}  // namespace reeve::scene
