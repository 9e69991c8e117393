// Waves on a span: frequencies, sag, pulses, hanging shapes; the kernel's derivatives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cables/hoist_scenes.h"
#include "reeve/cables/hoist/span_wave.h"
#include "reeve/geometry/hanging.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

/// A field with some history, for derivative checks.
struct Sample {
  static constexpr int n = 9;
  std::vector<double> u, a, b, c, out, work;
  WaveMetric metric;
  WaveDrive drive;
  Sample() : u(2 * (n + 1)), a(u), b(u), c(u), out(u), work(waveWork(n)) {
    for (int m = 0; m <= n; ++m)
      for (int k = 0; k < 2; ++k) {
        const std::size_t i = static_cast<std::size_t>(2 * m + k);
        const double bump = m == 0 || m == n ? 0.0 : 1.0;
        u[i] = bump * 0.004 * std::sin(1.3 * m + k);
        a[i] = 1e-3 * std::cos(0.7 * m - k), b[i] = 0.9e-3 * std::cos(0.72 * m - k), c[i] = 0.8e-3 * std::cos(0.75 * m);
      }
    drive.pieces = n;
    drive.chord = 3.0;
    drive.mass = 0.4;
    drive.tension = 700.0;
    drive.damping = 0.3;
    drive.gravity = Vec2(-6.0, 2.0);
    drive.along = 4.0;
    drive.shift[0] = Vec2(1e-3, 2e-3);
    drive.shift[1] = Vec2(-2e-3, 1e-3);
    drive.rate = 1.5 / 0.01;
    drive.scale = 4e-4 / 9 * 1.0;
    drive.second = true;
    arcOf(u, n, 2.999, &metric);
  }
  WaveOutcome solve() {
    const WaveField field{u.data(), {a.data(), b.data(), c.data()}};
    return solveWave(field, metric, drive, out.data(), work.data());
  }
};

TEST(HoistWave, what_the_ends_feel_and_the_row_sees_of_a_change_of_tension_are_one_vector) {
  // dF/dλ and the row's gradient are the same numbers: the condensed system is symmetric, as the whole one is.
  Sample s;
  s.drive.scale = 4.0 / 9.0 * 1e-4;
  const WaveOutcome w = s.solve();
  const double step = 1e-3;
  s.drive.tension += step;
  const WaveOutcome up = s.solve();
  s.drive.tension -= 2 * step;
  const WaveOutcome down = s.solve();
  s.drive.tension += step;
  for (int e = 0; e < 2; ++e)
    for (int c = 0; c < 2; ++c)
      EXPECT_NEAR(-(up.force[e][c] - down.force[e][c]) / (2 * step), w.row[e][c], 1e-7 + 1e-6 * std::fabs(w.row[e][c]));
  // The length changes with the tension as the compliance says; the metric is that of the start of the step, so to a
  // share of slope².
  EXPECT_NEAR(-(up.arc - down.arc) / (2 * step), w.compliance, 0.02 * w.compliance);
  EXPECT_GT(w.compliance, 0.0);
}

TEST(HoistWave, row_gradient_is_the_change_of_arc_length_with_the_ends) {
  Sample s;
  s.drive.scale = 4.0 / 9.0 * 1e-4;
  const WaveOutcome w = s.solve();
  for (int e = 0; e < 2; ++e)
    for (int c = 0; c < 2; ++c) {
      const double step = 1e-6;
      s.drive.shift[e][c] += step;
      const double up = s.solve().arc;
      s.drive.shift[e][c] -= 2 * step;
      const double down = s.solve().arc;
      s.drive.shift[e][c] += step;
      // Frozen metric and weight along the chord: a few parts in a hundred of a slope.
      EXPECT_NEAR((up - down) / (2 * step), w.row[e][c], 2e-3);
    }
}

TEST(HoistWave, arc_of_equal_links_is_exact) {
  // Links of length δ: a zigzag with slope t has δ = √(d² + t²), up to the 78° where a link begins to give way.
  for (const double t : {1e-3, 0.01, 0.2, 1.0}) {
    const int n = 10;
    std::vector<double> u(2 * (n + 1), 0.0);
    for (int m = 1; m < n; m += 2) u[static_cast<std::size_t>(2 * m)] = t;
    WaveMetric metric;
    const double arc = arcOf(u, n, 5.0, &metric), link = std::sqrt(0.25 + t * t);
    EXPECT_NEAR(arc, n * link, 1e-13 * arc) << t;
    EXPECT_NEAR(metric.eta, 0.5 / link, 1e-12);
  }
}

/// Frequency of a decaying or steady oscillation, by its zero crossings.
double frequencyOf(const std::vector<double>& x, double dt) {
  double first = 0.0, last = 0.0;
  int crossings = 0;
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[i - 1] < 0.0 && x[i] >= 0.0) {
      const double t = (static_cast<double>(i) - x[i] / (x[i] - x[i - 1])) * dt;
      if (crossings++ == 0) first = t;
      last = t;
    }
  return crossings > 1 ? (crossings - 1) / (last - first) : 0.0;
}

