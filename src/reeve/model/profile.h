#pragma once
// Numbers that change with time, and things with names.
#include <string>
#include <utility>
#include <vector>

#include "reeve/math/types.h"

namespace reeve {

/// Things with names, in the order they were declared.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

/// A number that changes with time: value(t) = offset + rate·t + amplitude·sin(2π·frequency·t + phase) + table(t).
/// The table is piecewise linear, or smooth (cubic with zero slope at every knot), or a spline (quintic pieces whose
/// slope and curvature at a knot are those of the parabola through it and its neighbors, at rest at either end and
/// where a value is given twice), and constant beyond its ends.
struct Profile {
  double offset = 0.0;
  double rate = 0.0;
  double amplitude = 0.0;
  double frequency = 0.0;   ///< Hz
  double phase = 0.0;       ///< rad
  std::vector<Vec2> table;  ///< (time, value), times increasing
  bool smooth = false;
  bool spline = false;
};

}  // namespace reeve
