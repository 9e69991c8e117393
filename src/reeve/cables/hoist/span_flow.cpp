#include "reeve/cables/hoist/span_flow.h"

#include <algorithm>

namespace reeve {

ChordSwing chordSwing(const Vec3 (&velocity)[2], const Vec3& n, double chord, double arc, double flow) {
  // The material goes with the chord where it lies along it: a slack cable that whips about does not. One that is
  // longer than its chord by one part in so many does not at all.
  constexpr double slackest = 50.0;
  const Vec3 a = velocity[0] - velocity[0].dot(n) * n, b = velocity[1] - velocity[1].dot(n) * n;
  const double slack = 1.0 - chord / std::max(arc, 1e-9), goes = std::clamp(1.0 - slackest * slack, 0.0, 1.0);
  const Vec3 turn = goes * (b - a) / std::max(chord, 1e-9);
  return {0.5 * (a + b).dot(turn), flow * turn};
}

}  // namespace reeve
