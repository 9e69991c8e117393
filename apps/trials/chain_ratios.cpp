#include "trials/chain_ratios.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reeve::trials {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
std::string particleName(int i) { return i < 0 ? "world" : "p" + std::to_string(i); }
/// Steps in so many seconds.
constexpr int stepsIn(double seconds) { return static_cast<int>(seconds / paperStep + 0.5); }

}  // namespace

Description pointChain(const PointRow& row, double load, SolverChoice solver) {
  Description d = paperScene(true, solver);
  for (int i = 0; i < 5; ++i) {
    ParticleSettings p;
    p.position = Vec3(i + 1, 0, 0);
    p.mass = i == 4 ? load : 1.0;
    d.particles.emplace_back(particleName(i), p);
  }
  CableSettings whole;
  for (int i = -1; i < 5; ++i) whole.route.push_back(chainEnd(particleName(i)));
  if (row.model == 'e') {
    whole.model = CableModel::chain;
    whole.compliance = row.link;
    whole.material.bending = 1.0 / row.extra;
    d.cables.emplace_back("chain", whole);
    return d;
  }
  const auto distance = [&](const std::string& name, int a, int b, double compliance) {
    JointSettings j;
    j.type = JointType::distance;
    j.a = particleName(a);
    j.b = particleName(b);
    j.anchor = Vec3(a + 1, 0, 0);
    j.anchorB = Vec3(b + 1, 0, 0);
    j.compliance = compliance;
    d.joints.emplace_back(name, j);
  };
  for (int i = 0; i < (row.model == 'd' ? 4 : 5); ++i) distance("j" + std::to_string(i), i - 1, i, row.link);
  if (row.model == 'c') distance("support", -1, 4, row.extra);
  if (row.model == 'b' || row.model == 'd') {
    whole.compliance = row.extra / 5.0;  // per span; one tension over five of them
    for (std::size_t i = 1; i < 5; ++i) whole.route[i].type = LinkType::pinhole, whole.route[i].friction = 0.0;
    d.cables.emplace_back("massless", whole);
  }
  return d;
}

std::vector<Vec3> placesOf(const World& world) {
  std::vector<Vec3> places{Vec3::Zero()};
  const Observation seen = world.observe();
  for (const auto& [name, p] : seen.particles) places.push_back(p.position);
  return places;
}

bool swingsStably(World& world, const PointRow& row, double load) {
  const bool firstOrder = world.description().settings.solver == SolverChoice::blocks;
  const auto energy = [&] {
    return firstOrder ? numberOf(world, "energy.kinetic") + numberOf(world, "energy.potential")
                      : numberOf(world, "energy.total");
  };
  const double start = energy(), gained = (firstOrder ? 0.05 : 0.01) * load * 50.0;
  const double longest = 1.0 + 2.0 * row.link * 30.0 * load + (firstOrder ? 0.05 : 1e-3);
  const std::size_t held = row.model == 'd' ? 4 : 5;
  for (int i = 0; i < stepsIn(30.0); ++i) {
    if (!world.step().good || !(energy() - start < gained)) return false;
    const std::vector<Vec3> x = placesOf(world);
    for (std::size_t k = 0; k < held; ++k)
      if (!((x[k + 1] - x[k]).norm() < longest)) return false;
  }
  return true;
}

Description movedAnchor(const AnchorRow& row, double ratio, double travel, SolverChoice solver, int rounds) {
  const double area = 12.0 / row.beta, length = anchoredLength, l = length / (row.joints + 1);
  Description d = paperScene(true, solver);
  d.settings.iterations = rounds;
  BodySettings anchor;
  anchor.motion = BodyMotion::kinematic;
  anchor.prescribed.emplace();
  anchor.prescribed->travel.table = {Vec2(1, 0), Vec2(2.6, travel)};
  anchor.prescribed->travel.smooth = true;
  d.bodies.emplace_back("anchor", anchor);
  const auto end = [&](double z) {
    const double across = (l * l + area) / 12;
    return rigidBody(ratio, ratio * Vec3(across, across, area / 6), Vec3(0, 0, z));
  };
  d.bodies.emplace_back("top", end(-0.5 * l));
  d.bodies.emplace_back("load", end(-length + 0.5 * l));
  JointSettings held;
  held.type = JointType::ball;
  held.a = "anchor";
  held.b = "top";
  d.joints.emplace_back("held", held);
  CableSettings c = paperRod(row.young, row.joints - 1);
  c.material.radius = 0.5 * std::sqrt(area);
  c.material.mass = 1.0 / l;  // 1 kg a segment
  c.material.damping = 0.01;
  c.twist = TwistMeasure::parallel;  // the paper's alternative form, made exact
  c.route = {chainEnd("top", Vec3(0, 0, -0.5 * l), EndHold::clamped),
             chainEnd("load", Vec3(0, 0, 0.5 * l), EndHold::clamped)};
  d.cables.emplace_back("cable", c);
  return d;
}

