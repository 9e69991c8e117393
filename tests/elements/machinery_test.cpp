// Springs, dampers, one-way clutches, couplings, wind and torque-speed lines against closed forms.
#include "reeve/model/instant.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

constexpr double pi = 3.14159265358979323846;

/// A body of 2 kg, or 0.5 kg m², on a hinge or slider along z whose spring rests at 0.3.
Description sprung(JointType type, double stiffness, double viscous) {
  Description d = still(1e-3);
  d.bodies.emplace_back("b", rigid(2.0, Vec3(0.5, 0.5, 0.5)));
  JointSettings j = joint(type, "world", "b", Vec3::Zero(), Vec3::UnitZ());
  j.stiffness = stiffness;
  j.viscous = viscous;
  j.rest = 0.3;
  d.joints.emplace_back("j", j);
  return d;
}

TEST(Machinery, ATorsionPendulumSwingsWithTheRootOfStiffnessOverInertia) {
  World w = make(sprung(JointType::hinge, 8.0, 0.0));
  const double omega = std::sqrt(8.0 / 0.5);
  run(w, 0.3);
  EXPECT_NEAR(measure(w, "joints.j.coordinate"), 0.3 * (1 - std::cos(omega * 0.3)), 3e-6);
  run(w, std::round(2 * pi / omega * 1000) / 1000 - 0.3);
  EXPECT_NEAR(measure(w, "joints.j.coordinate"), 0.0, 1e-5);  // a period later it is back
  EXPECT_NEAR(measure(w, "energy.total"), 0.5 * 8.0 * 0.09, 1e-5);
}

TEST(Machinery, AMassOnASliderSpringDecaysWithItsDamperWhichTakesTheEnergy) {
  const double k = 200.0, c = 4.0, m = 2.0;
  Description d = sprung(JointType::slider, k, c);
  d.settings.dt = 5e-4;  // the phase is late by (ωh)²/3 of ωt
  World w = make(d);
  const double omega = std::sqrt(k / m), decay = c / (2 * m), damped = std::sqrt(omega * omega - decay * decay);
  run(w, 1.0);
  const double x = 0.3 * (1 - std::exp(-decay) * (std::cos(damped) + decay / damped * std::sin(damped)));
  EXPECT_NEAR(measure(w, "joints.j.coordinate"), x, 1e-5);
  EXPECT_NEAR(measure(w, "energy.total") + measure(w, "joints.j.damped"), 0.5 * k * 0.09, 0.003);  // of 9 J
  EXPECT_GT(measure(w, "joints.j.damped"), 5.0);
}

TEST(Machinery, AReleasedJointHasNoSpring) {
  World w = make(sprung(JointType::slider, 200.0, 0.0));
  ASSERT_TRUE(w.release(*w.joint("j")));
  run(w, 0.1);
  EXPECT_EQ(measure(w, "bodies.b.velocity.z"), 0.0);
  EXPECT_EQ(measure(w, "energy.elastic"), 0.0);
}

/// A wheel of 2 kg m² that a torque of −4 N m turns back.
Description oneWay(OneWay way, double pitch, double rate) {
  Description d = still(1e-3);
  RotorSettings r;
  r.inertia = 2.0;
  r.torque = -4.0;
  r.rate = rate;
  r.oneWay = way;
  r.pitch = pitch;
  d.rotors.emplace_back("wheel", r);
  return d;
}

TEST(Machinery, AOneWayClutchHoldsAWheelWhereItTurnsBack) {
  World w = make(oneWay(OneWay::positive, 0.0, 3.0));
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "rotors.wheel.angle"), 3.0 - 1.0, 1e-6);  // ω t − ½ α t²
  run(w, 2.0);
  // ω²/2α, short of it by at most half of what it moves in the last step
  EXPECT_NEAR(measure(w, "rotors.wheel.angle"), 9.0 / 4.0, 2e-6);
  const double held = measure(w, "rotors.wheel.angle");
  run(w, 5.0);
  EXPECT_NEAR(measure(w, "rotors.wheel.angle"), held, 1e-12);
  EXPECT_NEAR(measure(w, "rotors.wheel.rate"), 0.0, 1e-12);
  ASSERT_TRUE(w.set(*w.parameter("rotors.wheel.pawl"), 0.0));  // lifted: it turns back
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "rotors.wheel.angle"), held - 1.0, 1e-6);
  ASSERT_TRUE(w.set(*w.parameter("rotors.wheel.pawl"), 1.0));  // in again: it is caught at once
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "rotors.wheel.angle"), held - 1.0, 2e-3);
}

TEST(Machinery, AClutchTheOtherWayLetsItGo) {
  World w = make(oneWay(OneWay::negative, 0.0, 0.0));
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "rotors.wheel.angle"), -1.0, 1e-6);
}

TEST(Machinery, ARatchetFallsBackToItsLastTooth) {
  World w = make(oneWay(OneWay::positive, 0.2, 3.0));
  run(w, 4.0);
  EXPECT_NEAR(measure(w, "rotors.wheel.angle"), 2.2, 1e-9);  // 2.25 rad was the furthest
}

TEST(Machinery, AHingeWithAClutchHoldsAnArmThatWouldFall) {
  Description d = heavy(1e-3);
  d.bodies.emplace_back("arm", rigid(1.0, Vec3(0.1, 0.1, 0.1), Vec3(1, 0, 0)));
  JointSettings j = joint(JointType::hinge, "world", "arm", Vec3::Zero());
  j.oneWay = OneWay::negative;  // falling turns it about +y
  d.joints.emplace_back("j", j);
  World w = make(d);
  run(w, 2.0);
  EXPECT_NEAR(measure(w, "joints.j.coordinate"), 0.0, 1e-10);
  EXPECT_NEAR(measure(w, "joints.j.torque.y"), -10.0, 1e-8);  // m g l
}

