#pragma once
// Small motions about a state: matrices in the coordinates that constraints leave free, natural frequencies and shapes.
//
//   M q̈ + D q̇ + K q = B u,   q the amplitudes of the columns of `basis` (velocities of all coordinates per q̇)
//
// Rows that hold (rigid, or stuck by friction or a brake) are constraints; what stretches is stiffness. K is the change
// of all forces with position, the turning of held forces included, so that its sign tells whether a state of rest is
// stable.
#include <string>
#include <vector>

namespace reeve {

/// A matrix, row by row.
struct Table {
  int rows = 0, columns = 0;
  std::vector<double> numbers;
  double at(int row, int column) const {
    return numbers[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                   static_cast<std::size_t>(column)];
  }
};

struct Linearization {
  Table basis;    ///< coordinates of World::velocities() × free motions; orthonormal
  Table M, D, K;  ///< kg, N s/m, N/m in those motions
  Table B;        ///< of the motors, in the order of the scene: force per unit of motor force
  Table A;        ///< of x = (q, q̇): ẋ = A x + (0, M⁻¹ B) u
};

struct NaturalMode {
  double frequency = 0.0;     ///< Hz, undamped; 0: nothing brings it back; negative: unstable, growth rate over 2π
  double damping = 0.0;       ///< share of critical
  std::vector<double> shape;  ///< by World::velocities(); the largest entry is 1
};

}  // namespace reeve
