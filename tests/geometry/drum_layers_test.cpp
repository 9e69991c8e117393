// Cable that winds on a drum in layers: radius and length as functions of its turn.
#include <gtest/gtest.h>

#include <cmath>

#include "reeve/geometry/drum_layers.h"

namespace reeve {
namespace {

constexpr double tau = 2.0 * M_PI;

TEST(DrumLayers, FullLayersHoldTurnsTimesTheirCircles) {
  const DrumLayers drum{0.2, 5.0, 0.02};
  EXPECT_DOUBLE_EQ(drum.lengthAt(10.0), 2.0);
  // Half a turn after a change of layers the climb is over; on the whole it is as long as a step in its middle.
  for (int k = 1; k < 6; ++k) {
    double full = 0.0;
    for (int layer = 0; layer < k; ++layer) full += 5.0 * tau * (0.2 + 0.02 * layer);
    EXPECT_NEAR(drum.lengthAt(tau * (5.0 * k + 0.5)), full + M_PI * (0.2 + 0.02 * k), 1e-13) << k;
    EXPECT_DOUBLE_EQ(drum.radiusAt(tau * (5.0 * k + 0.5)), 0.2 + 0.02 * k);
    EXPECT_NEAR(drum.radiusAt(tau * 5.0 * k), 0.2 + 0.02 * (k - 0.5), 1e-15);
  }
}

TEST(DrumLayers, RadiusIsTheSlopeOfLengthAndHasNoKinks) {
  for (const double turns : {1.0, 2.0, 5.0}) {
    const DrumLayers drum{0.2, turns, 0.02};
    for (double angle = -2.0; angle < 120.0; angle += 0.037) {
      const double h = 1e-5;
      EXPECT_NEAR((drum.lengthAt(angle + h) - drum.lengthAt(angle - h)) / (2 * h), drum.radiusAt(angle), 1e-9);
      EXPECT_NEAR((drum.radiusAt(angle + h) - drum.radiusAt(angle - h)) / (2 * h), drum.slopeAt(angle), 1e-7);
    }
  }
}

TEST(DrumLayers, AngleIsTheInverseOfLengthToRounding) {
  const DrumLayers drum{0.2, 3.0, 0.02};
  for (double length = -1.0; length < 60.0; length += 0.0713)
    EXPECT_NEAR(drum.lengthAt(drum.angleOf(length)), length, 1e-14 * (1.0 + std::fabs(length)));
  EXPECT_EQ(drum.countOf(0.0), 0);
  EXPECT_EQ(drum.countOf(1.0), 1);
  EXPECT_EQ(drum.countOf(drum.lengthAt(tau * 3.01)), 2);
}

TEST(DrumLayers, OneLayerIsRadiusTimesAngle) {
  const DrumLayers drum{.radius = 0.3};
  EXPECT_FALSE(drum.many());
  EXPECT_DOUBLE_EQ(drum.lengthAt(1000.0), 300.0);
  EXPECT_DOUBLE_EQ(drum.radiusAt(1000.0), 0.3);
  EXPECT_DOUBLE_EQ(drum.angleOf(300.0), 1000.0);
}

}  // namespace
}  // namespace reeve
