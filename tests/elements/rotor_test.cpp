#include "support/scenes.h"

namespace reeve::test {
namespace {

RotorSettings wheel(std::string on, Vec3 axis, double inertia) {
  RotorSettings r;
  r.on = std::move(on);
  r.axis = axis;
  r.inertia = inertia;
  return r;
}

TEST(Rotor, ATorqueGivesTorqueOverInertiaAndItsReactionReachesTheParent) {
  Description d = still(1e-3);
  d.bodies.emplace_back("frame", rigid(2.0, Vec3(3, 4, 5)));
  RotorSettings r = wheel("frame", Vec3::UnitY(), 0.5);
  r.torque = 2.0;
  d.rotors.emplace_back("wheel", r);
  World w = make(d);
  run(w, 1.0);
  EXPECT_NEAR(measure(w, "rotors.wheel.rate"), 2.0 / 0.5, 1e-9);
  EXPECT_NEAR(measure(w, "bodies.frame.angular_velocity.y"), -2.0 / 4.0, 1e-9);
}

TEST(Rotor, OnAFreeBodyItPrecessesAsTheClosedFormSays) {
  // A spherical frame (inertia A) carrying spin H about its x: with ω across the spin the direction of the axle
  // precesses about the total angular momentum at Ω = |L|/A.
  Description d = still(1e-3);
  const double a = 2.0, spin = 5.0, inertia = 0.5, tilt = 0.3;
  BodySettings frame = rigid(1.0, Vec3(a, a, a));
  frame.angularVelocity = Vec3(0, 0, tilt);
  d.bodies.emplace_back("frame", frame);
  RotorSettings r = wheel("frame", Vec3::UnitX(), inertia);
  r.rate = spin;
  d.rotors.emplace_back("wheel", r);
  World w = make(d);
  const Vec3 l = Vec3(inertia * spin, 0, a * tilt);
  const double rate = l.norm() / a, seconds = 10.0;
  run(w, seconds);
  // Axle after the turn by Ω t about L, less the frame's own turn along the axle, which does not move it.
  const Vec3 expected = rotationExp(l.normalized() * rate * seconds) * Vec3::UnitX();
  const Vec3 axle = w.observe().bodies[0].second.orientation * Vec3::UnitX();
  const double angle = std::acos(std::min(1.0, expected.dot(axle)));
  EXPECT_LT(angle / (rate * seconds), 0.01);
  const BodyObservation o = w.observe().bodies[0].second;
  const Vec3 total = a * o.angularVelocity + inertia * measure(w, "rotors.wheel.rate") * axle;
  EXPECT_LT((total - l).norm() / l.norm(), 1e-9);
}

TEST(Rotor, BearingFrictionStopsItInInertiaTimesRateOverTorque) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = still(1e-3);
    d.settings.solver = solver;
    RotorSettings r = wheel("world", Vec3::UnitY(), 0.5);
    r.rate = 4.0;
    r.friction = 1.0;
    d.rotors.emplace_back("wheel", r);
    World w = make(d);
    run(w, 1.0);
    EXPECT_NEAR(measure(w, "rotors.wheel.rate"), 2.0, 1e-3);
    run(w, 2.0);
    EXPECT_NEAR(measure(w, "rotors.wheel.rate"), 0.0, 1e-12);
    EXPECT_NEAR(measure(w, "rotors.wheel.angle"), 0.5 * 4.0 * 2.0, 0.01);
  }
}

TEST(Rotor, ViscousBearingDecaysExponentially) {
  Description d = still(1e-3);
  RotorSettings r = wheel("world", Vec3::UnitY(), 0.5);
  r.rate = 4.0;
  r.damping = 0.25;
  d.rotors.emplace_back("wheel", r);
  World w = make(d);
  run(w, 2.0);
  EXPECT_NEAR(measure(w, "rotors.wheel.rate"), 4.0 * std::exp(-1.0), 1e-5);
}

}  // namespace
}  // namespace reeve::test
