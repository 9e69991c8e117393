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

/// What is not exact in matrices of small motions.
struct Exactness {
  /// Elements ("cables.rope", "contacts") whose change with position is a difference of fourth order of exact
  /// gradients, 1e-9 of it; that of all others is written down.
  std::vector<std::string> differenced;
  /// Constraints that begin or cease to hold right where the state is: a rope that is taut without load, a contact
  /// without load, friction that is used up. The matrices take them as they are now; the motion is not smooth there.
  std::vector<std::string> edges;
  /// Cables whose waves are condensed (`hoist`, waved `joints`): they follow at once as they hang, but for slopes
  /// squared, and the inertia of waves is in no matrix. Right for motions slow against them.
  std::vector<std::string> condensed;
  bool smooth() const { return edges.empty(); }
};

struct Linearization {
  Table basis;    ///< coordinates of World::velocities() × free motions; orthonormal
  Table M, D, K;  ///< kg, N s/m, N/m in those motions
  Table B;        ///< of the motors, in the order of the scene: force per unit of motor force
  Table A;        ///< of x = (q, q̇): ẋ = A x + (0, M⁻¹ B) u
  Exactness exactness;
};

/// A world as a linear system about a state of rest, in the words of control:
///
///   x' = A x + B u,   y = C x + D u,   x = (z, a, z')
///
/// z: motions that constraints leave free; a: what drives of a given speed have moved, one for each such input, a' = u.
/// One step of `direct` is the same system by BDF2, and here is the derivative of that step:
///
///   x(n+1) = now · x(n) + before · x(n−1) + input · u(n+1) + inputBefore · u(n)
///   y(n+1) = C x(n+1) + through · u(n+1) + throughBefore · u(n)
///
/// A motor follows its command at once. A push passes its whole impulse on in its own step, for which the step applies
/// 3/2 u(n+1) − 1/2 u(n): hence the matrices of u(n). In forces of rigid rows, commanded speeds count as constant.
struct StateSpace {
  std::vector<std::string> inputs, outputs;
  Exactness exactness;
  Table positions;   ///< coordinates of World::velocities() × states: m or rad of displacement per unit of x
  Table velocities;  ///< the same of velocities
  Table A, B, C, D;
  struct Step {
    Table now, before, input, inputBefore, through, throughBefore;
  } step;
};

struct NaturalMode {
  double frequency = 0.0;     ///< Hz, undamped; 0: nothing brings it back; negative: unstable, growth rate over 2π
  double damping = 0.0;       ///< share of critical
  std::vector<double> shape;  ///< by World::velocities(); the largest entry is 1
};

}  // namespace reeve
