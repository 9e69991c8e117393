#include "reeve/world/build.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "reeve/elements/load.h"
#include "reeve/geometry/mass.h"
#include "reeve/math/rotation.h"
#include "reeve/model/kinetics.h"

namespace reeve {

namespace {

using Done = std::expected<void, Problem>;
enum class Kind { body, rotor, particle };
struct Thing {
  Kind kind = Kind::body;
  int index = 0;
};

class Builder {
 public:
  explicit Builder(Description description) : out_(std::make_unique<Built>()) {
    out_->model.description = std::move(description);
  }
  std::expected<std::unique_ptr<Built>, Problem> run();

 private:
  Model& model() { return out_->model; }
  const Description& scene() { return out_->model.description; }
  int addBlock(int dof, bool rotates, bool free);
  Done addBody(const std::string& name, const BodySettings& s);
  std::expected<Shape, Problem> makeShape(const ShapeSettings& s, const std::string& path);
  Done addRotorMass();
  Done addRotor(const std::string& name, const RotorSettings& s);
  Done addParticle(const std::string& name, const ParticleSettings& s);
  Done addJoint(const std::string& name, const JointSettings& s);
  Done addMotor(const std::string& name, const MotorSettings& s);
  Done addForce(const std::string& name, const ForceSettings& s);
  Done addCable(const std::string& name, const CableSettings& s);
  std::expected<LinkMount, Problem> mountOf(const std::string& name, const std::string& path);
  std::expected<LinkMount, Problem> segmentOf(const LinkSettings& link, const std::string& path);
  void look(Instant& now);
  std::expected<Thing, Problem> find(const std::string& name, const std::string& path);
  std::expected<Anchor, Problem> anchorAt(const std::string& name, const Vec3& point_W, const std::string& path);
  AxisFrame frameOn(int block, const Vec3& axis, const Vec3& side);
  template <class T>
  T* addElement(std::unique_ptr<T> element, std::string name);
  void placeState();

