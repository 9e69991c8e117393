#pragma once
// The smallest value of a function over a box, by few evaluations: Nelder and Mead's simplex, and CMA-ES.
//
// Both work in the unit cube. They ask for values of several points at a time and depend on nothing but the values, so
// that a search that is done again with the same values takes the same path.
#include <cstdint>
#include <functional>
#include <vector>

namespace reeve::command {

using Point = std::vector<double>;
/// Values of points; infinite where there is none. Fewer than points: the search is to end.
using ValuesOf = std::function<std::vector<double>(const std::vector<Point>& points)>;

struct SearchOptions {
  std::size_t inputs = 1;
  double width = 1e-6;     ///< ends when the points are as close as this part of the box
  std::uint64_t seed = 1;  ///< of CMA-ES
};

/// Simplex of inputs + 1 points (Nelder, Mead 1965), kept within the box.
void nelderMead(const SearchOptions& options, const ValuesOf& valuesOf);
/// Covariance matrix adaptation (Hansen, The CMA Evolution Strategy: a tutorial, 2016), 4 + 3 log n points at a time.
void cmaEs(const SearchOptions& options, const ValuesOf& valuesOf);

}  // namespace reeve::command
