// Four spans solved side by side: the same as one by one, whoever is beside whom, and the same bits on every machine.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "reeve/cables/hoist/span_lanes.h"
#include "reeve/model/sheet.h"

namespace reeve::test {
namespace {

/// A span with some history, different for every seed.
struct Span {
  std::vector<double> u, a, b, c;
  WaveLane lane;
  Span(int n, int seed, double size) : u(2 * (static_cast<std::size_t>(n) + 1)), a(u), b(u), c(u) {
    for (int m = 0; m <= n; ++m)
      for (int k = 0; k < 2; ++k) {
        const std::size_t i = static_cast<std::size_t>(2 * m + k);
        const double x = static_cast<double>(m) / n, bump = m == 0 || m == n ? 0.0 : size;
        u[i] = bump * (4 * x * (1 - x) + 0.1 * std::sin(9 * x + k + seed));
        a[i] = 1e-3 * size * std::cos(7 * x - k + seed), b[i] = 0.9e-3 * size * std::cos(7.2 * x - k + seed);
        c[i] = 0.8e-3 * size * std::cos(7.5 * x + seed);
      }
    arcOf(u, n, 3.0, &lane.metric);
    lane.field = {u.data(), {a.data(), b.data(), c.data()}};
    WaveDrive& d = lane.drive;
    d.pieces = n;
    d.chord = 3.001;
    d.mass = 0.7 * lane.metric.link;
    d.tension = 700.0 + 100.0 * seed;
    d.damping = 0.3;
    d.gravity = Vec2(-6.0, 2.0);
    d.along = seed == 2 ? 4000.0 : 4.0;  // one hangs so heavy that the least pull counts
    d.shift[0] = Vec2(1e-4 * seed, 2e-4);
    d.shift[1] = Vec2(-2e-4, 1e-4);
    d.rate = 1500.0;
    d.scale = 4e-6 / 9;
    d.second = true;
  }
};

/// All that a group of spans says, and its shapes.
std::vector<double> solved(std::vector<Span>& spans, int n, bool wide, unsigned left = 15u) {
  Lanes lanes{};
  for (std::size_t i = 0; i < 4; ++i) {
    spans[i].lane.derivedAt = -1.0;
    if (left >> i & 1u) lanes[i] = &spans[i].lane;
  }
  std::vector<double> kept(lanesKept(n)), work(lanesWork(n)), out;
  prepareLanes(lanes, kept.data(), wide);
  EXPECT_EQ(solveLanes(lanes, kept.data(), work.data(), wide), 0u);
  for (std::size_t i = 0; i < 4; ++i) {
    if (!lanes[i]) continue;
    std::vector<double> u(spans[i].u.size()), change(u);
    Lanes one{};
    one[i] = lanes[i];
    LanePages pages;
    pages.u[i] = u.data(), pages.increment[i] = change.data();
    writeLanes(one, work.data(), pages, wide);
    const WaveOutcome& o = lanes[i]->out;
    for (const double x : {o.arc, o.eta, o.compliance, o.stiffness[0], o.stiffness[1], o.cross, o.force[0][0],
                           o.force[0][1], o.force[1][0], o.force[1][1], o.row[0][0], o.row[0][1], o.row[1][0],
                           o.row[1][1], o.shape.link, o.shape.eta, o.along[0]})
      out.push_back(x);
    out.insert(out.end(), u.begin(), u.end());
    out.insert(out.end(), change.begin(), change.end());
  }
  return out;
}

std::vector<Span> four(int n, double size) {
  std::vector<Span> spans;
  for (int i = 0; i < 4; ++i) spans.emplace_back(n, i, size);
  return spans;
}

TEST(HoistLanes, side_by_side_is_the_same_as_one_by_one) {
  for (const int n : {2, 3, 4, 17, 100})
    for (const double size : {1e-4, 0.006}) {
      std::vector<Span> spans = four(n, size);
      const std::vector<double> all = solved(spans, n, false);
      for (Span& s : spans) {
        std::vector<double> u(s.u.size()), work(waveWork(n));
        const WaveOutcome one = solveWave(s.lane.field, s.lane.metric, s.lane.drive, u.data(), work.data());
        const WaveOutcome& o = s.lane.out;
        EXPECT_NEAR(o.arc, one.arc, 1e-14 * one.arc) << n;
        EXPECT_NEAR(o.compliance, one.compliance, 1e-11 * one.compliance) << n;
        EXPECT_NEAR(o.shape.eta, one.shape.eta, 1e-13);
        EXPECT_NEAR(o.cross, one.cross, 1e-11 * one.stiffness[0]);
        for (int e = 0; e < 2; ++e) {
          EXPECT_NEAR(o.stiffness[e], one.stiffness[e], 1e-11 * one.stiffness[e]) << n;
          EXPECT_LT((o.force[e] - one.force[e]).norm(), 1e-11 * (one.force[e].norm() + s.lane.drive.tension)) << n;
          EXPECT_LT((o.row[e] - one.row[e]).norm(), 1e-11 * one.row[e].norm() + 1e-13) << n;
        }
      }
    }
}

TEST(HoistLanes, four_numbers_at_once_or_in_halves_are_the_same_bits) {
  if (!wideLanes()) GTEST_SKIP() << "this machine takes no four numbers at once";
  for (const int n : {2, 3, 8, 17, 100}) {
    std::vector<Span> spans = four(n, 0.01);
    const std::vector<double> halves = solved(spans, n, false), whole = solved(spans, n, true);
    ASSERT_EQ(halves.size(), whole.size());
    for (std::size_t i = 0; i < halves.size(); ++i)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(halves[i]), std::bit_cast<std::uint64_t>(whole[i])) << n << " at " << i;
  }
}

TEST(HoistLanes, the_published_scheme_is_the_same_bits_too_and_as_published) {
  for (const int n : {2, 3, 4, 5, 8, 17, 100})
    for (const double rush : {0.0, 0.3}) {
      const Span s(n, 1, 0.02);
      ExplicitDrive d;
      d.pieces = n;
      d.h = 1e-4;
      d.chord = 3.0;
      d.speed2 = 900.0;
      d.damping = 0.5;
      d.gravity = Vec2(-9.0, 1.0);
      d.velocity[1] = Vec2(rush, 2 * rush);
      std::vector<double> u[2] = {s.u, s.u}, step[2] = {s.a, s.a};
      PowerSums sums[2];
      for (const bool wide : {false, wideLanes()})
        sums[wide] = stepWaveExplicitly(d, s.u.data(), s.a.data(), u[wide].data(), step[wide].data(), wide);
      const double level = d.chord / n, spring = d.h * d.h * d.speed2 / (level * level), loss = 0.5 * d.damping * d.h;
      double e1 = 0.0;
      for (int m = 1; m < n; ++m)
        for (int c = 0; c < 2; ++c) {
          const std::size_t i = static_cast<std::size_t>(2 * m + c);
          const double push = d.gravity[c] - d.damping * d.velocity[1][c] * m / n;
          const double change =
              ((1 - loss) * s.a[i] + spring * (s.u[i - 2] - 2 * s.u[i] + s.u[i + 2]) + d.h * d.h * push) / (1 + loss);
          EXPECT_NEAR(step[0][i], change, 1e-16) << n << " at " << m;
          EXPECT_EQ(u[0][i], s.u[i] + step[0][i]) << n << " at " << m;
        }
      for (std::size_t i = 2; i < u[0].size(); ++i) e1 += (u[0][i] - u[0][i - 2]) * (u[0][i] - u[0][i - 2]);
      EXPECT_NEAR(sums[0].s1, e1, 1e-14 * e1) << n;
      if (!wideLanes()) continue;
      EXPECT_EQ(u[0], u[1]) << n;
      EXPECT_EQ(step[0], step[1]) << n;
      EXPECT_EQ(sums[0].s1, sums[1].s1) << n;
      EXPECT_EQ(sums[0].s2, sums[1].s2) << n;
    }
}

TEST(HoistLanes, it_does_not_matter_who_is_beside_whom) {
  const int n = 20;
  std::vector<Span> spans = four(n, 1e-3);
  const std::vector<double> all = solved(spans, n, wideLanes());
  const std::size_t each = all.size() / 4;
  for (unsigned i = 0; i < 4; ++i) {
    const std::vector<double> alone = solved(spans, n, wideLanes(), 1u << i);
    for (std::size_t k = 0; k < each; ++k) ASSERT_EQ(alone[k], all[i * each + k]) << i << " at " << k;
  }
}

TEST(HoistLanes, copies_of_a_sheet_share_until_one_is_written) {
  Sheet a(3, Sheet());
  a.edit()[1] = 5.0;
  Sheet b = a;
  EXPECT_EQ(a.data(), b.data());
  b.edit()[1] = 7.0;
  EXPECT_EQ(a.data()[1], 5.0);
  EXPECT_EQ(b.data()[1], 7.0);
  const double* waits = b.data();
  b = a;  // nobody holds the second page any more
  EXPECT_EQ(b.renew(), waits);
  EXPECT_EQ(a.data()[1], 5.0);
}

}  // namespace
}  // namespace reeve::test
