// Paper 004: Rigid Body Cable for Virtual Environments (Servin, Lacoursière 2008). Here the rod of section VII-A,
// figures 9 to 12; particle chains, stability and the gantry are in files of their own.
#include "reproduce_004.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "command.h"
#include "reproduce_001.h"

namespace reeve::command {

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
  f.scale.emplace();
  f.scale->table = {Vec2(0, 0), Vec2(seconds, 1)};
  f.scale->smooth = true;
  d.forces.emplace_back("f" + std::to_string(d.forces.size()), f);
}

namespace {

constexpr double length = 10.0;
constexpr int divisions[] = {3, 6, 12, 24};
struct Material {
  const char* name;
  double young;
  const char* color;
};
constexpr Material materials[] = {{"rubber", 2e7, "#1b6ca8"}, {"nylon", 2e9, "#c2562d"}, {"steel", 2e11, "#00704f"}};

/// The rod between the world and a body of 50 kg at its far end, both ends clamped.
Description rodScene(const Material& material, int n, double damping, const std::string& end) {
  Description d = paperScene(false);
  d.bodies.emplace_back(end, rigidBody(50, Vec3::Constant(2.5), Vec3(length, 0, 0)));
  CableSettings c = paperRod(material.young, n);
  c.route = {chainEnd("world", Vec3::Zero(), EndHold::clamped), chainEnd(end, Vec3::Zero(), EndHold::clamped)};
  c.material.damping = damping;
  d.cables.emplace_back("rod", c);
  return d;
}

// ---- fig 10

Outcome stretch(Sheet& sheet) {
  double worst = 0.0;
  std::vector<Trace> traces;
  for (const Material& m : materials)
    for (const int n : divisions) {
      Trace trace{{Vec2(0, 0)}, m.color, true};
      for (const double strain : {0.1, 0.25, 0.5}) {
        Description d = rodScene(m, n, 0.3, "end");
        putOn(d, "end", Vec3(strain * m.young * 1e-2, 0, 0), Vec3::Zero(), 1.0);
        World world = built(d);
        advance(world, 8.0);
        const double got = (measured(world, "bodies.end.position.x") - length) / length;
        worst = std::max(worst, std::fabs(got / strain - 1.0));
        trace.points.push_back(Vec2(got, strain));
      }
      traces.push_back(trace);
    }
  sheet.drawing(traceDrawing(traces, Vec2(0, 0), Vec2(0.55, 0.55), "f/YA over strain", 420), "all twelve rods");
  return Outcome::judged(
      fmt::format("N = 3, 6, 12, 24, rubber, nylon, steel to 50 % strain: off by at most {:.1g} %", 100 * worst),
      worst < 1e-3);
}

// ---- fig 11

/// Turns at the end of a rod whose chuck keeps to the axis and is turned by the torque that `turns` need.
double twistedBy(const Material& m, int n, double turns, double& lateral) {
  Description d = rodScene(m, n, std::min(0.05 * std::sqrt(2e11 / m.young), 0.5), "chuck");
  d.bodies.emplace_back("sleeve", rigidBody(50, Vec3::Constant(2.5), Vec3(length, 0, 0)));
  const auto hold = [&](const char* name, JointType type, const char* a, const char* b) {
    JointSettings j;
    j.type = type;
    j.a = a;
    j.b = b;
    j.anchor = Vec3(length, 0, 0);
    j.axis = Vec3::UnitX();
    d.joints.emplace_back(name, j);
  };
  hold("slide", JointType::slider, "world", "sleeve");
  hold("spin", JointType::hinge, "sleeve", "chuck");
  const double seconds = m.young < 1e8 ? 40.0 : 12.0, torque = paperGJ(m.young) / length * turns * 2 * std::numbers::pi;
  putOn(d, "chuck", Vec3(30.0 * paperEI(m.young), 0, 0), Vec3::Zero(), 0.2);
  putOn(d, "chuck", Vec3::Zero(), Vec3(torque, 0, 0), 0.7 * seconds);
  World world = built(d);
  advance(world, seconds);
  lateral = 0.0;
  const Observation seen = world.observe();
  for (const Vec3& p : seen.cables.front().second.polyline) lateral = std::max(lateral, std::hypot(p.y(), p.z()));
  return measured(world, "joints.spin.coordinate") / (2 * std::numbers::pi);
}

Outcome twist(Sheet& sheet) {
  double worst = 0.0, aside = 0.0;
  std::string steel;
  std::vector<Trace> traces;
  for (const Material& m : materials)
    for (const int n : divisions) {
      Trace trace{{Vec2(0, 0)}, m.color, true};
      for (const double turns : {2.4, 15.0, 37.0}) {
        double lateral;
        const double got = twistedBy(m, n, turns, lateral);
        worst = std::max(worst, std::fabs(got / turns - 1.0));
        aside = std::max(aside, lateral);
        trace.points.push_back(Vec2(got, turns));
        if (m.young == 2e11 && turns == 37.0) steel += fmt::format("{}{}: {:.4f}", steel.empty() ? "" : ", ", n, got);
      }
      traces.push_back(trace);
    }
  sheet.drawing(traceDrawing(traces, Vec2(0, 0), Vec2(40, 40), "torque L/(2 pi GJ) over turns", 420),
                "held on the axis under a tension of 30 EI per square metre");
  return Outcome::judged(
      fmt::format(
          "2.4, 15 and 37 turns, N = 3, 6, 12, 24, three materials: off by at most {:.1g} %, aside by {:.1g} m; "
          "steel at 37 turns by N {}. The paper's torques imply a law 6.76 times the printed one, so turns are "
          "compared",
          100 * worst, aside, steel),
      worst < 0.01);
}

// ---- fig 12

/// Radius of the circle through the middles of the first, middle and last segment of a rod bent by a couple.
double bentRadius(int n, double radius, Sheet* sheet = nullptr) {
  const Material& steel = materials[2];
  Description d = rodScene(steel, n, 0.2, "end");
  putOn(d, "end", Vec3::Zero(), Vec3(0, -paperEI(steel.young) / radius, 0), 2.0);
  World world = built(d);
  advance(world, 15.0);
  if (sheet) sheet->picture(world, fmt::format("bent to R = {} m, N = {}", radius, n));
  const Observation seen = world.observe();
  const auto& line = seen.cables.front().second.polyline;
  std::vector<Vec3> middles;
  for (std::size_t i = 1; i < line.size(); ++i) middles.push_back(0.5 * (line[i] + line[i - 1]));
  const Vec3 a = middles.front(), b = middles[middles.size() / 2], e = middles.back();
  return (b - a).norm() * (e - b).norm() * (e - a).norm() / (2.0 * (b - a).cross(e - a).norm());
}

Outcome bend(Sheet& sheet) {
  std::string text;
  bool good = true;
  std::vector<Trace> traces;
  for (const int n : divisions) {
    double off = 0.0;
    Trace trace;
    for (const double radius : {30.0, 10.0, 5.0, 2.0, 1.0}) {
      const double got = bentRadius(n, radius);
      if (radius >= length) off = std::max(off, std::fabs(got / radius - 1.0));
      trace.points.push_back(Vec2(1.0 / radius, 1.0 / got));
      if (radius == 1.0)
        text += fmt::format("{}N = {}: {:.2f} % at R >= L, {:.1f} % at L/10", text.empty() ? "" : "; ", n, 100 * off,
                            100 * std::fabs(got - 1.0));
    }
    traces.push_back(trace);
    good = good && (n < 6 || off < 0.02) && (n < 24 || off < 0.005);
  }
  sheet.drawing(traceDrawing(traces, Vec2(0, 0), Vec2(1.3, 1.3), "curvature got over curvature asked, 1/m", 420),
                "N = 3, 6, 12, 24");
  return Outcome::judged("off by " + text, good);
}

// ---- fig 9

Outcome snapshots(Sheet& sheet) {
  double lateral;
  const double ratio = bentRadius(24, 2.0, &sheet) / 2.0, turns = twistedBy(materials[2], 24, 2.4, lateral);
  std::string text;
  bool alive = true;
  for (const char* scene : {"bend", "twist"}) {
    World world = built(shippedScene(scene));
    for (const double share : {0.5, 1.0}) {
      alive = advance(world, share * world.description().settings.seconds) && alive;
      sheet.picture(world, fmt::format("{} at {:.1f} s", scene, world.time()));
    }
  }
  return Outcome::drawn(fmt::format("bent to R = 2 m ({:.2f} of it) and twisted by {:.2f} turns", ratio, turns), alive);
}

}  // namespace

Paper rigidChain() {
  Paper p{"004", "Rigid Body Cable for Virtual Environments (Servin, Lacoursiere 2008)", particleChainItems()};
  const auto add = [&](const std::vector<Item>& items) { p.items.insert(p.items.end(), items.begin(), items.end()); };
  add({{"fig 9: bending and twisting", "snapshots", snapshots},
       {"fig 10: stretch", "f/YA = strain to 50 %, whatever the number of segments", stretch},
       {"fig 11: twist", "to 37 turns; steel unstable at 2.4 turns with 24 segments, at 15 with 12", twist},
       {"fig 12: bend", "10 % off (N = 6) to 2.5 % (N = 24)", bend}});
  add(stabilityItems());
  add(gantryItems());
  return p;
}

}  // namespace reeve::command
