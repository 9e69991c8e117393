#pragma once
// Formulas in u and v as people write them, "0.1*cos(u) + v^2", with exact first and second derivatives.
//
// A formula is read once into a list of steps on a stack. Evaluating it carries a jet through them: the value with its
// first and second derivatives, each step by the chain rule. Known are + − * / ^, parentheses, numbers, u, v, pi, and
// sin cos tan asin acos atan exp log sqrt. Angles are in radians. Same bits everywhere (scalar.h).
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace reeve::math {

/// A value and its derivatives with respect to u and v.
struct Jet {
  double f = 0.0, u = 0.0, v = 0.0, uu = 0.0, uv = 0.0, vv = 0.0;
};

/// What is wrong with a formula, and where.
struct FormulaError {
  std::string reason;
  int column = 0;  ///< counted from 1
};

class Formula {
 public:
  static std::expected<Formula, FormulaError> parse(std::string_view text);
  /// Not finite where it is not defined.
  Jet at(double u, double v) const;
  bool usesV() const { return usesV_; }

 private:
  friend class FormulaReader;
  enum class Operation : unsigned char {
    number,
    u,
    v,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    exp,
    log,
    sqrt
  };
  struct Step {
    Operation operation;
    double value = 0.0;
  };
  static Jet combine(Operation operation, const Jet& a, const Jet& b);
  static Jet apply(Operation operation, const Jet& a);
  std::vector<Step> steps_;
  bool usesV_ = false;
};

}  // namespace reeve::math
