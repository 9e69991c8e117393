// Hoist cables whose spans sag: weight is that of the curves, not of their chords.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cables/hoist_scenes.h"
#include "reeve/world/build.h"
#include "support/dice.h"
#include "support/peak.h"

namespace reeve::test {
namespace {

/// A load that runs free on a rope between two points. On a frictionless sheave both parts pull with one tension, and
/// at rest with one horizontal pull, so each carries half of the load: from it both rise as catenaries of one parameter
/// a = H/ρg that begin with the slope W/2H.
struct Ropeway {
  double across, rise;  ///< m, of the second end from the first
  double load, density, axial, length;
  double x = 0.0, z = 0.0, pull = 0.0;  ///< place of the load, tension at it
  double mean[2] = {0.0, 0.0};          ///< N, of the parts

  void solve() {
    double lo = 1e-3 * load * g, hi = 1e9;
    for (int it = 0; it < 200; ++it) {
      const double h = std::sqrt(lo * hi);
      (tooLong(h) ? lo : hi) = h;
    }
    tooLong(std::sqrt(lo * hi));
  }

 private:
  bool tooLong(double h) {
    const double a = h / (density * g), t0 = std::asinh(0.5 * load * g / h);
    const auto height = [&](double d) { return a * (std::cosh(t0 + d / a) - std::cosh(t0)); };
    double lo = 0.0, hi = across;
    for (int it = 0; it < 200; ++it) {
      x = 0.5 * (lo + hi);
      (height(across - x) - height(x) > rise ? lo : hi) = x;
    }
    double sum = 0.0, work = 0.0;
    for (const int part : {0, 1}) {
      const double t1 = t0 + (part == 0 ? x : across - x) / a, l = a * (std::sinh(t1) - std::sinh(t0));
      const double own = h * a * (0.5 * (t1 - t0) + 0.25 * (std::sinh(2 * t1) - std::sinh(2 * t0)));  // ∫ T ds
      mean[part] = own / l;
      sum += l, work += own;
    }
    z = -height(x);
    pull = h * std::cosh(t0);
    return sum > length * (1.0 + work / sum / axial);
  }
};

World ropeway(const Ropeway& r, double dt, int subdivisions, double drag, double damping) {
  Description d = heavy(dt, g);
  ParticleSettings p;
  p.mass = r.load;
  p.position = Vec3(r.x + 0.01 * r.across, 0, r.z);
  p.drag = drag;
  d.particles.emplace_back("load", p);
  CableSettings c = hoist(r.density, r.axial, subdivisions);
  c.length = r.length;
  c.waveDamping = damping;
  c.route = {hoistEnd("world"), hoistPoint("load"), hoistEnd("world", Vec3(r.across, 0, r.rise))};
  d.cables.emplace_back("c", c);
  return make(d);
}

TEST(HoistSag, a_load_on_two_sagging_spans_rests_where_two_catenaries_pull_alike) {
  // Sags from a hundredth to an eighth of the chord; kept from its place by a hundredth of the way, it returns.
  double least = 1.0, most = 0.0;
  for (const double rise : {0.0, 8.0, -15.0})
    for (const double slack : {1.01, 1.04, 1.2, 1.5}) {
      Ropeway r{100.0, rise, slack < 1.1 ? 60.0 : 10.0, 2.0, 1e7, slack * std::hypot(100.0, rise)};
      r.solve();
      World w = ropeway(r, 0.02, 40, 10.0, 0.5);
      run(w, 300.0);
      const auto at = [&](const char* path) { return measure(w, path); };
      EXPECT_NEAR(at("particles.load.position.x"), r.x, 0.2) << rise << " " << slack;
      EXPECT_NEAR(at("particles.load.position.z"), r.z, 0.05) << rise << " " << slack;
      EXPECT_NEAR(at("cables.c.spans.0.tension"), r.mean[0], 0.005 * r.mean[0]) << rise << " " << slack;
      EXPECT_NEAR(at("cables.c.spans.1.tension"), r.mean[1], 0.005 * r.mean[1]) << rise << " " << slack;
      EXPECT_NEAR(at("cables.c.links.1.force.z"), r.load * g, 0.001 * r.load * g) << rise << " " << slack;
      const double chord = std::hypot(100.0 - r.x, rise - r.z), ratio = at("cables.c.spans.1.sag") / chord;
      least = std::min(least, ratio), most = peak(most, ratio);
    }
  EXPECT_LT(least, 0.02);
  EXPECT_GT(most, 0.12);
}

/// From its lower end at 0 to a point `across` and `rise` from there, with the horizontal pull H.
struct Catenary {
  double length, top, sag, mean;  ///< top: tension at the second end; sag: across the chord
  Catenary(double across, double rise, double density, double h) {
    const double a = h / (density * g), y = 0.5 * across / a, tilt = std::asinh(0.5 * rise / (a * std::sinh(y)));
    const double t0 = tilt - y, t1 = tilt + y, lowest = std::asinh(rise / across);
    length = a * (std::sinh(t1) - std::sinh(t0));
    top = h * std::cosh(t1);
    mean = h * a * (0.5 * (t1 - t0) + 0.25 * (std::sinh(2 * t1) - std::sinh(2 * t0))) / length;
    const double x = a * (lowest - t0), z = a * (std::cosh(lowest) - std::cosh(t0));  // where it runs as the chord does
    sag = std::fabs(x * rise - z * across) / std::hypot(across, rise);
  }
};

TEST(HoistSag, a_rope_over_a_pulley_shares_its_length_as_two_catenaries_of_one_tension) {
  // 60 m on the one side and 40 m on the other of a mast of 8 m; the sags of both from 0.02 to 0.2 of their chords.
  const double density = 2.0, axial = 1e8;
  double least = 1.0, most = 0.0;
  for (const double pull : {4000.0, 2000.0, 1200.0, 900.0, 760.0}) {
    // Tension at the mast for the long side; the short one finds its own horizontal pull.
    const Catenary longer(60.0, 8.0, density, pull);
    double lo = 0.8 * pull, hi = 10.0 * pull;
    for (int it = 0; it < 200; ++it)
      (Catenary(40.0, 8.0, density, 0.5 * (lo + hi)).top < longer.top ? lo : hi) = 0.5 * (lo + hi);
    const Catenary shorter(40.0, 8.0, density, 0.5 * (lo + hi));
    ASSERT_NEAR(shorter.top, longer.top, 1e-6);
    Description d = heavy(0.01, g);
    CableSettings c = hoist(density, axial, 40);
    c.waveDamping = 1.0;
    const double length = longer.length + shorter.length;
    c.length = length - (longer.length * longer.mean + shorter.length * shorter.mean) / axial;
    c.route = {hoistEnd("world"), hoistPoint("world", Vec3(60, 0, 8)), hoistEnd("world", Vec3(100, 0, 0))};
    d.cables.emplace_back("c", c);
    World w = make(d);
    run(w, 60.0);
    EXPECT_NEAR(measure(w, "cables.c.spans.0.length"), longer.length, 3e-4 * longer.length) << pull;
    EXPECT_NEAR(measure(w, "cables.c.spans.0.sag"), longer.sag, 0.01 * longer.sag) << pull;
    EXPECT_NEAR(measure(w, "cables.c.spans.1.sag"), shorter.sag, 0.01 * shorter.sag) << pull;
    EXPECT_NEAR(measure(w, "cables.c.spans.0.tension"), longer.mean, 0.005 * longer.mean) << pull;
    EXPECT_NEAR(measure(w, "cables.c.spans.1.tension"), shorter.mean, 0.005 * shorter.mean) << pull;
    least = std::min(least, shorter.sag / std::hypot(40.0, 8.0));
    most = peak(most, longer.sag / std::hypot(60.0, 8.0));
  }
  EXPECT_LT(least, 0.03);
  EXPECT_GT(most, 0.2);
}

TEST(HoistSag, one_span_pulls_both_its_ends_as_a_catenary_does) {
  // T = H cosh at either end, their difference ρ g times the height between them.
  for (const double rise : {0.0, 5.0, -12.0})
    for (const double share : {1.005, 1.05, 1.2}) {
      const double across = 20.0, density = 3.0, length = share * std::hypot(across, rise);
      Description d = heavy(0.01, g);
      CableSettings c = hoist(density, 1e9, 60);
      c.length = length;
      c.waveDamping = 1.0;
      c.route = {hoistEnd("world"), hoistEnd("world", Vec3(across, 0, rise))};
      d.cables.emplace_back("c", c);
      World w = make(d);
      run(w, 30.0);
      double lo = 1e-3, hi = 50.0;  // sinh(y)/y = √(L² − v²)/X
      for (int it = 0; it < 200; ++it)
        (std::sinh(0.5 * (lo + hi)) / (0.5 * (lo + hi)) < std::sqrt(length * length - rise * rise) / across ? lo : hi) =
            0.5 * (lo + hi);
      const double y = 0.5 * (lo + hi), a = 0.5 * across / y, tilt = std::atanh(rise / length);
      const Vec3 first(measure(w, "cables.c.links.0.force.x"), measure(w, "cables.c.links.0.force.y"),
                       measure(w, "cables.c.links.0.force.z"));
      const Vec3 second(measure(w, "cables.c.links.1.force.x"), measure(w, "cables.c.links.1.force.y"),
                        measure(w, "cables.c.links.1.force.z"));
      const double h = density * g * a, weight = density * g * length;
      EXPECT_NEAR(first.norm(), h * std::cosh(tilt - y), 2e-3 * h) << rise << " " << share;
      EXPECT_NEAR(second.norm(), h * std::cosh(tilt + y), 2e-3 * h) << rise << " " << share;
      EXPECT_NEAR(second.norm() - first.norm(), density * g * rise, 1e-3 * weight) << rise << " " << share;
      EXPECT_NEAR(first.x() + second.x(), 0.0, 1e-6 * weight);
      EXPECT_NEAR(first.z() + second.z(), -weight, 1e-5 * weight) << rise << " " << share;
    }
}

TEST(HoistSag, where_a_run_rests_its_potential_is_least) {
  // Weight of the curves, of the load, and the stretch, from the drawn shape alone: at rest their derivative along any
  // motion of the load and of the curves is none.
  Ropeway r{60.0, 9.0, 60.0, 2.0, 1e5, 66.0};
  r.solve();
  const int pieces = 12;
  World w = ropeway(r, 0.02, pieces, 20.0, 1.0);
  run(w, 400.0);
  const Cable* cable = nullptr;
  for (const auto& element : w.model().elements)
    if (const auto* c = dynamic_cast<const Cable*>(element.get())) cable = c;
  ASSERT_TRUE(cable);
  std::vector<LinkView> links;
  std::vector<SpanView> spans;
  std::vector<Vec3> points;
  std::vector<double> tensions;
  Instant now;
  double length = 0.0, height = 0.0;  // of the arcs, and of their middle
  const auto potential = [&](const State& s) {
    now.bind(w.model(), s);
    now.rewind();
    now.evaluate();
    cable->view(now, s, links, spans);
    cable->draw(now, s, points, tensions);
    double sum = 0.0;
    length = 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t start = k * (pieces + 1);
      double z = 0.0;
      for (std::size_t m = 0; m < pieces; ++m) z += 0.5 * (points[start + m].z() + points[start + m + 1].z()) / pieces;
      sum += r.density * g * spans[k].length * z;
      length += spans[k].length;
    }
    height = sum / (r.density * g * length);
    sum *= r.length / length;  // a rope that is stretched weighs what it did
    return sum + r.load * g * spans[0].end.z() + 0.5 * r.axial / r.length * (length - r.length) * (length - r.length);
  };
  const auto& blocks = w.model().blocks;
  const Block* load = nullptr;
  for (const Block& b : blocks)
    if (b.free) load = &b;
  ASSERT_TRUE(load);
  Dice dice{7};
  double largest = 0.0;
  for (int trial = 0; trial < 8; ++trial) {
    std::vector<double> way(w.state().sheets[0].size() + 3, 0.0);
    const bool places = trial % 2 == 0, curves = trial % 4 != 0;
    for (std::size_t k = 0; places && k < 3; ++k) way[k] = dice.between(-1.0, 1.0);
    for (std::size_t i = 0; curves && i < 2; ++i)
      for (std::size_t m = 1; m < pieces; ++m)
        for (std::size_t c = 0; c < 2; ++c) way[3 + 2 * (i * (pieces + 1) + m) + c] = dice.between(-1.0, 1.0);
    const auto moved = [&](double by) {
      State s = w.state();
      for (std::size_t k = 0; k < 3; ++k) s.q[static_cast<std::size_t>(load->q) + k] += by * way[k];
      double* u = s.sheets[0].edit();
      for (std::size_t k = 3; k < way.size(); ++k) u[k - 3] += by * way[k];
      return potential(s);
    };
    // What would be left if a rope that is longer weighed ρ g more at the mean height.
    const double h = 1e-5, more = moved(h), longer = length, slope = (more - moved(-h)) / (2 * h);
    const double weighs = r.density * g * height * (longer - length) / (2 * h);
    largest = std::max(largest, std::fabs(weighs));
    EXPECT_NEAR(slope, 0.0, 0.05) << trial;  // of 589 N that the load alone weighs
  }
}

TEST(HoistSag, a_load_that_rolls_on_sagging_spans_gains_nothing) {
  // Let go 3 m beside its place, undamped: it rolls to and fro with what it has.
  for (const double density : {0.5, 2.0}) {
    Ropeway r{100.0, 5.0, 200.0, density, 1e6, 103.0};
    r.solve();
    r.x += 2.0;
    World w = ropeway(r, 0.01, 20, 0.0, 0.0);
    const double start = measure(w, "energy.total");
    double least = start, most = start, speed = 0.0;
    while (w.time() < 100.0) {
      ASSERT_TRUE(w.step().good);
      const double now = measure(w, "energy.total");
      least = std::min(least, now), most = peak(most, now);
      speed = peak(speed, std::fabs(measure(w, "particles.load.velocity.x")));
    }
    const double rolls = 0.5 * r.load * speed * speed;
    EXPECT_LT(most - start, 0.03 * rolls) << density;  // for a moment: quick waves
  }
}

TEST(HoistSag, two_loads_that_fly_apart_on_a_slack_heavy_cable_gain_nothing_when_they_are_caught) {
  // Half as far apart as the cable is long, so that it starts hanging in a U; 780 kJ where it started too long for
  // that.
  struct Pair {
    double load, density, axial, apart, speed, damping;
  };
  for (const Pair& c : {Pair{1000, 15, 1e8, 2.4, 3.0, 0.005}, Pair{1000, 15, 1e8, 2.4, 1.0, 0.02},
                        Pair{10, 0.3, 1e6, 1.2, 8.0, 0.01}, Pair{10, 0.15, 1e6, 1.2, 1.0, 0.01}}) {
    CableSettings cable = hoist(c.density, c.axial);
    cable.material.damping = c.damping;
    World w = make(thrownPair(c.load, c.apart, c.speed, 0.4 * c.speed, 0.004, cable));
    const double start = measure(w, "energy.total"), most = mostEnergy(w);
    EXPECT_LT(most, 1.03 * start) << c.load << " kg, " << c.speed << " m/s";
  }
}

TEST(HoistSag, what_hangs_falls_with_its_ends) {
  // 3 kg on either end of 4 kg of cable in a narrow U, let go: all of it falls with g, and keeps its energy.
  Description d = heavy(0.005, g);
  for (const bool second : {false, true}) {
    ParticleSettings p;
    p.mass = 3.0;
    p.position = Vec3(second ? 0.5 : 0.0, 0, 0);
    d.particles.emplace_back(second ? "b" : "a", p);
  }
  CableSettings c = hoist(1.0, 1e6);
  c.length = 4.0;
  c.route = {hoistEnd("a"), hoistEnd("b")};
  d.cables.emplace_back("c", c);
  World w = make(d);
  const double start = measure(w, "energy.total");
  run(w, 0.3);
  EXPECT_NEAR(measure(w, "particles.a.position.z"), -0.5 * g * 0.09, 1e-3);
  EXPECT_NEAR(measure(w, "particles.b.position.z"), -0.5 * g * 0.09, 1e-3);
  EXPECT_NEAR(measure(w, "energy.total"), start, 0.02);  // of 43 J that it has fallen
}

}  // namespace
}  // namespace reeve::test
