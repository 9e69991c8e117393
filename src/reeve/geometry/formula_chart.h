#pragma once
// Charts of one's own: given by three formulas x(u, v), y(u, v), z(u, v), or written in a program; where they sit, and
// what is asked of them.
#include <expected>
#include <string>

#include "reeve/geometry/chart.h"
#include "reeve/math/formula.h"

namespace reeve {

/// A chart in the axes of a frame.
std::unique_ptr<Chart> placedChart(const ChartFrame& frame, std::shared_ptr<const Chart> chart);

/// Metres; a curve if none of them has a v in it. It is integrated finely enough for paths like that from u0 to u1.
std::unique_ptr<Chart> formulaChart(std::array<math::Formula, 3> formulas, const Vec2& u0, const Vec2& u1);

/// What is wrong with a chart of one's own along a path, or nothing: values that are not finite, directions that vanish
/// or run together, derivatives that are not those of x by differences (1e-4 of what is there), too few points for its
/// length (1e-9).
std::string faultOf(const Chart& chart, const Vec2& u0, const Vec2& u1);

}  // namespace reeve
