// Spans of a hoist cable that are too slack for waves: they hang as the catenary does, and come taut again.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "cables/hoist_scenes.h"
#include "reeve/cables/hoist/hanging_span.h"
#include "reeve/geometry/hanging.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

TEST(HangingSpan, pulls_and_tension_are_one_gradient_and_its_derivatives_the_hessian) {
  struct Case {
    double across, rise, length;
  };
  for (const Case k : {Case{10, 0, 10.5}, Case{10, 0, 30}, Case{2, 9, 30}, Case{0.05, -5, 8}, Case{1, 20, 20.3}}) {
    const double weight = 40.0, e = 1e-6 * k.length;
    const HangingSpan here = hangingSpan(k.across, k.rise, k.length, weight);
    for (int i = 0; i < 3; ++i) {
      const double d[3] = {i == 0 ? e : 0.0, i == 1 ? e : 0.0, i == 2 ? e : 0.0};
      const HangingSpan a = hangingSpan(k.across - d[0], k.rise - d[1], k.length - d[2], weight),
                        b = hangingSpan(k.across + d[0], k.rise + d[1], k.length + d[2], weight);
      const Vec3 slope(b.horizontal - a.horizontal, b.vertical - a.vertical, a.tension - b.tension);
      const double size = here.hessian.cwiseAbs().maxCoeff();
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(slope[j] / (2 * e), here.hessian(j, i), 1e-4 * size)
            << k.across << " " << k.rise << " " << k.length << ": " << j << i;
    }
    // Convex: deep in a U the tension hardly depends on the length any more, but it never falls with it.
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(here.hessian);
    EXPECT_GT(solver.eigenvalues()[0], -1e-9 * here.hessian.cwiseAbs().maxCoeff());
  }
}

TEST(HangingSpan, its_tension_is_the_mean_along_the_catenary) {
  const double length = 30.0, w = 2.0;
  const HangingSpan span = hangingSpan(2.0, 9.0, length, w * length);
  const HangingCurve curve = hangingCurve(Vec3::Zero(), Vec3(2, 0, 9), length, Vec3(0, 0, -1));
  // T = H + w z above the lowest point; the lowest point by the curve itself.
  double sum = 0.0, low = 0.0;
  for (int i = 0; i <= 20000; ++i) low = std::min(low, curve.at(length * i / 20000).z());
  for (int i = 0; i < 20000; ++i) sum += span.horizontal + w * (curve.at(length * (i + 0.5) / 20000).z() - low);
  EXPECT_NEAR(span.tension / (sum / 20000), 1.0, 1e-6);
  EXPECT_NEAR(span.horizontal, w * curve.parameter, 1e-9);
}

TEST(HoistHanging, overhanging_and_narrow_spans_hang_in_their_catenary) {
  struct Case {
    Vec3 end;
    double length;
    const char* what;
  };
  for (const Case& k :
       {Case{Vec3(2, 0, 9), 30.0, "hangs far below its lower end"}, Case{Vec3(0.5, 0.5, 0), 20.0, "narrow U"},
        Case{Vec3(8, 0, 8), 14.0, "just below its lower end"}, Case{Vec3(0, 0, -5), 8.0, "ends above each other"},
        Case{Vec3(0.01, 0, 6), 7.0, "nearly upright"}}) {
    Description d = heavy(0.02, 9.81);
    CableSettings c = hoist(2.0, 1e8, 40);
    c.length = k.length;
    c.waveDamping = 3.0;
    c.route = {hoistEnd("world"), hoistEnd("world", k.end)};
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 6.0);
    const auto cable = w.observe().cables[0].second;
    const HangingCurve curve = hangingCurve(Vec3::Zero(), k.end, k.length, Vec3(0, 0, -9.81));
    double worst = 0.0, lowest = 0.0, truly = 0.0;
    for (std::size_t m = 0; m < cable.polyline.size(); ++m) {
      const Vec3 at = curve.at(k.length * static_cast<double>(m) / 40);
      worst = std::max(worst, (cable.polyline[m] - at).norm());
      lowest = std::min(lowest, cable.polyline[m].z());
      truly = std::min(truly, at.z());
    }
    EXPECT_LT(worst, 1e-3 * k.length) << k.what;
    EXPECT_NEAR(lowest, truly, 1e-3 * k.length) << k.what;
    const double across = std::max(std::hypot(k.end.x(), k.end.y()), 1e-3 * k.length);
    EXPECT_NEAR(measure(w, "cables.c.spans.0.tension") /
                    hangingSpan(across, k.end.z(), k.length, 2.0 * 9.81 * k.length).tension,
                1.0, 0.01)
        << k.what;
    EXPECT_EQ(measure(w, "health.unconverged"), 0.0) << k.what;
  }
}

