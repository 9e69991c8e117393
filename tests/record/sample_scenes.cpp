#include "sample_scenes.h"

#include <cmath>

namespace reeve::samples {
namespace {

Quat turnAbout(const Vec3& axis, double angle) {
  const Vec3 v = axis.normalized() * std::sin(angle / 2);
  return {std::cos(angle / 2), v.x(), v.y(), v.z()};
}

ShapeSettings box(const Vec3& size) {
  ShapeSettings shape;
  shape.type = ShapeType::box;
  shape.size = size;
  return shape;
}

ShapeSettings round(ShapeType type, double radius, double length = 0.0) {
  ShapeSettings shape;
  shape.type = type;
  shape.radius = radius;
  shape.length = length;
  return shape;
}

BodySettings bodyAt(const Vec3& position, ShapeSettings shape, const Quat& orientation = Quat::Identity()) {
  BodySettings body;
  body.position = position;
  body.orientation = orientation;
  body.shapes.push_back(std::move(shape));
  return body;
}

BodySettings flatGround() {
  BodySettings ground;
  ground.motion = BodyMotion::fixed;
  ground.shapes.emplace_back().type = ShapeType::halfSpace;
  return ground;
}

JointSettings joint(JointType type, const std::string& a, const std::string& b, const Vec3& anchor) {
  JointSettings settings;
  settings.type = type, settings.a = a, settings.b = b, settings.anchor = anchor;
  return settings;
}

RotorSettings rotor(const std::string& on, const Vec3& position, double radius, double width) {
  RotorSettings settings;
  settings.on = on, settings.position = position, settings.radius = radius, settings.width = width;
  settings.axis = Vec3(0, -1, 0);
  return settings;
}

LinkSettings link(LinkType type, const std::string& on, const Vec3& point = Vec3::Zero()) {
  LinkSettings settings;
  settings.type = type, settings.on = on, settings.point = point;
  return settings;
}

/// Points on a circle in the x-z plane, from angle a to b.
void addArc(std::vector<Vec3>& line, const Vec3& center, double radius, double a, double b) {
  for (int i = 0; i <= 16; ++i) {
    const double t = a + (b - a) * i / 16;
    line.push_back(center + radius * Vec3(std::cos(t), 0, std::sin(t)));
  }
}

SpanObservation span(const std::string& from, const std::string& to, const Vec3& a, const Vec3& b, double tension) {
  SpanObservation s;
  s.from = from, s.to = to, s.start = a, s.end = b;
  s.length = (b - a).norm(), s.rest = s.length - 1e-4 * tension, s.tension = tension;
  return s;
}

}  // namespace

Observation atStart(const Description& description) {
  Observation seen;
  for (const auto& [name, body] : description.bodies)
    seen.bodies.emplace_back(name,
                             BodyObservation{body.position, body.orientation, body.velocity, body.angularVelocity});
  for (const auto& [name, rotor] : description.rotors)
    seen.rotors.emplace_back(name, RotorObservation{rotor.angle, rotor.rate});
  for (const auto& [name, particle] : description.particles)
    seen.particles.emplace_back(name, ParticleObservation{particle.position, particle.velocity});
  for (const auto& [name, joint] : description.joints) seen.joints.emplace_back(name, JointObservation{});
  return seen;
}

Sample doublePendulum(double a, double b) {
  Sample s;
  Description& d = s.description;
  d.name = "Double pendulum";
  d.about = "Two rods on hinges, let go from the side. Chaotic: a check of energy, not of positions.";
  const double length = 0.8;
  d.bodies.emplace_back("upper", bodyAt({0, 0, -length / 2}, box({0.06, 0.04, length})));
  d.bodies.emplace_back("lower", bodyAt({0, 0, -1.5 * length}, box({0.06, 0.04, length})));
  d.joints.emplace_back("pivot", joint(JointType::hinge, "world", "upper", Vec3::Zero()));
  d.joints.emplace_back("elbow", joint(JointType::hinge, "upper", "lower", Vec3(0, 0, -length)));
  s.observation = atStart(d);
  const Quat qa = turnAbout(Vec3::UnitY(), -a), qb = turnAbout(Vec3::UnitY(), -b);
  const Vec3 tip = qa * Vec3(0, 0, -length);
  s.observation.bodies[0].second.position = qa * Vec3(0, 0, -length / 2);
  s.observation.bodies[0].second.orientation = qa;
  s.observation.bodies[1].second.position = tip + qb * Vec3(0, 0, -length / 2);
  s.observation.bodies[1].second.orientation = qb;
  s.observation.time = 1.25;
  s.observation.steps = 300;
  s.observation.energy = {12.5, -31.2, 0.0, -18.7};
  return s;
}

Sample pile() {
  Sample s;
  Description& d = s.description;
  d.name = "Pile of mixed shapes";
  d.about = "Boxes, spheres, capsules, cylinders, hulls and prisms come to rest on the ground.";
  d.view.from = Vec3(0.62, -1.0, 0.62);
  d.bodies.emplace_back("ground", flatGround());
  d.bodies.emplace_back("crate", bodyAt({0, 0, 0.25}, box({0.5, 0.5, 0.5}), turnAbout(Vec3::UnitZ(), 0.4)));
  d.bodies.emplace_back("plank", bodyAt({0.1, 0, 0.54}, box({1.4, 0.22, 0.08}), turnAbout(Vec3::UnitZ(), 0.2)));
  d.bodies.emplace_back("ball",
                        bodyAt({0.55, 0.05, 0.75}, round(ShapeType::sphere, 0.17), turnAbout(Vec3(1, 1, 0.4), 0.8)));
  d.bodies.emplace_back(
      "drum", bodyAt({-0.75, -0.2, 0.3}, round(ShapeType::cylinder, 0.22, 0.6), turnAbout(Vec3::UnitZ(), 0.7)));
  d.bodies.emplace_back(
      "log", bodyAt({0.7, -0.55, 0.13}, round(ShapeType::cylinder, 0.13, 0.8), turnAbout(Vec3(0.6, 1, 0), 1.5707963)));
  d.bodies.emplace_back("pill", bodyAt({-0.25, -0.75, 0.12}, round(ShapeType::capsule, 0.12, 0.5),
                                       turnAbout(Vec3(0.4, 1, 0), 1.5707963)));
  ShapeSettings gem;
  gem.type = ShapeType::hull;
  for (int i = 0; i < 6; ++i) gem.points.push_back({0.2 * std::cos(i * 1.0472), 0.2 * std::sin(i * 1.0472), 0.0});
  gem.points.push_back({0, 0, 0.28});
  gem.points.push_back({0, 0, -0.15});
  d.bodies.emplace_back("gem", bodyAt({-0.3, 0.15, 0.75}, gem, turnAbout(Vec3(1, 0.3, 0), 0.5)));
  ShapeSettings wedge;
  wedge.type = ShapeType::prism;
  wedge.polygon = {{-0.25, -0.15}, {0.3, -0.15}, {-0.25, 0.25}};
  wedge.length = 0.4;
  d.bodies.emplace_back("wedge", bodyAt({0.85, 0.5, 0.15}, wedge, turnAbout(Vec3::UnitX(), 1.5707963)));
  s.observation = atStart(d);
  s.observation.time = 4.0;
  for (const Vec3& p : {Vec3(0.2, 0.2, 0), Vec3(-0.2, -0.25, 0), Vec3(0.55, 0.05, 0.58)})
    s.observation.contacts.push_back({"ground", "crate", p, Vec3::UnitZ(), -1e-5, 120.0});
  return s;
}

Sample crane() {
  Sample s;
  Description& d = s.description;
  d.name = "Harbour crane";
  d.about = "A drum on the mast pulls a load over the jib head; the guy wire holds the jib.";
  d.bodies.emplace_back("ground", flatGround());
  BodySettings mast = bodyAt({0, 0, 3}, box({0.5, 0.5, 6}));
  mast.motion = BodyMotion::fixed;
  d.bodies.emplace_back("mast", mast);
  const double tilt = -0.42, jibLength = 6.0;
  const Vec3 heel(0.25, 0, 2.6);
  const Quat q = turnAbout(Vec3::UnitY(), tilt);
  ShapeSettings beam = box({jibLength, 0.3, 0.26});
  beam.position = Vec3(jibLength / 2, 0, 0);
  d.bodies.emplace_back("jib", bodyAt(heel, beam, q));
  const Vec3 head = heel + q * Vec3(jibLength, 0, 0);
  const Vec3 hookAt(head.x() + 0.35, 0, 2.0);
  d.bodies.emplace_back("load", bodyAt(hookAt - Vec3(0, 0, 0.55), box({1.0, 0.8, 0.7})));
  d.joints.emplace_back("heel", joint(JointType::hinge, "mast", "jib", heel));
  d.rotors.emplace_back("drum", rotor("world", {-0.9, 0, 0.75}, 0.5, 0.4));
  d.rotors.emplace_back("mast head", rotor("mast", {0, 0, 3.2}, 0.35, 0.15));
  d.rotors.emplace_back("jib head", rotor("jib", {jibLength, 0, 0}, 0.35, 0.15));
  MotorSettings winch;
  winch.on = "drum";
  winch.target.offset = 0.6;
  d.motors.emplace_back("winch", winch);
  CableSettings hoist;
  hoist.route = {link(LinkType::spool, "drum"), link(LinkType::roll, "mast head"), link(LinkType::roll, "jib head"),
                 link(LinkType::attach, "load", {0, 0, 0.35})};
  hoist.material.radius = 0.012;
  d.cables.emplace_back("hoist", hoist);
  CableSettings guy;
  guy.route = {link(LinkType::attach, "mast", {0.25, 0, 2.4}),
               link(LinkType::attach, "jib", {0.75 * jibLength, 0, 0.13})};
  d.cables.emplace_back("guy", guy);
  CableSettings tag;
  tag.route = {link(LinkType::attach, "mast", {0.25, 0, -2.2}), link(LinkType::attach, "load", {-0.5, 0, 0})};
  d.cables.emplace_back("tag line", tag);
  s.observation = atStart(d);
  Observation& o = s.observation;
  o.time = 2.5;
  o.rotors = {{"drum", {0.7, 0.6}}, {"mast head", {1.3, 0.85}}, {"jib head", {2.0, 0.85}}};
  const Vec3 dc(-0.9, 0, 0.75), mc(0, 0, 6.2);
  CableObservation h;
  h.model = "joints";
  // Left tangent from the drum up to the mast head, over it, along to the jib head, over it and down.
  const Vec3 up = mc - dc;
  const double slope = std::atan2(up.z(), up.x()), tip = std::acos((0.5 - 0.35) / up.norm());
  const double leave = slope + tip;
  const Vec3 a = dc + 0.5 * Vec3(std::cos(leave), 0, std::sin(leave)),
             b = mc + 0.35 * Vec3(std::cos(leave), 0, std::sin(leave));
  const double across = std::atan2(head.z() - mc.z(), head.x() - mc.x()) + 1.5707963;
  addArc(h.polyline, dc, 0.5, leave + 4.2, leave);
  addArc(h.polyline, mc, 0.35, leave, across);
  addArc(h.polyline, head, 0.35, across, 0.0);
  const Vec3 c = mc + 0.35 * Vec3(std::cos(across), 0, std::sin(across)),
             e = head + 0.35 * Vec3(std::cos(across), 0, std::sin(across));
  const Vec3 f = head + Vec3(0.35, 0, 0), hook = hookAt - Vec3(0, 0, 0.2);
  h.polyline.push_back(hook);
  for (int i = 0; i < static_cast<int>(h.polyline.size()); ++i)
    h.tensions.push_back(i < 17   ? 6300.0
                         : i < 34 ? 6300.0 - 400.0 * (i - 17) / 17
                         : i < 51 ? 5900.0 - 500.0 * (i - 34) / 17
                                  : 5400.0);
  h.spans = {span("drum", "mast head", a, b, 6300), span("mast head", "jib head", c, e, 5900),
             span("jib head", "load", f, hook, 5400)};
  for (const char* kind : {"spool", "roll", "roll", "attach"}) {
    LinkObservation& seen = h.links.emplace_back();
    seen.kind = kind, seen.mode = "rolling", seen.wrap = 1.0;
  }
  h.length = 30.0, h.stored = 12.0;
  o.cables.emplace_back("hoist", h);
  CableObservation g;
  g.model = "joints";
  g.spans = {span("mast", "jib", Vec3(0.25, 0, 5.4), heel + q * Vec3(0.75 * jibLength, 0, 0.13), 11200)};
  g.polyline = {g.spans[0].start, g.spans[0].end};
  g.tensions = {11200, 11200};
  o.cables.emplace_back("guy", g);
  CableObservation t;
  t.model = "particles";
  t.spans = {span("mast", "load", Vec3(0.25, 0, 0.8), hookAt - Vec3(0.5, 0, 0.55), 0)};
  t.spans[0].slack = true;
  t.spans[0].rest = t.spans[0].length * 1.06;
  o.cables.emplace_back("tag line", t);
  o.motors.emplace_back("winch", MotorObservation{3150.0, 1260.0});
  o.energy = {210.0, 15800.0, 12.0, 16022.0};
  o.health = {6, 3e-12, "cables.hoist.spans.0", 2e-9, 0};
  o.steps = 600;
  return s;
}

Sample net() {
  Sample s;
  Description& d = s.description;
  d.name = "Hanging net";
  d.view.from = Vec3(0.4, -1, 0.35);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 5; ++j) {
      ParticleSettings p;
      p.position = Vec3(0.2 * i, 0.05 * j * j, -0.2 * j - 0.03 * i * (5 - i));
      d.particles.emplace_back("p" + std::to_string(i) + std::to_string(j), p);
    }
  const auto name = [](int i, int j) { return "p" + std::to_string(i) + std::to_string(j); };
  const auto tie = [&](const std::string& a, const std::string& b, const Vec3& pa, const Vec3& pb, double compliance) {
    JointSettings rope = joint(JointType::distance, a, b, pa);
    rope.anchorB = pb, rope.mode = DistanceMode::rope, rope.compliance = compliance;
    d.joints.emplace_back(a + "-" + b, rope);
  };
  const auto at = [&](int i, int j) { return d.particles[static_cast<std::size_t>(i * 5 + j)].second.position; };
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 5; ++j) {
      if (i < 5) tie(name(i, j), name(i + 1, j), at(i, j), at(i + 1, j), 0.0);
      if (j < 4) tie(name(i, j), name(i, j + 1), at(i, j), at(i, j + 1), j == 3 ? 1e-3 : 0.0);
    }
  s.observation = atStart(d);
  return s;
}

