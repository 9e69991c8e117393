#pragma once
#include "reeve/geometry/chart.h"

namespace reeve::test {

/// A frame along no axis of the world.
inline ChartFrame tilted() {
  ChartFrame f;
  f.origin = Vec3(0.3, -0.2, 0.7);
  f.z = Vec3(0.2, 0.5, 1.0).normalized();
  f.x = f.z.cross(Vec3(0, 0, 1)).normalized();
  f.y = f.z.cross(f.x);
  return f;
}

}  // namespace reeve::test