TEST(HoistHanging, a_load_set_down_slackens_its_cable_and_is_lifted_again) {
  // Lowered onto the floor, 1.5 m paid out beyond that, and reeled in again: massless, the falls go slack and nothing
  // pulls; with mass they hang beside the load and pull it by their weight.
  for (const double mass : {0.0, 1.0}) {
    Description d = heavy(0.005, 9.81);
    BodySettings load = rigid(100.0, Vec3::Constant(5), Vec3(0.02, 0, -5));
    load.shapes.push_back(box(Vec3(0.5, 0.5, 0.5)));
    d.bodies.emplace_back("load", load);
    BodySettings floor;
    floor.motion = BodyMotion::fixed;
    floor.position = Vec3(0, 0, -6.5);
    floor.shapes.push_back(box(Vec3(10, 10, 1)));
    d.bodies.emplace_back("floor", floor);
    CableSettings c = hoist(mass, 1e6, 20);
    c.material.damping = 0.02;
    c.waveDamping = 1.0;
    c.tension = 100.0 * 9.81;
    c.payout.table = {Vec2(0.5, 0), Vec2(4.5, 2.0), Vec2(6, 2.0), Vec2(10, 0)};
    c.payout.smooth = true;  // no blows of the winch's own
    c.route = {hoistEnd("world"), hoistEnd("load")};
    d.cables.emplace_back("c", c);
    World w = make(d);
    double most = 0.0, slack = 1e9;
    while (w.time() < 11.0) {
      ASSERT_TRUE(w.step().good) << mass << " at " << w.time();
      const double tension = measure(w, "cables.c.spans.0.tension");
      most = peak(most, tension);
      if (w.time() > 5.5 && w.time() < 6.0) slack = std::min(slack, tension);
    }
    // Hanging deep, the mean tension of m kg is m g/4 or more, and less than its weight.
    if (mass == 0.0)
      EXPECT_NEAR(slack, 0.0, 1e-9);
    else
      EXPECT_TRUE(slack > 7.0 * 9.81 / 4 && slack < 7.0 * 9.81) << slack;
    // Reeled in at 0.75 m/s where it comes taut: the blow of a mass on a spring, v √(k m) beyond the weight.
    EXPECT_LT(most, 100 * 9.81 + 0.75 * std::sqrt(1e6 / 5.75 * 100)) << mass;
    EXPECT_NEAR(measure(w, "bodies.load.position.z"), -5.0, 0.02) << mass;
    EXPECT_LE(measure(w, "health.unconverged"), 2.0) << mass;
  }
}

TEST(HoistHanging, slack_spans_of_waved_joints_hang_as_those_of_a_hoist_do) {
  // Twice as long as the way, overhanging, above each other; and at a step of 20 ms undamped, where 55 kJ came of none.
  struct Case {
    Vec3 end;
    double length, damping, dt;
  };
  for (const Case& c : {Case{Vec3(10, 0, 0), 20, 0, 0.02}, Case{Vec3(10, 0, 10), 30, 3, 0.005},
                        Case{Vec3(0, 0, -5), 8, 3, 0.005}, Case{Vec3(10, 0, 0), 13, 0, 0.02}}) {
    double tension[2], length[2], start[2], end[2];
    for (const bool joints : {false, true}) {
      Description d = heavy(c.dt, 9.81);
      CableSettings s = hoist(1.0, 1e6);
      if (joints) s.model = CableModel::joints;
      s.waves = joints;
      s.length = c.length;
      s.waveDamping = c.damping;
      s.route = {hoistEnd("world"), hoistEnd("world", c.end)};
      d.cables.emplace_back("c", s);
      World w = make(d);
      start[joints] = measure(w, "energy.total");
      run(w, 8.0);
      tension[joints] = measure(w, "cables.c.spans.0.tension");
      length[joints] = measure(w, "cables.c.spans.0.length");
      end[joints] = measure(w, "energy.total");
    }
    EXPECT_NEAR(tension[1], tension[0], 1e-3 * tension[0]) << c.length;
    EXPECT_NEAR(length[1], length[0], 1e-6) << c.length;
    EXPECT_NEAR(end[1], end[0], 0.01 * std::fabs(end[0])) << c.length;
    EXPECT_LT(end[1], start[1] + 1.0) << c.length;
    EXPECT_GT(tension[1], 1.0) << c.length;
  }
}

}  // namespace
}  // namespace reeve::test