Sample bigFloor() {
  Sample s;
  Description& d = s.description;
  d.name = "Dominoes on a hall floor";
  d.about = "Everything that moves is small against what does not.";
  d.view.from = Vec3(0.62, -1.0, 0.62);
  BodySettings floor = bodyAt({0, 0, -0.5}, box({40, 40, 1}));
  floor.motion = BodyMotion::fixed;
  d.bodies.emplace_back("floor", floor);
  BodySettings wall = bodyAt({0, 0.6, 5}, box({12, 0.2, 10}));
  wall.motion = BodyMotion::fixed;
  d.bodies.emplace_back("wall", wall);
  for (int i = 0; i < 12; ++i)
    d.bodies.emplace_back("domino " + std::to_string(i), bodyAt({0.06 * i, 0, 0.05}, box({0.015, 0.05, 0.1}),
                                                                turnAbout(Vec3::UnitY(), i < 5 ? 0.5 : 0.0)));
  d.bodies.emplace_back("marble", bodyAt({-0.1, 0, 0.01}, round(ShapeType::sphere, 0.01)));
  JointSettings rail = joint(JointType::slider, "world", "marble", {-0.1, 0, 0.01});
  rail.axis = Vec3::UnitX();
  d.joints.emplace_back("rail", rail);
  JointSettings ball = joint(JointType::ball, "world", "domino 11", {0.66, 0, 0.1});
  d.joints.emplace_back("ball", ball);
  ForceSettings push;
  push.on = "marble", push.force = Vec3(1, 0, 0);
  d.forces.emplace_back("push", push);
  s.observation = atStart(d);
  return s;
}

Sample manyThings() {
  Sample s;
  Description& d = s.description;
  d.name = "Sixty wheels";
  CableObservation belt;
  for (int i = 0; i < 60; ++i) {
    const std::string name = "w" + std::to_string(i);
    const Vec3 at(0.25 * i, 0, i % 2 ? 0.3 : -0.3);
    d.rotors.emplace_back(name, rotor("world", at, 0.1, 0.04));
    belt.polyline.push_back(at + Vec3(0, 0, i % 2 ? 0.1 : -0.1));
    belt.tensions.push_back(10.0 * i * i);
    d.bodies.emplace_back("b" + std::to_string(i), bodyAt({0.25 * i, 0, -1.0}, round(ShapeType::capsule, 0.03, 0.2)));
    if (i > 0)
      d.joints.emplace_back("j" + std::to_string(i), joint(JointType::hinge, "b" + std::to_string(i - 1),
                                                           "b" + std::to_string(i), {0.25 * i - 0.125, 0, -1.0}));
  }
  d.cables.emplace_back("belt", CableSettings{});
  s.observation = atStart(d);
  s.observation.cables.emplace_back("belt", belt);
  return s;
}

}  // namespace reeve::samples
