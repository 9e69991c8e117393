#include "reeve/math/formula.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "reeve/math/scalar.h"

namespace reeve::math {

namespace {

/// Numbers a formula may hold at a time, and parentheses within each other.
constexpr int deepest = 32;

/// h(a) with h, h' and h'' at a.
Jet chained(const Jet& a, double h, double h1, double h2) {
  return {h, h1 * a.u, h1 * a.v, h2 * a.u * a.u + h1 * a.uu, h2 * a.u * a.v + h1 * a.uv, h2 * a.v * a.v + h1 * a.vv};
}

Jet product(const Jet& a, const Jet& b) {
  return {a.f * b.f,
          a.u * b.f + a.f * b.u,
          a.v * b.f + a.f * b.v,
          a.uu * b.f + 2.0 * a.u * b.u + a.f * b.uu,
          a.uv * b.f + a.u * b.v + a.v * b.u + a.f * b.uv,
          a.vv * b.f + 2.0 * a.v * b.v + a.f * b.vv};
}

Jet inverse(const Jet& a) {
  const double r = 1.0 / a.f;
  return chained(a, r, -r * r, 2.0 * r * r * r);
}

bool constant(const Jet& a) { return a.u == 0.0 && a.v == 0.0 && a.uu == 0.0 && a.uv == 0.0 && a.vv == 0.0; }

/// xᵖ: by multiplying where p is a small whole number, so that x may be negative.
double raised(double x, double p) {
  if (p != std::floor(p) || std::fabs(p) > 64.0) return pow(x, p);
  double out = 1.0;
  for (int k = 0; k < static_cast<int>(std::fabs(p)); ++k) out *= x;
  return p < 0.0 ? 1.0 / out : out;
}

Jet power(const Jet& a, const Jet& b) {
  if (constant(b)) {
    const double p = b.f;
    return chained(a, raised(a.f, p), p == 0.0 ? 0.0 : p * raised(a.f, p - 1.0),
                   p == 0.0 || p == 1.0 ? 0.0 : p * (p - 1.0) * raised(a.f, p - 2.0));
  }
  const Jet e = product(b, chained(a, log(a.f), 1.0 / a.f, -1.0 / (a.f * a.f)));
  const double value = exp(e.f);
  return chained(e, value, value, value);
}

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

/// Reads by recursive descent: sum of products of signed powers.
class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text) : text_(text) {}
  std::expected<Formula, FormulaError> read() {
    sum();
    skip();
    if (error_.empty() && here_ < text_.size()) fail("'" + std::string(1, text_[here_]) + "' does not fit here");
    if (!error_.empty()) return std::unexpected(FormulaError{error_, column_});
    return std::move(out_);
  }

 private:
  using Operation = Formula::Operation;
  void fail(std::string reason) {
    if (!error_.empty()) return;
    error_ = std::move(reason);
    column_ = static_cast<int>(here_) + 1;
  }
  void skip() {
    while (here_ < text_.size() && (text_[here_] == ' ' || text_[here_] == '\t')) ++here_;
  }
  bool take(char c) {
    skip();
    if (here_ >= text_.size() || text_[here_] != c) return false;
    ++here_;
    return true;
  }
  void put(Operation operation, double value = 0.0) {
    const bool leaf = operation <= Operation::v, binary = operation >= Operation::add && operation <= Operation::power;
    held_ += leaf ? 1 : binary ? -1 : 0;
    if (held_ > deepest) fail("it holds more than 32 numbers at a time");
    out_.steps_.push_back({operation, value});
  }
  void sum() {
    product();
    while (error_.empty()) {
      if (take('+')) {
        product();
        put(Operation::add);
      } else if (take('-')) {
        product();
        put(Operation::subtract);
      } else {
        return;
      }
    }
  }
  void product() {
    sign();
    while (error_.empty()) {
      if (take('*')) {
        sign();
        put(Operation::multiply);
      } else if (take('/')) {
        sign();
        put(Operation::divide);
      } else {
        return;
      }
    }
  }
  void sign() {
    if (++depth_ > deepest) return fail("it is nested more than 32 deep");
    if (take('-')) {
      sign();
      put(Operation::negate);
    } else if (take('+')) {
      sign();
    } else {
      power();
    }
    --depth_;
  }
  void power() {
    atom();
    if (!error_.empty() || !take('^')) return;
    sign();
    put(Operation::power);
  }
  void atom() {
    skip();
    if (here_ >= text_.size()) return fail("it ends where a number, u, v or a parenthesis is expected");
    const char c = text_[here_];
    if (digit(c) || c == '.') return number();
    if (letter(c)) return name();
    if (!take('(')) return fail("'" + std::string(1, c) + "' does not fit here");
    sum();
    if (error_.empty() && !take(')')) fail("')' is missing");
  }
  /// Correctly rounded up to fifteen digits and exponents within 22, as people write them.
  void number() {
    std::uint64_t whole = 0;
    int exponent = 0, digits = 0;
    bool point = false, any = false;
    for (; here_ < text_.size() && (digit(text_[here_]) || (text_[here_] == '.' && !point)); ++here_) {
      if (text_[here_] == '.') {
        point = true;
        continue;
      }
      any = true;
      if (digits < 18) {
        whole = whole * 10 + static_cast<std::uint64_t>(text_[here_] - '0');
        if (whole > 0) ++digits;
        if (point) --exponent;
      } else if (!point) {
        ++exponent;
      }
    }
    if (!any) return fail("a number has digits");
    if (here_ + 1 < text_.size() && (text_[here_] == 'e' || text_[here_] == 'E')) {
      std::size_t after = here_ + 1;
      const bool minus = text_[after] == '-';
      if (minus || text_[after] == '+') ++after;
      if (after >= text_.size() || !digit(text_[after])) return fail("an exponent has digits");
      int written = 0;
      for (; after < text_.size() && digit(text_[after]); ++after)
        if (written < 10000) written = 10 * written + (text_[after] - '0');
      exponent += minus ? -written : written;
      here_ = after;
    }
    double value = static_cast<double>(whole);
    for (; exponent > 0 && value > 0.0 && std::isfinite(value); exponent -= std::min(exponent, 22))
      value *= tens(exponent);
    for (; exponent < 0 && value > 0.0; exponent += std::min(-exponent, 22)) value /= tens(-exponent);
    if (!std::isfinite(value)) return fail("the number is too large");
    put(Operation::number, value);
  }
  /// 10ⁿ, n at most 22: exact.
  static double tens(int n) {
    double out = 1.0;
    for (int k = 0; k < std::min(n, 22); ++k) out *= 10.0;
    return out;
  }
  void name() {
    const std::size_t start = here_;
    while (here_ < text_.size() && (letter(text_[here_]) || digit(text_[here_]))) ++here_;
    const std::string_view word = text_.substr(start, here_ - start);
    if (word == "u") return put(Operation::u);
    if (word == "v") {
      out_.usesV_ = true;
      return put(Operation::v);
    }
    if (word == "pi") return put(Operation::number, pi);
    constexpr std::pair<std::string_view, Operation> known[] = {
        {"sin", Operation::sin},   {"cos", Operation::cos},   {"tan", Operation::tan},
        {"asin", Operation::asin}, {"acos", Operation::acos}, {"atan", Operation::atan},
        {"exp", Operation::exp},   {"log", Operation::log},   {"sqrt", Operation::sqrt}};
    for (const auto& [text, operation] : known) {
      if (word != text) continue;
      if (!take('(')) return fail("'(' is missing after " + std::string(word));
      sum();
      if (error_.empty() && !take(')')) fail("')' is missing");
      return put(operation);
    }
    here_ = start;
    fail("'" + std::string(word) + "' is not known");
  }

