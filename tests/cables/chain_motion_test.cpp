// Chains in motion: heavy loads, catenary, momentum, contact, errors.
#include "cables/chain_scenes.h"
#include "reeve/geometry/hanging.h"
#include "reeve/model/element.h"
#include "reeve/model/kinetics.h"
#include "reeve/model/model.h"
#include "reeve/model/state.h"

namespace reeve::test {
namespace {

/// 12 m of cable in n segments of 1 kg with a load at its end, held horizontal.
Description heavyChain(int n, double load, double bending, double axial, TwistMeasure twist = TwistMeasure::parallel) {
  Description d = heavy(1.0 / 60);
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = n;
  c.collides = false;
  c.twist = twist;
  c.material.mass = n / 12.0;
  c.material.radius = 0.02;
  c.material.axial = axial;
  c.material.bending = bending;
  c.material.torsion = bending / 1.3;
  d.bodies.emplace_back("load", rigid(load, Vec3::Constant(load * 0.02), Vec3(12, 0, 0)));
  c.route = {chainEnd("world"), chainEnd("load", Vec3::Zero(), bending > 0.0 ? EndHold::clamped : EndHold::pinned)};
  d.cables.emplace_back("cable", c);
  return d;
}

class HeavyChainCable : public ::testing::TestWithParam<double> {};

TEST_P(HeavyChainCable, WithBendingHoldsToAMillionthAndKeepsItsSwing) {
  // 1e-4 of strain at the bottom of the swing; the light load whips, and is held by a chain that does not stretch.
  const double load = GetParam(), axial = load < 1e3 ? unbounded : 3e5 * load;
  for (const double bending : {load > 1e8 ? 5000.0 : 5.0, 500.0}) {
    Description d = heavyChain(24, load, bending, axial);
    if (load > 1e8) d.settings.tolerance = 1e-9;  // rounding of 1e10 N moves a kilogram by 3e-10 m in a step
    World w = make(std::move(d));
    const int slot = w.model().elements.back()->slot;
    const auto total = w.resolve("energy.total");
    const double start = w.read(*total), swing = load * 120.0;
    double gain = 0.0, beyond = 0.0, iterations = 0.0;
    for (int i = 0; i < 1800 && w.step().good; ++i) {
      gain = std::max(gain, (w.read(*total) - start) / swing);
      iterations += w.observe().health.iterations / 1800.0;
      const auto spans = cableOf(w).spans;
      for (std::size_t k = 0; k < spans.size(); ++k) {
        const double* f =
            &w.state().force[static_cast<std::size_t>(slot) + 6 * k];  // the force in the joint, world axes
        beyond = std::max(beyond, spans[k].length / spans[k].rest - 1.0 - Vec3(f[0], f[1], f[2]).norm() / axial);
      }
    }
    EXPECT_TRUE(w.verdict().good) << w.verdict().reason;
    const double kept = 1.0 + (w.read(*total) - start) / swing;
    std::printf("load %g, EI %g: stretch beyond T/EA %.1e gain %.1e kept %.4f iterations %.2f unconverged %lld\n", load,
                bending, beyond, gain, kept, iterations, static_cast<long long>(w.observe().health.unconverged));
    EXPECT_LT(beyond, 1e-6);
    EXPECT_LT(gain, 1e-3);
    if (load >= 1e4) {
      EXPECT_GT(kept, 0.98);
    }
  }
}

TEST_P(HeavyChainCable, OfOneAndTheSameMaterialHoldsEveryLoad) {
  // EA and EI of one cable, whatever hangs on it; its strain at the bottom of the swing is 1e-4 at the largest load.
  const double load = GetParam(), axial = 3e14;
  for (const double bending : {500.0, 5000.0}) {
    World w = make(heavyChain(24, load, bending, axial));
    const int slot = w.model().elements.back()->slot;
    const auto total = w.resolve("energy.total");
    const double start = w.read(*total), swing = load * 120.0;
    double gain = 0.0, beyond = 0.0;
    for (int i = 0; i < 1800 && w.step().good; ++i) {
      gain = std::max(gain, (w.read(*total) - start) / swing);
      const auto spans = cableOf(w).spans;
      for (std::size_t k = 0; k < spans.size(); ++k) {
        const double* f = &w.state().force[static_cast<std::size_t>(slot) + 6 * k];
        beyond = std::max(beyond, spans[k].length / spans[k].rest - 1.0 - Vec3(f[0], f[1], f[2]).norm() / axial);
      }
    }
    EXPECT_TRUE(w.verdict().good) << w.verdict().reason;
    std::printf("same material, load %g, EI %g: stretch beyond T/EA %.1e gain %.1e kept %.4f unconverged %lld\n", load,
                bending, beyond, gain, 1.0 + (w.read(*total) - start) / swing,
                static_cast<long long>(w.observe().health.unconverged));
    EXPECT_LT(beyond, 1e-6);
    EXPECT_LT(gain, 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(LoadPerSegment, HeavyChainCable, ::testing::Values(1e2, 1e4, 1e6, 1e9));

TEST(ChainCatenary, TwoHundredSegmentsHangAsACatenary) {
  Description d = heavy(1.0 / 60);
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = 200;
  c.collides = false;
  c.material.mass = 1.0;
  c.material.axial = 1e7;
  c.material.bending = 1e-3;
  c.material.damping = 20.0;
  c.route = {chainEnd("world", Vec3(0, 0, 0)), chainEnd("world", Vec3(8, 0, 0))};
  for (int i = 1; i < 400; ++i) {  // starts as a parabola
    const double x = i / 50.0;
    c.shape.push_back(Vec3(x, 0, -2.6 * (1.0 - (x - 4) * (x - 4) / 16)));
  }
  d.cables.emplace_back("chain", c);
  World w = make(std::move(d));
  const double length = measure(w, "cables.chain.length");
  const HangingCurve curve = hangingCurve(Vec3::Zero(), Vec3(8, 0, 0), length, Vec3(0, 0, -10));
  const double sag = curve.dip();
  const auto deviation = [&] {
    double worst = 0.0, passed = 0.0;
    const auto line = cableOf(w).polyline;
    for (std::size_t i = 1; i < line.size(); ++i) {
      passed += (line[i] - line[i - 1]).norm();
      worst = std::max(worst, (line[i] - curve.at(std::min(passed, length))).norm());
    }
    return worst / sag;
  };
  const double before = deviation();
  run(w, 20.0);
  std::printf("catenary: %.4f of the sag away at the start, %.5f at the end, sag %.4f\n", before, deviation(), sag);
  EXPECT_LT(deviation(), 0.005);
}

CableSettings rope(int segments, double radius) {
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = segments;
  c.material.mass = 0.4;
  c.material.axial = 1e5;
  c.material.bending = 0.02;
  c.material.torsion = 0.01;
  c.material.radius = radius;
  c.material.damping = 0.05;
  return c;
}

struct Lost {
  double linear = 0.0, angular = 0.0;  ///< of the momentum that the step remembers, over what there is of it
  double seen = 0.0;                   ///< angular momentum by velocities
  double energy = 0.0;                 ///< largest gain or loss, J
};

/// Largest change of the momentum of a free chain between two tumbling bodies, or by itself.
Lost momentumLost(double dt, double speed, bool bodies, double damping) {
  Description d = still(dt);
  CableSettings c = rope(16, 0.005);
  c.material.damping = damping;
  c.collides = false;
  if (bodies) {
    BodySettings a = rigid(2.0, Vec3(0.1, 0.2, 0.3)), b = rigid(3.0, Vec3(0.2, 0.1, 0.3), Vec3(2, 0, 0));
    a.velocity = speed * Vec3(0.3, 0.5, -2.0);
    a.angularVelocity = speed * Vec3(3, -2, 1);
    b.velocity = speed * Vec3(-0.4, 2.0, 1.0);
    b.angularVelocity = speed * Vec3(-4, 1, 2);
    d.bodies.emplace_back("a", a);
    d.bodies.emplace_back("b", b);
    c.length = 2.1;
    c.route = {chainEnd("a", Vec3(0.1, 0, 0), EndHold::clamped), chainEnd("b", Vec3(-0.1, 0, 0), EndHold::clamped)};
  } else {
    // Bent, and spun by a push at either end, which is over after a tenth of a second.
    c.shape = {Vec3(0.5, 0.3, 0), Vec3(1.5, -0.2, 0.2)};
    d.bodies.emplace_back("a", rigid(0.02, Vec3::Constant(1e-5)));
    d.bodies.emplace_back("b", rigid(0.02, Vec3::Constant(1e-5), Vec3(2, 0, 0)));
    for (const double side : {-1.0, 1.0}) {
      ForceSettings f;
      f.on = side < 0 ? "a" : "b";
      f.force = side * speed * Vec3(0.3, 3.0, 1.0);
      f.scale.emplace();
      f.scale->table = {Vec2(0, 0), Vec2(0.03, 1), Vec2(0.06, 1), Vec2(0.08, 0)};
      f.scale->smooth = true;
      d.forces.emplace_back(f.on, f);
    }
    c.route = {chainEnd("a"), chainEnd("b")};
  }
  d.cables.emplace_back("chain", c);
  World w = make(std::move(d));
  const auto totals = [&](Vec3& linear, Vec3& angular, Vec3& seen) {
    linear.setZero();
    angular.setZero();
    seen.setZero();
    Instant now;
    now.bind(w.model(), w.state());
    now.rewind();
    now.evaluate();
    for (std::size_t i = 0; i < w.model().blocks.size(); ++i) {
      const Block& block = w.model().blocks[i];
      if (!block.free) continue;
      const int k = static_cast<int>(i);
      const double* p = &w.state().p[static_cast<std::size_t>(block.v)];
      linear += Vec3(p[0], p[1], p[2]);
      angular += now.position(k).cross(Vec3(p[0], p[1], p[2])) + Vec3(p[3], p[4], p[5]);
      seen += block.mass * now.position(k).cross(now.velocity(k)) + worldInertia(now, k) * now.angularVelocity(k);
    }
  };
  run(w, 0.4);  // the pushes are over, and what the difference remembers of them
  Vec3 p0, l0, s0, p, l, s;
  totals(p0, l0, s0);
  const auto total = w.resolve("energy.total");
  const double start = w.read(*total), most = (bodies ? 12.0 : l0.norm() / speed) * speed;
  Lost lost;
  for (double t = 0.0; t < 1.0; t += 0.1) {
    run(w, 0.1);
    totals(p, l, s);
    lost.linear = std::max(lost.linear, (p - p0).norm() / most);
    lost.angular = std::max(lost.angular, (l - l0).norm() / most);
    lost.seen = std::max(lost.seen, (s - s0).norm() / most);
    lost.energy = std::max(lost.energy, std::fabs(w.read(*total) - start));
  }
  std::printf(
      "%s, dt %.5f, speed %g, damping %g s: linear %.1e, angular %.1e (by velocities %.1e), energy %.1e of %.1e J\n",
      bodies ? "chain between bodies" : "chain alone", dt, speed, damping, lost.linear, lost.angular, lost.seen,
      lost.energy, start);
  return lost;
}

TEST(ChainMomentum, OfAFreeChainIsKeptToRounding) {
  for (const bool bodies : {true, false})
    for (const double dt : {1.0 / 120, 1.0 / 960})
      for (const double speed : {1.0, 0.01})
        for (const double damping : {0.0, 0.05}) {
          const Lost lost = momentumLost(dt, speed, bodies, damping);
          EXPECT_LT(lost.linear, 1e-12);
          EXPECT_LT(lost.angular, 1e-9);
          EXPECT_LT(lost.seen, 1e-9);
        }
}

/// How far apart two lines are where they cross, seen from above: height of the upper one over the lower one; unbounded
/// where they do not cross.
double heightOver(const std::vector<Vec3>& upper, const std::vector<Vec3>& lower) {
  double least = unbounded;
  for (std::size_t i = 1; i < upper.size(); ++i)
    for (std::size_t k = 1; k < lower.size(); ++k) {
      const Vec3 u = upper[i] - upper[i - 1], v = lower[k] - lower[k - 1], w = lower[k - 1] - upper[i - 1];
      const double cross = u.x() * v.y() - u.y() * v.x();
      if (std::fabs(cross) < 1e-12) continue;
      const double a = (w.x() * v.y() - w.y() * v.x()) / cross, b = (w.x() * u.y() - w.y() * u.x()) / cross;
      if (a < 0.0 || a > 1.0 || b < 0.0 || b > 1.0) continue;
      least = std::min(least, upper[i - 1].z() + a * u.z() - lower[k - 1].z() - b * v.z());
    }
  return least;
}

TEST(ChainContact, ACableLaidOverAnotherAndPulledHardStaysOnTop) {
  // The lower one is tied at both ends; the upper one lies across it with a weight at either end, pulled down by 15 N
  // and by 150 N, three and thirty times the weight of the cable.
  for (const double pull : {15.0, 150.0}) {
    Description d = heavy(1.0 / 120);
    CableSettings lower = rope(15, 0.02), upper = rope(15, 0.02);
    lower.route = {chainEnd("world", Vec3(-1, 0, 0)), chainEnd("world", Vec3(1, 0, 0))};
    lower.length = 2.02;
    d.bodies.emplace_back("left", rigid(1.0, Vec3::Constant(0.01), Vec3(0, -1, 0.1)));
    d.bodies.emplace_back("right", rigid(1.0, Vec3::Constant(0.01), Vec3(0, 1, 0.1)));
    upper.route = {chainEnd("left"), chainEnd("right")};
    d.cables.emplace_back("lower", lower);
    d.cables.emplace_back("upper", upper);
    for (const char* on : {"left", "right"}) putOn(d, on, Vec3(0, 0, -pull), Vec3::Zero(), 0.5);
    World w = make(std::move(d));
    double over = unbounded;
    for (int i = 0; i < 240 && w.step().good; ++i)
      over = std::min(over, heightOver(cableOf(w, 1).polyline, cableOf(w, 0).polyline));
    EXPECT_TRUE(w.verdict().good) << w.verdict().reason;
    std::printf("crossed cables, %g N: axes never closer than %.4f m of 0.04, weights at %.3f, unconverged %lld\n",
                pull, over, measure(w, "bodies.left.position.z"),
                static_cast<long long>(w.observe().health.unconverged));
    EXPECT_GT(over, 0.03);
    EXPECT_LT(over, 0.2);  // and they did touch
    EXPECT_LT(measure(w, "bodies.left.position.z"), -0.3);
  }
}

TEST(ChainContact, ACableLaidOverAnotherOnTheGroundAndPulledAcrossItSlidesOverIt) {
  Description d = heavy(1.0 / 120);
  d.bodies.emplace_back("ground", ground());
  CableSettings lower = rope(12, 0.02), upper = rope(12, 0.02);
  lower.route = {chainEnd("world", Vec3(-0.8, 0, 0.02)), chainEnd("world", Vec3(0.8, 0, 0.02))};
  BodySettings hand;
  hand.motion = BodyMotion::kinematic;
  hand.position = Vec3(0, 0.8, 0.06);
  hand.prescribed.emplace();
  hand.prescribed->along = Vec3(0, 1, 0);
  hand.prescribed->travel.table = {Vec2(0.5, 0), Vec2(3.5, 1.2)};
  hand.prescribed->travel.smooth = true;
  d.bodies.emplace_back("hand", hand);
  upper.route = {chainEnd("world", Vec3(0, -0.8, 0.02), EndHold::free), chainEnd("hand")};
  upper.shape = {Vec3(0, -0.3, 0.02), Vec3(0, -0.1, 0.062), Vec3(0, 0.1, 0.062), Vec3(0, 0.3, 0.03)};
  d.cables.emplace_back("lower", lower);
  d.cables.emplace_back("upper", upper);
  World w = make(std::move(d));
  double over = unbounded;
  int crossed = 0;
  for (int i = 0; i < 480 && w.step().good; ++i) {
    const double height = heightOver(cableOf(w, 1).polyline, cableOf(w, 0).polyline);
    over = std::min(over, height);
    crossed += height < 1.0 ? 1 : 0;
  }
  EXPECT_TRUE(w.verdict().good) << w.verdict().reason;
  std::printf("dragged across: axes never closer than %.4f m of 0.04 in %d steps, unconverged %lld\n", over, crossed,
              static_cast<long long>(w.observe().health.unconverged));
  EXPECT_GT(over, 0.03);
  EXPECT_GT(crossed, 200);
  for (const Vec3& p : cableOf(w, 1).polyline) EXPECT_GT(p.z(), 0.01);
}

TEST(ChainContact, ASlackCoilOnTheGroundComesToRest) {
  for (const SolverChoice solver : {SolverChoice::sweep, SolverChoice::direct}) {
    Description d = heavy(1.0 / 120);
    d.settings.solver = solver;
    d.settings.substeps = solver == SolverChoice::sweep ? 4 : 1;
    d.bodies.emplace_back("ground", ground());
    CableSettings c = rope(32, 0.02);
    const auto helix = [](int i) {
      const double a = 2 * 3.14159265358979 * i / 24.0;
      return Vec3(0.4 * std::cos(a), 0.4 * std::sin(a), 0.03 + 0.05 * i / 24.0);
    };
    for (int i = 1; i < 48; ++i) c.shape.push_back(helix(i));
    c.route = {chainEnd("world", helix(0), EndHold::free), chainEnd("world", helix(48), EndHold::free)};
    d.cables.emplace_back("coil", c);
    World w = make(std::move(d));
    run(w, solver == SolverChoice::sweep ? 4.0 : 2.0);  // direct takes long over so many contacts
    double lowest = 1.0, kinetic = measure(w, "energy.kinetic");
    for (const Vec3& p : cableOf(w).polyline) lowest = std::min(lowest, p.z());
    const double unconverged = measure(w, "health.unconverged");
    std::printf("coil, %s: kinetic %.1e J, lowest axis %.4f, %g of %lld steps not converged\n",
                solver == SolverChoice::sweep ? "sweep" : "direct", kinetic, lowest, unconverged,
                static_cast<long long>(w.steps()));
    EXPECT_LT(kinetic, 1e-5);  // 3 mm/s
    EXPECT_GT(lowest, 0.015);
    // Sweeps over a heap of contacts go on moving more than a thousandth of the first one: they tell so, and it rests.
    if (solver == SolverChoice::direct) {
      EXPECT_LT(unconverged, 0.1 * static_cast<double>(w.steps()));
    }
  }
}

TEST(ChainErrors, BadMaterialAndGeometryAreNamed) {
  const auto reason = [](auto change) {
    Description d = heavy(1.0 / 60);
    CableSettings c = rope(8, 0.01);
    c.route = {chainEnd("world"), chainEnd("world", Vec3(1, 0, 0))};
    change(c);
    d.cables.emplace_back("c", c);
    const auto w = World::build(std::move(d));
    return w ? std::string("built") : w.error().path + ": " + w.error().reason;
  };
  EXPECT_EQ(reason([](CableSettings&) {}), "built");
  EXPECT_EQ(reason([](CableSettings& c) { c.segments = 0; }), "/cables/c/segments: a chain of no segments is nothing");
  EXPECT_EQ(reason([](CableSettings& c) { c.material.radius = 0; }),
            "/cables/c/material/radius: the section has no area");
  EXPECT_EQ(reason([](CableSettings& c) { c.material.mass = 0; }),
            "/cables/c/material/mass: the segments of a chain need mass");
  EXPECT_EQ(reason([](CableSettings& c) { c.length = 0.4; }),
            "/cables/c/length: its ends are farther apart than stretching allows");
  EXPECT_EQ(reason([](CableSettings& c) { c.length = 0.9, c.material.axial = unbounded; }),
            "/cables/c/length: its ends are farther apart than it is long, and it cannot stretch");
  EXPECT_EQ(reason([](CableSettings& c) { c.route[1].point = Vec3::Zero(); }),
            "/cables/c/route: both ends of the chain are at the same point");
  EXPECT_EQ(reason([](CableSettings& c) { c.material.poisson = 0.7, c.material.young = 1e9; }),
            "/cables/c/material/poisson: a Poisson ratio lies above -1 and at most at 0.5");
}

}  // namespace
}  // namespace reeve::test
