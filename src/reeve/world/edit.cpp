// Changes of a state from outside: poses, velocities, angles, rest lengths, made together.
#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"
#include "reeve/model/kinetics.h"
#include "reeve/solvers/project.h"
#include "reeve/world/brief_number.h"
#include "reeve/world/parts.h"

namespace reeve {

Edit& Edit::pose(BodyHandle body, const Pose& pose) {
  poses_.emplace_back(body, pose);
  return *this;
}
Edit& Edit::velocity(BodyHandle body, const Vec3& linear, const Vec3& angular) {
  twists_.emplace_back(body, Twist{linear, angular});
  return *this;
}
Edit& Edit::place(ParticleHandle particle, const Vec3& position, const Vec3& velocity) {
  particles_.emplace_back(particle, Twist{position, velocity});
  return *this;
}
Edit& Edit::angle(RotorHandle rotor, double angle, double rate) {
  rotors_.emplace_back(rotor, Spun{angle, rate});
  return *this;
}
Edit& Edit::coordinate(JointHandle joint, double coordinate) {
  joints_.emplace_back(joint, coordinate);
  return *this;
}
Edit& Edit::rest(CableHandle cable, int span, double length) {
  rests_.emplace_back(cable, Rest{span, length});
  return *this;
}

namespace {

/// A violation beyond this is refused, m or rad; less is taken for rounding and mended.
constexpr double forgiven = 1e-6;

/// Where things are to be: an instant whose increments are the way there from the state.
class Mover {
 public:
  Mover(const Model& model, Instant& there) : model_(model), there_(there) {}

  /// Turns a rigid block by a rotation vector about a point, then shifts it. Its wheels turn with it.
  void move(int block, const Vec3& turn, const Vec3& about, const Vec3& shift) {
    const Block& b = model_.blocks[at(block)];
    const Quat by = rotationExp(turn);
    const Vec3 center = there_.position(block);
    const Vec3 to = about + by * (center - about) + shift;
    const Vec3 before = triple(there_.u, b.v + 3);
    const Vec3 after = before.isZero(0.0) ? turn : rotationLog(by * rotationExp(before));
    for (int k = 0; k < 3; ++k) {
      there_.u[at(b.v + k)] += to[k] - center[k];
      there_.u[at(b.v + 3 + k)] = after[k];
    }
    place();
    for (const Rotor& rotor : model_.rotors)
      if (rotor.parent == block) {
        const Vec3 axis = there_.rotation(block) * rotor.axis_B;
        there_.u[at(model_.blocks[at(rotor.block)].v)] += axis.dot(after - before);
      }
  }
  void place() { there_.place(there_.past().time, 0.0); }

 private:
  const Model& model_;
  Instant& there_;
};

/// Blocks that hang together by joints with b and not through this one; empty if a is among them.
std::vector<int> carriedBy(const Joint& joint, std::span<const Joint* const> joints, const Model& model) {
  std::vector<int> found{joint.anchorB().block};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const Joint* other : joints) {
      if (other == &joint) continue;
      for (const auto& [here, next] : {std::pair(other->anchorA().block, other->anchorB().block),
                                       std::pair(other->anchorB().block, other->anchorA().block)}) {
        if (here != found[i] || std::ranges::find(found, next) != found.end()) continue;
        if (next == joint.anchorA().block || !model.blocks[at(next)].free) return {};
        found.push_back(next);
      }
    }
  return found;
}

std::unexpected<Problem> unset(const char* what, const std::string& reason, const char* remedy) {
  return wrong(what, reason, remedy);
}

}  // namespace

/// Brings `there` to where the edit says, by increments from the state it is bound to.
Done World::Parts::moveTo(const Edit& edit, Instant& there, std::span<double> v) const {
  Mover mover(model(), there);
  for (const auto& [handle, pose] : edit.poses_) {
    const Body& body = model().bodies[at(handle.index + 1)];
    if (!model().blocks[at(body.block)].free)
      return unset("body", "'" + body.name + "' is fixed or moves as prescribed", "set a dynamic body");
    const double norm = pose.orientation.norm();
    if (!pose.position.allFinite() || !(norm > 0.5 && norm < 2.0))
      return unset("pose", "the pose of '" + body.name + "' is not one", "give finite numbers and a unit quaternion");
    const Vec3 turn = rotationLog(pose.orientation.normalized() * there.orientation(body.block).conjugate());
    const Vec3 origin = there.position(body.block) - there.rotation(body.block) * body.center_B;
    mover.move(body.block, turn, origin, pose.position - origin);
  }
  for (const auto& [handle, twist] : edit.particles_) {
    const Block& b = model().blocks[at(model().particles[at(handle.index)].block)];
    if (!twist.linear.allFinite() || !twist.angular.allFinite())
      return unset("particle", "its place or velocity is not finite", "give finite numbers");
    for (int k = 0; k < 3; ++k) {
      there.u[at(b.v + k)] = twist.linear[k] - there.past().q[at(b.q + k)];
      v[at(b.v + k)] = twist.angular[k];
    }
  }
  mover.place();
  for (const auto& [handle, coordinate] : edit.joints_) {
    const Joint& joint = *built->joints[at(handle.index)];
    const JointType type = joint.settings().type;
    if (type != JointType::hinge && type != JointType::slider)
      return unset("joint", "only hinges and sliders have a coordinate to set", "set the pose of the body");
    if (!std::isfinite(coordinate)) return unset("coordinate", "the coordinate is not finite", "give a finite number");
    if (!model().blocks[at(joint.anchorB().block)].free)
      return unset("joint", "its second body is fixed", "swap a and b, or set the pose of the first");
    std::vector<int> carried = carriedBy(joint, built->joints, model());
    if (carried.empty()) carried = {joint.anchorB().block};  // a closed loop: projection sees to the rest
    const double by = coordinate - joint.coordinate(there);
    const Vec3 axis = joint.axis(there), about = there.point(joint.anchorA());
    for (const int block : carried) {
      if (model().blocks[at(block)].rotates)
        mover.move(block, type == JointType::hinge ? Vec3(axis * by) : Vec3::Zero(), about,
                   type == JointType::hinge ? Vec3::Zero() : Vec3(axis * by));
    }
  }
  for (const auto& [handle, spun] : edit.rotors_) {
    const Block& b = model().blocks[at(model().rotors[at(handle.index)].block)];
    if (!std::isfinite(spun.angle) || !std::isfinite(spun.rate))
      return unset("rotor", "its angle or rate is not finite", "give finite numbers");
    there.u[at(b.v)] = spun.angle - there.past().q[at(b.q)];
    v[at(b.v)] = spun.rate;
  }
  mover.place();
  for (const auto& [handle, twist] : edit.twists_) {
    const Body& body = model().bodies[at(handle.index + 1)];
    const Block& b = model().blocks[at(body.block)];
    if (!b.free) return unset("body", "'" + body.name + "' is fixed or moves as prescribed", "set a dynamic body");
    if (!twist.linear.allFinite() || !twist.angular.allFinite())
      return unset("velocity", "the velocity of '" + body.name + "' is not finite", "give finite numbers");
    const Vec3 center = twist.linear + twist.angular.cross(there.rotation(body.block) * body.center_B);
    for (int k = 0; k < 3; ++k) {
      v[at(b.v + k)] = center[k];
      v[at(b.v + 3 + k)] = twist.angular[k];
    }
  }
  return {};
}

