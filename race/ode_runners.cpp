#include "peers.h"

#ifdef REEVE_HAVE_ODE
#include <ode/ode.h>

#include <algorithm>
#include <cmath>

#include "chain_shape.h"

namespace reeve::race {
namespace {

Vec3 vecOf(const dReal* v) { return Vec3(v[0], v[1], v[2]); }

class OdeChain : public Runner {
 public:
  OdeChain(const ChainShape& shape, ChainJudge judge, double dt, bool quick)
      : shape_(shape), judge_(std::move(judge)), dt_(dt), quick_(quick) {
    [[maybe_unused]] static const bool ready = (dInitODE(), true);
    world_ = dWorldCreate();
    dWorldSetGravity(world_, 0, 0, -shape.gravity);
    for (std::size_t i = 0; i < shape.links.size(); ++i) {
      const ChainShape::Link& l = shape.links[i];
      const dBodyID b = dBodyCreate(world_);
      dMass mass;
      dMassSetParameters(&mass, l.mass, 0, 0, 0, l.inertia.x(), l.inertia.y(), l.inertia.z(), 0, 0, 0);
      dBodySetMass(b, &mass);
      dBodySetPosition(b, l.position.x(), l.position.y(), l.position.z());
      const dQuaternion q{l.orientation.w(), l.orientation.x(), l.orientation.y(), l.orientation.z()};
      dBodySetQuaternion(b, q);
      const dJointID joint = dJointCreateBall(world_, nullptr);
      dJointAttach(joint, b, i == 0 ? nullptr : bodies_[i - 1]);
      const Vec3 at = l.position + l.orientation * l.anchor;
      dJointSetBallAnchor(joint, at.x(), at.y(), at.z());
      bodies_.push_back(b);
    }
    if (!shape.end) return;
    const dJointID held = dJointCreateBall(world_, nullptr);
    dJointAttach(held, bodies_.back(), nullptr);
    dJointSetBallAnchor(held, shape.end->x(), shape.end->y(), shape.end->z());
  }
  ~OdeChain() override { dWorldDestroy(world_); }
  bool step() override {
    time_ += dt_;
    return (quick_ ? dWorldQuickStep(world_, dt_) : dWorldStep(world_, dt_)) != 0;
  }
  double measure() override { return judge_(shape_, pose(), time_); }
  double energy() override {
    std::vector<Vec3> velocities, spins;
    for (const dBodyID b : bodies_) {
      velocities.push_back(vecOf(dBodyGetLinearVel(b)));
      spins.push_back(vecOf(dBodyGetAngularVel(b)));
    }
    return shape_.energy(pose(), velocities, spins);
  }

 private:
  ChainPose pose() const {
    ChainPose now;
    for (const dBodyID b : bodies_) {
      now.places.push_back(vecOf(dBodyGetPosition(b)));
      const dReal* q = dBodyGetQuaternion(b);
      now.turns.emplace_back(q[0], q[1], q[2], q[3]);
    }
    return now;
  }
  ChainShape shape_;
  ChainJudge judge_;
  double dt_, time_ = 0.0;
  bool quick_;
  dWorldID world_ = nullptr;
  std::vector<dBodyID> bodies_;
};

/// Boxes on a plane: contacts of every step as joints, friction as a pyramid, with quick step's 20 iterations.
class OdeBoxes : public Runner {
 public:
  OdeBoxes(const Description& d, double dt) : dt_(dt), gravity_(-d.settings.gravity.z()) {
    [[maybe_unused]] static const bool ready = (dInitODE(), true);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -gravity_);
    double ground = 1.0;
    for (const auto& [name, b] : d.bodies) {
      if (b.shapes.front().type == ShapeType::halfSpace) {
        dCreatePlane(space_, 0, 0, 1, 0);
        ground = b.friction;
        continue;
      }
      const Vec3 size = b.shapes.front().size;
      const dBodyID body = dBodyCreate(world_);
      dMass mass;
      dMassSetBoxTotal(&mass, b.mass.value_or(b.density * size.prod()), size.x(), size.y(), size.z());
      dBodySetMass(body, &mass);
      dBodySetPosition(body, b.position.x(), b.position.y(), b.position.z());
      const dQuaternion q{b.orientation.w(), b.orientation.x(), b.orientation.y(), b.orientation.z()};
      dBodySetQuaternion(body, q);
      const dGeomID geom = dCreateBox(space_, size.x(), size.y(), size.z());
      dGeomSetBody(geom, body);
      bodies_.push_back(body);
      half_ = 0.5 * size.z();
      friction_ = b.friction;
    }
    frictionGround_ = std::sqrt(friction_ * ground);
  }
  ~OdeBoxes() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  bool step() override {
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<OdeBoxes*>(self)->meet(a, b); });
    const bool good = dWorldQuickStep(world_, dt_) != 0;
    dJointGroupEmpty(contacts_);
    return good;
  }
  double measure() override {
    double lowest = 1e300;
    for (const dBodyID b : bodies_) lowest = std::min(lowest, dBodyGetPosition(b)[2]);
    return lowest - half_;
  }
  double energy() override {
    double sum = 0.0;
    for (const dBodyID b : bodies_) {
      dMass mass;
      dBodyGetMass(b, &mass);
      const dReal* q = dBodyGetQuaternion(b);
      const Vec3 w = Quat(q[0], q[1], q[2], q[3]).conjugate() * vecOf(dBodyGetAngularVel(b));
      const Vec3 inertia(mass.I[0], mass.I[5], mass.I[10]);
      sum += 0.5 * mass.mass * vecOf(dBodyGetLinearVel(b)).squaredNorm() + 0.5 * w.dot(inertia.cwiseProduct(w)) +
             mass.mass * gravity_ * dBodyGetPosition(b)[2];
    }
    return sum;
  }

 private:
  void meet(dGeomID a, dGeomID b) {
    constexpr int most = 8;
    dContact contact[most];
    const int count = dCollide(a, b, most, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = dGeomGetBody(a) && dGeomGetBody(b) ? friction_ : frictionGround_;
      dJointAttach(dJointCreateContact(world_, contacts_, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
  }
  double dt_, gravity_, half_ = 0.0, friction_ = 0.0, frictionGround_ = 0.0;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  std::vector<dBodyID> bodies_;
};

}  // namespace

std::vector<Entrant> odeBoxes(const Description& d) {
  Entrant e;
  e.engine = "ode";
  e.how = "quick step";
  e.start = [d](double dt) { return std::make_unique<OdeBoxes>(d, dt); };
  return {e};
}

std::vector<Entrant> odeChain(const Description& d, const ChainJudge& judge) {
  std::vector<Entrant> entrants;
  for (const bool quick : {true, false}) {
    Entrant e;
    e.engine = "ode";
    e.how = quick ? "quick step" : "step";
    e.start = [shape = ChainShape(d), judge, quick](double dt) {
      return std::make_unique<OdeChain>(shape, judge, dt, quick);
    };
    entrants.push_back(e);
  }
  return entrants;
}

std::string odeVersion() { return "ODE " REEVE_ODE_VERSION; }

}  // namespace reeve::race
#else
namespace reeve::race {
std::vector<Entrant> odeChain(const Description&, const ChainJudge&) { return {}; }
std::vector<Entrant> odeBoxes(const Description&) { return {}; }
std::string odeVersion() { return ""; }
}  // namespace reeve::race
#endif