TEST(HoistWave, first_five_modes_of_a_plucked_span_are_within_a_percent) {
  const double l = 10.0, rho = 0.5, tension = 2000.0, speed = std::sqrt(tension / rho);
  const double omega5 = 5 * std::numbers::pi * speed / l, dt = 0.1 / omega5;
  struct Case {
    int pieces;
    WaveScheme scheme;
  };
  // The published scheme lumps its mass: mode 5 is at sin(x)/x, x = 5π/2M, which is 2.6 % low at M = 20.
  for (const auto& [pieces, scheme] :
       {Case{20, WaveScheme::implicitly}, Case{40, WaveScheme::implicitly}, Case{40, WaveScheme::explicitly}}) {
    Description d = strung(l, rho, 1e7, tension, pieces, dt, 0.0);
    d.cables[0].second.waveScheme = scheme;
    // Drawn aside at 3/10 all of the first five modes are in it.
    d.cables[0].second.pluck = Vec3(0, 0, 1e-3);
    d.cables[0].second.pluckAt = 0.3;
    World w = make(d);
    const int steps = static_cast<int>(4.0 * 2 * l / speed / dt);
    std::vector<std::vector<double>> mode(5);
    for (int i = 0; i < steps; ++i) {
      w.step();
      const auto points = w.observe().cables[0].second.polyline;
      for (std::size_t k = 0; k < 5; ++k) {
        double sum = 0.0;
        for (const Vec3& p : points)
          sum += p.z() * std::sin((static_cast<double>(k) + 1) * std::numbers::pi * p.x() / l);
        mode[k].push_back(sum);
      }
    }
    for (std::size_t k = 0; k < 5; ++k) {
      const double wanted = (static_cast<double>(k) + 1) / (2 * l) * speed;
      EXPECT_NEAR(frequencyOf(mode[k], dt) / wanted, 1.0, 0.01) << "mode " << k + 1 << ", M = " << pieces;
      RecordProperty("mode", std::to_string(frequencyOf(mode[k], dt) / wanted));
    }
  }
}

TEST(HoistWave, settled_sag_is_that_of_the_parabola) {
  // Static: with damping, after a while. T is what the stretched and sagging cable has, read off the model.
  for (const WaveScheme scheme : {WaveScheme::implicitly, WaveScheme::explicitly}) {
    const double dt = scheme == WaveScheme::implicitly ? 0.01 : 0.005;
    Description d = strung(20.0, 1.0, 1e7, 5000.0, 20, dt, 9.81);
    d.cables[0].second.waveScheme = scheme;
    d.cables[0].second.waveDamping = 8.0;
    World w = make(d);
    run(w, 6.0);
    const double tension = measure(w, "cables.c.spans.0.tension"), sag = measure(w, "cables.c.spans.0.sag");
    EXPECT_NEAR(sag / (9.81 * 400 / (8 * tension)), 1.0, 0.01);
  }
}

TEST(HoistWave, implicit_is_bounded_a_hundred_times_over_the_explicit_limit) {
  const double l = 20.0, rho = 1.0, tension = 5000.0;
  const int pieces = 50;
  const double limit = l / pieces / std::sqrt(tension / rho);
  for (const double axial : {1e6, 1e8, 1e10}) {
    Description d = strung(l, rho, axial, tension, pieces, 100 * limit, 9.81);
    World w = make(d);
    double most = 0.0;
    for (int i = 0; i < 400; ++i) {
      w.step();
      most = peak(most, measure(w, "cables.c.spans.0.sag"));
    }
    const double t = measure(w, "cables.c.spans.0.tension"), sag = measure(w, "cables.c.spans.0.sag");
    EXPECT_NEAR(sag / (9.81 * l * l / (8 * t)), 1.0, 0.01) << axial;
    EXPECT_LT(most, 3 * sag) << axial;
    EXPECT_EQ(measure(w, "health.unconverged"), 0.0) << axial;
  }
}

TEST(HoistWave, slack_span_hangs_in_its_catenary) {
  // 10 m wide, level and inclined; rest length up to half as much again. The links are a chain's, so the polygon is
  // right to the links' own coarseness: δ²/8c at the lowest point is 3 mm at most here, and 1 % of the sag is more.
  struct Case {
    double rise, excess;
  };
  for (const Case k : {Case{0, 1.02}, Case{0, 1.1}, Case{0, 1.5}, Case{4, 1.02}, Case{4, 1.2}}) {
    Description d = heavy(0.02, 9.81);
    CableSettings c = hoist(2.0, 1e8, 40);
    const Vec3 end(10, 0, k.rise);
    c.length = k.excess * end.norm();
    c.waveDamping = 3.0;
    c.route = {hoistEnd("world"), hoistEnd("world", end)};
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 8.5);
    const HangingCurve curve = hangingCurve(Vec3::Zero(), end, *c.length, Vec3(0, 0, -9.81));
    const auto points = w.observe().cables[0].second.polyline;
    double worst = 0.0;
    for (std::size_t m = 0; m < points.size(); ++m)
      worst = std::max(worst, (points[m] - curve.at(*c.length * static_cast<double>(m) / 40)).norm());
    EXPECT_LT(worst, 0.003) << "rise " << k.rise << ", excess " << k.excess;
    // The mean tension lies between that at the lowest point and that at the higher end.
    const double level = 2.0 * 9.81 * curve.parameter;
    EXPECT_GT(measure(w, "cables.c.spans.0.tension"), level);
    EXPECT_EQ(measure(w, "health.unconverged"), 0.0);
  }
}