double energyGained(World& world, double ratio) {
  double stopped = 0.0, gain = 0.0;
  for (int i = 1; i <= stepsIn(30.0); ++i) {
    if (!world.step().good) return infinite;
    const double total = numberOf(world, "energy.total");
    if (i == stepsIn(2.7)) stopped = total;
    if (i > stepsIn(2.7)) gain = std::max(gain, (total - stopped) / (ratio * 10.0 * anchoredLength));
  }
  return gain;
}

Unrest unrestOf(World& world) {
  Unrest most;
  for (int i = 1; i <= stepsIn(15.0); ++i) {
    if (!world.step().good) return {infinite, infinite};
    if (i < stepsIn(10.0)) continue;
    const Observation seen = world.observe();
    const auto& cable = seen.cables.front().second;
    for (const auto& span : cable.spans) most.stretch = std::max(most.stretch, span.length / span.rest - 1.0);
    // The swing is in the plane of x and z: bends have a sign.
    std::vector<double> bends;
    for (std::size_t k = 2; k < cable.polyline.size(); ++k) {
      const Vec3 u = cable.polyline[k - 1] - cable.polyline[k - 2], v = cable.polyline[k] - cable.polyline[k - 1];
      bends.push_back(std::atan2(u.z() * v.x() - u.x() * v.z(), u.dot(v)));
    }
    for (std::size_t k = 1; k + 1 < bends.size(); ++k)
      most.zigzag = std::max(most.zigzag, std::fabs(bends[k] - 0.5 * (bends[k - 1] + bends[k + 1])));
  }
  return most;
}

Description swingingGantry(double segment, SolverChoice solver) {
  Description d = paperScene(true, solver);
  if (solver == SolverChoice::blocks) d.settings.iterations = 20;
  BodySettings load = rigidBody(300, Vec3::Constant(50), Vec3(0, 0, -5.7));
  load.velocity = Vec3(3, 0, 0);
  d.bodies.emplace_back("hook", rigidBody(100, Vec3(10, 8, 12), Vec3(0, 0, -3)));
  d.bodies.emplace_back("load", load);
  for (const double y : {-0.4, 0.4}) {
    CableSettings m;
    m.route = {chainEnd("world", Vec3(-0.4, y, 0)), chainEnd("hook", Vec3(0, y, 0.2)),
               chainEnd("world", Vec3(0.4, y, 0))};
    m.route[1].type = LinkType::pinhole;
    m.route[1].friction = 0.0;
    m.compliance = 1e-7;
    d.cables.emplace_back(y < 0 ? "near" : "far", m);
  }
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = 20;
  c.collides = false;
  c.material.mass = segment / 0.1;
  c.material.radius = 0.02;
  c.material.axial = 5e6 * 0.1;  // c_s = 5e6 N/m and c_b = c_t = 1e3 N m/rad at every joint
  c.material.bending = c.material.torsion = 1e3 * 0.1;
  c.route = {chainEnd("hook", Vec3(0, 0, -0.2), EndHold::clamped), chainEnd("load", Vec3(0, 0, 0.5), EndHold::clamped)};
  d.cables.emplace_back("chain", c);
  return d;
}

Description swingingChain(int segments, double load, SolverChoice solver) {
  Description d = paperScene(true, solver);
  BodySettings end = rigidBody(load, Vec3::Constant(0.04 * load), Vec3(0, 0, -0.1 * segments));
  end.velocity = Vec3(1.0, 0.3, 0);
  d.bodies.emplace_back("load", end);
  CableSettings c;
  c.model = CableModel::chain;
  c.segments = segments;
  c.collides = false;
  c.material.mass = 1.0;
  c.material.radius = 0.01;
  c.material.axial = 1e6;
  c.material.bending = 5.0;
  c.material.torsion = 4.0;
  c.route = {chainEnd("world"), chainEnd("load", Vec3::Zero(), EndHold::clamped)};
  d.cables.emplace_back("cable", c);
  return d;
}

}  // namespace reeve::trials