  std::unique_ptr<Built> out_;
  std::map<std::string, Thing> things_;
  std::map<std::string, const Drivable*> drivables_;
  std::vector<Mat3> startRotation_;
  std::vector<std::pair<Vec3, Vec3>> seeds_, particleSeeds_;  ///< start motion of what cables add
  struct CoordinateSeed {
    int block = 0;
    std::vector<double> start, rate;
  };
  std::vector<CoordinateSeed> coordinateSeeds_;
};

int Builder::addBlock(int dof, bool rotates, bool free) {
  Block b;
  b.q = model().positions;
  b.v = model().velocities;
  b.dof = dof;
  b.rotates = rotates;
  b.free = free;
  model().positions += rotates ? 7 : dof;
  model().velocities += dof;
  model().blocks.push_back(b);
  return static_cast<int>(model().blocks.size()) - 1;
}

template <class T>
T* Builder::addElement(std::unique_ptr<T> element, std::string name) {
  T* raw = element.get();
  raw->name = std::move(name);
  raw->index = static_cast<int>(model().elements.size());
  raw->slot = model().slots;
  raw->memory = model().memory;
  raw->sheet = model().sheets;
  raw->scratch = model().scratch;
  model().scratch += raw->scratchSize();
  model().slots += raw->slots();
  model().memory += raw->memorySize();
  model().sheets += raw->sheets();
  (raw->quiet() ? model().quiet : model().acting).push_back(raw);
  model().elements.push_back(std::move(element));
  return raw;
}

std::expected<Shape, Problem> Builder::makeShape(const ShapeSettings& s, const std::string& path) {
  Shape shape;
  shape.local = {s.position, s.orientation};
  switch (s.type) {
    case ShapeType::sphere:
      shape.geometry = Sphere{s.radius};
      break;
    case ShapeType::capsule:
      shape.geometry = Capsule{s.radius, 0.5 * s.length};
      break;
    case ShapeType::cylinder:
      shape.geometry = Cylinder{s.radius, 0.5 * s.length};
      break;
    case ShapeType::box:
      shape.geometry = Box{0.5 * s.size};
      break;
    case ShapeType::halfSpace:
      shape.geometry = HalfSpace{};
      break;
    case ShapeType::hull: {
      auto hull = makeHull(s.points);
      if (!hull)
        return wrong(path + "/points", describe(hull.error()), "give at least four points that are not in one plane");
      shape.geometry = std::move(*hull);
      break;
    }
    case ShapeType::prism: {
      auto prism = makePrism(s.polygon, 0.5 * s.length);
      if (!prism)
        return wrong(path + "/polygon", describe(prism.error()), "give at least three points that are not in one line");
      shape.geometry = std::move(*prism);
      break;
    }
  }
  if (auto ok = check(shape); !ok)
    return wrong(path, describe(ok.error()), "give every size of the shape a positive value");
  return shape;
}

Done Builder::addBody(const std::string& name, const BodySettings& s) {
  const std::string path = "/bodies/" + name;
  Body body;
  body.name = name;
  body.friction = s.friction;
  body.restitution = s.restitution;
  body.group = s.collides ? 1u << s.group : 0u;
  body.mask = s.collides ? ~0u : 0u;
  for (const int g : s.ignores) body.mask &= ~(1u << g);
  body.start = {s.position, s.orientation};
  for (std::size_t i = 0; i < s.shapes.size(); ++i) {
    auto shape = makeShape(s.shapes[i], path + "/shapes/" + std::to_string(i));
    if (!shape) return std::unexpected(shape.error());
    if (s.motion == BodyMotion::dynamic && std::holds_alternative<HalfSpace>(shape->geometry))
      return wrong(path + "/shapes/" + std::to_string(i), "a half-space has no mass and cannot move",
                   "make the body static, or use a box");
    body.shapes.push_back(std::move(*shape));
  }
  const bool free = s.motion == BodyMotion::dynamic;
  body.block = addBlock(6, true, free);
  Block& block = model().blocks.back();
  if (free) {
    MassProperties m = massOf(std::span<const Shape>(body.shapes), s.density);
    if (s.mass) m = m.mass > 0.0 ? scaledTo(m, *s.mass) : MassProperties{*s.mass, Vec3::Zero(), Mat3::Zero()};
    if (m.mass <= 0.0)
      return wrong(path, "a dynamic body needs a mass", "give it mass and inertia, or a shape and a density");
    if (s.center) m.centre = *s.center;
    if (s.inertia) m.inertia = s.inertia->asDiagonal();
    Vec3 principal;
    eigenSymmetric(m.inertia, principal);
    std::sort(principal.data(), principal.data() + 3);
    if (principal[0] <= 0.0)
      return wrong(path, "the body has no inertia", "give it an inertia, or a shape to compute it from");
    if (principal[0] + principal[1] < principal[2] * (1.0 - 1e-6))
      return wrong(path + "/inertia", "no body has this inertia: the largest moment exceeds the sum of the other two",
                   "check the three numbers");
    block.mass = m.mass;
    block.inertia_B = m.inertia;
    block.weighs = s.gravity;
    body.center_B = m.centre;
  } else if (s.center) {
    body.center_B = *s.center;
  }
  for (Shape& shape : body.shapes) shape.local.position -= body.center_B;
  if (s.motion == BodyMotion::kinematic && s.prescribed) body.prescribed = &*s.prescribed;
  if (s.prescribed && s.motion != BodyMotion::kinematic)
    return wrong(path + "/prescribed", "only a kinematic body follows a prescribed motion", "set motion to kinematic");
  things_[name] = {Kind::body, static_cast<int>(model().bodies.size())};
  model().bodies.push_back(std::move(body));
  return {};
}

/// Wheels weigh on their parents before anything is placed relative to the centres of mass.
Done Builder::addRotorMass() {
  for (const auto& [name, s] : scene().rotors) {
    const std::string path = "/rotors/" + name;
    const auto parent = find(s.on, path + "/on");
    if (!parent) return std::unexpected(parent.error());
    if (parent->kind != Kind::body)
      return wrong(path + "/on", "a rotor sits on a body, not on '" + s.on + "'", "name a body, or world");
    Body& body = model().bodies[at(parent->index)];
    Block& block = model().blocks[at(body.block)];
    if (!block.free || s.mass == 0.0) continue;
    // A thin wheel: m r²/4 across its axle, nothing along it (the spin is the rotor's own).
    const Vec3 axis = s.axis.normalized();
    const double across = 0.25 * s.mass * s.radius * s.radius;
    const MassProperties wheel{s.mass, s.position, across * (Mat3::Identity() - axis * axis.transpose())};
    const MassProperties parts[] = {MassProperties{block.mass, body.center_B, block.inertia_B}, wheel};
    const MassProperties both = combined(parts);
    for (Shape& shape : body.shapes) shape.local.position += body.center_B - both.centre;
    body.center_B = both.centre;
    block.mass = both.mass;
    block.inertia_B = both.inertia;
  }
  return {};
}

Done Builder::addRotor(const std::string& name, const RotorSettings& s) {
  const std::string path = "/rotors/" + name;
  const auto parent = find(s.on, path + "/on");
  if (!parent) return std::unexpected(parent.error());
  if (s.axis.norm() < 1e-12)
    return wrong(path + "/axis", "the axis has no length", "give a direction, such as [0, 1, 0]");
  const double inertia = s.inertia.value_or(0.5 * s.mass * s.radius * s.radius);
  if (inertia <= 0.0) return wrong(path, "a rotor needs inertia about its axle", "give it inertia, or a mass");
  const Body& body = model().bodies[at(parent->index)];
  Rotor rotor;
  rotor.name = name;
  rotor.parent = body.block;
  rotor.center_B = s.position - body.center_B;
  rotor.axis_B = s.axis.normalized();
  rotor.radius = s.radius;
  rotor.block = addBlock(1, false, true);
  model().blocks.back().mass = inertia;
  if (model().blocks[at(rotor.parent)].free)
    model().spins.push_back({rotor.block, rotor.parent, rotor.axis_B, model().blocks[at(rotor.block)].v});
  things_[name] = {Kind::rotor, static_cast<int>(model().rotors.size())};
  model().rotors.push_back(rotor);
  const Bearing* bearing = addElement(std::make_unique<Bearing>(rotor, s), "rotors." + name);
  if (bearing->quiet() && rotor.parent == 0) model().quiet.pop_back();  // the world does not turn: nothing to remember
  out_->bearings.push_back(bearing);
  drivables_[name] = bearing;
  return {};
}

Done Builder::addParticle(const std::string& name, const ParticleSettings& s) {
  Particle p;
  p.name = name;
  p.radius = s.radius;
  p.block = addBlock(3, false, true);
  model().blocks.back().mass = s.mass;
  model().blocks.back().weighs = s.gravity;
  things_[name] = {Kind::particle, static_cast<int>(model().particles.size())};
  model().particles.push_back(p);
  return {};
}

std::expected<Thing, Problem> Builder::find(const std::string& name, const std::string& path) {
  const auto it = things_.find(name);
  if (it == things_.end())
    return wrong(path, "there is no body, rotor or particle '" + name + "'", "declare it, or correct the name");
  return it->second;
}

std::expected<Anchor, Problem> Builder::anchorAt(const std::string& name, const Vec3& point_W,
                                                 const std::string& path) {
  const auto thing = find(name, path);
  if (!thing) return std::unexpected(thing.error());
  if (thing->kind == Kind::rotor)
    return wrong(path, "'" + name + "' is a rotor, which has no points to hold", "name the body it sits on");
  if (thing->kind == Kind::particle) return Anchor{model().particles[at(thing->index)].block, Vec3::Zero()};
  const Body& body = model().bodies[at(thing->index)];
  return Anchor{body.block, body.start.pointInverse(point_W) - body.center_B};
}

AxisFrame Builder::frameOn(int block, const Vec3& axis, const Vec3& side) {
  const Mat3 back = startRotation_[at(block)].transpose();
  return {back * axis, back * side, back * axis.cross(side)};
}

Done Builder::addJoint(const std::string& name, const JointSettings& s) {
  const std::string path = "/joints/" + name;
  if (s.a == s.b) return wrong(path + "/b", "the joint holds '" + s.a + "' to itself", "name two different bodies");
  Vec3 pointA = s.anchor, pointB = s.anchorB.value_or(s.anchor);
  for (const bool first : {true, false}) {
    const auto thing = find(first ? s.a : s.b, path + (first ? "/a" : "/b"));
    if (!thing) return std::unexpected(thing.error());
    if (thing->kind != Kind::particle) continue;
    if (s.type != JointType::distance && s.type != JointType::ball)
      return wrong(path + (first ? "/a" : "/b"), "a particle cannot turn, so it takes only distance and ball joints",
                   "use a body, or another joint");
    (first ? pointA : pointB) = scene().particles[at(thing->index)].second.position;
    if (s.type == JointType::ball && !s.anchorB) (first ? pointB : pointA) = first ? pointA : pointB;
  }
  const auto a = anchorAt(s.a, pointA, path + "/a");
  const auto b = anchorAt(s.b, pointB, path + "/b");
  if (!a) return std::unexpected(a.error());
  if (!b) return std::unexpected(b.error());
  if (!model().blocks[at(a->block)].free && !model().blocks[at(b->block)].free)
    return wrong(path, "neither '" + s.a + "' nor '" + s.b + "' can move, so the joint has nothing to hold",
                 "make one of them dynamic");
  const bool needsAxis = s.type == JointType::hinge || s.type == JointType::slider || s.type == JointType::universal;
  if (needsAxis && s.axis.norm() < 1e-12)
    return wrong(path + "/axis", "the axis has no length", "give a direction, such as [0, 1, 0]");
  if (s.lower > s.upper) return wrong(path + "/lower", "the lower limit lies above the upper one", "swap them");
  const Vec3 axis = needsAxis ? s.axis.normalized() : Vec3::UnitZ();
  Vec3 side, up;
  orthonormalBasis(axis, side, up);
  AxisFrame frameA{axis, side, up}, frameB = frameA;
  if (model().blocks[at(a->block)].rotates) frameA = frameOn(a->block, axis, side);
  if (model().blocks[at(b->block)].rotates) {
    frameB = frameOn(b->block, axis, side);
    if (s.type == JointType::universal) {
      const Vec3 other = s.axisB ? *s.axisB : side;
      if (std::fabs(other.normalized().dot(axis)) > 1e-6)
        return wrong(path + "/axis_b", "the two axes of a universal joint are perpendicular",
                     "give an axis_b across axis");
      frameB.axis = startRotation_[at(b->block)].transpose() * other.normalized();
    }
  }
  const double distance = (pointB - pointA).norm();
  if (s.type == JointType::distance && s.length.value_or(distance) <= 0.0)
    return wrong(path, "the two anchors are at the same point, so the distance has no direction",
                 "give anchor and anchor_b different places, or use a ball joint");
  const Joint* joint = addElement(makeJoint(s, *a, *b, frameA, frameB, distance), "joints." + name);
  out_->joints.push_back(joint);
  if (s.type == JointType::hinge || s.type == JointType::slider) drivables_[name] = joint;
  if (!s.collide) out_->excluded.emplace_back(std::min(a->block, b->block), std::max(a->block, b->block));
  return {};
}

Done Builder::addMotor(const std::string& name, const MotorSettings& s) {
  const auto it = drivables_.find(s.on);
  if (it == drivables_.end())
    return wrong("/motors/" + name + "/on", "'" + s.on + "' is not a hinge, a slider or a rotor", "name one to drive");
  int gauge = -1;
  if (s.drive == DriveType::feedback) {
    if (s.observe.empty())
      return wrong("/motors/" + name + "/observe", "a feedback drive needs something to observe",
                   "name an observable, such as bodies.hook.position.z");
    gauge = static_cast<int>(out_->gauges.size());
    out_->gauges.push_back(s.observe);
  }
  out_->motors.push_back(addElement(std::make_unique<Motor>(s, it->second, gauge), "motors." + name));
  return {};
}

Done Builder::addForce(const std::string& name, const ForceSettings& s) {
  const auto thing = find(s.on, "/forces/" + name + "/on");
  if (!thing) return std::unexpected(thing.error());
  if (thing->kind == Kind::rotor) {
    const Rotor& rotor = model().rotors[at(thing->index)];
    addElement(std::make_unique<Load>(s, Anchor{rotor.block, Vec3::Zero()}, true, rotor.axis_B, rotor.parent),
               "forces." + name);
  } else if (thing->kind == Kind::particle) {
    addElement(std::make_unique<Load>(s, Anchor{model().particles[at(thing->index)].block, Vec3::Zero()}, false,
                                      Vec3::UnitZ(), 0),
               "forces." + name);
  } else {
    const Body& body = model().bodies[at(thing->index)];
    addElement(std::make_unique<Load>(s, Anchor{body.block, s.at - body.center_B}, false, Vec3::UnitZ(), 0),
               "forces." + name);
  }
  return {};
}

std::expected<LinkMount, Problem> Builder::mountOf(const std::string& name, const std::string& path) {
  const auto thing = find(name, path);
  if (!thing) return std::unexpected(thing.error());
  LinkMount m;
  m.name = name;
  if (thing->kind == Kind::particle) {
    m.block = model().particles[at(thing->index)].block;
  } else if (thing->kind == Kind::rotor) {
    const Rotor& r = model().rotors[at(thing->index)];
    m.block = r.parent;
    m.rotor = r.block;
    m.center_B = r.center_B;
    m.axis_B = r.axis_B;
    m.radius = r.radius;
  } else {
    const Body& b = model().bodies[at(thing->index)];
    m.block = b.block;
    m.center_B = -b.center_B;
    m.shapes = b.shapes;
  }
  return m;
}

/// A rigid segment of a cable built before.
std::expected<LinkMount, Problem> Builder::segmentOf(const LinkSettings& link, const std::string& path) {
  for (std::size_t i = 0; i < out_->cables.size(); ++i) {
    if (scene().cables[i].first != link.on) continue;
    LinkMount m;
    m.name = link.on;
    m.block = out_->cables[i]->segmentBlock(*link.segment);
    if (m.block >= 0) return m;
    return wrong(path + "/segment", "'" + link.on + "' has no such segment to hold on to",
                 "count from 0; a chain whose segments merge or are wound up holds none");
  }
  return wrong(path + "/on", "there is no cable '" + link.on + "' before this one", "list it before");
}

Done Builder::addCable(const std::string& name, const CableSettings& s) {
  CableSite site;
  site.name = name;
  site.settings = &s;
  for (std::size_t i = 0; i < s.route.size(); ++i) {
    const bool onStrand = s.route[i].type == LinkType::guide && s.route[i].riding;
    if (s.route[i].type == LinkType::ride || onStrand) {
      site.links.emplace_back().name = s.route[i].on;
      continue;
    }
    if (s.route[i].segment) {
      auto mount = segmentOf(s.route[i], "/cables/" + name + "/route/" + std::to_string(i));
      if (!mount) return std::unexpected(mount.error());
      site.links.push_back(*mount);
      continue;
    }
    auto mount = mountOf(s.route[i].on, "/cables/" + name + "/route/" + std::to_string(i) + "/on");
    if (!mount) return std::unexpected(mount.error());
    site.links.push_back(*mount);
  }
  for (std::size_t i = 0; i < s.candidates.size(); ++i) {
    auto mount = mountOf(s.candidates[i], "/cables/" + name + "/candidates/" + std::to_string(i));
    if (!mount) return std::unexpected(mount.error());
    site.candidates.push_back(*mount);
  }
  for (const Block& b : model().blocks)
    if (b.free && b.dof >= 3) site.massScale += b.mass;
  const double slipMass = 1e-9 * site.massScale;
  site.addSlip = [&] {
    const int block = addBlock(1, false, true);
    model().blocks.back().mass = slipMass;
    model().blocks.back().light = true;
    return block;
  };
  site.addSegment = [&](const SegmentSeed& seed) {
    Body body;
    body.name = name;
    body.hidden = true;
    body.friction = seed.friction;
    body.start = seed.pose;
    if (seed.shape) body.shapes.push_back(*seed.shape);
    body.block = addBlock(6, true, true);
    model().blocks.back().mass = seed.mass;
    model().blocks.back().inertia_B = seed.inertia.asDiagonal();
    model().blocks.back().weighs = true;
    model().bodies.push_back(std::move(body));
    seeds_.emplace_back(seed.velocity, seed.angularVelocity);
    return model().bodies.back().block;
  };
  site.addParticle = [&](double mass, const Vec3& position, const Vec3& velocity) {
    Particle p;
    p.name = name;
    p.hidden = true;
    p.block = addBlock(3, false, true);
    model().blocks.back().mass = mass;
    model().blocks.back().weighs = true;
    model().particles.push_back(p);
    particleSeeds_.emplace_back(position, velocity);
    return p.block;
  };
  site.addCoordinate = [&](std::span<const double> start, std::span<const double> rate, double nominal) {
    const int block = addBlock(static_cast<int>(start.size()), false, true);
    model().blocks.back().nominal = nominal;
    coordinateSeeds_.push_back({block, {start.begin(), start.end()}, {rate.begin(), rate.end()}});
    return block;
  };
  site.carry = [&] { model().carries = true; };
  site.cable = [&](const std::string& other) -> const Cable* {
    for (std::size_t i = 0; i < out_->cables.size(); ++i)
      if (scene().cables[i].first == other) return out_->cables[i];
    return nullptr;
  };
  site.exclude = [&](int a, int b) { out_->excluded.emplace_back(std::min(a, b), std::max(a, b)); };
  Instant now;
  placeState();
  look(now);
  site.now = &now;
  auto cable = makeCable(site);
  if (!cable) return std::unexpected(cable.error());
  out_->cables.push_back(addElement(std::move(*cable), "cables." + name));
  return {};
}

void Builder::look(Instant& now) {
  now.bind(model(), out_->start);
  now.rewind();
  now.prescribe(0.0);
  now.cacheRotations();
}

void Builder::placeState() {
  State& state = out_->start;
  state.q.assign(at(model().positions), 0.0);
  state.v.assign(at(model().velocities), 0.0);
  state.u = state.p = state.pOld = state.v;
  state.force.assign(at(model().slots), 0.0);
  state.mode.assign(at(model().slots), Mode::free);
  state.memory.assign(at(model().memory), 0.0);
  state.sheets.resize(at(model().sheets));
  for (std::size_t i = 0; i < model().bodies.size(); ++i) {
    const Body& body = model().bodies[i];
    const Block& b = model().blocks[at(body.block)];
    const Vec3 center = body.start.point(body.center_B);
    Vec3 velocity = Vec3::Zero(), omega = Vec3::Zero();
    if (body.hidden) {
      velocity = seeds_[i - 1 - scene().bodies.size()].first;
      omega = seeds_[i - 1 - scene().bodies.size()].second;
    } else if (b.free) {  // bodies[0] is the world, so bodies[i] is the description's i − 1
      const BodySettings& s = scene().bodies[i - 1].second;
      omega = s.angularVelocity;
      velocity = s.velocity + omega.cross(center - body.start.position);
    }
    for (int k = 0; k < 3; ++k) {
      state.q[at(b.q + k)] = center[k];
      state.v[at(b.v + k)] = velocity[k];
      state.v[at(b.v + 3 + k)] = omega[k];
    }
    const Quat q = body.start.orientation.normalized();
    const double wxyz[] = {q.w(), q.x(), q.y(), q.z()};
    for (int k = 0; k < 4; ++k) state.q[at(b.q + 3 + k)] = wxyz[k];
  }
  for (std::size_t i = 0; i < model().rotors.size(); ++i) {
    const Block& b = model().blocks[at(model().rotors[i].block)];
    state.q[at(b.q)] = scene().rotors[i].second.angle;
    state.v[at(b.v)] = scene().rotors[i].second.rate;
  }
  for (std::size_t i = 0; i < model().particles.size(); ++i) {
    const Block& b = model().blocks[at(model().particles[i].block)];
    const std::size_t named = scene().particles.size();
    const Vec3 position = i < named ? scene().particles[i].second.position : particleSeeds_[i - named].first;
    const Vec3 velocity = i < named ? scene().particles[i].second.velocity : particleSeeds_[i - named].second;
    for (int k = 0; k < 3; ++k) {
      state.q[at(b.q + k)] = position[k];
      state.v[at(b.v + k)] = velocity[k];
    }
  }
  for (const CoordinateSeed& seed : coordinateSeeds_) {
    const Block& b = model().blocks[at(seed.block)];
    for (int k = 0; k < b.dof; ++k) {
      state.q[at(b.q + k)] = seed.start[at(k)];
      state.v[at(b.v + k)] = seed.rate[at(k)];
    }
  }
}

std::expected<std::unique_ptr<Built>, Problem> Builder::run() {
  BodySettings ground;
  ground.motion = BodyMotion::fixed;
  if (auto ok = addBody("world", ground); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().bodies)
    if (auto ok = addBody(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().particles)
    if (auto ok = addParticle(name, s); !ok) return std::unexpected(ok.error());
  if (auto ok = addRotorMass(); !ok) return std::unexpected(ok.error());
  startRotation_.assign(model().blocks.size(), Mat3::Identity());
  for (const Body& body : model().bodies)
    startRotation_[at(body.block)] = body.start.orientation.normalized().toRotationMatrix();
  for (const auto& [name, s] : scene().rotors)
    if (auto ok = addRotor(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().joints)
    if (auto ok = addJoint(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().motors)
    if (auto ok = addMotor(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().forces)
    if (auto ok = addForce(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().bodies)
    if (s.drag > 0.0 || s.angularDrag > 0.0)
      addElement(std::make_unique<Drag>(model().bodies[at(things_[name].index)].block, s.drag, s.angularDrag),
                 "bodies." + name);
  for (const auto& [name, s] : scene().particles)
    if (s.drag > 0.0)
      addElement(std::make_unique<Drag>(model().particles[at(things_[name].index)].block, s.drag, 0.0),
                 "particles." + name);
  for (const auto& [name, s] : scene().cables)
    if (auto ok = addCable(name, s); !ok) return std::unexpected(ok.error());
  for (const Body& body : model().bodies)
    model().colliders.insert(model().colliders.end(), body.shapes.size(), body.block);
  for (const Particle& p : model().particles)
    if (p.radius > 0.0) model().colliders.push_back(p.block);
  if (auto together = joinCables(out_->cables, model())) addElement(std::move(together), "cables");
  std::sort(out_->excluded.begin(), out_->excluded.end());
  placeState();
  Instant now;
  look(now);
  out_->start.q = now.q;
  out_->start.v = now.v;
  for (const auto& e : model().elements) {
    e->start(now, std::span<double>(out_->start.memory).subspan(at(e->memory), at(e->memorySize())));
    e->layOut(std::span<Sheet>(out_->start.sheets).subspan(at(e->sheet), at(e->sheets())));
  }
  momentum(now, out_->start.p);
  return std::move(out_);
}

}  // namespace

std::expected<std::unique_ptr<Built>, Problem> build(Description description) {
  return Builder(std::move(description)).run();
}

void startModes(const Model& model, std::span<const Element* const> elements, State& state) {
  Instant now;
  now.bind(model, state);
  now.rewind();
  RowSet rows;
  for (const Element* e : elements) e->rows(now, rows);
  for (const Row& row : rows.rows) {
    if (!row.bounded()) continue;
    Mode mode = Mode::free;
    constexpr double touching = 1e-9;
    if (row.level == Level::position) {
      if (row.upper == 0.0 && row.error < -touching) mode = Mode::upper;
      if (row.lower == 0.0 && row.error > touching) mode = Mode::lower;
    }
    state.mode[static_cast<std::size_t>(row.slot)] = mode;
  }
}

}  // namespace reeve