  std::string_view text_;
  std::size_t here_ = 0;
  int held_ = 0, depth_ = 0, column_ = 0;
  std::string error_;
  Formula out_;
};

std::expected<Formula, FormulaError> Formula::parse(std::string_view text) { return FormulaReader(text).read(); }

Jet Formula::combine(Operation operation, const Jet& a, const Jet& b) {
  switch (operation) {
    case Operation::add:
      return {a.f + b.f, a.u + b.u, a.v + b.v, a.uu + b.uu, a.uv + b.uv, a.vv + b.vv};
    case Operation::subtract:
      return {a.f - b.f, a.u - b.u, a.v - b.v, a.uu - b.uu, a.uv - b.uv, a.vv - b.vv};
    case Operation::multiply:
      return product(a, b);
    case Operation::divide:
      return product(a, inverse(b));
    default:
      return power(a, b);
  }
}

Jet Formula::apply(Operation operation, const Jet& a) {
  double s, c;
  switch (operation) {
    case Operation::negate:
      return {-a.f, -a.u, -a.v, -a.uu, -a.uv, -a.vv};
    case Operation::sin:
      sincos(a.f, s, c);
      return chained(a, s, c, -s);
    case Operation::cos:
      sincos(a.f, s, c);
      return chained(a, c, -s, -c);
    case Operation::tan: {
      const double t = math::tan(a.f), slope = 1.0 + t * t;
      return chained(a, t, slope, 2.0 * t * slope);
    }
    case Operation::asin: {
      const double r = 1.0 / std::sqrt(1.0 - a.f * a.f);
      return chained(a, math::asin(a.f), r, a.f * r * r * r);
    }
    case Operation::acos: {
      const double r = 1.0 / std::sqrt(1.0 - a.f * a.f);
      return chained(a, math::acos(a.f), -r, -a.f * r * r * r);
    }
    case Operation::atan: {
      const double r = 1.0 / (1.0 + a.f * a.f);
      return chained(a, math::atan(a.f), r, -2.0 * a.f * r * r);
    }
    case Operation::exp: {
      const double e = math::exp(a.f);
      return chained(a, e, e, e);
    }
    case Operation::log:
      return chained(a, math::log(a.f), 1.0 / a.f, -1.0 / (a.f * a.f));
    default: {
      const double r = std::sqrt(a.f);
      return chained(a, r, 0.5 / r, -0.25 / (r * a.f));
    }
  }
}

Jet Formula::at(double u, double v) const {
  std::array<Jet, deepest> stack;
  std::size_t top = 0;
  for (const Step& step : steps_) {
    switch (step.operation) {
      case Operation::number:
        stack[top++] = {step.value};
        break;
      case Operation::u:
        stack[top++] = {u, 1.0};
        break;
      case Operation::v:
        stack[top++] = {v, 0.0, 1.0};
        break;
      case Operation::add:
      case Operation::subtract:
      case Operation::multiply:
      case Operation::divide:
      case Operation::power:
        --top;
        stack[top - 1] = combine(step.operation, stack[top - 1], stack[top]);
        break;
      default:
        stack[top - 1] = apply(step.operation, stack[top - 1]);
    }
  }
  return top == 0 ? Jet{} : stack[0];
}

}  // namespace reeve::math
