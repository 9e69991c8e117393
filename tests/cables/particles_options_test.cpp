// Options of particle cables against closed forms: doubles that keep the start shape, PBD's factor, Bezier starts,
// chunks.
#include "particles_scenes.h"
#include "reeve/cables/particles/curve.h"
#include "reeve/math/scalar.h"
#include "reeve/threads/threads.h"

namespace reeve::test {
namespace {

/// The angle at a particle between its neighbours, rad.
double angleAt(const World& w, int i) {
  const ParticleCable& c = particleCable(w);
  const Vec3 a = c.position(w.state(), i - 1) - c.position(w.state(), i);
  const Vec3 b = c.position(w.state(), i + 1) - c.position(w.state(), i);
  return math::atan2(a.cross(b).norm(), a.dot(b));
}

TEST(ParticleOptions, InitialDoublesKeepTheAnglesOfAnArc) {
  // Half a circle in pieces of equal length: every corner is pi − pi/12, and stays so while the cable falls, turns and
  // is pulled at one end; singles and doubles are three sides of each corner's triangle.
  const int n = 12;
  for (const bool direct : {false, true})
    for (const DoubleRest doubles : {DoubleRest::initial, DoubleRest::none}) {
      Description d = heavy(1.0 / 480, 9.81);
      CableSettings c = particleRope(Vec3(-0.3, 0, 0), Vec3(0.3, 0, 0), n, false, true);
      for (int i = 1; i < n; ++i)
        c.shape.push_back(0.3 * Vec3(-math::cos(math::pi * i / n), 0, math::sin(math::pi * i / n)));
      c.particles.curve = CurveType::polyline;
      c.particles.doubles = doubles;
      c.particles.direct = direct;
      c.particles.iterations = direct ? 4 : 4000;  // projections bend such an arch back slowly
      c.particles.substeps = direct ? 4 : 1;
      d.cables.emplace_back("rope", c);
      World w = make(d);
      const double corner = math::pi - math::pi / n;
      for (int i = 1; i < n; ++i) ASSERT_NEAR(angleAt(w, i), corner, 1e-9);
      run(w, 0.5);
      double worst = 0.0;
      for (int i = 1; i < n; ++i) worst = std::max(worst, std::fabs(angleAt(w, i) - corner));
      std::printf("doubles %s%s: corners off by %.1e rad\n", doubles == DoubleRest::initial ? "initial" : "none",
                  direct ? ", direct" : "", worst);
      if (doubles == DoubleRest::initial) {
        EXPECT_LT(worst, 0.01);
      } else {
        EXPECT_GT(worst, 0.2) << "without them it does not keep its shape";
      }
      EXPECT_GT((particleCable(w).position(w.state(), n) - Vec3(0.3, 0, 0)).norm(), 0.2) << "it has swung";
    }
}

TEST(ParticleOptions, PbdFactorLeavesTheShareOfAnErrorItSays) {
  // One segment, its lower end free, held above: at rest the step adds g h² and k of the error is taken off. With m
  // iterations e = (e + g h²)(1 − k)^m, and after the last one e = g h² q/(1 − q), q = (1 − k)^m.
  for (const double k : {0.25, 0.5, 0.9})
    for (const int iterations : {1, 3}) {
      Description d = heavy(0.01, 9.81);
      CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(0, 0, -1), 1, false, true);
      c.particles.way = ParticleWay::pbd;
      c.particles.stiffness = k;
      c.particles.iterations = iterations;
      c.particles.damping = 0.5;  // only to come to rest
      d.cables.emplace_back("rope", c);
      World w = make(d);
      run(w, 5.0);
      double q = 1.0;
      for (int i = 0; i < iterations; ++i) q *= 1.0 - k;
      const double stretch = -particleCable(w).position(w.state(), 1).z() - 1.0;
      EXPECT_NEAR(stretch, 9.81 * 1e-4 * q / (1.0 - q), 1e-9) << k << ", " << iterations;
      // The force is the weight all the same.
      EXPECT_NEAR(particleCable(w).tension(w.state(), 0), 9.81 * 0.05, 1e-6);
    }
}

TEST(ParticleOptions, BezierPieceIsTheCurveOfItsHandlesAtEqualArcLength) {
  const Vec3 p0(0, 0, 0), p1(0.2, 0, 0.6), p2(0.8, 0.3, 0.5), p3(1, 0, 0);
  Description d = still(0.01);
  CableSettings c = particleRope(p0, p3, 40);
  c.shape = {p1, p2};
  c.particles.curve = CurveType::bezier;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const ParticleCable& rope = particleCable(w);
  const auto bernstein = [&](double t) {
    const double r = 1.0 - t;
    return Vec3(r * r * r * p0 + 3 * r * r * t * p1 + 3 * r * t * t * p2 + t * t * t * p3);
  };
  // Arc length of the curve by a fine polygon, and where each particle should lie on it.
  const int fine = 200000;
  std::vector<double> arc{0.0};
  for (int i = 1; i <= fine; ++i)
    arc.push_back(arc.back() + (bernstein(static_cast<double>(i) / fine) - bernstein((i - 1.0) / fine)).norm());
  double worst = 0.0;
  for (int i = 0; i <= 40; ++i) {
    const double wanted = arc.back() * i / 40;
    const auto at = std::min<std::ptrdiff_t>(std::lower_bound(arc.begin(), arc.end(), wanted) - arc.begin(), fine);
    worst = std::max(worst, (rope.position(w.state(), i) - bernstein(static_cast<double>(at) / fine)).norm());
  }
  EXPECT_LT(worst, 2.0 * arc.back() / fine);
  double rests = 0.0;
  for (int i = 0; i < 40; ++i) rests += rope.rest(i);
  EXPECT_NEAR(rests, arc.back(), 2e-3 * arc.back());  // chords of a fortieth
}

TEST(ParticleOptions, ChunksGiveTheSameBitsOnAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {0, 1, 2, 4}) {
    Description d = heavy(1.0 / 240, 9.81);
    d.bodies.emplace_back("ground", ground());
    CableSettings c = particleRope(Vec3(-1, 0, 0.3), Vec3(1, 0.1, 0.3), 800, false, true);
    c.collides = true;
    c.material.radius = 0.002;
    c.particles.order = SolveOrder::chunks;
    c.particles.chunks = 7;
    c.particles.iterations = 8;
    d.cables.emplace_back("rope", c);
    World w = make(d);
    Threads pool(std::max(threads, 1));
    if (threads > 0) w.runWith(&pool);
    run(w, 0.3);
    hashes.push_back(w.hash());
    w.runWith(nullptr);
  }
  for (const std::uint64_t h : hashes) EXPECT_EQ(h, hashes[0]);
}

TEST(ParticleOptions, ChunksKeepLinearMomentum) {
  // A seam moves whole chunks, each by the share of its mass: no net impulse.
  Description d = still(1e-3);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(1, 0, 0), 30, true, true);
  c.shape = {Vec3(0.3, 0.2, 0.1), Vec3(0.6, -0.2, 0)};
  c.length = 1.15;
  c.particles.order = SolveOrder::chunks;
  c.particles.velocity = Vec3(0.2, 0, 0.1);
  c.particles.doubles = DoubleRest::straight;
  c.particles.doubleCompliance = 1e-3;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  const Vec3 before = particleCable(w).linearMomentum(w.state());
  run(w, 1.0);
  EXPECT_LT((particleCable(w).linearMomentum(w.state()) - before).norm(), 1e-12);
  EXPECT_GT(particleCable(w).velocity(w.state(), 0).norm(), 0.3) << "it must move within itself";
}

}  // namespace
}  // namespace reeve::test
