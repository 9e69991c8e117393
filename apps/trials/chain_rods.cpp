#include "trials/chain_rods.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace reeve::trials {

Description paperScene(bool weight, SolverChoice solver) {
  Description d;
  d.name = "paper 004";
  d.settings.gravity = weight ? Vec3(0, 0, -10) : Vec3(0, 0, 0);
  d.settings.dt = paperStep;
  d.settings.solver = solver;
  return d;
}

LinkSettings chainEnd(std::string on, Vec3 point, EndHold hold) {
  LinkSettings l;
  l.on = std::move(on);
  l.point = point;
  l.hold = hold;
  return l;
}

BodySettings rigidBody(double mass, Vec3 inertia, Vec3 position) {
  BodySettings b;
  b.mass = mass;
  b.inertia = inertia;
  b.position = position;
  return b;
}

BodySettings endBlock(Vec3 position, double mass) { return rigidBody(mass, Vec3::Constant(mass * 0.05), position); }

CableSettings paperRod(double young, int segments) {
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = segments;
  c.collides = false;
  c.material.young = young;
  c.material.poisson = 0.3;
  c.material.section = SectionShape::square;
  c.material.radius = 0.05;
  c.material.mass = 78.0;
  return c;
}

double paperEI(double young) { return young * 1e-4 / 12; }
double paperGJ(double young) { return young * 0.1406e-4 / 2.6; }

void putOn(Description& d, const std::string& on, Vec3 force, Vec3 torque, double seconds) {
  ForceSettings f;
  f.on = on;
  f.force = force;
  f.torque = torque;
  if (seconds > 0.0) {
    f.scale.emplace();
    f.scale->table = {Vec2(0, 0), Vec2(seconds, 1)};
    f.scale->smooth = true;
  }
  d.forces.emplace_back("f" + std::to_string(d.forces.size()), f);
}

Description rodScene(double young, int segments, double damping, const std::string& end) {
  Description d = paperScene(false);
  d.bodies.emplace_back(end, endBlock(Vec3(rodLength, 0, 0)));
  CableSettings c = paperRod(young, segments);
  c.route = {chainEnd("world", Vec3::Zero(), EndHold::clamped), chainEnd(end, Vec3::Zero(), EndHold::clamped)};
  c.material.damping = damping;
  d.cables.emplace_back("rod", c);
  return d;
}

Description chuckScene(double young, int segments, double damping, double disturbance) {
  Description d = rodScene(young, segments, damping, "chuck");
  d.bodies.emplace_back("sleeve", endBlock(Vec3(rodLength, 0, 0)));
  const auto hold = [&](const char* name, JointType type, const char* a, const char* b) {
    JointSettings j;
    j.type = type;
    j.a = a;
    j.b = b;
    j.anchor = Vec3(rodLength, 0, 0);
    j.axis = Vec3::UnitX();
    d.joints.emplace_back(name, j);
  };
  hold("slide", JointType::slider, "world", "sleeve");
  hold("spin", JointType::hinge, "sleeve", "chuck");
  if (disturbance > 0.0)
    d.cables.front().second.shape = {Vec3(2.5, 0, disturbance), Vec3(5, disturbance, 0), Vec3(7.5, 0, -disturbance)};
  return d;
}

Description twistScene(const Twisting& t) {
  // Damped on the rod's own time scale.
  const double damping = std::min(0.05 * std::sqrt(2e11 / t.young), 0.5);
  Description d = chuckScene(t.young, t.segments, damping, t.disturbance);
  const double torque = paperGJ(t.young) / rodLength * t.turns * 2 * std::numbers::pi;
  putOn(d, "chuck", Vec3(t.tension * paperEI(t.young), 0, 0), Vec3::Zero(), 0.2);
  putOn(d, "chuck", Vec3::Zero(), Vec3(torque, 0, 0), 0.7 * t.seconds);
  return d;
}

double turnsOf(const World& world) { return numberOf(world, "joints.spin.coordinate") / (2 * std::numbers::pi); }

double lateralOf(const World& world) {
  double most = 0.0;
  const Observation seen = world.observe();
  for (const Vec3& p : seen.cables.front().second.polyline) most = std::max(most, std::hypot(p.y(), p.z()));
  return most;
}

double radiusOf(const World& world) {
  const Observation seen = world.observe();
  const auto& line = seen.cables.front().second.polyline;
  std::vector<Vec3> middles;
  for (std::size_t i = 1; i < line.size(); ++i) middles.push_back(0.5 * (line[i] + line[i - 1]));
  const Vec3 a = middles.front(), b = middles[middles.size() / 2], e = middles.back();
  return (b - a).norm() * (e - b).norm() * (e - a).norm() / (2.0 * (b - a).cross(e - a).norm());
}

double numberOf(const World& world, const std::string& path) {
  const auto found = world.resolve(path);
  return found ? world.read(*found) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace reeve::trials
