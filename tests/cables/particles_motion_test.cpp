// Particle cables against closed forms: pendulum, catenary, free motion.
#include "particles_scenes.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/scalar.h"

namespace reeve::test {
namespace {

TEST(ParticleMotion, CatenarySagOfHundredParticlesIsTheClosedForm) {
  Description d = still(1.0 / 240);
  CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(2, 0, 0), 99);
  c.length = 2.5;
  c.particles.curve = CurveType::polyline;
  c.shape = {Vec3(1.0, 0, -0.75)};  // a V of the right length: not the answer
  c.particles.direct = true;
  c.particles.iterations = 4;
  c.particles.drag = 40.0;  // thick air: only to come to rest
  c.particles.skinDrag = 10.0;
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, 20.0);
  const HangingCurve exact = hangingCurve(Vec3(0, 0, 0), Vec3(2, 0, 0), 2.5, Vec3(0, 0, -9.81));
  const ParticleCable& rope = particleCable(w);
  double lowest = 0.0;
  for (int i = 0; i < rope.count(); ++i) lowest = std::min(lowest, rope.position(w.state(), i).z());
  std::printf("sag %.6f, closed form %.6f, worst stretch %.2e\n", -lowest, exact.dip(), worstStretch(w));
  EXPECT_NEAR(-lowest / exact.dip(), 1.0, 0.01);
  // End tension: horizontal part weight per metre times c, vertical half the weight.
  const Vec3 pull(measure(w, "cables.rope.links.0.force.x"), 0, measure(w, "cables.rope.links.0.force.z"));
  EXPECT_NEAR(pull.x(), 0.1 * 9.81 * exact.parameter, 0.01 * pull.norm());
  EXPECT_NEAR(pull.z(), -0.5 * 0.1 * 9.81 * 2.5, 0.01 * pull.norm());
}

TEST(ParticleMotion, FreeCableKeepsItsLinearMomentumToRounding) {
  for (const ParticleWay way :
       {ParticleWay::springs, ParticleWay::stiff, ParticleWay::jakobsen, ParticleWay::pbd, ParticleWay::xpbd}) {
    Description d = still(1e-3);
    d.settings.gravity = Vec3::Zero();
    CableSettings c = particleRope(Vec3(0, 0, 0), Vec3(1, 0, 0), 30, true, true);
    c.particles.way = way;
    c.particles.spring = 1000.0;
    c.shape = {Vec3(0.3, 0.2, 0.1), Vec3(0.6, -0.2, 0)};
    c.particles.doubles = DoubleRest::straight;  // something to move it
    c.compliance = 1e-4;
    c.particles.doubleCompliance = 1e-3;
    d.cables.emplace_back("rope", c);
    World w = make(d);
    const ParticleCable& rope = particleCable(w);
    double most = 0.0;
    Vec3 worst = Vec3::Zero();
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(w.step().good);
      worst = worst.cwiseMax(rope.momentum(w.state()).cwiseAbs());
      double moved = 0.0;
      for (int k = 0; k < rope.count(); ++k) moved += rope.mass(k) * rope.velocity(w.state(), k).norm();
      most = std::max(most, moved);
    }
    std::printf("way %d: momentum %.1e of %.2e\n", static_cast<int>(way), worst.norm(), most);
    EXPECT_LT(worst.norm(), 1e-12) << static_cast<int>(way);
    if (way != ParticleWay::stiff) {
      EXPECT_GT(most, 1e-3);
    }
  }
}

}  // namespace
}  // namespace reeve::test
