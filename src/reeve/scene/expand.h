#pragma once
// `repeat`: one part of a scene written once and meant several times.
//
//   "bodies": {"block{i}": {"repeat": 4, "position": ["0.5 m * i", 0, 1], ...}}      block0 to block3
//   "route": [..., {"repeat": 3, "each": [{"type": "roll", "on": "top{i}"}, {"type": "roll", "on": "low{i}"}]}, ...]
//
// `repeat` is how often (i counts from 0), or {"k": 4} for a variable of another name, or {"k": [1, 4]} for one that
// goes from 1 to 4; two variables in one object go through all pairs, the last one fastest. In names and texts of the
// part {i} stands for the number, {i+1} for the next; in expressions i is a variable.
#include <expected>

#include "reeve/model/problem.h"
#include "reeve/scene/expression.h"

namespace reeve::json {

/// The document with every part that repeats written out. Places stay those of the text.
std::expected<Document, Problem> expand(Document document, const scene::Parameters& parameters);

}  // namespace reeve::json