std::vector<double> World::Parts::motionOf(const Joint& joint) const {
  std::vector<double> v(state.v.size(), 0.0);
  std::vector<int> carried = carriedBy(joint, built->joints, model());
  if (carried.empty()) carried = {joint.anchorB().block};
  const Vec3 axis = joint.axis(now), about = now.point(joint.anchorA());
  const bool turns = joint.settings().type == JointType::hinge;
  for (const int block : carried) {
    const Block& b = model().blocks[at(block)];
    if (!b.free) continue;
    setTriple(v, b.v, turns ? Vec3(axis.cross(now.position(block) - about)) : axis);
    if (!turns || !b.rotates) continue;
    setTriple(v, b.v + 3, axis);
    for (const Rotor& rotor : model().rotors)
      if (rotor.parent == block)
        v[at(model().blocks[at(rotor.block)].v)] = axis.dot(now.rotation(block) * rotor.axis_B);
  }
  return v;
}

Done World::apply(const Edit& edit, Fit fit) {
  Parts& p = *parts_;
  const auto all = [&](const auto& list, const char* what, std::size_t count) -> Done {
    for (const auto& entry : list)
      if (auto ok = knows(entry.first, what, count); !ok) return ok;
    return {};
  };
  for (const Done& ok :
       {all(edit.poses_, "body", description().bodies.size()), all(edit.twists_, "body", description().bodies.size()),
        all(edit.particles_, "particle", description().particles.size()),
        all(edit.rotors_, "rotor", p.model().rotors.size()), all(edit.joints_, "joint", p.built->joints.size()),
        all(edit.rests_, "cable", p.built->cables.size())})
    if (!ok) return ok;
  const Parts::Change change(p);
  State base = p.state;
  for (const auto& [handle, rest] : edit.rests_) {
    if (!std::isfinite(rest.length)) return unset("rest", "the rest length is not finite", "give a finite number");
    const std::string why = p.built->cables[at(handle.index)]->setRest(base, rest.span, rest.length);
    if (!why.empty()) return unset("cable", why, "set a span of a cable of model joints");
  }
  Instant there;
  there.bind(p.model(), base);
  there.rewind();
  State next = base;
  if (auto ok = p.moveTo(edit, there, next.v); !ok) return ok;
  const std::span<const Element* const> elements(p.elements.data(), p.elements.size() - 1);
  Projection projection(p.model(), elements);
  int worst = -1;
  const double off = projection.violation(there, worst);
  const bool mends = fit == Fit::project || off <= forgiven;
  if (!mends || !projection.positions(there)) {
    if (mends) projection.violation(there, worst);
    return unset("state", p.rowName(worst) + " would be off by " + briefNumber(off) + " m or rad",
                 mends ? "no nearby state lets all joints hold" : "set what it holds too, or let it be projected");
  }
  projection.velocities(there, next.v);
  return p.take(there, next);
}

std::string World::Parts::rowName(int slot) const {
  for (const Element* e : elements)
    if (slot >= e->slot && slot < e->slot + e->layout().slots) return e->nameOf(ElementPart::row, slot - e->slot);
  return "a constraint";
}

/// The state `next` with the positions of `there`, to which everything that remembers follows; none if it cannot.
Done World::Parts::take(Instant& there, State& next) {
  there.evaluate();
  for (const auto& e : model().elements) e->finish(there, next, events);
  next.q = there.q;
  next.h = 0.0;
  next.contacts.clear();
  next.force.resize(at(model().slots));
  next.mode.resize(at(model().slots));
  const State before = state;
  state = next;
  if (!passes()) {
    state = before;
    verdict = Verdict{};
    return wrong("state", "a cable cannot follow there", "move in smaller steps, or build a world that starts there");
  }
  restart();
  startModes(model(), std::span<const Element* const>(elements.data(), elements.size() - 1), state);
  good = state;
  return {};
}

}  // namespace reeve
