// Directions carried along curves, against the closed forms of torsion and against very many small corners.
#include "reeve/geometry/transport.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reeve/math/rotation.h"

namespace reeve {
namespace {

ChartFrame leaning() {
  ChartFrame f;
  f.origin = Vec3(0.1, -0.2, 0.3);
  f.z = Vec3(0.3, 0.5, 0.8).normalized();
  orthonormalBasis(f.z, f.x, f.y);
  return f;
}

/// Over n corners between tangents: right to 1/n².
Vec3 bySmallCorners(const Chart& chart, const Vec2& u0, const Vec2& u1, Vec3 v, int n) {
  Vec3 t = pathTangent(chart, u0, u1, 0.0).t;
  for (int k = 1; k <= n; ++k) {
    const Vec3 next = pathTangent(chart, u0, u1, static_cast<double>(k) / n).t;
    v = carriedOver(v, t, next);
    t = next;
  }
  return v;
}

TEST(Transport, AlongAHelixTurnsBackByItsTorsion) {
  const ChartFrame f = leaning();
  const double r = 0.3;
  for (const double pitch : {-0.4, 0.05, 0.4, 3.0})
    for (const double turns : {0.25, 1.0, 4.0, 10.0}) {
      const double c = pitch / (2 * M_PI), per = std::hypot(r, c), angle = 2 * M_PI * turns;
      const double torsion = c / (per * per) * per * angle;  // τ L
      const auto helix = helixChart(f, r, pitch), cylinder = cylinderChart(f, r);
      for (const bool onCylinder : {false, true}) {
        const Chart& chart = onCylinder ? *cylinder : *helix;
        const Vec2 u0(0.3, onCylinder ? 0.1 : 0.0), u1 = u0 + Vec2(angle, onCylinder ? c * angle : 0.0);
        const auto inward = [&](const Vec2& u) { return Vec3(-(f.x * std::cos(u.x()) + f.y * std::sin(u.x()))); };
        const Vec3 n0 = inward(u0), n1 = inward(u1), b1 = endTangents(chart, u0, u1)[1].cross(n1);
        const Vec3 v = carriedAlong(chart, u0, u1, n0);
        EXPECT_NEAR(v.dot(n1), std::cos(torsion), 1e-11) << pitch << " " << turns;
        EXPECT_NEAR(v.dot(b1), -std::sin(torsion), 1e-11) << pitch << " " << turns;
      }
    }
}

TEST(Transport, InAPlaneTurnsWithTheTangent) {
  const ChartFrame f = leaning();
  const auto circle = circleChart(f, 0.2);
  const Vec2 u0(0.4, 0.0), u1(5.9, 0.0);
  for (const Vec3& v : {Vec3(f.z), Vec3(-(f.x * std::cos(0.4) + f.y * std::sin(0.4)))}) {
    const Vec3 turned = rotationExp(f.z * 5.5) * v;
    EXPECT_LT((carriedAlong(*circle, u0, u1, v) - turned).norm(), 1e-13);
  }
}

struct Path {
  std::unique_ptr<Chart> chart;
  Vec2 u0, u1;
};
std::vector<Path> paths() {
  const ChartFrame f = leaning();
  std::vector<Path> all;
  all.push_back({sphereChart(f, 0.4), Vec2(0.2, -0.5), Vec2(2.9, 0.9)});
  all.push_back({torusChart(f, 0.5, 0.2), Vec2(0.2, -0.5), Vec2(2.2, 3.1)});
  all.push_back({splineChart({Vec3(0, 0, 0), Vec3(0.3, 0.2, 0.1), Vec3(0.4, 0.6, -0.2), Vec3(0.1, 0.7, 0.3)}),
                 Vec2(0.05, 0), Vec2(1.3, 0)});
  all.push_back({tubeChart({Vec3(0, 0, 0), Vec3(0.3, 0.2, 0.1), Vec3(0.4, 0.6, -0.2)}), Vec2(0.0, 0), Vec2(0.8, 0)});
  all.push_back({planeChart(f), Vec2(0.2, -0.5), Vec2(2.2, 3.1)});
  return all;
}

TEST(Transport, AlongAnyCurveIsTheLimitOfSmallCorners) {
  for (const Path& p : paths()) {
    Vec3 v, other;
    orthonormalBasis(endTangents(*p.chart, p.u0, p.u1)[0], v, other);
    const Vec3 fine = bySmallCorners(*p.chart, p.u0, p.u1, v, 20000);
    EXPECT_LT((carriedAlong(*p.chart, p.u0, p.u1, v) - fine).norm(), 1e-8);
  }
}

/// δ of the angle from what was carried before to what is carried after, both brought to one tangent.
TEST(Transport, ChangesWithItsPathAsItSays) {
  const ChartFrame f = leaning();
  std::vector<Path> all = paths();
  all.push_back({cylinderChart(f, 0.3), Vec2(0.3, 0.1), Vec2(4.0, 0.9)});
  all.push_back({helixChart(f, 0.3, 0.2), Vec2(0.3, 0), Vec2(4.0, 0)});
  for (const Path& p : all) {
    const auto ends = endTangents(*p.chart, p.u0, p.u1);
    Vec3 v, other;
    orthonormalBasis(ends[0], v, other);
    const Vec3 here = carriedAlong(*p.chart, p.u0, p.u1, v);
    const auto own = carriedGradient(*p.chart, p.u0, p.u1);
    for (int end = 0; end < 2; ++end)
      for (int k = 0; k < p.chart->dimension(); ++k) {
        const auto angle = [&](double h) {
          Vec2 u0 = p.u0, u1 = p.u1;
          (end == 0 ? u0 : u1)[k] += h;
          const auto t = endTangents(*p.chart, u0, u1);
          Vec3 w = carriedAlong(*p.chart, u0, u1, carriedOver(v, ends[0], t[0]));
          w = carriedOver(w, t[1], ends[1]);
          return std::atan2(ends[1].dot(w.cross(here)), w.dot(here));
        };
        EXPECT_NEAR(own[static_cast<std::size_t>(end)][k], (angle(1e-5) - angle(-1e-5)) / 2e-5, 1e-8);
      }
  }
}

}  // namespace
}  // namespace reeve