TEST(Machinery, AMotorWithATorqueSpeedLineNearsItsNoLoadSpeedExponentially) {
  Description d = still(1e-3);
  RotorSettings r;
  r.inertia = 0.5;
  d.rotors.emplace_back("wheel", r);
  MotorSettings m;
  m.on = "wheel";
  m.target.offset = 30.0;
  m.stall = 10.0;
  m.noLoad = 30.0;
  d.motors.emplace_back("motor", m);
  World w = make(d);
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "rotors.wheel.rate"), 30.0 * (1 - std::exp(-10.0 / (0.5 * 30.0))), 1e-4);
}

TEST(Machinery, AGearMakesAnInertiaFeelByTheSquareOfItsRatio) {
  Description d = still(1e-3);
  RotorSettings a, b;
  a.inertia = 0.3;
  b.inertia = 0.5;
  b.torque = 6.4;
  b.angle = 0.7;
  d.rotors.emplace_back("a", a);
  d.rotors.emplace_back("b", b);
  d.couplings.emplace_back("gear", CouplingSettings{"a", "b", -3.0, {}, 0.0});
  World w = make(d);
  run(w, 1.0);
  const double acceleration = 6.4 / (0.5 + 9 * 0.3);
  EXPECT_NEAR(measure(w, "rotors.b.rate"), acceleration, 1e-9);
  EXPECT_NEAR(measure(w, "rotors.a.angle"), -3.0 * (measure(w, "rotors.b.angle") - 0.7), 1e-9);
  EXPECT_NEAR(measure(w, "couplings.gear.force"), -3.0 * acceleration * 0.3, 1e-8);
}

TEST(Machinery, APolynomialCouplingKeepsItsCurveAndItsEnergy) {
  Description d = still(1e-3);
  RotorSettings b;
  b.inertia = 0.5;
  b.torque = 2.0;
  d.rotors.emplace_back("b", b);
  d.bodies.emplace_back("table", rigid(3.0, Vec3(1, 1, 1)));
  d.joints.emplace_back("rail", joint(JointType::slider, "world", "table", Vec3::Zero(), Vec3::UnitX()));
  d.couplings.emplace_back("cam", CouplingSettings{"rail", "b", 1.0, {0.1, 0.3, -0.02}, 0.0});
  World w = make(d);
  run(w, 1.2);
  const double x = measure(w, "rotors.b.angle"), y = measure(w, "joints.rail.coordinate");
  EXPECT_GT(x, 0.5);
  EXPECT_NEAR(y, 0.1 * x + 0.3 * x * x - 0.02 * x * x * x, 1e-9);
  const double slope = 0.1 + 0.6 * x - 0.06 * x * x, rate = std::sqrt(2.0 * x / (0.25 + 1.5 * slope * slope));
  EXPECT_NEAR(measure(w, "rotors.b.rate"), rate, 2e-5);
}

TEST(Machinery, ABodyFallsInAirByTheHyperbolicTangent) {
  Description d = heavy(1e-3);
  BodySettings b = rigid(2.0, Vec3(1, 1, 1));
  b.dragArea = 0.4;
  d.bodies.emplace_back("b", b);
  World w = make(d);
  const double terminal = std::sqrt(2 * 2.0 * 10.0 / (1.225 * 0.4));
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "bodies.b.velocity.z"), -terminal * std::tanh(10.0 / terminal), 1e-5);
  run(w, 9.0);
  EXPECT_NEAR(measure(w, "bodies.b.velocity.z"), -terminal, 1e-4);
}

TEST(Machinery, WindCarriesABodyAlong) {
  Description d = still(1e-3);
  d.settings.wind = Vec3(10, 0, 0);
  BodySettings b = rigid(1.0, Vec3(1, 1, 1));
  b.dragArea = 1.0;
  d.bodies.emplace_back("b", b);
  World w = make(d);
  run(w, 2.0);
  // u' = −c u², u = w / (1 + c w t), c = ρA/2m
  EXPECT_NEAR(measure(w, "bodies.b.velocity.x"), 10.0 - 10.0 / (1 + 0.6125 * 10.0 * 2.0), 1e-4);
}

TEST(Machinery, ASplineProfilePassesItsKnotsWithoutJumpsOfAcceleration) {
  Profile p;
  p.spline = true;
  for (int i = 0; i < 6; ++i) p.table.emplace_back(0.5 * i + 0.1 * (i % 2), 3.5 * i - i * i);
  for (const Vec2& knot : p.table) EXPECT_NEAR(profileValue(p, knot[0]), knot[1], 1e-12);
  EXPECT_EQ(profileRate(p, p.table.front()[0]), 0.0);
  const double e = 1e-6;
  for (std::size_t i = 1; i + 1 < p.table.size(); ++i) {
    const double t = p.table[i][0];
    const double before = (profileRate(p, t) - profileRate(p, t - e)) / e,
                 after = (profileRate(p, t + e) - profileRate(p, t)) / e;
    EXPECT_NEAR(before, after, 1e-3 * (1 + std::fabs(before)));
    EXPECT_NEAR((profileValue(p, t + e) - profileValue(p, t - e)) / (2 * e), profileRate(p, t), 1e-6);
  }
  // Way points of a parabola give the parabola, but for the pieces at either end.
  Profile q;
  q.spline = true;
  for (const double t : {0.0, 0.4, 1.1, 1.5, 2.3}) q.table.emplace_back(t, 2 * t * t - t);
  for (const double t : {0.5, 0.9, 1.2, 1.45}) EXPECT_NEAR(profileValue(q, t), 2 * t * t - t, 1e-12);
}

}  // namespace
}  // namespace reeve::test
