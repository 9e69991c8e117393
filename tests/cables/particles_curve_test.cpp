// The start curve: through its points, smooth, local, evenly divided.
#include <random>

#include "particles_scenes.h"
#include "reeve/cables/particles/curve.h"

namespace reeve::test {
namespace {

using particles::Curve;

std::vector<Vec3> somePoints(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Vec3> out;
  for (int i = 0; i < n; ++i) {
    const auto r = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const double x = r(), y = r(), z = r();
    out.push_back(Vec3(i + 0.5 * x, 2.0 * y, 2.0 * z));
  }
  return out;
}

TEST(ParticleCurve, SplinePassesThroughItsControlPoints) {
  for (const double handle : {0.25, 1.0 / 6.0}) {
    const auto points = somePoints(9, 3);
    const Curve curve = Curve::catmullRom(points, handle);
    ASSERT_EQ(curve.pieces(), 8);
    for (int i = 0; i < 9; ++i) EXPECT_LT((curve.at(i / 8.0) - points[static_cast<std::size_t>(i)]).norm(), 1e-12);
  }
}

TEST(ParticleCurve, EndTangentsAreAQuarterOfTheFirstAndLastLeg) {
  const auto points = somePoints(5, 4);
  const Curve curve = Curve::catmullRom(points, 0.25);
  EXPECT_LT((curve.pieceTangent(0, 0.0) - 0.75 * (points[1] - points[0])).norm(), 1e-12);  // 3 × the handle
  EXPECT_LT((curve.pieceTangent(3, 1.0) - 0.75 * (points[4] - points[3])).norm(), 1e-12);
}

TEST(ParticleCurve, TangentIsContinuousAtTheJoins) {
  const Curve curve = Curve::catmullRom(somePoints(8, 5), 0.25);
  for (int i = 1; i < curve.pieces(); ++i)
    EXPECT_LT((curve.pieceTangent(i - 1, 1.0) - curve.pieceTangent(i, 0.0)).norm(), 1e-12);
}

TEST(ParticleCurve, MovingOnePointChangesAtMostFourPieces) {
  auto points = somePoints(12, 6);
  const Curve before = Curve::catmullRom(points, 0.25);
  for (std::size_t moved = 0; moved < points.size(); ++moved) {
    auto other = points;
    other[moved] += Vec3(0.3, -0.2, 0.5);
    const Curve after = Curve::catmullRom(other, 0.25);
    int changed = 0;
    for (int i = 0; i < before.pieces(); ++i) {
      double most = 0.0;
      for (int k = 0; k <= 10; ++k)
        most = std::max(most, (before.pieceAt(i, k / 10.0) - after.pieceAt(i, k / 10.0)).norm());
      if (most > 0.0) ++changed;
    }
    EXPECT_LE(changed, 4);
    EXPECT_GE(changed, 2);
  }
}

TEST(ParticleCurve, ParticlesLieAtEqualArcLength) {
  for (const Curve& curve : {Curve::catmullRom(somePoints(7, 7), 0.25), Curve::bezier(somePoints(7, 8)),
                             Curve::polyline(somePoints(7, 9))}) {
    const int n = 50;
    const auto placed = curve.place(n);
    ASSERT_EQ(placed.size(), 50u);
    // Arc lengths from a fine polyline, on which each particle is found again.
    std::vector<double> arcs;
    const int fine = 400000;
    Vec3 last = curve.at(0.0);
    double passed = 0.0, best = 1e9;
    std::size_t k = 1;
    double bestArc = 0.0;
    for (int i = 1; i <= fine && k + 1 < placed.size(); ++i) {
      const Vec3 x = curve.at(static_cast<double>(i) / fine);
      passed += (x - last).norm();
      last = x;
      const double distance = (x - placed[k]).norm();
      if (distance < best) {
        best = distance;
        bestArc = passed + (placed[k] - x).dot(curve.tangent(static_cast<double>(i) / fine).normalized());
      } else if (distance > best + 2e-4 && best < 1e-3) {
        arcs.push_back(bestArc);
        ++k;
        best = 1e9;
      }
    }
    ASSERT_EQ(arcs.size(), 48u);
    const double step = curve.length() / (n - 1);
    for (std::size_t i = 0; i < arcs.size(); ++i)
      EXPECT_NEAR(arcs[i] - (i == 0 ? 0.0 : arcs[i - 1]), step, 1e-6 * curve.length()) << i;
  }
}

TEST(ParticleCurve, StartOfACableIsItsCurve) {
  Description d = still(0.01);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(3, 0, 0), 30);
  c.shape = {Vec3(1, 0.5, 0.2), Vec3(2, -0.5, 0)};
  d.cables.emplace_back("rope", c);
  const World w = make(d);
  const std::vector<Vec3> points{Vec3(0, 0, 0), Vec3(1, 0.5, 0.2), Vec3(2, -0.5, 0), Vec3(3, 0, 0)};
  const auto expected = Curve::catmullRom(points, 0.25).place(31);
  for (int i = 0; i <= 30; ++i)
    EXPECT_LT((particleCable(w).position(w.state(), i) - expected[static_cast<std::size_t>(i)]).norm(), 1e-14);
}

}  // namespace
}  // namespace reeve::test
