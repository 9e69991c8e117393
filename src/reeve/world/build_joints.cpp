// Joints, motors and forces, and the names they hold on to.
#include <algorithm>

#include "reeve/elements/load.h"
#include "reeve/math/rotation.h"
#include "reeve/world/builder.h"

namespace reeve {

std::expected<Builder::Thing, Problem> Builder::find(const std::string& name, const std::string& path) {
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
  const bool needsAxis = !s.extension.empty() || s.type == JointType::hinge || s.type == JointType::slider ||
                         s.type == JointType::universal;
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
  const JointSite site{s, *a, *b, frameA, frameB, distance};
  std::unique_ptr<Joint> made;
  if (s.extension.empty()) {
    made = makeJoint(site);
  } else {
    const auto maker = extensions_.joints.find(s.extension);
    if (maker == extensions_.joints.end())
      return wrong(path, "no joint '" + s.extension + "' has been registered", "hand it to World::build");
    auto own = maker->second(site);
    if (!own) return std::unexpected(own.error());
    made = std::move(*own);
  }
  const Joint* joint = addElement(std::move(made), "joints." + name);
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

Done Builder::addCoupling(const std::string& name, const CouplingSettings& s) {
  const std::string path = "/couplings/" + name;
  Coupling::Side sides[2];
  for (const bool first : {true, false}) {
    const std::string& on = first ? s.a : s.b;
    const auto it = drivables_.find(on);
    if (it == drivables_.end())
      return wrong(path + (first ? "/a" : "/b"), "'" + on + "' is not a hinge, a slider or a rotor", "name one to tie");
    sides[first ? 0 : 1].axis = it->second;
    for (const auto& [rotor, settings] : scene().rotors)
      if (rotor == on) sides[first ? 0 : 1].start = settings.angle;
  }
  if (s.a == s.b) return wrong(path + "/b", "the coupling ties '" + s.a + "' to itself", "name two different ones");
  const Coupling* coupling = addElement(std::make_unique<Coupling>(s, sides[0], sides[1]), "couplings." + name);
  out_->couplings.push_back(coupling);
  out_->tunables.emplace_back("couplings." + name, coupling);
  return {};
}

Done Builder::addForce(const std::string& name, const ForceSettings& s) {
  const auto thing = find(s.on, "/forces/" + name + "/on");
  if (!thing) return std::unexpected(thing.error());
  std::unique_ptr<Load> load;
  if (thing->kind == Kind::rotor) {
    const Rotor& rotor = model().rotors[at(thing->index)];
    load = std::make_unique<Load>(s, Anchor{rotor.block, Vec3::Zero()}, true, rotor.axis_B, rotor.parent);
  } else if (thing->kind == Kind::particle) {
    load = std::make_unique<Load>(s, Anchor{model().particles[at(thing->index)].block, Vec3::Zero()}, false,
                                  Vec3::UnitZ(), 0);
  } else {
    const Body& body = model().bodies[at(thing->index)];
    load = std::make_unique<Load>(s, Anchor{body.block, s.at - body.center_B}, false, Vec3::UnitZ(), 0);
  }
  out_->tunables.emplace_back("forces." + name, addElement(std::move(load), "forces." + name));
  return {};
}

}  // namespace reeve
