// Spans of a hoist cable over a level floor: they lie on it, in a heap where there is too much of them.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "cables/hoist_scenes.h"
#include "reeve/cables/hoist/lying_span.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

/// The catenary's parameter of a cable of length L that lies between legs of these heights, X apart, by halving: the
/// legs are √(h² + 2ch) long and c arcosh(1 + h/c) wide.
double lyingParameter(double across, double a, double b, double length) {
  const auto more = [&](double c) {
    double sum = across - length;
    for (const double h : {a, b}) sum += std::sqrt(h * h + 2 * c * h) - c * std::acosh(1 + h / c);
    return sum;
  };
  double low = 1e-9, high = 1e9;
  for (int i = 0; i < 200; ++i) {
    const double c = std::sqrt(low * high);
    (more(c) > 0.0 ? low : high) = c;
  }
  return low;
}

TEST(LyingSpan, pulls_and_tension_are_one_gradient_and_its_derivatives_the_hessian) {
  struct Case {
    double across, a, b, length;
    bool lies;
  };
  for (const Case k : {Case{10, 1, 1, 10.8, true}, Case{10, 1, 1, 13, true}, Case{10, 3, 0.2, 11.5, true},
                       Case{0.02, 6, 0.4, 12, true}, Case{40, 1, 2, 40.3, true}, Case{10, 1, 0, 10.4, true},
                       Case{10, 5, 4, 11, false}, Case{1, 9, 9, 18, false}}) {
    const double weight = 40.0, e = 2e-7 * k.length;
    const double at[4] = {k.across, k.a, k.b, k.length};
    const auto span = [&](int i, double d) {
      double x[4];
      for (int j = 0; j < 4; ++j) x[j] = at[j] + (i == j ? d : 0.0);
      return lyingSpan(x[0], {x[1], x[2]}, x[3], weight, {.trace = 1e-3});
    };
    const LyingSpan here = span(0, 0.0);
    EXPECT_EQ(here.lies, k.lies);
    for (int i = 0; i < 4; ++i) {
      const LyingSpan p = span(i, -e), q = span(i, e);
      const Eigen::Vector4d slope(q.horizontal - p.horizontal, q.vertical[0] - p.vertical[0],
                                  q.vertical[1] - p.vertical[1], p.tension - q.tension);
      const double size = here.hessian.cwiseAbs().maxCoeff();
      for (int j = 0; j < 4; ++j)
        EXPECT_NEAR(slope[j] / (2 * e), here.hessian(j, i), 1e-5 * size)
            << k.across << " " << k.length << ": " << j << i;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(here.hessian);
    EXPECT_GT(solver.eigenvalues()[0], -1e-9 * here.hessian.cwiseAbs().maxCoeff()) << "convex";
  }
}

TEST(LyingSpan, nothing_jumps_where_it_comes_down_on_the_floor_or_into_a_heap) {
  // 10 m across, 1 m above the floor: a free catenary touches it where c (cosh(5/c) − 1) = 1.
  double low = 5.0, high = 50.0;
  for (int i = 0; i < 100; ++i) {
    const double c = 0.5 * (low + high);
    (c * (std::cosh(5.0 / c) - 1.0) > 1.0 ? low : high) = c;
  }
  const double touch = 2.0 * low * std::sinh(5.0 / low), heap = 12.0;
  for (const double length : {touch, heap}) {
    const LyingSpan p = lyingSpan(10, {1, 1}, length - 1e-8, 100, {.trace = 1e-4}),
                    q = lyingSpan(10, {1, 1}, length + 1e-8, 100, {.trace = 1e-4});
    EXPECT_NEAR(p.horizontal, q.horizontal, 1e-4);
    EXPECT_NEAR(p.vertical[0], q.vertical[0], 1e-4);
    EXPECT_NEAR(p.tension, q.tension, 1e-4);
  }
  EXPECT_FALSE(lyingSpan(10, {1, 1}, touch - 1e-4, 100, {.trace = 1e-4}).lies);
  EXPECT_TRUE(lyingSpan(10, {1, 1}, touch + 1e-4, 100, {.trace = 1e-4}).lies);
  EXPECT_EQ(lyingSpan(10, {1, 1}, 11.9, 100, {.trace = 1e-4}).heap, 0.0);
  EXPECT_NEAR(lyingSpan(10, {1, 1}, 13, 100, {.trace = 1e-4}).heap, 1.0, 1e-3);
}

TEST(LyingSpan, its_tension_is_the_mean_along_its_curve_and_its_energy_that_of_the_curve) {
  for (const double length : {10.8, 13.0}) {
    const Vec3 a(0, 0, 1.5), b(10, 0, 0.7);
    const LyingSpan span = lyingSpan(10, {1.5, 0.7}, length, 2.0 * length, {.trace = 1e-4});
    const LyingCurve curve = lyingCurve(a, b, length, Vec3(0, 0, -9.81), 0.0, 10.0);
    EXPECT_LT((curve.at(0) - a).norm() + (curve.at(length) - b).norm(), 1e-4);
    double sum = 0.0, walked = 0.0;
    Vec3 last = a;
    for (int i = 1; i <= 20000; ++i) {
      const Vec3 here = curve.at(length * i / 20000);
      EXPECT_GE(here.z(), -1e-12);
      walked += (here - last).norm();
      sum += span.horizontal + 2.0 * 0.5 * (here + last).z();
      last = here;
    }
    EXPECT_NEAR(span.tension / (sum / 20000), 1.0, 1e-4);
    EXPECT_NEAR(walked + span.heap, length, 1e-3);
  }
}

/// A cable between two points above a floor at z = 0, let go straight or hanging.
World over(Vec3 first, Vec3 second, double length, double dt, int subdivisions, double seconds) {
  Description d = heavy(dt, 9.81);
  d.bodies.emplace_back("floor", ground());
  CableSettings c = hoist(2.0, 1e8, subdivisions);
  c.length = length;
  c.material.radius = 1e-6;
  c.waveDamping = 2.0;
  c.candidates = {"floor"};
  c.route = {hoistEnd("world", first), hoistEnd("world", second)};
  d.cables.emplace_back("c", c);
  World w = make(d);
  run(w, seconds);
  return w;
}

TEST(HoistFloor, a_cable_that_lies_in_part_is_the_catenary_to_where_it_touches) {
  struct Case {
    Vec3 first, second;
    double length;
  };
  for (const Case& k : {Case{Vec3(0, 0, 1), Vec3(10, 0, 1), 10.8}, Case{Vec3(0, 0, 3), Vec3(6, 8, 0.5), 11.6}})
    for (const double dt : {0.002, 0.01}) {
      const int n = 200;
      const World w = over(k.first, k.second, k.length, dt, n, 2.0);
      const double across = (k.second - k.first).head<2>().norm();
      const double c = lyingParameter(across, k.first.z(), k.second.z(), k.length), weight = 2.0 * 9.81;
      // Touch-down: where the polyline leaves the floor, to a link.
      const CableObservation cable = cableOf(w);
      double touch[2] = {across, 0.0}, lowest = 1.0;
      for (const Vec3& p : cable.polyline) {
        const double along = (p - k.first).head<2>().norm();
        lowest = std::min(lowest, p.z());
        if (p.z() > 2e-6) continue;
        touch[0] = std::min(touch[0], along);
        touch[1] = std::max(touch[1], along);
      }
      EXPECT_NEAR(touch[0], c * std::acosh(1 + k.first.z() / c), k.length / n);
      EXPECT_NEAR(touch[1], across - c * std::acosh(1 + k.second.z() / c), k.length / n);
      EXPECT_GE(lowest, -1e-12);
      // The mean tension: w c where it lies, w (c + z) on the legs.
      double heights = 0.0;
      for (const double h : {k.first.z(), k.second.z()}) {
        const double s = std::sqrt(h * h + 2 * c * h);
        heights += 0.5 * (s * (h - c) + c * c * std::acosh(1 + h / c));
      }
      EXPECT_NEAR(cable.spans[0].tension / (weight * (c + heights / k.length)), 1.0, 1e-4);
      EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
      EXPECT_EQ(cable.spans.size(), 1u) << "no nodes";
    }
}

TEST(HoistFloor, what_is_paid_out_over_a_load_on_the_floor_lies_there_in_a_heap_and_comes_in_again) {
  Description d = heavy(0.005, 9.81);
  d.bodies.emplace_back("floor", ground());
  BodySettings load = rigid(50.0, Vec3::Constant(1.3), Vec3(0, 0, 2));
  load.shapes.push_back(box(Vec3(0.4, 0.4, 0.4)));
  d.bodies.emplace_back("load", load);
  CableSettings c = hoist(1.0, 1e6);
  c.waveDamping = 1.0;
  c.candidates = {"floor"};
  c.payout.table = {Vec2(1, 0), Vec2(9, 8), Vec2(12, 8), Vec2(20, 1)};
  c.route = {hoistEnd("world", Vec3(0, 0, 6)), hoistEnd("load", Vec3(0, 0, 0.2))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  double lowest = 1.0, most = 0.0;
  while (w.time() < 21.0) {
    ASSERT_TRUE(w.step().good) << w.time();
    for (const Vec3& p : cableOf(w).polyline) lowest = std::min(lowest, p.z());
    if (w.time() > 10.0 && w.time() < 12.0) most = peak(most, measure(w, "cables.c.spans.0.tension"));
  }
  EXPECT_GE(lowest, -0.02) << "but for the step in which it comes down";
  // A leg of 6 m over 11.8 m of cable: ρ g ∫z/L.
  EXPECT_NEAR(most / (9.81 * 0.5 * (6.0 * 6.0 + 0.4 * 0.4) / 11.8), 1.0, 0.01);
  EXPECT_NEAR(measure(w, "bodies.load.position.z"), 1.0, 0.05) << "1 m paid out";
  EXPECT_LE(measure(w, "health.unconverged"), 2.0);
}

TEST(HoistFloor, a_step_of_a_lying_cable_costs_no_more_than_one_that_hangs) {
  // 13 m over 10 m: it falls, lies in a heap, and comes to rest in one iteration.
  const World w = over(Vec3(0, 0, 1), Vec3(10, 0, 1), 13.0, 0.002, 40, 3.0);
  EXPECT_LE(measure(w, "health.iterations"), 2.0);
  EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
  EXPECT_NEAR(cableOf(w).spans[0].tension / (2.0 * 9.81 / 13.0), 1.0, 0.01) << "two legs of 1 m";
}

}  // namespace
}  // namespace reeve::test
