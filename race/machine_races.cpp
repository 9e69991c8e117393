// Races of single machines: Atwood, winch, capstan, tendon finger.
#include <algorithm>
#include <array>
#include <cmath>

#include "peers.h"
#include "races.h"
#include "world_runner.h"

namespace reeve::race {
namespace {

/// Angles at which springs and the tendon balance, by Newton on the closed form of the tendon's length.
std::array<double, 3> fingerRest(const FingerShape& f) {
  const auto length = [&](const std::array<double, 3>& q) {
    Vec3 at(-f.palm, -f.arm, 0), joint = Vec3::Zero();
    double sum = 0.0, turn = 0.0;
    for (int i = 0; i < 3; ++i) {
      turn -= q[i];  // about -z
      const Vec3 along(std::cos(turn), std::sin(turn), 0), across(-std::sin(turn), std::cos(turn), 0);
      const Vec3 eye = joint + f.eye * f.length[i] * along - f.arm * across;
      sum += (eye - at).norm();
      at = eye;
      joint += f.length[i] * along;
    }
    return sum;
  };
  const auto pull = [&](std::array<double, 3> q, int i) {
    constexpr double h = 1e-5;
    q[i] += h;
    const double more = length(q);
    q[i] -= 2 * h;
    return (more - length(q)) / (2 * h) * f.force;
  };
  std::array<double, 3> q{0.5, 0.5, 0.5};
  for (int round = 0; round < 200; ++round)
    for (int i = 0; i < 3; ++i) q[i] += 0.5 * (-pull(q, i) / f.stiffness[i] - q[i]);
  return q;
}

Description finger(const FingerShape& f) {
  Description d;
  d.name = "finger";
  d.settings.gravity = Vec3::Zero();
  const auto body = [&](const char* name, const Vec3& at, double mass, double inertia) {
    BodySettings b;
    b.position = at;
    b.mass = mass;
    b.inertia = Vec3::Constant(inertia);
    b.center = Vec3::Zero();
    d.bodies.emplace_back(name, b);
  };
  body("muscle", Vec3(-f.muscle, -f.arm, 0), f.pullMass, 1e-5);
  JointSettings guide;
  guide.type = JointType::slider;
  guide.b = "muscle";
  guide.anchor = Vec3(-f.muscle, -f.arm, 0);
  guide.axis = Vec3(1, 0, 0);
  guide.viscous = f.viscous;
  d.joints.emplace_back("guide", guide);
  CableSettings tendon;
  const auto link = [&](LinkType type, const std::string& on, const Vec3& point) {
    LinkSettings l;
    l.type = type;
    l.on = on;
    l.point = point;
    if (type == LinkType::pinhole) l.friction = 0.0;
    tendon.route.push_back(l);
  };
  link(LinkType::attach, "muscle", Vec3::Zero());
  link(LinkType::pinhole, "world", Vec3(-f.palm, -f.arm, 0));
  const char* names[] = {"proximal", "middle", "distal"};
  double x = 0.0;
  for (int i = 0; i < 3; ++i) {
    body(names[i], Vec3(x + 0.5 * f.length[i], 0, 0), f.mass, f.inertia);
    JointSettings hinge;
    hinge.type = JointType::hinge;
    if (i > 0) hinge.a = names[i - 1];
    hinge.b = names[i];
    hinge.anchor = Vec3(x, 0, 0);
    hinge.axis = Vec3(0, 0, -1);
    d.joints.emplace_back(names[i], hinge);
    MotorSettings spring;
    spring.on = names[i];
    spring.drive = DriveType::position;
    spring.stiffness = f.stiffness[i];
    spring.damping = f.damping;
    d.motors.emplace_back(std::string(names[i]) + " spring", spring);
    link(i < 2 ? LinkType::pinhole : LinkType::attach, names[i], Vec3((f.eye - 0.5) * f.length[i], -f.arm, 0));
    x += f.length[i];
  }
  d.cables.emplace_back("tendon", tendon);
  ForceSettings pull;
  pull.on = "muscle";
  pull.force = Vec3(-f.force, 0, 0);
  Profile ramp;
  ramp.table = {{0, 0}, {1, 1}};
  ramp.smooth = true;
  pull.scale = ramp;
  d.forces.emplace_back("pull", pull);
  return d;
}

}  // namespace

Race atwoodRace() {
  const Description d = shippedScene("atwood");
  Race race;
  race.name = "Atwood, a wheel";
  race.size = 1;
  race.reading = "fall heavy";
  race.measures = "fall of the heavy side in 1 s, share of the closed form";
  race.dt = 1.0 / 240;
  race.steps = race.timed = 240;
  race.relative = true;
  race.accuracy = 0.01;
  race.rival = "mujoco hinged wheel";
  const double fall = 0.5 * 1.635;  // (m2 - m1) g / (m1 + m2 + I/r²)
  race.work = 1.5 * 9.81 * fall;
  const double start = d.bodies[1].second.position.z();
  race.entrants.push_back(reeveEntrant(
      "joints", d, [start](const World& w) { return start - valueOf(w, "bodies.heavy.position.z"); }, 1.0));
  join(race.entrants, mujocoAtwood(d));
  Description balanced = d;
  balanced.bodies[1].second.mass = balanced.bodies[0].second.mass;
  restLike(race.entrants, mujocoAtwood(balanced));
  race.still = 0.01 * fall;
  for (Entrant& e : race.entrants) e.exact = fall;
  return race;
}

Race winchRace() {
  const Description d = shippedScene("winch");
  Race race;
  race.name = "winch";
  race.size = 1;
  race.reading = "rise load";
  race.measures = "lift of the load in 6 s, share of the closed form";
  race.dt = 1.0 / 240;
  race.steps = race.timed = 1440;
  race.relative = true;
  race.accuracy = 0.01;
  race.work = 250 * 9.81 * 1.6;
  race.wild = 1.1;  // the motor's work is the load's
  race.rival = "mujoco hinged drum";
  const double start = d.bodies[0].second.position.z();
  race.entrants.push_back(reeveEntrant(
      "joints", d, [start](const World& w) { return valueOf(w, "bodies.load.position.z") - start; }, 1.0));
  const auto speed = [](double t) {
    const double s = t < 4 ? std::min(1.0, t) : std::max(0.0, 5 - t);
    return -2 * s * s * (3 - 2 * s);
  };
  join(race.entrants, mujocoWinch(d, speed));
  restLike(race.entrants, mujocoWinch(d, [](double) { return 0.0; }));
  race.still = 0.01 * 1.6;
  for (Entrant& e : race.entrants) e.exact = 1.6;
  return race;
}

Race capstanRace() {
  const Description d = shippedScene("capstan");
  Race race;
  race.name = "capstan";
  race.size = 4;
  race.measures = "speed after 0.6 s over half a turn, share of the closed form; no peer has the capstan law";
  race.dt = 1.0 / 240;
  race.steps = race.timed = 144;
  race.relative = true;
  race.accuracy = 0.01;
  race.work = 10.0;
  race.entrants.push_back(reeveEntrant(
      "joints", d, [](const World& w) { return -valueOf(w, "bodies.heavy-half.velocity.z"); }, 0.0));
  race.entrants.back().exact = 1.1772;
  return race;
}

Race fingerRace() {
  const FingerShape shape;
  Race race;
  race.name = "tendon finger";
  race.size = 3;
  race.reading = "joint middle";
  race.measures = "angle of the middle joint after 3 s, share of the balance";
  race.dt = 1.0 / 500;
  race.steps = race.timed = 1500;
  race.relative = true;
  race.accuracy = 0.01;
  race.work = 1.0;
  race.wild = 1.1;  // the pull's work is in the springs
  race.rival = "mujoco spatial tendon";
  race.entrants.push_back(reeveEntrant(
      "joints", finger(shape), [](const World& w) { return valueOf(w, "joints.middle.coordinate"); }, 1.0));
  join(race.entrants, mujocoFinger(shape));
  for (Entrant& e : race.entrants) e.exact = fingerRest(shape)[1];
  return race;
}

}  // namespace reeve::race