TEST(HoistWave, a_span_let_go_straight_falls_into_its_catenary) {
  // Straight at the start and 2 % too long, it falls, is caught and swings out.
  Description d = heavy(0.01, 9.81);
  CableSettings c = hoist(2.0, 1e6, 40);
  c.pluck = Vec3(0, 0, 1e-6);  // as good as straight: a plucked cable does not start hanging
  c.length = 10.2;
  c.waveDamping = 3.0;
  c.route = {hoistEnd("world"), hoistEnd("world", Vec3(10, 0, 0))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  EXPECT_EQ(measure(w, "cables.c.spans.0.tension"), 0.0);
  run(w, 10.0);
  const HangingCurve curve = hangingCurve(Vec3::Zero(), Vec3(10, 0, 0), 10.2, Vec3(0, 0, -9.81));
  EXPECT_NEAR(measure(w, "cables.c.spans.0.sag"), curve.dip(), 0.01 * curve.dip());
}

TEST(HoistWave, a_span_steeper_than_a_wave_can_be_stays_finite) {
  // Overhanging: the lower part of the cable hangs beyond its end, which no wave across the chord can show.
  Description d = heavy(0.02, 9.81);
  CableSettings c = hoist(2.0, 1e8, 40);
  c.length = 30.0;
  c.route = {hoistEnd("world"), hoistEnd("world", Vec3(2, 0, 9))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(w.step().good);
  EXPECT_TRUE(std::isfinite(measure(w, "cables.c.spans.0.tension")));
  EXPECT_LT(measure(w, "cables.c.spans.0.sag"), 100.0);
}

TEST(HoistWave, a_pulse_travels_at_the_speed_of_waves) {
  // The first end is nudged sideways and back; the pulse arrives at two places of the span.
  const double l = 40.0, rho = 0.8, tension = 8000.0, speed = std::sqrt(tension / rho);
  Description d = still(2e-4);
  BodySettings hand;
  hand.motion = BodyMotion::kinematic;
  hand.prescribed.emplace();
  hand.prescribed->along = Vec3::UnitY();
  hand.prescribed->travel.table = {Vec2(0, 0), Vec2(0.02, 0.01), Vec2(0.04, 0)};
  hand.prescribed->travel.smooth = true;
  d.bodies.emplace_back("hand", hand);
  CableSettings c = hoist(rho, 1e8, 200);
  c.tension = tension;
  c.route = {hoistEnd("hand"), hoistEnd("world", Vec3(l, 0, 0))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  double peak[2] = {0, 0}, when[2] = {0, 0};
  while (w.time() < 0.38) {
    w.step();
    const auto points = w.observe().cables[0].second.polyline;
    for (int k = 0; k < 2; ++k) {
      const double y = points[k == 0 ? 50 : 150].y();
      if (y > peak[k]) peak[k] = y, when[k] = w.time();
    }
  }
  EXPECT_NEAR(l / 2 / (when[1] - when[0]) / speed, 1.0, 0.01);
  EXPECT_NEAR(peak[1], 0.01, 0.001);
}

TEST(HoistWave, the_frame_passes_the_vertical_without_a_turn) {
  // A span swung through the vertical keeps the shape of its wave: drawn aside along y, which no swing in xz concerns.
  Description d = still(0.002);
  BodySettings hand;
  hand.motion = BodyMotion::kinematic;
  hand.prescribed.emplace();
  hand.prescribed->about = Vec3::UnitY();
  hand.prescribed->turn.table = {Vec2(0, 0), Vec2(3.0, 3.0)};
  hand.prescribed->turn.smooth = true;
  d.bodies.emplace_back("hand", hand);
  CableSettings c = hoist(0.5, 1e5, 20);  // soft, so that the tension stays what it is
  c.tension = 500.0;
  c.pluck = Vec3(0, 0.05, 0);
  c.route = {hoistEnd("hand"), hoistEnd("hand", Vec3(4, 0, 0.01))};
  d.cables.emplace_back("c", c);
  World w = make(d);
  double aside = 0.0, other = 0.0;
  for (int i = 0; i < 1500; ++i) {
    w.step();
    const Quat turn = w.observe().bodies[0].second.orientation;
    const Vec3 middle = turn.conjugate() * w.observe().cables[0].second.polyline[10];
    aside = std::max(aside, std::fabs(middle.y()));
    other = std::max(other, std::fabs(middle.z() - 0.005));
  }
  EXPECT_NEAR(aside, 0.05, 0.005);
  // In the plane of the swing only its own inertia bends it: ρ α r l²/8T with α up to 2 rad/s², set on at once, so
  // twice that.
  EXPECT_LT(other, 2 * 0.5 * 2.0 * 2.0 * 16 / (8 * 500.0) * 1.3);
}

}  // namespace
}  // namespace reeve::test
