#pragma once
// Expressions where a scene wants a number: "2*height + 0.3 m", with the scene's parameters and the variables of a
// `repeat` as names.
//
// Known are + - * / ^, parentheses, numbers with units ("0.3 m", "1/240 s", "5 N m/s"), names, pi, and sqrt abs min max
// floor ceil round sin cos tan asin acos atan atan2 exp log. Units are carried along: what is added must agree, what
// comes out must fit the field. A number without a unit is a plain factor in products and SI in sums. Angles of sin and
// its kin are radians or have a unit.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reeve/model/problem.h"
#include "reeve/scene/json.h"
#include "reeve/scene/units.h"

namespace reeve::scene {

/// A named number of a scene.
struct Parameter {
  std::string name;
  Quantity value;
  json::Place place;
  mutable bool used = false;  ///< by an expression; one that is not may be a slip of the pen
};
using Parameters = std::vector<Parameter>;

/// What names mean at a value: variables of the repeats around it first, then parameters.
struct Names {
  const json::Scope* scope = nullptr;
  std::span<const Parameter> parameters;
  /// Parameters that `find` could not give because they are not known yet; null if all are known.
  std::string* missing = nullptr;

  const Quantity* find(std::string_view name, Quantity& buffer) const;
  std::vector<std::string_view> all() const;
};

std::expected<Quantity, UnitProblem> evaluate(std::string_view text, const Names& names);

/// A quantity where the text is one, otherwise an expression. The error is that of what the text looks like.
std::expected<Quantity, UnitProblem> readValue(std::string_view text, const Names& names);

/// The `parameters` of a scene, in the order of the file. They may use each other in any order but not in a circle.
std::expected<Parameters, Problem> readParameters(const json::Value& root);

}  // namespace reeve::scene
